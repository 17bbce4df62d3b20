"""Commands that look: status, report, history, protocol, verify, plan."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...common.parameters import ParameterError
from ...common.wording import listed
from .collecting import ask_as_data, ask_in_lines
from .options import Json, Name, Place, in_columns, in_lines, opened, plain, show

if TYPE_CHECKING:
    from ..study import Study


def status(
    place: Place,
    asks: Annotated[bool, typer.Option("--asks", help="List the asks of which something is awaited, too.")] = False,
    study: Name = None,
    as_json: Json = False,
) -> None:
    """Count examples, values, labels and money, and list what waits for somebody."""
    with opened(place, study) as found:
        counts: dict[str, Any] = found.status()
        conflicts = found.conflicts() if counts["conflicts"] else []
        waiting = found.open_asks() if asks else []
    text = [in_lines(counts)]
    for one in conflicts:
        told = ", ".join(f"{_as_told(told['value'])} ({told['person']}, {told['at']:%Y-%m-%d})" for told in one["told"])
        text.append(f"conflict: example {one['example']}, {one['attribute'] or 'label'}: {told}")
    text += [ask_in_lines(one) for one in waiting]
    data = counts | {"in conflict": conflicts} | ({"asks": [ask_as_data(one) for one in waiting]} if asks else {})
    show(as_json, data, "\n".join(text))


def _as_told(value: Any) -> str:
    from ..files.columns import as_text

    return as_text(value) if isinstance(value, float) else str(value)


def report(
    place: Place,
    target: Annotated[
        float | None, typer.Option(help="An error to reach, as a share of that of the mean label, between 0 and 1.")
    ] = None,
    study: Name = None,
    as_json: Json = False,
) -> None:
    """Describe the whole study: counts, models, what was not obtainable, conflicts and the protocol."""
    with opened(place, study) as found:
        made = found.report(target)
    data = {heading: [{"name": name, "text": text} for name, text in lines] for heading, lines in made.sections}
    show(as_json, data, str(made))


def history(place: Place, study: Name = None, as_json: Json = False) -> None:
    """List the models of all renewals: examples, money and error on held-out examples."""
    with opened(place, study) as found:
        rows = found.history()
    names = ("model", "made at", "examples", "spent or reserved", "error", "standard error", "family")
    show(as_json, rows, in_columns(rows, names) if rows else "No design was renewed yet.")


def protocol(place: Place, study: Name = None, as_json: Json = False) -> None:
    """Write the paragraph on methods for the protocol of the study."""
    with opened(place, study) as found:
        text = found.protocol()
    show(as_json, {"protocol": text}, text)


def verify(place: Place, study: Name = None, as_json: Json = False) -> None:
    """Recount everything from the log; the exit code is 1 where something is wrong."""
    with opened(place, study) as found:
        wrong, events = found.verify(), found.status()["events"]
    text = "\n".join(wrong) or f"All is right: {events:,} events were counted again."
    show(as_json, {"right": not wrong, "wrong": wrong, "events": events}, text)
    if wrong:
        raise typer.Exit(1)


def plan(
    place: Place,
    total: Annotated[
        list[float] | None,
        typer.Option(help="The most that a whole study may cost, this one's total without it; may be repeated."),
    ] = None,
    target: Annotated[
        float | None, typer.Option(help="An error to reach, as a share of the label's variance, between 0 and 1.")
    ] = None,
    worlds: Annotated[int, typer.Option(help="Simulated populations; more take longer.")] = 16,
    jobs: Annotated[int, typer.Option(help="Processes at a time; -1 for all cores.")] = -1,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same plan.")] = 0,
    study: Name = None,
    as_json: Json = False,
) -> None:
    """Compare designs at equal cost, with the study's examples so far as the pilot, and say how many more are needed.

    As long as there are too few labelled examples for a pilot, the published bounds are stated; they are loose.
    """
    from ...planning.settings import LEAST_PILOT

    if target is not None and not 0 < target < 1:
        raise ParameterError("target", "a share of the label's variance is wanted, between 0 and 1", target)
    with opened(place, study) as found:
        totals = total or ([] if found.settings["total"] is None else [float(found.settings["total"])])
        if not totals:
            raise ParameterError("total", "the study has no total, so give the most that a whole study may cost")
        if found.status()["learned from"] < LEAST_PILOT:
            _without_pilot(found, totals, LEAST_PILOT, as_json)
            return
        pilot, labels, attributes = _pilot(found)
        more = None if target is None or found.is_classifier else found.enough(target)
    from ...planning import plan as make_plan

    made = make_plan(
        pilot, labels, totals, costs=attributes, target=target, n_worlds=worlds, n_jobs=jobs, random_state=seed
    )
    data = json.loads(made.to_json()) | {"enough": plain(more)}
    show(as_json, data, str(made) if more is None else f"{made}\n{more}")


def _pilot(study: Study) -> tuple[Any, Any, list[Any]]:
    """The examples that can be learned from as a partial table: source, labels, and attributes with their costs."""
    import numpy as np

    from ...common.warn import warn_user
    from ...observe.sources import ArraySource
    from ..learning import can_be_learned
    from ..rules import VALUE
    from ..store.replay import replay

    with study.store.snapshot(study.record) as now:
        examples = [one for one in replay(now.events()).values() if can_be_learned(one)]
    kept = [i for i, a in enumerate(study.attributes) if a.kind != "choice"]
    choices = [a.name for a in study.attributes if a.kind == "choice"]
    if choices:
        warn_user(f"a plan takes numbers, so these attributes are left out of it: {listed(choices, 10)}")
    table = np.full((len(examples), len(kept)), np.nan)
    for row, one in zip(table, examples, strict=True):
        for column, i in enumerate(kept):
            if i in one.cells and one.cells[i].state == VALUE:
                row[column] = one.cells[i].fact.number
    if study.is_classifier:
        classes = sorted({str(one.label.text) for one in examples})
        if len(classes) != 2:
            raise ParameterError(
                "total", f"a plan takes numbers or two classes as labels; there are {listed(classes, 10)}"
            )
        labels = np.array([float(classes.index(str(one.label.text))) for one in examples])
    else:
        labels = np.array([one.label.number for one in examples], dtype=float)
    attributes = [study.attributes[i] for i in kept]
    plain_ones = [type(a)(a.name, a.cost, free=a.free, bundle=a.bundle) for a in attributes]
    return ArraySource(table, plain_ones), labels, plain_ones


def _without_pilot(study: Study, totals: list[float], least: int, as_json: bool) -> None:
    from ...planning.bounds import published_bounds

    n, tests = study.status()["learned from"], 2
    paid = [a for a in study.attributes if not a.free]
    if all(a.cost == 1 and a.bundle is None for a in paid):
        tests = min(max(int(study.settings["most"]), 2), len(paid))
    if len(paid) < 2 or min(totals) < study.settings["most"]:
        raise ParameterError("total", f"{n} examples can be learned from so far, and a plan needs {least}")
    text = [f"{n} examples can be learned from so far, and a plan from them needs {least}. The published bounds are:"]
    text += [str(published_bounds(len(paid), int(total // study.settings["most"]), tests)) for total in totals]
    show(as_json, {"learned from": n, "needed": least, "bounds": text[1:]}, "\n".join(text))
