"""Finished tasks on disk, each written whole or not at all: a run that was killed continues where it stopped."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from ...common.atomic import write_whole
from ...errors import KeyholeError
from .paper import Rows, Size, Task

FORMAT = 2  # 1 had the same files in a folder units/, under other names


class ForeignFolder(KeyholeError, ValueError):
    """An output folder that holds something else than this run's results."""


class Finished(NamedTuple):
    """The rows that a task returned, and the processor time that it took, in seconds."""

    rows: Rows
    seconds: float


@dataclass(frozen=True)
class Store:
    """The folder of results of one paper.

    ``settings.json`` holds the settings of the run, and ``tasks/<name>.json`` the rows of one task each.

    Parameters
    ----------
    folder : pathlib.Path
        The folder; its name is the name of the paper.
    size : Size
        How much of the protocol is run.
    seed : int
        The seed of the run.
    """

    folder: Path
    size: Size
    seed: int

    def open(self) -> None:
        """Create the folder, or check that it belongs to a run with the same settings.

        Raises
        ------
        ForeignFolder
            If the folder has another format, belongs to a run with other settings, or holds other files. Nothing in
            it is changed.
        """
        path, wanted = self.folder / "settings.json", self._settings()
        if path.exists():
            _check_settings(path, wanted)
            return
        if self.folder.exists() and any(self.folder.iterdir()):
            raise ForeignFolder(
                f"{self.folder} holds files, but no settings.json of a reproduction; choose another --out"
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(wanted, indent=1))

    def read(self, name: str, report: Callable[[str], object] = print) -> Finished | None:
        """What an earlier run wrote of a task.

        Parameters
        ----------
        name : str
            The name of the task, from `name_of`.
        report : callable, default=print
            Called with a sentence if the task's file cannot be read; the file is then renamed.

        Returns
        -------
        Finished or None
            The rows, or None if the task has to be run.
        """
        path = self._path(name)
        try:
            content = json.loads(path.read_text())
            rows, seconds = content["rows"], float(content["seconds"])
            if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
                raise ValueError("its rows are not a list of objects")
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError) as error:
            renamed = _put_aside(path)
            report(f"{path} is not the file of a finished task ({error}); it was renamed to {renamed.name}, and the"
                   " task is run again")  # fmt: skip
            return None
        return Finished(rows, seconds)

    def write(self, name: str, task: Task, rows: Rows, seconds: float) -> Finished:
        """Write the rows of a finished task.

        Parameters
        ----------
        name : str
            The name of the task, from `name_of`.
        task : Task
            The task; its function and settings are written beside the rows.
        rows : list of dict
            What it returned.
        seconds : float
            The processor time that it took.

        Returns
        -------
        Finished
            The rows as a later run will read them.
        """
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        content = {"function": _function(task), "settings": task.settings, "seconds": seconds, "rows": rows}
        text = json.dumps(content, default=_plain_number)
        write_whole(path, text)
        return Finished(json.loads(text)["rows"], seconds)

    def _path(self, name: str) -> Path:
        return self.folder / "tasks" / f"{name}.json"

    def _settings(self) -> dict[str, Any]:
        """What must agree for results to belong together; another version of Keyhole may measure other numbers."""
        shared = {"format": FORMAT, "keyhole": version("keyhole")}
        return shared | {"paper": self.folder.name, "size": str(self.size), "seed": self.seed}


def name_of(task: Task) -> str:
    """A short name for a task: equal functions and settings have equal names, in any order of the settings."""
    what = json.dumps([_function(task), task.settings], sort_keys=True)
    return f"{task.function.__name__}-{hashlib.sha256(what.encode()).hexdigest()[:20]}"


def _check_settings(path: Path, wanted: dict[str, Any]) -> None:
    """Raise unless a file of settings is that of this run."""
    try:
        present = json.loads(path.read_text())
    except ValueError:
        raise ForeignFolder(f"{path} is not readable as settings; repair it, or choose another --out") from None
    present = present if isinstance(present, dict) else {}
    if present == wanted:
        return
    if present.get("format") != FORMAT:
        raise ForeignFolder(
            f"{path.parent} is a folder of another format: its settings.json says {present.get('format', 'none')}, and"
            f" this version of Keyhole reads and writes format {FORMAT}; choose another --out"
        )
    other = [name for name in wanted if present.get(name) != wanted[name]]
    raise ForeignFolder(
        f"{path.parent} holds a run with {_in_words(present, other)}, and this one has {_in_words(wanted, other)};"
        " choose another --out"
    )


def _put_aside(path: Path) -> Path:
    """Rename a file that cannot be read to a name that is free."""
    number = 1
    while (renamed := path.with_suffix(f".unreadable{number}")).exists():
        number += 1
    os.replace(path, renamed)
    return renamed


def _function(task: Task) -> str:
    return f"{task.function.__module__}.{task.function.__qualname__}"


def _plain_number(value: Any) -> Any:
    """A NumPy number as Python's own."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"a row holds {value!r}; only numbers and strings can be written")


def _in_words(settings: dict[str, Any], names: list[str]) -> str:
    return ", ".join(f"{name} {settings.get(name, 'unknown')}" for name in names)
