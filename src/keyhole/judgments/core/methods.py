"""The four methods as one problem: moments of the columns that can be read, and the repeats that an offer gives.

Full and Scoring read the attributes repeatedly, with their noise. Averages and Copies read columns
without noise (the means of all judgments; each judgment by itself), so a second reading of one gains nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..data.table import Judgments
from .cells import cell_statistics
from .estimated_moments import Moments, second_moments
from .offers import Offer
from .repair import repaired

METHODS = ("full", "scoring", "averages", "copies")


class Problem(NamedTuple):
    """What ``buy_greedily`` needs, and the repeats (offers, attributes) that buying an offer once gives."""

    moments: Moments
    offers: list[Offer]
    gives: np.ndarray


def full(moments: Moments, offers: list[Offer]) -> Problem:
    """Attributes with their covariances (``moments`` are repaired) and their noise."""
    return Problem(moments, offers, _members(offers, len(moments.b)))


def scoring(moments: Moments, offers: list[Offer]) -> Problem:
    """The same with attributes taken as uncorrelated."""
    return full(moments._replace(sigma=np.diag(np.maximum(np.diag(moments.sigma), 0.0))), offers)


def averages(
    table: Judgments,
    y: np.ndarray,
    weights: np.ndarray,
    judgment_weights: np.ndarray | None,
    offers: list[Offer],
) -> Problem:
    """Means of all judgments; an offer gives as many judgments as its attributes typically have."""
    means = _moments_of(cell_statistics(table.values, judgment_weights).mean, y, weights, table.attributes)
    typical = typical_counts(table)
    size = np.array([typical[offer.columns].max() for offer in offers])
    of_means = [
        offer._replace(cost=offer.cost * k, limit=1 if k <= offer.limit else 0)
        for offer, k in zip(offers, size, strict=True)
    ]
    return Problem(means, of_means, size[:, None] * _members(offers, len(means.b)))


def copies(table: Judgments, y: np.ndarray, weights: np.ndarray, offers: list[Offer]) -> Problem:
    """Each judgment as an attribute of its own; the repeats are how many of them were bought."""
    typical = typical_counts(table)
    owner = np.repeat(np.arange(len(typical)), typical)
    copy = np.concatenate([np.arange(k) for k in typical])
    names = [f"{table.attributes[a]} (judgment {j + 1})" for a, j in zip(owner, copy, strict=True)]
    each = _moments_of(table.values[:, owner, copy], y, weights, names)
    of_copies = []
    for offer in offers:
        for j in range(int(min(typical[offer.columns].max(), offer.limit))):
            columns = np.flatnonzero(np.isin(owner, offer.columns) & (copy == j))
            of_copies.append(offer._replace(columns=columns, limit=1))
    gives = np.zeros((len(of_copies), len(typical)), dtype=np.int64)
    for g, offer in enumerate(of_copies):
        gives[g, owner[offer.columns]] = 1
    return Problem(each, of_copies, gives)


def typical_counts(table: Judgments) -> np.ndarray:
    """k[a]: the median number of judgments in the cells of each attribute that have any."""
    return np.array([int(np.median(column[column > 0])) for column in table.counts.T])


def _members(offers: list[Offer], d: int) -> np.ndarray:
    gives = np.zeros((len(offers), d), dtype=np.int64)
    for g, offer in enumerate(offers):
        gives[g, offer.columns] = 1
    return gives


def _moments_of(x: np.ndarray, y: np.ndarray, weights: np.ndarray, names: list[str]) -> Moments:
    """Second moments; where cells are empty, pairs of columns are over different objects and need a repair."""
    moments = second_moments(x, y, weights, names)
    return repaired(moments, moments.deviation) if moments.gap_error else moments
