"""Bootstrap, validated losses, trade-off: what they promise, on crowds whose truth is known."""

import numpy as np
import pytest

from judgments import reference
from judgments.crowd import crowd
from judgments.faces import load
from keyhole.datasets.ct_slices import simulated_judgments
from keyhole.judgments import MultiSelector, as_judgments, bootstrap, tradeoff, validated_losses
from keyhole.judgments.assess.bootstrap import Stability
from keyhole.judgments.assess.validation import repeats_within
from keyhole.judgments.data.table import Judgments
from keyhole.judgments.report.folder import interval_in_words


def test_same_seed_same_intervals():
    values, y = reference.random_instance(0, m=50)
    first = bootstrap(MultiSelector(6), values, y, n_resamples=30, random_state=4)
    second = bootstrap(MultiSelector(6), values, y, n_resamples=30, random_state=4)
    np.testing.assert_array_equal(first.repeats, second.repeats)
    assert first.loss_interval == second.loss_interval
    assert first.loss_interval[0] < first.loss_interval[1]
    assert first.table()["repeats"] == MultiSelector(6).fit(values, y).repeats_.tolist()


def test_a_clear_choice_is_firm_and_a_toss_is_not():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=(300, 3))
    twins = np.column_stack([truth[:, 0], truth[:, 1], truth[:, 1]])
    values = twins[:, :, None] + 0.5 * rng.normal(size=(300, 3, 2))
    table = bootstrap(MultiSelector(2), values, truth[:, 0] + truth[:, 1], 100, random_state=0).table()
    assert table["chosen_share"][0] == 1.0
    assert 0.05 < table["chosen_share"][1] < 0.95
    assert (table["low"][1], table["high"][1]) == (0, 1)


def test_intervals_by_worker_are_wider_when_few_workers_differ():
    """Four workers of very different severity on which each object's value depends."""
    table, labels = crowd(1, objects=200, workers=6, judgments=2, severity=2.0, noise=0.3)
    judgments = as_judgments(table)
    y = np.array([labels[name] for name in judgments.objects])
    width = {}
    for by in ("objects", "both"):
        low, high = bootstrap(MultiSelector(6), judgments, y, 150, by=by, random_state=0).loss_interval
        width[by] = high - low
    assert width["both"] > 1.3 * width["objects"]
    with pytest.raises(ValueError, match="column 'worker'"):
        bootstrap(MultiSelector(2), judgments.values, y, by="workers")
    with pytest.raises(ValueError, match="by='faces': bootstrap takes 'objects' or"):
        bootstrap(MultiSelector(2), judgments, y, by="faces")


def test_the_interval_covers_the_true_loss():
    """60 samples from a known population: the 90% interval should hold the true loss of the choice."""
    rng = np.random.default_rng(0)
    mixing, weights = rng.normal(size=(4, 4)), np.array([1.0, 0.5, 0.0, 0.2])
    sigma, noise = mixing.T @ mixing, np.array([1.0, 2.0, 1.0, 3.0])
    held = 0
    for _ in range(60):
        truth = rng.normal(size=(250, 4)) @ mixing
        y = truth @ weights + 0.5 * rng.normal(size=250)
        values = truth[:, :, None] + np.sqrt(noise)[:, None] * rng.normal(size=(250, 4, 2))
        found = bootstrap(MultiSelector(6), values, y, 80, level=0.9, random_state=rng.integers(1 << 30))
        b = sigma @ weights
        explained = reference.objective(sigma, b, noise, found.selector.repeats_)
        low, high = found.loss_interval
        held += low <= weights @ b + 0.25 - explained <= high
    assert 48 <= held <= 60  # 54 expected; 48 is 2.6 standard deviations below


def test_validated_losses_estimate_the_loss_on_new_objects():
    rng = np.random.default_rng(1)
    truth = rng.normal(size=(4000, 3))
    y = truth @ [1.0, 1.0, 0.0]
    values = truth[:, :, None] + rng.normal(size=(4000, 3, 2))
    found = validated_losses(MultiSelector(10), values, y, budgets=[2, 10])
    # One judgment of each: 2 (1 - 1/2); five of each: 2 (1 - 1/(1 + 1/5)).
    np.testing.assert_allclose(found["loss_on_other_objects"], [1.0, 1 / 3], rtol=0.08)
    np.testing.assert_allclose(found["projected_loss"], [1.0, 1 / 3], rtol=0.08)
    assert all(error > 0 for error in found["standard_error"])


def test_smaller_budgets_are_the_beginning_of_the_path():
    values, y = reference.random_instance(12, d=6)
    for method in ("full", "scoring", "averages", "copies"):
        whole = MultiSelector(12, method).fit(values, y)
        for budget in range(values.shape[2], 12):
            np.testing.assert_array_equal(
                repeats_within(whole, budget), MultiSelector(budget, method).fit(values, y).repeats_
            )


def test_tradeoff_counts_objects_and_needs_enough_of_them():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=(200, 4))
    values = truth[:, :, None] + rng.normal(size=(200, 4, 10))
    found = tradeoff(values, truth.sum(axis=1), budget=8, totals=[240, 480], k=[2, 5], n_splits=4, random_state=0)
    assert found["objects"] == [30, 12, 60, 24]
    loss = dict(zip(zip(found["total"], found["k"], strict=True), found["loss"], strict=True))
    assert loss[480, 2] < loss[240, 5] < 2
    with pytest.raises(ValueError, match=r"totals from 40 to 800 will do"):
        tradeoff(values, truth.sum(axis=1), budget=8, totals=[2000], k=[2, 5])
    with pytest.raises(ValueError, match="between 2 and 10"):
        tradeoff(values, truth.sum(axis=1), budget=8, totals=[240], k=[1, 20])


def test_the_ct_protocol_runs_on_the_loader(tmp_path):
    """48 attributes from 384 bins, from the real file's format; the fragment is written out as that CSV."""
    from keyhole.datasets.ct_slices import load_ct_slices

    data = load("ct_slice_fragment.npz")
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
    found = tradeoff(
        Judgments(values, [str(i) for i in range(300)], [f"x{a}" for a in range(48)]),
        slices.y,
        budget=10,
        totals=[7000],
        k=[2, 4],
        n_splits=2,
        random_state=0,
    )
    assert all(0 < loss < 1 for loss in found["loss"])


def test_tradeoff_never_trains_on_more_than_the_total():
    values = np.random.default_rng(0).normal(size=(40, 3, 6))
    with pytest.raises(
        ValueError, match=r"from 1 objects with 6 judgments of 3 attributes to 4 with 2.*from 36 to 120"
    ):
        tradeoff(values, values[:, 0, 0], budget=4, totals=[24], k=[2, 6], n_splits=2)


def test_an_interval_without_its_own_estimate_says_so():
    selector = MultiSelector(4).fit(*reference.random_instance(1, d=3, m=50, k=2))
    low = np.full(20, selector.projected_loss_ / 2)
    assert "the loss itself lies outside" in interval_in_words(Stability(selector, np.zeros((20, 3)), low, 0.9))
    around = selector.projected_loss_ * np.linspace(0.5, 1.5, 20)
    assert "outside" not in interval_in_words(Stability(selector, np.zeros((20, 3)), around, 0.9))
