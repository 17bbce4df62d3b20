"""DDAELR: Distribution-Dependent Attribute Efficient Lasso Regression."""

from __future__ import annotations

import numpy as np

from .aelr import AELR
from .distribution_dependent import DistributionDependent
from .kernels.averaging import U
from .kernels.lasso import common_factor


class DDAELR(DistributionDependent, AELR):
    """Distribution-Dependent Attribute Efficient Lasso Regression.

    AELR with draws that follow the second moments E[x_i^2] of the attributes, so that attributes with larger values are
    drawn more often. The moments are given, or (two-phased form) estimated in a warm-up with uniform draws, during
    which AELR runs.

    Parameters
    ----------
    budget : int, default=4
        The most attributes of one training example that may be revealed; at least 2.
    radius : float or 'auto', default='auto'
        Radius B of the l1 ball. With ``scaling="running"`` the weights, and so the radius, refer to scaled attributes
        and a scaled label. 'auto': a ball that grows with the number of examples, and a predictor that is shrunk toward
        the mean label, or extended beyond the ball, as far as held-out evidence supports; see the Notes. With
        ``scaling="none"`` or ``n_expected``, 'auto' is 1, and the predictor is returned as it is.
    step_size : float or None, default=None
        A constant step size. None: chosen as the Notes describe.
    moments : array-like of shape (n_features,) or None, default=None
        Second moments of the attributes: E[x_i^2] with ``scaling="none"``, those of the scaled attributes with
        'running'. None: they are estimated in a warm-up.
    warmup : float or int, default=0.1
        Examples of the warm-up, if ``moments`` is None: a whole number of examples, or a share (between 0 and 1) of
        ``n_expected``. If a share is given without ``n_expected``, the warm-up takes 10 n_features / budget examples,
        in which each attribute is drawn 10 times on average, but in ``fit`` no more than that share of the table.
    confidence : float or None, default=None
        The theorem's delta, between 0 and 1, from which a margin on the estimated moments follows (Theorem 4.5).
        None: no margin, as in the paper's experiments.
    phases : {'continued', 'separate'}, default='continued'
        What the second phase has from the warm-up, if ``moments`` is None. 'continued': it continues from the last
        weights, the predictor is the average of the weights of both phases, and moments count 5 more cells. 'separate',
        as in the paper: it starts from the predictor of AELR on the warm-up (the average of its weights), the predictor
        is the average of the weights of the second phase, and moments are plain means. 'separate' needs a ``radius``
        that is given, or 'auto' where that is 1.
    warmup_step_size : float or None, default=None
        A constant step size of the warm-up; ``step_size`` is then that of the second phase. None: as in the second
        phase.
    warmup_radius : float or None, default=None
        The radius of the ball in the warm-up; ``radius`` is then that of the second phase. None: as in the second
        phase.
    scaling : {'running', 'none'}, default='running'
        'running' centres and scales attributes and labels by running estimates from revealed cells, and fits an
        intercept. 'none' takes them as they are, without an intercept, as the theorem does. Scaling makes second
        moments nearly equal, so there is less to gain from these draws with it.
    draws : {'even', 'textbook'}, default='even'
        How the budget is divided, and how the inner product is drawn. 'even', as in the paper's experiments: half of
        the draws for the estimate of x and half (rounded up) for the inner product, with p_j in proportion to
        |w_j| sqrt(E[x_j^2]). 'textbook', as in its algorithms: one draw for the inner product, with p_j in
        proportion to |w_j|, and all others for x.
    n_expected : int or None, default=None
        The expected number of examples, which the step size and the warm-up may depend on.
    keep_ledger : bool, default=False
        Whether to record every revealed cell in ``ledger_``.
    random_state : int, RandomState instance or None, default=None
        Seed of the random draws. An int gives the same results for the same input.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features_in_,)
        Coefficients of the raw attributes, computed when they are read.
    intercept_ : float
        The intercept; 0 with ``scaling="none"``.
    multiple_ : float
        What the weights are multiplied by: 0 for the mean label, 1 where a radius is given.
    expected_examples_ : int or None
        The number of examples that schedules follow: ``n_expected``, or the length of the table of ``fit``; None
        without either.
    n_features_in_ : int
        Number of attributes.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the attributes; only if the table had names that are all strings.
    attributes_ : sequence of Attribute
        The attributes, with their descriptions.
    observed_ : Meter
        Counts of the revealed cells: in total, by attribute and by example.
    ledger_ : Ledger
        Every revealed cell, in order; only with ``keep_ledger=True``.
    n_skipped_ : int
        Number of examples that were skipped because a value that was asked for was not available.
    n_asked_ : int
        Number of asks that were made by ``ask``.
    open_asks_ : dict of int to Ask
        The asks that were neither told nor forgotten yet, by their number.
    awaiting_label_ : dict of int to ndarray
        The values of open asks that were told without a label, by the number of the ask.
    state_ : LassoState
        Everything that was learned, the random generator included.
    rule_ : UpdateRule
        The constants of the run: the division of the budget, the radius, the expected number of examples and the
        warm-up.

    Notes
    -----
    For x, attribute i is drawn with probability q_i in proportion to E[x_i^2], which minimises the largest variance of
    an entry of the estimate of x (Lemma 4.3). The estimates are::

        x~   = (1 / k) sum_i (x_i / q_i) e_i
        phi~ = (1 / l) sum_j (w_j / p_j) x_j  -  y

    and the rest is as in AELR. Theorem 4.4 (|x_i| <= 1, |y| <= B, m >= log(2d), moments known): the expected excess of
    half the squared error is at most 4 B^2 sqrt(5 log(2d) (D + k) / (k m)) with D = sum_i E[x_i^2], where AELR's bound
    has 2 d in place of D + k. D is at most d, and much less if the moments differ.

    The step size is, unless ``step_size`` is given: with ``scaling="none"`` and ``n_expected``, the theorem's (Theorem
    4.4 with the given moments, Theorem 4.5 with ``confidence``, and without it the step of Theorem 4.4 with the
    estimated moments, which is printed nowhere; during the warm-up, AELR's for the examples of the warm-up); otherwise
    the adaptive step of AELR, with its sum extrapolated to ``n_expected`` examples if that is given.

    The two-phased form: an estimated moment is the mean of the squares that were revealed of its attribute, each cell
    counted once. With ``phases="continued"``, the default, 5 more squares are counted, each equal to the mean over all
    revealed cells. An attribute that the warm-up never drew has that mean, and no estimate is 0, so that every
    attribute can be drawn again; the paper leaves both cases open. With ``n_expected`` the moments are estimated once,
    at the end of the warm-up. Without it they are estimated again, from all cells so far, whenever the number of
    examples has doubled since. The second phase continues from the last weights of the first, and the predictor is the
    average over both phases.

    The pseudocode of the two-phased form, Algorithm 4 in Appendix A.3 of the paper, was not in the text that was
    available. The draws, the margin and the step are those of Section 4.2 and Theorem 4.5, which leave the start of the
    second phase open; that it starts from what AELR has learned in the first is taken from Section 5.

    ``phases="separate"`` is this form: AELR runs in the warm-up, its predictor, which is an average, is where the
    second phase starts, and the predictor is the average over the second phase. The moments are estimated once, without
    further cells: an attribute whose revealed values were all 0 is, without a margin, not drawn for x in the second
    phase, and only one that was never drawn has the mean over all revealed cells, a case that the paper leaves open. Of
    all positive and negative weights that give this start, those nearest to uniform ones in relative entropy are taken;
    a start beyond 0.99 of the radius is shortened to that.

    ``DDAELR.as_printed(budget, radius=..., n_expected=...)``, with ``moments`` or ``confidence``, is the algorithm of
    the theorems: ``scaling="none"``, ``draws="textbook"`` and ``phases="separate"``. The paper's experiments are
    ``scaling="none"``, ``draws="even"`` and ``phases="separate"``, with a step size and a radius for each phase, chosen
    by cross-validation. At the first weights, which are 0, the draw for the inner product is not defined: it is 0, and
    nothing is revealed for it.

    With ``radius="auto"``, B = (k t / (d log(2d)))^(1/4) at example t: the theorem's bound on the excess is of the
    order B^2 / sqrt(k m), up to factors of d, and with this radius it stays the same for any number of examples, while
    the ball grows without limit. Each example then gives two independent estimates of inner products, at weights that
    it had no part in: one from the draws for x, one from the draws for the inner product. Their products with each
    other and with the label are unbiased estimates of the variance V of the predictions and of their covariance c with
    the label. The weights are multiplied by c / V, with c taken lower and V higher by their standard errors, and by 0,
    so that the mean label is predicted, where c is below two of them. Predictions are held within the range of the
    labels seen. All this costs no cell, and a step stays O(budget log d).

    References
    ----------
    Kukliansky, D. and Shamir, O. (2015). Attribute efficient linear regression with distribution-dependent sampling.
    Proceedings of the 32nd International Conference on Machine Learning. Section 4.

    Examples
    --------
    >>> from keyhole import AELR, DDAELR
    >>> from keyhole.datasets import kukliansky_shamir
    >>> data = kukliansky_shamir(n_examples=20_000, alpha=-1, norm="lasso", random_state=0)
    >>> uniform = AELR(budget=5, radius=20, scaling="none", random_state=0).fit(data.X, data.y)
    >>> round(uniform.score(data.X, data.y), 2)
    0.14
    >>> adapted = DDAELR(budget=5, radius=20, moments=data.moments, scaling="none", random_state=0).fit(data.X, data.y)
    >>> round(adapted.score(data.X, data.y), 2)
    0.23
    """

    power = 1.0

    def _present_weights(self) -> np.ndarray:
        return common_factor(self.state_, self.rule_) * self.state_.weights[:, U]
