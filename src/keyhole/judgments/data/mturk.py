"""Judgments from a batch file of Mechanical Turk."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from typing import Any

from ...common.parameters import ParameterError
from ...errors import BadValue
from .answers import as_name_set, number_of
from .files import FilePath, utf8_text
from .from_long import from_long
from .table import Judgments

INPUT, ANSWER = "Input.", "Answer."  # how the platform begins the names of columns
TASK_ANSWERS = f"{ANSWER}taskAnswers"


def read_mturk(
    path: FilePath,
    object_column: str | None = None,
    attributes: Iterable[str] | None = None,
    choices: Mapping[str, float] | None = None,
) -> Judgments:
    """Read judgments from a batch file of Mechanical Turk: one line per assignment, one object per HIT.

    Attributes are the ``Answer.`` columns, or the fields of the JSON in ``Answer.taskAnswers``. Rejected assignments
    and empty answers are left out.

    Parameters
    ----------
    path : str or path-like
        The batch file (CSV).
    object_column : str, optional
        The ``Input.`` column that names the object. It may be left out where there is only one.
    attributes : iterable of str, optional
        The attributes to read; all by default.
    choices : dict of str to float, optional
        The numbers of answers in words. Yes and no, true and false, on and off are 1 and 0 without it.

    Returns
    -------
    Judgments
        The judgments with their workers.

    Raises
    ------
    BadValue
        If the file has no answers, or an answer is not a number.
    ParameterError
        If ``object_column`` is needed, or is not in the file.

    Examples
    --------
    >>> import os, tempfile
    >>> from keyhole.judgments import read_mturk
    >>> path = os.path.join(tempfile.mkdtemp(), "batch.csv")
    >>> with open(path, "w") as file:
    ...     print("HITId,WorkerId,Input.photo,Answer.tall", "h1,w1,a.jpg,yes", "h1,w2,a.jpg,no", sep="\\n", file=file)
    >>> print(read_mturk(path).to_long())
    object  attribute  value  worker
    a.jpg   tall           1  w1
    a.jpg   tall           0  w2
    """
    wanted = as_name_set(attributes)
    with utf8_text(path) as file:
        reader = csv.DictReader(file)
        header = list(reader.fieldnames or [])
        column = _object_column(path, header, object_column)
        rows = []
        for line in reader:
            if line.get("AssignmentStatus") == "Rejected":
                continue
            place = f"{path}, line {reader.line_num}"
            for name, answer in _answers(line, place).items():
                if (wanted is None or name in wanted) and str(answer).strip():
                    value = number_of(answer, choices, f"{place}, column '{ANSWER}{name}'")
                    rows.append((line[column], name, value, line["WorkerId"]))
    if not rows:
        raise BadValue(f"{path} has no answer: answers are in columns '{ANSWER}<attribute>'; its columns are {header}")
    object_names, names, values, workers = zip(*rows, strict=True)
    return from_long(object_names, names, values, workers)


def _object_column(path: FilePath, header: list[str], object_column: str | None) -> str:
    inputs = [name for name in header if name.startswith(INPUT)]
    if object_column is None and len(inputs) == 1:
        return inputs[0]
    if object_column in header:
        return str(object_column)
    raise ParameterError(
        "object_column", f"{path} needs the column that names the object, one of {inputs}", object_column
    )


def _answers(line: dict[str, Any], place: str) -> dict[str, Any]:
    if TASK_ANSWERS not in line:
        return {name[len(ANSWER) :]: value or "" for name, value in line.items() if name.startswith(ANSWER)}
    try:
        parsed = json.loads(line[TASK_ANSWERS])
        return dict(parsed[0])
    except (ValueError, TypeError, LookupError):
        raise BadValue(
            f"{place}, column {TASK_ANSWERS!r}: {line[TASK_ANSWERS]!r} is not a JSON list of one record"
        ) from None
