"""What was not obtainable: counted, compared with the label, flagged where it goes with it and rarely otherwise."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.study.describe.missing import LEAST, missing_attributes, p_value
from keyhole.study.rules import ASKED, CANCELLED, NOT_OBTAINABLE, VALUE, Fact
from keyhole.study.store.replay import CellState, ExampleState

NAMES = [f"a{j}" for j in range(6)]


def simulated(seed, rate, n=150, n_attributes=6, n_drawn=3, classes=False):
    """Examples with a normal label; a cell is not obtainable with the probability ``rate(attribute, label)``."""
    rng, examples = np.random.default_rng(seed), {}
    for i in range(n):
        label = float(rng.normal())
        drawn = [int(j) for j in rng.choice(n_attributes, n_drawn, replace=False)]
        one = ExampleState(i, i, 0, tuple(drawn))
        for j in drawn:
            absent = rng.random() < rate(j, label)
            one.cells[j] = CellState(True, NOT_OBTAINABLE, reason="refused") if absent else CellState(True, VALUE)
        one.label_state = VALUE
        one.label = Fact(text="high" if label > 0 else "low") if classes else Fact(label)
        examples[i] = one
    return examples


def by_label(attribute, label):
    return 0.1 if attribute else (0.6 if label > 0.5 else 0.05)


@pytest.mark.parametrize("classes", [False, True])
def test_a_relation_with_the_label_is_found(classes):
    for seed in range(5):
        rows, _, _ = missing_attributes(simulated(seed, by_label, classes=classes), NAMES, classes)
        assert [one.attribute for one in rows if one.differs] == ["a0"]


@pytest.mark.parametrize("classes", [False, True])
def test_without_a_relation_few_studies_are_flagged(classes):
    flagged = 0
    for seed in range(40):
        rows, _, together = missing_attributes(simulated(seed, lambda *_: 0.1, classes=classes), NAMES, classes)
        flagged += together or any(one.differs for one in rows)
    assert flagged <= 6  # 2 are expected at most; more than 6 of 40 have a probability of 0.3%


def test_a_weak_relation_of_every_attribute_shows_over_all_together():
    examples = simulated(0, lambda _, label: 0.25 if label > 0 else 0.05, n=300, n_attributes=30)
    rows, p, together = missing_attributes(examples, [f"a{j}" for j in range(30)], False)
    assert together
    assert p < 0.01
    assert sum(one.n_missing for one in rows) == sum(
        cell.state == NOT_OBTAINABLE for one in examples.values() for cell in one.cells.values()
    )


def test_counts_reasons_and_groups():
    examples = {}
    told = [
        *((VALUE, None, 1.0), (VALUE, None, 3.0), (NOT_OBTAINABLE, "fear", 5.0), (NOT_OBTAINABLE, "fear", None)),
        *((NOT_OBTAINABLE, "broken", 7.0), (ASKED, None, 9.0), (CANCELLED, None, 9.0)),
    ]
    for i, (state, reason, label) in enumerate(told):
        one = examples[i] = ExampleState(i, i, 0, (0,))
        one.cells[0] = CellState(True, state, reason=reason)
        if label is not None:
            one.label_state, one.label = VALUE, Fact(label)
    examples[9] = ExampleState(9, 9)
    examples[9].cells[0] = CellState(False, VALUE, Fact(1.0))  # found, not asked for
    (row,), _, related = missing_attributes(examples, ["mri"], False)
    assert (row.n_asked, row.n_missing, row.reasons) == (5, 3, {"fear": 2, "broken": 1})
    assert (row.obtained.mean, row.obtained.n, row.missing.mean, row.missing.n) == (2.0, 2, 6.0, 2)
    assert row.obtained.standard_error == pytest.approx(1.0)
    assert (row.p_value, row.differs, related) == (None, False, False)
    assert f"fewer than {LEAST}" in row.verdict


def test_p_values_of_permutations_and_of_their_limit_agree(monkeypatch):
    rng = np.random.default_rng(0)
    label, absent = rng.normal(size=(500, 1)), (rng.random(500) < 0.2).astype(float)
    label[absent > 0] += 0.2
    exact = p_value(label, absent)
    monkeypatch.setattr("keyhole.study.describe.missing.MOST_PERMUTED", 0)
    assert p_value(label, absent) == pytest.approx(exact, abs=0.02)


def test_p_value_without_any_spread_is_one():
    assert p_value(np.ones((20, 1)), np.arange(20.0)) == 1.0
    assert p_value(np.arange(20.0)[:, None], np.ones(20)) == 1.0


def test_nothing_missing(tmp_path):
    study = kh.Study.create(tmp_path / "study.db", "s", NAMES, budget=2, seed=0, renewals="by hand")
    found = study.not_obtainable()
    assert found.attributes == found.sensitivity == ()
    assert "obtainable" in str(found)
