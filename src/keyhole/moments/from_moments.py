"""A predictor from moments, for those who hold X'X and X'y but no rows.

Attributes are measured in standard deviations, so the covariances become correlations R, and r with the label. Ridge
weights (R + penalty / n)^-1 r follow from them; so does what chooses the penalty. With weights that are draws from
N(0, s^2 / penalty) and noise of variance s^2, the likelihood of the labels of n rows, apart from their mean, is a
function of R, r and n alone. Up to a constant, -2 log of it at the best s^2 is

    (n - 1) log(1 - r' (R + penalty / n)^-1 r) + log det(I + R n / penalty).

The penalty with its smallest value is chosen. Generalised cross-validation also needs no rows, but had far larger
errors where n is near the number of attributes: it divides a rest near 0 by a number near 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..common.parameters import check_whole
from ..common.penalties import RIDGE_PENALTIES
from ..common.warn import warn_user
from ..common.wording import listed
from ..observe.attributes import PlainAttributes
from ..observe.tables import record_names
from .families.registry import FAMILIES
from .moments_predictor import MomentsPredictor
from .solution import candidate, solution_of
from .standard.joint import JointMoments
from .standard.scales import Scales
from .sums import check_sums

OWNER = "fit_from_moments"
ROUNDING = 1e-8  # of correlations
SLIGHT = 0.05  # of an eigenvalue of correlations, which are 1 on average
NO_SPREAD = 1e-14  # of the squared mean, below which a variance is what rounding left
LOST = 1e-12  # the same, for a variance that is a difference of sums


def fit_from_moments(
    mean: Any,
    covariance: Any,
    cross_covariance: Any,
    n_rows: int,
    *,
    label_mean: float,
    label_variance: float,
    names: Sequence[str] | None = None,
) -> MomentsPredictor:
    """Fit a ridge regression from the means and covariances of attributes and label.

    Parameters
    ----------
    mean : array-like of shape (n_attributes,)
        The mean of each attribute; sums over the rows are divided by ``n_rows``.
    covariance : array-like of shape (n_attributes, n_attributes)
        The covariance of each two attributes.
    cross_covariance : array-like of shape (n_attributes,)
        The covariance of each attribute with the label. ``moments_from_sums`` makes these of X'X and X'y.
    n_rows : int
        The number of rows behind them. It tells how far the moments can be trusted, and so chooses the penalty.
    label_mean : float
        The mean of the label over the same rows.
    label_variance : float
        The variance of the label over the same rows.
    names : sequence of str, default=None
        The names of the attributes.

    Returns
    -------
    MomentsPredictor
        The predictor, with ``coef_``, ``intercept_`` and ``predict``.

    Raises
    ------
    ValueError
        If the moments cannot be those of any rows.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole import fit_from_moments
    >>> X = np.random.default_rng(0).normal(size=(500, 3))
    >>> y = X @ [1.0, -2.0, 0.0] + 5.0
    >>> S = np.cov(np.column_stack([X, y]), rowvar=False, ddof=0)
    >>> model = fit_from_moments(X.mean(axis=0), S[:3, :3], S[:3, 3], 500, label_mean=y.mean(), label_variance=S[3, 3])
    >>> (np.round(model.coef_, 3) + 0.0).tolist(), round(model.intercept_, 3)
    ([1.0, -2.0, 0.0], 5.0)
    """
    check_whole(OWNER, "n_rows", n_rows, 2)
    mean, covariance, cross, label_mean, label_variance = _checked(
        mean, covariance, cross_covariance, label_mean, label_variance
    )
    d = len(mean)
    attributes = PlainAttributes(d, _checked_names(names, d))
    variance = np.diag(covariance)
    spread = np.sqrt(np.where(variance > NO_SPREAD * mean**2, variance, 0.0))
    label_spread = np.sqrt(label_variance)
    if not spread.all():
        which = listed([attributes[int(i)].name for i in np.flatnonzero(spread == 0)])
        warn_user(f"{OWNER}: no spread, and so no weight, in {which}")
    if not label_spread:
        warn_user(f"{OWNER}: the label has no spread; the predictor is its mean")
    both = np.append(spread, label_spread)
    moments = np.block([[covariance, cross[:, None]], [cross[None], np.full((1, 1), label_variance)]])
    inverse = np.divide(1.0, both, out=np.zeros(d + 1), where=both > 0)
    root = _root(inverse[:, None] * moments * inverse, attributes)
    loadings, label_loadings = root[:d], root[d:]
    penalty, rest = best_penalty(loadings @ loadings.T, loadings @ label_loadings[0], n_rows)
    joint = JointMoments(
        mean=np.zeros(d),
        loadings=loadings,
        noise=np.full(d, penalty / n_rows),
        label_mean=np.zeros(1),
        label_loadings=label_loadings,
        label_noise=np.zeros(1),
        residual_cross=np.zeros((d, 1)),
    )
    scales = Scales(mean, spread, np.array([label_mean]), np.array([label_spread]))
    why = (
        f"moments of {n_rows:,} rows were given; the penalty is {penalty:.3g}, by the likelihood of the labels, which"
        f" leaves {rest:.3g} of their variance as noise"
    )
    ridge = FAMILIES["ridge"]
    model = MomentsPredictor()
    record_names(model, attributes)
    model.attributes_, model.n_rows_ = attributes, int(n_rows)
    model.solution_ = solution_of(joint, scales, ridge, [candidate(ridge, True, why)])
    return model


def moments_from_sums(
    XtX: Any, Xty: Any, yty: float, n_rows: int, *, sum_X: Any = None, sum_y: float = 0.0
) -> dict[str, Any]:
    """Compute the arguments of ``fit_from_moments`` from sums over rows.

    Where X has a column of ones, its row of X'X holds the sums of X, and its entry of X'y the sum of y. A covariance is
    a difference of sums: where the mean of an attribute is a million times its spread, rounding leaves nothing of it,
    and the attribute is taken for constant.

    Parameters
    ----------
    XtX : array-like of shape (n_attributes, n_attributes)
        X'X, the sums of products of two attributes.
    Xty : array-like of shape (n_attributes,)
        X'y, the sums of products of attribute and label.
    yty : float
        The sum of squared labels, y'y.
    n_rows : int
        The number of rows.
    sum_X : array-like of shape (n_attributes,), default=None
        The sums of the attributes. None: moments are taken about 0, and the predictor goes through the origin.
    sum_y : float, default=0.0
        The sum of the labels.

    Returns
    -------
    dict
        Keyword arguments of ``fit_from_moments``.

    Raises
    ------
    ValueError
        If the sums cannot be those of any rows: a sum of squares below 0, a sum of products larger than sums of squares
        allow, a matrix that is not symmetric, a number that is not finite. The message names the attribute.

    Examples
    --------
    >>> import numpy as np
    >>> from keyhole import fit_from_moments, moments_from_sums
    >>> X = np.random.default_rng(0).normal(size=(500, 3))
    >>> y = X @ [1.0, -2.0, 0.0] + 5.0
    >>> sums = moments_from_sums(X.T @ X, X.T @ y, y @ y, len(y), sum_X=X.sum(axis=0), sum_y=y.sum())
    >>> round(fit_from_moments(**sums).intercept_, 3)
    5.0
    """
    check_whole("moments_from_sums", "n_rows", n_rows, 2)
    XtX, Xty = np.asarray(XtX, dtype=np.float64), np.asarray(Xty, dtype=np.float64)
    totals = np.zeros(Xty.shape) if sum_X is None else np.asarray(sum_X, dtype=np.float64)
    for name, given, shape in (("XtX", XtX, Xty.shape * 2), ("sum_X", totals, Xty.shape)):
        if given.shape != shape or Xty.ndim != 1:
            raise ValueError(f"{name} has the shape {given.shape} and Xty {Xty.shape}: they are of the same d columns")
    if sum_X is None and sum_y != 0:
        raise ValueError(f"sum_y={sum_y!r} without sum_X: moments_from_sums needs both sums, or none of them")
    check_sums(XtX, Xty, float(yty), n_rows, totals, float(sum_y))
    mean = totals / n_rows
    label_mean = float(sum_y) / n_rows
    covariance, cross = XtX / n_rows - np.outer(mean, mean), Xty / n_rows - mean * label_mean
    lost = np.diag(covariance) <= LOST * mean**2
    covariance[lost] = covariance[:, lost] = cross[lost] = 0.0
    label_variance = float(yty) / n_rows - label_mean**2
    return {
        "mean": mean,
        "covariance": covariance,
        "cross_covariance": cross,
        "n_rows": n_rows,
        "label_mean": label_mean,
        "label_variance": 0.0 if label_variance <= LOST * label_mean**2 else label_variance,
    }


def best_penalty(R: np.ndarray, r: np.ndarray, n_rows: int) -> tuple[float, float]:
    """The likeliest ridge penalty, and the share of the label's variance that it takes for noise."""
    eigenvalues, vectors = np.linalg.eigh(R)
    eigenvalues, squares = np.maximum(eigenvalues, 0.0), (vectors.T @ r) ** 2
    found = []
    for penalty in RIDGE_PENALTIES:
        left = 1.0 - np.sum(squares / (eigenvalues + penalty / n_rows))
        left = max(left, np.finfo(float).tiny)
        likelihood = (n_rows - 1) * np.log(left) + np.sum(np.log1p(eigenvalues * n_rows / penalty))
        found.append((likelihood, penalty, left))
    _, penalty, left = min(found)
    return float(penalty), float(left)


