"""Why an order of Kukliansky and Shamir is otherwise here: where, by how much, and what speaks for a reason."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..paper import Rows
from ..rows import grouped, mean_and_error
from .comparison import UNTUNED

SIMILAR = 0.02  # of the loss of zero weights: less is not to be seen in the paper's figures
WIDTH = {"simulated": 500, "mnist": 784, "covertype": 54}


class Difference(NamedTuple):
    """Error of one learner less that of another on the same repeats: mean and standard error."""

    mean: float
    error: float

    @property
    def clear(self) -> bool:
        """Whether it is beyond two standard errors."""
        return abs(self.mean) > 2 * self.error

    def __str__(self) -> str:
        return f"{self.mean:+.3f} ± {self.error:.3f}"


def difference(rows: Rows, first: str, second: str) -> Difference:
    """Paired over the repeats that have both."""
    errors = {name: grouped([r for r in rows if r["learner"] == name], "error", "repeat") for name in (first, second)}
    both = [repeat for repeat in errors[first] if repeat in errors[second]]
    return Difference(*mean_and_error([errors[first][at][0] - errors[second][at][0] for at in both]))


def doubts(gaps: list[Difference]) -> str:
    """How many of some differences may be chance."""
    unclear = sum(not gap.clear for gap in gaps)
    return f"{unclear} of {len(gaps)} differences are within two standard errors." if unclear else ""


def strays(gaps: dict[str, Difference], most: float = 0.0) -> str:
    """The differences that should not be above so much; those within two standard errors may be chance."""
    found = {
        name: f"{name} {gap}{'' if gap.clear else ', which may be chance'}"
        for name, gap in gaps.items()
        if gap.mean > most
    }
    return f"Against this: {'; '.join(found.values())}." if found else ""


def rough_moments(rows: Rows) -> str:
    """Why the second phase may not gain."""
    seen = max(int(row["attributes"]) for row in rows)
    looks = seen / 10 / _width(rows)
    return (
        f"At most attributes, the first phase looks {looks:.3g} times at each attribute, so the moments that the second"
        " draws by are rough; and the paper tunes each phase by itself, where here both have one step and one radius."
    )


def few_rows(rows: Rows, name: str) -> str:
    """Why a full-information learner may not be best."""
    whole = max(int(row["attributes"]) for row in rows) // _width(rows)
    return f"{name} chooses its penalty by cross-validation on {whole:,} rows."


def scaled(rows: Rows, plain: str, keen: str, streamed: str) -> str:
    """How near the published learners come to an online one, which has an intercept, when they centre and scale."""
    names = [name + UNTUNED for name in (plain, f"Two-Phased {keen}")]
    means = {name: np.mean(found) for (name,), found in grouped(rows, "error", "learner").items() if name in names}
    letter = (
        f"The published learners are by the letter, without intercept or scaling, and {streamed} has an intercept, the"
        " mean of its weights, and both settings tuned."
    )
    if not means:
        return letter
    best = min(means, key=lambda name: means[name])
    gap = difference(rows, best, streamed)
    rest = "" if gap.mean <= SIMILAR else ", so this is not all of it"
    return f"{letter} With running scales {best} has {means[best]:.3f}, {gap} against {streamed}{rest}."


def _width(rows: Rows) -> int:
    return WIDTH[str(rows[0].get("data", "simulated"))]
