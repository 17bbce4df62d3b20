"""The commands ``keyhole study ...``: they parse, call and print. What they need is imported when they run."""

from .app import app

__all__ = ["app"]
