"""The constants of descriptions, each with its reason.

benchmarks/keyhole/explain.py measures how often data warnings are false alarms, and how often intervals of coefficients
contain the mean coefficient.
"""

# Data warnings.
# The probability of any false alarm of the test whether missing cells are related to the label.
FALSE_ALARM = 0.01
# The fewest rows in which an attribute is present, and missing, for that test; more where labels are skewed.
LEAST_ROWS = 12.0
# The most cells that are searched for duplicated attributes, and the probability of a false one.
MAX_CELLS, FALSE_DUPLICATE = 200_000, 1e-3

# Intervals of the coefficients.
# EM iterations of a bootstrap fit, from where the first fit ended: 15 gave a spread a tenth too small, 60 one a tenth
# too large, on generated data.
BOOTSTRAP_ITERATIONS = 30
# The level of an interval, and the number of bootstrap samples.
LEVEL, BOOTSTRAP_SAMPLES = 0.9, 100

# Learning curves: one row in so many is held out, and the fewest rows of a fit.
HELD_OUT_EVERY, LEAST_ROWS_FITTED = 5, 16

# Summaries and plots: how many coefficients are listed, how many bars are drawn, and up to how many have a name.
COEFFICIENTS_LISTED, MAX_BARS, MAX_NAMED_BARS = 8, 20, 40
# The weight of all families together below which a warning says that the predictor was shrunk.
LITTLE_SUPPORT = 0.5
