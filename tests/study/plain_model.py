"""A study as plain dictionaries, to compare with: no database, no log, the rules once more in few words."""

from __future__ import annotations

from dataclasses import dataclass, field

from keyhole import Attribute

ATTRIBUTES = (
    Attribute("age", free=True),
    Attribute("blood", cost=3, bundle="draw"),
    Attribute("iron", cost=3, bundle="draw"),
    Attribute("scan", cost=2, charged_when_missing=True),
    Attribute("walk", cost=1),
    Attribute("stairs", cost=1, requires=("walk",)),
)
NAMES = [a.name for a in ATTRIBUTES]
FORBIDDEN = [("scan", "walk")]
BUDGET, TOTAL = 5, 34


class Refused(Exception):
    """The study must refuse this, and change nothing."""


@dataclass
class Cell:
    """A cell, or the label: its state, its value, and what was told since the last correction."""

    drawn: bool = False
    state: str = "none"
    value: float | None = None
    since: set[float] = field(default_factory=set)

    def tell(self, value: float) -> str:
        """What becomes of a told value."""
        if self.state in ("value", "conflict"):
            if value == self.value or value in self.since:
                return "repeated"
            self.state = "conflict"
            self.since.add(value)
            return "conflicts"
        self.state, self.value, self.since = "value", value, {value}
        return "recorded"

    def miss(self) -> str:
        """What becomes of "not obtainable"."""
        if self.state in ("value", "conflict"):
            raise Refused
        if self.state == "not obtainable":
            return "repeated"
        self.state = "not obtainable"
        return "recorded"

    def correct(self, value: float) -> None:
        """A correction."""
        if self.state not in ("value", "conflict"):
            raise Refused
        self.state, self.value, self.since = "value", value, set()


@dataclass
class Example:
    """An example with its ask, if there is one."""

    ask: int | None = None
    drawn: tuple[str, ...] = ()
    holder: str = ""
    leased: bool = False
    cancelled: bool = False
    cells: dict[str, Cell] = field(default_factory=dict)
    label: Cell = field(default_factory=Cell)

    def states(self, drawn: bool) -> list[str]:
        return [cell.state for cell in self.cells.values() if cell.drawn == drawn]

    @property
    def is_open(self) -> bool:
        return self.ask is not None and not self.cancelled and "asked" in self.states(True)

    @property
    def is_learnable(self) -> bool:
        final = all(state in ("value", "not obtainable", "cancelled") for state in self.states(True))
        return self.label.state == "value" and final and "value" in self.states(True) + self.states(False)

    @property
    def money(self) -> int:
        paid = {name for name in self.drawn if self.cells[name].state in ("asked", "value", "conflict")}
        if "scan" in self.drawn and self.cells["scan"].state == "not obtainable":
            paid.add("scan")
        return 3 * bool(paid & {"blood", "iron"}) + 2 * ("scan" in paid) + len(paid & {"walk", "stairs"})


class PlainModel:
    """The examples by name, in the order in which they came."""

    def __init__(self) -> None:
        self.examples: dict[str, Example] = {}

    @property
    def money(self) -> int:
        return sum(one.money for one in self.examples.values())

    @property
    def pays(self) -> bool:
        return self.money + BUDGET <= TOTAL

    def expired(self) -> list[str]:
        return [name for name, one in self.examples.items() if one.is_open and not one.leased]

    def queue(self) -> list[str]:
        return [name for name, one in self.examples.items() if one.ask is None]

    def asked(self) -> list[str]:
        return [name for name, one in self.examples.items() if one.ask is not None]

    def status(self) -> dict[str, float]:
        """The counts, by the names that ``Study.status`` gives them."""
        every = list(self.examples.values())
        states = [cell.state for one in every for cell in one.cells.values()]
        labels = [one.label.state for one in every]
        asked = [one for one in every if one.ask is not None]
        done = sum("asked" not in one.states(True) for one in asked)
        return {
            "examples": len(every),
            "queued": len(self.queue()),
            "asked": len(asked) - done,
            "done": done,
            "expired leases": len(self.expired()),
            "values": states.count("value"),
            "not obtainable": states.count("not obtainable"),
            "conflicts": states.count("conflict") + labels.count("conflict"),
            "labels": labels.count("value"),
            "learned from": sum(one.is_learnable for one in every),
            "spent or reserved": float(self.money),
        }
