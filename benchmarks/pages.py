"""What the benchmarks share: splits of a table, standard errors, and tables written into the pages of docs/.

A table lies between two markers, ``<!-- name -->`` and ``<!-- end of name -->``, and nothing else of a page changes.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from keyhole.common.atomic import write_whole

DOCS = Path(__file__).parent.parent / "docs"
FIGURES = DOCS / "figures"
EVIDENCE = DOCS / "evidence.md"  # it also says which splits and seeds are for development, and which for reporting


def split_data(X: np.ndarray, y: np.ndarray, split: int) -> tuple[np.ndarray, ...]:
    """Training rows and labels, test rows and labels; a tenth of the rows is for testing."""
    order = np.random.default_rng(split).permutation(len(y))
    test, train = np.split(order, [len(y) // 10])
    return X[train], y[train], X[test], y[test]


def standard_error(values: ArrayLike) -> float:
    """The standard error of the mean of all values."""
    return float(np.std(values, ddof=1) / np.sqrt(np.size(values)))


def with_error(values: ArrayLike, sign: str = "", digits: int = 3) -> str:
    """The mean of all values ± its standard error; ``sign="+"`` for a difference."""
    return f"{np.mean(values):{sign}.{digits}f} ± {standard_error(values):.{digits}f}"


def mean_weights(fits: Sequence[list[dict[str, Any]]]) -> str:
    """The mean weights of families over fits, the largest first, from what ``candidates_`` says of each fit."""
    total: Counter[str] = Counter()
    for candidates in fits:
        for one in candidates:  # a family that was kept without a comparison has all of the weight
            total[one["family"]] += one.get("weight", float(one["kept"]))
    means = [(family, weight / len(fits)) for family, weight in total.most_common()]
    return ", ".join(f"{family} {mean:.2f}" for family, mean in means if mean >= 0.005)


def write(page: Path, tables: dict[str, str]) -> None:
    """Put each table between its two markers."""
    text = page.read_text(encoding="utf-8")
    for name, table in tables.items():
        start, stop = f"<!-- {name} -->", f"<!-- end of {name} -->"
        if start not in text or stop not in text:
            raise ValueError(f"{page} has no place for {name}: it needs the lines {start} and {stop}")
        before, rest = text.split(start)
        text = f"{before}{start}\n{table}\n{stop}{rest.split(stop)[1]}"
    write_whole(page, text)


def with_kept_rows(page: Path, name: str, table: str, order: Sequence[str], n_keys: int = 1) -> str:
    """The table with those rows of the page that it lacks, so that a part can be measured again without the rest.

    The first ``n_keys`` cells of a row say what it is about; rows are in the order of their first cells.
    """
    text = page.read_text(encoding="utf-8")
    old = text.split(f"<!-- {name} -->\n")[1].split(f"<!-- end of {name} -->")[0].splitlines()
    new = table.splitlines()
    if old and cells_of(old[0]) != cells_of(new[0]):
        raise ValueError(f"{page}: {name} has other columns, so its rows cannot be kept")
    rows = {tuple(cells_of(row)[:n_keys]): row for row in [*old[2:], *new[2:]]}
    return "\n".join([*new[:2], *sorted(rows.values(), key=lambda row: order.index(cells_of(row)[0]))])


def cells_of(row: str) -> list[str]:
    """The cells of a row of a table."""
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def write_named(
    page: Path, makers: dict[str, Callable[[], str | None]], names: list[str], parser: argparse.ArgumentParser
) -> None:
    """Measure what is named, or everything, and write each table as soon as it is there; a picture has none."""
    unknown = set(names) - set(makers)
    if unknown:
        parser.error(f"nothing is called {', '.join(sorted(unknown))}; there are {', '.join(makers)}")
    for name in names or makers:
        table = makers[name]()
        if table is not None:
            print(table, end="\n\n")
            write(page, {name: table})
