"""The constants of cross-validation and honest risk, each with its reason.

benchmarks/keyhole/risk.py measures how often confidence intervals of the risk contain the true risk, on generated data
and on MNIST 3 vs 5; the constants were chosen on other seeds than it reports (docs/evidence.md).
"""

# Folds of cross-validation.
FOLDS = 5
# The fewest examples from which a fifth is held out, and from which the risk is estimated.
LEAST_ROWS_HELD_OUT, LEAST_ROWS_FOR_RISK = 10, 20
# A difference counts beyond this many standard errors.
STANDARD_ERRORS = 2.0
# The probability with which a confidence interval of the risk contains it.
CONFIDENCE = 0.95
# An interval wider than this share of the label's variance is called too wide to be of use.
WIDE = 0.25
# The share of the fold fits' variance that is added for rows that helped to fit each other's model: 0.2 to 0.5 would
# have been right in some 900 runs on three kinds of generated data.
SHARED_VARIANCE = 0.5
# The largest share of the pairs of attributes that no example shows together, where the risk is estimated: their
# covariances are taken from the model.
MOST_UNSEEN_PAIRS = 0.5
# Second-order inclusion probabilities that are held in memory at a time.
PAIRS_AT_ONCE = 2_000_000
# The most attributes for which it is counted how often two of them were present together.
MAX_ATTRIBUTES_FOR_RATES = 10_000
# The model's variance of a prediction is taken to be right within this share of itself, unless the observed one is
# larger by this many standard errors: of spectra the model claimed 0.25 where 1.1 was true.
MODEL_ERROR, SURELY_LARGER = 0.15, 2.0
# The least correlation, beyond the label, of a predictor that complete rows assess and one that they do not: of spectra
# the model claimed none, and averages of the two were worse than one of them.
COMMON_BEYOND_LABEL = 0.5
# The fewest held-out rows that show all that a predictor uses, and the fewest of one fold, from which it is assessed on
# these alone.
LEAST_EXACT_ROWS, LEAST_EXACT_ROWS_OF_FOLD = 12, 2
# An estimate from these rows is preferred to that from all where its standard error is smaller than this share.
MUCH_BETTER_KNOWN = 0.5
# How many pairs of drawn cells the rate of presence of two independent attributes counts for: most pairs are drawn
# rarely, and their own rate is noise, while attributes that are missing together are seen together often enough.
PRIOR_PAIRS = 20.0
# A variance of predictions, in parts of the label's variance, below which a model explains nothing: much smaller
# numbers have too few digits to divide by.
NOTHING = 1e-30
