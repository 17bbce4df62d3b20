"""What lines as printed are compared with: the printed algorithms, and RDA's reconstruction on raw values."""

from __future__ import annotations

import numpy as np
import pytest

import keyhole as kh
from keyhole.datasets import murata_suzuki
from keyhole.experiments.murata_suzuki_2018.printed_rivals import (
    DANTZIG_AS_PRINTED,
    PRINTED_RIVALS,
    RDA_2018_AS_PRINTED,
    RDA_RAW,
    printed_rival,
)
from keyhole.experiments.murata_suzuki_2018.stream_curves import CT, SYNTHETIC, published_curve

SETTINGS = {RDA_RAW: {"radius": 4.0}, RDA_2018_AS_PRINTED: {"radius": 4.0}, DANTZIG_AS_PRINTED: {"constant": 0.5}}
EXPECTED = {
    RDA_RAW: kh.DualAveraging(50, 25, 2, 4.0, scaling="none", shrink_to_mean=False, random_state=3),
    RDA_2018_AS_PRINTED: kh.DualAveraging.as_printed(50, sparsity=25, radius=4.0, random_state=3),
    DANTZIG_AS_PRINTED: kh.Dantzig.as_printed(50, sparsity=25, noise=1.0, constant=0.5, random_state=3),
}


@pytest.mark.parametrize("name", PRINTED_RIVALS)
def test_a_rival_is_as_printed(name):
    learner = printed_rival(name, 50, 25, noise=1.0, seed=3, **SETTINGS[name])
    assert learner.get_params() == EXPECTED[name].get_params()


@pytest.mark.parametrize("name", PRINTED_RIVALS)
def test_its_curve_ends_where_it_does(name):
    rows = published_curve(SYNTHETIC, name, [SETTINGS[name]], 50, 25, [2000], seed=3, n=4000)
    stream = murata_suzuki(4000, random_state=3)
    learner = EXPECTED[name].partial_fit(stream.table(0, 3600), stream.labels(0, 3600))
    assert rows[-1]["excess"] == pytest.approx(stream.excess(learner.coef_), rel=1e-6)


def test_dantzig_takes_the_spread_of_labels_for_their_noise_where_it_is_not_known(write_ct_file, monkeypatch):
    table = np.random.default_rng(0).normal(size=(100, 386))
    write_ct_file(table)
    made = []

    def make(*given, **settings):
        made.append(given)
        return printed_rival(*given, **settings)

    monkeypatch.setattr("keyhole.experiments.murata_suzuki_2018.stream_curves.printed_rival", make)
    published_curve(CT, DANTZIG_AS_PRINTED, [{"constant": 1.0}], 20, 10, [50], seed=0)
    ((_, _, _, noise, _),) = made
    order = np.random.default_rng(0).permutation(100)
    assert noise == pytest.approx(np.std(table[order[10:], -1]))
