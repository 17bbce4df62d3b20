"""What is kept of each kind of estimator, and how it comes back.

A kind has two functions: one writes the state of a fitted estimator into named parts, the other gives a new estimator
with the same parameters this state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..compiled import CompiledLearner
from ..judgments import MultiSelector
from ..learner import Learner
from ..moments import KeyholeClassifier, KeyholeRegressor, MomentsPredictor
from ..moments.cache import Cache
from ..rivals import CompleteRows, ImputeThenRidge, ScreenedPanel
from ..sampling.panels import Panels
from .judgments import JUDGMENT_REGRESSOR, MULTI_SELECTOR
from .moments import POLICY, SOLUTION, SPENDING, Classes
from .observed import ASK, CELLS, LEDGER, WHOLE, Attributes, meter_schema
from .schema import Array, ListOf, Optional, Plain, Record, Schema, Store, check_names
from .templates import check_sound, owned, schema_like

GENERATOR = Array("uint64", 4)
OTHER_LABELS = Array("float64", None)
# What states of earlier versions do not have.
LATER = ("spending", "other_labels")
# The values of an ask that were told without a label.
TOLD = Record(
    lambda number, values: (number, values.copy()),
    {"number": WHOLE, "values": Array("float64", None)},
    get=lambda told: {"number": told[0], "values": told[1]},
)
SOLVED = Record(lambda coef, intercept: (coef, intercept), {"coef": Array("float64", "d"), "intercept": Plain(float)})

# The further parts of the state of each rival, by the name of the attribute; None where it may not be there.
RIVALS: dict[type, dict[str, Schema]] = {
    CompleteRows: {"row_price_": Plain(float), "credit_": Plain(float)},
    ScreenedPanel: {
        "free_": Array("int64", None),
        "candidates_": Array("int64", None),
        "marks_": Array("int64", None),
        "n_screen_": WHOLE,
        "panel_": Optional(Array("int64", None)),
        "credit_": Optional(Plain(float)),
    },
    ImputeThenRidge: {
        "free_": Array("int64", None),
        "candidates_": Array("int64", None),
        "marks_": Array("int64", None),
        "credit_": Optional(Plain(float)),
    },
}


class Kind(NamedTuple):
    """Writes the state of a fitted estimator, and gives it to a new one."""

    write: Callable[[Any, Store], dict[str, Any]]
    read: Callable[[Any, Any, Store], None]


def kind_of(estimator_type: type) -> Kind:
    """The kind of an estimator's class."""
    if issubclass(estimator_type, CompiledLearner):
        return Kind(_write_compiled, _read_compiled)
    if estimator_type in RIVALS:
        return Kind(_write_rival, _read_rival)
    if issubclass(estimator_type, KeyholeRegressor | KeyholeClassifier):
        return Kind(_write_own, _read_own)
    if issubclass(estimator_type, MomentsPredictor):
        return Kind(_write_from_moments, _read_from_moments)
    fields = MULTI_SELECTOR if issubclass(estimator_type, MultiSelector) else JUDGMENT_REGRESSOR
    return Kind(
        lambda model, store: _write_fields(model, fields, store),
        lambda model, stored, store: _read_fields(model, stored, fields, store),
    )


# Every learner.


def _write_learner(model: Learner, store: Store) -> dict[str, Any]:
    return {
        "attributes": Attributes().write(model.attributes_, store),
        "observed": meter_schema(model.attributes_).write(model.observed_, store),
        "n_skipped": model.n_skipped_,
        "n_asked": model.n_asked_,
        "expected_examples": model.expected_examples_,
        "open_asks": ListOf(ASK).write(model.open_asks_.values(), store),
        "awaiting_label": ListOf(TOLD).write(model.awaiting_label_.items(), store),
        "ledger": Optional(LEDGER).write(getattr(model, "ledger_", None), store),
    }


