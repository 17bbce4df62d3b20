"""The base of the streaming learners: the weights stay in a ball, whose radius is a positive number."""

import numpy as np
import pytest

import keyhole as kh

X = np.random.default_rng(0).normal(size=(300, 9))
LEARNERS = [
    (kh.AER, 1),
    (kh.Baseline, 1),
    (kh.AERR, 2),
    (kh.AELR, 1),
    (kh.AESVR, 2),
    (kh.AEAnalytic, 2),
    (kh.DDAERR, 2),
    (kh.DDAELR, 1),
]


@pytest.mark.parametrize(("learner", "norm"), LEARNERS, ids=lambda value: getattr(value, "__name__", ""))
def test_learned_weights_are_in_the_ball(learner, norm):
    fitted = learner(8, radius=0.05, scaling="none", random_state=0).fit(X, 3 * X[:, 0])
    assert 0 < np.linalg.norm(fitted.coef_, norm) <= 0.05 * (1 + 1e-9)


@pytest.mark.parametrize("radius", [0, -1.0, np.inf, np.nan, "1", None, True])
@pytest.mark.parametrize("learner", [learner for learner, _ in LEARNERS])
def test_radius_is_a_finite_number_above_0(learner, radius):
    with pytest.raises(ValueError, match=rf"radius=.*: {learner.__name__} needs 'auto' or a finite number above 0"):
        learner(8, radius=radius).start(9)


NOISE = np.random.default_rng(1).normal(size=300)


@pytest.mark.parametrize("settings", [{"scaling": "none"}, {"n_expected": 300}, {"scaling": "none", "n_expected": 300}])
@pytest.mark.parametrize("learner", [learner for learner, _ in LEARNERS])
def test_the_letter_of_the_paper_has_the_radius_1(learner, settings):
    if learner is kh.Baseline and "n_expected" in settings:
        pytest.skip("Baseline has no schedule")
    chosen, given = (learner(8, radius=r, random_state=0, **settings).fit(X, 3 * X[:, 0]) for r in ("auto", 1.0))
    np.testing.assert_array_equal(chosen.coef_, given.coef_)
    assert chosen.multiple_ == 1.0


@pytest.mark.parametrize("learner", [learner for learner, _ in LEARNERS])
def test_the_length_of_the_table_is_not_a_number_that_the_user_gave(learner):
    whole, parts = learner(8, random_state=0), learner(8, random_state=0)
    whole.fit(X, X[:, 0] + 0.1 * NOISE)
    if hasattr(whole, "warmup"):
        assert whole.rule_.warmup == 12  # 10 draws of each of 9 attributes, 8 per example
        assert whole.rule_.horizon == 0
        return
    np.testing.assert_array_equal(whole.coef_, parts.partial_fit(X, X[:, 0] + 0.1 * NOISE).coef_)
    assert (whole.expected_examples_, parts.expected_examples_) == (300, None)


@pytest.mark.parametrize("learner", [learner for learner, _ in LEARNERS])
def test_pure_noise_gives_the_mean_label_with_a_warning(learner):
    rng = np.random.default_rng(2)
    table, labels = rng.normal(size=(400, 40)), rng.normal(size=400)
    with pytest.warns(UserWarning, match=f"{learner.__name__} predicts the mean label: in 400 examples"):
        fitted = learner(8, random_state=0).fit(table, labels)
    assert fitted.multiple_ == 0.0
    np.testing.assert_allclose(fitted.predict(table), labels.mean())


@pytest.mark.parametrize("learner", [learner for learner, _ in LEARNERS])
def test_a_strong_signal_is_learned_and_predictions_stay_within_the_labels(learner):
    rng = np.random.default_rng(3)
    table = rng.normal(size=(4000, 9))
    labels = table[:, 0] - table[:, 1] + 0.1 * rng.normal(size=4000)
    more = {"accuracy": 2.0} if learner is kh.AESVR else {}  # with 0.5 the derivative is mostly noise
    fitted = learner(8, random_state=0, **more).fit(table, labels)
    assert fitted.score(table, labels) > 0.5
    assert fitted.predict(100 * table).max() == labels.max()
    assert fitted.predict(100 * table).min() == labels.min()


@pytest.mark.parametrize("n", [2, 3, 20])
@pytest.mark.parametrize("learner", [learner for learner, _ in LEARNERS])
def test_few_rows_are_no_error(learner, n):
    labels = np.arange(n, dtype=float)
    with np.errstate(all="raise"):
        predictions = learner(8, random_state=0).fit(X[:n], labels).predict(X)
    assert ((predictions >= 0) & (predictions <= n - 1)).all()
