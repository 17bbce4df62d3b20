"""The demo prints what it measured, and a sentence that says what the numbers say."""

from keyhole import demo
from keyhole.demo import models


def test_rows_are_ordered_and_all_printed(shown):
    results, out, text = shown
    for rows in results.values():
        assert [row.error for row in rows] == sorted(row.error for row in rows)
        mean = models.named(rows, models.MEAN)
        # Ridge regression on every cell has no maps of values.
        assert rows[0].name in (models.FULL, "KeyholeRegressor", "Keyhole, one total")
        assert models.best(rows, models.LEARNER).error < 0.8 * mean.error
        for row in rows:
            assert f"{row.error:.3f} ± {row.standard_error:.3f}" in text
    assert f"Picture: {out}" in " ".join(text.split())
    assert "mean ± standard error over splits" in " ".join(text.split())


def test_the_sentence_follows_the_numbers(shown):
    rows = [row for row in shown[0]["digits"] if row.kind != models.RIVAL]
    worse = demo.Row("half", models.RIVAL, dict, errors=[0.999])
    better = demo.Row("half", models.RIVAL, dict, errors=[0.001])
    assert "more than the 0% of the best rival" in demo._summary({"digits": [*rows, worse]})
    assert "less than the 100% of the best rival" in demo._summary({"digits": [better, *rows]})
    equal = demo.Row("half", models.RIVAL, dict, errors=[models.best(rows, models.LEARNER).error])
    assert "as much as the" in demo._summary({"digits": [equal, *rows]})
