"""Commands that make a study: create, add, person."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ...common.parameters import ParameterError
from .options import Json, Name, Person, Place, in_columns, opened, show

HOUR = 3600.0


def create(
    place: Place,
    name: Annotated[str, typer.Argument(help="The name of the study.")],
    attributes: Annotated[
        Path | None,
        typer.Option(help="A CSV file with the columns of a data dictionary, of which only attribute is needed."),
    ] = None,
    attribute: Annotated[list[str] | None, typer.Option(help="The name of an attribute; may be repeated.")] = None,
    budget: Annotated[
        float | None, typer.Option(help="The most attributes of one example, or the most cost; everything without it.")
    ] = None,
    total: Annotated[float | None, typer.Option(help="The most for all examples together.")] = None,
    classes: Annotated[
        str | None, typer.Option(help="The classes that a label may be: a,b. Else it is a number.")
    ] = None,
    classifier: Annotated[bool, typer.Option("--classifier", help="Labels are classes, of any name.")] = False,
    forbid: Annotated[
        list[str] | None, typer.Option(help="Two attributes never to ask of one example: mri,ct; may be repeated.")
    ] = None,
    lease: Annotated[float, typer.Option(help="For how many hours an example is kept for who asked for it.")] = 24.0,
    n_expected: Annotated[int | None, typer.Option(help="How many examples are expected.")] = None,
    queue_only: Annotated[bool, typer.Option("--queue-only", help="Ask only for examples that were added.")] = False,
    seed: Annotated[int | None, typer.Option(min=0, help="The seed of all draws; a secret one without it.")] = None,
    owner: Annotated[str, typer.Option(help="The name of the first person.")] = "owner",
    as_json: Json = False,
) -> None:
    """Make a study, in a file or a database."""
    from .. import Study

    if (attributes is None) == (not attribute):
        raise ParameterError("attributes", "give a file that describes them, or --attribute for each name")
    described: list[Any] = list(attribute or ())
    if attributes is not None:
        from ..files.dictionary import read_attributes

        described = read_attributes(attributes)
    named = None if classes is None else [one.strip() for one in classes.split(",") if one.strip()]
    if named is not None and len(set(named)) < 2:
        raise ParameterError("classes", "two or more names with commas between them are needed", classes)
    study = Study.create(
        place,
        name,
        described,
        budget=_whole_if_it_is(budget),
        total=_whole_if_it_is(total),
        learner="KeyholeClassifier" if classifier or named is not None else None,
        n_expected=n_expected,
        classes=named,
        forbidden=[[part.strip() for part in pair.split(",")] for pair in forbid or ()],
        lease=lease * HOUR,
        walk_ins=not queue_only,
        seed=seed,
        owner=owner,
    )
    study.close()
    settings = study.settings
    text = f"Study {name!r}: {len(study.attributes)} attributes, at most {settings['most']:g} of each example"
    text += "" if total is None else f", {total:g} in all"
    show(as_json, {"study": name, "attributes": len(study.attributes), "settings": settings}, f"{text}. {place}")


def add(
    place: Place,
    examples: Annotated[list[str] | None, typer.Argument(help="The names of examples.")] = None,
    file: Annotated[Path | None, typer.Option(help="A text file with a name on each line.")] = None,
    study: Name = None,
    person: Person = None,
    as_json: Json = False,
) -> None:
    """Queue examples; those that are there already are left as they are."""
    names = list(examples or ())
    if file is not None:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
        names += [line.strip() for line in lines if line.strip()]
    if not names:
        raise ParameterError("file", "no example was named; give names, or a file with a name on each line")
    with opened(place, study, person) as found:
        n = found.add_examples(names)
    there = len(names) - n
    show(
        as_json,
        {"added": n, "there already": there},
        f"Added {n:,} {'example' if n == 1 else 'examples'}" + (f"; {there:,} were there" * bool(there)),
    )


def person(
    place: Place,
    name: Annotated[str | None, typer.Argument(help="The name of a new person; the list of all without it.")] = None,
    role: Annotated[
        str, typer.Option(help="owner, collector, or reader, who may look and change nothing.")
    ] = "collector",
    study: Name = None,
    by: Annotated[str | None, typer.Option("--person", help="Who adds; the owner without it.")] = None,
    as_json: Json = False,
) -> None:
    """Add a person, or list all."""
    from ..asks import moment

    with opened(place, study, by) as found:
        if name is not None:
            found.add_person(name, role)
        with found.store.snapshot(found.record) as now:
            people = [one | {"added_at": moment(one["added_at"])} for one in now.people()]
    if name is None:
        show(as_json, people, in_columns(people, ("name", "role", "added_by", "added_at")))
    else:
        show(as_json, next(one for one in people if one["name"] == name), f"{name}, {role}")


def _whole_if_it_is(value: float | None) -> float | int | None:
    return int(value) if value is not None and value.is_integer() else value
