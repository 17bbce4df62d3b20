"""Files of judgments, of labels, and of gold items (cells whose right answer is known)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...common.parameters import ParameterError
from ...common.wording import listed
from ...errors import BadValue
from .answers import as_name_set
from .files import FilePath, existing_file, place_in, read_csv, read_keyed, read_parquet
from .from_long import from_long
from .label_studio import read_label_studio
from .mturk import read_mturk
from .parsing import SHOWN_NAMES, named, plain_id
from .table import Judgments

NEEDED = ("object", "attribute", "value")
LONG_TABLE = (*NEEDED, "worker")


def read_judgments(
    path: FilePath,
    columns: Mapping[str, str] | None = None,
    object_column: str | None = None,
    object_key: str | None = None,
    attributes: Iterable[str] | None = None,
    choices: Mapping[str, float] | None = None,
) -> Judgments:
    """Read judgments from a file.

    The file is a long table in CSV or Parquet, with the columns object, attribute, value and, where it is known,
    worker; or a JSON export of Label Studio; or a batch file of Mechanical Turk. Its name and its columns decide.

    Parameters
    ----------
    path : str or path-like
        The file.
    columns : dict of str to str, optional
        For a long table, the names that the file has for ``object``, ``attribute``, ``value`` and ``worker``.
    object_column : str, optional
        For a batch of Mechanical Turk, the ``Input.`` column that names the object.
    object_key : str, optional
        For Label Studio, the field of a task's ``data`` that names the object.
    attributes : iterable of str, optional
        The attributes to read; all by default.
    choices : dict of str to float, optional
        The numbers of answers in words.

    Returns
    -------
    Judgments
        The judgments, with their workers where the file has them.

    Raises
    ------
    BadValue
        If the file lacks a column or a judgment, or a value is not a finite number.
    ParameterError
        If a parameter names what is not in the file.

    See Also
    --------
    read_label_studio : More about exports of Label Studio.
    read_mturk : More about batches of Mechanical Turk.

    Examples
    --------
    >>> import os, tempfile
    >>> from keyhole.judgments import read_judgments
    >>> path = os.path.join(tempfile.mkdtemp(), "judgments.csv")
    >>> with open(path, "w") as file:
    ...     print("photo,attribute,value", "a.jpg,tall,3", "a.jpg,tall,5", sep="\\n", file=file)
    >>> read_judgments(path, columns={"object": "photo"}).values
    array([[[3., 5.]]])
    """
    wanted = as_name_set(attributes)
    unknown = sorted(set(columns or {}) - set(LONG_TABLE))
    if unknown:
        raise ParameterError(
            "columns", f"it names {listed(unknown, SHOWN_NAMES)}; it may name {', '.join(LONG_TABLE[:-1])} and worker"
        )
    file = existing_file(path)
    if file.suffix == ".json":
        return read_label_studio(file, object_key, wanted, choices)
    table: dict[str, list[Any]]
    if file.suffix == ".parquet":
        table = read_parquet(file)
    else:
        table = read_csv(file)
        if {"HITId", "WorkerId"} <= set(table):
            return read_mturk(file, object_column, wanted, choices)
    names = {name: (columns or {}).get(name, name) for name in LONG_TABLE}
    lacking = [names[n] for n in NEEDED if names[n] not in table]
    if lacking or (columns and "worker" in columns and columns["worker"] not in table):
        raise BadValue(
            f"{file}: a long table of judgments needs the columns {[names[n] for n in NEEDED]} and, where it is known,"
            f" {names['worker']!r}; this one has {list(table)}"
        )
    attribute = [plain_id(name) for name in table[names["attribute"]]]
    if wanted is not None and (never := sorted(wanted - set(attribute))):
        raise ParameterError("attributes", f"{file} has no judgment of {named('attribute', never)}")
    kept = [row for row, name in enumerate(attribute) if wanted is None or name in wanted]
    values = [table[names["value"]][row] for row in kept]
    return from_long(
        [table[names["object"]][row] for row in kept],
        [table[names["attribute"]][row] for row in kept],
        [(choices or {}).get(str(value).strip(), value) for value in values],
        [table[names["worker"]][row] for row in kept] if names["worker"] in table else None,
        place=lambda row: place_in(file, table, kept[row]),
    )


def read_labels(path: FilePath) -> dict[str, float]:
    """Read labels from a file.

    Parameters
    ----------
    path : str or path-like
        A CSV or Parquet file with the columns object and label.

    Returns
    -------
    dict of str to float
        The label of each object.

    Raises
    ------
    BadValue
        If a column is not there, a label is not a number, or an object comes twice.

    Examples
    --------
    >>> import os, tempfile
    >>> from keyhole.judgments import read_labels
    >>> path = os.path.join(tempfile.mkdtemp(), "labels.csv")
    >>> with open(path, "w") as file:
    ...     print("object,label", "a.jpg,1.5", sep="\\n", file=file)
    >>> read_labels(path)
    {'a.jpg': 1.5}
    """
    return {key[0]: value for key, value in read_keyed(path, ("object",), "label").items()}


def read_gold(path: FilePath) -> dict[tuple[str, str], float]:
    """Read gold items, the cells whose right answer is known, from a file.

    Parameters
    ----------
    path : str or path-like
        A CSV or Parquet file with the columns object, attribute and value.

    Returns
    -------
    dict of (str, str) to float
        The right answer for each pair of object and attribute.

    Raises
    ------
    BadValue
        If a column is not there, a value is not a number, or a pair comes twice.

    Examples
    --------
    >>> import os, tempfile
    >>> from keyhole.judgments import read_gold
    >>> path = os.path.join(tempfile.mkdtemp(), "gold.csv")
    >>> with open(path, "w") as file:
    ...     print("object,attribute,value", "a.jpg,tall,4", sep="\\n", file=file)
    >>> read_gold(path)
    {('a.jpg', 'tall'): 4.0}
    """
    return {(key[0], key[1]): value for key, value in read_keyed(path, ("object", "attribute"), "value").items()}
