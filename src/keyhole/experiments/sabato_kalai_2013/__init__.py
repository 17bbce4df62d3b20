"""Sabato and Kalai 2013: which attributes to ask a crowd for, and how many judgments of each.

The CT simulation (Figures 3 and 8) needs the UCI file; where only a fragment of it is available, that is run under a
name of its own. The paper's photos of people with their height and weight were never published, so Figures 1, 2 and 4
to 7 and Tables 1 and 2 are reproduced on other data: raters' impressions of synthetic faces, with the mean impression
of one attribute as the label. The crowd's own estimates of the label, at four times the price, need a label that the
crowd can be wrong about, which is simulated. None of the paper's methods has a parameter to tune, so there is one
tuning only.
"""

from __future__ import annotations

from ..runner.paper import Paper
from .fig1_fig2 import FIG1, FIG2
from .fig3_to_fig7 import FIG3, FIG3_FRAGMENT, FIG4, FIG5, FIG6, FIG7
from .fig4_all_labels import FIG4_ALL_LABELS
from .fig4_estimates import FIG4_ESTIMATES
from .fig8 import FIG8, FIG8_FRAGMENT
from .table1_table2 import TABLE1, TABLE2

PAPER = Paper(
    name="sabato-kalai-2013",
    title="Feature multi-selection among subjective features",
    citation="S. Sabato and A. Kalai, ICML 2013. Faces: raters' impressions of synthetic faces from the One Million"
    " Impressions data (J. Peterson et al., PNAS 2022); impressions, not facts about people.",
    experiments=[
        FIG1,
        FIG2,
        TABLE1,
        TABLE2,
        FIG3,
        FIG3_FRAGMENT,
        FIG4,
        FIG5,
        FIG6,
        FIG7,
        FIG4_ALL_LABELS,
        FIG4_ESTIMATES,
        FIG8,
        FIG8_FRAGMENT,
    ],
)
