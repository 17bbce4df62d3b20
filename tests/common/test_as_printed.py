"""``as_printed`` sets what the print fixes, takes what the paper leaves to the user, and refuses the rest."""

import pytest
from sklearn.base import clone

import keyhole as kh
from keyhole.common.as_printed import AsPrinted
from keyhole.common.parameters import ParameterError


class Example(AsPrinted):
    printed_parameters = {"scaling": "none"}  # noqa: RUF012
    printed_needs = ("step_size", "n_expected")

    def __init__(self, budget, step_size=None, *, scaling="running", n_expected=None):
        self.given = budget, step_size, scaling, n_expected


def test_printed_parameters_are_set_and_inputs_are_passed_on():
    assert Example.as_printed(4, step_size=0.5).given == (4, 0.5, "none", None)
    assert Example.as_printed(4, n_expected=100).given == (4, None, "none", 100)


def test_an_input_that_the_print_fixes_is_refused():
    with pytest.raises(ParameterError, match="scaling='running': Example as printed has scaling='none'; leave it out"):
        Example.as_printed(4, step_size=0.5, scaling="running")


def test_one_of_the_needed_inputs_must_be_given():
    with pytest.raises(ParameterError, match="step_size: Example as printed needs step_size or n_expected"):
        Example.as_printed(4)


def test_a_learner_as_printed_is_an_estimator_like_any_other():
    learner = kh.AERR.as_printed(5, radius=2.0, n_expected=100, random_state=3)
    assert type(learner) is kh.AERR
    copy = clone(learner)
    assert copy.get_params() == learner.get_params()
    assert {name: copy.get_params()[name] for name in kh.AERR.printed_parameters} == kh.AERR.printed_parameters
