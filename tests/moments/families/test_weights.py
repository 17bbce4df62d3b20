"""The weights of families, against a slow program, and predictions that are held within the labels."""

import numpy as np
import pytest
from scipy.optimize import minimize

from keyhole.moments.families.settings import (
    CAUTION,
    DOUBT,
    LEAST_EVIDENCE,
    LEAST_LEFT,
    LEAST_WEIGHT,
    PULL,
    PULL_OF_EXACT,
    STANDARD_ERRORS,
)
from keyhole.moments.families.weights import best_weights, squared_error_when_held
from keyhole.moments.honest.support import Support


def support_with(with_label, among, by_chance, apart, exact=None):
    """Of some predictors, of which none is assessed on complete rows unless it is said so."""
    exact = np.zeros(len(with_label), dtype=bool) if exact is None else exact
    return Support(with_label=with_label, among=among, by_chance=by_chance, difference_error=apart, exact=exact)


def random_support(seed, m=5):
    """Predictors with covariances among each other, and some that have hardly anything to do with the label."""
    rng = np.random.default_rng(seed)
    W = rng.normal(size=(m, m + 2)) / np.sqrt(m + 2) + rng.uniform(0, 1, size=(1, m + 2)) * rng.uniform(0, 2)
    by_chance = rng.uniform(0.01, 0.2, size=m)
    apart = np.minimum(by_chance, rng.uniform(0.0, 0.1, size=m))
    apart[0] = 0.0
    among = W @ W.T / 4
    with_label = np.diag(among) * rng.uniform(0.2, 1.5, size=m)
    return support_with(with_label, among, by_chance, apart, rng.random(m) < 0.3)


def error_of(weights, support):
    """What is minimised: the error of an average, with doubt, caution, and the pull toward the start alone."""
    c, H = support.with_label, support.among
    belief = [z**8 / (z**8 + DOUBT**8) for z in c / support.by_chance]
    sure = belief * c
    sure[1:] -= CAUTION * support.difference_error[1:]
    # Toward the start alone, or toward a predictor that complete rows show to gain more.
    gains = [(belief[0] * c[0]) ** 2 / H[0, 0]]
    for a in range(1, len(c)):
        least = max(belief[a] * c[a] - STANDARD_ERRORS * support.difference_error[a], 0.0)
        gains.append(least**2 / H[a, a] if support.exact[a] else 0.0)
    one = gains.index(max(gains))
    toward = np.zeros(len(c))
    toward[one] = belief[one]
    left = min(max(1.0 - 2.0 * toward[one] * sure[one] + toward[one] ** 2 * H[one, one], LEAST_LEFT), 1.0)
    pull = np.array([PULL_OF_EXACT if a > 0 and support.exact[a] else PULL for a in range(len(c))]) * left
    return 1.0 - 2.0 * weights @ sure + weights @ H @ weights + np.sum(pull * (weights - toward) ** 2)


def found_anything(support):
    """How far it is believed that the largest covariance is not chance."""
    z = max(max(c, 0.0) / error for c, error in zip(support.with_label, support.by_chance, strict=True))
    return z**32 / (z**32 + LEAST_EVIDENCE**32)


@pytest.mark.parametrize("m", [1, 2, 5])
def test_weights_minimise_the_error_over_all_averages(m):
    for seed in range(30):
        support = random_support(seed, m)
        found = best_weights(support)
        assert (found >= 0).all()
        assert found.sum() <= 1.0 + 1e-9
        slow = minimize(
            error_of,
            np.full(m, 0.5 / m),
            (support,),
            method="SLSQP",
            bounds=[(0, 1)] * m,
            constraints={"type": "ineq", "fun": lambda a: 1.0 - a.sum()},
            options={"ftol": 1e-13, "maxiter": 500},
        ).x
        slow[slow < LEAST_WEIGHT] = 0.0
        slow *= found_anything(support)
        np.testing.assert_allclose(found, slow, atol=7e-4)  # they have three decimals


