"""The tables of the page, in Markdown, and those that a run prints."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from keyhole.datasets import league_tables
from league.methods import EVERY_CELL, OWN, OWN_TOTAL, PUBLISHED, RIVALS
from league.protocol import BUDGETS, DEVELOPMENT, OTHERS
from league.summary import BEST_PUBLISHED, BEST_VALUES, FEW, MEAN, Errors, Group, Standings, ratio_of, shape_of

SHOWN = {
    OWN_TOTAL: f"{OWN}, one total",
    "CompleteRows": "complete rows",
    "ScreenedPanel": "screened panel",
    "CompleteRows, best values": "complete rows, best values",
    "ScreenedPanel, best values": "screened panel, best values",
    BEST_PUBLISHED: "best published learner",
    EVERY_CELL: "ridge, every cell",
}
WITH_BUDGET = {
    "2": "2 attributes per row",
    "4": "4 attributes per row",
    "eighth": "an eighth of the attributes per row",
}
COMPARED = (OWN, OWN_TOTAL, *RIVALS, MEAN, *BEST_VALUES, *PUBLISHED, BEST_PUBLISHED, EVERY_CELL)


def shown(method: str) -> str:
    return SHOWN.get(method, method)


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


def emphasised(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The row of the own learner in bold type."""
    return [[f"**{cell}**" if cell and row[0] == OWN else cell for cell in row] for row in rows]


def number(value: float, digits: int = 3) -> str:
    """Three decimals, and for what is large three digits."""
    if not np.isfinite(value):
        return "∞" if value > 0 else "?"
    return f"{value:.{digits}f}" if abs(value) < 100 else f"{value:.3g}"


def with_error(errors: Errors | None) -> str:
    """The mean ± its standard error, or how many splits crashed."""
    if errors is None:
        return ""
    if errors.crashes:
        return f"crash in {len(errors.crashes)} of {len(errors.crashes) + len(errors.by_split)}"
    return f"{number(errors.mean)} ± {number(errors.standard_error)}"


def group_cells(standings: Standings, budget: str, method: str) -> list[str]:
    def middle(group: Group | None) -> str:
        return "" if group is None else f"{group.geometric_mean:.3f} ± {number(group.standard_error)}"

    tables = standings.tables
    halves = [[t for t in tables if t in DEVELOPMENT], [t for t in tables if t in OTHERS]]
    everywhere = standings.group(tables, budget, method)
    if everywhere is None:
        return [""] * 7
    against = standings.group(tables, budget, method, best_values=True)
    return [
        middle(everywhere),
        *(middle(standings.group(half, budget, method)) for half in halves),
        middle(against),
        f"{everywhere.better} of {everywhere.tables}",
        str(everywhere.above_mean),
        str(everywhere.crashed),
    ]


def means_table(standings: Standings, budget: str) -> str:
    """The geometric means of one budget, one row for each method."""
    head = [
        WITH_BUDGET[budget],
        "all tables",
        "development",
        "others",
        "all, reference with best values",
        "better than the reference by more than 1%",
        "above 1.02 times the mean's error",
        "crashed",
    ]
    compared = [name for name in COMPARED if name != OWN_TOTAL or budget == "4"]
    rows = [[shown(name), *group_cells(standings, budget, name)] for name in compared]
    rows = [row for row in rows if row[1]]
    return markdown(head, emphasised(rows)) if rows else "Not measured yet."


def summary(standings: Standings) -> str:
    """What a run prints: all means, and the errors at 4 attributes per row."""
    return "\n\n".join([*(means_table(standings, budget) for budget in BUDGETS), errors_table(standings, "4")])


def errors_table(standings: Standings, budget: str) -> str:
    """One row for each table: the own learner, rivals, the best published learner, ridge on every cell."""
    owns = (OWN, OWN_TOTAL)
    head = ["table", "rows x attributes", *map(shown, (*owns, *RIVALS, *BEST_VALUES))]
    head += [shown(BEST_PUBLISHED), shown(EVERY_CELL), "own learner / reference", "one total / reference"]
    rows = []
    for table in standings.tables:
        n, d = shape_of(table)
        cells = [table + (" (d)" if table in DEVELOPMENT else ""), f"{n:,} x {d:,}"]
        for name in (*owns, *RIVALS):
            cells.append(with_error(standings.errors(table, budget, name)))
        for name in (*BEST_VALUES, BEST_PUBLISHED):
            best = standings.of(table, budget, name)
            kind = (
                "" if best is None else best.method.partition("-")[2] or ("raw" if name in BEST_VALUES else best.method)
            )
            cells.append(f"{with_error(best)}, {kind}" if best else "")
        cells.append(with_error(standings.errors(table, budget, EVERY_CELL)))
        reference = standings.reference(table, budget)
        cells += [against(standings.errors(table, budget, own), reference) for own in owns]
        rows.append(cells)
    return markdown(head, rows)


def against(errors: Errors | None, reference: Errors | None) -> str:
    if errors is None or reference is None:
        return ""
    ratio = ratio_of(errors, reference)
    cut = " (cut)" if ratio.of_log == 0.0 and ratio.value >= 10 else ""
    return f"{ratio.value:.3f} ± {number(ratio.value * ratio.of_log)}{cut}"


def published_table(standings: Standings, budget: str) -> str:
    """One row for each table: every published learner at its defaults."""
    rows = [[t, *(with_error(standings.errors(t, budget, name)) for name in PUBLISHED)] for t in standings.tables]
    return markdown(["table", *PUBLISHED], rows)


def few_table(standings: Standings, budget: str = "4") -> str:
    """Predictions from four attributes: those that the own learner would buy, and the panel."""
    rows, logs, errors = [], [], []
    for table in standings.tables:
        own = standings.errors(table, budget, f"{OWN} {FEW}")
        panel = standings.errors(table, budget, "ScreenedPanel")
        rows.append([table, with_error(own), with_error(panel), against(own, panel)])
        if own and panel:
            ratio = ratio_of(own, panel)
            logs.append(np.log(ratio.value))
            errors.append(ratio.of_log)
    if logs:
        middle = float(np.exp(np.mean(logs)))
        error = middle * float(np.sqrt(np.sum(np.square(errors)))) / len(logs)
        rows.append(["geometric mean", "", "", f"**{middle:.3f} ± {number(error)}**"])
    return markdown(["table", f"{OWN}, the four that it would buy", "screened panel, its four", "ratio"], rows)


def sources_table() -> str:
    rows = [
        [name, f"`{source.item}`", source.label, "development" if name in DEVELOPMENT else ""]
        for name, source in league_tables().items()
    ]
    return markdown(["table", "R package and item", "label", ""], rows)


def times(standings: Standings) -> str:
    """The mean processor seconds of a fit with its predictions, by table and budget: for planning a run."""
    spent: dict[tuple[str, str], list[float]] = {}
    columns = {f"{budget}" for _, _, budget, _ in standings.results}
    head = sorted(columns, key=lambda column: (column == "None", int(column) if column != "None" else 0))
    for (table, _, budget, method), record in standings.results.items():
        spent.setdefault((f"{table}, {method}", str(budget)), []).append(record["processor_seconds"])
    names = sorted({name for name, _ in spent})
    rows = [[n, *(f"{np.mean(spent[n, c]):.2f}" if (n, c) in spent else "" for c in head)] for n in names]
    return markdown(["processor seconds", *head], rows)
