"""The table of a pilot as numbers: columns of numbers as they are, and those of two values as yes or no.

A pilot is small, so its columns of text are looked through for their values before they are read. Of two values, one
is 1 and the other 0, and a warning says which; columns with more values, and dates, are refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import column_or_1d

from ..common.parameters import ParameterError
from ..common.warn import warn_user
from ..common.wording import listed
from ..moments.predict.partial_rows import tables_with_gaps
from ..observe.attributes import Attribute
from ..observe.describing import OBJECTS, ColumnType
from ..observe.files import read_table
from ..observe.formats import csv_blocks, csv_records, csv_types, is_csv, open_parquet, parquet_blocks, parquet_types
from ..observe.frames import FrameSource, columns_of, type_of
from ..observe.sources import Source, as_source
from ..observe.values import is_missing, text_is_missing

TAKEN = "a plan takes numbers, and two values as yes or no"


class Table(NamedTuple):
    """The values of the attributes and the labels, with NaN where one is missing, and the attributes."""

    values: np.ndarray
    labels: np.ndarray
    attributes: list[Attribute]


def read_numbers(table: Any, label: Any, drop: Sequence[str]) -> Table:
    """The numbers of an array, a frame, a source or a file; ``label`` is the name of a column, or the labels."""
    if isinstance(table, str | Path):
        source, labels = _of_file(Path(table), label, drop)
    elif isinstance(table, Source):
        if isinstance(label, str):
            raise ParameterError("label", "with a source of attributes, give an array of labels", label)
        source, labels = table, label
    elif hasattr(table, "columns"):
        source, labels = _of_frame(table, label, drop)
    elif isinstance(label, str):
        raise ParameterError("label", "an array has no names of columns; give the labels as a second array", label)
    else:
        source, labels = as_source(table), label
    attributes = list(source.attributes)
    _say_which_is_one(attributes)
    values = np.concatenate([np.empty((0, len(attributes))), *tables_with_gaps(source)])
    return Table(values, label_numbers(labels), attributes)


def label_numbers(given: Any) -> np.ndarray:
    """Labels as numbers, NaN where one is missing; two classes that are text become 0 and 1 in their order."""
    cells = column_or_1d(np.asarray(given, dtype=object), warn=True)
    present = np.array([not is_missing(cell) for cell in cells], dtype=bool)
    labels = np.full(len(cells), np.nan)
    wrong = [(at, str(cells[at])) for at in np.flatnonzero(present) if not _is_number(cells[at])]
    classes = sorted({cell for _, cell in wrong})
    if not wrong:
        labels[present] = cells[present].astype(np.float64)
    elif len(wrong) < present.sum():
        at, cell = wrong[0]
        raise ParameterError(
            "label",
            f"the label of example {at}, {cell!r}, is not a number, and other labels of the pilot are; a plan needs"
            " numbers, or two classes",
        )
    elif len(classes) == 2:
        labels[present] = [classes.index(cell) for _, cell in wrong]
        warn_user(f"the label has two classes: 1 is {classes[1]!r}, and 0 is {classes[0]!r}")
    else:
        raise _wrong_classes(classes, len(wrong))
    return labels


def _wrong_classes(classes: list[str], n_labels: int) -> ParameterError:
    """One class cannot be learned from, and more than two are not planned with."""
    if len(classes) == 1:
        which = f"all {n_labels:,} labels" if n_labels > 1 else "the only label"
        verb = "are" if n_labels > 1 else "is"
        return ParameterError("label", f"{which} of the pilot {verb} {classes[0]!r}; a plan needs labels that vary")
    return ParameterError(
        "label",
        f"the labels of the pilot have {len(classes):,} classes ({listed(classes)}); a plan needs numbers, or two"
        " classes, such as one class against all others",
    )


def _is_number(cell: Any) -> bool:
    try:
        float(cell)
    except (TypeError, ValueError):
        return False
    return True


def _of_file(path: Path, label: Any, drop: Sequence[str]) -> tuple[Any, Any]:
    if not isinstance(label, str):
        raise ParameterError("label", "with a file, it is the name of the column to predict", label)
    present = next(csv_records(path))[1] if is_csv(path) else open_parquet(path).schema_arrow.names
    names, declared = [name for name in present if name not in {label, *drop}], []
    if len(set(present)) == len(present):  # else read_table says which are there twice
        types = _types_in_file(path, names)
        declared = [
            _declared(name, one, _cells(path, name))
            for name, one in zip(names, types, strict=True)
            if one.kind not in ("number", "yes/no")
        ]
    source = read_table(path, columns=names, drop=[label, *drop], attributes=declared)
    return source, _cells(path, label)


def _types_in_file(path: Path, names: list[str]) -> list[ColumnType]:
    if not names or not is_csv(path):
        return parquet_types(path, names) if names else []
    parts, texts, start = [], {}, 0
    for numbers, written in csv_blocks(path, names):
        parts.append(numbers)
        texts.update({(start + row, column): text for (row, column), text in written.items()})
        start += len(numbers)
    return csv_types(np.concatenate([np.empty((0, len(names))), *parts]), texts)


def _cells(path: Path, name: str) -> list[float | str | None]:
    """The cells of a column, text where the file has text, and None where one is missing."""
    found: list[float | str | None] = []
    for numbers, written in (csv_blocks if is_csv(path) else parquet_blocks)(path, [name], {name}):
        cells = [written.get((row, 0), number) for row, number in enumerate(numbers[:, 0].tolist())]
        found += [None if isinstance(cell, str) and text_is_missing(cell) else cell for cell in cells]
    return found


def _of_frame(frame: Any, label: Any, drop: Sequence[str]) -> tuple[Any, Any]:
    names = [str(name) for name in frame.columns]
    named = [label] if isinstance(label, str) else []
    for name in [*named, *drop]:
        if name not in names:
            known = listed(names, 10)
            raise ParameterError(
                "label" if name in named else "drop", f"there is no such column; there are {known}", name
            )
    if named and names.count(label) > 1:
        raise ParameterError("label", f"{names.count(label)} columns have this name; each needs its own", label)
    labels = list(columns_of(frame)[names.index(label)]) if named else label
    kept = frame[[column for column in frame.columns if str(column) not in {*named, *drop}]]
    declared = [
        _declared(str(name), kind, column)
        for name, column, kind in (
            (name, one, type_of(one)) for name, one in zip(kept.columns, columns_of(kept), strict=True)
        )
        if kind.kind not in ("number", "yes/no")
    ]
    return FrameSource(kept, declared) if declared else as_source(kept), labels


def _declared(name: str, kind: ColumnType, cells: Iterable[Any]) -> Attribute:
    """A column whose type is not of numbers as a choice of two values, or as numbers if it holds nothing else."""
    if kind.kind == "date":
        raise ParameterError(
            "pilot",
            f"column {name!r} holds dates: {TAKEN}; make a number of it, such as days since the first one, or"
            f" {_leave_out(name)}",
        )
    present = [cell for cell in cells if not is_missing(cell)]
    if kind.name == OBJECTS and all(not isinstance(cell, str | bool) and _is_number(cell) for cell in present):
        return Attribute(name)
    values = {str(cell) for cell in present}
    found = [one for one in kind.choices if one in values] or sorted(values)
    if len(found) == 2:
        return Attribute(name, kind="choice", choices=tuple(found))
    if len(found) > 2:
        raise _too_many(name, found)
    raise ParameterError("pilot", f"column {name!r} has no two values that differ: {_leave_out(name)}")


def _too_many(name: str, values: Sequence[str]) -> ParameterError:
    return ParameterError(
        "pilot",
        f"column {name!r} has {len(values):,} values that are not numbers ({listed(values)}): {TAKEN}, and choices of"
        f" more than two values are not planned with; {_leave_out(name)}",
    )


def _leave_out(name: str) -> str:
    option = f"--drop {name}" if name.isidentifier() else f"--drop {name!r}"
    return f"leave the column out ({option}; in Python, drop=[{name!r}])"


def _say_which_is_one(attributes: Sequence[Attribute]) -> None:
    """A warning for columns that are read as yes or no; choices of more than two are refused."""
    notes = []
    for one in attributes:
        if one.kind == "choice" and len(one.choices) != 2:
            raise _too_many(one.name, one.choices)
        no, yes = one.choices or ("False", "True")
        if one.kind in ("choice", "yes/no"):
            notes.append(f"{one.name!r} (1 is {yes}, 0 is {no})")
    if notes:
        warn_user(f"columns with two values that are not numbers are taken as yes or no: {', '.join(notes)}")
