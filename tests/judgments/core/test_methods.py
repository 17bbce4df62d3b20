"""The four methods as problems: which columns are read, and which repeats an offer gives."""

import numpy as np

from keyhole.judgments import as_judgments
from keyhole.judgments.core.estimated_moments import estimate
from keyhole.judgments.core.methods import averages, copies, full, scoring, typical_counts
from keyhole.judgments.core.offers import make_offers


def instance(random_instance):
    """Four attributes with 2, 3, 3 and 2 judgments of each object."""
    values, y = random_instance(2, d=4, m=30, k=3)
    values[:, [0, 3], 2] = np.nan
    table = as_judgments(values)
    return table, y, make_offers(table.attributes, {"x0": 1, "screen": 2, "x3": 1}, {"screen": ["x1", "x2"]}, None)


def test_full_reads_attributes_with_their_noise(random_instance):
    table, y, offers = instance(random_instance)
    moments = estimate(table.values, y, table.attributes)
    problem = full(moments, offers)
    assert problem.moments is moments
    np.testing.assert_array_equal(problem.gives, [[1, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1]])


def test_scoring_takes_attributes_as_uncorrelated(random_instance):
    table, y, offers = instance(random_instance)
    moments = estimate(table.values, y, table.attributes)
    moments = moments._replace(sigma=moments.sigma - np.diag([0, 0, 0, 1e6]))
    sigma = scoring(moments, offers).moments.sigma
    np.testing.assert_array_equal(sigma, np.diag([*np.diag(moments.sigma)[:3], 0.0]))


def test_averages_are_bought_once_at_the_cost_of_all_their_judgments(random_instance):
    table, y, offers = instance(random_instance)
    problem = averages(table, y, np.ones(len(y)), None, offers)
    assert [(offer.cost, offer.limit) for offer in problem.offers] == [(2.0, 1), (6.0, 1), (2.0, 1)]
    np.testing.assert_array_equal(problem.gives, [[2, 0, 0, 0], [0, 3, 3, 0], [0, 0, 0, 2]])
    np.testing.assert_array_equal(problem.moments.v, 0)
    means = np.nanmean(table.values, axis=2)
    np.testing.assert_allclose(problem.moments.sigma, np.cov(means.T, bias=True))


def test_a_mean_of_more_judgments_than_the_limit_is_not_for_sale(random_instance):
    table, y, _ = instance(random_instance)
    limited = make_offers(table.attributes, None, None, 2)
    assert [offer.limit for offer in averages(table, y, np.ones(len(y)), None, limited).offers] == [1, 0, 0, 1]


def test_copies_are_single_judgments(random_instance):
    table, y, offers = instance(random_instance)
    problem = copies(table, y, np.ones(len(y)), offers)
    assert [offer.name for offer in problem.offers] == ["x0", "x0", "screen", "screen", "screen", "x3", "x3"]
    assert all(offer.limit == 1 for offer in problem.offers)
    np.testing.assert_array_equal(problem.gives.sum(axis=0), [2, 3, 3, 2])
    assert problem.moments.sigma.shape == (10, 10)


def test_typical_counts_are_medians_of_the_cells_that_have_judgments():
    values = np.full((4, 1, 5), np.nan)
    values[0, 0, :5] = values[1, 0, :3] = values[2, 0, :2] = 1.0
    assert typical_counts(as_judgments(values)).tolist() == [3]
