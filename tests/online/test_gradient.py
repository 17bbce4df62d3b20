"""The base of the learners with a step size: how the budget is divided, and which step is taken."""

import numpy as np
import pytest

import keyhole as kh
from keyhole.online.kernels.ridge import STEP_SIZE


@pytest.mark.parametrize(
    ("budget", "draws", "x_draws", "inner_draws"),
    [(4, "even", 2, 2), (5, "even", 2, 3), (2, "even", 1, 1), (5, "textbook", 4, 1), (2, "textbook", 1, 1)],
)
@pytest.mark.parametrize("learner", [kh.AERR, kh.AELR, kh.DDAERR])
def test_division_of_the_budget(learner, budget, draws, x_draws, inner_draws):
    rule = learner(budget, draws=draws).start(10).rule_
    assert (rule.x_draws, rule.inner_draws) == (x_draws, inner_draws)


@pytest.mark.parametrize(
    ("settings", "theorem", "step"),
    [
        ({}, False, np.nan),
        ({"scaling": "none"}, False, np.nan),
        ({"n_expected": 100}, False, np.nan),
        ({"n_expected": 100, "scaling": "none"}, True, np.sqrt(2 / (2 * 10 * 100))),
        ({"n_expected": 100, "scaling": "none", "step_size": 0.3}, False, 0.3),
    ],
)
def test_the_theorems_step_is_for_unscaled_attributes_and_an_expected_number_of_examples(settings, theorem, step):
    learner = kh.AERR(4, **settings).start(10)
    assert learner.rule_.theorem is theorem
    assert learner.state_.numbers[STEP_SIZE] == pytest.approx(step, nan_ok=True)
