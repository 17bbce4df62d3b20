"""One draw per example: a function of the seed, the number of the example, and the design."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import keyhole as kh
from keyhole.errors import StudyError
from keyhole.sampling import Panels, new_design
from keyhole.study import drawing
from keyhole.study.constraints import constraints_of
from keyhole.study.drawing import Drawer, bytes_of, panels_of
from keyhole.study.store.base import Candidate, DesignRecord

ATTRIBUTES = [kh.Attribute(f"x{i}") for i in range(5)]
TARGET = np.array([0.9, 0.5, 0.4, 0.15, 0.05])
PANELS = Panels(np.empty(0, dtype=np.int64), np.arange(5), np.arange(6), new_design(TARGET))


def candidate(number, known=(), arrays=...):
    stored = bytes_of(PANELS) if arrays is ... else arrays
    record = DesignRecord(0, 0, None, (), stored, 0, (), 0, None)
    return Candidate(f"p{number}", number, tuple(known), 0, lambda _: record)


def drawer(seed=0):
    return Drawer(seed, ATTRIBUTES, constraints_of(ATTRIBUTES, []))


def test_the_same_numbers_give_the_same_draw_whoever_asks():
    one, other = drawer(), drawer()
    forward = {k: one.draw(candidate(k)) for k in range(50)}
    backward = {k: other.draw(candidate(k)) for k in reversed(range(50))}
    assert forward == backward
    assert any(drawer(seed=1).draw(candidate(k)) != forward[k] for k in range(50))


def test_attributes_are_drawn_with_the_probabilities_that_are_recorded():
    one = drawer()
    draws = [one.draw(candidate(k)) for k in range(4000)]
    shares = np.bincount(list(itertools.chain(*(one.attributes for one in draws))), minlength=5) / len(draws)
    np.testing.assert_allclose(shares, TARGET, atol=4 * 0.5 / np.sqrt(len(draws)))
    for one in draws[:100]:
        np.testing.assert_allclose(one.probabilities, TARGET[list(one.attributes)], rtol=1e-10)
        assert one.price == 2_000_000


def test_what_is_known_or_unavailable_is_left_out_and_the_rest_has_the_conditional_design():
    without = PANELS.without(np.array([0, 3]))
    for k in range(50):
        one = drawer().draw(candidate(k, known=[3]), unavailable=[0])
        assert one.excluded == (0, 3)
        wanted = {int(i): p for i, p in zip(without.members, without.inclusion, strict=True)}
        assert one.probabilities == pytest.approx([wanted[i] for i in one.attributes])


def test_where_everything_is_asked_the_rest_is_certain():
    one = drawer().draw(candidate(0, arrays=None), unavailable=[1])
    assert one.attributes == (0, 2, 3, 4)
    assert one.probabilities == (1.0,) * 4


def test_where_nothing_is_left_the_example_is_named():
    with pytest.raises(StudyError, match="example 'p7': nothing can be asked"):
        drawer().draw(candidate(7, arrays=None), unavailable=range(5))


def test_a_design_is_stored_exactly():
    again = panels_of(bytes_of(PANELS))
    assert again is not None
    np.testing.assert_array_equal(again.inclusion, PANELS.inclusion)
    assert panels_of(None) is None


def test_designs_in_memory_are_bounded_and_draws_do_not_depend_on_it(tmp_path, monkeypatch):
    names = [f"a{i}" for i in range(6)]
    asked = []
    for most in (3, 1_000):
        monkeypatch.setattr(drawing, "MOST_KEPT", most)
        study = kh.Study.create(tmp_path / f"{most}.db", "s", names, budget=2, seed=0, renewals="by hand")
        asked.append([study.ask(f"e{k}", unavailable=[names[k % 6]]).names for k in range(12)])
        kept = len(study._drawer._panels)
        assert kept <= 3 if most == 3 else kept == 7
        assert study.verify() == []
        study.close()
    assert asked[0] == asked[1]
