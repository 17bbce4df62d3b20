"""The list of an allocation: what a site finds out of its examples, offline, with empty cells for the results."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ..asks import StudyAsk
from .columns import Column, write_table
from .exporting import LABEL

COLUMNS = tuple(
    Column(name, "text")
    for name in ("ask", "example", "attribute", "kind", "unit", "choices", "bundle", "value", "not_obtainable")
)


def write_allocation(path: str | os.PathLike[str], asks: Sequence[StudyAsk], overwrite: bool = False) -> Path:
    """Write asks as a table with a row for each attribute and for the label.

    The site fills in ``value``, or ``not_obtainable`` with the reason, and the study imports the file.
    """
    rows = []
    for ask in asks:
        for a in ask.attributes:
            choices = "|".join(a.choices)
            rows.append([str(ask.id), ask.example, a.name, a.kind, a.unit or "", choices, a.bundle or "", "", ""])
        rows.append([str(ask.id), ask.example, LABEL, "", "", "", "", "", ""])
    return write_table(path, COLUMNS, rows, overwrite)
