"""The command ``keyhole plan``: it parses options, calls ``plan`` and prints the result."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..common.parameters import ParameterError, check_positive, check_whole, is_number
from .settings import LEAST_TESTS

if TYPE_CHECKING:
    from ..observe.attributes import Attribute


# Options whose names are shorter than those of the parameters of ``plan``.
OPTIONS = {"n_worlds": "worlds", "n_jobs": "jobs"}


def plan(
    pilot: Annotated[
        Path | None,
        typer.Argument(
            help="A .csv or .parquet file, a row per example; missing cells are empty. Columns hold numbers, or two"
            " values of any kind, taken as yes or no; leave others out with --drop. Rows without a label are left out."
        ),
    ] = None,
    label: Annotated[str | None, typer.Option(help="The column to predict: numbers, or two classes.")] = None,
    total: Annotated[
        list[float] | None, typer.Option(help="The most that the whole study may cost; may be repeated.")
    ] = None,
    costs: Annotated[
        Path | None,
        typer.Option(help="CSV with the columns attribute, cost and, if there are bundles, bundle; others cost 1."),
    ] = None,
    few: Annotated[int, typer.Option(min=1, help="Attributes of predictions from few.")] = 4,
    target: Annotated[
        float | None,
        typer.Option(
            help="An error to reach, as a share of the label's variance, between 0 and 1, from all attributes and from"
            " few. It is an error if no design reaches it from all."
        ),
    ] = None,
    max_examples: Annotated[int | None, typer.Option(help="The most examples that there are.")] = None,
    drop: Annotated[list[str] | None, typer.Option(help="A column to leave out; may be repeated.")] = None,
    json: Annotated[
        Path | None, typer.Option(help="A file for the plan as JSON, with the paragraph for the protocol.")
    ] = None,
    figure: Annotated[Path | None, typer.Option(help="A file for the picture: .png, .svg or .pdf.")] = None,
    attributes: Annotated[
        int | None, typer.Option(help="Without a pilot: how many attributes there are, for the published bounds.")
    ] = None,
    tests: Annotated[int, typer.Option(min=2, help="Without a pilot: tests of each example.")] = 4,
    worlds: Annotated[int, typer.Option(help="Simulated populations; more take longer.")] = 16,
    jobs: Annotated[int, typer.Option(help="Processes at a time; -1 for all cores.")] = -1,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same plan.")] = 0,
) -> None:
    """Compare designs of a study at equal cost, from a pilot: how many examples, how many tests of each, which learner.

    Without a pilot, the published bounds for a number of attributes are stated; they are loose.
    """
    if not total:
        raise ParameterError("total", "a plan needs the most that the whole study may cost")
    if pilot is None:
        for name, given in (("target", target), ("costs", costs), ("json", json), ("figure", figure)):
            if given is not None:
                raise ParameterError(name, "this needs a pilot; give the file of one, or leave the option out", given)
        _without_pilot(attributes, total, tests)
        return
    if attributes is not None:
        raise ParameterError("attributes", "this is for a plan without a pilot; leave it out", attributes)
    if label is None:
        raise ParameterError("label", "a plan needs the name of the column to predict")
    # Here and not above: a program that only prints help must not wait for scikit-learn.
    from rich.console import Console

    from .planner import plan as make_plan
    from .report.plots import check_figure
    from .report.text import print_plan

    for name, path in (("json", json), ("figure", figure)):
        if path is not None and not path.absolute().parent.is_dir():
            raise ParameterError(name, f"there is no folder {path.parent}", path)
        if path is not None and path.is_dir():
            raise ParameterError(name, "this is a folder; give the name of a file", path)
    if figure is not None:
        check_figure(figure)
    try:
        found = make_plan(
            pilot,
            label,
            total,
            costs=None if costs is None else attributes_from(costs),
            few=few,
            target=target,
            max_examples=max_examples,
            drop=drop or (),
            n_worlds=worlds,
            n_jobs=jobs,
            random_state=seed,
        )
    except ParameterError as error:
        if error.parameter == "pilot":  # an argument, and no option
            raise ValueError(f"{pilot}: {error.message}") from None
        if error.parameter == "costs":  # the value is the file that the option named
            raise ParameterError("costs", error.message, costs) from None
        raise ParameterError(OPTIONS.get(error.parameter, error.parameter), error.message, error.value) from None
    except KeyboardInterrupt:
        typer.echo("keyhole: interrupted; nothing was written", err=True)
        raise typer.Exit(130) from None
    print_plan(found, Console())
    typer.echo(f"\nFor the protocol: {found.methods_paragraph()}\n")
    if json is not None:
        found.to_json(json)
        typer.echo(f"Plan: {json}")
    if figure is not None:
        found.plot(figure)
        typer.echo(f"Picture: {figure}")
    if target is not None:
        found.cheapest()  # an error with one sentence, if no design reaches the target from all attributes


def attributes_from(path: Path) -> list[Attribute]:
    """Descriptions of attributes with the costs and bundles of a file."""
    from ..judgments.data.costs import read_costs
    from ..observe.attributes import Attribute

    costs, bundles = read_costs(path)
    for name, cost in costs.items():
        if not is_number(cost) or cost < 0:
            what = "bundle" if name in bundles else "attribute"
            wrong = f"{what} {name!r} costs {cost:g}; a finite number, 0 or more, is needed"
            raise ParameterError("costs", wrong, path)
    inside = {attribute for members in bundles.values() for attribute in members}
    single = [Attribute(name, cost, free=cost == 0) for name, cost in costs.items() if name not in {*bundles, *inside}]
    together = [
        Attribute(name, costs[bundle], free=costs[bundle] == 0, bundle=bundle)
        for bundle, members in bundles.items()
        for name in members
    ]
    return [*single, *together]


def _without_pilot(attributes: int | None, totals: list[float], tests: int) -> None:
    from .bounds import published_bounds

    if attributes is None:
        raise ParameterError(
            "attributes", "give a pilot, or the number of attributes, for which the published bounds are then stated"
        )
    check_whole("a plan", "attributes", attributes, LEAST_TESTS)
    tests = min(tests, attributes)
    for total in totals:
        check_positive("a plan", "total", total)
        if total < tests:
            raise ParameterError("total", f"one example with {tests} tests costs {tests}, so take that or more", total)
        typer.echo(published_bounds(attributes, int(total // tests), tests))
