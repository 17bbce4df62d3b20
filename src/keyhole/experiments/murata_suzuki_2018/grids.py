"""The settings that each learner of the figures is tried with, by data.

Radii and constants of learners on raw values are in the units of the data, so each data set has its own. Those of the
synthetic data and of BlogFeedback were chosen so that the best is inside the grid, and those of CT slices after a look
at a fragment of them. A table says where the best is at an end.
"""

from __future__ import annotations

from typing import Any

from ..shared.protocol import grid
from .by_the_letter import PRINTED
from .printed_rivals import DANTZIG, DANTZIG_AS_PRINTED, RDA, RDA_2018, RDA_2018_AS_PRINTED, RDA_RAW
from .stream_curves import BLOG, CT, SYNTHETIC

Grid = list[dict[str, Any]]
# Of Hybrid and Exploration as printed: the step as a share of 1 / L, the first batch, and the factor by which it grows.
PRINTED_GRIDS = {
    SYNTHETIC: grid(share=[0.1, 0.25, 0.5, 1.0], batch=[5, 25, 100, 400], growth=[1.0, 1.25, 1.5, 2.0]),
    CT: grid(share=[0.1, 0.25, 0.5, 1.0, 2.0], batch=[2, 5, 25, 100, 400], growth=[1.0, 1.25, 1.5]),
    BLOG: grid(share=[0.25, 0.5, 1.0, 2.0, 4.0], batch=[1, 2, 5, 25, 100], growth=[1.0, 1.25, 1.5]),
}
QUICK_PRINTED_GRID = grid(share=[0.25, 1.0], batch=[100], growth=[1.0, 1.5])
RAW_RADII = {
    SYNTHETIC: [1.0, 2.0, 2.8, 4.0, 5.6, 8.0, 11.0],
    CT: [1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0],
    BLOG: [1e-4, 3e-4, 1e-3, 2e-3, 3e-3, 5e-3, 0.01, 0.02, 0.03, 0.1],
}
# Smaller constants take longer: a program has more of its constraints met with equality.
RAW_CONSTANTS = {
    SYNTHETIC: [0.1, 0.2, 0.3, 0.5, 1.0],
    CT: [0.01, 0.03, 0.1, 0.3, 1.0, 3.0],
    BLOG: [0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0],
}
CONSTANTS = {SYNTHETIC: [0.02, 0.1, 0.2], CT: [0.01, 0.02, 0.1, 0.2], BLOG: [0.005, 0.01, 0.02, 0.1, 0.2]}
RADII = [0.06, 0.125, 0.25, 0.5, 1.4, 2.0, 2.8]
QUICK_RAW_RADII = {SYNTHETIC: [2.8, 5.6], CT: [10.0, 100.0], BLOG: [1e-3, 3e-3]}
QUICK_RAW_CONSTANTS = {SYNTHETIC: [0.3, 0.5], CT: [0.1, 1.0], BLOG: [1.0, 10.0]}


def grids_of(data: str, quick: bool) -> dict[str, Grid]:
    """The settings of each learner: on raw values, and with running scales, where {} stands for the defaults."""
    radii, constants = (QUICK_RAW_RADII, QUICK_RAW_CONSTANTS) if quick else (RAW_RADII, RAW_CONSTANTS)
    raw: dict[str, Grid] = {
        **dict.fromkeys(PRINTED, QUICK_PRINTED_GRID if quick else PRINTED_GRIDS[data]),
        **dict.fromkeys((RDA_RAW, RDA_2018_AS_PRINTED), grid(radius=radii[data])),
        DANTZIG_AS_PRINTED: grid(constant=constants[data]),
    }
    if quick:
        scaled: dict[str, Grid] = {
            "Hybrid": [{}, {"batch": 0.5}],
            "Exploration": [{}, {"batch": 0.5}],
            RDA: [{}, {"radius": 0.5}],
            RDA_2018: [{}, {"radius": 2.0}],
            DANTZIG: [{}, {"constant": 0.02}],
        }
        return raw | scaled
    return raw | {
        "Hybrid": [{}, *grid(batch=[0.5, 2.0, 4.0]), *grid(growth=[1.25, 2.0]), *grid(explore_updates=[3, 10])],
        "Exploration": [{}, *grid(batch=[0.5, 2.0]), *grid(growth=[1.1, 1.5])],
        RDA: [{}, *grid(radius=RADII)],
        RDA_2018: [{}, *grid(radius=RADII)],
        DANTZIG: [{}, *grid(constant=CONSTANTS[data])],
    }
