"""The version, kept here alone: the package and its metadata read it."""

__version__ = "0.2.0.dev0"
