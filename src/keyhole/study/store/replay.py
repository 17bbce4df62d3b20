"""The state of every example from the log alone: what a model is learned from, and what ``verify`` compares with."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

from ..rules import ASKED, CANCELLED, CONFLICT, NONE, NOT_OBTAINABLE, TELLS, VALUE, Fact
from .base import Event

NOTHING = Fact()


@dataclass(slots=True)
class CellState:
    """A cell: whether a design drew it, its state and its value."""

    drawn: bool
    state: str
    fact: Fact = NOTHING
    reason: str | None = None


@dataclass(slots=True)
class ExampleState:
    """An example: its ask, its cells by attribute, and its label."""

    number: int
    first_seq: int  # of its ask, or of the first found value
    design: int | None = None
    drawn: tuple[int, ...] = ()
    probabilities: tuple[float, ...] = ()
    cancelled: bool = False
    cells: dict[int, CellState] = field(default_factory=dict)
    label_state: str = NONE
    label: Fact = NOTHING


def replay(events: Iterable[Event]) -> dict[int, ExampleState]:
    """The examples by their number, after these events in their order."""
    examples: dict[int, ExampleState] = {}
    for event in events:
        if event.example is None:
            continue
        if event.kind == "added":
            examples[event.example] = ExampleState(event.example, event.seq)
            continue
        one = examples[event.example]
        fact = Fact(event.number, event.text)
        if event.kind == "asked":
            about = json.loads(event.text or "")
            one.first_seq, one.design = event.seq, int(about["design"])
            one.drawn, one.probabilities = tuple(about["attributes"]), tuple(about["probabilities"])
            for attribute in one.drawn:
                one.cells[attribute] = CellState(True, ASKED)
        elif event.kind == CANCELLED:
            one.cancelled = True
            for cell in one.cells.values():
                if cell.drawn and cell.state == ASKED:
                    cell.state = CANCELLED
        elif event.kind in TELLS and event.attribute is not None:
            cell = one.cells.setdefault(event.attribute, CellState(False, NONE))
            cell.state = TELLS[event.kind]
            if event.kind != CONFLICT:
                cell.fact = fact if event.kind != NOT_OBTAINABLE else Fact()
            cell.reason = event.reason if event.kind == NOT_OBTAINABLE else None
        elif event.kind in ("label", "corrected label"):
            one.label_state, one.label = VALUE, fact
        elif event.kind == "conflict label":
            one.label_state = CONFLICT
    return examples
