"""How a paper was run: the command, the code, the data, dates and machines; in short below each figure."""

from __future__ import annotations

from html import escape

from .paper import Size
from .provenance import SHORT, code, runs_in_words
from .running import Outcome, messages_of
from .store import Store


def origin(store: Store, outcome: Outcome) -> str:
    """One line for a caption: version, the first digits of the hashes of code and data, size and seed."""
    settings = store.settings
    files = settings.get("data", {}).get(outcome.experiment.name, {})
    data = "".join(f", {name} {checksum[:SHORT]}" for name, checksum in files.items())
    return (
        f"Keyhole {settings.get('keyhole', 'unknown')}, code {settings.get('code', 'unknown')[:SHORT]}{data},"
        f" {'a part of a ' if outcome.part else ''}{store.size} run, seed {store.seed}."
    )


def footer(store: Store, outcomes: list[Outcome]) -> str:
    """The last section of the page, as HTML."""
    settings = store.settings
    finished = {name: task for outcome in outcomes for name, task in outcome.finished.items()}
    minutes = sum(task.seconds for task in finished.values()) / 60
    quick = " --quick" if store.size == Size.quick else ""
    command = f"keyhole reproduce {store.folder.name}{quick} --seed {store.seed}"
    files = {name: checksum for of in settings.get("data", {}).values() for name, checksum in of.items()}
    data = "".join(f"<li>{escape(name)} {_hash(checksum)}</li>" for name, checksum in sorted(files.items()))
    runs = "".join(f"<li>{escape(words)}</li>" for words in runs_in_words(settings.get("runs", [])))
    present = code()
    drawn = (
        f" The report was written by version {present['keyhole']}, code {_hash(present['code'])}."
        if any(settings.get(name) != value for name, value in present.items())
        else ""
    )
    return (
        f"<h2>How it was run</h2>\n<footer><p><code>{escape(command)}</code></p><p>{len(finished):,} tasks,"
        f" {minutes:.1f} minutes of one core in all. Verdicts are computed from the rows, which the run writes"
        f" as CSV files beside its report.</p><p>Keyhole {escape(settings.get('keyhole', 'unknown'))}; SHA-256 of its"
        f" code {_hash(settings.get('code', 'unknown'))}.{drawn}</p>"
        + (f"<p>SHA-256 of data files:</p><ul>{data}</ul>" if data else "<p>No data file was used.</p>")
        + (f"<p>Runs:</p><ul>{runs}</ul>" if runs else "")
        + _warnings(messages_of(finished.values()))
        + "</footer>"
    )


def _warnings(messages: dict[str, int]) -> str:
    """The warnings of tasks, folded."""
    items = "".join(
        f"<li>{escape(message)} ({times} task{'s' if times > 1 else ''})</li>" for message, times in messages.items()
    )
    about = "one of each kind, since many differ in their numbers alone"
    return f"<details><summary>Warnings of tasks, {about}</summary><ul>{items}</ul></details>" if items else ""


def _hash(text: str) -> str:
    return f'<span class="hash">{escape(text)}</span>'
