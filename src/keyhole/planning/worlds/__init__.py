"""Worlds: populations that a pilot may have come from."""
