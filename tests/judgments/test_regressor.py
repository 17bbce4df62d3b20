"""The regressor: least squares on the first r judgments, the missing judgments, the median."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone

from keyhole.common.parameters import ParameterError
from keyhole.errors import BadValue
from keyhole.judgments import JudgmentRegressor, MissingJudgments, MultiSelector


def plain_predictions(values, y, new, repeats, reduce=np.mean):
    def features(x):
        chosen = [a for a, r in enumerate(repeats) if r]
        return np.column_stack([np.ones(len(x))] + [[reduce(cell[a, : repeats[a]]) for cell in x] for a in chosen])

    return features(new) @ np.linalg.lstsq(features(values), y, rcond=None)[0]


@pytest.mark.parametrize(("aggregate", "reduce"), [("mean", np.mean), ("median", np.median)])
def test_equal_to_plain_least_squares(aggregate, reduce, random_instance):
    values, y = random_instance(1, d=4, m=40, k=4)
    repeats = [3, 0, 4, 1]
    model = JudgmentRegressor(repeats, aggregate).fit(values, y)
    expected = plain_predictions(values, y, values[:7], repeats, reduce)
    np.testing.assert_allclose(model.predict(values[:7]), expected, rtol=1e-9)
    assert model.coef_[1] == 0.0
    assert model.missing_judgments().n_rows == 0
    assert 0 < model.score(values, y) <= 1


def test_missing_judgments_are_exact(random_instance):
    values, y = random_instance(2, d=3, m=20, k=3)
    values[4, 0, 1:] = np.nan
    values[9, 2, 2] = np.nan
    model = JudgmentRegressor([2, 0, 5])
    table = model.missing_judgments(values)
    rows = {(o, a): (have, need, collect) for o, a, have, need, collect in table.rows()}
    assert rows["4", "x0"] == (1, 2, 1)
    assert rows["9", "x2"] == (2, 5, 3)
    assert rows["0", "x2"] == (3, 5, 2)
    assert len(rows) == 21
    with pytest.warns(MissingJudgments, match="42 judgments are missing in 21 cells of 20 objects"):
        model.fit(values, y)
    assert model.missing_judgments() == table
    collected = np.concatenate([values, np.ones((20, 3, 3))], axis=2)
    assert model.missing_judgments(collected).n_rows == 0


def test_an_empty_cell_stops_the_fit_and_is_named(random_instance):
    values, y = random_instance(3, d=2, m=10, k=2)
    values[6, 1] = np.nan
    with pytest.raises(BadValue, match="object '6' has no judgment of attribute 'x1', but needs 2"):
        JudgmentRegressor([1, 2]).fit(values, y)
    JudgmentRegressor([1, 0]).fit(values, y)
    model = JudgmentRegressor({"x1": 1}).fit(values[:6], y[:6])
    with pytest.raises(BadValue, match="object '6'"):
        model.predict(values)


def test_new_tables_may_lack_unused_attributes_and_have_others(random_instance):
    values, y = random_instance(4, d=3, m=30, k=2)
    model = JudgmentRegressor([2, 0, 1]).fit(values, y)
    table = {"object": [], "attribute": [], "value": []}
    for name, a in (("x2", 2), ("new", 1), ("x0", 0)):
        for j in range(2):
            for column, value in zip(table.values(), ("first", name, values[5, a, j]), strict=True):
                column.append(value)
    np.testing.assert_allclose(model.predict(table), model.predict(values[5:6]))
    with pytest.raises(ParameterError, match="judgments: there is no judgment of attribute 'x0'; the table has 'x2'"):
        model.predict({name: column[:2] for name, column in table.items()})


def test_no_repeats_predict_the_mean_label(random_instance):
    values, y = random_instance(5, d=2, m=10)
    np.testing.assert_allclose(JudgmentRegressor([0, 0]).fit(values, y).predict(values), y.mean())


def test_wrong_arguments_are_refused_by_name():
    with pytest.raises(ParameterError, match="repeats: there is no judgment of 'tall'"):
        JudgmentRegressor({"tall": 1}).fit(np.ones((5, 2, 2)), np.arange(5.0))
    with pytest.raises(ParameterError, match="aggregate='mode': JudgmentRegressor takes 'mean' or 'median'"):
        JudgmentRegressor([1, 1], aggregate="mode").fit(np.ones((5, 2, 2)), np.arange(5.0))


def test_the_selection_and_the_regressor_work_together_and_can_be_cloned(random_instance):
    values, y = random_instance(6, d=5, m=80, k=4)
    repeats = MultiSelector(8, max_repeats=4).fit(values, y).repeats_
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = clone(JudgmentRegressor(repeats)).fit(values, y)
    assert model.score(values, y) > 0
