"""Claims of Figures 3 to 7 follow from the rows."""

from __future__ import annotations

from experiments.helpers import drawn, experiment
from experiments.sabato_kalai_2013.made_up import losses
from keyhole.experiments.runner.paper import FAILS, HOLDS, NOT_RUN


def test_claims_of_a_comparison_follow_the_rows():
    good = losses(Full=1.0, Scoring=1.1, Averages=1.2, Copies=1.3)
    bad = losses(Full=1.25, Scoring=1.1, Averages=1.2, Copies=1.3)
    for figure in ("fig3", "fig3-fragment", "fig4", "fig5"):
        claims = experiment("sabato-kalai-2013", figure).claims(good)
        assert [claim.verdict for claim in claims] == [HOLDS] * 3 + [NOT_RUN] * (figure in ("fig4", "fig5"))
        assert [claim.verdict for claim in experiment("sabato-kalai-2013", figure).claims(bad)][:3] == [
            FAILS,
            HOLDS,
            FAILS,
        ]
    for figure in ("fig6", "fig7"):
        assert [claim.verdict for claim in experiment("sabato-kalai-2013", figure).claims(good)] == [
            HOLDS,
            HOLDS,
            FAILS,
        ]
        assert [claim.verdict for claim in experiment("sabato-kalai-2013", figure).claims(bad)] == [FAILS, HOLDS, HOLDS]
    assert (
        "within two standard errors of 0"
        in experiment("sabato-kalai-2013", "fig4").claims(losses(Full=1, Scoring=1, Averages=1, Copies=1))[0].why
    )
    drawn(experiment("sabato-kalai-2013", "fig4"), [*good, {"learner": "ridge", "split": 0, "budget": 5, "loss": 0.3}])
    assert experiment("sabato-kalai-2013", "fig4").table(good)[0]["budget 5"] == "0.200 ± 0.000"
