"""Errors and warnings of a command, whatever the command is."""

import warnings
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from keyhole.command_group import CommandGroup
from keyhole.common.parameters import ParameterError
from keyhole.errors import BadValue, BudgetExceeded


def run(command, *words):
    """The result of a command ``act`` beside another one, under a group as Keyhole's."""
    app = typer.Typer(name="keyhole", cls=CommandGroup)
    app.callback()(callback)
    app.command("act")(command)
    app.command("rest")(lambda: None)
    return CliRunner().invoke(app, [*words, "act"])


def callback(debug: Annotated[bool, typer.Option("--debug")] = False):
    pass


def raising(error):
    def act():
        raise error

    return act


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ParameterError("max_repeats", "a whole number, 1 or more", 0), "--max-repeats 0: a whole number, 1 or more"),
        (ValueError("two\n   lines"), "two lines"),
        (BadValue("example 3, attribute 'iron': NaN was revealed"), "example 3, attribute 'iron': NaN was revealed"),
        (BudgetExceeded("5 attributes, but the budget is 4"), "5 attributes, but the budget is 4"),
        (FileNotFoundError(2, "No such file or directory", "a.csv"), "a.csv: No such file or directory"),
        (ImportError("Parquet files need pyarrow"), "Parquet files need pyarrow"),
        (typer.BadParameter("not a number"), "Invalid value: not a number (see keyhole act --help)"),
    ],
)
def test_what_a_user_did_wrong_is_one_line_and_one_exit_code(error, line):
    result = run(raising(error))
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"keyhole: {line}\n")


@pytest.mark.parametrize("error", [ZeroDivisionError(), KeyError("x"), RuntimeError("x")])
def test_what_keyhole_did_wrong_is_a_traceback(error):
    result = run(raising(error))
    assert (result.exit_code, result.exception) == (1, error)


def test_debug_shows_where_an_error_arose():
    error = ValueError("wrong")
    assert run(raising(error), "--debug").exception is error


def test_warnings_come_at_the_end_and_once_each():
    def act():
        for _ in range(2):
            warnings.warn("attribute 'iron'\nhas one value only", stacklevel=1)
        warnings.warn("the label has two values", stacklevel=1)
        typer.echo("done", err=True)

    result = run(act)
    assert result.exit_code == 0
    assert result.stderr.splitlines() == [
        "done",
        "keyhole: warning: attribute 'iron' has one value only",
        "keyhole: warning: the label has two values",
    ]


def test_warnings_come_before_the_error():
    def act():
        warnings.warn("attribute 'iron' has one value only", stacklevel=1)
        raise ValueError("no example is left")

    result = run(act)
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        "keyhole: warning: attribute 'iron' has one value only",
        "keyhole: no example is left",
    ]
