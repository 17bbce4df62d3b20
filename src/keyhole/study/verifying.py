"""Everything that is stored of a study beside its log, counted again from the log."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .learning import can_be_learned
from .money import PriceList, amount, millionths
from .rules import CONFLICT, NOT_OBTAINABLE, VALUE, is_charged, is_done
from .store.base import Snapshot
from .store.replay import ExampleState, replay

if TYPE_CHECKING:
    from .answering import Answering

MOST = 100  # sentences


def verify(study: Answering) -> list[str]:
    """What is wrong, in sentences; nothing where all is right."""
    with study.store.snapshot(study.record) as now:
        wrong: list[str] = []
        examples = replay(_in_order(now, wrong))
        _check_cells(now, examples, wrong)
        _check_examples(now, examples, wrong)
        _check_money(study, now, examples, wrong)
        _check_draws(study, now, examples, wrong)
    return wrong[:MOST]


def _in_order(now: Snapshot, wrong: list[str]):  # type: ignore[no-untyped-def]
    """The events, whose numbers must have no gap."""
    expected = 0
    for event in now.events():
        expected += 1
        if event.seq != expected:
            wrong.append(f"event {expected} is missing; the next is {event.seq}")
            expected = event.seq
        yield event
    if expected != now.seq:
        wrong.append(f"the log ends with event {expected}, and the study counts {now.seq}")


def _check_cells(now: Snapshot, examples: dict[int, ExampleState], wrong: list[str]) -> None:
    stored = 0
    for number, attribute, drawn, state, value, text in now.cells():
        stored += 1
        found = examples[number].cells.get(attribute) if number in examples else None
        told = None if found is None else (found.drawn, found.state, found.fact.number, found.fact.text)
        if told != (drawn, state, value, text):
            wrong.append(f"example {number}, attribute {attribute}: stored {(drawn, state, value, text)}, told {told}")
    expected = sum(len(one.cells) for one in examples.values())
    if stored != expected:
        wrong.append(f"{stored:,} cells are stored, and the log has {expected:,}")


def _check_examples(now: Snapshot, examples: dict[int, ExampleState], wrong: list[str]) -> None:
    counts: Counter[str] = Counter(n_examples=0)
    for number, state, label_state, value, text, learnable in now.labels():
        one = examples.get(number)
        if one is None:
            wrong.append(f"example {number} is stored, and the log does not know it")
            continue
        drawn = [cell.state for cell in one.cells.values() if cell.drawn]
        should = "queued" if one.design is None else "done" if is_done(drawn) else "asked"
        told = (should, one.label_state, one.label.number, one.label.text, can_be_learned(one))
        if told != (state, label_state, value, text, learnable):
            wrong.append(f"example {number}: stored {(state, label_state, value, text, learnable)}, told {told}")
        states = Counter(cell.state for cell in one.cells.values())
        counts["n_examples"] += 1
        counts["n_asked"] += one.design is not None
        counts["n_done"] += should == "done"
        counts["n_values"] += states[VALUE]
        counts["n_not_obtainable"] += states[NOT_OBTAINABLE]
        counts["n_conflicts"] += states[CONFLICT] + (one.label_state == CONFLICT)
        counts["n_labelled"] += one.label_state == VALUE
        counts["n_learnable"] += can_be_learned(one)
    for name, stored in now.counts.items():
        if counts[name] != stored:
            wrong.append(f"{name}: {stored:,} is stored, and the log has {counts[name]:,}")


def _check_money(study: Answering, now: Snapshot, examples: dict[int, ExampleState], wrong: list[str]) -> None:
    attributes, settings, prices = study.attributes, study.record.settings, PriceList(study.attributes)
    most, spent, released = millionths(settings["most"], "an example"), 0, False
    for one in examples.values():
        if one.design is None:
            continue
        charged = [i for i in one.drawn if is_charged(one.cells[i].state, attributes[i].charged_when_missing)]
        price = prices.price(charged)
        spent += price
        released = released or one.cancelled or len(charged) < len(one.drawn)
        if price > most:
            wrong.append(f"example {one.number}: {amount(price):g} is above the budget of {amount(most):g}")
    if spent != now.committed:
        wrong.append(f"the study counts {amount(now.committed):g} of money, and the log has {amount(spent):g}")
    if settings["total"] is not None and spent > millionths(settings["total"], "the total"):
        late = " (values came after their money was released)" if released else ""
        wrong.append(f"{amount(spent):g} is above the total of {float(settings['total']):g}{late}")


def _check_draws(study: Answering, now: Snapshot, examples: dict[int, ExampleState], wrong: list[str]) -> None:
    """That asks are as the log has them."""
    seen = 0
    for ask in now.asks():
        seen += 1
        one = examples.get(ask.example_number)
        told = None if one is None else (one.design, one.drawn, one.probabilities)
        if told != (ask.design, ask.attributes, ask.probabilities):
            wrong.append(f"ask {ask.id}: its draw is not that of the log")
        elif one is not None and ask.state != _state_of_ask(one):
            wrong.append(f"ask {ask.id} is {ask.state}, and the log says {_state_of_ask(one)}")
    asked = sum(one.design is not None for one in examples.values())
    if seen != asked:
        wrong.append(f"{seen:,} asks are stored, and the log has {asked:,}")


def _state_of_ask(one: ExampleState) -> str:
    if one.cancelled:
        return "cancelled"
    return "done" if is_done([cell.state for cell in one.cells.values() if cell.drawn]) else "open"
