"""Predictions from whatever is known of an example: variances, intervals, purchases, classes."""
