"""The command ``keyhole select``: it parses options, calls ``report.from_files`` and prints the result."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..common.parameters import ParameterError

if TYPE_CHECKING:
    from .report.selection import Selection


def select(
    judgments: Annotated[Path, typer.Argument(help="Long table (CSV, Parquet), Label Studio JSON, or MTurk batch.")],
    labels: Annotated[Path, typer.Option(help="CSV with the columns object and label.")],
    budget: Annotated[float, typer.Option(help="The most that the judgments of one object may cost.")],
    out: Annotated[Path, typer.Option(help="Folder for tables, figures and report.html.")],
    costs: Annotated[
        Path | None, typer.Option(help="CSV with the columns attribute, cost and, if there are bundles, bundle.")
    ] = None,
    method: Annotated[str, typer.Option(help="full, scoring, averages or copies.")] = "full",
    ridge: Annotated[float, typer.Option(help="Ridge, in units of each attribute's variance.")] = 0.0,
    max_repeats: Annotated[int | None, typer.Option(help="The most judgments of one attribute.")] = None,
    severity: Annotated[bool, typer.Option(help="Subtract each worker's severity from their judgments.")] = False,
    exclude: Annotated[list[str] | None, typer.Option(help="A worker to leave out; may be repeated.")] = None,
    gold: Annotated[Path | None, typer.Option(help="CSV of right answers: object, attribute, value.")] = None,
    gold_tolerance: Annotated[
        float | None, typer.Option(help="Exclude workers with a larger mean error on gold items.")
    ] = None,
    resamples: Annotated[int, typer.Option(help="Bootstrap resamples for the intervals; 0 for none.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same resamples.")] = 0,
    columns: Annotated[
        list[str] | None, typer.Option(help='Other names in a long table: "object=photo,value=rating".')
    ] = None,
    attributes: Annotated[list[str] | None, typer.Option(help="An attribute to read; may be repeated.")] = None,
    choices: Annotated[list[str] | None, typer.Option(help='Numbers of answers in words: "yes=1,no=0".')] = None,
    object_column: Annotated[str | None, typer.Option(help="MTurk: the Input. column that names the object.")] = None,
    object_key: Annotated[
        str | None, typer.Option(help="Label Studio: the field of data that names the object.")
    ] = None,
) -> None:
    """Choose which attributes to ask a crowd for, and how many judgments of each."""
    # Here and not above: a program that only prints help must not wait for scikit-learn.
    from .report.from_files import select_from_files

    selection = select_from_files(
        judgments=judgments,
        labels=labels,
        budget=budget,
        out=out,
        costs=costs,
        method=method,
        ridge=ridge,
        max_repeats=max_repeats,
        severity=severity,
        exclude=exclude,
        gold=gold,
        gold_tolerance=gold_tolerance,
        resamples=resamples,
        seed=seed,
        columns=parse_pairs(columns or [], "columns"),
        attributes=attributes or None,
        choices=parse_numbers(choices or [], "choices"),
        object_column=object_column,
        object_key=object_key,
    )
    _print(selection, out)


def _print(selection: Selection, out: Path) -> None:
    from .data.columns import Columns

    for message in selection.warnings:
        typer.echo(f"keyhole: warning: {message}", err=True)
    if selection.excluded:
        typer.echo(f"Excluded workers ({len(selection.excluded)}): {', '.join(selection.excluded)}")
    chosen = int((selection.selector.repeats_ > 0).sum())
    typer.echo(str(Columns({name: column[:chosen] for name, column in selection.table().items()})))
    typer.echo(selection.loss_sentences())
    typer.echo(f"Judgments to collect: {sum(selection.missing_judgments['collect'])}. Report: {out / 'report.html'}")


def parse_pairs(texts: Sequence[str], parameter: str) -> dict[str, str]:
    """Names and values from texts such as "yes=1,no=0".

    >>> parse_pairs(["object=photo,value=rating", "worker=who"], "columns")
    {'object': 'photo', 'value': 'rating', 'worker': 'who'}
    """
    out = {}
    for part in (part for text in texts for part in text.split(",")):
        name, equals, value = part.partition("=")
        if not (equals and name.strip() and value.strip()):
            raise ParameterError(parameter, f"{part!r} is not a pair NAME=VALUE; separate several pairs by commas")
        out[name.strip()] = value.strip()
    return out


def parse_numbers(texts: Sequence[str], parameter: str) -> dict[str, float]:
    """The same with numbers for values.

    >>> parse_numbers(["yes=1,no=0"], "choices")
    {'yes': 1.0, 'no': 0.0}
    """
    out = {}
    for name, value in parse_pairs(texts, parameter).items():
        try:
            out[name] = float(value)
        except ValueError:
            raise ParameterError(parameter, f"{value!r}, given for {name!r}, is not a number") from None
    return out
