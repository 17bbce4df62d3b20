"""Murata and Suzuki 2018: sparse regression from few attributes, also at prediction time.

Figure 1 (synthetic data), Figure 2 (CT slices where the file is available, and the same on BlogFeedback), the sample
complexities of Table 1 as slopes, and the linear convergence of Theorems 4.1 and 4.3. The paper tunes every learner by
its error on the test examples; results with default settings, untuned, are shown beside that, since a learner that may
reveal few attributes cannot be tuned on all.
"""

from __future__ import annotations

from ..runner.paper import Paper
from .convergence import CONVERGENCE
from .fig1 import FIG1
from .fig2 import FIG2, FIG2_BLOGFEEDBACK
from .table1 import TABLE1

PAPER = Paper(
    name="murata-suzuki-2018",
    title="Sample efficient stochastic gradient iterative hard thresholding for sparse regression with limited"
    " attribute observation",
    citation="T. Murata and T. Suzuki, NeurIPS 2018",
    experiments=[FIG1, FIG2, FIG2_BLOGFEEDBACK, TABLE1, CONVERGENCE],
)
