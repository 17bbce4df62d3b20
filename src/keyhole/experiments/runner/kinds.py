"""What a claim is about: only claims about the paper are counted, and all others are listed below them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...common.wording import counted

if TYPE_CHECKING:
    from .paper import Claim

# A statement of the paper, judged on the learner as printed, with data and a protocol as near to the paper's as there
# is.
THE_PAPER = "the paper"
# The same statement of another form of a learner: even draws, running scales, a clipped matrix, the library's default.
OTHER_FORM = "another form"
# An exploration or a comparison that the paper does not make.
OWN_QUESTION = "Keyhole's own question"
KINDS = (THE_PAPER, OTHER_FORM, OWN_QUESTION)
HEADINGS = {OTHER_FORM: "Other forms", OWN_QUESTION: "Keyhole's own questions"}  # of what is not counted


def published(claims: Iterable[Claim]) -> list[Claim]:
    """The claims that are about the paper, which are counted."""
    return [claim for claim in claims if claim.about == THE_PAPER]


def not_counted(kinds: Iterable[str]) -> str:
    """How many claims are about something else than the paper, in words; empty if there are none.

    >>> not_counted(["the paper", "another form", "another form", "Keyhole's own question"])
    "2 claims about other forms and 1 question of Keyhole's own"
    """
    all_kinds = list(kinds)
    forms, own = all_kinds.count(OTHER_FORM), all_kinds.count(OWN_QUESTION)
    words = [f"{counted(forms, 'claim')} about other forms"] if forms else []
    return " and ".join([*words, *([f"{counted(own, 'question')} of Keyhole's own"] if own else [])])
