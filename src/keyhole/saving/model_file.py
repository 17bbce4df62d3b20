"""``save_model`` and ``load_model``: a document with the estimator's name and parameters, and its state."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from .. import judgments, moments, online, rivals, sparse
from . import version_1
from .container import Container, is_container, read_container, write_container
from .estimators import kind_of
from .predictor import SavedPredictor, predictor_state, read_predictor
from .schema import Store, check_names
from .values import Value, saved_parameter

FORMAT, VERSION = "keyhole-model", 2
NAMES = ("format", "version", "estimator", "params", "n_features", "feature_names", "state")
ESTIMATORS: dict[str, type] = {
    name: getattr(package, name) for package in (online, sparse, rivals) for name in package.__all__
} | {
    one.__name__: one
    for one in (
        moments.KeyholeRegressor,
        moments.KeyholeClassifier,
        moments.MomentsPredictor,
        judgments.MultiSelector,
        judgments.JudgmentRegressor,
    )
}


def save_model(model: Any, path: str | Path) -> None:
    """Write a fitted estimator to a file, with its whole state.

    Parameters
    ----------
    model : estimator
        A fitted estimator of Keyhole. Of any other linear predictor with ``coef_`` and ``intercept_``, these are kept.
    path : str or Path
        The file. A failure leaves an earlier file of that name as it was.

    Raises
    ------
    ValueError
        If the estimator is not fitted, or has a parameter that cannot be kept.

    See Also
    --------
    load_model : Reads the file.

    Examples
    --------
    >>> import tempfile, numpy as np, keyhole as kh
    >>> X = np.random.default_rng(0).normal(size=(200, 6))
    >>> learner = kh.KeyholeRegressor(budget=3, random_state=0).fit(X, X[:, 0])
    >>> path = tempfile.mkdtemp() + "/model.keyhole"
    >>> kh.save_model(learner, path)
    >>> kh.load_model(path).ask().attributes.tolist() == learner.ask().attributes.tolist()
    True
    """
    if not isinstance(model, BaseEstimator):
        raise ValueError(f"model: save_model takes an estimator of Keyhole; got {type(model).__name__}")
    if not Path(path).absolute().parent.is_dir():
        raise FileNotFoundError(f"{path}: there is no folder {Path(path).parent}")
    if hasattr(model, "fit"):
        check_is_fitted(model)
    name, known = type(model).__name__, type(model) is ESTIMATORS.get(type(model).__name__)
    params = model.params if isinstance(model, SavedPredictor) else model.get_params(deep=False)
    store = Store({}, {})
    names = getattr(model, "feature_names_in_", None)
    document = {
        "format": FORMAT,
        "version": VERSION,
        "estimator": name if known else "SavedPredictor",
        "params": {key: Value(key).write(saved_parameter(key, value), store) for key, value in params.items()},
        "n_features": int(model.n_features_in_),
        "feature_names": None if names is None else [str(one) for one in names],
        "state": kind_of(type(model)).write(model, store) if known else predictor_state(model, store),
    }
    write_container(path, Container(document, store.arrays))


def load_model(path: str | Path) -> Any:
    """Read what ``save_model`` wrote.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    estimator
        The estimator, as it was when it was saved. Files of version 1 that hold no state, and other linear predictors,
        come back as a ``SavedPredictor``.

    Raises
    ------
    ValueError
        If the file is not whole, not a model, of a newer version, or damaged; the message begins with the path.

    See Also
    --------
    save_model : Writes the file.

    Examples
    --------
    >>> import tempfile, numpy as np, keyhole as kh
    >>> X = np.random.default_rng(0).normal(size=(200, 6))
    >>> path = tempfile.mkdtemp() + "/model.keyhole"
    >>> kh.save_model(kh.AERR(budget=3, random_state=0).fit(X, X[:, 0]), path)
    >>> kh.load_model(path).observed_.max_per_example
    3
    """
    content = Path(path).read_bytes()
    if not content:
        raise ValueError(f"{path}: not a whole Keyhole model file: it is empty")
    try:
        return _read(read_container(content)) if is_container(content) else version_1.loaded(content)
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"{path}: {error}") from None


def _read(container: Container) -> Any:
    document = container.document
    if document.get("format") != FORMAT:
        raise ValueError(f'not a Keyhole model: such a file has "format": "{FORMAT}"')
    if document.get("version") != VERSION:
        raise ValueError(
            f"the file has version {document.get('version')!r}, and this Keyhole reads versions 1 and {VERSION}; a"
            " newer release is needed"
        )
    check_names("the model", document, NAMES)
    name, params, d = document["estimator"], document["params"], document["n_features"]
    if not isinstance(d, int) or isinstance(d, bool) or d < 0:
        raise ValueError(f"n_features is {d!r:.50}; it must be a whole number")
    store = Store(container.arrays, {"d": d})
    given = {key: Value(key).read(value, f"the parameter {key}", store) for key, value in params.items()}
    if name == SavedPredictor.__name__:
        model = read_predictor(given, document["state"], store)
    elif name in ESTIMATORS:
        model = _new(name, given)
        kind_of(ESTIMATORS[name]).read(model, document["state"], store)
    else:
        raise ValueError(f"estimator is {name!r:.50}; there are {', '.join(ESTIMATORS)}")
    model.n_features_in_ = d
    names = document["feature_names"]
    if names is not None:
        if not isinstance(names, list) or len(names) != d:
            raise ValueError(f"feature_names is {names!r:.50}; there must be {d} of them")
        model.feature_names_in_ = np.array(names, dtype=object)
    return model


def _new(name: str, params: dict[str, Any]) -> Any:
    names = ESTIMATORS[name]._get_param_names()  # type: ignore[attr-defined]
    check_names("the parameters", params, names, later=tuple(names))  # one that came later has its default
    return ESTIMATORS[name](**params)
