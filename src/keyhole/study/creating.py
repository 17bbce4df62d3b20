"""The settings of a new study, checked as a whole before anything is made."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from .._version import __version__
from ..common.parameters import ParameterError, check_positive, is_whole
from ..errors import StudyError
from ..observe.attributes import Attribute
from .constraints import constraints_of
from .learning import LEARNERS, begun, first_design
from .money import PriceList, amount, millionths
from .store.base import NewDesign

# What a study decides itself.
OWN = ("budget", "total", "costs", "n_expected", "random_state", "keep_ledger")


def settings_of(
    attributes: Sequence[Attribute | str],
    budget: float | None,
    total: float | None,
    learner: Any,
    n_expected: int | None,
    classes: Sequence[Any] | None,
    forbidden: Sequence[Sequence[str]],
    lease: float,
    walk_ins: bool,
    seed: int | None,
    owner: str,
) -> tuple[tuple[Attribute, ...], dict[str, Any], NewDesign]:
    """The described attributes, the settings, and the design of the first examples."""
    described = described_attributes(attributes)
    constraints_of(described, forbidden)
    every = PriceList(described).price(range(len(described)))
    if not every:
        raise StudyError("every attribute is free, so there is nothing to choose; a study needs attributes with a cost")
    check_positive("Study", "lease", lease)
    if not isinstance(owner, str) or not owner.strip():
        raise StudyError(f"owner={owner!r}: a person has a name")
    name, params = learner_of(learner)
    if classes is not None and name != "KeyholeClassifier":
        raise ParameterError("classes", "labels are numbers, unless the learner is a KeyholeClassifier")
    if seed is not None and not is_whole(seed):
        raise ParameterError("seed", "a study needs a whole number, or None", seed)
    if budget is not None:
        check_positive("Study", "budget", budget)
    most = amount(every) if budget is None else min(float(budget), amount(every))
    if total is not None:
        check_positive("Study", "total", total)
        if millionths(total, "the total") < millionths(most, "the budget"):
            raise ParameterError(
                "total", f"one example may cost {most:g}, so this pays for none; give more, or a smaller budget", total
            )
    settings = {
        "budget": None if budget is None or float(budget) >= amount(every) else budget,
        "most": most,
        "total": total,
        "learner": name,
        "learner_params": params,
        "n_expected": None if n_expected is None else int(n_expected),
        "classes": None if classes is None else [str(one) for one in classes],
        "forbidden": [list(pair) for pair in forbidden],
        "lease": float(lease),
        "walk_ins": bool(walk_ins),
        "seed": secrets.randbelow(2**31) if seed is None else int(seed) % 2**32,
        "owner": owner,
        "keyhole": __version__,
    }
    return described, settings, first_design(begun(settings, described))


def described_attributes(attributes: Sequence[Attribute | str]) -> tuple[Attribute, ...]:
    """Attributes by name or with a description; names must differ."""
    if isinstance(attributes, str) or not isinstance(attributes, Sequence) or not len(attributes):
        raise StudyError(f"attributes={attributes!r:.60}: it must be a list of names, or of Attribute")
    described = []
    for one in attributes:
        if not isinstance(one, str | Attribute):
            raise StudyError(f"{one!r} is no attribute; give a name or an Attribute")
        described.append(Attribute(one) if isinstance(one, str) else one)
    names = [a.name for a in described]
    for name in names:
        if not str(name).strip() or name == "label":
            raise StudyError(f"{name!r} cannot be the name of an attribute")
        if names.count(name) > 1:
            raise StudyError(f"two attributes are called {name!r}; names must differ")
    return tuple(described)


def learner_of(learner: Any) -> tuple[str, dict[str, Any]]:
    """The name of a learner, and those of its parameters that a study takes over."""
    if learner is None:
        return "KeyholeRegressor", {}
    if isinstance(learner, str) and learner in LEARNERS:
        return learner, {}
    name = type(learner).__name__
    if name not in LEARNERS or not isinstance(learner, LEARNERS[name]):
        raise ParameterError(
            "learner",
            "a study is learned by a KeyholeRegressor or a KeyholeClassifier, whose designs are known before the values"
            " come; the published learners choose each example's attributes by what they have just learned",
            learner,
        )
    usual, given = LEARNERS[name]().get_params(), learner.get_params()
    for one in OWN:
        if given[one] != usual[one] and one not in ("random_state", "keep_ledger"):
            raise ParameterError("learner", f"{one} is given to Study.create, and not to the learner")
    params = {key: value for key, value in given.items() if key not in OWN and value != usual[key]}
    for key, value in params.items():
        if not isinstance(value, str | int | float | bool | None | dict | list):
            raise ParameterError("learner", f"its parameter {key}={value!r} cannot be kept in a database")
    return name, params
