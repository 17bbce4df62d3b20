"""The command ``keyhole select``: from exported judgments to a selection, its shopping list and a report."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from keyhole.errors import BadValue

from .columns import Columns
from .crew import workers_failing_gold
from .doubt import ImpossibleLoss
from .independence import DependentJudgments
from .labels import align_labels
from .measure import validated_losses
from .readers import read_costs, read_gold, read_judgments, read_labels
from .regressor import missing_judgments
from .selection_folder import Selection, write_selection
from .selector import MultiSelector
from .severity import correct_severity
from .stability import bootstrap
from .table import Judgments
from .wording import in_options, numbers, pairs

# Warnings that a user of the command must see.
SAID = (DependentJudgments, ImpossibleLoss)


def select_to_folder(
    judgments: Path,
    labels: Path,
    budget: float,
    out: Path,
    costs: Path | None = None,
    method: str = "full",
    ridge: float = 0.0,
    max_repeats: int | None = None,
    severity: bool = False,
    exclude: list[str] | None = None,
    gold: Path | None = None,
    gold_tolerance: float | None = None,
    resamples: int = 200,
    random_state: int = 0,
    **reading: Any,
) -> Selection:
    """Select from files and write tables, pictures and report.html into the folder ``out``.

    ``reading`` goes to ``read_judgments``. With 0 resamples there are no intervals.
    """
    given = read_judgments(judgments, **reading)
    known = read_labels(labels)
    answers = None if gold is None else read_gold(gold)
    excluded = list(exclude or [])
    if gold_tolerance is not None:
        if answers is None:
            raise ValueError("a tolerance on gold items needs the gold items: give a file with their known answers")
        excluded += [w for w in workers_failing_gold(given, answers, gold_tolerance) if w not in excluded]
    table = given.without_workers(excluded) if excluded else given
    if answers is not None:
        table = _without_gold_objects(table, {thing for thing, _ in answers} - set(known))
    y = align_labels(known, table, positional=False)
    price, bundles = ({}, {}) if costs is None else read_costs(costs)
    selector = MultiSelector(budget, method, price or None, ridge, bundles or None, max_repeats=max_repeats)
    used = correct_severity(table) if severity else table
    with warnings.catch_warnings(record=True) as caught:
        for category in SAID:
            warnings.simplefilter("always", category)
        selector.fit(used, y)
    stability = bootstrap(selector, used, y, resamples, random_state=random_state) if resamples else None
    budgets = [float(b) for b in np.unique(np.linspace(0, budget, 9)[1:])]
    losses: Columns | str
    try:
        losses = validated_losses(selector, used, y, budgets, folds=min(5, len(y)))
    except BadValue as reason:  # so few judgments of some attribute that a part of the objects lacks them
        losses = str(reason)
    selection = Selection(
        selector,
        stability,
        missing_judgments(used, selector.repeats_),
        losses,
        [in_options(str(w.message)) for w in caught if issubclass(w.category, SAID)],
        excluded,
    )
    write_selection(selection, used, given, answers, Path(out))
    return selection


def _without_gold_objects(table: Judgments, only_gold: set[str]) -> Judgments:
    """Objects that were shown only to test workers have no label and no place in the selection."""
    return table.keep_objects([i for i, name in enumerate(table.objects) if name not in only_gold])


def select(
    judgments: Annotated[Path, typer.Argument(help="Long table (CSV, Parquet), Label Studio JSON, MTurk batch.")],
    labels: Annotated[Path, typer.Option(help="CSV with the columns object and label.")],
    budget: Annotated[float, typer.Option(help="Most that the judgments of one object may cost.")],
    out: Annotated[Path, typer.Option(help="Folder for tables, pictures and report.html.")],
    costs: Annotated[
        Path | None, typer.Option(help="CSV with the columns attribute, cost and, if any, bundle.")
    ] = None,
    method: Annotated[str, typer.Option(help="full, scoring, averages or copies.")] = "full",
    ridge: Annotated[float, typer.Option(help="Ridge, in units of each attribute's variance.")] = 0.0,
    max_repeats: Annotated[int | None, typer.Option(help="Most judgments of one attribute.")] = None,
    severity: Annotated[bool, typer.Option(help="Take each worker's severity off their judgments.")] = False,
    exclude: Annotated[list[str] | None, typer.Option(help="A worker to leave out; may be repeated.")] = None,
    gold: Annotated[Path | None, typer.Option(help="CSV of known answers: object, attribute, value.")] = None,
    gold_tolerance: Annotated[float | None, typer.Option(help="Exclude workers with a larger mean error.")] = None,
    resamples: Annotated[int, typer.Option(help="Bootstrap resamples for the intervals; 0 for none.")] = 200,
    random_state: Annotated[int, typer.Option(help="Seed of the resamples.")] = 0,
    columns: Annotated[
        list[str] | None, typer.Option(help='Other names in a long table: "object=photo,value=rating".')
    ] = None,
    attributes: Annotated[list[str] | None, typer.Option(help="An attribute to read; may be repeated.")] = None,
    choices: Annotated[list[str] | None, typer.Option(help='Numbers of answers in words: "yes=1,no=0".')] = None,
    object_column: Annotated[str | None, typer.Option(help="MTurk: the Input. column that names the object.")] = None,
    object_key: Annotated[str | None, typer.Option(help="Label Studio: the field of data that names it.")] = None,
) -> None:
    """Choose which attributes to ask a crowd for, and how many judgments of each."""
    try:
        selection = select_to_folder(
            judgments,
            labels,
            budget,
            out,
            costs,
            method,
            ridge,
            max_repeats,
            severity,
            exclude,
            gold,
            gold_tolerance,
            resamples,
            random_state,
            columns=pairs(columns or [], "--columns"),
            attributes=attributes or None,
            choices=numbers(choices or [], "--choices"),
            object_column=object_column,
            object_key=object_key,
        )
    except (ValueError, OSError, ImportError) as error:
        typer.echo(f"Error: {in_options(str(error))}", err=True)
        raise typer.Exit(2) from None
    for message in selection.warnings:
        typer.echo(f"Warning: {message}", err=True)
    if selection.excluded:
        typer.echo(f"{len(selection.excluded)} workers excluded: {', '.join(selection.excluded)}")
    chosen = int((selection.selector.repeats_ > 0).sum())
    typer.echo(str(Columns({name: column[:chosen] for name, column in selection.table().items()})))
    typer.echo(selection.loss_in_words())
    typer.echo(f"{sum(selection.shopping_list['collect'])} judgments still to collect; see {out / 'report.html'}")
