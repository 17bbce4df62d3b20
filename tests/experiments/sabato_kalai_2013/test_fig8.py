"""Claims of Figure 8 follow from the rows, and panels have the colours of their methods."""

from __future__ import annotations

from experiments.helpers import drawn, experiment
from keyhole.common.style import learner_colour
from keyhole.experiments.runner.paper import FAILS, HOLDS
from keyhole.experiments.sabato_kalai_2013 import fig8


def test_claims_of_the_tradeoff_follow_the_rows():
    def rows(best: int) -> list[dict]:
        return [
            {"learner": name, "total": total, "k": k, "objects": 9, "loss": 0.3 + 0.1 * abs(k - best), "seed": seed}
            for name in ("Full", "Scoring") for total in (1, 2, 3) for k in fig8.K for seed in range(2)
        ]  # fmt: skip

    assert {claim.verdict for claim in experiment("sabato-kalai-2013", "fig8").claims(rows(2))} == {HOLDS}
    assert {claim.verdict for claim in experiment("sabato-kalai-2013", "fig8").claims(rows(6))} == {FAILS}
    figure = drawn(experiment("sabato-kalai-2013", "fig8"), rows(3))
    for axes, name in zip(figure.axes, ("Full", "Scoring"), strict=True):
        assert {line.get_color() for line in axes.lines} == {learner_colour(name)}
    assert experiment("sabato-kalai-2013", "fig8").table(rows(3))[0]["k = 3"] == "0.300 ± 0.000"
