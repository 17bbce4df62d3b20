"""Hazan and Koren 2012: AELR and AERR against AER on MNIST 3 against 5, and AESVR, which they did not measure."""

from __future__ import annotations

from ..runner.paper import Paper
from .aesvr import AESVR
from .fig1 import FIG1
from .fig2 import FIG2
from .online_lasso import ONLINE_LASSO
from .tuning import TUNING

PAPER = Paper(
    name="hazan-koren-2012",
    title="Linear Regression with Limited Observation",
    citation="E. Hazan, T. Koren. International Conference on Machine Learning, 2012.",
    experiments=[FIG1, FIG2, AESVR, ONLINE_LASSO, TUNING],
)
