"""What ``Study.export`` writes: one file, or a folder with both tables, the data dictionary and a README."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from ..._version import __version__
from ...common.parameters import check_choice
from ...errors import StudyError
from ..asks import moment
from ..store.base import Snapshot
from .beside import checked_place, written_beside
from .columns import FORMATS, write_table
from .dictionary import write_dictionary
from .dump import write_dump
from .exporting import Tables

if TYPE_CHECKING:
    from ..answering import Answering

SHAPES = ("long", "wide")
README = """{title}

{settings}

long.{format}: a row for each cell that was asked for or found, and for each label (attribute "label").
  state: asked (awaited), value, not obtainable, cancelled, or conflict (its values wait for a correction).
  value: the value as text; number: the same as a number (of a choice its position from 0, of a date the days since
  1 January 1970, of yes and no 1 and 0).
  origin: drawn (asked for by a design) or found (told without an ask, so of unknown probability).
  inclusion_probability: the probability with which the design asked for this attribute of this example.
  person, time: by whom and when (UTC) the cell was last written. not_obtainable: the reason.
wide.{format}: a row for each example; for each attribute its value, .mask (1: the value is there) and .probability (its
  inclusion probability, whether or not it was drawn; missing where nothing was drawn or the value was found).
dictionary.csv: the attributes with their columns in the wide table, kinds, units, ranges, choices and costs.

Missing is NA in .csv and null in .parquet. In R: read.csv("wide.csv"). In a .csv, a choice called "NA" cannot be told
from a missing value but by the column state.

{protocol}
"""


def export(study: Answering, to: str | os.PathLike[str], shape: str, format: str, overwrite: bool) -> list[Path]:
    """Write a study to a file or a folder; the files that were written."""
    check_choice("export", "shape", shape, SHAPES)
    check_choice("export", "format", format, FORMATS)
    place = Path(to)
    if place.suffix.lower() == ".jsonl":
        return [write_dump(study.store, study.record, place, overwrite)]
    if place.suffix.lower().lstrip(".") in FORMATS:
        checked_place(place, overwrite)
        with study.store.snapshot(study.record) as now:
            tables = Tables(study, now)
        columns, rows = tables.long() if shape == "long" else tables.wide()
        return [write_table(place, columns, rows, overwrite)]
    if place.suffix and not place.is_dir():
        raise StudyError(
            f"{place}: give a .csv or .parquet file (a table), a .jsonl file (the whole study) or a folder"
        )
    return _folder(study, place, format, overwrite)


def _folder(study: Answering, folder: Path, format: str, overwrite: bool) -> list[Path]:
    if folder.exists() and not folder.is_dir():
        raise StudyError(f"{folder}: this is a file; give a folder")
    folder.mkdir(exist_ok=True)
    files = [folder / name for name in (f"long.{format}", f"wide.{format}", "dictionary.csv", "README.txt")]
    for file in files:
        checked_place(file, overwrite)
    with study.store.snapshot(study.record) as now:
        tables, words = Tables(study, now), _readme(study, now, format)
    write_table(files[0], *tables.long(), overwrite=overwrite)
    write_table(files[1], *tables.wide(), overwrite=overwrite)
    write_dictionary(files[2], study.attributes, overwrite)
    with written_beside(files[3], overwrite) as beside:
        beside.write_text(words, encoding="utf-8")
    return files


def _readme(study: Answering, now: Snapshot, format: str) -> str:
    settings = {"study": study.name, "created": f"{moment(study.record.created_at):%Y-%m-%d %H:%M:%S} UTC"}
    settings |= {"exported": f"{moment(now.now):%Y-%m-%d %H:%M:%S} UTC", "exported by Keyhole": __version__}
    settings |= {"events": f"{now.seq}", "examples": f"{now.counts['n_examples']}"}
    settings |= {f"setting {name}": json.dumps(value) for name, value in study.record.settings.items()}
    return README.format(
        title=f"Study {study.name}, exported by Keyhole",
        settings="\n".join(f"{name}: {value}" for name, value in settings.items()),
        format=format,
        protocol=study.protocol(),
    )
