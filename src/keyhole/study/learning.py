"""The model of a study from its log: a pure function of the events, the designs that were stored, and the settings.

A learner is told the examples one after the other, in the order in which they were asked for. What was found without an
ask counts as known beforehand: it is learned from, and estimates of the error leave it out. One thread is used, so that
the same log gives the same model to the last bit on the same machine and versions.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..common.one_thread import one_thread
from ..moments import KeyholeClassifier, KeyholeRegressor
from ..moments.policy.policy import Policy, ask_of
from ..observe.attributes import Attribute
from .constraints import constraints_of, for_the_design
from .drawing import bytes_of, panels_of
from .rules import VALUE, is_learnable
from .store.base import DesignRecord, NewDesign, StudyRecord
from .store.replay import ExampleState

LEARNERS = {"KeyholeRegressor": KeyholeRegressor, "KeyholeClassifier": KeyholeClassifier}


def begun(settings: dict[str, Any], attributes: Sequence[Attribute]) -> Any:
    """The learner of a study before its first example."""
    constraints = constraints_of(attributes, settings["forbidden"])
    learner = LEARNERS[settings["learner"]](
        budget=settings["budget"],
        n_expected=settings["n_expected"],
        random_state=settings["seed"],
        **settings["learner_params"],
    )
    return learner.start(for_the_design(attributes, constraints))


def first_design(learner: Any) -> NewDesign:
    """The design of the first examples."""
    policy = learner.policy_
    if policy is None:
        return NewDesign(None, 0, (), 0, None)
    return NewDesign(bytes_of(policy.designs[0]), 0, (), policy.next_at, policy.next_renewal)


def learned(study: StudyRecord, designs: Sequence[DesignRecord], examples: dict[int, ExampleState]) -> Any:
    """The learner after all examples that can be learned from."""
    with one_thread():
        with warnings.catch_warnings():  # what is to be said of the settings was said when the study was made
            warnings.simplefilter("ignore", UserWarning)
            learner = begun(study.settings, study.attributes)
        if learner.policy_ is not None:
            learner.policy_ = policy_of(learner.policy_, designs)
        for one in sorted(examples.values(), key=lambda one: (one.first_seq, one.number)):
            if can_be_learned(one):
                _tell(learner, one, study)
        return learner


def can_be_learned(one: ExampleState) -> bool:
    """Whether an example has its label and all that was asked of it."""
    drawn = [cell.state for cell in one.cells.values() if cell.drawn]
    found = [cell.state for cell in one.cells.values() if not cell.drawn]
    return is_learnable(drawn, found, one.label_state)


def policy_of(first: Policy, designs: Sequence[DesignRecord]) -> Policy:
    """The policy with all designs that were stored, by their numbers."""
    panels: list[Any] = []
    for design in designs:
        if design.parent is None:
            panels.append(panels_of(design.arrays))
        else:
            panels.append(panels[design.parent].without(np.array(design.excluded, dtype=np.int64)))
    whole = [design for design in designs if design.parent is None]
    return first._replace(
        designs=tuple(panels),
        excluded=tuple(np.array(design.excluded, dtype=np.int64) for design in designs),
        starts=tuple(design.start for design in whole),
        selected=tuple(np.array(design.selected, dtype=np.int64) for design in whole),
        next_at=whole[-1].next_at,
    )


def _tell(learner: Any, one: ExampleState, study: StudyRecord) -> None:
    found = [i for i, cell in sorted(one.cells.items()) if not cell.drawn and cell.state == VALUE]
    given = (np.array(found, dtype=np.int64), np.array([one.cells[i].fact.number for i in found], dtype=float))
    drawn = np.array(one.drawn, dtype=np.int64)
    ask = ask_of(drawn, np.array(one.probabilities), one.design or 0, given)._replace(number=learner.n_asked_)
    learner.n_asked_ += 1
    learner.open_asks_[ask.number] = ask
    values = [as_told(study.attributes[i], one.cells[i]) for i in one.drawn]
    label = one.label.number if one.label.text is None else one.label.text
    learner.tell(ask, values, label)


def as_told(attribute: Attribute, cell: Any) -> Any:
    """A value as a learner takes it: the text of a choice, a number for anything else, None for what is missing."""
    if cell.state != VALUE:
        return None
    if attribute.kind == "date":
        return np.datetime64("1970-01-01") + np.timedelta64(round(cell.fact.number * 86_400_000_000), "us")
    return cell.fact.text if attribute.kind == "choice" else cell.fact.number


def renewed(learner: Any) -> NewDesign:
    """The design for the examples to come, by the learner's own policy."""
    with one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        policy = learner._renewed(learner.policy_)
    # Where the design stays as it was, as when no further set is tried, it is stored again with its next renewal.
    selected = tuple(int(i) for i in policy.selected[-1])
    return NewDesign(bytes_of(policy.designs[-1]), policy.starts[-1], selected, policy.next_at, policy.next_renewal)


def fingerprint(learner: Any) -> str:
    """A checksum of what was learned: the same log gives the same, on the same machine and versions."""
    with one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parts = [np.ascontiguousarray(learner.coef_, dtype=np.float64), np.atleast_1d(learner.intercept_)]
    return hashlib.sha256(b"".join(np.asarray(part, dtype="<f8").tobytes() for part in parts)).hexdigest()