def _read_learner(model: Learner, stored: Any, store: Store, more: tuple[str, ...]) -> None:
    names = ("attributes", "observed", "n_skipped", "n_asked", "expected_examples", "open_asks")
    more = ("awaiting_label", "ledger", *more)
    check_names("the state", stored, (*names, *more), later=("awaiting_label", "expected_examples", *LATER))
    model.expected_examples_ = Optional(WHOLE).read(stored.get("expected_examples"), "expected_examples", store)
    model.attributes_ = Attributes().read(stored["attributes"], "the attributes", store)
    model.observed_ = meter_schema(model.attributes_).read(stored["observed"], "the meter", store)
    model.n_skipped_, model.n_asked_ = (WHOLE.read(stored[name], name, store) for name in ("n_skipped", "n_asked"))
    asks = ListOf(ASK).read(stored["open_asks"], "the open asks", store)
    model.open_asks_ = {ask.number: ask for ask in asks}
    told = ListOf(TOLD).read(stored.get("awaiting_label", []), "the values without a label", store)
    model.awaiting_label_ = dict(told)
    for number, values in told:
        if number not in model.open_asks_ or len(values) != len(model.open_asks_[number].attributes):
            raise ValueError(f"the values without a label: ask number {number} has others; the file is damaged")
    ledger = Optional(LEDGER).read(stored["ledger"], "the ledger", store)
    if ledger is not None:
        model.ledger_ = ledger


# Published learners: compiled states.


def _write_compiled(model: CompiledLearner, store: Store) -> dict[str, Any]:
    parts = {name: schema_like(getattr(model, f"{name}_")) for name in ("state", "rule")}
    written = {name: schema.write(getattr(model, f"{name}_"), store) for name, schema in parts.items()}
    predicted = getattr(model, "predicted_", None)
    meter = Optional(meter_schema(model.attributes_))
    return _write_learner(model, store) | written | {"predicted": meter.write(predicted, store)}


def _read_compiled(model: CompiledLearner, stored: Any, store: Store) -> None:
    model.start(Attributes().read(stored.get("attributes"), "the attributes", store))
    state, rule = model.state_, model.rule_
    _read_learner(model, stored, store, ("state", "rule", "predicted"))
    model.rule_ = schema_like(rule).read(stored["rule"], "the rule", store)
    model.state_ = owned(schema_like(state).read(stored["state"], "the state", store))
    check_sound(model.state_, store.dimensions["d"])
    predicted = Optional(meter_schema(model.attributes_)).read(stored["predicted"], "the meter of predictions", store)
    if predicted is not None:
        model.predicted_ = predicted


# Rivals and Keyhole's own learners: kept cells.


def _write_cells(model: Any, store: Store) -> dict[str, Any]:
    return _write_learner(model, store) | {
        "cells": CELLS.write(model.cells_, store),
        "generator": GENERATOR.write(model.rng_, store),
        "seed": model.seed_,
    }


def _read_cells(model: Any, stored: Any, store: Store, more: tuple[str, ...]) -> None:
    _read_learner(model, stored, store, ("cells", "generator", "seed", *more))
    model.cells_ = CELLS.read(stored["cells"], "the cells", store)
    model.rng_ = GENERATOR.read(stored["generator"], "the generator", store).copy()
    model.seed_ = WHOLE.read(stored["seed"], "the seed", store)


def _write_rival(model: Any, store: Store) -> dict[str, Any]:
    solved = None if model.solved_ is None else dict(zip(("coef", "intercept"), model.solved_, strict=True))
    fields = RIVALS[type(model)]
    return _write_cells(model, store) | {
        "solved": Optional(Record(dict, SOLVED.parts, get=dict)).write(solved, store),
        "fields": _write_fields(model, fields, store),
    }


def _read_rival(model: Any, stored: Any, store: Store) -> None:
    _read_cells(model, stored, store, ("solved", "fields"))
    model.solved_ = Optional(SOLVED).read(stored["solved"], "the solution", store)
    _read_fields(model, stored["fields"], RIVALS[type(model)], store)


