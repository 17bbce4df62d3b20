"""Commands of every day: ask, tell, label, correct, cancel, release, allocate."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...common.parameters import ParameterError
from ...errors import StudyError
from ..rules import ASKED
from .options import Json, Name, Overwrite, Person, Place, opened, pairs_of, show

if TYPE_CHECKING:
    from ...observe.attributes import Attribute
    from ..asks import StudyAsk
    from ..store.base import Told
    from ..study import Study

Reason = Annotated[str, typer.Option(help="Why, in words.")]
Number = Annotated[int, typer.Argument(metavar="ASK", help="The number of the ask.")]
Example = Annotated[str, typer.Argument(help="The name of the example.")]
LABEL = "label"


def ask(
    place: Place,
    example: Annotated[
        list[str] | None, typer.Option(help="The name of an example; the next of the queue without it.")
    ] = None,
    number: Annotated[int, typer.Option("-n", "--number", min=1, help="How many examples.")] = 1,
    unavailable: Annotated[
        list[str] | None, typer.Option(help="An attribute that cannot be had now; may be repeated.")
    ] = None,
    study: Name = None,
    person: Person = None,
    as_json: Json = False,
) -> None:
    """Say what to find out of the next example, or of a named one."""
    if example and number != 1:
        raise ParameterError("number", "it counts examples of the queue; leave it out where examples are named", number)
    with opened(place, study, person) as found:
        asks = found.ask_many(example or number, unavailable=unavailable or ())
        text = "\n".join(map(ask_in_lines, asks))
        if len(asks) < (len(example) if example else number):
            text += ("\n" if text else "") + _why_no_more(found)
    show(as_json, {"asks": [ask_as_data(one) for one in asks]}, text)


def _why_no_more(study: Study) -> str:
    counts = study.status()
    if counts["left"] is not None and counts["left"] < study.settings["most"]:
        most = study.settings["most"]
        return f"No more asks: {counts['left']:g} is left of the total, and an example may cost {most:g}."
    return "No more asks: the queue is empty; add examples, or name one with --example."


def ask_in_lines(one: StudyAsk) -> str:
    """An ask, with a line for each attribute."""
    until = "" if one.lease_until is None else f", until {one.lease_until:%Y-%m-%d %H:%M} UTC"
    lines = [f"ask {one.id}, example {one.example}, cost {one.cost:g}{until}"]
    for a in one.attributes:
        about = [a.unit or "", " or ".join(a.choices), "" if a.kind in ("number", "choice") else a.kind]
        words = ", ".join(part for part in about if part)
        state = "" if a.state == ASKED else f": {a.state}"
        lines.append(f"  {a.name}" + (f" ({words})" if words else "") + state)
    return "\n".join(lines)


def ask_as_data(one: StudyAsk) -> dict[str, Any]:
    """An ask for machines."""
    return one._asdict() | {"awaited": one.awaited}


def tell(
    place: Place,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="ASK [NAME=VALUE]...", help="The number of the ask, and values; a unit may follow one."),
    ] = None,
    label: Annotated[str | None, typer.Option(help="The label of the example.")] = None,
    not_obtainable: Annotated[
        list[str] | None, typer.Option(help="An attribute that cannot be had, and why: NAME=REASON; may be repeated.")
    ] = None,
    found: Annotated[
        str | None, typer.Option(help="The name of an example, in place of an ask: values found without one.")
    ] = None,
    study: Name = None,
    person: Person = None,
    as_json: Json = False,
) -> None:
    """Record results: values, the label, what cannot be had. The same again does no harm."""
    given = list(words or ())
    number = None if found is not None else _ask_number(given.pop(0) if given else "")
    with opened(place, study, person) as opened_study:
        names = [a.name for a in opened_study.attributes]
        reasons = pairs_of(not_obtainable or (), names, "NAME=REASON, as in iron=refused")
        values = _values(pairs_of(given, names), opened_study.attributes)
        if number is not None:
            told = opened_study.tell(number, values, label, not_obtainable=reasons)
        elif reasons:
            raise ParameterError("not_obtainable", "what was not asked for cannot be not obtainable; give an ask")
        else:
            told = opened_study.tell_found(found, values, label)
    _show_told(as_json, told)


def _ask_number(word: str) -> int:
    if not word.isdecimal():
        given = f", not {word!r}" if word else ""
        raise StudyError(f"give the number of the ask first{given}; --found EXAMPLE tells without an ask")
    return int(word)


def _values(pairs: dict[str, str], attributes: Sequence[Attribute]) -> dict[str, Any]:
    """Values as they are told; "14.2 umol/l" of a number is a value with its unit."""
    kinds = {a.name: a.kind for a in attributes}
    values: dict[str, Any] = {}
    for name, text in pairs.items():
        value, _, unit = text.partition(" ")
        values[name] = (value, unit.strip()) if unit and kinds.get(name) == "number" else text
    return values


def _show_told(as_json: bool, told: Told) -> None:
    parts = [("Recorded", told.recorded), ("Told before", told.repeated), ("In conflict", told.conflicts)]
    show(as_json, told, "\n".join(f"{what}: {', '.join(names)}" for what, names in parts if names))


def label(
    place: Place,
    example: Example,
    value: Annotated[str, typer.Argument(metavar="LABEL", help="The label.")],
    study: Name = None,
    person: Person = None,
    as_json: Json = False,
) -> None:
    """Record the label of an example."""
    with opened(place, study, person) as found:
        told = found.label(example, value)
    _show_told(as_json, told)


def correct(
    place: Place,
    example: Example,
    attribute: Annotated[str, typer.Argument(help="The attribute; label for the label.")],
    value: Annotated[str, typer.Argument(help="The right value.")],
    reason: Reason,
    study: Name = None,
    person: Person = None,
    as_json: Json = False,
) -> None:
    """Say which value is right, after an error or a conflict; what was told before stays in the log."""
    with opened(place, study, person) as found:
        values = _values({attribute: value}, found.attributes)
        found.correct(example, None if attribute == LABEL else attribute, values[attribute], reason)
    data = {"example": example, "attribute": attribute, "value": value}
    show(as_json, data, f"Corrected: example {example}, {attribute} is {value}")


def cancel(
    place: Place, number: Number, reason: Reason, study: Name = None, person: Person = None, as_json: Json = False
) -> None:
    """Give up what was not told of an ask; its money is released."""
    with opened(place, study, person) as found:
        found.cancel(number, reason)
        left = found.status()["left"]
    text = f"Cancelled: ask {number}" + ("" if left is None else f"; {left:g} is left of the total")
    show(as_json, {"ask": number, "state": "cancelled", "left": left}, text)


def release(place: Place, number: Number, study: Name = None, person: Person = None, as_json: Json = False) -> None:
    """End the lease of an ask, so that somebody else may take the example, with the same attributes."""
    with opened(place, study, person) as found:
        found.release(number)
    show(as_json, {"ask": number, "state": "released"}, f"Released: ask {number}")


def allocate(
    place: Place,
    n: Annotated[int, typer.Argument(min=1, help="How many examples.")],
    out: Annotated[Path, typer.Option(help="A .csv file for the list; the site fills it in, and import reads it.")],
    prefix: Annotated[str, typer.Option(help="What names of examples that are added begin with.")] = "allocated-",
    overwrite: Overwrite = False,
    study: Name = None,
    person: Person = None,
    as_json: Json = False,
) -> None:
    """Draw for the next examples now, and write the list that a site works with offline."""
    from ..files.allocation import write_allocation
    from ..files.beside import checked_place
    from ..files.columns import format_of

    format_of(checked_place(out, overwrite))  # before anything is drawn
    with opened(place, study, person) as found:
        asks = found.allocate(n, prefix=prefix)
        why = _why_no_more(found) if len(asks) < n else ""
    write_allocation(out, asks, overwrite)
    text = f"Allocated {len(asks):,} examples, cost {sum(one.cost for one in asks):g}. {out}"
    data = {"asks": [ask_as_data(one) for one in asks], "file": out}
    show(as_json, data, f"{text}\n{why}".rstrip())
