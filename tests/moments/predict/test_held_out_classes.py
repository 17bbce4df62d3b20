"""Held-out classes: errors, areas and calibration from few attributes, against new examples and by hand."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import keyhole as kh
from keyhole.moments.honest.fold_fits import FoldFits
from keyhole.moments.predict.held_out_classes import (
    HeldOutClasses,
    check_number,
    explained_by_few,
    held_out_classes,
)
from moments.conftest import three_classes, two_classes


def test_figures_of_few_attributes_are_those_of_new_examples():
    X, y = two_classes(3000)
    learner = kh.KeyholeClassifier(4, random_state=0).fit(X, y)
    cells = learner.cells_.n_examples
    for b in (1, 4):
        found, area, calibration = learner.error_at(b), learner.auc_at(b), learner.calibration_at(b)
        # New examples, of which the policy of the end shows as many.
        X_new, y_new = two_classes(4000, seed=1)
        holes = np.full_like(X_new, np.nan)
        rng = np.random.default_rng(2)
        for t in range(4000):
            shown = rng.permutation(learner.ask().attributes)[:b]
            holes[t, shown] = X_new[t, shown]
        error = np.mean(learner.predict(holes) != y_new)
        assert found.n_examples == calibration.n_examples == 3000
        assert abs(found.estimate - error) < 0.03
        assert found.standard_error == pytest.approx(np.sqrt(found.estimate * (1 - found.estimate) / 3000), rel=0.01)
        assert 0.5 < area.estimate < 1
        assert calibration.error < 0.06
        assert (np.diff(calibration.predicted) >= 0).all()
    assert learner.error_at(4).estimate < learner.error_at(1).estimate
    assert learner.auc_at(4).estimate > learner.auc_at(1).estimate
    assert learner.cells_.n_examples == cells


def test_figures_of_classes_that_are_noise():
    X, _ = two_classes(1000)
    y = np.random.default_rng(1).random(1000) < 0.5
    with pytest.warns(UserWarning, match="held-out rows support no predictor"):
        learner = kh.KeyholeClassifier(4, random_state=0).fit(X, y)
    np.testing.assert_allclose(learner.predict_proba(X[:5])[:, 1], y.mean())
    # Everyone has the larger share, and probabilities that tell nobody apart.
    assert learner.error_at(4).estimate == pytest.approx(min(y.mean(), 1 - y.mean()))
    assert learner.auc_at(4).estimate == pytest.approx(0.5)
    assert learner.calibration_at(4).error < 0.05


@pytest.mark.parametrize("name", ["error_at", "auc_at", "calibration_at"])
@pytest.mark.parametrize("number", [-1, 5, 1.5, True])
def test_wrong_numbers_of_attributes(name, number):
    X, y = two_classes(50)
    with pytest.raises(ValueError, match=f"n_attributes={number}"):
        getattr(kh.KeyholeClassifier(4).fit(X, y), name)(number)


def some_probabilities(n=60, classes=3):
    rng = np.random.default_rng(0)
    odds = rng.random((n, classes))
    return HeldOutClasses(odds / odds.sum(axis=1, keepdims=True), rng.integers(classes, size=n), np.arange(n) % 5)


def test_the_error_is_the_share_of_wrong_classes():
    found = some_probabilities()
    wrong = found.probabilities.argmax(axis=1) != found.classes
    error = found.error()
    assert (error.estimate, error.n_examples) == (wrong.mean(), 60)
    assert error.standard_error == pytest.approx(wrong.std(ddof=1) / np.sqrt(60))


def test_the_area_is_that_of_each_class_within_a_fold():
    found = some_probabilities(100)
    areas = []
    for f in range(5):
        mine = found.fold == f
        own, p = found.classes[mine], found.probabilities[mine]
        areas.append(np.mean([roc_auc_score(own == c, p[:, c]) for c in range(3)]))
    area = found.auc()
    assert area.estimate == pytest.approx(np.mean(areas))
    assert area.standard_error == pytest.approx(np.std(areas, ddof=1) / np.sqrt(5))
    one = HeldOutClasses(found.probabilities, np.zeros(100, dtype=int), found.fold)
    assert np.isnan(one.auc().estimate)  # of one class there is no curve


def test_calibration_puts_shares_beside_probabilities():
    rng = np.random.default_rng(0)
    p = rng.random(5000)
    found = HeldOutClasses(np.column_stack([1 - p, p]), (rng.random(5000) < p).astype(int), np.zeros(5000, dtype=int))
    calibration = found.calibration()
    assert len(calibration.predicted) == 10
    np.testing.assert_allclose(calibration.predicted, np.arange(0.05, 1.0, 0.1), atol=0.02)
    np.testing.assert_allclose(calibration.observed, calibration.predicted, atol=0.08)
    assert calibration.error == pytest.approx(np.mean(np.abs(calibration.observed - calibration.predicted)))
    three = some_probabilities().calibration()
    assert three.predicted.min() >= 1 / 3  # of the class that was predicted
    assert three.n_examples == 60


def test_free_attributes_are_always_used_and_not_counted():
    X, y = three_classes(200)
    learner = kh.KeyholeClassifier(3, costs={"x0": 0.0}, random_state=0).fit(X, y)
    fits, cells, classes = learner._fold_fits(), learner.cells_, learner._places()[1]
    found = held_out_classes(fits, cells, classes, learner._free(), 0, 0)
    assert len(found.classes) == 200
    assert len(np.unique(found.probabilities[:, 0].round(9))) > 100  # from the free attribute alone, and it varies
    without = held_out_classes(fits, cells, classes, np.zeros(12, dtype=bool), 0, 0)
    for f in range(5):
        mine = without.fold == f
        shares = np.bincount(classes[fits.fold != f]) / np.sum(fits.fold != f)
        np.testing.assert_allclose(without.probabilities[mine], np.tile(shares, (mine.sum(), 1)), rtol=1e-6)


def test_what_few_attributes_explain_is_less_than_what_all_do():
    X, y = three_classes(300)
    learner = kh.KeyholeClassifier(3, random_state=0).fit(X, y)
    model = learner._model()
    few = explained_by_few(model, learner.cells_, 0)
    assert 0 < few < model.explained(model.used[None])[0] <= 2.0


def test_where_no_row_revealed_so_many_it_is_told():
    X, y = two_classes(50)
    learner = kh.KeyholeClassifier(4, random_state=0).fit(X, y)
    free = np.zeros(12, dtype=bool)
    fits, classes = learner._fold_fits(), learner._places()[1]
    with pytest.raises(ValueError, match="n_attributes=5: 0 of 50 examples revealed so many attributes"):
        held_out_classes(fits, learner.cells_, classes, free, 5, 0)
    shares = held_out_classes(FoldFits(fits.fold, []), learner.cells_, classes, free, 2, 0).probabilities
    np.testing.assert_allclose(shares, np.tile(np.bincount(classes) / 50, (50, 1)))


def test_numbers_of_attributes_are_checked_by_the_name_of_the_method():
    assert check_number("auc_at", np.int64(3), None) == 3
    with pytest.raises(ValueError, match="n_attributes=-1: auc_at needs a whole number, 0 or more"):
        check_number("auc_at", -1, None)
    with pytest.raises(ValueError, match="n_attributes=5: error_at needs at most 4, the budget"):
        check_number("error_at", 5, 4)
