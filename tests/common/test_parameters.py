"""Wrong parameters are refused by name, as Python and as the command line have it."""

import pickle

import numpy as np
import pytest

from keyhole.common import parameters
from keyhole.common.parameters import ParameterError


def test_the_error_names_its_parameter_in_python_and_as_an_option():
    error = ParameterError("max_repeats", "MultiSelector needs a whole number, 1 or more", 0)
    assert isinstance(error, ValueError)
    assert (error.parameter, error.value) == ("max_repeats", 0)
    assert str(error) == "max_repeats=0: MultiSelector needs a whole number, 1 or more"
    assert error.as_option() == "--max-repeats 0: MultiSelector needs a whole number, 1 or more"


def test_text_is_quoted_in_python_alone():
    error = ParameterError("method", "MultiSelector takes 'full' or 'scoring'", "best")
    assert str(error).startswith("method='best': ")
    assert error.as_option().startswith("--method best: ")


def test_a_value_that_is_not_stated_or_none_is_not_an_option_value():
    error = ParameterError("costs", "the cost of 'a' is -1; a cost is a number above 0")
    assert str(error) == "costs: the cost of 'a' is -1; a cost is a number above 0"
    assert error.as_option() == "--costs: the cost of 'a' is -1; a cost is a number above 0"
    assert str(ParameterError("budget", "it is needed", None)) == "budget=None: it is needed"
    assert ParameterError("budget", "it is needed", None).as_option() == "--budget: it is needed"


def test_the_error_survives_pickling():
    for error in (ParameterError("budget", "needs more", 3), ParameterError("costs", "are wrong")):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), again.as_option()) == (ParameterError, str(error), error.as_option())


@pytest.mark.parametrize(
    ("check", "arguments", "parameter", "message"),
    [
        ("check_budget", (2.5, 1, 8), "budget", "budget=2.5: AER needs a whole number of attributes per example"),
        ("check_budget", (1, 2, 8), "budget", "budget=1: AER needs at least 2 attributes per example"),
        ("check_budget", (9, 2, 8), "budget", "budget=9: this is more than n_features = 8, all attributes"),
        ("check_positive", ("radius", 0), "radius", "radius=0: AER needs a finite number above 0"),
        ("check_positive", ("radius", True), "radius", "radius=True: AER needs a finite number above 0"),
        ("check_not_negative", ("ridge", -0.1), "ridge", "ridge=-0.1: AER needs a finite number, 0 or more"),
        ("check_not_negative", ("ridge", np.nan), "ridge", "ridge=nan: AER needs a finite number, 0 or more"),
        ("check_share", ("level", 1.0), "level", "level=1.0: AER needs a number between 0 and 1, both excluded"),
        ("check_choice", ("draws", "odd", ("even", "textbook")), "draws", "draws='odd': AER takes 'even' or"),
        ("check_horizon", (0,), "n_expected", "n_expected=0: AER needs None or a whole number of examples"),
        ("check_whole", ("folds", "5", 2), "folds", "folds='5': AER needs a whole number, 2 or more"),
        ("check_sparsity", (4, 4, 2), "sparsity", "sparsity=4: with budget=4, AER observes the support"),
    ],
)
def test_checks_raise_it(check, arguments, parameter, message):
    with pytest.raises(ParameterError) as caught:
        getattr(parameters, check)("AER", *arguments)
    assert caught.value.parameter == parameter
    assert str(caught.value).startswith(message)


def test_what_is_right_passes():
    parameters.check_budget("AER", np.int64(8), 1, 8)
    parameters.check_positive("AER", "radius", np.float64(0.1))
    parameters.check_not_negative("AER", "ridge", 0)
    parameters.check_share("AER", "level", 0.5)
    parameters.check_choice("AER", "draws", "even", ("even", "textbook"))
    parameters.check_horizon("AER", None)
    parameters.check_whole("AER", "folds", 2, 2)
    parameters.check_sparsity("AER", 2, 4, 2)
