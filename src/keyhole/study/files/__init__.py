"""A study in files: tables for other programs, results that come back, dumps and backups."""
