"""The settings of a new study, checked as a whole before anything is made."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .._version import __version__
from ..common.parameters import ParameterError, check_positive, is_whole
from ..errors import StudyError
from ..observe.attributes import Attribute
from .constraints import Constraints, constraints_of, for_the_design
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
    constraints = constraints_of(described, forbidden)
    every = PriceList(described).price(range(len(described)))
    if not every:
        raise StudyError("every attribute is free, so there is nothing to choose; a study needs attributes with a cost")
    check_positive("Study", "lease", lease)
    if not isinstance(owner, str) or not owner.strip():
        raise StudyError(f"owner={owner!r}: a person has a name")
    name, params = learner_of(learner)
    names = None if classes is None else class_names(classes, name)
    if seed is not None and not is_whole(seed):
        raise ParameterError("seed", "a study needs a whole number, or None", seed)
    if budget is not None:
        check_positive("Study", "budget", budget)
        check_affordable(float(budget), described, constraints)
    most = amount(every) if budget is None else min(float(budget), amount(every))
    if total is not None:
        check_positive("Study", "total", total)
        if budget is None:
            raise ParameterError(
                "total",
                "without a budget every attribute of the first examples would be asked for until it is spent; give the"
                f" most that one example may cost as well (budget={most:g} asks for everything)",
                total,
            )
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
        "classes": names,
        "forbidden": [list(pair) for pair in forbidden],
        "lease": float(lease),
        "walk_ins": bool(walk_ins),
        "seed": secrets.randbelow(2**31) if seed is None else int(seed) % 2**32,
        "owner": owner,
        "keyhole": __version__,
    }
    return described, settings, first_design(begun(settings, described))


def class_names(classes: Sequence[Any], learner: str) -> list[str]:
    """The classes as texts: two or more, all different."""
    if learner != "KeyholeClassifier":
        raise ParameterError("classes", "labels are numbers, unless the learner is a KeyholeClassifier")
    names = [] if isinstance(classes, str) else [str(one).strip() for one in classes]
    if len(names) < 2 or len(set(names)) < len(names) or not all(names):
        raise ParameterError("classes", "a list of two or more different names of classes is wanted", classes)
    return names


def check_affordable(budget: float, attributes: Sequence[Attribute], constraints: Constraints) -> None:
    """Raise if a budget pays for no attribute, together with what is ordered with it."""
    cheapest = min((a for a in for_the_design(attributes, constraints) if not a.free), key=lambda a: a.cost)
    if budget < cheapest.cost:
        raise ParameterError(
            "budget", f"the cheapest attribute, {cheapest.name!r}, costs {cheapest.cost:g}; give that or more", budget
        )


def described_attributes(attributes: Iterable[Attribute | str]) -> tuple[Attribute, ...]:
    """Attributes by name or with a description; names must differ."""
    listed = not isinstance(attributes, str | Mapping) and isinstance(attributes, Iterable)
    given: list[Any] = list(attributes) if listed else []
    if not given:
        raise StudyError(f"attributes={attributes!r:.60}: it must be a list of names, or of Attribute")
    described = []
    for one in given:
        if not isinstance(one, str | Attribute):
            raise StudyError(f"{one!r} is no attribute; give a name or an Attribute")
        described.append(Attribute(str(one)) if isinstance(one, str) else one)
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
