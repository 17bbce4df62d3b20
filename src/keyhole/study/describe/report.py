"""The whole of a study in words: what a person reads before a meeting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...moments.describe.summary import Summary

if TYPE_CHECKING:
    from ..answering import Answering

MODELS, CONFLICTS = 5, 10  # lines that are shown


def report(study: Answering, target: float | None) -> Summary:
    """Sections of named lines; a part that cannot be had yet says why."""
    found = Summary(f"Study {study.name!r} in {study.store.place}")
    found.add("Status", [(key, in_words(value)) for key, value in study.status().items() if key != "study"])
    found.add("Models of renewals: the error of held-out examples", history_lines(study))
    missing = said(lambda: study.not_obtainable())
    found.add("Not obtainable", [("", line) for line in missing.splitlines()])
    found.add("Conflicts, until they are corrected", conflict_lines(study))
    if target is not None:
        found.add("Enough", [("", said(lambda: study.enough(target)))])
    found.add("Protocol", [("", study.protocol())])
    return found


def history_lines(study: Answering) -> list[tuple[str, str]]:
    """The first model and the last ones."""
    rows = study.history()
    shown = rows if len(rows) <= MODELS else [rows[0], *rows[1 - MODELS :]]
    what = "share of wrong classes" if study.is_classifier else "squared error"
    lines = []
    for row in shown:
        known = row["error"] is not None
        error = f"{what} {row['error']:.3g} ± {row['standard error']:.2g}" if known else "error not known yet"
        seen = f", predicted from {row['attributes']} attributes" if known else ""
        spent = f"{row['examples']:,} examples, {row['spent or reserved']:g} spent or reserved"
        lines.append((f"model {row['model']}", f"{error}{seen}; {spent}; {row['made at']:%Y-%m-%d %H:%M} UTC"))
    if len(shown) < len(rows):
        lines.insert(1, ("", f"and {len(rows) - len(shown)} more in between, in the history"))
    return lines or [("", "none yet")]


def conflict_lines(study: Answering) -> list[tuple[str, str]]:
    """What was told of each, by whom."""
    rows = study.conflicts()
    lines = [
        (
            f"{row['example']}, {row['attribute'] or 'label'}",
            "; ".join(f"{told['value']} by {told['person']}" for told in row["told"]),
        )
        for row in rows[:CONFLICTS]
    ]
    if len(rows) > CONFLICTS:
        lines.append(("", f"and {len(rows) - CONFLICTS} more"))
    return lines or [("", "none")]


def in_words(value: Any) -> str:
    """A count, an amount, or that there is none."""
    if value is None:
        return "none"
    return f"{value:,g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)


def said(answer: Any) -> str:
    """An answer in words, or why there is none."""
    try:
        return str(answer())
    except ValueError as error:
        return f"not known yet: {error}"
