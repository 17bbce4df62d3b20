"""Claims about all labels follow from the rows."""

from __future__ import annotations

from experiments.helpers import drawn, experiment
from experiments.sabato_kalai_2013.made_up import losses
from keyhole.experiments.runner.paper import FAILS, HOLDS


def test_claims_over_all_labels_follow_the_rows():
    good = losses(Full=1.0, Scoring=1.1, Averages=1.2, Copies=1.3)
    bad = losses(Full=1.25, Scoring=1.1, Averages=1.2, Copies=1.3)
    assert {claim.verdict for claim in experiment("sabato-kalai-2013", "fig4-all-labels").claims(good)} == {HOLDS}
    mixed = [row for row in good if row["label"] == "age"] + [row for row in bad if row["label"] == "weight"]
    claim = experiment("sabato-kalai-2013", "fig4-all-labels").claims(mixed)[0]
    assert claim.verdict == FAILS
    assert claim.measured == "for 1 of 2 labels; not for weight"
    drawn(experiment("sabato-kalai-2013", "fig4-all-labels"), good)
