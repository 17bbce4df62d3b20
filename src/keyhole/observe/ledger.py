"""The record of what was revealed: which cell, when, at what cost, with which inclusion probability."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import NotRevealed
from ..sampling.panels import Panels

COLUMNS = {
    "order": np.int64,
    "example": np.int64,
    "attribute": np.int64,
    "value": np.float64,
    "probability": np.float64,
    "cost": np.float64,
    "design": np.int64,
}
NO_DESIGN = -1
DESIGNS = b"keyhole designs"  # the key under which a Parquet file has them


class Ledger:
    """The record of every revealed cell, by columns: ``ledger["value"]`` is an array.

    The columns are ``order`` (the number of the reveal), ``example``, ``attribute``, ``value`` (NaN where the cell was
    paid for and its value is missing), ``probability`` (the inclusion probability of the attribute at asking time),
    ``cost`` and ``design`` (the number of the design that drew the attribute, in ``designs``; -1 where the learner has
    none that knows second-order inclusion probabilities).

    Examples
    --------
    >>> ledger = Ledger()
    >>> ledger.record(7, np.array([2, 5]), np.array([0.5, -1.0]), np.array([0.1, 0.2]))
    >>> len(ledger), ledger.value(7, 5)
    (2, -1.0)
    >>> ledger.value(7, 3)
    Traceback (most recent call last):
        ...
    keyhole.errors.NotRevealed: attribute 3 of example 7 was never revealed
    """

    def __init__(self) -> None:
        self._columns = {name: np.empty(1024, dtype=kind) for name, kind in COLUMNS.items()}
        self.designs: list[Panels] = []
        self._length = 0
        self._reveals = 0

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, column: str) -> np.ndarray:
        return self._columns[column][: self._length]

    def record(
        self,
        example: int,
        attributes: np.ndarray,
        values: np.ndarray,
        probabilities: np.ndarray,
        costs: np.ndarray | float = 1.0,
        design: Panels | None = None,
    ) -> None:
        """Append one reveal.

        Parameters
        ----------
        example : int
            The number of the example.
        attributes : ndarray of int
            The column numbers that were revealed.
        values : ndarray of float
            Their values.
        probabilities : ndarray of float
            Their inclusion probabilities at asking time.
        costs : ndarray of float or float, default=1.0
            What each costs.
        design : Panels, default=None
            The design that drew them; each is kept once.
        """
        stop = self._length + len(attributes)
        while stop > len(self._columns["order"]):
            self._columns = {name: np.resize(old, 2 * len(old)) for name, old in self._columns.items()}
        row = (self._reveals, example, attributes, values, probabilities, costs, self._number(design))
        for name, entry in zip(COLUMNS, row, strict=True):
            self._columns[name][self._length : stop] = entry
        self._length = stop
        self._reveals += 1

    def value(self, example: int, attribute: int) -> float:
        """Look up the revealed value of a cell.

        Parameters
        ----------
        example : int
            The number of the example.
        attribute : int
            The column number.

        Returns
        -------
        float
            The value.

        Raises
        ------
        NotRevealed
            If the cell was not revealed, or is missing.
        """
        found = np.flatnonzero((self["example"] == example) & (self["attribute"] == attribute))
        if not len(found):
            raise NotRevealed(f"attribute {attribute} of example {example} was never revealed")
        if np.isnan(self["value"][found[-1]]):
            raise NotRevealed(f"attribute {attribute} of example {example} is missing")
        return float(self["value"][found[-1]])

    def joint(self, example: int) -> np.ndarray:
        """Compute second-order inclusion probabilities of the revealed cells of an example.

        Parameters
        ----------
        example : int
            The number of the example.

        Returns
        -------
        ndarray of shape (n_revealed, n_revealed)
            The probability of each two cells together, with those of single cells on the diagonal; in the order of the
            ledger, and of the last reveal where there are several.

        Raises
        ------
        NotRevealed
            If nothing of the example was revealed.
        ValueError
            If its learner knows only first-order inclusion probabilities.
        """
        mine = np.flatnonzero(self["example"] == example)
        if not len(mine):
            raise NotRevealed(f"example {example} was never revealed")
        mine = mine[self["order"][mine] == self["order"][mine[-1]]]
        number = int(self["design"][mine[0]])
        if number != NO_DESIGN:
            return self.designs[number].joint(self["attribute"][mine])
        if (self["probability"][mine] == 1.0).all():
            return np.ones((len(mine), len(mine)))
        raise ValueError(f"example {example}: its learner knows first-order inclusion probabilities only")

    def copy(self) -> Ledger:
        """Copy the ledger.

        Returns
        -------
        Ledger
            An independent ledger with the same record.
        """
        copied = Ledger.__new__(Ledger)
        copied.__dict__.update(self.__dict__)
        copied._columns = {name: column.copy() for name, column in self._columns.items()}
        copied.designs = list(self.designs)
        return copied

    def save(self, path: str | Path) -> None:
        """Write the ledger to a file.

        Parameters
        ----------
        path : str or Path
            A file that ends in ``.npz``, or in ``.parquet``, which needs the ``data`` extra.
        """
        columns: dict[str, Any] = {name: self[name] for name in COLUMNS}
        designs: dict[str, Any] = {
            f"{i}.{key}": part for i, one in enumerate(self.designs) for key, part in one.arrays().items()
        }
        if _is_parquet(path):
            import pyarrow as pa
            from pyarrow import parquet

            packed = io.BytesIO()
            np.savez_compressed(packed, **designs)
            table = pa.table(columns).replace_schema_metadata({DESIGNS: packed.getvalue()})
            parquet.write_table(table, path)
        else:
            np.savez_compressed(path, **columns, **designs)

    @classmethod
    def load(cls, path: str | Path) -> Ledger:
        """Read what ``save`` wrote.

        Parameters
        ----------
        path : str or Path
            The file.

        Returns
        -------
        Ledger
            The ledger.
        """
        if _is_parquet(path):
            from pyarrow import parquet

            table = parquet.read_table(path)
            columns = {name: table[name].to_numpy() for name in COLUMNS}
            with np.load(io.BytesIO(table.schema.metadata[DESIGNS])) as stored:
                designs = _designs(stored)
        else:
            with np.load(path) as stored:
                columns = {name: stored[name] for name in COLUMNS}
                designs = _designs(stored)
        ledger = cls()
        ledger.designs = designs
        ledger._columns = {name: np.resize(c, max(len(c), 1)).astype(COLUMNS[name]) for name, c in columns.items()}
        ledger._length = len(columns["order"])
        ledger._reveals = int(columns["order"][-1]) + 1 if ledger._length else 0
        return ledger

    def _number(self, design: Panels | None) -> int:
        """The number of a design, which is kept when it is new."""
        if design is None:
            return NO_DESIGN
        for number in range(len(self.designs) - 1, -1, -1):
            if self.designs[number] is design:
                return number
        self.designs.append(design)
        return len(self.designs) - 1


def _designs(stored: Any) -> list[Panels]:
    """Those that a file has, whose arrays are called by their number and part."""
    parts: dict[int, dict[str, np.ndarray]] = {}
    for name in stored.files:
        if "." in name:
            number, key = name.split(".")
            parts.setdefault(int(number), {})[key] = stored[name]
    return [Panels.from_arrays(parts[number]) for number in sorted(parts)]


def _is_parquet(path: str | Path) -> bool:
    suffix = Path(path).suffix
    if suffix not in (".npz", ".parquet"):
        raise ValueError(f"{path}: a ledger is written as .npz or .parquet, not {suffix or 'without a suffix'!r}")
    return suffix == ".parquet"
