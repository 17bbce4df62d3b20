"""ScreenedPanel: select the attributes that matter, then reveal only these."""

import numpy as np
import pytest

from keyhole.observe import ArraySource, Attribute
from keyhole.rivals import ScreenedPanel


def sparse_problem(seed, n=4000, d=40):
    """Four of the attributes matter, in different units."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = X[:, [3, 11, 19, 33]] @ [2.0, -2.0, 1.5, 1.5] + rng.normal(size=n)
    return X * np.logspace(-3, 3, d) + 5.0, y


@pytest.mark.parametrize("seed", range(5))
def test_finds_what_matters_and_fits_it_by_least_squares(seed):
    X, y = sparse_problem(seed)
    rival = ScreenedPanel(4, random_state=seed, keep_ledger=True).fit(X, y)
    assert list(rival.panel_) == [3, 11, 19, 33]
    rows = slice(1600, None)
    design = np.column_stack([np.ones(2400), X[rows][:, rival.panel_]])
    reference = np.linalg.lstsq(design, y[rows], rcond=None)[0]
    np.testing.assert_allclose(rival.coef_[rival.panel_], reference[1:], rtol=1e-7)
    np.testing.assert_allclose(rival.intercept_, reference[0], rtol=1e-7)
    assert np.flatnonzero(rival.coef_).tolist() == [3, 11, 19, 33]
    # The screening draws uniformly at first; then the weaker half of the attributes is not looked at again.
    example, attribute = rival.ledger_["example"], rival.ledger_["attribute"]
    assert len(np.unique(attribute[example < 800])) == 40
    assert len(np.unique(attribute[(example >= 800) & (example < 1600)])) == 20
    assert set(rival.ledger_["probability"]) == {4 / 40, 4 / 20, 1.0}


def test_prefers_what_adds_something_of_its_own():
    rng = np.random.default_rng(0)
    strong, other = rng.normal(size=(2, 20_000))
    X = np.column_stack([strong, strong + 0.2 * rng.normal(size=20_000), other, rng.normal(size=(20_000, 3))])
    rival = ScreenedPanel(2, random_state=0).fit(X, 2 * strong + other)
    assert list(rival.panel_) == [0, 2]


def test_with_all_attributes_nothing_is_screened():
    X, y = sparse_problem(0, n=100, d=34)
    rival = ScreenedPanel(34).fit(X, y)
    reference = np.linalg.lstsq(np.column_stack([np.ones(100), X]), y, rcond=None)[0]
    np.testing.assert_allclose(rival.coef_, reference[1:], rtol=1e-6)


def test_predicts_with_the_panel_only():
    X, y = sparse_problem(0)
    rival = ScreenedPanel(4, random_state=0).fit(X, y)
    others = np.setdiff1d(np.arange(40), rival.panel_)
    changed = X.copy()
    changed[:, others] = -1.0
    np.testing.assert_allclose(rival.predict(changed), rival.predict(X), rtol=1e-9)


def test_without_a_number_of_examples_each_attribute_is_screened_ten_times():
    X, y = sparse_problem(0)
    assert ScreenedPanel(4).start(40).n_screen_ == 100
    rival = ScreenedPanel(4, random_state=0).partial_fit(X[:99], y[:99])
    assert not hasattr(rival, "panel_")
    assert len(rival.partial_fit(X[99:110], y[99:110]).panel_) == 4
    known = ScreenedPanel(4, random_state=0).fit(X, y)
    assert known.n_screen_ == round(0.4 * len(y)) != 100


def test_fit_and_partial_fit_agree_for_an_equal_number_of_examples():
    X, y = sparse_problem(0)
    whole = ScreenedPanel(4, random_state=0).fit(X, y)
    parts = ScreenedPanel(4, n_expected=len(y), random_state=0).partial_fit(X[:70], y[:70]).partial_fit(X[70:], y[70:])
    np.testing.assert_array_equal(parts.coef_, whole.coef_)


def test_before_the_panel_it_predicts_the_mean_label():
    X, y = sparse_problem(0)
    with pytest.warns(UserWarning, match="the screening has seen 100 of 1600 examples"):
        rival = ScreenedPanel(4, n_expected=4000).fit(X[:100], y[:100])
    assert not hasattr(rival, "panel_")
    np.testing.assert_allclose(rival.predict(X[:2]), y[:100].mean())
    with pytest.warns(UserWarning, match="1 example"):
        ScreenedPanel(4).fit(X[:2], y[:2])


def test_answers_may_come_late():
    X, y = sparse_problem(0)
    rival = ScreenedPanel(4, n_expected=4000, random_state=0).start(40)
    asks = [rival.ask() for _ in range(2000)]  # 400 more than the screening needs
    for t in reversed(range(2000)):
        rival.tell(asks[t], X[t, asks[t].attributes], y[t])
    for t in range(2000, 4000):
        ask = rival.ask()
        np.testing.assert_array_equal(ask.attributes, rival.panel_)
        rival.tell(ask, X[t, ask.attributes], y[t])
    assert rival.score(X, y) > 0.8


def test_free_attributes_are_always_seen_and_used():
    X, y = sparse_problem(0)
    attributes = [Attribute(f"x{i}", free=i in (3, 5)) for i in range(40)]
    rival = ScreenedPanel(3, random_state=0).fit(ArraySource(X, attributes), y)
    assert list(rival.panel_) == [3, 5, 11, 19, 33]
    assert rival.observed_.max_per_example == 3
    assert rival.observed_.per_attribute[[3, 5]].tolist() == [4000, 4000]
    for other in (Attribute("x0", cost=2), Attribute("x0", bundle="blood")):
        with pytest.raises(ValueError, match="it takes free ones, but no bundle and no cost other than 1"):
            ScreenedPanel(3).fit(ArraySource(X, [other, *attributes[1:]]), y)


def test_panel_of_attributes_that_say_the_same():
    rng = np.random.default_rng(0)
    column = rng.normal(size=300)
    X = np.column_stack([column, 2 * column, np.full(300, 0.1)])
    rival = ScreenedPanel(2, random_state=0).fit(X, 3 * column + 1)
    np.testing.assert_allclose(rival.predict(X), 3 * column + 1, rtol=1e-9)


def test_a_total_below_its_budget_is_refused():
    X, y = sparse_problem(0, n=20)
    with pytest.raises(ValueError, match=r"total=3: .* budget of one example, 4; give a larger total, or a smaller"):
        ScreenedPanel(4, total=3).fit(X, y)


def test_with_a_total_skipped_examples_may_be_forgotten():
    rival = ScreenedPanel(4, total=40, n_expected=20, random_state=0).start(10)
    looked_at = 0
    for _ in range(20):
        ask = rival.ask()
        if len(ask.attributes):
            rival.tell(ask, np.zeros(len(ask.attributes)), 0.0)
            looked_at += 1
        else:
            rival.forget(ask)
    assert (looked_at, rival.observed_.cost) == (10, 40)
