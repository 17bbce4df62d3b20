"""The result of planning: a table of designs, the choices that follow from it, and ways to keep and show them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..common.atomic import write_whole
from ..common.parameters import ParameterError
from .comparing import Comparison, compared, interval
from .curves import Curve
from .designs import Design
from .on_pilot import Check
from .report.protocol import methods_paragraph
from .targets import Cheapest, cheapest_design


@dataclass(frozen=True)
class Plan:
    """Designs of a study, compared at equal cost; made by ``plan``.

    Errors are squared errors as shares of the label's variance: 1 is the error of predicting the mean label.

    Parameters
    ----------
    n_pilot : int
        The number of examples of the pilot.
    n_attributes : int
        The number of attributes.
    share_present : float
        The share of the pilot's cells that are not missing.
    label_variance : float
        The variance of the pilot's labels, by which errors become squared units of the label.
    row_price : float
        The cost of all attributes of one example.
    unit_costs : bool
        Whether each attribute costs 1.
    few : int
        The number of attributes of predictions from few.
    target : float or None
        The error to reach, if there is one.
    random_state : int
        The seed.
    designs : dict of float to list of Design
        The designs that were compared, by total cost.
    errors : dict of float to ndarray of shape (n_worlds, n_designs, 2)
        Their errors in each world, from all attributes and from few, by total cost.
    curves : dict of tuple to tuple of Curve
        By learner and spend per example: the errors from all attributes and from few against the total cost.
    checks : list of Check
        The designs that were simulated on the pilot itself, by which expected errors were moved.
    max_examples : int or None
        The most examples that there are.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from keyhole import planning
    >>> X, y = load_diabetes(return_X_y=True)
    >>> found = planning.plan(X[:40], y[:40], total=300, n_worlds=4, learners=["complete rows"], n_jobs=1)
    >>> [row["layout"] for row in found.table()]
    ['10 x 30', '10 x 30']
    """

    n_pilot: int
    n_attributes: int
    share_present: float
    label_variance: float
    row_price: float
    unit_costs: bool
    few: int
    target: float | None
    random_state: int
    designs: dict[float, list[Design]]
    errors: dict[float, np.ndarray]
    curves: dict[tuple[str, float], tuple[Curve, Curve]]
    checks: list[Check]
    max_examples: int | None = None

    @property
    def n_worlds(self) -> int:
        """The number of worlds that designs were simulated in."""
        return len(self.errors[self.total])

    @property
    def total(self) -> float:
        """The largest total cost."""
        return max(self.designs)

    def table(self, total: float | None = None) -> list[dict[str, Any]]:
        """List the designs with their errors.

        Parameters
        ----------
        total : float, default=None
            One of the totals of the plan; None for the largest.

        Returns
        -------
        list of dict
            A row for each design: what it is, the attributes that it cannot afford and leaves out, and its expected
            errors with 90% intervals.
        """
        total = self._known(total)
        choices = {few: self.comparison(total, few) for few in (False, True)}
        rows = []
        for i, design in enumerate(self.designs[total]):
            row = {"learner": design.learner, "layout": design.layout, **design._asdict()}
            row["leaves_out"] = list(design.leaves_out)
            for few, name in ((False, "all"), (True, "few")):
                found = interval(self.errors[total][:, i, int(few)])
                row |= {f"error_{name}": found.error, f"low_{name}": found.low, f"high_{name}": found.high}
                row[f"mark_{name}"] = _mark(design, i, choices[few])
            rows.append(row)
        return rows

    def comparison(self, total: float | None = None, few: bool = False) -> Comparison:
        """Compare designs by their paired differences over worlds.

        Parameters
        ----------
        total : float, default=None
            One of the totals of the plan; None for the largest.
        few : bool, default=False
            Whether predictions are from few attributes.

        Returns
        -------
        Comparison
            The best design and those that cannot be told apart from it, as positions in ``designs``.
        """
        total = self._known(total)
        n = sum(design.can_be_chosen for design in self.designs[total])  # that for comparison comes last
        return compared(self.errors[total][:, :n, int(few)], self.designs[total][:n])

    def best(self, total: float | None = None, few: bool = False) -> Design:
        """Return the design to take.

        It is the one with the smallest expected error or, where several are within 5% of it, that of these whose
        layout is farthest from both extremes, the thinnest one and complete rows. Where no design is expected to do
        better than the mean label, none is recommended (``comparison().predicts`` is False), and this is the design
        that would be otherwise.

        Parameters
        ----------
        total : float, default=None
            One of the totals of the plan; None for the largest.
        few : bool, default=False
            Whether predictions are from few attributes.

        Returns
        -------
        Design
            The design.
        """
        total = self._known(total)
        return self.designs[total][self.comparison(total, few).recommended]

    def cheapest(self, target: float | None = None, few: bool = False) -> Cheapest:
        """Find the cheapest design that is expected to reach a target.

        Parameters
        ----------
        target : float, default=None
            The error to reach; None for the target of the plan.
        few : bool, default=False
            Whether predictions are from few attributes.

        Returns
        -------
        Cheapest
            The design.

        Raises
        ------
        ParameterError
            If no design reaches the target, even with eight times the largest total and as many examples as there
            are; it names the best error.
        """
        return cheapest_design(self, target, few)

    def to_json(self, path: str | Path | None = None) -> str:
        """Write everything as JSON.

        Parameters
        ----------
        path : str or pathlib.Path, default=None
            A file to write, whole or not at all; None writes none.

        Returns
        -------
        str
            The text.
        """
        from .report.as_json import as_dict

        text = json.dumps(as_dict(self), indent=1) + "\n"
        if path is not None:
            write_whole(path, text)
        return text

    def methods_paragraph(self) -> str:
        """Describe the planning in a paragraph for the protocol of the study.

        Returns
        -------
        str
            The paragraph.
        """
        return methods_paragraph(self)

    def plot(self, path: str | Path | None = None) -> Any:
        """Draw the error against what is spent per example, a line for each learner.

        Parameters
        ----------
        path : str or pathlib.Path, default=None
            A file to write, whole or not at all; None writes none.

        Returns
        -------
        matplotlib Figure
            The figure.
        """
        from .report.plots import draw_plan

        return draw_plan(self, path)

    def __str__(self) -> str:
        from .report.text import as_text

        return as_text(self)

    def _known(self, total: float | None) -> float:
        if total is None:
            return self.total
        if total not in self.designs:
            raise ParameterError("total", f"the plan has {', '.join(f'{one:g}' for one in self.designs)}", total)
        return float(total)


def _mark(design: Design, i: int, found: Comparison) -> str:
    if not design.can_be_chosen:
        return "for comparison"
    if i == found.recommended and found.predicts:
        return "recommended"
    return "cannot be told apart" if i in (*found.alike, found.best) else ""
