"""The constants of predictions from some of the attributes, each with its reason.

benchmarks/keyhole/subsets.py and benchmarks/keyhole/classifying.py measure how often intervals contain the label and
how good class probabilities are; the constants were chosen on other seeds and splits than they report
(docs/evidence.md).
"""

import numpy as np

# A difference counts beyond this many standard errors.
STANDARD_ERRORS = 2.0
# Numbers that are held in memory at a time.
NUMBERS_AT_ONCE = 2_000_000
# Held-out rows that subset predictions are checked on: 2,000 give a slope to one or two hundredths. Fewer where rows
# have hundreds of cells, so that a check takes at most so many multiplications.
MAX_CHECKED_ROWS, LEAST_CHECKED_ROWS, MAX_MULTIPLICATIONS = 2000, 100, 1e11

# Prediction intervals.
# Variances at which quantiles of the error are computed; between them they are interpolated.
VARIANCE_GRID = np.linspace(0.0, 1.0, 41)[1:-1]
# The most labels whose distribution is used; quantiles stand for more of them.
MAX_LABELS = 500
# The fewest held-out rows from which intervals are widened.
LEAST_ROWS_FOR_WIDENING = 50

# Classes.
# The least variance of scores within a class, as a share: no score is certain.
LEAST_WITHIN = 1e-9
# Below this an eigenvalue is rounding.
TINY = 1e-9
# Groups of a calibration table, and the rows on which the explained share of a few attributes is averaged.
CALIBRATION_GROUPS, MAX_ROWS_AVERAGED = 10, 200
