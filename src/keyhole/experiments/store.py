"""Finished units on disk, each written whole or not at all: a run that was killed goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import KeyholeError
from .paper import Rows, Size, Unit

FORMAT = 1


class ForeignFolder(KeyholeError, ValueError):
    """An output folder that holds something else than this run's results."""


class Kept(NamedTuple):
    """What a unit returned, and the processor time that it took."""

    rows: Rows
    seconds: float


@dataclass(frozen=True)
class Store:
    """The results of one paper: ``settings.json`` says of which run, ``units/<name>.json`` hold the rows of units."""

    folder: Path
    size: Size
    seed: int

    def open(self) -> None:
        """Make the folder, or see that it is of a run with the same settings."""
        path, wanted = self.folder / "settings.json", self._settings()
        if path.exists():
            try:
                found = json.loads(path.read_text())
            except ValueError:
                raise ForeignFolder(f"{path}: not readable as settings; choose another --out or mend it") from None
            if found != wanted:
                found = found if isinstance(found, dict) else {}
                other = [name for name in wanted if found.get(name) != wanted[name]]
                raise ForeignFolder(
                    f"{self.folder} holds a run with {_in_words(found, other)}, and this one has"
                    f" {_in_words(wanted, other)}; choose another --out"
                )
            return
        if self.folder.exists() and any(self.folder.iterdir()):
            raise ForeignFolder(
                f"{self.folder} holds files, but no settings.json of a reproduction; choose another --out"
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(wanted, indent=1))

    def kept(self, name: str, say: Callable[[str], object] = print) -> Kept | None:
        """What an earlier run kept of a unit. A file that cannot be used is put aside, with a word about it."""
        path = self._path(name)
        try:
            found = json.loads(path.read_text())
            rows, seconds = found["rows"], float(found["seconds"])
            if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
                raise ValueError("rows are no list of objects")
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError) as error:
            aside = _put_aside(path)
            say(f"{path}: not a finished unit ({error}); put aside as {aside.name}, and run again")
            return None
        return Kept(rows, seconds)

    def keep(self, name: str, unit: Unit, rows: Rows, seconds: float) -> Kept:
        """Write the rows of a finished unit, and return them as a later run will read them."""
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = {"function": _function(unit), "settings": unit.settings, "seconds": seconds, "rows": rows}
        text = json.dumps(whole, default=_plain_number)
        write_whole(path, text)
        return Kept(json.loads(text)["rows"], seconds)

    def _path(self, name: str) -> Path:
        return self.folder / "units" / f"{name}.json"

    def _settings(self) -> dict[str, Any]:
        """What must agree for results to belong together; another version of Keyhole may measure otherwise."""
        known = {"format": FORMAT, "keyhole": version("keyhole")}
        return known | {"paper": self.folder.name, "size": str(self.size), "seed": self.seed}


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all, even when the machine stops."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _put_aside(path: Path) -> Path:
    number = 1
    while (aside := path.with_suffix(f".unreadable{number}")).exists():
        number += 1
    os.replace(path, aside)
    return aside


def name_of(unit: Unit) -> str:
    """A short name for a unit: the same work has the same one, in any order of its settings."""
    what = json.dumps([_function(unit), unit.settings], sort_keys=True)
    return f"{unit.function.__name__}-{hashlib.sha256(what.encode()).hexdigest()[:20]}"


def _function(unit: Unit) -> str:
    return f"{unit.function.__module__}.{unit.function.__qualname__}"


def _plain_number(value: Any) -> Any:
    """A NumPy number as Python's own."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"a row holds {value!r}; numbers and strings are kept")


def _in_words(settings: dict[str, Any], names: list[str]) -> str:
    return ", ".join(f"{name} {settings.get(name, 'unknown')}" for name in names)
