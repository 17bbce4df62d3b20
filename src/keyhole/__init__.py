"""Keyhole: linear predictors learned from a few attributes of each example."""
