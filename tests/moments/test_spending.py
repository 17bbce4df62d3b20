"""A total for all examples: what is spent, which examples are looked at, the three ways of learning, and saving."""

import warnings
from functools import partial

import numpy as np
import pytest

import keyhole as kh
from moments.conftest import correlated, shared_factors, two_classes


def told(learner, X, y):
    """A learner that was started and told the rows one by one, until its total was spent."""
    learner.start(X.shape[1])
    for x, label in zip(X, y, strict=True):
        ask = learner.ask()
        if ask is None:
            break
        learner.tell(ask, x[ask.attributes], label)
    return learner


@pytest.mark.parametrize("budget", [None, 6])
def test_the_total_is_never_exceeded_and_less_than_an_example_is_left(budget):
    X, y = shared_factors()
    learner = kh.KeyholeRegressor(budget, total=2501, random_state=0).fit(X, y)
    layout = learner.layout_
    assert layout.spent == learner.observed_.cost == learner.observed_.distinct <= 2501
    assert layout.left == 2501 - layout.spent < layout.steps[-1].per_example
    assert layout.n_passed == len(X)
    per_row = np.bincount(learner.cells_.rows)
    sizes = [step.per_example for step in layout.steps]
    assert set(per_row.tolist()) == set(sizes)  # a fixed number of cells each: no example was cut short
    assert max(sizes) <= (budget or X.shape[1])
    assert learner.score(X, y) > 0.5


def test_examples_are_spread_over_the_stream_and_neither_values_nor_labels_choose_them():
    X, y = shared_factors(n=3000)
    learner = kh.KeyholeRegressor(3, total=2000, random_state=0, keep_ledger=True).fit(X, y)
    looked_at = np.unique(learner.ledger_["example"])
    n = len(looked_at)
    thirds = np.histogram(looked_at, bins=3, range=(0, 3000))[0]
    assert n == learner.layout_.n_looked_at == 666  # of 3 attributes each
    assert (np.abs(thirds - n / 3) < 4 * np.sqrt(n * 2 / 9)).all()
    others = kh.KeyholeRegressor(3, total=2000, random_state=0, keep_ledger=True).fit(X[::-1], np.arange(3000.0))
    assert np.unique(others.ledger_["example"]).tolist() == looked_at.tolist()


def test_fit_partial_fit_and_ask_and_tell_agree():
    X, y = correlated(400)
    ways = [
        kh.KeyholeRegressor(total=1200, random_state=0).fit(X, y),
        kh.KeyholeRegressor(total=1200, n_expected=400, random_state=0).partial_fit(X[:150], y[:150]),
        told(kh.KeyholeRegressor(total=1200, n_expected=400, random_state=0), X, y),
    ]
    ways[1].partial_fit(X[150:151], y[150:151]).partial_fit(X[151:], y[151:])
    for way in ways[1:]:
        np.testing.assert_array_equal(way.coef_, ways[0].coef_)
        assert way.layout_.steps == ways[0].layout_.steps
        assert way.layout_.spent == ways[0].layout_.spent


def test_without_a_number_of_examples_none_is_skipped_and_none_says_that_the_total_is_spent():
    X, y = correlated(100)
    learner = told(kh.KeyholeRegressor(4, total=30, random_state=0), X, y)
    assert learner.layout_.n_looked_at == 7
    assert learner.layout_.left == 2
    assert learner.ask() is None


def test_open_asks_reserve_money_and_forgetting_one_releases_it():
    learner = kh.KeyholeRegressor(5, total=12, random_state=0).start(8)
    first, second = learner.ask(), learner.ask()
    assert learner.ask() is None
    learner.forget(second)
    third = learner.ask()
    assert third is not None
    learner.tell(first, np.zeros(5), 1.0)
    assert learner.ask() is None
    assert learner.layout_.n_passed == 2  # the one that was forgotten did not come


def test_a_skipped_example_tells_its_label():
    X, y = shared_factors(n=2000)
    y = y + 7.0
    learner = kh.KeyholeRegressor(4, total=240, random_state=0).fit(X, y)
    assert learner.cells_.n_examples == 120
    assert learner._solution().scales.label_mean[0] == pytest.approx(y.mean())
    asking = kh.KeyholeRegressor(4, total=40, n_expected=1000, random_state=0).start(12)
    skipped = asking.ask()
    assert len(skipped.attributes) == 0
    asking.tell(skipped, [], 3.0)
    assert asking.other_labels_ == [3.0]
    assert not asking.open_asks_


