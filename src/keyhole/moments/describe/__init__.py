"""A fitted model in words and pictures: data warnings, summary, plots, intervals of the coefficients."""
