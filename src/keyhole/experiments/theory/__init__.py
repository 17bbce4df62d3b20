"""The theorems of the papers: bounds beside measured errors, and what no learner can do."""

from __future__ import annotations

from ..runner.paper import Paper
from .batch_ends import BATCH_ENDS
from .judgments import JUDGMENTS
from .learning import LEARNING
from .predicting import PREDICTING
from .sparse import SPARSE
from .streaming import AER_BOUND, LASSO_BOUNDS, RIDGE_BOUNDS
from .support_vectors import SUPPORT_VECTORS

PAPER = Paper(
    name="theory",
    title="The theorems, measured",
    citation=(
        "Bounds of Cesa-Bianchi, Shalev-Shwartz and Shamir 2010; Hazan and Koren 2012; Sabato and Kalai 2013;"
        " Kukliansky and Shamir 2015; Murata and Suzuki 2018."
    ),
    experiments=[
        RIDGE_BOUNDS,
        LASSO_BOUNDS,
        AER_BOUND,
        SUPPORT_VECTORS,
        SPARSE,
        BATCH_ENDS,
        JUDGMENTS,
        LEARNING,
        PREDICTING,
    ],
)