def test_skipped_examples_whose_label_is_not_known_may_be_forgotten():
    X, y = shared_factors(n=300)
    learner = kh.KeyholeRegressor(total=400, n_expected=300, random_state=0).start(X.shape[1])
    told_labels = kh.KeyholeRegressor(total=400, n_expected=300, random_state=0).start(X.shape[1])
    for x, label in zip(X, y, strict=True):
        ask, same = learner.ask(), told_labels.ask()
        if ask is None:
            break
        assert ask.attributes.tolist() == same.attributes.tolist()
        told_labels.tell(same, x[same.attributes], label)
        if len(ask.attributes):
            learner.tell(ask, x[ask.attributes], label)
        else:
            learner.forget(ask)
    assert learner.layout_ == told_labels.layout_
    assert learner.layout_.left < learner.layout_.steps[-1].per_example


def test_a_skipped_example_is_told_by_its_label_alone():
    asking = kh.KeyholeRegressor(4, total=40, n_expected=1000, random_state=0).start(12)
    skipped = asking.ask()
    with pytest.raises(ValueError, match="ask number 0: it has no attributes and label=None adds nothing; forget"):
        asking.tell(skipped)
    with pytest.raises(ValueError, match=r"ask number 0: got 1 values; none is asked for, so give \[\]"):
        asking.tell(skipped, [0.5], 3.0)
    asking.tell(skipped, label=3.0)
    assert asking.other_labels_ == [3.0]
    assert not asking.open_asks_


def test_a_cell_that_is_missing_gives_its_money_back():
    X, y = shared_factors(n=1500)
    X[::2] = np.nan
    learner = kh.KeyholeRegressor(4, total=1000, random_state=0).fit(X, y)
    assert learner.observed_.cost <= 1000
    assert learner.layout_.left < 4 or learner.layout_.n_passed == 1500


@pytest.mark.parametrize("share_missing", [0.3, 0.6])
@pytest.mark.parametrize("budget", [None, 4])
def test_what_missing_cells_did_not_cost_is_spent_on_further_examples(share_missing, budget):
    X, y = shared_factors(n=1500)
    X = np.where(np.random.default_rng(1).random(X.shape) < share_missing, np.nan, X)
    learner = kh.KeyholeRegressor(budget, total=2000, random_state=0).fit(X, y)
    layout = learner.layout_
    assert layout.spent <= 2000
    assert layout.left < 0.005 * 2000
    assert layout.n_looked_at < 1500


def test_where_half_of_the_cells_are_missing_examples_are_asked_for_more():
    X, y = shared_factors(n=600)
    X = np.where(np.random.default_rng(1).random(X.shape) < 0.7, np.nan, X)
    learner = kh.KeyholeRegressor(total=1500, random_state=0).fit(X, y)
    steps = learner.layout_.steps
    assert steps[-1].per_example > steps[1].per_example
    assert "so that the examples to come can cost what is left" in str(learner.layout_)
    assert learner.layout_.left < 0.1 * 1500


def test_what_costs_did_not_fill_up_is_spent_on_further_examples():
    X, y = shared_factors(n=1200)
    costs = np.where(np.arange(12) % 2, 1.3, 2.7)
    learner = kh.KeyholeRegressor(5, total=3600, costs=costs, random_state=0).fit(X, y)
    assert 3600 - 5 < learner.layout_.spent <= 3600
    assert learner.layout_.n_looked_at < 1200


@pytest.mark.parametrize(("cost", "total"), [(500, 600), (500, 1500), (100, 600), (50, 600)])
def test_one_dear_attribute_is_left_out_and_named_and_does_no_harm(cost, total):
    X, y = correlated(1000, 20)
    costs = np.where(np.arange(20) == 7, float(cost), 1.0)
    with pytest.warns(UserWarning, match=f"attribute 'x7' costs {cost}; never revealed and never used, since total="):
        learner = kh.KeyholeRegressor(total=total, costs=costs, random_state=0).fit(X[:500], y[:500])
    assert learner.observed_.per_attribute[7] == 0
    assert np.count_nonzero(learner.observed_.per_attribute) == 19
    assert total - learner.layout_.steps[-1].per_example < learner.layout_.spent <= total
    with pytest.warns(UserWarning, match="more than the budget of 19"):
        without = kh.KeyholeRegressor(19, total=total, costs=costs, random_state=0).fit(X[:500], y[:500])
    np.testing.assert_array_equal(learner.coef_, without.coef_)
    assert 1 - learner.score(X[500:], y[500:]) < 0.3


