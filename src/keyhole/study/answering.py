"""What a study answers: its model, its history, its state, and whether all is right. The work is done elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import StudyError
from .asking import Asking
from .asks import StudyAsk
from .names import ask_number

if TYPE_CHECKING:
    from .describe.not_obtainable import NotObtainable


class Answering(Asking):
    """The model and the reports of a study."""

    def renew(self) -> int:
        """Make the designs that are due, here and now.

        Returns
        -------
        int
            How many were made.
        """
        from .renewal import renew

        return renew(self.store, self.record, self.person)

    def model(self, upto: int | None = None) -> Any:
        """Learn from the log: all that was told, or the first events of it.

        Parameters
        ----------
        upto : int, default=None
            The number of the last event to learn from; None: all.

        Returns
        -------
        KeyholeRegressor or KeyholeClassifier
            The learner. The same log gives the same model, to the last bit on the same machine and versions.
        """
        from .learning import can_be_learned, learned
        from .store.replay import replay

        with self.store.snapshot(self.record) as moment:
            designs, examples = moment.designs(upto), replay(moment.events(upto))
        if not any(can_be_learned(one) for one in examples.values()):
            raise StudyError("no example can be learned from yet: its label and all that was asked of it must be there")
        return learned(self.record, designs, examples)

    def history(self) -> list[dict[str, Any]]:
        """List the models of all renewals: when, from how many examples, for how much money, and their error.

        Returns
        -------
        list of dict
            A row for each, in their order. ``error`` is that of held-out examples, predicted from as many attributes as
            examples usually showed: a squared error, or a share of wrong classes.
        """
        from .reporting import history

        return history(self)

    def enough(self, target: float) -> Any:
        """Estimate how many more examples reach a target error.

        Parameters
        ----------
        target : float
            The error to reach, between 0 and 1: the squared error as a share of that of the mean label, or the share
            of wrong classes divided by that of always predicting the most frequent class.

        Returns
        -------
        MoreExamples
            The number of further examples with a 90% interval; printed, it is a sentence.
        """
        from .reporting import enough

        return enough(self, target)

    def status(self) -> dict[str, Any]:
        """Count examples, values, labels, money and what waits for somebody.

        Returns
        -------
        dict
            The counts by name.
        """
        from .reporting import status

        return status(self)

    def conflicts(self) -> list[dict[str, Any]]:
        """List what waits for a correction, with everything that was told of it.

        Returns
        -------
        list of dict
            ``example``, ``attribute`` (None: the label) and ``told``, a list of values with persons and times.
        """
        from .reporting import conflicts

        return conflicts(self)

    def not_obtainable(self, sensitivity: bool = True, most: int = 10) -> NotObtainable:
        """Count what was not obtainable, compare it with the label, and learn the model again with other values.

        Parameters
        ----------
        sensitivity : bool, default=True
            Whether the model is learned again with these cells set to a low and to a high value: the 10th and the 90th
            percentile of the revealed values, yes and no, or each choice. It takes two models for each attribute.
        most : int, default=10
            For how many attributes, those with the most such cells.

        Returns
        -------
        NotObtainable
            Rows of numbers; printed, a table and what it means in sentences. What ``ask`` was told to be unavailable
            was not asked for, and is not counted.
        """
        from .describe.not_obtainable import not_obtainable

        return not_obtainable(self, sensitivity, most)

    def report(self, target: float | None = None) -> Any:
        """Describe the whole study: counts, history, model, what was not obtainable, conflicts, and the protocol.

        Parameters
        ----------
        target : float, default=None
            The squared error to reach, for ``enough``; None leaves that out.

        Returns
        -------
        Summary
            Sections of named lines, to print.
        """
        from .describe.report import report

        return report(self, target)

    def plot_history(self, ax: Any = None) -> Any:
        """Plot the error of the models of all renewals against the money spent, and where more money leads.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            The axes to draw on; None makes a figure.

        Returns
        -------
        matplotlib Axes
            The axes; ``.figure`` is the figure.
        """
        from .describe.plots import plot_history

        return plot_history(self, ax)

    def why(self, ask: StudyAsk | int) -> str:
        """Say why these attributes were asked for.

        Parameters
        ----------
        ask : StudyAsk or int
            The ask, or its number.

        Returns
        -------
        str
            The design, the inclusion probabilities, and how useful the model found each attribute.
        """
        from .reporting import why

        return why(self, self.find_ask(ask_number(ask)))

    def protocol(self) -> str:
        """Write the paragraph on methods for the protocol of the study.

        Returns
        -------
        str
            The design, its probabilities, the budget, the seed and the version, in sentences.
        """
        from .reporting import protocol

        return protocol(self)

    def verify(self) -> list[str]:
        """Recount everything from the log, and compare.

        Returns
        -------
        list of str
            What is wrong, in sentences; empty where all is right.
        """
        from .verifying import verify

        return verify(self)
