"""A small table: named columns of equal length, in a dict that pandas and polars take as it is.

Results are tables, and the core must not need pandas; so a result is a ``dict`` of columns that can also
print itself, write itself as CSV, and show itself in a notebook.
"""

from __future__ import annotations

import csv
import html
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

SHOWN_ROWS = 60


class Columns(dict[str, list[Any]]):
    """Named columns of equal length; ``pandas.DataFrame(columns)`` and ``polars.DataFrame(columns)`` work.

    >>> table = Columns(attribute=["tall", "male"], repeats=[3, 1])
    >>> print(table)
    attribute  repeats
    tall             3
    male             1
    >>> len(table), table.n_rows
    (2, 2)
    """

    @classmethod
    def from_rows(cls, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Columns:
        """Columns of the given names from rows in that order."""
        return cls({name: [row[i] for row in rows] for i, name in enumerate(names)})

    @property
    def n_rows(self) -> int:
        """How many rows there are (``len`` counts columns, as for any dict)."""
        return len(next(iter(self.values()), []))

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The rows, one tuple each."""
        return zip(*self.values(), strict=True)

    def to_csv(self, path: str | Path) -> None:
        """Write the table with a header line; an unknown number (NaN) is written as an empty cell."""
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(self)
            writer.writerows([_exact(value) for value in row] for row in self.rows())

    def __str__(self) -> str:
        body = [[_short(value) for value in row] for row in list(self.rows())[:SHOWN_ROWS]]
        widths = [max(map(len, cells)) for cells in zip(list(self), *body, strict=True)]
        numeric = [all(_is_number(v) for v in column) for column in self.values()]
        lines = [
            "  ".join(
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(line, widths, numeric, strict=True)
            ).rstrip()
            for line in [list(self), *body]
        ]
        if self.n_rows > SHOWN_ROWS:
            lines.append(f"... and {self.n_rows - SHOWN_ROWS} more rows")
        return "\n".join(lines)

    def to_html(self) -> str:
        """The table as an HTML ``table`` element, numbers to the right."""
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self)
        body = "".join(
            "<tr>"
            + "".join(f"<td{' class=n' if _is_number(v) else ''}>{html.escape(_short(v))}</td>" for v in row)
            + "</tr>"
            for row in self.rows()
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    _repr_html_ = to_html


def _is_number(value: Any) -> bool:
    return hasattr(value, "__float__") and not isinstance(value, bool)


def _short(value: Any) -> str:
    if isinstance(value, int) or not _is_number(value):
        return str(value)
    number = float(value)
    return "" if number != number else f"{number:.4g}" if not number.is_integer() else f"{number:.0f}"


def _exact(value: Any) -> Any:
    return "" if isinstance(value, float) and value != value else value