def test_a_dear_attribute_that_alone_tells_of_the_label_is_kept_where_the_total_pays_for_it():
    rng = np.random.default_rng(0)
    X, y = correlated(1500, 20)
    own = 2.0 * rng.normal(size=1500)
    X[:, 7], y = X[:, 7] + own, y + own
    costs = np.where(np.arange(20) == 7, 30.0, 1.0)
    learner = kh.KeyholeRegressor(total=4000, costs=costs, random_state=0).fit(X[:500], y[:500])
    without = kh.KeyholeRegressor(19, total=4000, costs=costs, random_state=0).fit(X[:500], y[:500])
    assert learner.observed_.per_attribute.min() >= 40
    errors = [1 - one.score(X[500:], y[500:]) for one in (learner, without)]
    assert errors[0] < 0.5 * errors[1]


def test_a_pilot_that_leaves_dear_attributes_out_says_so():
    X, y = correlated(600, 20)
    costs = np.where(np.arange(20) == 7, 400.0, 1.0)
    learner = kh.KeyholeRegressor(total=2400, costs=costs, random_state=0).fit(X, y)
    assert learner.layout_.steps[0].why == "a pilot of 12 examples that show all 19 attributes that are asked for"


def test_fewer_examples_than_were_expected_are_warned_of():
    X, y = shared_factors(n=400)
    with pytest.warns(
        UserWarning, match=r"400 examples came, where n_expected=4,000 were expected, so \d+ of total=1000"
    ):
        learner = kh.KeyholeRegressor(total=1000, n_expected=4000, random_state=0).fit(X, y)
    assert learner.layout_.left > 800
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kh.KeyholeRegressor(total=1000, n_expected=400, random_state=0).fit(X, y)
        kh.KeyholeRegressor(total=1000, n_expected=4000, random_state=0).partial_fit(X, y)  # more may come


def test_where_every_attribute_is_free_there_is_no_layout():
    X, y = correlated(60)
    learner = kh.KeyholeRegressor(total=10, costs=np.zeros(12), random_state=0).fit(X, y)
    assert learner.layout_ is None
    assert learner.observed_.cost == 0


@pytest.mark.parametrize("share_missing", [0.03, 0.1])
def test_missing_cells_do_not_hide_that_attributes_have_nothing_in_common(share_missing):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1600, 40))
    y = X @ rng.normal(size=40) / np.sqrt(40) + 0.3 * rng.normal(size=1600)
    gaps = np.where(rng.random((600, 40)) < share_missing, np.nan, X[:600])
    learner = kh.KeyholeRegressor(total=2400, random_state=0).fit(gaps, y[:600])
    assert learner.layout_.steps[-1].per_example == 40
    assert "by the pairs of attributes in 6 examples" in str(learner.layout_)
    assert learner.family_ == "ridge"
    assert 1 - learner.score(X[600:], y[600:]) < 0.4  # 0.43 and more with examples of 13 cells


def test_a_total_above_the_whole_table_reads_all_and_says_so():
    X, y = correlated(60)
    with pytest.warns(UserWarning, match="total=1000 pays for every cell of 60 examples, which cost 720; all are"):
        learner = kh.KeyholeRegressor(total=1000, random_state=0).fit(X, y)
    np.testing.assert_array_equal(learner.coef_, kh.KeyholeRegressor(random_state=0).fit(X, y).coef_)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        more = kh.KeyholeRegressor(total=50, n_expected=3, random_state=0).partial_fit(X, y)  # more than expected come
    assert more.observed_.cost == 48


def test_attributes_without_common_information_are_revealed_completely():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 30))
    y = X @ rng.normal(size=30) + 0.1 * rng.normal(size=1000)
    learner = kh.KeyholeRegressor(total=4000, random_state=0).fit(X, y)
    assert [step.per_example for step in learner.layout_.steps] == [30, 30]
    assert learner.family_ == "ridge"
    thin = kh.KeyholeRegressor(4, random_state=0).fit(X, y)
    assert 1 - learner.score(X, y) < 0.2 * (1 - thin.score(X, y))
    assert "complete examples an attribute comes" in str(learner.summary())


def test_costs_and_bundles():
    X, y = shared_factors(n=800)
    costs = np.where(np.arange(12) % 3, 1.0, 4.0)
    learner = kh.KeyholeRegressor(total=4000, costs=costs, random_state=0).fit(X, y)
    assert 3600 < learner.observed_.cost <= 4000
    assert learner.score(X, y) > 0.5


def test_a_classifier_has_a_total_too():
    X, y = two_classes(900)
    learner = kh.KeyholeClassifier(total=2000, random_state=0).fit(X, y)
    assert learner.observed_.cost <= 2000
    assert learner.layout_.n_looked_at < 900
    assert learner.score(X, y) > 0.7


