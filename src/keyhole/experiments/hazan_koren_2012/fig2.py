"""Figure 2 of Hazan and Koren 2012: AERR, AER and ridge with 56 pixels per image."""

from __future__ import annotations

from ..runner.paper import Claim, Rows
from ..shared.comparing import better, final
from ..shared.mnist_grids import EVEN, PRINTED
from .setting import MUCH, below_aer, curve_figure


def claims(rows: Rows) -> list[Claim]:
    """AERR against AER, and against ridge with every cell."""
    return [
        *below_aer("AERR", rows),
        better(
            "With all cells of as many examples ridge is better than AERR, as printed.",
            "ridge ends lower",
            ("ridge", "AERR"),
            final(rows, "ridge"),
            final(rows, f"AERR, {PRINTED}"),
        ),
    ]


FIG2 = curve_figure(
    name="fig2",
    title="Figure 2: AERR, AER and ridge with 56 pixels per image",
    lines=["AERR", f"AERR, {PRINTED}", f"AERR, {EVEN}", "AER", f"AER, {PRINTED}"],
    budget=MUCH,
    full=["ridge", "online ridge", "Lasso"],
    claims=claims,
)
