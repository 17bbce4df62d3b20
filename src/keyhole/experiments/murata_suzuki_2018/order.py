"""Claims about order: each in the form that is printed, which is the paper's, and in the library's forms.

Printed learners are compared with printed ones, and learners with running scales with such. RDA stands for the
algorithm that the paper compares with; RDA 2018, which is printed in a later paper, has claims of its own, about
another form.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..runner.kinds import OTHER_FORM
from ..runner.paper import FAILS, HOLDS, UNEXPLAINED, Claim, Rows
from ..shared.comparing import paired
from .printed_rivals import RDA_2018
from .results import EARLIER, FORMS, PRINTED_FORM, PROPOSED, Curves, Form

RECONSTRUCTED = "RDA is a reconstruction, on raw values."


def in_forms(
    rows: Rows, make: Callable[[Curves], Claim], scales: str = "", forms: tuple[Form, ...] = FORMS
) -> list[Claim]:
    """A claim in each form. If it fails as printed alone and holds with running scales, this is said.

    ``scales`` is a sentence on the scales of the attributes, which is then given too.
    """
    printed, scaled, *others = (replace(make(curves), about=curves.form.about) for curves in map(_of(rows), forms))
    if (printed.verdict, scaled.verdict) == (FAILS, HOLDS):
        remark = printed.why.removesuffix(UNEXPLAINED).strip()
        why = sentences(remark, f"With running scales it holds: {scaled.measured}.", scales or UNEXPLAINED)
        printed = replace(printed, why=why)
    return [printed, scaled, *others]


def _of(rows: Rows) -> Callable[[Form], Curves]:
    return lambda form: Curves(rows, form)


def reconstructed(curves: Curves) -> str:
    """A sentence on what RDA is among lines as printed; empty among others."""
    return RECONSTRUCTED if curves.form == PRINTED_FORM else ""


def sentences(*parts: str) -> str:
    """Those that are not empty, in one line."""
    return " ".join(part for part in parts if part)


def order_claims(rows: Rows, where: str, remark: str = "", scales: str = "") -> list[Claim]:
    """Which learner ends below which, as printed, with running scales, and untuned."""

    def below(rivals: tuple[str, ...], words: str, published: str, curves: Curves) -> Claim:
        worst = max(PROPOSED, key=curves.mean)
        difference, doubt = paired(curves.at(worst), curves.at(curves.best(*rivals)))
        return Claim.with_verdict(
            f"{where}, {curves.form.words}: Hybrid and Exploration end below {words}",
            published,
            curves.words(*PROPOSED, *rivals),
            difference < 0,
            sentences(remark, reconstructed(curves) if rivals == EARLIER else "", doubt),
        )

    def boosted(curves: Curves) -> Claim:
        difference, doubt = paired(curves.at("Hybrid"), curves.at("Exploration"))
        return Claim.with_verdict(
            f"{where}, {curves.form.words}: Hybrid ends below Exploration",
            "below",
            curves.words(*PROPOSED),
            difference < 0,
            sentences(remark, doubt),
        )

    return [
        *in_forms(rows, lambda curves: below(EARLIER, "RDA and Dantzig", "both below both", curves), scales),
        *in_forms(rows, boosted, scales),
        *(
            replace(claim, about=OTHER_FORM)
            for claim in in_forms(
                rows, lambda curves: below((RDA_2018,), "RDA 2018", "not in the paper", curves), scales
            )
        ),
    ]
