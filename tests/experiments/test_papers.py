"""Each paper's units give the rows that its table, figure and claims are made from."""

from __future__ import annotations

import json

import pytest

from keyhole.experiments import PAPERS, load_paper
from keyhole.experiments.paper import Size


@pytest.fixture(params=PAPERS)
def paper(request):
    return load_paper(request.param)


def test_an_unknown_paper_lists_the_known():
    with pytest.raises(ValueError, match=r"nobody-1999: there is no such paper; there are cesa-bianchi-2010, .*theory"):
        load_paper("nobody-1999")


def test_units_are_told_apart_and_can_be_kept(paper):
    names = [experiment.name for experiment in paper.experiments]
    assert len(set(names)) == len(names)
    for experiment in paper.experiments:
        for size in Size:
            units = experiment.units(size, 0)
            written = [json.dumps([u.function.__qualname__, u.settings], sort_keys=True) for u in units]
            assert len(set(written)) == len(written) > 0
            assert all(u.function.__qualname__.isidentifier() for u in units), "workers find units by name"
            reseeded = [json.dumps(u.settings, sort_keys=True) for u in experiment.units(size, 1)]
            assert [json.dumps(u.settings, sort_keys=True) for u in units] != reseeded