@pytest.mark.parametrize("after", [30, 300])
def test_a_learner_that_was_saved_goes_on(tmp_path, after):
    X, y = correlated(400)
    whole = kh.KeyholeRegressor(total=1500, n_expected=400, random_state=0).partial_fit(X, y)
    half = kh.KeyholeRegressor(total=1500, n_expected=400, random_state=0).partial_fit(X[:after], y[:after])
    kh.save_model(half, tmp_path / "model.keyhole")
    back = kh.load_model(tmp_path / "model.keyhole")
    assert back.layout_ == half.layout_
    back.partial_fit(X[after:], y[after:])
    np.testing.assert_array_equal(back.coef_, whole.coef_)
    assert back.layout_ == whole.layout_


def _read_some(learner, rows):
    """Some examples are skipped, and not read."""
    for _ in range(30):
        learner.partial_fit(rows, np.zeros(len(rows)))


def test_a_row_that_fails_changes_nothing():
    X, y = correlated(50)
    learner = kh.KeyholeRegressor(total=300, n_expected=200, random_state=0).partial_fit(X, y)
    before = learner.layout_
    for bad in (np.full((1, 12), np.inf), np.full((3, 12), np.inf)):
        with pytest.raises(ValueError, match="inf"):
            _read_some(learner, bad)
        assert learner.layout_.spent == before.spent


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"total": 0}, "total=0: KeyholeRegressor needs a finite number above 0"),
        ({"total": np.inf}, "total=inf: KeyholeRegressor needs a finite number above 0"),
        ({"total": "many"}, "total='many': KeyholeRegressor needs a finite number above 0"),
        ({"total": 0.5}, "total=0.5: KeyholeRegressor can afford no attribute of one example; 'x0' costs 1, the least"),
        (
            {"total": 3, "budget": 5},
            "total=3: this is less than the budget of one example, 5; give a total for several",
        ),
    ],
)
def test_totals_that_are_refused(settings, message):
    X, y = correlated(50)
    with pytest.raises(ValueError) as error:
        kh.KeyholeRegressor(**settings).fit(X, y)
    assert str(error.value).startswith(message)


def test_attributes_that_cost_more_than_the_total_are_named_and_a_bundle_by_its_name():
    X, y = correlated(50)
    costs = np.where(np.arange(12) < 4, 5.0, 1.0)
    named = (
        r"attribute 'x0' costs 5, attribute 'x1' costs 5.* 'x3' costs 5; never revealed and never used, since total=3 "
    )
    with pytest.warns(UserWarning, match=named):
        learner = kh.KeyholeRegressor(total=3, costs=costs).fit(X, y)
    assert learner.observed_.per_attribute[:4].sum() == 0
    assert learner.observed_.cost == 3
    blood = [kh.Attribute(f"blood {i}", cost=60, bundle="blood") for i in range(3)]
    source = kh.ArraySource(X[:, :5], [*blood, kh.Attribute("age"), kh.Attribute("pulse")])
    with pytest.warns(UserWarning, match="bundle 'blood' costs 60; never revealed and never used"):
        kh.KeyholeRegressor(total=50).fit(source, y)
    dear = [kh.Attribute(f"blood {i}", cost=60, bundle="blood") for i in range(5)]
    with pytest.raises(ValueError, match="can afford no attribute of one example; 'blood' costs 60"):
        kh.KeyholeRegressor(total=50).fit(kh.ArraySource(X[:, :5], dear), y)


def test_a_total_that_the_budgets_of_all_examples_cannot_spend_is_a_warning():
    X, y = correlated(50)
    with pytest.warns(UserWarning, match="total=300 is more than 50 examples may cost, at most 2 each; at least 200"):
        learner = kh.KeyholeRegressor(total=300, budget=2, random_state=0).fit(X, y)
    assert learner.layout_.left == 200


def test_a_total_alone_needs_the_number_of_examples():
    with pytest.raises(ValueError, match=r"total=100: KeyholeRegressor needs to know how many examples will come"):
        kh.KeyholeRegressor(total=100).start(5)


def test_rivals_spend_the_same_total():
    X, y = shared_factors(n=1000)
    rows = kh.rivals.CompleteRows(total=2400).fit(X, y)
    assert rows.observed_.cost == 2400
    for made in (kh.rivals.ScreenedPanel, partial(kh.rivals.ImputeThenRidge, n_imputations=1, turns=2)):
        rival = made(4, total=2402, random_state=0, keep_ledger=True).fit(X, y)
        assert rival.observed_.cost == 2400
        assert rival.cells_.n_examples == 600
        looked_at = np.unique(rival.ledger_["example"])
        assert np.abs(looked_at - np.arange(600) / 0.6).max() < 2  # evenly spread
        with pytest.raises(ValueError, match="needs to know how many examples will come"):
            made(4, total=2402).start(12)
    for rival in (
        kh.rivals.CompleteRows(total=5),
        kh.rivals.ScreenedPanel(4, total=3),
        kh.rivals.ImputeThenRidge(4, total=3),
    ):
        with pytest.raises(ValueError, match="total="):
            rival.fit(X, y)
    with pytest.raises(ValueError, match="n_expected"):
        kh.rivals.CompleteRows(total=500).start(12)


