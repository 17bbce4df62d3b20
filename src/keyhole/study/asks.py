"""What a person is asked to find out of one example."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import NamedTuple

from ..observe.attributes import Attribute
from .money import PriceList, amount
from .rules import ASKED
from .store.base import AskRecord


class AskedAttribute(NamedTuple):
    """One attribute of an ask.

    Parameters
    ----------
    name : str
        The name of the attribute.
    unit : str or None
        The unit of its values.
    kind : str
        The kind of its values.
    choices : tuple of str
        The values that a choice may have.
    cost : float
        What it costs alone; of an attribute in a bundle, what the bundle costs.
    bundle : str or None
        The bundle that it is ordered with.
    probability : float
        The inclusion probability with which it was drawn.
    state : str
        What became of it: "asked", "value", "not obtainable", "cancelled" or "conflict".

    Examples
    --------
    >>> import tempfile, keyhole as kh
    >>> study = kh.Study.create(tempfile.mkdtemp() + "/study.db", "s", ["age", "iron"], budget=1, seed=0)
    >>> study.ask("p1").attributes[0].probability
    0.5
    """

    name: str
    unit: str | None
    kind: str
    choices: tuple[str, ...]
    cost: float
    bundle: str | None
    probability: float
    state: str


class StudyAsk(NamedTuple):
    """What to find out of one example, and for how long it is yours.

    Parameters
    ----------
    id : int
        The number of the ask, by which its results are told.
    example : str
        The name of the example.
    attributes : tuple of AskedAttribute
        What to find out.
    cost : float
        The money that is reserved for it.
    person : str
        Who has it.
    asked_at : datetime
        When it was drawn.
    lease_until : datetime or None
        Until when nobody else is given this example; None: for ever.
    design : int
        The number of the design that drew it.
    model : int or None
        The number of the model that the design follows from; None for the uniform design of the beginning.

    Examples
    --------
    >>> import tempfile, keyhole as kh
    >>> study = kh.Study.create(tempfile.mkdtemp() + "/study.db", "s", ["age", "iron"], budget=2, seed=0)
    >>> print(study.ask("p1"))
    ask 1, example p1: age, iron; cost 2
    """

    id: int
    example: str
    attributes: tuple[AskedAttribute, ...]
    cost: float
    person: str
    asked_at: datetime.datetime
    lease_until: datetime.datetime | None
    design: int
    model: int | None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its attributes."""
        return tuple(one.name for one in self.attributes)

    @property
    def awaited(self) -> tuple[str, ...]:
        """The names of the attributes that were not told yet."""
        return tuple(one.name for one in self.attributes if one.state == ASKED)

    def __str__(self) -> str:
        parts = [one.name if one.unit is None else f"{one.name} ({one.unit})" for one in self.attributes]
        return f"ask {self.id}, example {self.example}: {', '.join(parts)}; cost {self.cost:g}"


def ask_in_words(record: AskRecord, attributes: Sequence[Attribute], prices: PriceList) -> StudyAsk:
    """An ask with the names, units and costs of its attributes."""
    asked = []
    for i, probability, state in zip(record.attributes, record.probabilities, record.states, strict=True):
        a = attributes[i]
        asked.append(
            AskedAttribute(a.name, a.unit, a.kind, a.choices, amount(prices.each(i)), a.bundle, probability, state)
        )
    return StudyAsk(
        id=record.id,
        example=record.example,
        attributes=tuple(asked),
        cost=amount(record.price),
        person=record.person,
        asked_at=moment(record.asked_at),
        lease_until=None if record.lease_until is None else moment(record.lease_until),
        design=record.design,
        model=record.model,
    )


def moment(seconds: float) -> datetime.datetime:
    """A time of the database's clock as a date and time, in UTC."""
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC)
