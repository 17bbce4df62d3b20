"""Messages of the package as the command tells them: in its options, not in Python's arguments."""

from __future__ import annotations

import re
from collections.abc import Sequence

IN_OPTIONS = (
    (r"object_column", "--object-column"),
    (r"choices=\{'(.*?)': number\}", r'--choices "\1=NUMBER"'),
    (r"attributes=\[\.\.\.\]", "--attributes NAME"),
    (r"max_repeats must be None or", "--max-repeats must be"),
    (r"n_resamples must be", "--resamples must be 0 or"),
    (r"^(budget|ridge) must", r"--\1 must"),
    (r"^columns has", "--columns has"),
    (r"MultiSelector: method", "--method"),
    (
        r"Look at intervals with bootstrap\(\.\.\., by=\"both\"\), and consider correct_severity\(judgments\)",
        "The intervals resample workers too; consider --severity",
    ),
    (r"give a file with their known answers", "give a file with their known answers as --gold"),
    (r"with the column 'worker'", "with the column 'worker' (or name it: --columns worker=NAME)"),
    (r"add a ridge, take a smaller budget", "add a --ridge, take a smaller --budget"),
    (r"the method \"full\"", "--method full"),
)


def in_options(message: str) -> str:
    """The message with options of the command in place of arguments."""
    for argument, option in IN_OPTIONS:
        message = re.sub(argument, option, message)
    return message


def pairs(texts: Sequence[str], option: str) -> dict[str, str]:
    """Names and values from texts such as "yes=1,no=0"."""
    out = {}
    for part in (part for text in texts for part in text.split(",")):
        name, equals, value = part.partition("=")
        if not (equals and name.strip() and value.strip()):
            raise ValueError(f"{option} takes pairs like NAME=VALUE, with commas between them; got {part!r}")
        out[name.strip()] = value.strip()
    return out


def numbers(texts: Sequence[str], option: str) -> dict[str, float]:
    """The same with numbers for values."""
    out = {}
    for name, value in pairs(texts, option).items():
        try:
            out[name] = float(value)
        except ValueError:
            raise ValueError(f"{option}: {value!r}, given for {name!r}, is not a number") from None
    return out
