import numpy as np
import pytest

import keyhole as kh


def filled(n=3000):
    rng, ledger = np.random.default_rng(0), kh.Ledger()
    for example in range(n):
        attributes = rng.choice(20, 3, replace=False)
        ledger.record(example, attributes, rng.normal(size=3), rng.random(3), rng.random(3))
    return ledger


@pytest.mark.parametrize("suffix", ["npz", "parquet"])
def test_saved_and_loaded(tmp_path, suffix):
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    ledger = filled()
    ledger.save(tmp_path / f"ledger.{suffix}")
    again = kh.Ledger.load(tmp_path / f"ledger.{suffix}")
    assert len(again) == 9000
    for column in ("order", "example", "attribute", "value", "probability", "cost"):
        np.testing.assert_array_equal(again[column], ledger[column])
    for one in (ledger, again):
        one.record(3000, np.array([1]), np.array([2.5]), np.array([1.0]))
    assert again["order"][-1] == ledger["order"][-1] == 3000
    assert again.value(3000, 1) == 2.5


@pytest.mark.parametrize("suffix", ["npz", "parquet"])
@pytest.mark.parametrize("costs", [None, [1.0, 2.0, 0.5, 3.0, 1.0, 2.5]])
def test_inclusion_probabilities_of_two_are_saved_and_loaded(tmp_path, suffix, costs):
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    X = np.random.default_rng(0).normal(size=(120, 6))
    learner = kh.KeyholeRegressor(3, costs=costs, keep_ledger=True, random_state=0).fit(X, X.sum(axis=1))
    ledger = learner.ledger_
    ledger.save(tmp_path / f"ledger.{suffix}")
    again = kh.Ledger.load(tmp_path / f"ledger.{suffix}")
    assert len(again.designs) == len(learner.policy_.designs) == 3
    for example in (0, 60, 119):
        np.testing.assert_array_equal(again.joint(example), ledger.joint(example))
        mine = ledger["example"] == example
        np.testing.assert_allclose(np.diag(ledger.joint(example)), ledger["probability"][mine], rtol=1e-12)


def test_inclusion_probabilities_of_two_that_are_not_known():
    with pytest.raises(ValueError, match="example 3: its learner knows first-order inclusion probabilities only"):
        filled(10).joint(3)
    with pytest.raises(kh.NotRevealed, match="example 99 was never revealed"):
        filled(10).joint(99)
    X = np.random.default_rng(0).normal(size=(20, 3))
    learner = kh.KeyholeRegressor(keep_ledger=True).fit(X, X[:, 0])
    np.testing.assert_array_equal(learner.ledger_.joint(5), np.ones((3, 3)))


def test_an_empty_ledger_survives(tmp_path):
    kh.Ledger().save(tmp_path / "ledger.npz")
    assert len(kh.Ledger.load(tmp_path / "ledger.npz")) == 0


def test_unknown_format(tmp_path):
    with pytest.raises(ValueError, match=r"\.npz or \.parquet, not '\.csv'"):
        filled(1).save(tmp_path / "ledger.csv")


def test_never_revealed():
    with pytest.raises(kh.NotRevealed, match="attribute 19 of example 5000 was never revealed"):
        filled(10).value(5000, 19)


def test_horvitz_thompson_from_a_ledger():
    """Inverse-probability sums from a learner's ledger estimate the column sums of the whole table."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 6)) + np.arange(6)
    learner = kh.AERR(3, keep_ledger=True, random_state=0).fit(X, X @ np.ones(6))
    ledger = learner.ledger_
    for i in range(6):
        mine = ledger["attribute"] == i
        terms = ledger["value"][mine] / ledger["probability"][mine]
        error = 4 * np.sqrt(np.sum(terms**2)) / len(X)
        assert abs(terms.sum() / len(X) - X[:, i].mean()) < error
