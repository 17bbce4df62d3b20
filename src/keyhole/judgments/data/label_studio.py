"""Judgments from Label Studio's JSON export."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ...common.parameters import ParameterError
from ...errors import BadValue
from .answers import as_name_set, number_of
from .files import FilePath
from .from_long import from_long
from .table import Judgments

NUMERIC_CONTROLS = ("number", "rating", "choices")


def read_label_studio(
    path: FilePath,
    object_key: str | None = None,
    attributes: Iterable[str] | None = None,
    choices: Mapping[str, float] | None = None,
    ground_truth: bool = False,
) -> Judgments:
    """Read judgments from Label Studio's "JSON" export: one task per object, one annotation per worker.

    An attribute is a control of the labelling page (``from_name``) of type number, rating or choices. Cancelled
    annotations are left out. Annotations that are marked as ground truth are not judgments.

    Parameters
    ----------
    path : str or path-like
        The export.
    object_key : str, optional
        The field of a task's ``data`` that names the object. By default the object is the task's id.
    attributes : iterable of str, optional
        The controls to read; all by default.
    choices : dict of str to float, optional
        The numbers of answers in words. Yes and no, true and false, on and off are 1 and 0 without it.
    ground_truth : bool, default=False
        Whether to read the annotations that are marked as ground truth, and no others.

    Returns
    -------
    Judgments
        The judgments with their workers.

    Raises
    ------
    BadValue
        If the file is not such an export, or an answer is not a number.

    Examples
    --------
    >>> import json, os, tempfile
    >>> from keyhole.judgments import read_label_studio
    >>> result = {"from_name": "tall", "type": "rating", "value": {"rating": 4}}
    >>> task = {"id": 7, "annotations": [{"id": 1, "completed_by": 10, "result": [result]}]}
    >>> path = os.path.join(tempfile.mkdtemp(), "export.json")
    >>> with open(path, "w") as file:
    ...     json.dump([task], file)
    >>> print(read_label_studio(path).to_long())
    object  attribute  value  worker
    7       tall           4  10
    """
    wanted = as_name_set(attributes)
    rows: list[tuple[Any, str, float, str]] = []
    for number, task in enumerate(_tasks(path)):
        place = f"{path}, task {task.get('id', number)}"
        if "annotations" not in task:
            raise BadValue(f"{place}: there is no 'annotations'; export as 'JSON', not as 'JSON-MIN' or 'CSV'")
        object_name = _object_of(task, object_key, place)
        for annotation in task["annotations"]:
            if annotation.get("was_cancelled") or bool(annotation.get("ground_truth")) != ground_truth:
                continue
            for result in annotation.get("result", []):
                attribute = result.get("from_name", "")
                if wanted is None or attribute in wanted:
                    value = _control_value(result, choices, f"{place}, annotation {annotation.get('id')}")
                    rows.append((object_name, attribute, value, _worker_of(annotation)))
    if not rows:
        kind = "annotation that is marked as ground truth" if ground_truth else "judgment"
        raise BadValue(f"{path} has no {kind} of {'any control' if wanted is None else sorted(wanted)}")
    object_names, names, values, workers = zip(*rows, strict=True)
    return from_long(object_names, names, values, workers)


def _tasks(path: FilePath) -> list[dict[str, Any]]:
    try:
        tasks = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadValue(f"{path} is not JSON: {error}") from None
    if not isinstance(tasks, list):
        raise BadValue(f"{path}: Label Studio's JSON export is a list of tasks; this is a {type(tasks).__name__}")
    return tasks


def _object_of(task: dict[str, Any], object_key: str | None, place: str) -> Any:
    if object_key is None:
        return task["id"]
    data = task.get("data", {})
    if object_key not in data:
        raise ParameterError("object_key", f"{place}: data has only the fields {sorted(data)}", object_key)
    return data[object_key]


def _worker_of(annotation: dict[str, Any]) -> str:
    worker = annotation.get("completed_by", "unknown")
    return str((worker.get("email") or worker.get("id")) if isinstance(worker, dict) else worker)


def _control_value(result: dict[str, Any], choices: Mapping[str, float] | None, place: str) -> float:
    kind = result.get("type")
    place = f"{place}, control {result.get('from_name')!r}"
    if kind not in NUMERIC_CONTROLS:
        raise BadValue(
            f"{place}: a control of type {kind!r} has no number; list the controls to read in attributes, their types"
            f" being {', '.join(NUMERIC_CONTROLS[:-1])} or {NUMERIC_CONTROLS[-1]}"
        )
    value = result.get("value", {}).get(kind)
    if kind == "choices":
        if not isinstance(value, list) or len(value) != 1:
            raise BadValue(f"{place}: {value!r} is not one choice, which a judgment is")
        value = value[0]
    return number_of(value, choices, place)
