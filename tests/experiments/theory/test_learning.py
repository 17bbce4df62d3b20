"""The plain strategy pays for four cells of each example, and verdicts follow from the rows."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

import keyhole as kh
from keyhole.experiments.runner.paper import FAILS, HOLDS
from keyhole.experiments.theory import learning
from keyhole.planning import bound_formulas as bounds


def test_uniform_reveals_pay_for_four_cells_each(monkeypatch):
    stream = kh.datasets.one_good_attribute(4096, 32, random_state=0)
    X = stream.table()
    expected = learning.uniform_reveals(stream, 4096, seed=1)
    blocks = np.random.default_rng(1).permutation(32).reshape(-1, 4)
    paid = np.zeros(X.shape, dtype=bool)
    for turn, block in enumerate(blocks):
        paid[turn :: len(blocks), block] = True
    assert (paid.sum(axis=1) == 4).all()
    monkeypatch.setattr(stream, "table", lambda start, stop: np.where(paid, X, np.nan))
    np.testing.assert_array_equal(learning.uniform_reveals(stream, 4096, seed=1), expected)
    assert np.flatnonzero(expected) == np.flatnonzero(stream.coef)


def test_learning_verdicts_follow_the_rows():
    rows = [row for d in (16, 64) for row in learning.examples_needed(learning.UNIFORM, d, 0)]
    assert all(row["found"] and row["examples"] > bounds.examples_needed(row["attributes"], 4, 0.04) for row in rows)
    made_up = [
        {"learner": name, "attributes": d, "seed": 0, "examples": 10 * d if name != "Lasso" else 64, "found": 1}
        for name in (learning.UNIFORM, "AELR", "Lasso")
        for d in (16, 64, 256)
    ]
    assert [claim.verdict for claim in learning.claims(made_up)] == [HOLDS, HOLDS]
    too_good = [row | {"examples": 4} for row in made_up]
    assert [claim.verdict for claim in learning.claims(too_good)] == [FAILS, FAILS]
    learning.draw(made_up, Figure(layout="constrained"))


def test_a_number_that_runs_did_not_reach_is_not_drawn_as_measured():
    rows = [
        {"learner": "AER", "attributes": d, "seed": s, "examples": 2**18 if d > 16 else 2**17, "found": int(d <= 16)}
        for d in (16, 64, 256)
        for s in range(3)
    ]
    figure = Figure(layout="constrained")
    learning.draw(rows, figure)
    axes = figure.axes[0]
    (line,) = [bars[0] for bars in axes.containers]
    np.testing.assert_array_equal(line.get_xdata(), [16])
    assert sum("over 262,144" in text.get_text() for text in axes.texts) == 2
    assert not any("not run" in text.get_text() for text in axes.texts)


def test_marks_of_learners_that_did_not_succeed_with_as_many_attributes_stand_apart():
    rows = [
        {"learner": name, "attributes": d, "seed": s, "examples": 2**18, "found": int(d <= 16)}
        for name in ("AER", "AELR")
        for d in (16, 64)
        for s in range(3)
    ]
    figure = Figure(layout="constrained")
    learning.draw(rows, figure)
    texts = [text for text in figure.axes[0].texts if "over 262,144" in text.get_text()]
    assert len({text.xyann for text in texts}) == len(texts) == 2
    open_marks = [line for line in figure.axes[0].lines if line.get_markerfacecolor() == "white"]
    assert len({float(line.get_xdata()[0]) for line in open_marks}) == 2


def test_where_a_learner_was_not_run_the_figure_says_so():
    rows = [
        {"learner": name, "attributes": d, "seed": s, "examples": 10 * d, "found": 1}
        for name, widths in ((learning.OURS, (16, 32)), ("AELR", (16, 32, 64)))
        for d in widths
        for s in range(2)
    ]
    figure = Figure(layout="constrained")
    learning.draw(rows, figure)
    assert [text.get_text() for text in figure.axes[0].texts] == ["not run beyond 32 attributes"]
