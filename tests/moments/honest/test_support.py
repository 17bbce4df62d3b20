"""What held-out rows support of a predictor: unbiased over all draws by enumeration, exact where rows show all it uses,
and never a reason to prefer a predictor that is noise to the mean label."""

import numpy as np
import pytest

from keyhole.moments.families.weights import best_weights
from keyhole.moments.honest.inclusion import ColumnInclusion, DesignInclusion, single_inclusion
from keyhole.moments.honest.settings import MODEL_ERROR, SURELY_LARGER
from keyhole.moments.honest.support import RowSupport, _combined, joined, row_support, shows_all, support_of
from keyhole.moments.standard.joint import uncorrelated
from keyhole.moments.standard.scales import Scales
from keyhole.observe.cells import Cells
from moments.conftest import cells_of, every_draw, some_model, two_designs

D = 7
NONE_EXACT = np.zeros(1, dtype=bool)


def with_fixed_set(policy, design, share):
    """The same policy with a share of the examples that shows offers 1, 2 and 4, which are attributes 2, 3 and 6."""
    designs = list(policy.designs)
    designs[design] = designs[design]._replace(together=np.array([1, 2, 4]), share=share)
    return policy._replace(designs=tuple(designs))


def draws_of(policy, design):
    """All sets of attributes with their probabilities, those of the fixed set among them."""
    share = policy.designs[design].share
    yield from ((seen, (1 - share) * probability) for seen, probability in every_draw(policy, design))
    if share:
        yield np.array([0, 4, 2, 3, 6]), share


def support_of_row(policy, design, seen, x, y, model):
    coef, intercept, joint, scales = model
    cells = Cells()
    cells.append(seen, x[seen], y, design)
    return row_support(
        coef[None, None],
        np.array([[intercept]]),
        (joint, scales),
        cells,
        np.array([[y]]),
        ColumnInclusion(DesignInclusion(policy), np.arange(D)),
        single_inclusion(cells, policy, D),
        NONE_EXACT,
    )


@pytest.mark.parametrize(("design", "share"), [(0, 0.0), (1, 0.0), (1, 0.3)])
def test_the_mean_over_all_draws_is_what_the_whole_row_gives(design, share):
    policy, model = with_fixed_set(two_designs(), design, share), some_model(0)
    coef, intercept, _, scales = model
    x, y = np.random.default_rng(1).normal(size=D), 1.3
    products = squares = total = 0.0
    for seen, probability in draws_of(policy, design):
        found = support_of_row(policy, design, seen, x, y, model)
        products += probability * found.products[0, 0]
        squares += probability * found.squares[0, 0]
        total += probability
    assert total == pytest.approx(1.0)
    prediction, beyond = intercept + coef @ x - scales.label_mean[0], y - scales.label_mean[0]
    assert products * scales.label_scale[0] ** 2 == pytest.approx(beyond * prediction, rel=1e-9)
    assert squares * scales.label_scale[0] ** 2 == pytest.approx(prediction**2, rel=1e-9)


def drawn_cells(policy, X, labels, rng):
    """The cells of a table that design 1 draws, for one row after the other."""
    draws, probabilities = zip(*draws_of(policy, 1), strict=True)
    cells = Cells()
    for row, y, k in zip(X, labels, rng.choice(len(draws), size=len(X), p=probabilities), strict=True):
        cells.append(draws[k], row[draws[k]], y, 1)
    return cells


def full_information(X, labels, coef, intercept, scales):
    """Covariances with the labels, and variances, of predictions from whole rows."""
    beyond = labels - scales.label_mean
    predicted = np.einsum("mld,nd->mnl", coef, X) + intercept[:, None] - scales.label_mean
    variance = np.sum(beyond**2)
    return np.sum(beyond * predicted, axis=(1, 2)) / variance, np.sum(predicted**2, axis=(1, 2)) / variance


def several_labels(seed=0, n_labels=2, r=2):
    """Two predictors of some labels, and a model that is wrong about both."""
    rng = np.random.default_rng(seed)
    joint = uncorrelated(D, n_labels)._replace(
        loadings=rng.normal(size=(D, r)), label_loadings=0.5 * rng.normal(size=(n_labels, r)), noise=np.full(D, 0.7)
    )
    scales = Scales(
        mean=rng.normal(size=D),
        scale=rng.uniform(0.5, 2, size=D),
        label_mean=rng.normal(size=n_labels),
        label_scale=rng.uniform(0.5, 2, size=n_labels),
        label_low=np.full(n_labels, -1.0),
        label_high=np.full(n_labels, 1.0),
    )
    return rng.normal(size=(2, n_labels, D)), rng.normal(size=(2, n_labels)), joint, scales


