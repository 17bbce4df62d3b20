"""Random sequences of everything that a study can be told, with kills in between, against plain dictionaries."""

import copy
import os
import signal
import uuid
import warnings

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import update

import keyhole as kh
from keyhole.errors import StudyError
from keyhole.study.store.tables import ASK
from keyhole.study.store.transaction import Transaction
from study.plain_model import ATTRIBUTES, BUDGET, FORBIDDEN, NAMES, TOTAL, Cell, Example, PlainModel, Refused
from study.writers import forked

PEOPLE = ("owner", "ana")
ALONE = set(NAMES) - {"stairs"}  # what can be asked for by itself
EXAMPLES = st.sampled_from([f"e{i}" for i in range(8)])
VALUES = st.sampled_from([1.0, 2.0, 3.0])
TOLD = st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=3)
LABELS = st.none() | VALUES
WHO = st.sampled_from(PEOPLE)


class StudyMachine(RuleBasedStateMachine):
    """Each rule does the same to a study and to the model, and compares what they answer."""

    place = ""

    @initialize(seed=st.integers(0, 5))
    def create(self, seed):
        self.name = uuid.uuid4().hex
        about = {"budget": BUDGET, "total": TOTAL, "forbidden": FORBIDDEN, "seed": seed, "renewals": "by hand"}
        self.study = kh.Study.create(self.place, self.name, ATTRIBUTES, **about)
        self.study.add_person("ana")
        self.model = PlainModel()
        self.draws = {}

    def teardown(self):
        if hasattr(self, "study"):
            self.study.close()

    def both(self, on_study, on_model):
        """Do it to a copy of the model first; a study that refuses must have changed nothing, like the model."""
        tried = copy.deepcopy(self.model)
        try:
            expected = on_model(tried)
        except Refused:
            with pytest.raises(StudyError):
                on_study()
            return None, None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of conflicts
            found = on_study()
        self.model = tried
        return found, expected

    # Asking.

    @rule(names=st.lists(EXAMPLES, max_size=3), person=WHO)
    def add(self, names, person):
        new = [name for name in dict.fromkeys(names) if name not in self.model.examples]
        assert self.study.add_examples(names, person=person) == len(new)
        self.model.examples |= {name: Example() for name in new}

    @rule(person=WHO, unavailable=st.sets(st.sampled_from(NAMES[1:]), max_size=2))
    def ask_the_queue(self, person, unavailable):
        expired, queue = self.model.expired(), self.model.queue()
        able = [name for name in queue if ALONE - {*self.model.examples[name].cells, *unavailable}]
        ask = self.study.ask(person=person, unavailable=sorted(unavailable))
        if expired:
            assert ask.example in expired
            self.is_handed_on(ask, person)
        elif able and self.model.pays:
            assert ask.example == able[0]
            self.is_drawn(ask, person, unavailable)
        else:
            assert ask is None

    @rule(name=EXAMPLES, person=WHO, unavailable=st.sets(st.sampled_from(NAMES), max_size=5))
    def ask_by_name(self, name, person, unavailable):
        one = self.model.examples.get(name)
        known = set() if one is None else set(one.cells)

        def ask():
            return self.study.ask(name, person=person, unavailable=sorted(unavailable))

        if one is not None and one.ask is not None:
            if not one.is_open or (one.leased and one.holder != person):
                with pytest.raises(StudyError):
                    ask()
            else:
                self.is_handed_on(ask(), person)
        elif not self.model.pays:
            assert ask() is None
        elif not ALONE - {*known, *unavailable}:
            with pytest.raises(StudyError, match="nothing can be asked"):
                ask()
        else:
            self.model.examples.setdefault(name, Example())
            self.is_drawn(ask(), person, unavailable)

    def is_drawn(self, ask, person, unavailable):
        """A new draw keeps to the rules; from now on it never changes."""
        one = self.model.examples[ask.example]
        assert one.ask is None
        drawn = set(ask.names)
        assert drawn.isdisjoint(unavailable)
        assert drawn.isdisjoint(one.cells), "what is known was asked for"
        assert not drawn >= {"scan", "walk"}
        assert "stairs" not in drawn or "walk" in {*drawn, *one.cells}
        assert "age" in {*drawn, *one.cells, *unavailable}
        one.ask, one.drawn, one.holder, one.leased = ask.id, ask.names, person, True
        one.cells |= {name: Cell(drawn=True, state="asked") for name in ask.names}
        assert ask.cost == one.money <= BUDGET
        self.draws[ask.id] = ask.example, ask.names, tuple(a.probability for a in ask.attributes), ask.design

    def is_handed_on(self, ask, person):
        one = self.model.examples[ask.example]
        assert (ask.id, ask.names, ask.person) == (one.ask, one.drawn, person)
        one.holder, one.leased = person, True

    @precondition(lambda self: self.model.asked())
    @rule(data=st.data())
    def cancel(self, data):
        name = data.draw(st.sampled_from(self.model.asked()))

        def on_model(model):
            one = model.examples[name]
            if not one.is_open:
                raise Refused
            one.cancelled = True
            for cell in one.cells.values():
                if cell.drawn and cell.state == "asked":
                    cell.state = "cancelled"

        self.both(lambda: self.study.cancel(self.model.examples[name].ask, "no longer wanted"), on_model)

    @precondition(lambda self: self.model.asked())
    @rule(data=st.data())
    def release(self, data):
        name = data.draw(st.sampled_from(self.model.asked()))

        def on_model(model):
            if not model.examples[name].is_open:
                raise Refused
            model.examples[name].leased = False

        self.both(lambda: self.study.release(self.model.examples[name].ask), on_model)

    @precondition(lambda self: self.model.asked())
    @rule(data=st.data())
    def expire(self, data):
        """Time passes, until the lease of an ask is over: not even its holder knows of it."""
        name = data.draw(st.sampled_from(self.model.asked()))
        with self.study.store.engine.begin() as connection:
            connection.execute(update(ASK).where(ASK.c.id == self.model.examples[name].ask).values(lease_until=1.0))
        self.model.examples[name].leased = False

    # Telling.

    def told_to_model(self, name, values, label, missing=(), only=None):
        def on_model(model):
            one, became = model.examples[name], {}
            if only is not None and not {*values, *missing} <= set(only):
                raise Refused
            if {*values} & {*missing} or not (values or missing or label is not None):
                raise Refused
            for attribute, value in values.items():
                became[attribute] = one.cells.setdefault(attribute, Cell()).tell(value)
            for attribute in missing:
                became[attribute] = one.cells[attribute].miss()
            if label is not None:
                became["label"] = one.label.tell(label)
            return became

        return on_model

    def compare(self, told, expected):
        if told is not None:
            found = {name: field for field in told._fields for name in getattr(told, field)}
            assert found == expected

    @precondition(lambda self: self.model.asked())
    @rule(data=st.data(), label=LABELS, person=WHO)
    def tell(self, data, label, person):
        """Any part of an ask, in time or late, told before or not, obtainable or not."""
        name = data.draw(st.sampled_from(self.model.asked()))
        one = self.model.examples[name]
        values = data.draw(st.dictionaries(st.sampled_from(one.drawn), VALUES, max_size=3))
        missing = data.draw(st.sets(st.sampled_from(one.drawn), max_size=1))
        on_model = self.told_to_model(name, values, label, missing, one.drawn)
        reasons = dict.fromkeys(missing, "lost")
        self.compare(
            *self.both(lambda: self.study.tell(one.ask, values, label, not_obtainable=reasons, person=person), on_model)
        )

    @precondition(lambda self: self.model.asked())
    @rule(data=st.data(), values=TOLD)
    def tell_what_was_not_asked(self, data, values):
        name = data.draw(st.sampled_from(self.model.asked()))
        one = self.model.examples[name]
        on_model = self.told_to_model(name, values, None, only=one.drawn)
        self.compare(*self.both(lambda: self.study.tell(one.ask, values), on_model))

    @precondition(lambda self: self.model.examples)
    @rule(data=st.data(), values=TOLD, label=LABELS)
    def tell_found(self, data, values, label):
        name = data.draw(st.sampled_from(sorted(self.model.examples)))
        on_model = self.told_to_model(name, values, label)
        self.compare(*self.both(lambda: self.study.tell_found(name, values, label), on_model))

    @precondition(lambda self: self.model.examples)
    @rule(data=st.data(), label=VALUES)
    def label(self, data, label):
        name = data.draw(st.sampled_from(sorted(self.model.examples)))
        self.compare(*self.both(lambda: self.study.label(name, label), self.told_to_model(name, {}, label)))

    @precondition(lambda self: self.model.examples)
    @rule(data=st.data(), attribute=st.none() | st.sampled_from(NAMES), value=VALUES)
    def correct(self, data, attribute, value):
        name = data.draw(st.sampled_from(sorted(self.model.examples)))

        def on_model(model):
            one = model.examples[name]
            (one.label if attribute is None else one.cells.get(attribute, Cell())).correct(value)

        self.both(lambda: self.study.correct(name, attribute, value, "read again"), on_model)

    # Ends of processes.

    @rule(person=WHO)
    def reopen(self, person):
        self.study.close()
        self.study = kh.Study.open(self.place, self.name, person=person, renewals="by hand")

    @rule()
    def lose_the_connection(self):
        """The connections are dropped in the middle of a transaction, and not closed."""

        def fail(candidate):
            raise ConnectionAbortedError

        connection = self.study.store.engine.connect().execution_options(writing=True)
        connection.begin()
        connection.execute(update(ASK).values(price=0))
        connection.invalidate()
        with pytest.raises(ConnectionAbortedError):
            self.study.store.take(self.study.record, "owner", fail, ["a new one"], 60.0)

    @precondition(lambda self: self.model.asked())
    @rule(data=st.data(), label=LABELS, is_stored=st.booleans())
    def kill(self, data, label, is_stored):
        """A process that tells something is killed: when all is written but for the commit, or just after it."""
        name = data.draw(st.sampled_from(self.model.asked()))
        one = self.model.examples[name]
        values = data.draw(st.dictionaries(st.sampled_from(one.drawn), VALUES, min_size=1, max_size=2))
        process = forked(tell_and_die, self.study, one.ask, values, label, is_stored)
        assert os.WTERMSIG(os.waitpid(process, 0)[1]) == signal.SIGKILL
        if is_stored:
            self.told_to_model(name, values, label)(self.model)

    # What is always true.

    @invariant()
    def all_is_right(self):
        late = "is above the total" if self.model.money > TOTAL else None  # values came after their money was released
        wrong = self.study.verify()
        assert len(wrong) == (late is not None), wrong
        assert late is None or late in wrong[0]

    @invariant()
    def counts_and_money_are_those_of_the_model(self):
        status, expected = self.study.status(), self.model.status()
        assert {name: status[name] for name in expected} == expected

    @invariant()
    def asks_never_change(self):
        with self.study.store.snapshot(self.study.record) as now:
            names = [tuple(NAMES[i] for i in ask.attributes) for ask in now.asks()]
            found = {
                ask.id: (ask.example, drawn, ask.probabilities, ask.design)
                for ask, drawn in zip(now.asks(), names, strict=True)
            }
        assert found == self.draws


def tell_and_die(study, ask, values, label, is_stored):
    """In a process of its own: tell, and be killed before or after it is stored."""

    def die(*_):
        os.kill(os.getpid(), signal.SIGKILL)

    if not is_stored:
        finish = Transaction.finish
        Transaction.finish = lambda t: (finish(t), die())
    warnings.simplefilter("ignore")
    study.tell(ask, values, label)
    die()


def test_a_study_does_what_the_model_does(place):
    runs, steps = (20, 25) if place.startswith("sqlite") else (8, 20)
    runs *= int(os.environ.get("KEYHOLE_LONGER_TESTS", "1"))

    class Machine(StudyMachine):
        pass

    Machine.place = place
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=runs, stateful_step_count=steps, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