def _root(correlations: np.ndarray, attributes: PlainAttributes) -> np.ndarray:
    """B with B B' = correlations of attributes and label, which are repaired where they are almost possible."""
    eigenvalues, vectors = np.linalg.eigh(correlations)
    least = float(eigenvalues[0])
    if least < -ROUNDING * len(eigenvalues):
        strength = np.abs(vectors[:-1, 0])
        names = listed([attributes[int(i)].name for i in np.argsort(-strength)[:3] if strength[i] > 0])
        told = (
            f"{OWNER}: these covariances cannot be those of any rows: the correlations of attributes and label have"
            f" the eigenvalue {least:.3g}, most of it from {names}"
        )
        if least < -SLIGHT:
            raise ValueError(
                f"{told}; none may be below 0. Are covariances, label_variance and their divisors of the same rows?"
                " Of a table with missing cells, give the table itself to KeyholeRegressor().fit"
            )
        warn_user(f"{told}. Eigenvalues below 0 were set to 0")
    return vectors * np.sqrt(np.maximum(eigenvalues, 0.0))


def _checked(mean: Any, covariance: Any, cross: Any, label_mean: Any, label_variance: Any) -> tuple[Any, ...]:
    d = len(np.atleast_1d(mean))
    wanted = {
        "mean": (mean, (d,)),
        "covariance": (covariance, (d, d)),
        "cross_covariance": (cross, (d,)),
        "label_mean": (label_mean, ()),
        "label_variance": (label_variance, ()),
    }
    arrays = []
    for name, (given, shape) in wanted.items():
        array = np.array(given, dtype=np.float64)
        if array.shape != shape or d == 0:
            raise ValueError(
                f"{name} has the shape {array.shape}: {OWNER} needs {shape} for the {d} attributes of mean"
            )
        if not np.isfinite(array).all():
            place = [int(i) for i in np.argwhere(~np.isfinite(array))[0]]
            raise ValueError(f"{name}{place or ''} is {array[tuple(place)]}: {OWNER} needs finite numbers")
        arrays.append(array)
    covariance, label_variance = arrays[1], arrays[4]
    for name, variances in (("covariance", np.diag(covariance)), ("label_variance", np.atleast_1d(label_variance))):
        if (variances < 0).any():
            i = int(np.argmin(variances))
            where = f"[{i}, {i}]" if name == "covariance" else ""
            raise ValueError(f"{name}{where} is {variances[i]:.6g}: a variance is 0 or more")
    spread = np.sqrt(np.diag(covariance))
    apart = np.abs(covariance - covariance.T)
    if (apart > ROUNDING * np.outer(spread, spread)).any():
        i, j = (int(at) for at in np.unravel_index(np.argmax(apart), apart.shape))
        raise ValueError(
            f"covariance is not symmetric: [{i}, {j}] is {covariance[i, j]:.6g} and [{j}, {i}] is"
            f" {covariance[j, i]:.6g}; both are the covariance of the same two attributes"
        )
    return tuple(arrays)


def _checked_names(names: Sequence[str] | None, d: int) -> list[str] | None:
    if names is None:
        return None
    if isinstance(names, str) or len(names) != d:
        raise ValueError(f"names={names!r:.60}: {OWNER} needs {d} names, one for each attribute")
    return [str(name) for name in names]
