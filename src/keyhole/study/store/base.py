"""What every store of studies promises.

1. What a call returned is stored: it survives the end of the process and of the machine. What a call refused left
   nothing.
2. The log of events only grows. Its numbers have no gaps, and an event that can be read has all earlier ones before it.
3. An example is drawn for once, ever. Whoever takes it after a lease has expired gets the same attributes.
4. Two calls never take the same example, unless the lease of the first has expired, or a person asks by name for what
   that person has already.
5. The same fact told twice is stored once. A fact that contradicts is stored beside the first, as a conflict.
6. The money of an ask is reserved when it is asked, and is released only for cells that are cancelled or cannot be
   obtained. Money, budget and total are counted in the transaction that changes them, and no ask exceeds them.
7. A snapshot is of one moment.

``conformance`` tests these promises on any store, and ``sql.py`` keeps them in SQLite and PostgreSQL.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import StudyError
from ...observe.attributes import Attribute
from ..rules import Fact

ROLES = ("owner", "collector", "reader")


class NothingToAsk(StudyError):
    """Every attribute of an example is known already, or unavailable; a queue goes on to the next example."""


class StudyRecord(NamedTuple):
    """What does not change of a study: its settings and its attributes."""

    id: int
    name: str
    settings: dict[str, Any]
    attributes: tuple[Attribute, ...]
    created_at: float


class NewDesign(NamedTuple):
    """A design that draws from now on, by the fields of its table."""

    arrays: bytes | None
    start: int
    selected: tuple[int, ...]
    next_at: int
    next_renewal: int | None


class DesignRecord(NamedTuple):
    """A design that is stored."""

    number: int
    seq: int
    parent: int | None
    excluded: tuple[int, ...]
    arrays: bytes | None
    start: int
    selected: tuple[int, ...]
    next_at: int
    next_renewal: int | None


class Candidate(NamedTuple):
    """An example that is about to be drawn for."""

    name: str
    number: int
    known: tuple[int, ...]  # attributes of which a value was found before
    design: int  # the latest design that may draw every attribute
    read_design: Callable[[int], DesignRecord]


class Draw(NamedTuple):
    """What is asked of an example; by the design ``parent``, or the one that leaves the ``excluded`` out of it."""

    attributes: tuple[int, ...]
    probabilities: tuple[float, ...]
    parent: int
    excluded: tuple[int, ...]
    price: int


class AskRecord(NamedTuple):
    """An ask that is stored; ``states`` are those of its attributes' cells."""

    id: int
    example: str
    example_number: int
    attributes: tuple[int, ...]
    probabilities: tuple[float, ...]
    states: tuple[str, ...]
    design: int
    price: int
    state: str
    person: str
    asked_at: float
    lease_until: float | None
    model: int | None  # that led to the design; None at the beginning


class Told(NamedTuple):
    """What became of told facts, by the names of attributes and ``label``.

    Parameters
    ----------
    recorded : tuple of str
        What is new.
    repeated : tuple of str
        What was told before, with the same value.
    conflicts : tuple of str
        What contradicts an earlier value. Both are kept, and neither is learned from until a correction says which is
        right.

    Examples
    --------
    >>> import tempfile, keyhole as kh
    >>> study = kh.Study.create(tempfile.mkdtemp() + "/study.db", "s", ["age", "iron"], budget=2, seed=0)
    >>> study.tell(study.ask("p1"), {"age": 61})
    Told(recorded=('age',), repeated=(), conflicts=())
    """

    recorded: tuple[str, ...]
    repeated: tuple[str, ...]
    conflicts: tuple[str, ...]


class ToldFact(NamedTuple):
    """One fact among many: by whom, of which ask or (None) of which example, and what is told."""

    person: str
    ask: int | None
    example: str
    attribute: int | None  # None: the label
    fact: Fact


class Event(NamedTuple):
    """One row of the log."""

    seq: int
    kind: str
    example: int | None  # its number
    attribute: int | None
    ask_id: int | None
    number: float | None
    text: str | None
    reason: str | None
    person: str
    at: float


class ModelRecord(NamedTuple):
    """A model that a renewal made."""

    number: int
    watermark: int
    design: int
    n_examples: int
    committed: int
    summary: dict[str, Any]
    made_at: float


