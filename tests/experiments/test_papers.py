"""Each paper's tasks give the rows that its table, figure and claims are made from."""

from __future__ import annotations

import json

import pytest

from keyhole.experiments import PAPERS, load_paper
from keyhole.experiments.runner.kinds import KINDS, THE_PAPER
from keyhole.experiments.runner.paper import Size
from keyhole.experiments.runner.report import claims_of
from keyhole.experiments.runner.running import Outcome


@pytest.fixture(params=PAPERS)
def paper(request):
    return load_paper(request.param)


def test_an_unknown_paper_lists_the_known():
    with pytest.raises(
        ValueError, match=r"nobody-1999: there is no such paper; there are 'cesa-bianchi-2010', .*'theory'"
    ):
        load_paper("nobody-1999")


def test_tasks_have_different_names_and_can_be_written(paper):
    names = [experiment.name for experiment in paper.experiments]
    assert len(set(names)) == len(names)
    for experiment in paper.experiments:
        for size in Size:
            tasks = experiment.tasks(size, 0)
            written = [json.dumps([task.function.__qualname__, task.settings], sort_keys=True) for task in tasks]
            assert len(set(written)) == len(written) > 0
            assert all(task.function.__qualname__.isidentifier() for task in tasks), "workers find tasks by name"
            reseeded = [json.dumps(task.settings, sort_keys=True) for task in experiment.tasks(size, 1)]
            assert [json.dumps(task.settings, sort_keys=True) for task in tasks] != reseeded


def test_each_paper_has_claims_about_the_paper_though_nothing_was_run(paper):
    absent = [claims_of(Outcome(experiment, {}, why_not="not run yet")) for experiment in paper.experiments]
    kinds = [claim.about for claims in absent for claim in claims]
    assert THE_PAPER in kinds
    assert set(kinds) <= set(KINDS)


@pytest.mark.parametrize(
    ("paper", "own"),
    [
        ("cesa-bianchi-2010", {"lasso-path"}),
        ("hazan-koren-2012", {"aesvr", "online-lasso", "tuning"}),
        ("kukliansky-shamir-2015", {"covertype-ridge", "covertype-lasso", "lasso-solvers"}),
        ("murata-suzuki-2018", set()),
        ("sabato-kalai-2013", {"fig4-all-labels", "fig4-estimates"}),
        ("theory", {"sparse"}),
    ],
    indirect=["paper"],
)
def test_experiments_that_judge_no_statement_of_the_paper(paper, own):
    assert {experiment.name for experiment in paper.experiments if experiment.claims_about != THE_PAPER} == own