@pytest.mark.parametrize("n_labels", [1, 2])
def test_the_mean_over_many_masks_of_a_table_is_that_of_whole_rows(n_labels):
    coef, intercept, joint, scales = several_labels(n_labels=n_labels)
    rng = np.random.default_rng(1)
    X, labels = rng.normal(size=(40, D)), rng.normal(size=(40, n_labels))
    labels[:, 0] += X[:, 2]
    policy = with_fixed_set(two_designs(), 1, 0.25)
    pairs = ColumnInclusion(DesignInclusion(policy), np.arange(D))
    covariances, variances = [], []
    for _ in range(300):
        cells = drawn_cells(policy, X, labels[:, 0], rng)
        inclusion = single_inclusion(cells, policy, D)
        found = row_support(coef, intercept, (joint, scales), cells, labels, pairs, inclusion, np.zeros(2, dtype=bool))
        covariances.append(support_of(found, cells.designs).with_label)
        variances.append(found.squares.sum(axis=1) / found.label_squares.sum())
    wanted = full_information(X, labels, coef, intercept, scales)
    for one, found in zip(wanted, (covariances, variances), strict=True):
        error = np.std(found, axis=0, ddof=1) / np.sqrt(300)
        assert (np.abs(np.mean(found, axis=0) - one) < 4 * error).all()
        assert (error < 0.2 * np.abs(one).max()).all()


def test_complete_rows_give_full_information():
    coef, intercept, joint, scales = several_labels()
    rng = np.random.default_rng(2)
    X, labels = rng.normal(size=(60, D)), rng.normal(size=(60, 2))
    cells, inclusion = cells_of(X, labels[:, 0]), np.ones((1, D))
    model, none = (joint, scales), np.zeros(2, dtype=bool)
    found = row_support(coef, intercept, model, cells, labels, None, inclusion, none, complete=True)
    covariance, variance = full_information(X, labels, coef, intercept, scales)
    support = support_of(found, cells.designs)
    np.testing.assert_allclose(support.with_label, covariance, rtol=1e-9)
    np.testing.assert_allclose(found.squares.sum(axis=1) / found.label_squares.sum(), variance, rtol=1e-9)


def test_rows_that_show_all_that_a_predictor_uses_are_predicted_exactly():
    """The predictor uses attributes 2, 3 and 6; others count where they are shown, and predictions are held."""
    coef, intercept, joint, scales = several_labels()
    coef[1][:, [0, 1, 4, 5]] = 0.0
    coef[1, 0, 3] = 0.0  # of one label alone
    rng = np.random.default_rng(3)
    X, labels = rng.normal(size=(80, D)), rng.normal(size=(80, 2))
    policy = with_fixed_set(two_designs(), 1, 0.4)
    cells = drawn_cells(policy, X, labels[:, 0], rng)
    inclusion, exact = single_inclusion(cells, policy, D), np.array([False, True])
    found = row_support(coef, intercept, (joint, scales), cells, labels, None, inclusion, exact)
    seen = np.zeros(X.shape, dtype=bool)
    seen[cells.rows, cells.attributes] = True
    shown = seen[:, [2, 3, 6]].all(axis=1)
    assert 20 < shown.sum() < 60
    np.testing.assert_array_equal(shows_all(np.any(coef[1], axis=0), cells), shown)
    np.testing.assert_array_equal(found.weights[1], shown)
    predicted = np.clip(X @ coef[1].T + intercept[1], -1.0, 1.0) - scales.label_mean
    unit = np.sum(scales.label_scale**2)
    beyond = labels - scales.label_mean
    np.testing.assert_allclose(found.products[1, shown], np.sum(beyond * predicted, axis=1)[shown] / unit)
    np.testing.assert_allclose(found.squares[1, shown], np.sum(predicted**2, axis=1)[shown] / unit)
    assert np.isnan(found.squares[0]).all()  # without pairs no loss of the other can be estimated
    support = support_of(found, cells.designs)
    assert support.among[1, 1] == pytest.approx(np.sum(predicted[shown] ** 2) / np.sum(beyond[shown] ** 2))
    assert support.with_label[1] == pytest.approx(np.sum((beyond * predicted)[shown]) / np.sum(beyond[shown] ** 2))


