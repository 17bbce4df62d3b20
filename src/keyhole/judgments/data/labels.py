"""Labels, matched to the objects that were judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ...common.parameters import ParameterError
from ...common.wording import listed
from ...errors import BadValue
from .parsing import as_numbers, named, plain_id
from .table import Judgments


def labels_by_object(objects: Iterable[Any], labels: Iterable[Any]) -> dict[str, Any]:
    """A label for each object's name; an object that comes twice is refused."""
    out: dict[str, Any] = {}
    for row, (object_name, label) in enumerate(zip(list(objects), list(labels), strict=True)):
        name = plain_id(object_name)
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
            raise ParameterError(
                "labels",
                f"an array of shape {array.shape} for {len(judgments.objects)} objects; there must be one label per"
                " object",
            )
        by_object = dict(zip(judgments.objects, array.tolist(), strict=True))
    else:
        raise ParameterError(
            "labels",
            f"a {type(labels).__name__} does not name the objects; with a table of judgments, give a dict"
            " {object: label}, a table with the columns 'object' and 'label', or a file of these",
        )
    judged = set(judgments.objects)
    unknown = [name for name in by_object if name not in judged]
    if unknown:
        raise BadValue(
            f"labels are given for {named('object', unknown)}, without any judgment; judgments are given of"
            f" {len(judgments.objects)} objects, such as {listed(judgments.objects[:3])}"
        )
    raw = np.array([by_object.get(name) for name in judgments.objects], dtype=object)
    y = as_numbers(raw, lambda i: f"the label of object {judgments.objects[i]!r}")
    without = [judgments.objects[i] for i in np.flatnonzero(~np.isfinite(y))]
    if without:
        verb = "has" if len(without) == 1 else "have"
        raise BadValue(f"{named('object', without)} {verb} no finite label; every judged object needs one")
    return y
