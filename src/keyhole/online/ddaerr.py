"""DDAERR: Distribution-Dependent Attribute Efficient Ridge Regression."""

from __future__ import annotations

from .aerr import AERR
from .distribution_dependent import DistributionDependent


class DDAERR(DistributionDependent, AERR):
    """Distribution-Dependent Attribute Efficient Ridge Regression (Kukliansky and Shamir 2015).

    AERR with draws that follow the second moments of the attributes: for x, q_i in proportion to
    sqrt(E[x_i^2]), which minimises the variance of its estimate; for the inner product, p_j in proportion to
    |w_j| sqrt(E[x_j^2]). Theorem 3.3: d in AERR's bound becomes (sum_i sqrt(E[x_i^2]))^2 + k. With
    ``moments=None`` it is the two-phased form: AERR runs during a warm-up that estimates the moments from
    the cells it reveals, and its weights are the start of the second phase. Estimates below 1% of their
    mean are raised to that, and an attribute the warm-up never drew gets the mean, so every attribute
    can be drawn again.

    Parameters
    ----------
    budget, radius, step_size, scaling, draws, n_expected, keep_ledger, random_state
        As for AERR.
    moments : array of shape (n_features,), default=None
        Second moments of the attributes as the learner sees them: E[x_i^2] with ``scaling="none"``, those of the
        scaled attributes with "running". Only the user may know them.
    warmup : float or int, default=0.1
        Examples of the first phase: a number, or a share of ``n_expected``; without ``n_expected`` a share means
        as many as look at each attribute 10 times on average.
    confidence : float, default=None
        The theorem's delta, for its margin on the estimated moments (Theorem 3.4). None: no margin, as in the
        paper's experiments.

    Examples
    --------
    >>> from keyhole import AERR, DDAERR
    >>> from keyhole.datasets import kukliansky_shamir
    >>> data = kukliansky_shamir(n_examples=20_000, alpha=-2, random_state=0)
    >>> plain = AERR(budget=5, radius=20, scaling="none", random_state=0).fit(data.X, data.y)
    >>> keen = DDAERR(budget=5, radius=20, scaling="none", random_state=0).fit(data.X, data.y)
    >>> keen.score(data.X, data.y) > plain.score(data.X, data.y)
    True
    """

    power = 0.5
