"""What all commands share: one line for an error, one exit code, and warnings at the end.

Whatever is wrong with options, files or data, the command prints one line on stderr that begins with ``keyhole: `` and
ends with the exit code ``USER_ERROR``. A failure of Keyhole itself is a traceback, with the exit code 1.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from .common.parameters import ParameterError
from .common.progress import warnings_for_later
from .errors import KeyholeError

USER_ERROR = 2
# Errors in the use of options, of whichever module the installed version of typer takes them from.
OptionError: type[Exception] = typer.BadParameter.__mro__[2]
USER_ERRORS = (OptionError, KeyholeError, ValueError, OSError, ImportError)


class CommandGroup(TyperGroup):
    """Commands that report errors and warnings in one way."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        with _errors_as_one_line():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: Any) -> Any:
        if ctx.params["debug"]:  # everything at once, with its place in the code
            with _errors_as_one_line((OptionError,)):
                return super().invoke(ctx)
        with _errors_as_one_line():
            try:
                with warnings_for_later() as messages:
                    return super().invoke(ctx)
            finally:
                for message in messages:
                    _print_line(f"warning: {message}")


def _print_line(text: str) -> None:
    """Print one line on stderr that begins with the program's name."""
    typer.echo(f"keyhole: {' '.join(text.split())}", err=True)


@contextmanager
def _errors_as_one_line(which: tuple[type[Exception], ...] = USER_ERRORS) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:  # the program that read the output has ended
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(1) from None
    except which as error:
        _print_line(_in_words(error))
        raise typer.Exit(USER_ERROR) from None


def _in_words(error: Exception) -> str:
    if isinstance(error, OptionError):
        ctx = getattr(error, "ctx", None)
        see = f" (see {ctx.command_path} --help)" if ctx is not None else ""
        return error.format_message().rstrip(".") + see  # type: ignore[attr-defined]
    if isinstance(error, ParameterError):
        return error.as_option()
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)
