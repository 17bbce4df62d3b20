"""A small table: named columns of equal length, in a dict that pandas and polars take as it is.

Results are tables, and Keyhole does not require pandas; so a result is a ``dict`` of columns that can also print
itself, write itself as CSV, and show itself in a notebook.
"""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ...common.atomic import write_whole

SHOWN_ROWS = 60
NUMBER = ' class="number"'  # set to the right by the style of the page


class Columns(dict[str, list[Any]]):
    """Named columns of equal length, the form of every table that ``keyhole.judgments`` returns.

    ``pandas.DataFrame(columns)`` and ``polars.DataFrame(columns)`` take it as it is.

    Attributes
    ----------
    n_rows : int
        The number of rows. (``len`` counts the columns, as for any dict.)

    Examples
    --------
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
        """Make a table from rows.

        Parameters
        ----------
        names : sequence of str
            Names of the columns.
        rows : sequence of sequences
            One value per column in each row, in the order of ``names``.

        Returns
        -------
        Columns
            The table.
        """
        return cls({name: [row[i] for row in rows] for i, name in enumerate(names)})

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(next(iter(self.values()), []))

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Iterate over the rows.

        Returns
        -------
        iterator of tuple
            The values of one row after another, in the order of the columns.
        """
        return zip(*self.values(), strict=True)

    def to_csv(self, path: str | Path) -> None:
        """Write the table with a header line; an unknown number (NaN) is an empty cell.

        Parameters
        ----------
        path : str or path-like
            The file. It is there whole or not at all.
        """
        text = io.StringIO(newline="")
        writer = csv.writer(text)
        writer.writerow(self)
        writer.writerows([_exact(value) for value in row] for row in self.rows())
        write_whole(path, text.getvalue())

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
        """Format the table for a page.

        Returns
        -------
        str
            An HTML ``table`` element, numbers to the right.
        """
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self)
        body = "".join(
            "<tr>"
            + "".join(f"<td{NUMBER if _is_number(v) else ''}>{html.escape(_short(v))}</td>" for v in row)
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
