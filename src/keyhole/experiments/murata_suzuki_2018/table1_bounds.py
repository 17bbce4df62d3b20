"""What Table 1 of Murata and Suzuki 2018 says of each learner: its bound, what the bound is about, and if it is that.

The bounds of Hybrid and Exploration are on the expected risk of their final weights. Those of Dantzig (Kale et al.
2017) and RDA (Ito et al. 2017) are on regret, by the column "Objective type" of the table: on what is lost along the
stream.
"""

from __future__ import annotations

import numpy as np

from ..runner.kinds import OTHER_FORM, THE_PAPER
from ..runner.paper import Rows
from .by_the_letter import PRINTED
from .printed_rivals import DANTZIG_AS_PRINTED, RDA, RDA_2018
from .slopes import BASE, EXCESS, REGRET, examples_needed, swept

PROPOSED = (*PRINTED, "Hybrid", "Exploration")
WITH_REGRET = (RDA, RDA_2018, DANTZIG_AS_PRINTED)
LEARNERS = (*PROPOSED, *WITH_REGRET)
CONFIDENCE = 0.05  # the delta of Dantzig's bound
# The constant of Dantzig's constraint, for which its paper gives no value: its theorem supposes one with which the true
# weights meet the constraint. At the doublings from 1,024 to 32,768 examples, in one run each with 50, 100 and 200
# attributes, this took between 0.28 and 0.52 (once above 0.5); the library's default is 0.05.
CONSTANT = 0.5
RATES = {**dict.fromkeys(PROPOSED, 1.0), RDA: 0.5, RDA_2018: 0.5, DANTZIG_AS_PRINTED: 1.0}
POWERS_OF_D = {**dict.fromkeys(PROPOSED, 1), RDA: 2, RDA_2018: 2, DANTZIG_AS_PRINTED: 3}
ABOUT = {one: THE_PAPER if one in (*PRINTED, DANTZIG_AS_PRINTED, RDA) else OTHER_FORM for one in LEARNERS}
# Why nothing that these do says anything about the bound beside them.
ANOTHER = {
    RDA: "A reconstruction: the text of Ito et al. 2017 was not available, and this algorithm may differ from theirs,"
    " so that nothing follows about their bound.",
    RDA_2018: "Table 1 is about the algorithms of Ito et al. 2017; this one was printed in 2018, and its own bound was"
    " not in the text that was available.",
}


def measured_by(learner: str) -> str:
    """What the bound of a learner is about: the excess of its final weights, or its mean regret."""
    return REGRET if learner in WITH_REGRET else EXCESS


def hidden_logarithms(n: float, d: float) -> float:
    """What the bound on Dantzig's regret hides besides its constant: the logarithms of n examples and d attributes.

    Up to a constant, the excess is at most the squared right side of the constraint of the last linear program, and at
    most that of zero weights. The sum of this over the stream is divided by the powers of d that Table 1 shows.
    """
    t = 2.0 ** np.arange(int(np.log2(n)) + 1)  # a program is solved when the number of examples has doubled
    powers = d * (BASE["noise"] + d / BASE["room"]) ** 2
    squared = CONSTANT**2 * powers * np.log(t * d / CONFIDENCE) / (t * BASE["room"])
    return float((np.minimum(2 * t, n) - t) @ np.minimum(squared, 1.0)) / powers


def needed_by(rows: Rows, learner: str, name: str) -> dict[float, list[float]]:
    """The examples that each run of a learner needed, for the values of one quantity."""
    return examples_needed(swept(rows, learner, name), name, measured_by(learner))


def hidden_power(needed: dict[float, list[float]], learner: str) -> float:
    """The power of d that the hidden logarithms of a bound look like."""
    d = np.array(list(needed))
    factor = np.log(d / BASE["sparsity"])
    if measured_by(learner) == REGRET:
        factor = np.array([hidden_logarithms(float(np.mean(found)), value) for value, found in needed.items()])
    return float(np.polyfit(np.log(d), np.log(factor), 1)[0])
