"""Results in a table, as a site returns them: all of them are recorded, or none where a line is wrong.

A line says what was found out of one cell: ``ask`` or ``example`` (or both), ``attribute`` (or ``label``) and
``value``; or, in place of a value, ``not_obtainable`` with the reason. ``unit`` is compared with the unit of the
attribute, a column ``label`` may hold the label of the example, and ``person`` who found it out. A line without a value
or a reason is one that is awaited still, and is passed over. Other columns are not read, so an exported long table can
be imported as it is; its column ``state`` says which values there are.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import BadValue, StudyError
from ...observe.formats import csv_records, open_parquet
from ...observe.values import text_is_missing
from ..names import example_name
from ..rules import NOT_OBTAINABLE, VALUE, Fact
from ..store.base import AskRecord, ToldFact
from .columns import MISSING, format_of
from .exporting import LABEL

if TYPE_CHECKING:
    from ..telling import Telling

USED = ("ask", "example", "attribute", "value", "unit", "not_obtainable", LABEL, "person", "state")


class Imported(NamedTuple):
    """What became of a table of results.

    Attributes
    ----------
    recorded : int
        How many values, labels and reasons are new.
    repeated : int
        How many were told before, with the same value.
    conflicts : tuple of str
        Which contradict an earlier value, in words; both are kept until a correction says which is right.
    awaited : int
        How many lines have no result yet.
    dry_run : bool
        Whether it was only tried, and nothing recorded.
    """

    recorded: int
    repeated: int
    conflicts: tuple[str, ...]
    awaited: int
    dry_run: bool


class WrongLines(StudyError):
    """A table of results in which lines are wrong; nothing of it was recorded.

    Parameters
    ----------
    path : str
        The file.
    lines : list of (int, str)
        The number of each wrong line, and what is wrong with it.
    """

    def __init__(self, path: str, lines: list[tuple[int, str]]) -> None:
        super().__init__(path, lines)
        self.path, self.lines = path, lines

    def __str__(self) -> str:
        n = len(self.lines)
        told = "; ".join(f"line {line}: {what}" for line, what in self.lines)
        return f"{self.path}: {n} {'line is' if n == 1 else 'lines are'} wrong, and nothing was recorded. {told}"


class _Line(NamedTuple):
    """One fact of a table and its line."""

    line: int
    told: ToldFact


def import_results(
    study: Telling, path: str | os.PathLike[str], person: str | None, found: bool, dry_run: bool
) -> Imported:
    """Record the results of a table; see ``Study.import_results``."""
    reader = _Reader(study, person or study.person, found)
    lines, wrong, awaited = reader.read(Path(path))
    outcomes, refused = study.store.record_many(
        study.record, person or study.person, [one.told for one in lines], dry_run or bool(wrong)
    )
    wrong += [(lines[i].line, what) for i, what in refused.items()]
    if wrong:
        raise WrongLines(str(path), sorted(set(wrong)))
    against = [
        f"line {one.line}: {_cell_name(study, one.told)} contradicts what was told before"
        for one, outcome in zip(lines, outcomes, strict=True)
        if outcome == "conflicts"
    ]
    return Imported(outcomes.count("recorded"), outcomes.count("repeated"), tuple(against), awaited, dry_run)


def _cell_name(study: Telling, told: ToldFact) -> str:
    what = LABEL if told.attribute is None else f"attribute {study.attributes[told.attribute].name!r}"
    return f"example {told.example!r}, {what}"


class _Reader:
    """Makes facts of lines, and says what is wrong with those that are none."""

    def __init__(self, study: Telling, person: str, found: bool) -> None:
        self._checker, self._attributes, self._person, self._found = study._facts, study.attributes, person, found
        with study.store.snapshot(study.record) as now:
            asks = list(now.asks())
        self._asks = {ask.id: ask for ask in asks}
        self._ask_of = {ask.example: ask for ask in asks}
        self._seen: dict[tuple[str, int | None], tuple[int, Fact]] = {}

    def read(self, path: Path) -> tuple[list[_Line], list[tuple[int, str]], int]:
        """The facts, the wrong lines, and the number of lines without a result."""
        lines: list[_Line] = []
        wrong: list[tuple[int, str]] = []
        awaited = 0
        for line, row in _rows(path):
            try:
                told = self._told(row)
                awaited += not told
                for one in told:
                    if self._is_new(line, one):
                        lines.append(_Line(line, one))
            except (StudyError, BadValue) as error:
                wrong.append((line, str(error)))
        return lines, wrong, awaited

    def _told(self, row: Mapping[str, str]) -> list[ToldFact]:
        name, label = row.get("attribute", ""), row.get(LABEL, "")
        value, reason = row.get("value", ""), row.get("not_obtainable", "")
        reason = "" if reason == MISSING else reason
        has_label = self._is_there(None, label, {})
        if name in ("", MISSING):
            if not self._is_there(None, value, row) and not reason:
                return self._label_alone(row, label) if has_label else []
            raise StudyError("there is a value and no attribute; name it in the column attribute")
        number = None if name == LABEL else self._checker.number(name)
        is_there = self._is_there(number, value, row)
        if not is_there and not reason and not has_label:
            return []
        example, ask = self._about(row)
        told: list[ToldFact] = []
        person = row.get("person", "")
        about = {"person": self._person if person in ("", MISSING) else person, "example": example}
        if is_there and reason:
            raise StudyError(
                f"{example!r}, {name}: it has a value, {value!r}, and a reason why there is none, {reason!r}"
            )
        if is_there or reason:
            fact = self._fact(f"example {example!r}", number, value, row, reason)
            told.append(ToldFact(ask=self._ask_for(ask, example, number, fact), attribute=number, fact=fact, **about))
        if has_label:
            told.append(ToldFact(ask=None, attribute=None, fact=self._checker.label(example, label), **about))
        return told

    def _label_alone(self, row: Mapping[str, str], label: str) -> list[ToldFact]:
        return self._told({**row, "attribute": LABEL, "value": label, LABEL: ""})

    def _is_there(self, attribute: int | None, value: str, row: Mapping[str, str]) -> bool:
        """Whether a cell holds a value: a state decides, and what a study may be told is a value and not missing."""
        if row.get("state") not in (None, "", MISSING):
            return row["state"] == VALUE
        allowed = self._checker.classes or () if attribute is None else self._attributes[attribute].choices
        return value in allowed or not text_is_missing(value)

    def _about(self, row: Mapping[str, str]) -> tuple[str, AskRecord | None]:
        """The example that a line is about, and its ask, if it names one."""
        number, example = row.get("ask", ""), row.get("example", "")
        number = "" if self._found or number == MISSING else number
        if not number:
            if example in ("", MISSING):
                raise StudyError("it names neither an ask nor an example; one of them is needed")
            return example_name(example), None
        try:
            ask = self._asks.get(int(float(number)))
        except (ValueError, OverflowError):
            raise StudyError(f"ask {number!r} is no number of an ask") from None
        if ask is None:
            raise StudyError(f"there is no ask {number} in this study; without its number, the value is told as found")
        if example not in ("", MISSING) and example != ask.example:
            raise StudyError(f"ask {number} is of example {ask.example!r}, and the line is of {example!r}")
        return ask.example, ask

    def _ask_for(self, ask: AskRecord | None, example: str, attribute: int | None, fact: Fact) -> int | None:
        """The number of the ask that a fact answers; None: it was found without one."""
        if attribute is None:
            return None
        own = self._ask_of.get(example)
        if ask is None and own is not None and attribute in own.attributes:
            ask = own
        name = self._attributes[attribute].name
        if ask is None and fact.reason is not None:
            raise StudyError(f"example {example!r}: {name!r} was not asked for, so it cannot be not obtainable")
        if ask is not None and attribute not in ask.attributes:
            asked = ", ".join(self._attributes[i].name for i in ask.attributes)
            raise StudyError(
                f"ask {ask.id} of example {example!r}: {name!r} was not asked for; it asks for {asked}. Without the"
                " number of the ask, the value is told as found"
            )
        return None if ask is None else ask.id

    def _fact(self, place: str, number: int | None, value: str, row: Mapping[str, str], reason: str) -> Fact:
        if number is None:
            if reason:
                raise StudyError(f"{place}: a label cannot be not obtainable; leave it out until it is there")
            return self._checker.label(place, value)
        if reason:
            return self._checker.facts(place, {}, {self._attributes[number].name: reason})[number]
        unit = row.get("unit", "")
        return self._checker.value(place, number, value if unit in ("", MISSING) else (value, unit))

    def _is_new(self, line: int, one: ToldFact) -> bool:
        """Whether no earlier line told the same; a line that contradicts one is refused."""
        key = (one.example, one.attribute)
        if key not in self._seen:
            self._seen[key] = (line, one.fact)
            return True
        before, fact = self._seen[key]
        if fact != one.fact:
            what = LABEL if one.attribute is None else repr(self._attributes[one.attribute].name)
            raise StudyError(
                f"example {one.example!r}, {what}: line {before} tells {_in_words(fact)}, and this one"
                f" {_in_words(one.fact)}; only one can be right"
            )
        return False


def _in_words(fact: Fact) -> str:
    if fact.reason is not None:
        return f"{NOT_OBTAINABLE} ({fact.reason})"
    return repr(fact.text) if fact.text is not None else f"{fact.number:g}"


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """The lines of a table by the names of its columns, as text without spaces around it."""
    records: Iterator[tuple[int, list[Any]]] = csv_records(path) if format_of(path) == "csv" else _parquet(path)
    _, header = next(records)
    names = [str(name).strip() for name in header]
    twice = [name for name in names if name in USED and names.count(name) > 1]
    if twice:
        raise StudyError(f"{path}, line 1: there are two columns {twice[0]!r}")
    if not {"ask", "example"} & set(names) or not {"attribute", LABEL} & set(names):
        raise StudyError(
            f"{path}, line 1: results need a column ask or example, and the columns attribute and value, or label;"
            f" there are {', '.join(names)}"
        )
    if "attribute" in names and not {"value", "not_obtainable"} & set(names):
        raise StudyError(f"{path}, line 1: the column value is missing; there are {', '.join(names)}")
    for line, record in records:
        if len(record) != len(names):
            raise StudyError(
                f"{path}, line {line}: it has {len(record)} cells, but the header names {len(names)} columns"
            )
        cells = {name: "" if cell is None else str(cell).strip() for name, cell in zip(names, record, strict=True)}
        yield line, {name: cells[name] for name in names if name in USED}


def _parquet(path: Path) -> Iterator[tuple[int, list[Any]]]:
    """The rows of a Parquet file after its names, counted as the lines of a CSV file would be."""
    table = open_parquet(path).read()
    yield 1, table.column_names
    for line, row in enumerate(zip(*(column.to_pylist() for column in table.columns), strict=True), 2):
        yield line, list(row)
