"""Models as JSON files: ``save_model`` and ``load_model``. Loading runs no code from the file.

A streaming learner is stored with its whole state, the random generator included, so what is loaded predicts
as the saved one did and goes on learning exactly as it would have. Anything else with ``coef_`` and
``intercept_`` comes back as a ``SavedPredictor``. Two things are not stored: a ``random_state`` that is neither
a whole number nor None (the generator in the state goes on all the same), and the ledger, which has a ``save``
of its own: a loaded learner begins an empty one.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin, is_classifier
from sklearn.utils.validation import check_is_fitted

from . import online
from .errors import KeyholeError
from .observe import Attribute, Meter, PlainAttributes
from .observe.tables import check_table, linear_predictions
from .state_as_json import check_keys, check_sound, filled, numbers_from, written

FORMAT, VERSION = "keyhole-model", 1
STREAMING = {name: getattr(online, name) for name in online.__all__}
KEYS = {
    "format": str,
    "version": int,
    "learner": str,
    "params": dict,
    "n_features": int,
    "feature_names": list | None,
    "attributes": list | None,
    "intercept": int | float,
    "coef": list,
    "observed": dict | None,
    "state": dict | None,
}
COUNTS = ("examples", "looks", "cells", "largest", "skipped")


class SavedPredictor(RegressorMixin, BaseEstimator):
    """What is loaded of a learner that keeps no state: it predicts, and learns no more."""

    def __init__(self, learner: str, params: dict[str, Any]) -> None:
        self.learner = learner
        self.params = params

    def predict(self, X: Any) -> np.ndarray:
        """Predictions from whole rows."""
        return linear_predictions(check_table(self, X, reset=False), self.coef_, self.intercept_)

    def fit(self, *_: Any) -> NoReturn:
        raise KeyholeError(
            f"this {self.learner} was loaded from a file that holds its predictor and no state to go on from:"
            " it predicts only; to learn, make a new one"
        )

    partial_fit = ask = tell = fit


def save_model(learner: Any, path: str | Path) -> None:
    """Write a fitted learner to a JSON file; a failure leaves an earlier file of that name as it was."""
    if hasattr(learner, "fit"):  # what fit_from_moments returns has none, and is always fitted
        check_is_fitted(learner)
    if is_classifier(learner):
        raise ValueError(
            f"a model file holds a predictor of numbers, and no {type(learner).__name__}: pickle it instead"
        )
    name, streams = type(learner).__name__, type(learner) is STREAMING.get(type(learner).__name__)
    saved = isinstance(learner, SavedPredictor)
    params = learner.params if saved else learner.get_params(deep=False)
    attributes = getattr(learner, "attributes_", None)
    meter = getattr(learner, "observed_", None)
    document = {
        "format": FORMAT,
        "version": VERSION,
        "learner": learner.learner if saved else name,
        "params": {key: _plain(key, value) for key, value in params.items()},
        "n_features": int(learner.n_features_in_),
        "feature_names": _names(learner, attributes),
        "attributes": None if attributes is None else _descriptions(attributes),
        "intercept": float(learner.intercept_),
        "coef": np.asarray(learner.coef_, dtype=np.float64).tolist(),
        "observed": None if meter is None else _counts(meter, getattr(learner, "n_skipped_", 0)),
        "state": written(learner.state_) if streams else None,
    }
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(part, allow_nan=False)}" for key, part in document.items())
    path = Path(path)
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        beside.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def load_model(path: str | Path) -> Any:
    """The learner, or the ``SavedPredictor``, that ``save_model`` wrote."""
    text = Path(path).read_bytes()
    try:
        document = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: not a whole JSON file (was it cut short?): {error}") from None
    try:
        return _loaded(_checked(document))
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"{path}: {error}") from None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _plain(key: str, value: Any) -> Any:
    """A parameter as JSON has it; a random_state that is not a number is left out, as the module says."""
    if key == "random_state" and not isinstance(value, int | np.integer):
        return None
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple | np.ndarray | np.generic):
        return np.asarray(value).tolist()
    if isinstance(value, dict):
        return {str(name): _plain(key, part) for name, part in value.items()}
    raise ValueError(f"{key}={value!r}: a model file takes numbers, text and arrays of numbers as parameters")


def _names(learner: Any, attributes: Sequence[Attribute] | None) -> list[str] | None:
    names = getattr(learner, "feature_names_in_", None)
    if names is None and attributes is not None:
        names = attributes.names if isinstance(attributes, PlainAttributes) else [a.name for a in attributes]
    return None if names is None else [str(name) for name in names]


def _descriptions(attributes: Sequence[Attribute]) -> list[dict[str, Any]] | None:
    """What is said of attributes beyond their names; None if nothing."""
    if isinstance(attributes, PlainAttributes) or all(a == Attribute(a.name) for a in attributes):
        return None
    usual = dataclasses.asdict(Attribute(""))
    return [{k: v for k, v in dataclasses.asdict(a).items() if v != usual[k]} for a in attributes]


def _counts(meter: Meter, skipped: int) -> dict[str, Any]:
    tally = dict(zip(COUNTS, [*meter.counts.tally.tolist(), skipped], strict=True))
    return {
        "budget": _plain("budget", meter.budget),
        **tally,
        "cost": meter.cost,
        "per_attribute": meter.per_attribute.tolist(),
    }


def _checked(document: Any) -> dict[str, Any]:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f'not a Keyhole model: such a file says "format": "{FORMAT}"')
    if document.get("version") != VERSION:
        raise ValueError(f"version {document.get('version')!r}; this Keyhole reads version {VERSION}")
    check_keys("the model", document, KEYS)
    for key, kind in KEYS.items():
        if not isinstance(document[key], kind) or isinstance(document[key], bool):
            raise ValueError(f"{key!r} is {document[key]!r:.50}, which is of the wrong type")
    d = document["n_features"]
    for key in ("coef", "feature_names", "attributes"):
        if document[key] is not None and len(document[key]) != d:
            raise ValueError(f"{key!r} has {len(document[key])} entries for {d} attributes")
    return document


def _loaded(document: dict[str, Any]) -> Any:
    name, params, names, d = (document[key] for key in ("learner", "params", "feature_names", "n_features"))
    if document["state"] is None:
        model = SavedPredictor(name, params)
        model.coef_ = numbers_from("'coef'", document["coef"], np.empty(d))
        model.intercept_ = float(document["intercept"])
    elif name in STREAMING:
        check_keys("'params'", params, STREAMING[name]._get_param_names())
        model = STREAMING[name](**params).start(d)
        model.state_ = filled("the state", document["state"], model.state_)
        check_sound(model.state_, d)
    else:
        raise ValueError(f"no streaming learner is called {name!r}; there are {', '.join(STREAMING)}")
    described = document["attributes"]
    model.n_features_in_ = d
    model.attributes_ = PlainAttributes(d, names) if described is None else [Attribute(**a) for a in described]
    if names is not None:
        model.feature_names_in_ = np.array(names, dtype=object)
    if document["observed"] is not None:
        model.observed_, model.n_skipped_ = _meter(document["observed"], model.attributes_)
    return model


def _meter(observed: dict[str, Any], attributes: Sequence[Attribute]) -> tuple[Meter, int]:
    check_keys("'observed'", observed, ("budget", *COUNTS, "cost", "per_attribute"))
    meter = Meter(observed["budget"], attributes)
    *tally, skipped = numbers_from(
        "'observed'", [observed[key] for key in COUNTS], np.empty(len(COUNTS), dtype=np.int64)
    )
    meter.counts.tally[:] = tally
    meter.counts.per_attribute[:] = numbers_from("'per_attribute'", observed["per_attribute"], meter.per_attribute)
    meter._cost = float(observed["cost"])
    return meter, int(skipped)
