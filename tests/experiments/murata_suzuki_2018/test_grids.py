"""Every learner has a grid on every data set, and learners on raw values have no defaults to be tried with."""

from __future__ import annotations

import pytest

from experiments.murata_suzuki_2018.made_up import LEARNERS
from keyhole.experiments.murata_suzuki_2018.grids import grids_of
from keyhole.experiments.murata_suzuki_2018.printed_rivals import ON_RAW_VALUES
from keyhole.experiments.murata_suzuki_2018.stream_curves import BLOG, CT, SYNTHETIC


@pytest.mark.parametrize("quick", [True, False])
@pytest.mark.parametrize("data", [SYNTHETIC, CT, BLOG])
def test_every_learner_has_a_grid(data, quick):
    grids = grids_of(data, quick)
    assert set(grids) == {*LEARNERS, *ON_RAW_VALUES}
    assert all(({} in grids[name]) == (name in LEARNERS) for name in grids)
    assert all(len(grid) > 1 for grid in grids.values())
