"""Layouts: the same number of cells over many examples or few, measured by ``python benchmarks/layouts.py``."""
