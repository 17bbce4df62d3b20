"""How many more examples a running study needs."""

import numpy as np
import pytest

from keyhole import AERR, KeyholeClassifier, KeyholeRegressor
from keyhole.planning import more_examples
from keyhole.planning.running_study import MoreExamples
from planning.populations import population

LEARNER = KeyholeRegressor(budget=3, random_state=0).fit(*population(160, 0))


def test_a_lower_target_needs_more_examples():
    curve = LEARNER.learning_curve_
    now = curve.error[-1] / curve.error_of_mean
    assert more_examples(LEARNER, min(0.99, now * 1.3)).n_more == 0
    last = curve.extrapolated.error[-1] / curve.error_of_mean
    found = more_examples(LEARNER, (now + last) / 2) if last < now else None
    if found is not None and found.n_more:
        assert found.n_more > 0
        assert found.low is None or found.low <= found.n_more
        assert "more are expected to reach" in str(found)


def test_a_target_out_of_reach():
    found = more_examples(LEARNER, 0.001)
    assert found.n_more is None
    assert "Even 1,024 examples are expected to have an error of" in str(found)


def test_doubt_is_said_wherever_there_is_any():
    found = MoreExamples(0, 0, 42, 141, 0.0764, 0.05, 0.0777692, 900)
    assert str(found) == (
        "With 141 examples the error is 0.076 of that of the mean label, and the target of 0.0777692 is reached by this"
        " estimate (further examples that are needed: 90% interval 0 to 42)."
    )
    assert "90% interval 0 to more than can be extrapolated)" in str(found._replace(high=None))
    assert str(found._replace(high=0)).endswith("and the target of 0.0777692 is reached.")
    missed = found._replace(n_more=None, low=300, high=None)
    assert "90% interval 300 to more than can be extrapolated)" in str(missed)
    assert "interval" not in str(missed._replace(low=None))


def test_classes_are_compared_with_the_most_frequent_one():
    X, y = population(600, 0)
    learner = KeyholeClassifier(budget=3, random_state=0).fit(X, np.where(y > np.quantile(y, 0.4), "ill", "well"))
    curve = learner.learning_curve_
    now = curve.error[-1] / curve.error_of_mean
    found = more_examples(learner, min(0.99, 1.5 * now))
    assert found.n_more == 0
    assert " of that of the most frequent class, and the target of " in str(found)
    with pytest.raises(ValueError, match="target=2: a share of the error of the most frequent class is wanted"):
        more_examples(learner, 2)


def test_examples_that_a_total_passed_over_do_not_count():
    X, y = population(400, 0)
    learner = KeyholeRegressor(total=480, budget=3, random_state=0).fit(X, y)
    assert learner.observed_.n_examples == 400
    assert more_examples(learner, 0.5).n_now == learner.layout_.n_looked_at == 160


def test_wrong_input():
    with pytest.raises(ValueError, match=r"target=1.2: a share of the error of the mean label is wanted"):
        more_examples(LEARNER, 1.2)
    with pytest.raises(ValueError, match="AERR has no learning curve of this kind; Keyhole's own learners"):
        more_examples(AERR(4), 0.5)
    X, y = population(100, 1)
    with pytest.raises(ValueError, match="labels of its held-out examples are all equal, so no error can fall"):
        more_examples(KeyholeRegressor(budget=3, random_state=0).fit(X, np.ones(100)), 0.5)
    X, y = population(24, 1)
    with pytest.raises(ValueError, match=r"has \d points?, and 3 are needed; take more examples"):
        more_examples(KeyholeRegressor(budget=3, random_state=0).fit(X, y + np.arange(24)), 0.5)
