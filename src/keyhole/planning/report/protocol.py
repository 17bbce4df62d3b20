"""A paragraph for the protocol of a study: how its design was chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...common.parameters import ParameterError
from ...common.wording import counted
from ..comparing import interval
from ..settings import LEVEL, TOLERANCE
from ..targets import reached
from .sentences import joined, too_dear

if TYPE_CHECKING:
    from ..result import Plan


def methods_paragraph(plan: Plan) -> str:
    """A paragraph for the protocol of a study."""
    from ..._version import __version__

    best, total = plan.best(), plan.total
    found = plan.comparison()
    error = interval(plan.errors[total][:, found.recommended, 0])
    unit, each = ("tests", "tests of") if plan.unit_costs else ("units of cost", "spend on")
    n_designs = len(found.ratio)
    rank = "the smallest of all" if found.recommended == found.best else f"within {TOLERANCE - 1:.0%} of the smallest"
    begin, chosen = "The design was chosen", f"The design {best} was chosen; its"
    if not found.predicts:
        best, error = plan.designs[total][found.best], interval(plan.errors[total][:, found.best, 0])
        rank = "the smallest of all"
        begin = "Designs were compared"
        chosen = f"No design is expected to do better than the mean label, and none was chosen; of {best}, the"
    cells = "complete" if plan.share_present == 1 else f"{plan.share_present:.0%} of the cells present"
    said = (
        f"{begin} by simulation with Keyhole {__version__} (seed {plan.random_state}) from a pilot of"
        f" {counted(plan.n_pilot, 'example')} and {counted(plan.n_attributes, 'attribute')} ({cells}). A factor model"
        " of the attributes and a Bayesian linear model of the label, with dense and with sparse weights, were fitted"
        f" to the pilot, and {plan.n_worlds} populations were drawn from their posterior. In each population,"
        f" {counted(n_designs, 'design')} of at most {total:,.0f} {unit} {'was' if n_designs == 1 else 'were'}"
        " simulated: training on so many examples, and prediction of new examples from all attributes. A design is"
        f" written as a learner and {each} each example x number of examples. {chosen} expected squared error"
        f" is {error.error:.3f} of the label's variance ({LEVEL:.0%} interval {error.low:.3f} to {error.high:.3f}; 1 is"
        f" the error of predicting the mean label), {rank}."
    )
    if best.leaves_out:
        said += f" It leaves out {', '.join(map(repr, best.leaves_out))}, {too_dear(best)}."
    if plan.checks:
        said += (
            f" {counted(len(plan.checks), 'design')} that the pilot has enough complete examples for"
            f" {'was' if len(plan.checks) == 1 else 'were'} simulated on the pilot itself as well, and expected errors"
            " were moved by the ratio of the two errors, as far as it is known."
        )
    alike = [i for i in sorted({*found.alike, found.best}) if i != found.recommended]
    if alike and found.predicts:
        said += f" It could not be told apart from {joined([plan.designs[total][i] for i in alike])}."
    if plan.target is not None:
        try:
            said += f" {reached(plan, few=False)}"
        except ParameterError:
            said += f" No design is expected to reach the target, {plan.target:g}."
    return f"{said} All this assumes that the pilot is a random sample of the examples of the study."
