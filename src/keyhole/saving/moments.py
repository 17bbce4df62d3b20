"""Schemas of Keyhole's own learner: its policy, and its solution."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..moments.families.family import Family
from ..moments.families.registry import FAMILIES
from ..moments.policy.offers import Offers
from ..moments.policy.policy import Policy
from ..moments.solution import Solution
from ..moments.standard.joint import JointMoments
from ..moments.standard.knots import Knots
from ..moments.standard.scales import Scales
from ..moments.standard.values import MAPS, Values
from .observed import NUMBER, PANELS, WHOLE
from .schema import Array, ListOf, Optional, Plain, Record, Schema, Store

OFFERS = Record(
    Offers,
    {
        "free": Array("int64", None),
        "members": Array("int64", None),
        "first": Array("int64", None),
        "cost": Array("float64", None),
        "limit": NUMBER,
        "equal_costs": Plain(bool),
    },
)


def _new_policy(**parts: Any) -> Policy:
    """Earlier versions had no designs that leave out some attributes, and tried one fixed set."""
    nothing = tuple(np.empty(0, dtype=np.int64) for _ in parts["designs"])
    return Policy(**{"excluded": nothing} | parts)


def _wrong_policy(policy: Policy) -> str:
    whole = sum(not len(excluded) for excluded in policy.excluded)
    if len(policy.designs) != len(policy.excluded) or not whole == len(policy.starts) == len(policy.selected) > 0:
        return "every design needs a start and a selection"
    return ""


POLICY = Record(
    _new_policy,
    {
        "offers": OFFERS,
        "designs": ListOf(PANELS, tuple),
        "starts": ListOf(WHOLE, tuple),
        "selected": ListOf(Array("int64", None), tuple),
        "uniform_rows": WHOLE,
        "growth": Plain(float),
        "excluded": ListOf(Array("int64", None), tuple),
        "next_at": WHOLE,
    },
    check=lambda policy, _: _wrong_policy(policy),
    later=("excluded", "next_at"),
)
KNOTS = Record(
    Knots,
    {"first": Array("int64", None), "values": Array("float64", "knots"), "ranks": Array("float64", "knots")},
)
VALUES = Record(
    Values,
    {
        "knots": KNOTS,
        "heights": Array("float64", "knots"),
        "shares": Array("float64", None, len(MAPS)),
        "n_columns": Array("int64", None),
    },
    check=lambda values, _: _fits_together(values),
    own=("knots",),
)


def _fits_together(values: Values) -> str:
    """Why values cannot be what was saved; empty where they can."""
    first = values.knots.first
    if not len(values.heights):
        return ""
    ascending = len(first) > 0 and first[0] == 0 and (np.diff(first) >= 0).all() and first[-1] == len(values.heights)
    return "" if ascending and len(values.shares) == len(first) - 1 else "knots, heights and shares do not fit together"


def _wrong_columns(values: Values, n_columns: int) -> str:
    """Why values do not make so many columns; empty where they do."""
    found = len(values.shares) if len(values.heights) else n_columns
    if values.has_choices:
        same = len(values.n_columns) == found or not len(values.heights)
        found = int(values.n_columns.sum()) if same and (values.n_columns > 0).all() else -1
    return "" if found == n_columns else f"the values do not make {n_columns} columns; the file is damaged"


SCALES = Record(
    Scales,
    {
        "mean": Array("float64", "D"),
        "scale": Array("float64", "D"),
        "label_mean": Array("float64", "L"),
        "label_scale": Array("float64", "L"),
        "values": VALUES,
        "label_low": Array("float64", "L"),
        "label_high": Array("float64", "L"),
    },
    check=lambda scales, _: _wrong_columns(scales.values, len(scales.mean)),
    get=lambda scales: (
        scales._asdict()
        | {
            name: np.array(np.broadcast_to(getattr(scales, name), scales.label_mean.shape))
            for name in ("label_low", "label_high")
        }
    ),
    later=("values", "label_low", "label_high"),
)
JOINT = Record(
    JointMoments,
    {
        "mean": Array("float64", "D"),
        "loadings": Array("float64", "D", "r"),
        "noise": Array("float64", "D"),
        "label_mean": Array("float64", "L"),
        "label_loadings": Array("float64", "L", "r"),
        "label_noise": Array("float64", "L"),
        "residual_cross": Array("float64", "D", "L"),
    },
    own=("r",),
)


# Families of earlier versions.
RETIRED = ("descent",)


class FamilyName(Schema):
    """A family, by its name in the registry."""

    def write(self, value: Family, store: Store) -> Any:
        return value.name

    def read(self, stored: Any, where: str, store: Store) -> Family:
        if stored in RETIRED:  # its predictor is in the joint moments
            return FAMILIES["factors"]
        if not isinstance(stored, str) or stored not in FAMILIES:
            raise ValueError(f"{where} is {stored!r:.50}; the families are {', '.join(FAMILIES)}")
        return FAMILIES[stored]


class Candidates(Schema):
    """What was compared: names, whether each was kept, reasons and numbers."""

    def write(self, value: list[dict[str, Any]], store: Store) -> Any:
        plain = Plain(str, bool, int, float)
        return [{name: plain.write(part, store) for name, part in one.items()} for one in value]

    def read(self, stored: Any, where: str, store: Store) -> list[dict[str, Any]]:
        if not isinstance(stored, list) or not all(isinstance(one, dict) for one in stored):
            raise ValueError(f"{where} is {stored!r:.50}; it must be a list of named parts")
        plain = Plain(str, bool, int, float)
        return [{name: plain.read(part, f"{where}.{name}", store) for name, part in one.items()} for one in stored]


class Members(Schema):
    """The families of an average, by name, each with its weight."""

    def write(self, value: tuple[tuple[Family, float], ...], store: Store) -> Any:
        return [[family.name, weight] for family, weight in value]

    def read(self, stored: Any, where: str, store: Store) -> tuple[tuple[Family, float], ...]:
        if not isinstance(stored, list) or not all(isinstance(one, list) and len(one) == 2 for one in stored):
            raise ValueError(f"{where} is {stored!r:.50}; it must be a list of families with their weights")
        name, weight = FamilyName(), Plain(float)
        return tuple((name.read(one[0], where, store), weight.read(one[1], where, store)) for one in stored)


_PARTS: dict[str, Schema] = {
    "joint": JOINT,
    "scales": SCALES,
    "coef": Array("float64", "L", "D"),
    "intercept": Array("float64", "L"),
    "usefulness": Array("float64", "D"),
    "family": FamilyName(),
    "candidates": Candidates(),
}
# An average begins with a start, which may be a sparse predictor that is derived from another start.
_BEGUN = Record(Solution, _PARTS)
_START = Record(Solution, _PARTS | {"start": Optional(_BEGUN)}, later=("start",))
SOLUTION = Record(
    Solution, _PARTS | {"start": Optional(_START), "members": Members()}, own=("L", "D"), later=("members",)
)


class Classes(Schema):
    """The classes of a classifier: text, or numbers of any type."""

    def write(self, value: np.ndarray, store: Store) -> Any:
        if value.dtype.kind in "OUS":
            return {"text": [str(one) for one in value], "dtype": "object" if value.dtype.kind == "O" else "str"}
        return {"numbers": value.tolist(), "dtype": str(value.dtype)}

    def read(self, stored: Any, where: str, store: Store) -> np.ndarray:
        names = set(stored) if isinstance(stored, dict) else set()
        if names == {"text", "dtype"} and stored["dtype"] in ("object", "str"):
            return np.array(stored["text"], dtype=object if stored["dtype"] == "object" else None)
        if names == {"numbers", "dtype"} and np.dtype(stored["dtype"]).kind in "biuf":
            return np.array(stored["numbers"], dtype=stored["dtype"])
        raise ValueError(f"{where} is {stored!r:.50}; it must hold classes, as text or as numbers")
