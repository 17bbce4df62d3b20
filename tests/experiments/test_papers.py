"""Each paper's tasks give the rows that its table, figure and claims are made from."""

from __future__ import annotations

import json

import pytest

from keyhole.experiments import PAPERS, load_paper
from keyhole.experiments.runner.paper import Size


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
