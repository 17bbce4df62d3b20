"""A run of the fake paper with its report."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from experiments.fake_paper import new_paper
from keyhole.experiments.runner.paper import Size
from keyhole.experiments.runner.report import write_report
from keyhole.experiments.runner.running import run_paper
from keyhole.experiments.runner.store import Store


@pytest.fixture
def reproduce(tmp_path):
    """Runs the fake paper; gives its folder, and its claims by experiment."""

    def run(subfolder: str = "out", seed: int = 0, redraw: bool = False, only=(), partial: bool = False, **paper):
        store = Store(tmp_path / subfolder / "fake-2026", Size.quick, seed, redraw)
        made = new_paper(**paper)
        outcomes = run_paper(made, store, 1, list(only), Console(file=io.StringIO()), partial)
        return store.folder, write_report(made, store, outcomes)

    return run