class Snapshot(ABC):
    """A study at one moment; to be read inside ``with store.snapshot(...)``."""

    seq: int
    counts: dict[str, int]
    committed: int
    now: float
    renewal_error: str | None

    @abstractmethod
    def events(self, upto: int | None = None) -> Iterator[Event]:
        """The log in order, up to a number; read piece by piece."""

    @abstractmethod
    def designs(self, upto: int | None = None) -> list[DesignRecord]:
        """The designs that were there when the log had so many events, by their number."""

    @abstractmethod
    def names(self) -> dict[int, str]:
        """The names of examples, by their number."""

    @abstractmethod
    def people(self) -> list[dict[str, Any]]:
        """Name, role, and by whom and when each was added."""

    @abstractmethod
    def models(self) -> list[ModelRecord]:
        """The models of all renewals, by their number."""

    @abstractmethod
    def asks(self, state: str | None = None, some: Sequence[int] | None = None) -> Iterator[AskRecord]:
        """The asks in order, all or in one state, or with given numbers."""

    @abstractmethod
    def cells(self) -> Iterator[tuple[int, int, bool, str, float | None, str | None]]:
        """The stored state of every cell: example, attribute, drawn, state, number, text."""

    @abstractmethod
    def labels(self) -> Iterator[tuple[int, str, str, float | None, str | None, bool]]:
        """The stored state of every example: number, state, state of the label, number, text, learnable."""

    @abstractmethod
    def conflicts(self) -> list[dict[str, Any]]:
        """What waits for a correction: example, attribute (None: the label), and all values told."""

    @abstractmethod
    def expired(self) -> int:
        """How many asks have a lease that has ended."""


class Store(ABC):
    """A place that keeps studies; see the module for its promises. A person is named in every call that writes."""

    place: str  # for messages, without a password
    address: str  # by which another process opens it

    @abstractmethod
    def create(
        self, name: str, settings: Mapping[str, Any], attributes: Sequence[Attribute], design: NewDesign, owner: str
    ) -> StudyRecord:
        """Make a study, with its first design and its first person."""

    @abstractmethod
    def open(self, name: str) -> StudyRecord:
        """A study that is there."""

    @abstractmethod
    def studies(self) -> list[str]:
        """The names of all studies."""

    @abstractmethod
    def add_person(self, study: StudyRecord, name: str, role: str, person: str) -> None:
        """Add a person."""

    @abstractmethod
    def add_examples(self, study: StudyRecord, names: Sequence[str], person: str) -> int:
        """Queue examples; those that are there already are left as they are. The number of new ones."""

    @abstractmethod
    def take(
        self,
        study: StudyRecord,
        person: str,
        draw: Callable[[Candidate], Draw],
        examples: Sequence[str | None],
        lease: float | None,
    ) -> list[AskRecord]:
        """An ask for each of some examples, by name, or (None) the next of the queue; fewer where the queue ends or the
        money is spent."""

    @abstractmethod
    def record(
        self,
        study: StudyRecord,
        person: str,
        facts: Mapping[int, Fact],
        label: Fact | None,
        ask: int | None = None,
        example: str | None = None,
    ) -> Told:
        """Store facts of an ask, or (``example``) facts that were found without one; all of them or none."""

    @abstractmethod
    def record_many(
        self, study: StudyRecord, person: str, facts: Sequence[ToldFact], dry_run: bool = False
    ) -> tuple[list[str], dict[int, str]]:
        """Store facts of many asks and examples, at most one of each cell: all of them, or none where one is refused,
        or in a dry run. What became of each (one of the fields of ``Told``), and why some are refused, by position."""

    @abstractmethod
    def correct(
        self, study: StudyRecord, person: str, example: str, attribute: int | None, fact: Fact, reason: str
    ) -> None:
        """Store which value of a cell, or (None) which label, is right."""

    @abstractmethod
    def cancel(self, study: StudyRecord, person: str, ask: int, reason: str) -> None:
        """Give up the cells of an ask that were not told, and release their money."""

    @abstractmethod
    def release(self, study: StudyRecord, person: str, ask: int) -> None:
        """End the lease of an ask now, so that anybody may take it."""

    @abstractmethod
    def wants_renewal(self, study: StudyRecord, claim: float | None = None, again_after: float = 0.0) -> bool:
        """Whether a new design is due and nobody is at it. ``claim`` takes it, for so many seconds; ``again_after`` is
        how long one that was wanted is not wanted again."""

    @abstractmethod
    def finish_renewal(
        self,
        study: StudyRecord,
        person: str,
        watermark: int,
        design: NewDesign,
        n_examples: int,
        summary: dict[str, Any],
    ) -> int:
        """Store a new design and the model that led to it. The number of the design."""

    @abstractmethod
    def fail_renewal(self, study: StudyRecord, why: str) -> None:
        """Give a claimed renewal back, and say why."""

    @abstractmethod
    def snapshot(self, study: StudyRecord) -> AbstractContextManager[Snapshot]:
        """The study as it is now."""

    @abstractmethod
    def restore(self, name: str, rows: Iterable[tuple[str, str, dict[str, Any]]]) -> StudyRecord:
        """Make a study from the rows that define another, all of it or nothing; see ``parts.py``. Each row comes with
        its place, for messages, and the name of its table."""

    def copy_to(self, path: Path) -> bool:
        """Copy all studies to a new file, while they are in use; False where this store cannot."""
        return False

    @abstractmethod
    def close(self) -> None:
        """Close all connections."""


def no_such_ask(number: Any, study: str, last: int | None) -> StudyError:
    """The error for the number of an ask that is not there, with the last one that is."""
    there = "nothing was asked yet" if last is None else f"the last one is ask {last}"
    return StudyError(f"there is no ask {number!r} in the study {study!r}; {there}")
