"""Agreement against the krippendorff package, and intraclass correlations against published ones."""

import krippendorff
import numpy as np
import pytest

from keyhole.judgments import agreement


def alpha_of_the_package(values):
    """Units in columns, judgments in rows, as that package wants them."""
    return krippendorff.alpha(values.T, level_of_measurement="interval")


@pytest.mark.parametrize("gaps", [0.0, 0.3])
def test_alpha_equals_the_krippendorff_package(gaps, random_instance):
    for seed in range(20):
        values, _ = random_instance(seed, m=30, k=4)
        rng = np.random.default_rng(seed)
        values = np.where(rng.random(values.shape) < gaps, np.nan, values)
        found = agreement(values)
        for a in range(values.shape[1]):
            assert found["alpha"][a] == pytest.approx(alpha_of_the_package(values[:, a]), abs=1e-9)


def test_alpha_on_faces(faces):
    values, names = faces
    found = agreement(values)
    for a in (0, 14, 23):
        assert found["alpha"][a] == pytest.approx(alpha_of_the_package(values[:, a]), abs=1e-9), names[a]


def test_icc_of_shrout_and_fleiss():
    """Shrout and Fleiss (1979), Table 2: ICC(1,1) = 0.17 and ICC(1,4) = 0.44."""
    ratings = np.array(
        [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], dtype=float
    )
    found = agreement(ratings[:, None, :])
    assert round(found["icc"][0], 2) == 0.17
    assert round(found["icc_mean"][0], 2) == 0.44
    assert found["internal_variance"][0] == pytest.approx(ratings.var(axis=1, ddof=1).mean())


def test_icc_with_unequal_numbers_is_near_the_truth():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(3000, 1, 1)) * 2 + rng.normal(size=(3000, 1, 5))
    values[rng.random(values.shape) < 0.4] = np.nan
    found = agreement(values)
    assert found["icc"][0] == pytest.approx(0.8, abs=0.02)
    assert found["external_variance"][0] == pytest.approx(4.0, rel=0.08)


def test_attributes_that_never_vary_or_were_judged_once():
    values = np.full((10, 2, 3), 4.0)
    values[:, 1, 1:] = np.nan
    found = agreement(values)
    assert found["internal_variance"][0] == 0.0
    assert np.isnan([found["alpha"][0], found["icc"][0], found["alpha"][1], found["internal_variance"][1]]).all()
