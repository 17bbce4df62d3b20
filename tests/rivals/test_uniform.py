"""Uniform draws of the rivals: inclusion probabilities, and free attributes that are always revealed."""

import numpy as np

from keyhole import Attribute
from keyhole.rivals import ImputeThenRidge
from sampling.enumeration import assert_drawn_as


def test_draws_are_uniform_subsets_with_free_attributes_always():
    attributes = [Attribute(f"x{i}", free=i == 2) for i in range(5)]
    rival = ImputeThenRidge(2, random_state=0).start(attributes)
    draws = []
    for _ in range(3000):
        ask = rival.ask()
        assert ask.attributes[0] == 2
        np.testing.assert_array_equal(ask.probabilities, [1.0, 0.5, 0.5])
        draws.append(np.sort(ask.attributes[1:]))
    others = [0, 1, 3, 4]
    assert_drawn_as(draws, {(i, j): 1 / 6 for i in others for j in others if i < j})
