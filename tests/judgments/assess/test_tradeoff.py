"""The trade-off between objects and judgments of each: totals are kept, and wrong ones refused."""

import numpy as np
import pytest

from keyhole.common.parameters import ParameterError
from keyhole.datasets.ct_slices import load_ct_slices, simulated_judgments
from keyhole.judgments import Judgments, MultiSelector, tradeoff


@pytest.fixture
def ten_judgments():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=(200, 4))
    return truth[:, :, None] + rng.normal(size=(200, 4, 10)), truth.sum(axis=1)


def test_objects_are_counted_and_more_judgments_lower_the_loss(ten_judgments):
    found = tradeoff(*ten_judgments, budget=8, totals=[240, 480], k=[2, 5], n_splits=4, random_state=0)
    assert found["objects"] == [30, 12, 60, 24]
    loss = dict(zip(zip(found["total"], found["k"], strict=True), found["loss"], strict=True))
    assert loss[480, 2] < loss[240, 5] < 2
    assert min(found["standard_error"]) > 0


def test_as_printed_repairs_in_raw_units(ten_judgments):
    values, y = ten_judgments
    values = values * np.array([1.0, 1.0, 30.0, 30.0])[:, None]
    given = {"budget": 8, "totals": [48], "k": [2], "n_splits": 6, "random_state": 0}
    own, printed = (tradeoff(values, y, **given, as_printed=form)["loss"] for form in (False, True))
    unscaled = tradeoff(*ten_judgments, **given)["loss"]
    assert own == pytest.approx(unscaled)
    assert printed != pytest.approx(own)


def test_wrong_arguments_are_refused_by_name(ten_judgments):
    with pytest.raises(ParameterError, match=r"totals: .* totals must be from 40 to 800"):
        tradeoff(*ten_judgments, budget=8, totals=[2000], k=[2, 5])
    with pytest.raises(ParameterError, match=r"k=\[1, 20\]: tradeoff needs numbers from 2 to 10"):
        tradeoff(*ten_judgments, budget=8, totals=[240], k=[1, 20])
    with pytest.raises(ParameterError, match=r"test_share=1.5: tradeoff needs a number between 0 and 1"):
        tradeoff(*ten_judgments, budget=8, totals=[240], k=[2, 5], test_share=1.5)
    with pytest.raises(ParameterError, match="n_splits=1: tradeoff needs a whole number, 2 or more"):
        tradeoff(*ten_judgments, budget=8, totals=[240], k=[2, 5], n_splits=1)


def test_training_never_takes_more_than_the_total():
    values = np.random.default_rng(0).normal(size=(40, 3, 6))
    message = r"a total of 24 is 1 objects with 6 judgments of 3 attributes, or 4 objects with 2; .*from 36 to 120"
    with pytest.raises(ParameterError, match=message):
        tradeoff(values, values[:, 0, 0], budget=4, totals=[24], k=[2, 6], n_splits=2)


def test_the_ct_protocol_runs_on_the_loader(tmp_path, data_file):
    """48 attributes from 384 bins, from the real file's format; the fragment is written out as that CSV."""
    data = data_file("ct_slice_fragment.npz")
    table = np.column_stack([data["patient"], data["X"], data["y"]])[:300]
    header = ",".join(["patientId", *(f"value{i}" for i in range(384)), "reference"])
    path = tmp_path / "slice_localization_data.csv"
    np.savetxt(path, table, delimiter=",", header=header, comments="", fmt="%.17g")
    slices = load_ct_slices(path)
    np.testing.assert_array_equal(slices.X, data["X"][:300])
    np.testing.assert_array_equal(slices.y, data["y"][:300])
    np.testing.assert_array_equal(slices.patient, data["patient"][:300])
    values = simulated_judgments(slices.X, 20, random_state=0)
    assert values.shape == (300, 48, 20)
    groups = slices.X.reshape(300, 48, 8)
    assert (values[:, :, :, None] == groups[:, :, None, :]).any(axis=3).all()
    selector = MultiSelector(20, max_repeats=20).fit(values[:, :, :2], slices.y)
    assert selector.repeats_.sum() == 20
    assert selector.projected_loss_ < 0.5 * slices.y.var()
    judgments = Judgments(values, [str(i) for i in range(300)], [f"x{a}" for a in range(48)])
    found = tradeoff(judgments, slices.y, budget=10, totals=[7000], k=[2, 4], n_splits=2, random_state=0)
    assert all(0 < loss < 1 for loss in found["loss"])
