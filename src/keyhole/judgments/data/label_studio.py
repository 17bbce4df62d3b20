"""What crowd platforms export: Label Studio's JSON and Mechanical Turk's batch CSV."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from ...errors import BadValue
from .table import Judgments, from_long

FilePath = str | os.PathLike[str]
YES_AND_NO = {"true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0, "on": 1.0, "off": 0.0}


def read_label_studio(
    path: FilePath,
    object_key: str | None = None,
    attributes: Iterable[str] | None = None,
    choices: Mapping[str, float] | None = None,
    ground_truth: bool = False,
) -> Judgments:
    """Judgments from Label Studio's "JSON" export: one task per object, one annotation per worker.

    An attribute is a control of the labelling page (``from_name``) of type number, rating or choices; give
    ``attributes`` to read only some controls. The object is the task's id, or its ``data[object_key]``.
    ``choices`` gives the number of a choice that is not itself a number, yes or no. Cancelled annotations
    are left out. Those marked as ground truth are not judgments; ``ground_truth=True`` reads them alone.
    """
    try:
        tasks = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadValue(f"{path} is not JSON: {error}") from None
    if not isinstance(tasks, list):
        raise BadValue(f"{path}: Label Studio's JSON export is a list of tasks; this is a {type(tasks).__name__}")
    wanted = wanted_names(attributes)
    rows: list[tuple[Any, str, float, str]] = []
    for number, task in enumerate(tasks):
        place = f"{path}, task {task.get('id', number)}"
        if "annotations" not in task:
            raise BadValue(f"{place} has no 'annotations'; export as 'JSON', not 'JSON-MIN' or 'CSV'")
        if object_key is not None and object_key not in task.get("data", {}):
            raise BadValue(f"{place}: data has no {object_key!r}; it has {sorted(task.get('data', {}))}")
        thing = task["id"] if object_key is None else task["data"][object_key]
        for annotation in task["annotations"]:
            if annotation.get("was_cancelled") or bool(annotation.get("ground_truth")) != ground_truth:
                continue
            who = annotation.get("completed_by", "unknown")
            if isinstance(who, dict):
                who = who.get("email") or who.get("id")
            for result in annotation.get("result", []):
                attribute = result.get("from_name", "")
                if wanted is None or attribute in wanted:
                    value = _control_value(result, choices, f"{place}, annotation {annotation.get('id')}")
                    rows.append((thing, attribute, value, str(who)))
    if not rows:
        raise BadValue(f"{path} holds no {'ground truth' if ground_truth else 'judgment'} of {wanted or 'any control'}")
    things, names, values, workers = zip(*rows, strict=True)
    return from_long(things, names, values, workers)


def read_mturk(
    path: FilePath,
    object_column: str | None = None,
    attributes: Iterable[str] | None = None,
    choices: Mapping[str, float] | None = None,
) -> Judgments:
    """Judgments from a batch file of Mechanical Turk: one line per assignment, one object per HIT.

    The object stands in an ``Input.`` column (named by ``object_column`` if there are several), attributes
    are the ``Answer.`` columns, or the fields of the JSON in ``Answer.taskAnswers``. Rejected assignments are
    left out, and so is an empty answer.
    """
    wanted = wanted_names(attributes)
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
                    value = _number(answer, choices, f"{place}, column 'Answer.{name}'")
                    rows.append((line[column], name, value, line["WorkerId"]))
    if not rows:
        raise BadValue(
            f"{path} holds no answer: an MTurk batch has columns 'Answer.<attribute>'; this one has {header}"
        )
    things, names, values, workers = zip(*rows, strict=True)
    return from_long(things, names, values, workers)


@contextmanager
def utf8_text(path: FilePath) -> Iterator[TextIO]:
    """A text file to read; bytes that are not UTF-8 are refused with its name."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        try:
            yield file
        except UnicodeDecodeError as error:
            raise BadValue(f"{path} is not UTF-8 text ({error.reason}); save or export it as UTF-8") from None


def wanted_names(attributes: Iterable[str] | None) -> set[str] | None:
    """The attributes to read, from any iterable of names or a single name; None for all."""
    return None if attributes is None else {attributes} if isinstance(attributes, str) else set(attributes)


def _object_column(path: FilePath, header: list[str], chosen: str | None) -> str:
    inputs = [name for name in header if name.startswith("Input.")]
    if chosen is None and len(inputs) == 1:
        return inputs[0]
    if chosen in header:
        return str(chosen)
    raise ValueError(f"{path}: say with object_column which of {inputs} names the object; got {chosen!r}")


def _answers(line: dict[str, Any], place: str) -> dict[str, Any]:
    if "Answer.taskAnswers" not in line:
        return {name[len("Answer.") :]: value or "" for name, value in line.items() if name.startswith("Answer.")}
    try:
        parsed = json.loads(line["Answer.taskAnswers"])
        return dict(parsed[0])
    except (ValueError, TypeError, LookupError):
        raise BadValue(f"{place}, column 'Answer.taskAnswers': not the JSON list of one record") from None


def _control_value(result: dict[str, Any], choices: Mapping[str, float] | None, place: str) -> float:
    kind = result.get("type")
    place = f"{place}, control {result.get('from_name')!r}"
    if kind not in ("number", "rating", "choices"):
        raise BadValue(f"{place} is of type {kind!r}, which has no number; name those to read: attributes=[...]")
    value = result.get("value", {}).get(kind)
    if kind == "choices":
        if not isinstance(value, list) or len(value) != 1:
            raise BadValue(f"{place}: a judgment is one choice; got {value!r}")
        value = value[0]
    return _number(value, choices, place)


def _number(answer: Any, choices: Mapping[str, float] | None, place: str) -> float:
    """A number from an answer: itself, a choice's number, yes or no, or the label of a crowd element."""
    if isinstance(answer, dict) and set(answer) == {"label"}:
        answer = answer["label"]
    if isinstance(answer, dict) and len(answer) and all(isinstance(v, bool) for v in answer.values()):
        chosen = [name for name, on in answer.items() if on]
        answer = chosen[0] if len(chosen) == 1 else answer
    text = str(answer).strip()
    if choices and text in choices:
        return float(choices[text])
    if text.lower() in YES_AND_NO:
        return YES_AND_NO[text.lower()]
    try:
        return float(text)
    except ValueError:
        raise BadValue(
            f"{place}: {answer!r} is not a number; give choices={{{text!r}: number}} if it stands for one"
        ) from None
