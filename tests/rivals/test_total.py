"""A total of the rivals: never exceeded, no example cut short, None when it is spent, and what is left."""

import numpy as np
import pytest

from keyhole import Attribute, load_model, save_model
from keyhole.observe import ArraySource
from keyhole.rivals import CompleteRows, ImputeThenRidge, ScreenedPanel

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 20))
Y = X[:, 0] - X[:, 5] + 0.1 * RNG.normal(size=400)


def rivals(total, n_expected):
    """Each rival, and what it reveals of an example that is looked at."""
    settings = {"total": total, "n_expected": n_expected, "random_state": 0}
    return [
        (CompleteRows(**settings), 20),
        (ScreenedPanel(4, **settings), 4),
        (ImputeThenRidge(4, 1, turns=2, **settings), 4),
    ]


@pytest.mark.parametrize("total", [80, 90, 99.5])
def test_more_examples_than_expected_cost_no_more_than_the_total(total):
    for rival, size in rivals(total, 40):
        rival.start(20)
        sizes = []
        while (ask := rival.ask()) is not None:
            sizes.append(len(ask.attributes))
            rival.tell(ask, X[len(sizes), ask.attributes], Y[len(sizes)])
        assert set(sizes) == {0, size}, "an example was cut short"
        assert len(sizes) <= 40
        assert rival.left_ == total - rival.observed_.cost < size
        spent = rival.observed_.cost
        assert rival.fit(X, Y).observed_.cost == spent
        assert rival.partial_fit(X, Y).observed_.cost == spent
        assert rival.ask() is None


def test_open_asks_count_as_spent_until_they_are_told_or_forgotten():
    for rival, size in rivals(80, 40):
        rival.start(20)
        asks = []
        while (ask := rival.ask()) is not None:
            asks.append(ask)
        assert (len(asks), sum(len(ask.attributes) for ask in asks)) == (40, 80)
        assert rival.left_ == 80
        first, second = [ask for ask in asks if len(ask.attributes)][:2]
        rival.tell(first, X[0, first.attributes])  # the label is not there yet
        assert rival.ask() is None
        assert rival.left_ == 80 - size
        rival.forget(second)
        assert len(rival.ask().attributes) == size
        assert rival.ask() is None
        rival.forget(first)  # paid all the same
        assert rival.ask() is None


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("charged", [False, True])
def test_late_forgotten_and_missing_values_with_costs_and_a_bundle(seed, charged):
    rng = np.random.default_rng(seed)
    costs = np.round(rng.uniform(0.1, 2, 10), 1)
    costs[:3] = 0.7
    attributes = [
        Attribute(f"x{i}", cost=cost, bundle="blood" if i < 3 else None, charged_when_missing=charged)
        for i, cost in enumerate(costs)
    ]
    price = 0.7 + costs[3:].sum()
    total = 6.3 * price
    rival = CompleteRows(total=total, n_expected=30, random_state=0).start(attributes)
    is_open = []
    for t in range(300):
        ask = rival.ask()
        if ask is not None:
            is_open.append(ask)
        reserved = price * sum(len(each.attributes) > 0 for each in is_open)
        assert rival.observed_.cost + reserved <= total * (1 + 1e-9)
        if is_open and rng.random() < 0.5:
            each = is_open.pop(rng.integers(len(is_open)))
            if rng.random() < 0.2:
                rival.forget(each)
            else:
                row = np.where(rng.random(10) < 0.05, np.nan, X[t, :10])
                rival.tell(each, row[each.attributes], Y[t])
    for each in is_open:
        rival.forget(each)
    gaps = np.where(rng.random((400, 10)) < 0.05, np.nan, X[:, :10])
    rival.partial_fit(ArraySource(gaps, attributes), Y)
    assert rival.left_ == pytest.approx(total - rival.observed_.cost)
    assert 0 <= rival.left_ < price
    assert rival.ask() is None


def test_nothing_is_left_of_no_total():
    assert CompleteRows(4).fit(X, Y).left_ is None
    assert not hasattr(CompleteRows(total=80), "left_")


def test_a_saved_rival_knows_its_open_asks(tmp_path):
    for rival, size in rivals(80, 20):
        rival.start(20)
        asks = [rival.ask() for _ in range(20)]
        save_model(rival, tmp_path / "model")
        loaded = load_model(tmp_path / "model")
        assert loaded.ask() is None
        loaded.forget(next(ask for ask in asks if len(ask.attributes)))
        assert len(loaded.ask().attributes) == size
