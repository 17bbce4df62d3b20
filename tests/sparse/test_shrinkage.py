"""How far a sparse predictor is shrunk toward the mean label."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.sparse.shrinkage import EXAMPLES, count_prediction, multiple, new_shrinkage
from sparse.stream import X, Y

ONE = np.array([1.0, 0.0])


def after(pairs):
    sums = new_shrinkage(True)
    for f, y in pairs:
        count_prediction(sums, f, y, 1.0)
    return sums


def test_the_sums_weigh_example_t_by_t_times_t_plus_1():
    rng = np.random.default_rng(0)
    f, y = rng.normal(size=(2, 30))
    weights = np.arange(1, 31) * np.arange(2, 32) / (30 * 31)
    sums = after(zip(f, y, strict=True))
    np.testing.assert_allclose(
        sums[:EXAMPLES], [weights @ (y * f), weights**2 @ (y * f) ** 2, weights @ f**2, *[weights.sum()] * 2]
    )


def test_predictions_twice_too_large_are_halved():
    y = np.random.default_rng(0).normal(size=5000)
    assert multiple(after((2 * one, one) for one in y), ONE) == pytest.approx(0.5, abs=0.01)


def test_weights_that_have_just_grown_are_not_trusted():
    sums = after((one, one) for one in np.random.default_rng(0).normal(size=5000))
    assert multiple(sums, ONE) == pytest.approx(1.0, abs=0.01)
    assert multiple(sums, 3 * ONE) == pytest.approx(1 / 9, abs=0.01)


def test_a_multiple_is_between_0_and_1():
    y = np.random.default_rng(0).normal(size=100)
    assert multiple(after((0.1 * one, one) for one in y), ONE) == 1.0
    assert multiple(after((-one, one) for one in y), ONE) == 0.0


def test_weights_that_never_predicted_are_not_returned_unless_they_are_wanted_as_they_are():
    assert multiple(new_shrinkage(True), ONE) == 0.0
    assert multiple(new_shrinkage(False), ONE) == 1.0


LEARNERS = [kh.Exploration(8, 4), kh.Hybrid(8, 4), kh.Dantzig(8, 4), kh.DualAveraging(8, 4), kh.DualAveraging(8, 4, 2)]


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_pure_noise_is_never_much_worse_than_the_mean_label(learner):
    noise = np.random.default_rng(0).normal(size=len(Y))
    fitted = learner.set_params(random_state=0, shrink_to_mean=True).fit(X[:3000], noise[:3000])
    assert np.mean((fitted.predict(X[3000:]) - noise[3000:]) ** 2) < 1.01 * noise[3000:].var()


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_without_it_the_weights_are_returned_as_they_are(learner):
    shrunk = learner.set_params(random_state=0, shrink_to_mean=True).fit(X[:2000], Y[:2000])
    expected = shrunk.multiple_
    coef = shrunk.coef_.copy()
    plain = learner.set_params(shrink_to_mean=False).fit(X[:2000], Y[:2000])
    assert plain.multiple_ == 1.0
    np.testing.assert_allclose(coef, expected * plain.coef_, rtol=1e-12)


def test_a_predictor_of_the_mean_label_is_said():
    rng = np.random.default_rng(0)
    with pytest.warns(UserWarning, match="Hybrid predicts the mean label: .* shrink_to_mean=False"):
        fitted = kh.Hybrid(4, 2, random_state=0).fit(rng.normal(size=(60, 300)), rng.normal(size=60))
    assert fitted.attributes_per_prediction_ == 0


@pytest.mark.parametrize("n", [2, 3, 20])
@pytest.mark.parametrize("learner", [kh.Exploration(8, 4), kh.Hybrid(8, 4), kh.DualAveraging(8, 4)], ids=str)
def test_few_rows_are_no_error(learner, n):
    labels = np.arange(n, dtype=float)
    predictions = learner.set_params(random_state=0, shrink_to_mean=True).fit(X[:n], labels).predict(X)
    assert ((predictions >= 0) & (predictions <= n - 1)).all()
