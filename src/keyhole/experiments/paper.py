"""What a paper's file is made of: units of work, experiments that use them, and claims judged by their rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # slow to import, and not needed to know which papers there are
    from matplotlib.figure import Figure

Row = dict[str, int | float | str]
Rows = list[Row]

HOLDS = "holds"
FAILS = "does not hold"
NOT_RUN = "could not be run here"
UNEXPLAINED = "Why is not known."


class Size(StrEnum):
    """How much of a paper's protocol is run."""

    quick = "quick"
    full = "full"


@dataclass(frozen=True)
class Unit:
    """A piece of work between a few seconds and a minute, kept on disk when it ends.

    ``function`` stands at the top level of its module and returns rows; ``settings`` are its keyword arguments, such
    as JSON can hold, the seed among them. ``cost`` says how long it takes relative to other units, for the time left.
    """

    function: Callable[..., Rows]
    settings: dict[str, Any]
    cost: float = 1.0


@dataclass(frozen=True)
class Claim:
    """What the paper says, in our own words, beside what was measured."""

    text: str
    published: str
    measured: str
    verdict: str
    why: str = ""

    @classmethod
    def judged(cls, text: str, published: str, measured: str, holds: bool, why: str = "", otherwise: str = "") -> Claim:
        """A claim that could be tried. ``otherwise`` says, with evidence, why it does not hold, where it does not."""
        said = why if holds else f"{why} {otherwise}".strip() or UNEXPLAINED
        return cls(text, published, measured, HOLDS if holds else FAILS, said)


@dataclass(frozen=True)
class Experiment:
    """A table or a figure.

    ``units`` takes the size and the seed of the whole run. ``table`` sums rows up for the report, ``claims`` judges
    what the paper says, ``draw`` puts a picture on an empty figure (None: there is only the table). ``about`` says
    how it was done, in HTML-free sentences. ``needs`` raises FileNotFoundError where data is missing.
    """

    name: str
    title: str
    units: Callable[[Size, int], list[Unit]]
    table: Callable[[Rows], Rows]
    claims: Callable[[Rows], list[Claim]]
    draw: Callable[[Rows, Figure], None] | None = None
    about: str = ""
    needs: Callable[[], object] | None = None
    figure_size: tuple[float, float] = (9.0, 5.5)


@dataclass(frozen=True)
class Paper:
    """A paper and what is reproduced of it."""

    name: str
    title: str
    citation: str
    experiments: list[Experiment] = field(default_factory=list)

    def chosen(self, only: list[str]) -> list[Experiment]:
        """The experiments of these names; all of them when none is named. An unknown name lists the known."""
        known = [experiment.name for experiment in self.experiments]
        for name in only:
            if name not in known:
                raise ValueError(f"--only {name}: {self.name} has no such table or figure; it has {', '.join(known)}")
        return [experiment for experiment in self.experiments if not only or experiment.name in only]