def test_what_does_not_covary_with_the_label_has_no_weight():
    nothing = support_with(np.array([-0.1, -0.2]), np.eye(2) * 0.3, np.full(2, 0.01), np.array([0.0, 0.01]))
    assert best_weights(nothing).tolist() == [0.0, 0.0]
    # Half of a covariance is believed: 0.2 of a variance of 0.4, and the pull is toward half of the start as well. That
    # it is the largest of all is believed by half, too.
    half = support_with(np.array([0.4]), np.array([[0.4]]), np.array([0.4 / DOUBT]), np.zeros(1))
    np.testing.assert_allclose(best_weights(half), [0.5 * found_anything(half)])


def test_where_the_largest_covariance_is_as_small_as_chance_makes_it_the_mean_label_is_kept():
    for z, least, most in ((0.8 * LEAST_EVIDENCE, 0.0, 0.001), (1.5 * LEAST_EVIDENCE, 0.9, 1.0)):
        support = support_with(np.array([0.2, 0.1]), np.diag([0.2, 0.1]), np.array([0.2 / z, 0.2]), np.array([0, 0.1]))
        assert least <= best_weights(support).sum() <= most


def test_predictors_that_are_equal_leave_the_start_alone():
    same = support_with(np.full(3, 0.5), np.full((3, 3), 0.5), np.full(3, 0.01), np.array([0.0, 0.001, 0.001]))
    weights = best_weights(same)
    assert weights[0] > 0.95
    assert weights[1:].sum() < 0.05


def test_the_error_of_predictions_that_are_held_is_that_of_a_simulation():
    rng = np.random.default_rng(0)
    for mean, spread, low, high, y in ((0.3, 0.8, -1, 1, 1.0), (0.3, 0.8, -1, 1, -1.0), (2.0, 0.5, -0.4, 2.1, 0.2)):
        drawn = (np.clip(rng.normal(mean, spread, size=400_000), low, high) - y) ** 2
        found = squared_error_when_held(np.array([mean]), spread, low, high, np.array([y]))
        np.testing.assert_allclose(found, drawn.mean(), atol=5 * drawn.std() / np.sqrt(len(drawn)))
    far = squared_error_when_held(np.array([0.3]), 0.8, -1e6, 1e6, np.array([1.0]))
    np.testing.assert_allclose(far, 0.7**2 + 0.8**2)


def test_a_predictor_that_complete_rows_show_to_be_better_has_most_of_the_weight():
    """Of spectra: a model of all channels, and a panel of four."""
    c, H = np.array([0.34, 0.8]), np.array([[0.37, 0.42], [0.42, 0.9]])
    chance, apart = np.array([0.08, 0.18]), np.array([0.0, 0.08])
    exact = best_weights(support_with(c, H, chance, apart, np.array([False, True])))
    assert exact[1] > 0.8
    assert best_weights(support_with(c, H, chance, apart))[1] < exact[1]


def test_two_classes_are_shrunk_less_than_labels_far_from_the_ends_of_their_range():
    support = support_with(np.array([0.7]), np.array([[0.8]]), np.array([0.01]), np.zeros(1))
    little = support_with(np.array([0.01]), np.array([[0.2]]), np.array([0.1]), np.zeros(1))
    assert best_weights(little, np.repeat([-1.0, 1.0], 50)).tolist() == [0.0]  # however little it is, it stays so
    rng = np.random.default_rng(0)
    (plain,), (normal,) = best_weights(support), best_weights(support, rng.normal(size=1000))
    (classes,) = best_weights(support, rng.choice([-1.0, 1.0], size=1000))
    assert plain < 0.9
    assert abs(normal - plain) < 0.03
    assert classes == pytest.approx(1.0)


def test_what_is_held_is_never_shrunk_more_and_weights_keep_their_proportions():
    rng = np.random.default_rng(1)
    for seed in range(20):
        support = random_support(seed)
        plain, held = best_weights(support), best_weights(support, rng.choice([0.0, 1.0], size=500))
        assert held.sum() <= 1.0 + 1e-9
        assert (held >= plain - 2e-3).all()  # by rounding, to three decimals
        if plain.any():
            np.testing.assert_allclose(held / held.sum(), plain / plain.sum(), atol=0.02)
