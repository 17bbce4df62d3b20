"""Every public object has a docstring with numpydoc's sections; ``make lint`` runs this file as a script.

    python tests/test_numpydoc.py                   all public objects
    python tests/test_numpydoc.py keyhole.online    those defined below a package

The checks are chosen in ``[tool.numpydoc_validation]`` of ``pyproject.toml``. Three rules are added here: an example is
required of every exported class and function, but not of methods; the entries of an Attributes section are held to what
numpydoc demands of parameters; and a type slot holds a type, not a sentence.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import re
import sys
import tomllib
from pathlib import Path

import pytest
from numpydoc.docscrape import NumpyDocString, get_doc_object
from numpydoc.validate import ERROR_MSGS, validate

import keyhole as kh

ROOT = Path(__file__).parent.parent
PACKAGES = ("keyhole", "datasets", "rivals", "sampling", "judgments", "planning", "study")
LONGEST_TYPE = 90
MEMBERS = (property, functools.cached_property, classmethod, staticmethod)


def chosen_checks():
    with open(ROOT / "pyproject.toml", "rb") as file:
        checks = tomllib.load(file)["tool"]["numpydoc_validation"]["checks"]
    return set(ERROR_MSGS) - set(checks) if "all" in checks else set(checks)


CHECKS = chosen_checks()


def exported():
    """Every object in an ``__all__``, by the full name of where it is defined."""
    found = {}
    for package in PACKAGES:
        name = package if package == "keyhole" else f"keyhole.{package}"
        if importlib.util.find_spec(name) is None:
            continue
        module = importlib.import_module(name)
        for public in module.__all__:
            thing = getattr(module, public)
            if not inspect.ismodule(thing) and callable(thing):
                found[f"{thing.__module__}.{thing.__qualname__}"] = thing
    return found


def members(cls):
    """Public methods and properties of a class that Keyhole defines, those of its bases included."""
    for base in cls.__mro__:
        if base.__module__.split(".")[0] != "keyhole":
            continue
        for name, member in vars(base).items():
            if not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, MEMBERS)):
                yield f"{base.__module__}.{base.__qualname__}.{name}", member


def public_objects():
    """Pairs of a full name and an object, the exported ones and their members."""
    objects = exported()
    for thing in list(objects.values()):
        if inspect.isclass(thing):
            objects |= dict(members(thing))
    return objects


def plain(thing):
    """The function of a compiled function, a class method or a static method."""
    return getattr(thing, "py_func", getattr(thing, "__func__", thing))


def problems(name, thing, is_exported):
    """One line for each way in which a docstring falls short."""
    thing = plain(thing)
    if not inspect.getdoc(thing):
        return [f"{name}: GL08 {ERROR_MSGS['GL08']}"]
    report = validate(get_doc_object(thing))
    found = [(code, message) for code, message in report["errors"] if code in CHECKS]
    if not is_exported or (inspect.isclass(thing) and issubclass(thing, Exception)):
        found = [(code, message) for code, message in found if code != "EX01"]
    if getattr(thing, "_is_protocol", False):  # nobody makes one: it has no parameters
        found = [(code, message) for code, message in found if code != "PR01"]
    sections = NumpyDocString(inspect.getdoc(thing) or "")
    for entry in sections["Attributes"]:
        text = " ".join(entry.desc).strip()
        if not entry.type:
            found.append(("AT04", f'Attribute "{entry.name}" has no type'))
        if not text or not text[0].isupper() or not text.endswith("."):
            found.append(("AT07", f'Attribute "{entry.name}" has no description that is a sentence'))
    for section in ("Parameters", "Attributes", "Returns"):
        for entry in sections[section]:
            if len(entry.type) > LONGEST_TYPE or re.search(r"[.;:] ", entry.type):
                found.append(("TY01", f'The type slot of "{entry.name or section}" holds a sentence: {entry.type!r}'))
    place = f"{Path(report['file']).relative_to(ROOT)}:{report['file_line']}: " if report["file"] else ""
    return [f"{place}{name}: {code} {message}" for code, message in found]


def all_problems(prefixes=()):
    top = exported()
    return [
        line
        for name, thing in sorted(public_objects().items())
        if name.startswith(tuple(prefixes) or "keyhole")
        for line in problems(name, thing, name in top)
    ]


@pytest.mark.parametrize("name", sorted(public_objects()))
def test_docstring(name):
    lines = problems(name, public_objects()[name], name in exported())
    assert not lines, "\n".join(lines)


def test_what_falls_short_is_reported():
    """The checks themselves: a missing parameter, a wrong order, no type, no return, prose in a type slot."""

    def wrong(a, b, c):
        """summary without a capital

        Parameters
        ----------
        b : int
            The second.
        a : as for AERR; the first one of them all
            The first.
        """
        return a

    found = " ".join(problems("wrong", wrong, True))
    for code in ("PR01", "RT01", "SS02", "SS03", "EX01", "TY01"):
        assert f"wrong: {code}" in found


PUBLISHED = [
    kh.AER(4),
    kh.Baseline(4),
    kh.AERR(4),
    kh.AELR(4),
    kh.AESVR(8),
    kh.AEAnalytic(8),
    kh.IdentityCorrelation(4),
    kh.DDAERR(4, warmup=10),
    kh.DDAELR(4, warmup=10),
    kh.Exploration(4, 2, batch_size=5),
    kh.Hybrid(4, 2, explore_batch=5),
    kh.Exploitation(4, [1.0, 1.0, 0, 0, 0, 0, 0, 0]),
    kh.Dantzig(4, 2),
    kh.DualAveraging(4, 2),
    kh.rivals.CompleteRows(4),
    kh.rivals.ScreenedPanel(4),
    kh.rivals.ImputeThenRidge(4, 1, turns=1),
]
WORKING_MEMORY = {"rng_", "seed_", "marks_", "free_", "candidates_", "solved_"}


@pytest.mark.parametrize("learner", PUBLISHED, ids=lambda learner: type(learner).__name__)
def test_attributes_of_a_fitted_learner_are_documented(learner):
    import numpy as np
    import pandas as pd

    X = np.random.default_rng(0).normal(size=(60, 8))
    frame = pd.DataFrame(X, columns=list("abcdefgh"))
    learner.set_params(keep_ledger=True, random_state=0).fit(frame, X[:, 0])
    fitted = {name for name in dir(learner) if name.endswith("_") and not name.startswith("_")}
    documented = {entry.name for entry in NumpyDocString(inspect.getdoc(type(learner)))["Attributes"]}
    assert fitted - WORKING_MEMORY == documented


if __name__ == "__main__":
    lines = all_problems(sys.argv[1:])
    print("\n".join(lines))
    sys.exit(f"{len(lines)} problems in docstrings" if lines else 0)