def _write_own(model: Any, store: Store) -> dict[str, Any]:
    classes = {"known": getattr(model, "known_", None), "declared": bool(getattr(model, "declared_", False))}
    return _write_cells(model, store) | {
        "policy": Optional(POLICY).write(model.policy_, store),
        "solution": Optional(SOLUTION).write(model.cache_.peek("solution"), store),
        "classes": Optional(Classes()).write(classes["known"], store),
        "classes_declared": classes["declared"],
        "spending": Optional(SPENDING).write(model.spending_, store),
        "other_labels": OTHER_LABELS.write(np.array(model.other_labels_, dtype=np.float64), store),
    }


def _read_own(model: Any, stored: Any, store: Store) -> None:
    _read_cells(model, stored, store, ("policy", "solution", "classes", "classes_declared", *LATER))
    model.spending_ = Optional(SPENDING).read(stored.get("spending"), "the spending", store)
    others = stored.get("other_labels")
    model.other_labels_ = [] if others is None else OTHER_LABELS.read(others, "the other labels", store).tolist()
    model.policy_ = Optional(POLICY).read(stored["policy"], "the policy", store)
    if hasattr(model, "ledger_") and model.policy_ is not None:
        # The ledger knows a design by its identity.
        model.ledger_.designs = [_same_design(one, model.policy_.designs) for one in model.ledger_.designs]
    model.cache_ = Cache()
    model._choose_columns()
    solution = Optional(SOLUTION).read(stored["solution"], "the solution", store)
    wanted = store.dimensions["d"] if model.n_columns_ is None else int(model.n_columns_.sum())
    if solution is not None and len(solution.scales.mean) != wanted:
        raise ValueError(f"the solution has {len(solution.scales.mean)} columns, not {wanted}; the file is damaged")
    if solution is not None:
        model.cache_.put("solution", solution)
    known = Optional(Classes()).read(stored["classes"], "the classes", store)
    if known is not None:
        model.known_ = known
        if not ((model.cells_.labels >= 0) & (model.cells_.labels < len(known))).all():
            raise ValueError(f"the cells: a label is none of the {len(known)} classes; the file is damaged")
    if stored["classes_declared"]:
        model.declared_ = True


def _same_design(design: Panels, known: tuple[Panels, ...]) -> Panels:
    """The equal one of the designs that are known, or else the design itself."""
    parts = design.arrays()
    for one in known:
        if all(np.array_equal(part, one.arrays()[name]) for name, part in parts.items()):
            return one
    return design


def _write_from_moments(model: MomentsPredictor, store: Store) -> dict[str, Any]:
    return {
        "attributes": Attributes().write(model.attributes_, store),
        "n_rows": model.n_rows_,
        "solution": SOLUTION.write(model.solution_, store),
    }


def _read_from_moments(model: MomentsPredictor, stored: Any, store: Store) -> None:
    check_names("the state", stored, ("attributes", "n_rows", "solution"))
    model.attributes_ = Attributes().read(stored["attributes"], "the attributes", store)
    model.n_rows_ = WHOLE.read(stored["n_rows"], "n_rows", store)
    model.solution_ = SOLUTION.read(stored["solution"], "the solution", store)


# Estimators whose state is some attributes.


def _write_fields(model: Any, fields: dict[str, Schema], store: Store) -> dict[str, Any]:
    return {name: schema.write(getattr(model, name, None), store) for name, schema in fields.items()}


def _read_fields(model: Any, stored: Any, fields: dict[str, Schema], store: Store) -> None:
    check_names("the state", stored, fields, later=("credit_",))
    for name, schema in fields.items():
        value = schema.read(stored.get(name), name, store)
        if value is not None:
            setattr(model, name, value.copy() if isinstance(value, np.ndarray) else value)
