"""Wrong input gives one clear error, and leaves a rival as it was."""

import pickle

import numpy as np
import pytest

from keyhole.errors import BadValue
from keyhole.observe import Attribute, CallableSource
from keyhole.rivals import CompleteRows, ImputeThenRidge, ScreenedPanel

X = np.random.default_rng(0).normal(size=(40, 8))
Y = X[:, 0] - X[:, 1]
ALL = [CompleteRows, ScreenedPanel, ImputeThenRidge]
each = pytest.mark.parametrize("rival", ALL)


@each
@pytest.mark.parametrize(
    ("budget", "message"),
    [
        (0, "budget=0: .* needs at least 1 attributes per example"),
        (9, "budget=9: this is more than n_features = 8"),
        (2.5, "budget=2.5: .* needs a whole number of attributes"),
        ("4", "budget='4': .* needs a whole number"),
        (True, "budget=True: .* needs a whole number"),
    ],
)
def test_budget(rival, budget, message):
    with pytest.raises(ValueError, match=message):
        rival(budget).fit(X, Y)


@pytest.mark.parametrize(
    ("rival", "message"),
    [
        (CompleteRows(4, []), r"alphas=\[\]: CompleteRows needs one or more penalties"),
        (CompleteRows(4, [1.0, -1.0]), "CompleteRows needs one or more penalties, finite numbers above 0"),
        (ScreenedPanel(4, 0.0), "screen=0.0: ScreenedPanel needs a share between 0 and 1"),
        (ScreenedPanel(4, 1), "screen=1: ScreenedPanel needs"),
        (ScreenedPanel(4, "half"), "screen='half': ScreenedPanel needs"),
        (ScreenedPanel(4, n_expected=0), "n_expected=0: ScreenedPanel needs None or a whole number"),
        (ImputeThenRidge(4, 0), "n_imputations=0: ImputeThenRidge needs a whole number, 1 or more"),
        (ImputeThenRidge(4, turns=1.5), "turns=1.5: ImputeThenRidge needs a whole number"),
        (ImputeThenRidge(4, n_nearest_features=None), "n_nearest_features=None: ImputeThenRidge needs"),
        (ImputeThenRidge(4, alphas=0), "alphas=0: ImputeThenRidge needs one or more penalties"),
    ],
)
def test_parameters(rival, message):
    with pytest.raises(ValueError, match=message):
        rival.fit(X, Y)
    assert not [name for name in vars(rival) if name.endswith("_")], "half-started"


@each
def test_tables_and_labels(rival):
    for table, labels, message in [
        (X[:0], Y[:0], "empty table"),
        (X[:, :0], Y, "empty table"),
        (X[0], Y, "Expected 2D array"),
        (X, Y[:-1], "39 labels for 40 examples"),
        (X, np.where(np.arange(40) == 7, np.nan, Y), "contains NaN: label of example 7"),
    ]:
        with pytest.raises(ValueError, match=message):
            rival(4).fit(table, labels)


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@each
def test_changed_columns(rival):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=list("abcdefgh"))
    fitted = rival(8).fit(frame, Y)
    assert list(fitted.feature_names_in_) == list("abcdefgh")
    before = pickle.dumps(fitted)
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.partial_fit(frame[list("bacdefgh")], Y)
    with pytest.raises(ValueError, match="expecting 8 features"):
        fitted.partial_fit(X[:, :7], Y)
    assert pickle.dumps(fitted) == before
    with pytest.raises(ValueError, match="expecting 8 features"):
        fitted.predict(X[:, :7])


@each
@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.inf, "example 5, attribute 'x2': infinity was revealed"),
        (-np.inf, "example 5, attribute 'x2': infinity was revealed"),
    ],
)
def test_a_bad_value_is_named_and_changes_nothing(rival, value, message):
    fitted = rival(8).fit(X, Y)
    before = pickle.dumps(fitted)
    broken = X.copy()
    broken[5, 2] = value
    for call in (fitted.fit, fitted.partial_fit):
        with pytest.raises(BadValue, match=message):
            call(broken, Y)
        assert pickle.dumps(fitted) == before
    with pytest.raises(BadValue, match="example 0, attribute 'x2'"):
        fitted.partial_fit(broken[5:6], Y[5:6])
    assert pickle.dumps(fitted) == before


@each
def test_a_source_that_fails(rival):
    def read(example, attributes):
        if example == 30:
            raise OSError("the instrument is off")
        return X[example, attributes] if example != 20 else [1.0]

    fitted = rival(8).fit(X, Y)
    before = pickle.dumps(fitted)
    with pytest.raises(BadValue, match="example 20: got 1 values; 8 are needed"):
        fitted.partial_fit(CallableSource(read, 40, 8), Y)
    with pytest.raises(OSError, match="the instrument is off"):
        fitted.partial_fit(CallableSource(lambda t, a: read(30, a), 40, 8), Y)
    assert pickle.dumps(fitted) == before


@each
def test_telling(rival):
    by_hand = rival(8)
    with pytest.raises(ValueError, match="call start"):
        by_hand.ask()
    if rival is ScreenedPanel:
        by_hand.set_params(n_expected=40)
    by_hand.start([Attribute("age", low=0, high=120), *"bcdefgh"])
    ask = by_hand.ask()
    before = pickle.dumps(by_hand)
    with pytest.raises(BadValue, match=r"attribute 'age': 150\.0 was revealed; it must be .* from 0 to 120"):
        by_hand.tell(ask, [150.0] * 8, 1.0)
    with pytest.raises(BadValue, match="got 7 values; 8 are needed"):
        by_hand.tell(ask, [1.0] * 7, 1.0)
    with pytest.raises(ValueError, match="NaN"):
        by_hand.tell(ask, [1.0] * 8, np.nan)
    assert pickle.dumps(by_hand) == before
    by_hand.tell(ask, [1.0] * 8, 1.0)
    assert by_hand.observed_.n_examples == 1
    with pytest.warns(UserWarning, match="predicts the mean label"):
        assert by_hand.intercept_ == 1.0
