"""The penalties of ridge regression that cross-validation chooses from."""

from __future__ import annotations

import numpy as np

# For attributes of variance 1: from hardly any penalty to weights that are next to 0, three penalties per factor of 10.
RIDGE_PENALTIES = np.logspace(-3, 6, 28)
