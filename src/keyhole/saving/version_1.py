"""Files of version 1: JSON documents, which earlier releases wrote.

A streaming learner was stored with its whole state, anything else as a predictor.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import online
from ..observe import Attribute, Meter, PlainAttributes
from .container import refuse_constant
from .predictor import SavedPredictor
from .templates import check_sound
from .version_1_state import check_keys, filled, numbers_from

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
# Parameters that streaming learners did not have in version 1.
LATER = (
    "average",
    "distribution",
    "initial_weights",
    "l2_bound",
    "max_iter",
    "n_expected",
    "norm",
    "phases",
    "repeats",
    "reveal_zero_terms",
    "tol",
    "warmup_radius",
    "warmup_step_size",
)


def loaded(content: bytes) -> Any:
    """The learner, or the predictor, of a file."""
    try:
        document = json.loads(content, parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not a whole Keyhole model file (was it cut short?): {error}") from None
    return _loaded(_checked(document))


def _checked(document: Any) -> dict[str, Any]:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f'not a Keyhole model: such a file says "format": "{FORMAT}"')
    if document.get("version") != VERSION:
        raise ValueError(
            f"the file has version {document.get('version')!r}, and this Keyhole reads versions 1 and 2; a newer"
            " release is needed"
        )
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
        # Parameters that came later have their defaults.
        check_keys(
            "'params'", params, [key for key in STREAMING[name]._get_param_names() if key in params or key not in LATER]
        )
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
        # Version 1 did not count skipped examples in the meter.
        model.observed_.counts.tally[0] += model.n_skipped_
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
