"""Finished tasks on disk, each written whole or not at all: a run that was killed continues where it stopped."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ...common.atomic import write_whole
from ...errors import KeyholeError
from .paper import Rows, Size, Task
from .provenance import code, this_run

FORMAT = 3  # 2 had no hash of the code; 1 had the same files in a folder units/, under other names
OF_CODE = ("keyhole", "code")  # what a new drawing of old results may have another value of


class ForeignFolder(KeyholeError, ValueError):
    """An output folder that holds something else than this run's results."""


class Finished(NamedTuple):
    """The rows that a task returned, the processor time that it took, in seconds, and its warnings."""

    rows: Rows
    seconds: float
    messages: Sequence[str] = ()


@dataclass(frozen=True)
class Store:
    """The folder of results of one paper.

    ``settings.json`` holds the settings of the run, the code and the data that it used and when it ran, and
    ``tasks/<name>.json`` the rows of one task each.

    Parameters
    ----------
    folder : pathlib.Path
        The folder; its name is the name of the paper.
    size : Size
        How much of the protocol is run.
    seed : int
        The seed of the run.
    redraw : bool, default=False
        Only write the report again: results of other code are accepted, and no task is run.
    """

    folder: Path
    size: Size
    seed: int
    redraw: bool = False

    def open(self) -> None:
        """Create the folder, or check that it belongs to a run with the same settings and the same code.

        Raises
        ------
        ForeignFolder
            If the folder has another format, belongs to a run with other settings, or holds other files. Nothing in
            it is changed.
        """
        path, wanted = self.folder / "settings.json", self._wanted()
        if path.exists():
            _check_settings(path, {name: wanted[name] for name in wanted if not (self.redraw and name in OF_CODE)})
            return
        if self.redraw:
            raise ForeignFolder(f"{self.folder} has no settings.json of a reproduction, so there is nothing to draw")
        if self.folder.exists() and any(self.folder.iterdir()):
            raise ForeignFolder(
                f"{self.folder} holds files, but no settings.json of a reproduction; choose another --out"
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        self._write_settings(wanted | {"data": {}, "runs": []})

    @property
    def settings(self) -> dict[str, Any]:
        """What settings.json holds: size, seed, code, checksums ("data"), and dates and machines ("runs")."""
        return json.loads((self.folder / "settings.json").read_text())

    def record_run(self) -> None:
        """Add the date, the machine and the versions of packages, when tasks are about to be run."""
        settings = self.settings
        self._write_settings(settings | {"runs": [*settings.get("runs", []), this_run()]})

    def record_data(self, experiment: str, checksums: dict[str, str]) -> None:
        """Add checksums of data files that tasks of an experiment are about to use.

        Parameters
        ----------
        experiment : str
            The name of the experiment.
        checksums : dict of str
            The checksum of each file, by its name.

        Raises
        ------
        ForeignFolder
            If a file is not the one that earlier tasks in this folder used.
        """
        settings = self.settings
        data = settings.get("data", {})
        known = {name: checksum for files in data.values() for name, checksum in files.items()}
        for name, checksum in checksums.items():
            if known.get(name, checksum) != checksum:
                raise ForeignFolder(
                    f"{self.folder} holds results from a file {name} with the checksum {known[name]}, and the present"
                    f" file has {checksum}; restore the file, or choose another --out"
                )
        if checksums and data.get(experiment) != checksums:
            self._write_settings(settings | {"data": data | {experiment: checksums}})

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
            rows, seconds, messages = content["rows"], float(content["seconds"]), content.get("messages", [])
            if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
                raise ValueError("its rows are not a list of objects")
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError) as error:
            renamed = _put_aside(path)
            report(f"{path} is not the file of a finished task ({error}); it was renamed to {renamed.name}, and the"
                   " task is run again")  # fmt: skip
            return None
        return Finished(rows, seconds, messages)

    def write(self, name: str, task: Task, rows: Rows, seconds: float, messages: Sequence[str] = ()) -> Finished:
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
        messages : sequence of str, default=()
            What it warned of.

        Returns
        -------
        Finished
            The rows as a later run will read them.
        """
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        content = {"function": _function(task), "settings": task.settings, "seconds": seconds, "rows": rows}
        text = json.dumps(content | {"messages": list(messages)}, default=_plain_number)
        write_whole(path, text)
        return Finished(json.loads(text)["rows"], seconds, list(messages))

    def _path(self, name: str) -> Path:
        return self.folder / "tasks" / f"{name}.json"

    def _wanted(self) -> dict[str, Any]:
        """What must agree for results to belong together; other code may measure other numbers."""
        return {"format": FORMAT, **code(), "paper": self.folder.name, "size": str(self.size), "seed": self.seed}

    def _write_settings(self, settings: dict[str, Any]) -> None:
        write_whole(self.folder / "settings.json", json.dumps(settings, indent=1))


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
    other = [name for name in wanted if present.get(name) != wanted[name]]
    if not other:
        return
    if present.get("format") != FORMAT:
        raise ForeignFolder(
            f"{path.parent} is a folder of another format: its settings.json says {present.get('format', 'none')}, and"
            f" this version of Keyhole reads and writes format {FORMAT}; choose another --out"
        )
    advice = "choose another --out"
    if set(other) <= set(OF_CODE):
        advice += ", go back to the code of that run, or give --redraw to write only its report with the present code"
    raise ForeignFolder(
        f"{path.parent} holds a run with {_in_words(present, other)}, and this one has {_in_words(wanted, other)};"
        f" {advice}"
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
