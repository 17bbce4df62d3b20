"""How good judgments and choices are: agreement, bootstrap intervals, held-out losses, the trade-off of repeats."""