def test_rivals_say_what_is_left_of_a_total():
    X, y = shared_factors(n=100)
    for rival, spent in (
        (kh.rivals.CompleteRows(total=5000), 1200),
        (kh.rivals.ScreenedPanel(4, total=1000, random_state=0), 400),
        (kh.rivals.ImputeThenRidge(4, total=1000, n_imputations=1, turns=2, random_state=0), 400),
    ):
        left = (
            f"{rival.total - spent} of total={rival.total} is left after 100 examples of at most {spent / 100:g} each"
        )
        with pytest.warns(UserWarning, match=left):
            assert rival.fit(X, y).observed_.cost == spent
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kh.rivals.CompleteRows(total=1199).fit(X, y)


def asked_without_answers(learner, n, values_first):
    """The numbers of attributes that are asked for while no label is told, and where ``values_first``, values are."""
    sizes = []
    for _ in range(n):
        ask = learner.ask()
        if ask is None:
            break
        if len(ask.attributes):
            sizes.append(len(ask.attributes))
            if values_first:
                learner.tell(ask, np.zeros(len(ask.attributes)))
    return sizes


@pytest.mark.parametrize("values_first", [False, True])
def test_a_pilot_has_no_more_examples_while_its_answers_are_awaited(values_first):
    learner = kh.KeyholeRegressor(total=1600, n_expected=400, random_state=0).start(20)
    sizes = asked_without_answers(learner, 400, values_first)
    assert sizes[:8] == [20] * 8
    assert set(sizes[8:]) == {9}
    assert 1600 - 9 < sum(sizes) <= 1600
    assert [step.per_example for step in learner.layout_.steps] == [20, 9]
    assert "while values of the pilot are awaited" in str(learner.layout_)


def test_answers_of_a_pilot_that_come_late_choose_the_layout_then():
    X = np.random.default_rng(0).normal(size=(400, 20))
    y = X.sum(axis=1)
    late = kh.KeyholeRegressor(total=1600, n_expected=400, random_state=0).start(20)
    waiting, at = [], 0
    while len(waiting) < 12:
        ask = late.ask()
        if len(ask.attributes):
            waiting.append((ask, at))
        else:
            late.tell(ask, [], y[at])
        at += 1
    for ask, at_row in reversed(waiting):
        late.tell(ask, X[at_row, ask.attributes], y[at_row])
    for row in range(at, 400):
        ask = late.ask()
        if ask is None:
            break
        late.tell(ask, X[row, ask.attributes], y[row])
    steps = late.layout_.steps
    assert [step.per_example for step in steps] == [20, 9, 20]
    assert steps[2].why.startswith("in 8 complete examples an attribute comes")
    assert steps[2].n_examples == 12
    assert 0 <= late.layout_.left < 20


def test_a_pilot_example_that_never_comes_does_not_stop_the_policy():
    X = np.random.default_rng(0).normal(size=(400, 20))
    learner = kh.KeyholeRegressor(total=1600, n_expected=400, random_state=0).start(20)
    lost = next(ask for ask in iter(learner.ask, None) if len(ask.attributes))
    for x in X:
        ask = learner.ask()
        if ask is None:
            break
        learner.tell(ask, x[ask.attributes], x.sum())
    assert lost.number in learner.open_asks_
    assert learner.layout_.steps[-1].per_example == 20
    assert learner.layout_.steps[-1].why.startswith("in 7 complete examples")


def test_pairs_that_no_example_of_the_usual_size_shows_are_named_without_a_budget():
    costs = [1] * 10 + [10] * 10
    message = r"45 of 190 pairs .* more together than the 16\.\d+ that an example may cost with total=2000.*No example"
    with pytest.warns(UserWarning, match=message):
        kh.KeyholeRegressor(total=2000, costs=costs, n_expected=800, random_state=0).start(20)
    message = r"45 of 190 pairs .* with total=6000.*Only the 5 examples of the pilot show both, so that"
    with pytest.warns(UserWarning, match=message):
        kh.KeyholeRegressor(total=6000, costs=costs, n_expected=2400, random_state=0).start(20)
