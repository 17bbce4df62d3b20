"""What a paper is made of: tasks, experiments that use their rows, and claims with a verdict computed from the rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from ...common.wording import listed
from .kinds import KINDS, THE_PAPER

if TYPE_CHECKING:  # slow to import, and not needed to know which papers there are
    from matplotlib.figure import Figure

Row = dict[str, int | float | str]
Rows = list[Row]

HOLDS = "holds"
FAILS = "does not hold"
NOT_JUDGED = "not judged"  # measured, but on too little to say
NOT_RUN = "not run"  # here: the data is missing, or the experiment was not asked for
UNEXPLAINED = "The reason is not known."


class Size(StrEnum):
    """How much of a paper's protocol is run: ``quick`` (fewer splits, smaller grids) or ``full``."""

    quick = "quick"
    full = "full"


@dataclass(frozen=True)
class Task:
    """A piece of work of a few seconds to a minute, whose rows are written to disk when it ends.

    Parameters
    ----------
    function : callable
        A function at the top level of its module, so that worker processes can import it. It returns rows: a list of
        dictionaries from column names to numbers and strings.
    settings : dict
        The keyword arguments of the function, such as JSON can hold; the seed is one of them.
    cost : float, default=1.0
        The expected duration relative to other tasks, by which the remaining time is estimated.
    """

    function: Callable[..., Rows]
    settings: dict[str, Any]
    cost: float = 1.0


@dataclass(frozen=True)
class Claim:
    """A statement, mostly of a paper, in our own words, beside what was measured.

    Parameters
    ----------
    text : str
        The statement.
    published : str
        What the paper reports.
    measured : str
        What was measured here.
    verdict : str
        ``HOLDS``, ``FAILS``, ``NOT_JUDGED`` or ``NOT_RUN``.
    why : str, default=""
        Why the claim does not hold, was not judged or not run, or under which conditions the verdict was
        reached.
    about : str, default="the paper"
        What it is about, one of `KINDS`: a statement of the paper, which is counted, the same statement of
        ``"another form"`` of a learner, or ``"Keyhole's own question"``.
    """

    text: str
    published: str
    measured: str
    verdict: str
    why: str = ""
    about: str = THE_PAPER

    def __post_init__(self) -> None:
        if self.about not in KINDS:
            raise ValueError(f"about {self.about!r}: a claim is about one of {listed(KINDS)}")

    @classmethod
    def with_verdict(
        cls,
        text: str,
        published: str,
        measured: str,
        holds: bool,
        why: str = "",
        otherwise: str = "",
        about: str = THE_PAPER,
    ) -> Claim:
        """A claim that was measured.

        Parameters
        ----------
        text, published, measured : str
            As for the class: the statement, what the paper reports, and what was measured.
        holds : bool
            Whether the measurement agrees with the statement.
        why : str, default=""
            A remark that is shown with either verdict, such as the protocol; it is no reason.
        otherwise : str, default=""
            Where and by how much the claim does not hold, with evidence for a reason; shown only in that case.
        about : str, default="the paper"
            As for the class.

        Returns
        -------
        Claim
            The claim with the verdict ``HOLDS`` or ``FAILS``. A claim that does not hold always has a reason, if only
            that the reason is not known, whatever remark it has.
        """
        reason = why if holds else f"{why} {otherwise.strip() or UNEXPLAINED}"
        return cls(text, published, measured, HOLDS if holds else FAILS, " ".join(reason.split()), about)


@dataclass(frozen=True)
class Experiment:
    """A table or a figure of a paper.

    Parameters
    ----------
    name : str
        The name on the command line, such as ``"fig2"``.
    title : str
        The title in the report.
    tasks : callable
        The tasks of a run, from its size and its seed.
    table : callable
        A summary of the rows for the report, as rows.
    claims : callable
        What the paper says of the table or figure, as a list of claims, from the rows.
    draw : callable, default=None
        A function of the rows and of an empty figure, which it draws on. Without it there is only the table.
    about : str, default=""
        How the experiment was done, in whole sentences without HTML.
    needs : callable, default=None
        A function that raises FileNotFoundError where data is missing.
    figure_size : tuple of float, default=(9.0, 5.5)
        Width and height of the figure, in inches.
    caption : str, default=""
        What the figure shows, in whole sentences; by default the first sentence of ``about``.
    alternative_text : str, default=""
        The figure in words, for readers who cannot see it; by default its panels, axes and lines.
    part : callable, default=None
        Which part of the tasks was run, in words, from their rows. Without it only the rows of all tasks are reported.
    claims_about : str, default="the paper"
        What all its claims are about, if no statement of the paper is judged here; then also what the line is about
        that says that the experiment was not run.
    """

    name: str
    title: str
    tasks: Callable[[Size, int], list[Task]]
    table: Callable[[Rows], Rows]
    claims: Callable[[Rows], list[Claim]]
    draw: Callable[[Rows, Figure], None] | None = None
    about: str = ""
    needs: Callable[[], object] | None = None
    figure_size: tuple[float, float] = (9.0, 5.5)
    caption: str = ""
    alternative_text: str = ""
    part: Callable[[Rows], str] | None = None
    claims_about: str = THE_PAPER


@dataclass(frozen=True)
class Paper:
    """A paper and the experiments that reproduce its tables and figures.

    Parameters
    ----------
    name : str
        The name on the command line, and of the folder of results.
    title : str
        The title of the paper.
    citation : str
        Authors, venue and year.
    experiments : list of Experiment
        Its tables and figures, in the order of the report.
    headline : str, default=""
        The name of the experiment that the report begins with; by default the one with the most claims among those
        that have a figure.
    """

    name: str
    title: str
    citation: str
    experiments: list[Experiment] = field(default_factory=list)
    headline: str = ""

    def chosen(self, only: list[str]) -> list[Experiment]:
        """The experiments of these names.

        Parameters
        ----------
        only : list of str
            Names of experiments; an empty list chooses all of them.

        Returns
        -------
        list of Experiment
            The chosen experiments, in the order of the paper.

        Raises
        ------
        ValueError
            If a name is unknown; the message lists the known names.
        """
        known = [experiment.name for experiment in self.experiments]
        for name in only:
            if name not in known:
                every = listed(known, shown=len(known))
                raise ValueError(f"--only {name}: {self.name} has no such table or figure; it has {every}")
        return [experiment for experiment in self.experiments if not only or experiment.name in only]
