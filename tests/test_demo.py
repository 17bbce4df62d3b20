"""The demo keeps its promises: the budget, the equal cost, a sentence that says what the numbers say."""

import io

import matplotlib.image
import numpy as np
import pytest
from rich.console import Console

from keyhole import demo
from keyhole.demo import models


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    out, text = tmp_path_factory.mktemp("demo") / "demo.png", io.StringIO()
    results = demo.run_demo(out, quick=True, console=Console(file=text, width=120))
    return results, out, text.getvalue()


def test_learners_keep_the_budget_and_rivals_cost_no_more(shown):
    for task in models.tasks():
        d = task.X.shape[1]
        for row in shown[0][task.name]:
            if row.kind == models.LEARNER:
                assert row.largest <= models.BUDGET
            if row.kind != models.REFERENCE:
                assert 0 < row.share <= models.BUDGET / d


def test_rows_are_ordered_and_all_printed(shown):
    results, out, text = shown
    for rows in results.values():
        assert [row.error for row in rows] == sorted(row.error for row in rows)
        mean = models.named(rows, models.MEAN)
        assert rows[0].name == models.FULL
        assert models.best(rows, models.LEARNER).error < 0.8 * mean.error
        for row in rows:
            assert f"{row.error:.3f} ± {row.spread:.3f}" in text
    assert f"Picture: {out}" in " ".join(text.split())


def test_the_sentence_follows_the_numbers(shown):
    rows = [row for row in shown[0]["digits"] if row.kind != models.RIVAL]
    behind = demo.Row("half", models.RIVAL, dict, errors=[0.999])
    ahead = demo.Row("half", models.RIVAL, dict, errors=[0.001])
    assert "more than the 0% of the best rival" in demo._summary({"digits": [*rows, behind]})
    assert "less than the 100% of the best rival" in demo._summary({"digits": [ahead, *rows]})


def test_the_picture_is_drawn(shown):
    picture = matplotlib.image.imread(shown[1])
    assert picture.shape[0] > 800
    assert picture.shape[1] > 1200
    assert np.std(picture) > 0.1