def test_folds_are_joined_by_their_shares_and_rows_can_be_left_out():
    coef, intercept, joint, scales = several_labels(n_labels=1)
    rng = np.random.default_rng(4)
    X, labels = rng.normal(size=(50, D)), rng.normal(size=(50, 1))
    policy = two_designs()
    pairs, folds = ColumnInclusion(DesignInclusion(policy), np.arange(D)), np.arange(50) % 5 // 2
    cells = drawn_cells(policy, X, labels[:, 0], rng)
    inclusion, none = single_inclusion(cells, policy, D), np.zeros(2, dtype=bool)

    def of(rows):
        part = cells.rows_of(rows)
        return row_support(coef, intercept, (joint, scales), part, labels[rows], pairs, inclusion, none)

    together = joined([of(folds == f) for f in range(3)], folds)
    whole = of(np.ones(50, dtype=bool))
    for name in ("products", "squares", "label_squares", "expected"):
        np.testing.assert_allclose(getattr(together, name), getattr(whole, name))
    np.testing.assert_allclose(together.weights, 1 / 50)
    some = support_of(together, cells.designs, folds != 1)
    np.testing.assert_allclose(some.with_label, support_of(of(folds != 1), cells.designs[folds != 1]).with_label)
    assert not np.allclose(some.with_label, support_of(together, cells.designs).with_label)


def test_the_variance_is_the_models_unless_rows_say_otherwise():
    model = 0.4
    assert _combined(1.1, 0.2, model) == 1.1 > model + SURELY_LARGER * 0.2
    assert _combined(0.5, 1e9, model) == pytest.approx(model)
    doubt = MODEL_ERROR * model
    assert _combined(0.42, doubt, model) == pytest.approx(0.41)  # as certain as each other
    assert _combined(0.3, 1e-9, model) == pytest.approx(0.3)
    assert _combined(-0.5, 1e-9, model) == 0.0


def test_a_predictor_that_is_noise_is_never_worse_than_the_mean_by_more_than_its_own_noise():
    """Shrunk by s = c / V, a predictor that is unrelated to the label has the error 1 + s^2 V."""
    rng, policy = np.random.default_rng(5), two_designs()
    pairs, none = ColumnInclusion(DesignInclusion(policy), np.arange(D)), NONE_EXACT
    joint = uncorrelated(D, 1)
    scales = Scales(np.zeros(D), np.ones(D), np.zeros(1), np.ones(1))
    excess, nothing = [], 0
    for _ in range(60):
        X, labels = rng.normal(size=(200, D)), rng.normal(size=(200, 1))
        coef = rng.normal(size=(1, 1, D))
        coef *= np.sqrt(0.3) / np.linalg.norm(coef)
        cells = drawn_cells(policy, X, labels[:, 0], rng)
        inclusion = single_inclusion(cells, policy, D)
        found = row_support(coef, np.zeros((1, 1)), (joint, scales), cells, labels, pairs, inclusion, none)
        support = support_of(found, cells.designs)
        (s,) = best_weights(support)
        c, V = support.with_label[0], support.among[0, 0]
        assert 0 <= s <= min(max(c, 0.0) / V, 1.0) + 1e-9
        assert 1 - 2 * s * c + s**2 * V <= 1  # no worse than the mean label on the rows that it was shrunk by
        excess.append(s**2 * 0.3)
        nothing += s == 0
    assert np.mean(excess) < 0.01
    assert nothing > 20


def test_a_model_that_explains_almost_nothing_has_finite_support():
    n = 10
    rows = RowSupport(
        products=np.zeros((1, n)),
        squares=np.zeros((1, n)),
        shown=np.zeros((1, n)),
        weights=np.full((1, n), 1 / n),
        label_squares=np.ones(n),
        expected=np.array([[8.7e-310]]),
        exact=NONE_EXACT,
    )
    found = support_of(rows, np.zeros(n, dtype=np.int64))
    assert found.among[0, 0] == pytest.approx(0.0, abs=1e-30)
    assert best_weights(found).tolist() == [0.0]
