"""Checking tables and labels without reading a table, and predicting from whole rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d, validate_data

from ..common.warn import warn_user
from ..errors import NotRevealed
from .attributes import Attribute, PlainAttributes, has_kind_number
from .meter import Meter
from .reveal import as_numbers, bad_value
from .sources import ArraySource, CSRSource, Source, as_source
from .values import is_missing

CELLS_AT_ONCE = 4_000_000
LARGEST_LABEL = 1e150
# How a column is called that has no name: in a CSV file, and by pandas.
UNNAMED = re.compile(r"|Unnamed: \d+")


def check_table(estimator: Any, X: Any, *, reset: bool) -> Any:
    """The source of X, after checking its shape and column names (against what was fitted, unless reset).

    Values of other kinds than numbers become numbers as they did in the fit, whatever the choices of this table are.
    """
    fitted = None if reset else getattr(estimator, "attributes_", None)
    source = as_source(X, None if fitted is None or has_kind_number(fitted) else fitted)
    shape = (source.n_examples, len(source.attributes))
    if 0 in shape:
        what = "sample(s)" if shape[0] == 0 else "feature(s)"
        raise ValueError(f"empty table: 0 {what} (shape={shape}) while a minimum of 1 is required.")
    if not isinstance(X, Source):
        validate_data(estimator, X, reset=reset, skip_check_array=True)
    elif reset:
        record_names(estimator, source.attributes)
    else:
        _check_described(estimator, X.attributes)
    if reset:
        _warn_of_an_index(source.attributes)
    return source


def _warn_of_an_index(attributes: Sequence[Attribute]) -> None:
    if isinstance(attributes, PlainAttributes) and attributes.names is None:
        return
    names = attributes.names if isinstance(attributes, PlainAttributes) else [a.name for a in attributes]
    for i, name in enumerate(map(str, names or ())):
        if UNNAMED.fullmatch(name):
            warn_user(
                f"column {i} has no name of its own ({name!r}), as numbers of rows have none where a table was saved"
                " with them; if these are such numbers, leave the column out"
            )


def record_names(estimator: Any, attributes: Sequence[Attribute]) -> None:
    """Set what scikit-learn knows of the columns, from described attributes, whose names must differ."""
    estimator.n_features_in_ = len(attributes)
    if not isinstance(attributes, PlainAttributes) or attributes.names is not None:
        first: dict[str, int] = {}
        for i, attribute in enumerate(attributes):
            if first.setdefault(attribute.name, i) != i:
                raise ValueError(
                    f"attributes: {attribute.name!r} is the name of attributes {first[attribute.name]} and {i}; names"
                    " must differ"
                )
    if not isinstance(attributes, PlainAttributes) or attributes.names is not None:
        estimator.feature_names_in_ = np.array([a.name for a in attributes], dtype=object)


def _check_described(estimator: Any, attributes: Sequence[Attribute]) -> None:
    name, fitted = type(estimator).__name__, estimator.n_features_in_
    if len(attributes) != fitted:
        raise ValueError(
            f"X has {len(attributes)} features, but {name} is expecting {fitted} features as input:"
            " the attributes that it was fitted with"
        )
    if hasattr(estimator, "feature_names_in_"):
        for i, (attribute, known) in enumerate(zip(attributes, estimator.feature_names_in_, strict=True)):
            if attribute.name != known:
                raise ValueError(f"attribute {i} is {attribute.name!r}; {name} was fitted with {known!r} there")


def check_labels(y: Any, n_examples: int, name: str = "estimator") -> np.ndarray:
    """The labels as finite floats, one per example."""
    given = _column(y, name)
    try:
        if given.dtype.kind == "c":
            raise TypeError
        labels = np.ascontiguousarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        at = next(i for i, label in enumerate(given) if not _is_number(label))
        raise ValueError(f"label of example {at}: {str(given[at])!r} is not a number") from None
    _check_one_each(labels, n_examples)
    return labels


def check_classes(y: Any, n_examples: int | None, name: str) -> np.ndarray:
    """The labels as classes, whole numbers or text that can be sorted; one per example, if their number is given."""
    given = _column(y, name)
    if given.dtype.kind == "O":
        absent = [i for i, label in enumerate(given) if label is None or label != label]
        if absent:
            raise ValueError(f"Input y contains NaN: example {absent[0]} has no class ({given[absent[0]]!r})")
        if not all(isinstance(label, str) for label in given):
            try:
                given = np.array(given.tolist())
            except ValueError:
                raise ValueError(f"classes must be text or whole numbers; the first is {given[0]!r}") from None
            if given.dtype.kind in "US":
                raise ValueError("some classes are text and some are not: make them one or the other")
    if given.dtype.kind == "f":
        _check_one_each(given, n_examples)
    elif n_examples is not None:
        _check_number(given, n_examples)
    check_classification_targets(given)
    return given


def _column(y: Any, name: str) -> np.ndarray:
    if y is None:
        raise ValueError(f"This {name} requires y to be passed, but the target y is None: a label per example")
    if sparse.issparse(y):
        raise ValueError("y is a sparse matrix; labels must be a dense one-dimensional array")
    return column_or_1d(y, warn=True)


def _check_number(labels: np.ndarray, n_examples: int) -> None:
    if len(labels) != n_examples:
        raise ValueError(f"{len(labels)} labels for {n_examples} examples: there must be one label per example")


def _check_one_each(labels: np.ndarray, n_examples: int | None) -> None:
    if n_examples is not None:
        _check_number(labels, n_examples)
    wrong = np.flatnonzero(~np.isfinite(labels))
    if len(wrong):
        kind = "NaN" if np.isnan(labels[wrong[0]]) else "infinity"
        raise ValueError(f"Input y contains {kind}: label of example {wrong[0]}; labels must be finite numbers")
    if (np.abs(labels) > LARGEST_LABEL).any():
        at = int(np.argmax(np.abs(labels)))
        raise ValueError(f"label of example {at}: {labels[at]:g} is too large to be squared; take another unit")


def whole_tables(source: Any) -> Iterator[np.ndarray]:
    """The rows of a source as floats, some at a time; a cell that is missing or no finite number is refused."""
    everything = np.arange(len(source.attributes))
    rows = max(CELLS_AT_ONCE // max(len(everything), 1), 1)
    for start in range(0, source.n_examples, rows):
        stop = min(start + rows, source.n_examples)
        if isinstance(source, ArraySource) and source.table is not None:
            table = source.table[start:stop].astype(np.float64)
            wrong = np.flatnonzero(~np.isfinite(table).all(axis=1))
            if len(wrong):
                raise _why_not_finite(source, start + int(wrong[0]), everything)
            yield table
        else:
            read = [
                as_numbers(source, f"example {t}", everything, source.read(t, everything)) for t in range(start, stop)
            ]
            yield np.array(read).reshape(stop - start, len(everything))


def linear_predictions(
    source: Any, coef: np.ndarray, intercept: float, attributes: np.ndarray | None = None, meter: Meter | None = None
) -> np.ndarray:
    """coef' x + intercept for every example of a source, a few rows at a time.

    With ``attributes`` given, the others have no weight and are not read. A ``meter`` counts what is.
    """
    columns: Any = slice(None) if attributes is None else attributes
    wanted = np.arange(len(coef))[columns]
    if isinstance(source, CSRSource) and has_kind_number(source.attributes):
        matrix = sparse.csr_array(tuple(source.table), shape=(source.n_examples, len(coef)))
        predictions = matrix[:, columns] @ coef[columns]
    else:
        predictions = np.empty(source.n_examples)
        rows = max(CELLS_AT_ONCE // max(len(wanted), 1), 1)
        for start in range(0, source.n_examples, rows):
            stop = min(start + rows, source.n_examples)
            if isinstance(source, ArraySource) and source.table is not None and has_kind_number(source.attributes):
                rows_read = source.table[start:stop, columns]
            else:
                numbers = (
                    as_numbers(source, f"example {t}", wanted, source.read(t, wanted)) for t in range(start, stop)
                )
                rows_read = np.array(list(numbers))
            with np.errstate(invalid="ignore", over="ignore"):  # what is not finite is looked into below
                predictions[start:stop] = rows_read @ coef[columns]
    wrong = np.flatnonzero(~np.isfinite(predictions))
    if len(wrong):
        raise _why_not_finite(source, int(wrong[0]), wanted)
    if meter is not None:
        meter.charge_rows(source.n_examples, wanted)
    return predictions + intercept


def _why_not_finite(source: Any, example: int, attributes: np.ndarray) -> Exception:
    for i, value in zip(attributes, source.read(example, attributes), strict=True):
        if is_missing(value):
            name = source.attributes[int(i)].name
            return NotRevealed(
                f"example {example}, attribute {name!r}: the value is missing, and this prediction needs every value"
            )
        if isinstance(value, float | np.floating) and np.isinf(value):
            return bad_value(source, f"example {example}", int(i), value)
    return ValueError(f"example {example}: its values are so large that the prediction overflows")


def _is_number(label: Any) -> bool:
    try:
        float(label)
    except (TypeError, ValueError):
        return False
    return True
