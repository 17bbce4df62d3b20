"""Labels, matched to the objects that were judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ...errors import BadValue
from .parsing import as_numbers, listed, named, plain_id
from .table import Judgments


def labels_by_object(objects: Iterable[Any], labels: Iterable[Any]) -> dict[str, Any]:
    """A label for each object's name; an object that comes twice is refused."""
    out: dict[str, Any] = {}
    for row, (thing, label) in enumerate(zip(list(objects), list(labels), strict=True)):
        name = plain_id(thing)
        if name in out:
            raise BadValue(f"labels, row {row}: object {name!r} was given before")
        out[name] = label
    return out


def align_labels(labels: Any, judgments: Judgments, positional: bool) -> np.ndarray:
    """One finite label per object. ``positional``: an array in the order of the objects is accepted."""
    if isinstance(labels, Mapping) or (hasattr(labels, "items") and hasattr(labels, "index")):
        by_object = labels_by_object(*zip(*labels.items(), strict=True)) if len(labels) else {}
    elif positional:
        array = np.asarray(labels)
        if array.shape != (len(judgments.objects),):
            raise ValueError(
                f"labels must be one number per object: {len(judgments.objects)} objects, labels of shape {array.shape}"
            )
        by_object = dict(zip(judgments.objects, array.tolist(), strict=True))
    else:
        raise ValueError(
            "labels of a table must name their objects: give a dict {object: label}, a table with the "
            f"columns 'object' and 'label', or a file of these; got {type(labels).__name__}"
        )
    known = set(judgments.objects)
    unknown = [name for name in by_object if name not in known]
    if unknown:
        raise BadValue(
            f"labels were given for {named('object', unknown)} without any judgment; "
            f"the judgments know {len(judgments.objects)} objects, such as {listed(judgments.objects[:3])}"
        )
    raw = np.array([by_object.get(name) for name in judgments.objects], dtype=object)
    y = as_numbers(raw, lambda i: f"the label of object {judgments.objects[i]!r}")
    bad = [judgments.objects[i] for i in np.flatnonzero(~np.isfinite(y))]
    if bad:
        verb = "has" if len(bad) == 1 else "have"
        raise BadValue(f"{named('object', bad)} {verb} no finite label; every judged object needs one")
    return y
