"""The estimated loss of a row: unbiased over all draws by enumeration, and equal to the plain formula."""

import numpy as np
import pytest

from keyhole.moments.honest.inclusion import DesignInclusion, ObservedRates
from keyhole.moments.honest.losses import loss_model, row_losses
from moments.conftest import every_draw, some_model, two_designs


def plain_loss(coef, intercept, joint, scales, seen, x, y, pair):
    """The doubly robust loss of one row, by dense moments given the label, in standard units."""
    d = len(coef)
    everything = np.arange(d)
    variance, cross = joint.label_variance()[0], joint.cross_covariance(everything)[:, 0]
    z_label = (y - scales.label_mean[0]) / scales.label_scale[0] - joint.label_mean[0]
    expected = scales.mean + scales.scale * (joint.mean + cross / variance * z_label)
    given = joint.covariance(everything) - np.outer(cross, cross) / variance
    V = np.outer(coef * scales.scale, coef * scales.scale) * given
    rho, u = y - intercept - coef @ expected, coef * (x - expected)
    loss = rho**2 + V.sum()
    for i in seen:
        loss -= 2 * rho * u[i] / pair(i, i)
        for j in seen:
            loss += (u[i] * u[j] - V[i, j]) / pair(i, j)
    return loss


def one_row(seen, x, y, model, pairs, design=0):
    start = np.array([0, len(seen)])
    probabilities = pairs.of_pairs(start, seen, np.array([design]))
    return row_losses(loss_model(*model), start, seen, x[seen], np.array([y]), probabilities)[0]


@pytest.mark.parametrize("design", [0, 1])
def test_the_mean_over_all_draws_of_a_design_is_the_loss_of_the_whole_row(design):
    """So it does not matter that the second design may follow from what the first one showed."""
    policy, model = two_designs(), some_model(0)
    coef, intercept = model[:2]
    x, y = np.random.default_rng(1).normal(size=7), 1.3
    pairs, draws = DesignInclusion(policy), every_draw(policy, design)
    mean = sum(probability * one_row(seen, x, y, model, pairs, design) for seen, probability in draws)
    assert mean == pytest.approx((y - intercept - coef @ x) ** 2, rel=1e-9)


@pytest.mark.parametrize("design", [0, 1])
def test_compiled_losses_are_the_plain_ones(design):
    policy, model = two_designs(), some_model(2)
    x, y = np.random.default_rng(3).normal(size=7), -0.8
    pairs = DesignInclusion(policy)
    together = np.zeros((7, 7))
    for seen, probability in every_draw(policy, design):
        together[np.ix_(seen, seen)] += probability
    for seen, _ in every_draw(policy, design):
        plain = plain_loss(*model, seen, x, y, lambda i, j: together[i, j])
        assert one_row(seen, x, y, model, pairs, design) == pytest.approx(plain, rel=1e-10)


def test_an_attribute_without_a_scale_adds_nothing():
    coef, intercept, joint, scales = some_model(4)
    scale = scales.scale.copy()
    scale[2] = 0.0
    model = coef, intercept, joint, scales._replace(scale=scale)
    x = np.random.default_rng(5).normal(size=7)
    pairs = ObservedRates(np.full((7, 7), 0.5))
    far = x.copy()
    far[2] = 1e6
    seen = np.array([1, 2, 5])
    assert one_row(seen, x, 0.5, model, pairs) == one_row(seen, far, 0.5, model, pairs)


def test_each_of_several_labels_has_its_own_model():
    coef, intercept, joint, scales = some_model(6)
    rng = np.random.default_rng(7)
    other = rng.normal(size=(1, 2)), rng.normal(size=(7, 1))
    two = joint._replace(
        label_mean=np.append(joint.label_mean, 0.2),
        label_loadings=np.vstack([joint.label_loadings, other[0]]),
        label_noise=np.append(joint.label_noise, 1.1),
        residual_cross=np.column_stack([joint.residual_cross, other[1]]),
    )
    both = scales._replace(label_mean=np.array([0.3, -1.0]), label_scale=np.array([1.7, 0.6]))
    alone = joint._replace(
        label_mean=np.array([0.2]), label_loadings=other[0], label_noise=np.array([1.1]), residual_cross=other[1]
    )
    alone_scales = scales._replace(label_mean=np.array([-1.0]), label_scale=np.array([0.6]))
    for label, one in ((0, (joint, scales)), (1, (alone, alone_scales))):
        found, wanted = loss_model(coef, intercept, two, both, label), loss_model(coef, intercept, *one)
        for part, same in zip(found, wanted, strict=True):
            np.testing.assert_allclose(part, same, rtol=1e-12)
