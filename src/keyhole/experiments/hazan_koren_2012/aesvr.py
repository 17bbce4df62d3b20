"""AESVR with 56 pixels per image, which Hazan and Koren 2012 describe and did not measure."""

from __future__ import annotations

import numpy as np

from ..runner.kinds import OWN_QUESTION
from ..runner.paper import Claim, Rows
from ..shared.comparing import better, final, in_words
from ..shared.mnist_grids import PRINTED
from .setting import MUCH, curve_figure


def claims(rows: Rows) -> list[Claim]:
    """The paper measured nothing here: it says that AESVR is of theoretical interest, which can be measured."""
    return [
        better(
            "AESVR is of theoretical interest: AERR, for the squared loss, is the better regression at this budget.",
            "not measured in the paper",
            ("AERR", "AESVR"),
            final(rows, "AERR"),
            final(rows, "AESVR"),
        ),
        Claim.with_verdict(
            "AESVR learns at all with 56 pixels per image.",
            "a guarantee, with a constant that grows fast as the accuracy gets finer",
            f"squared error {in_words(final(rows, 'AESVR'))}, wrong signs"
            f" {100 * np.mean(list(final(rows, 'AESVR', value='wrong').values())):.1f}%; predicting 0 has error 1",
            max(final(rows, "AESVR").values()) < 1,
        ),
    ]


AESVR = curve_figure(
    name="aesvr",
    title="Not measured in the paper: AESVR with 56 pixels per image on average",
    lines=["AESVR", f"AESVR, {PRINTED}", "AERR"],
    budget=MUCH,
    full=["ridge", "online ridge", "Lasso"],
    claims=claims,
    about="AESVR minimises a smoothed insensitive loss, and not the squared error that is shown.",
    claims_about=OWN_QUESTION,
)
