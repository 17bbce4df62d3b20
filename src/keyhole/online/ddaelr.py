"""DDAELR: Distribution-Dependent Attribute Efficient Lasso Regression."""

from __future__ import annotations

from .aelr import AELR
from .distribution_dependent import DistributionDependent


class DDAELR(DistributionDependent, AELR):
    """Distribution-Dependent Attribute Efficient Lasso Regression (Kukliansky and Shamir 2015).

    AELR with draws that follow the second moments of the attributes: for x, q_i in proportion to E[x_i^2],
    which minimises the largest variance of its estimate (Lemma 4.3); for the inner product, p_j in
    proportion to |w_j| sqrt(E[x_j^2]). Theorem 4.4: d in AELR's bound becomes sum_i E[x_i^2] + k. With
    ``moments=None`` it is the two-phased form, as in DDAERR.

    Parameters
    ----------
    budget, radius, step_size, scaling, draws, n_expected, keep_ledger, random_state
        As for AELR.
    moments, warmup, confidence
        As for DDAERR (the margin is that of Theorem 4.5).

    Examples
    --------
    >>> from keyhole import AELR, DDAELR
    >>> from keyhole.datasets import kukliansky_shamir
    >>> data = kukliansky_shamir(n_examples=20_000, alpha=-1, norm="lasso", random_state=0)
    >>> plain = AELR(budget=5, radius=20, scaling="none", random_state=0).fit(data.X, data.y)
    >>> keen = DDAELR(budget=5, radius=20, moments=data.moments, scaling="none", random_state=0)
    >>> keen.fit(data.X, data.y).score(data.X, data.y) > plain.score(data.X, data.y)
    True
    """

    power = 1.0
