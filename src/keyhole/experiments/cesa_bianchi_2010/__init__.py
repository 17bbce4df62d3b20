"""Cesa-Bianchi, Shalev-Shwartz and Shamir 2010: AER and Baseline on MNIST with four pixels per image."""

from __future__ import annotations

from ..runner.paper import Paper
from .aer_variants import AER_VARIANTS
from .fig1 import FIG1
from .fig2 import FIG2
from .identity_correlation import FOOTNOTE_2
from .lasso_path import LASSO_PATH
from .other_pixels import OTHER_PIXELS
from .table1 import TABLE1

PAPER = Paper(
    name="cesa-bianchi-2010",
    title="Efficient Learning with Partially Observed Attributes",
    citation="N. Cesa-Bianchi, S. Shalev-Shwartz, O. Shamir. International Conference on Machine Learning, 2010.",
    experiments=[FIG1, FIG2, TABLE1, AER_VARIANTS, LASSO_PATH, OTHER_PIXELS, FOOTNOTE_2],
)
