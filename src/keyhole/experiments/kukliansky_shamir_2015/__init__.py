"""Kukliansky and Shamir 2015: draws that follow the distribution, against uniform ones and learners with every cell.

Figures 1 and 2 are on simulated data with four decays of the second moments, 3 and 4 on MNIST, the appendix's on
Covertype; ``speed_up`` is what Section 6 says of whole rows.
"""

from __future__ import annotations

from ..runner.paper import Paper
from .fig1_fig2 import FIG1, FIG2
from .fig3_fig4_covertype import COVERTYPE_LASSO, COVERTYPE_RIDGE, FIG3, FIG4
from .lasso_solvers import LASSO_SOLVERS
from .ratios import RATIOS
from .speed_up import SPEED_UP

PAPER = Paper(
    name="kukliansky-shamir-2015",
    title="Attribute Efficient Linear Regression with Distribution-Dependent Sampling",
    citation="Doron Kukliansky and Ohad Shamir, ICML 2015.",
    experiments=[RATIOS, FIG1, FIG2, FIG3, FIG4, COVERTYPE_RIDGE, COVERTYPE_LASSO, LASSO_SOLVERS, SPEED_UP],
)
