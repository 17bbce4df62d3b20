"""The tables of a study: a row per cell (long), or a row per example (wide).

Long: every cell that was asked for or found is a row, and every label is one, under the attribute ``label``. ``value``
is the value as text, the name of a choice or the date in ISO format; ``number`` is the value as a number, for a choice
its position from 0, for a date the days since 1 January 1970. A value in conflict is missing. ``person`` and ``time``
are those of the latest event of the cell.

Wide: for every attribute a column with its value, a column ``.mask`` that is 1 where the value is there and 0 where it
is not, and a column ``.probability`` with the inclusion probability of the attribute by the design that drew for the
example: 0 where it was left out, missing where nothing was drawn yet and where the value was found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...observe.attributes import Attribute
from ..asks import moment
from ..rules import NONE, VALUE, Fact
from ..store.base import AskRecord, DesignRecord, Event, Snapshot
from ..store.replay import CellState, ExampleState, replay
from .columns import Column, as_text
from .dictionary import columns_of

if TYPE_CHECKING:
    from ..answering import Answering

LABEL = "label"
LONG = (
    Column("example", "text"),
    Column("attribute", "text"),
    Column("state", "text"),  # asked, value, not obtainable, cancelled, conflict
    Column("value", "text"),
    Column("number", "number"),
    Column("unit", "text"),
    Column("origin", "text"),  # drawn or found
    Column("inclusion_probability", "number"),
    Column("design", "whole"),
    Column("ask", "whole"),
    Column("model", "whole"),
    Column("person", "text"),
    Column("time", "text"),  # UTC
    Column("not_obtainable", "text"),  # the reason
)


class Tables:
    """The tables of one moment of a study."""

    def __init__(self, study: Answering, now: Snapshot) -> None:
        self.attributes, self.is_classifier = study.attributes, study.is_classifier
        self._drawer = study._drawer
        self._latest: dict[tuple[int, int | None], tuple[str, float]] = {}  # who and when, by example and attribute
        self.examples = replay(self._noted(now.events()))
        self.names = now.names()
        self.asks: dict[int, AskRecord] = {ask.example_number: ask for ask in now.asks()}
        self.designs: dict[int, DesignRecord] = {design.number: design for design in now.designs()}
        self._inclusion: dict[int, list[float]] = {}

    def _noted(self, events: Iterable[Event]) -> Iterator[Event]:
        for event in events:
            if event.example is not None and (event.attribute is not None or event.kind.endswith(LABEL)):
                self._latest[event.example, event.attribute] = (event.person, event.at)
            yield event

    # A row per cell.

    def long(self) -> tuple[Sequence[Column], Iterator[list[Any]]]:
        """The columns and the rows of the long table."""
        return LONG, self._long_rows()

    def _long_rows(self) -> Iterator[list[Any]]:
        for number, one in self.examples.items():
            ask = self.asks.get(number)
            for i, cell in sorted(one.cells.items()):
                yield self._cell_row(one, ask, i, cell)
            if one.label_state != NONE:
                who, at = self._latest[number, None]
                value = _fact_of(one.label, one.label_state)
                row = [self.names[number], LABEL, one.label_state, self._label_text(value), value.number]
                yield [*row, None, None, None, None, None, None, who, _time(at), None]

    def _cell_row(self, one: ExampleState, ask: AskRecord | None, i: int, cell: CellState) -> list[Any]:
        a = self.attributes[i]
        value = _fact_of(cell.fact, cell.state)
        about: list[Any] = ["found", None, None, None, None]
        who, at = self._latest.get((one.number, i), (None, None))
        if cell.drawn and ask is not None:
            p = one.probabilities[one.drawn.index(i)]
            about = ["drawn", p, ask.design, ask.id, ask.model]
            who, at = (who, at) if at is not None else (ask.person, ask.asked_at)
        row = [self.names[one.number], a.name, cell.state, value_as_text(a, value), value.number, a.unit]
        return [*row, *about, who, None if at is None else _time(at), cell.reason]

    # A row per example.

    def wide(self) -> tuple[Sequence[Column], Iterator[list[Any]]]:
        """The columns and the rows of the wide table."""
        columns = [Column("example", "text"), Column("number", "whole"), Column("state", "text")]
        columns += [Column("ask", "whole"), Column("design", "whole")]
        columns += [Column(LABEL, "text" if self.is_classifier else "number"), Column("label.state", "text")]
        for a, name in zip(self.attributes, columns_of(self.attributes), strict=True):
            columns.append(Column(name, "text" if a.kind in ("choice", "date") else "number"))
            columns += [Column(f"{name}.mask", "whole"), Column(f"{name}.probability", "number")]
        return columns, self._wide_rows()

    def _wide_rows(self) -> Iterator[list[Any]]:
        for number, one in self.examples.items():
            ask, label = self.asks.get(number), _fact_of(one.label, one.label_state)
            drawn = [cell.state for cell in one.cells.values() if cell.drawn]
            state = "queued" if ask is None else "asked" if "asked" in drawn else "done"
            row: list[Any] = [self.names[number], number, state]
            row += [None, None] if ask is None else [ask.id, ask.design]
            row += [label.text if self.is_classifier else label.number, one.label_state]
            inclusion = None if ask is None else self._inclusion_of(ask.design)
            for i, a in enumerate(self.attributes):
                cell = one.cells.get(i)
                value = Fact() if cell is None else _fact_of(cell.fact, cell.state)
                row.append(value.text if a.kind in ("choice", "date") else value.number)
                row.append(int(value.number is not None))
                unknown = inclusion is None or (cell is not None and not cell.drawn)
                row.append(None if unknown or inclusion is None else inclusion[i])
            yield row

    def _inclusion_of(self, number: int) -> list[float]:
        """The inclusion probability of every attribute by a design."""
        if number not in self._inclusion:
            design = self.designs[number]
            whole = number if design.parent is None else design.parent
            panels = self._drawer.panels(whole, design.excluded, self.designs.__getitem__)
            if panels is None:  # everything is asked for
                found = [0.0 if i in design.excluded else 1.0 for i in range(len(self.attributes))]
            else:
                found = [0.0] * len(self.attributes)
                for i in panels.always:
                    found[int(i)] = 1.0
                for offer, p in enumerate(panels.inclusion if len(panels.members) else ()):
                    for i in panels.members[panels.first[offer] : panels.first[offer + 1]]:
                        found[int(i)] = float(p)
            self._inclusion[number] = found
        return self._inclusion[number]

    def _label_text(self, label: Fact) -> str | None:
        return None if label == Fact() else label.text if self.is_classifier else as_text(label.number or 0.0)


def value_as_text(attribute: Attribute, value: Fact) -> str | None:
    """A value as it would be told: of a number the shortest form, yes or no as 1 or 0."""
    if value.number is None:
        return None
    return value.text if attribute.kind in ("choice", "date") else as_text(value.number)


def _fact_of(fact: Fact, state: str) -> Fact:
    """A value, unless it is in conflict, or not there."""
    return fact if state == VALUE else Fact()


def _time(seconds: float) -> str:
    return moment(seconds).strftime("%Y-%m-%dT%H:%M:%SZ")
