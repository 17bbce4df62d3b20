"""Claims on the page of a paper: their numbers, a list of all, and those of one figure; others than published apart."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from .kinds import HEADINGS, THE_PAPER, not_counted, published
from .paper import FAILS, HOLDS, NOT_JUDGED, NOT_RUN, Claim

NEITHER = ("notrun", "–")
MARKS = {FAILS: ("fails", "✗"), HOLDS: ("holds", "✓"), NOT_JUDGED: NEITHER, NOT_RUN: NEITHER}  # in the page's order
PLURAL = {FAILS: "do not hold", HOLDS: "hold"}


def counts(claims: list[tuple[str, Claim]]) -> str:
    """How many claims about the paper have which verdict, and how many others there are."""
    counted = published(claim for _, claim in claims)
    items = [
        f'<li class="{MARKS[verdict][0]}"><b>{number}</b> {_words(verdict, number)}</li>'
        for verdict, number in _numbers(counted).items()
    ]
    of = f"{len(counted)} published claim{'s' if len(counted) != 1 else ''}, compared with what was measured:"
    others = not_counted(claim.about for _, claim in claims)
    rest = f'\n<p class="about">Not counted: {others}, <a href="#not-counted">listed below</a>.</p>' if others else ""
    return f'<p>{of}</p>\n<ul class="counts">{"".join(items)}</ul>{rest}'


def counts_in_words(claims: Iterable[Claim]) -> str:
    """How many claims about the paper have which verdict, in words; those that do not hold first."""
    numbers = _numbers(published(claims))
    return ", ".join(f"{number} {_words(verdict, number)}" for verdict, number in numbers.items()) or "none"


def _numbers(claims: list[Claim]) -> dict[str, int]:
    numbers = {verdict: sum(claim.verdict == verdict for claim in claims) for verdict in MARKS}
    return {verdict: number for verdict, number in numbers.items() if number}


def _words(verdict: str, number: int) -> str:
    return verdict if number == 1 else PLURAL.get(verdict, verdict)


def overview(claims: list[tuple[str, Claim]]) -> str:
    """All claims by verdict, those that do not hold first and open; then those that are not counted."""
    of = {kind: [each for each in claims if each[1].about == kind] for kind in (THE_PAPER, *HEADINGS)}
    parts = ["<h2 id='claims'>All published claims, those that do not hold first</h2>", _by_verdict(of[THE_PAPER])]
    if len(of[THE_PAPER]) < len(claims):
        parts.append("<h2 id='not-counted'>Not counted</h2>")
    for kind, heading in HEADINGS.items():
        if of[kind]:
            parts += [f"<h3>{heading}</h3>", _by_verdict(of[kind], opened="")]
    return "\n".join(parts)


def _by_verdict(claims: list[tuple[str, Claim]], opened: str = FAILS) -> str:
    """A table for each verdict, folded, except for one verdict."""
    parts = []
    for verdict, (kind, mark) in MARKS.items():
        own = [(name, claim) for name, claim in claims if claim.verdict == verdict]
        if not own:
            continue
        lines = [
            f'<tr><td class="verdict {kind}">{mark} {verdict}</td><td>{escape(claim.text)}</td>'
            f'<td><a href="#{escape(name)}">{escape(name)}</a></td></tr>'
            for name, claim in own
        ]
        head = "<thead><tr><th>verdict</th><th>claim</th><th>section</th></tr></thead>"
        table = f'<table class="claims overview">{head}{"".join(lines)}</table>'
        words = f"{len(own)} {_words(verdict, len(own))}"
        parts.append(f"<details{' open' if verdict == opened else ''}><summary>{words}</summary>{table}</details>")
    return "\n".join(parts)


def claim_tables(claims: list[Claim]) -> list[str]:
    """The claims of one figure about the paper; then under headings of their own those that are not counted."""
    parts = [claim_table(published(claims))]
    for kind, heading in HEADINGS.items():
        others = [claim for claim in claims if claim.about == kind]
        if others:
            parts += [f"<h3>{heading}, not counted</h3>", claim_table(others)]
    return parts


def claim_table(claims: list[Claim]) -> str:
    """Some claims of one figure, those that do not hold first, reasons folded."""
    lines = []
    for claim in sorted(claims, key=lambda claim: list(MARKS).index(claim.verdict)):
        kind, mark = MARKS[claim.verdict]
        word = "remark" if claim.verdict == HOLDS else "reason"
        why = f"<details><summary>{word}</summary>{escape(claim.why)}</details>" if claim.why else ""
        lines.append(
            f'<tr><td class="verdict {kind}">{mark} {claim.verdict}</td><td>{escape(claim.text)}{why}</td>'
            f'<td data-name="published">{escape(claim.published)}</td>'
            f'<td data-name="measured">{escape(claim.measured)}</td></tr>'
        )
    head = "<thead><tr><th>verdict</th><th>claim</th><th>published</th><th>measured</th></tr></thead>"
    return f'<table class="claims">{head}{"".join(lines)}</table>' if lines else ""
