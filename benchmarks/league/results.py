"""The file of results: JSON lines, one for each table, split, budget and method.

Lines are appended when they are measured. A run that is killed loses at most the line that it was writing.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import keyhole
from keyhole.common.atomic import write_whole

Key = tuple[str, int, int | None, str]  # table, split, attributes per example (None: every cell), method
Record = dict[str, Any]
RESULTS = Path(__file__).parent.parent.parent / ".cache" / "league" / "results.jsonl"


def key_of(record: Record) -> Key:
    return record["table"], record["split"], record["budget"], record["method"]


def read_results(path: Path) -> dict[Key, Record]:
    """All results; the last of several for the same key counts."""
    found = {}
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
            found[key_of(record)] = record
        except (json.JSONDecodeError, KeyError, TypeError):  # the last line of a run that was killed
            print(f"line {number} of {path} is not a result and is left out: {line[:60]}", file=sys.stderr)
    return found


def append_results(path: Path, records: Iterable[Record]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        broken = file.seek(0, 2) and (file.seek(-1, 2), file.read())[1] != b"\n"
        file.write((b"\n" if broken else b"") + "".join(json.dumps(record) + "\n" for record in records).encode())


def remove_results(path: Path, wanted: Callable[[Record], bool]) -> int:
    """Write the file again without some results, and return how many they were."""
    found = read_results(path).values()
    left = [record for record in found if not wanted(record)]
    if len(left) < len(found):
        write_whole(path, "".join(json.dumps(record) + "\n" for record in left))
    return len(found) - len(left)


def state_of_source() -> str:
    """A checksum of Keyhole's source files: the results of one method should come from one state."""
    folder = Path(keyhole.__file__).parent
    checksum = 0
    for path in sorted(folder.rglob("*.py")):
        checksum = zlib.crc32(path.read_bytes(), checksum)
    return f"{checksum:08x}"
