"""The constants of the families and of the selection among them, each with its reason.

They were chosen on the development splits and seeds (docs/evidence.md) of generated data, MNIST 3 vs 5 and breast
cancer; benchmarks/keyhole/families.py and benchmarks/keyhole/sparse.py measure what comes of them on others.
"""

# Selection.
# A difference between the two start families, or between a start and a predictor of complete rows, counts beyond this
# many standard errors.
STANDARD_ERRORS = 2.0
# The standard errors of its difference from the start that an alternative pays in proportion to its weight, and the
# least weight in an average.
CAUTION, LEAST_WEIGHT = 0.25, 0.01
# Half of a covariance with the label is believed where it is so many times the standard error that chance gives it.
DOUBT = 2.0
# Nothing is taken to be found where the largest covariance is less than about so many: without this rule 5 of 140 fits
# to pure noise were worse than the mean label by more than 1%.
LEAST_EVIDENCE = 2.0
# Of complete rows: the number of permutations of the labels that must all tell less than the labels do before the mean
# label has no weight; and how far from 1 a sum of weights is that need not be larger.
PERMUTATIONS, SUM_IS_ONE = 200, 1e-3
# How strongly weights are drawn toward one predictor alone, in parts of the label's variance: in general, and of others
# that complete rows assess. It is in proportion to what that one leaves of the label, and to no less than LEAST_LEFT.
PULL, PULL_OF_EXACT, LEAST_LEFT = 0.1, 0.02, 0.02
# The most labels by which a prediction that is held within them is compared.
LABELS_COMPARED = 400
# The fewest rows on which the two start families are compared, and those on which an alternative is.
LEAST_ROWS_FOR_START, LEAST_ROWS_FOR_ALTERNATIVES = 20, 80
# The most cells that a comparison uses: more would take longer, and 200,000 tell families apart.
MAX_CELLS_COMPARED = 200_000
# Folds of the comparison of the two start families, which is made at every renewal of a policy and must be quick.
START_FOLDS = 3
# Factors are not supported where held-out products rise by less than this per unit predicted: almost all is noise.
LEAST_SLOPE = 0.1
# The sum of squared correlations with the label up to which attributes may be uncorrelated. In truth it is at most 1
# then; the rest is for what is not known yet.
MAX_SQUARED_CORRELATIONS = 3.0

# Factors.
# The most factors; up to that, 16 and 4 for each revealed cell of a row, and at most half as many as attributes.
MAX_FACTORS, BASE_FACTORS, FACTORS_PER_CELL = 48, 16, 4

# Diagonal.
# The most sweeps over the attributes, and the relative change at which they end.
MAX_SWEEPS, SWEEP_TOLERANCE = 200, 1e-4
# The least share of the label's variance that is taken for noise.
LEAST_NOISE = 0.02
# The share of the mean square of some values below which their variance is a rounding error: all are equal.
ROUNDING = 1e-20

# Pairwise, lasso, panel.
# The most attributes of which tables of attributes by attributes are made.
MAX_ATTRIBUTES = 1000
# Rows with the start's covariances that are added to the observed products of each pair (100 had larger errors).
PRIOR_ROWS = 1000.0
# The share of the start's smallest eigenvalue that the eigenvalues of a pairwise covariance are raised to.
EIGENVALUE_FLOOR = 0.5
# The most attributes that the lasso keeps.
MAX_LASSO = 100
# The fewest complete rows for each weight of a panel, and for its intercept, and the least share of all rows.
LEAST_ROWS_PER_WEIGHT, LEAST_SHARE_OF_ROWS = 2, 0.05
# The fewest rows that show every attribute, from which ridge regression on these is derived.
LEAST_COMPLETE_ROWS = 10
# EM iterations of the factor model that fills the gaps of rows that are complete otherwise.
ITERATIONS_FOR_GAPS = 25

# Sparse.
# An attribute is not selected where less than this share of its variance is left unexplained by those before it.
LEAST_OWN_VARIANCE = 0.1
# The shares of a budget for the selected attributes: while the selection may still be wrong, and the largest.
LEAST_CERTAINTY, MAX_CERTAINTY = 0.5, 0.95
# The EM of a few columns: rows of uncorrelated columns that its prior is worth, the change at which it ends, its most
# iterations, and the most different sets of revealed columns that it uses.
GAUSSIAN_PRIOR, GAUSSIAN_TOLERANCE, GAUSSIAN_ITERATIONS, GAUSSIAN_SETS = 1.0, 1e-5, 300, 500
