"""The command line: it parses, calls and prints. Commands import what they need when they run, so help is quick."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from ._version import __version__
from .command_group import CommandGroup
from .common.parameters import ParameterError
from .experiments.command import reproduce
from .judgments.command import select
from .planning.command import plan
from .study.command import app as study

LEARNERS = {
    "keyhole": "KeyholeRegressor",
    "aer": "AER",
    "baseline": "Baseline",
    "aerr": "AERR",
    "aelr": "AELR",
    "aesvr": "AESVR",
    "ddaerr": "DDAERR",
    "ddaelr": "DDAELR",
    "exploration": "Exploration",
    "hybrid": "Hybrid",
    "dantzig": "Dantzig",
    "dual-averaging": "DualAveraging",
    "complete-rows": "CompleteRows",
    "screened-panel": "ScreenedPanel",
    "impute-then-ridge": "ImputeThenRidge",
}

app = typer.Typer(
    name="keyhole",
    cls=CommandGroup,
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def main() -> None:
    app(prog_name="keyhole")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"keyhole {__version__}")
        raise typer.Exit


@app.callback()
def keyhole(
    ctx: typer.Context,
    debug: Annotated[bool, typer.Option("--debug", help="Show where in the code an error arose.")] = False,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Linear predictors learned from a few attributes of each example.

    Exit codes: 0, success; 2, an option, a file or the data is wrong, and a line
    on stderr says what; 130, interrupted; 1, any other failure.
    """
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


@app.command()
def fit(
    data: Annotated[Path, typer.Argument(help="A .csv or .parquet file, a row per example.")],
    label: Annotated[str, typer.Option(help="The column to predict.")],
    out: Annotated[Path, typer.Option(help="The file of the model.")],
    budget: Annotated[
        int | None,
        typer.Option(
            help="Most attributes of an example that may be revealed. It may be left out with a total, and for keyhole,"
            " which takes all without either."
        ),
    ] = None,
    total: Annotated[
        int | None,
        typer.Option(
            help="Most attributes of all examples together, for keyhole and rivals. With it, complete-rows needs no"
            " budget, and that of screened-panel and impute-then-ridge is 4 unless it is given."
        ),
    ] = None,
    learner: Annotated[str, typer.Option(help=f"One of {', '.join(LEARNERS)}.")] = "keyhole",
    sparsity: Annotated[
        int | None, typer.Option(help="Most attributes that predictions may need, for a sparse learner.")
    ] = None,
    radius: Annotated[float | None, typer.Option(help="Radius of the ball that holds the weights.")] = None,
    scaling: Annotated[str | None, typer.Option(help="'running' or 'none'.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same model.")] = 0,
    drop: Annotated[list[str] | None, typer.Option(help="A column to leave out; may be repeated.")] = None,
) -> None:
    """Learn from a table under a budget, and save the model."""
    from .observe import read_table
    from .saving import save_model

    _check_folder(out)
    options = {"total": total, "sparsity": sparsity, "radius": radius, "scaling": scaling}
    model = _new_learner(learner, budget, seed, **options)
    source = read_table(data, label=label, drop=drop or ())
    model.fit(source, source.labels)
    save_model(model, out)
    _report(learner, source, model, out)


@app.command()
def predict(
    model: Annotated[Path, typer.Argument(help="A model that fit saved.")],
    data: Annotated[Path, typer.Argument(help="A .csv or .parquet file with the model's columns, in any order.")],
    out: Annotated[Path | None, typer.Option(help="A .csv or .parquet file; without it, CSV is printed.")] = None,
) -> None:
    """Predict the label of every row of a table."""
    from .observe import read_table
    from .observe.predictions import write_predictions
    from .saving import load_model

    _check_folder(out)
    learner = load_model(model)
    names = getattr(learner, "feature_names_in_", None)
    described = getattr(learner, "attributes_", None) if names is not None else None
    source = read_table(data, columns=None if names is None else list(names), attributes=described)
    if not getattr(learner, "predicts_from_subsets", False):
        source.check_complete()
    write_predictions(learner.predict(source), sys.stdout if out is None else out)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="The file of the picture.")] = Path("demo.png"),
    quick: Annotated[bool, typer.Option("--quick", help="Fewer splits, for a first impression.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same splits and models.")] = 0,
) -> None:
    """Train several learners under a budget on built-in data; print a table, draw a picture."""
    from .demo import run_demo

    _check_folder(out)
    run_demo(out, quick=quick, seed=seed)


app.command()(plan)
app.command()(select)
app.command()(reproduce)
app.add_typer(study, name="study")


def _check_folder(out: Path | None) -> None:
    """Before the work, not after it."""
    if out is not None and not out.absolute().parent.is_dir():
        raise ParameterError("out", f"there is no folder {out.parent}", out)


def _new_learner(name: str, budget: int | None, seed: int, **options: Any) -> Any:
    name = name.lower()
    if name not in LEARNERS:
        raise ParameterError("learner", f"there is no such learner; there are {', '.join(LEARNERS)}", name)
    from . import moments, online, rivals, sparse

    packages = (moments, online, sparse, rivals)
    kind = next(getattr(package, LEARNERS[name]) for package in packages if hasattr(package, LEARNERS[name]))
    given = {option: value for option, value in options.items() if value is not None}
    for option in given:
        if option not in kind._get_param_names():
            raise ParameterError(option, f"{name} has no {option}")
    if budget is not None or name == "keyhole":
        given["budget"] = budget
    elif "total" not in given:
        instead = " or a total" if "total" in kind._get_param_names() else ""
        without = "the learner keyhole takes all cells of the table without it"
        raise ParameterError("budget", f"{name} needs one{instead}; {without}")
    return kind(random_state=seed, **given)


def _report(name: str, source: Any, model: Any, out: Path) -> None:
    import numpy as np
    from rich.console import Console
    from rich.table import Table

    d, observed = len(source.attributes), model.observed_
    skipped = getattr(model, "n_skipped_", 0)
    total = getattr(model, "total", None)
    # Of complete rows, a total takes the place of the budget.
    budget = model.budget if total is None or model.hard_budget else None
    given = [f"{limit} {number}" for limit, number in (("budget", budget), ("total", total)) if number is not None]
    limit = ", ".join(given) or "every cell of the table"
    table = Table(title=f"{name}, {limit}", title_justify="left", show_header=False)
    table.add_column(style="dim")
    table.add_column(justify="right", overflow="fold")
    table.add_row("examples", f"{source.n_examples:,}")
    if skipped:
        table.add_row("examples skipped, for an absent value", f"{skipped:,}")
    table.add_row("attributes", f"{d:,}")
    table.add_row("cells revealed", f"{observed.distinct:,}")
    table.add_row("share of all cells", f"{observed.distinct / (source.n_examples * d):.2%}")
    table.add_row("most cells of one example", f"{observed.max_per_example:,}")
    if getattr(model, "layout_", None) is not None:
        table.add_row("examples looked at", f"{model.layout_.n_looked_at:,}")
    if total is not None:
        table.add_row("left of the total", f"{total - observed.cost:,.10g}")
    if hasattr(model, "family_"):
        table.add_row("family", model.family_)
    if hasattr(model, "sparsity"):
        table.add_row("attributes that predictions need", f"{np.count_nonzero(model.coef_):,}")
    table.add_row("model", str(out))
    Console().print(table)
