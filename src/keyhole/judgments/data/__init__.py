"""Judgments and labels: arrays, long tables and files, read into one table and checked."""
