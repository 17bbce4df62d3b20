"""Writes the tables of docs/league.md, the first table of README.md, and the picture."""

from __future__ import annotations

from pathlib import Path

from league.methods import EVERY_CELL, METHODS, OWN, OWN_TOTAL, PUBLISHED, RIVALS
from league.picture import draw
from league.protocol import BUDGETS, TABLES, attributes_of, splits_of
from league.results import Key
from league.summary import MEAN, Standings, shape_of
from league.tables import (
    emphasised,
    errors_table,
    few_table,
    group_cells,
    markdown,
    means_table,
    published_table,
    shown,
    sources_table,
)
from pages import DOCS, FIGURES, write

PAGE, README, PICTURE = DOCS / "league.md", DOCS.parent / "README.md", FIGURES / "league.png"
CAPTION = """![One row for each table, one dot for each method: relative squared error](figures/league.png)

*Squared error relative to that of the mean label, 4 attributes per training row; tables in the order of the reference's
error, those marked with \\* were used for development.*"""
SPENDING = (OWN, OWN_TOTAL, *RIVALS, MEAN, *PUBLISHED)  # what spends the budget


def write_page(standings: Standings, page: Path = PAGE, readme: Path = README, picture: Path = PICTURE) -> None:
    """All tables between their markers, from what was measured; the page says what is missing."""
    draw(standings, picture)
    tables = {
        "league-measured": measured_sentences(standings),
        "league-picture": CAPTION,
        "league-errors": errors_table(standings, "4"),
        "league-few": few_table(standings),
        "league-published": published_table(standings, "4"),
        "league-crashes": crashes_table(standings),
        "league-sources": sources_table(),
    }
    tables |= {f"league-means-{budget}": means_table(standings, budget) for budget in BUDGETS}
    write(page, tables)
    write(readme, {"league-short": short_table(standings)})


def expected_keys() -> set[Key]:
    """What a whole run measures."""
    keys = set()
    for table in TABLES:
        n, d = shape_of(table)
        for split in splits_of(n):
            for budget in {attributes_of(b, d) for b in BUDGETS}:
                some = [name for name, method in METHODS.items() if method.is_measured_with(budget)]
                keys |= {(table, split, budget, name) for name in some if name != EVERY_CELL}
            keys.add((table, split, None, EVERY_CELL))
    return keys


def measured_sentences(standings: Standings) -> str:
    """How much was measured, and whether anything is missing or mixed."""
    expected = expected_keys()
    missing = expected - set(standings.results)
    text = f"{len(expected) - len(missing):,} results of {len(expected):,} (table, split, budget, method) are there."
    if missing:
        some = sorted({f"{method} on {table}" for table, _, _, method in missing})
        text += f" **The page is not complete:** {', '.join(some[:5])}{' and more' * (len(some) > 5)} are missing."
    states = {m: {r["source"] for (*_, name), r in standings.results.items() if name == m} for m in METHODS}
    mixed = [name for name, found in states.items() if len(found) > 1]
    if mixed:
        text += f" The source files of Keyhole were changed between results of {', '.join(mixed)}."
    return text


def crashes_table(standings: Standings) -> str:
    """Which method ended with an error where, with the message of the first."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for (table, _, budget, method), record in sorted(standings.results.items(), key=str):
        if "crash" in record:
            eighth = attributes_of("eighth", shape_of(table)[1])
            named = str(budget) if budget in (2, 4) else "eighth" if budget == eighth else "every cell"
            found.setdefault((method, named), []).append((table, record["crash"]))
    if not found:
        return "No method crashed on any table."
    rows = []
    for (method, budget), crashes in sorted(found.items()):
        tables = [f"{table} ({sum(t == table for t, _ in crashes)})" for table in dict.fromkeys(t for t, _ in crashes)]
        message = crashes[0][1].replace("|", "\\|").replace("\n", " ")
        rows.append([shown(method), budget, ", ".join(tables), message])
    return markdown(["method", "budget", "tables (splits)", "the first message"], rows)


def short_table(standings: Standings) -> str:
    """The table of README.md: geometric means at 4 attributes per row, and how many tables each method has won."""
    wins = dict.fromkeys(SPENDING, 0)
    for table in standings.tables:
        found = {name: errors for name in SPENDING if (errors := standings.of(table, "4", name))}
        if len(found) > 1:
            wins[min(found, key=lambda name: found[name].mean)] += 1
    cells = {name: group_cells(standings, "4", name) for name in (*SPENDING, EVERY_CELL)}
    measured = [name for name in cells if cells[name][0]]
    order = sorted(measured, key=lambda name: (name == EVERY_CELL, name not in (OWN, OWN_TOTAL), cells[name][0]))
    rows = [[shown(name), *cells[name][:3], str(wins.get(name, ""))] for name in order]
    head = ["4 attributes of each example", f"all {len(standings.tables)} tables"]
    return markdown([*head, "developed on", "not developed on", "best on"], emphasised(rows))
