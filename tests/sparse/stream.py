"""A stream of 20 attributes of which the first four carry weight, for the tests of the sparse learners."""

import numpy as np

from keyhole.datasets import murata_suzuki

STREAM = murata_suzuki(12_000, n_attributes=20, n_nonzero=4, random_state=0)
X, Y = STREAM.table(), STREAM.labels()
TRUTH = np.arange(4)
