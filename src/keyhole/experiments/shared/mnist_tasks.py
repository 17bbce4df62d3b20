"""The tasks of a figure with learning curves on MNIST, 3 against 5."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..runner.paper import Size, Task
from . import mnist_curves as curves

PAIR = [3, 5]
FEW = 10  # pixels; with more than this Keyhole's own learner takes minutes


def curve_tasks(
    streaming: list[str], budget: int, full: list[str], baseline: list[str] | None = None
) -> Callable[[Size, int], list[Task]]:
    """The tasks of a figure, as a function of the size and the seed of a run.

    Streaming learners, learners with every cell and forms of Baseline are given by their names; reference lines are
    added to each figure.
    """

    def tasks(size: Size, seed: int) -> list[Task]:
        n_splits, n_folds, n_prefixes = (10, 10, 7) if size == Size.full else (2, 3, 4)
        found = []
        for split in range(n_splits):
            common = {"budget": budget, "pair": PAIR, "split": split, "seed": seed}
            tuning = common | {"n_folds": n_folds, "n_prefixes": n_prefixes}
            rivals = {"names": ["complete rows", "screened panel"], **common, "lengths": n_prefixes}
            found += [
                Task(curves.streaming, {"names": streaming, **tuning}, n_folds * (0.5 if budget < FEW else 1.5)),
                Task(curves.full_information, {"names": full, **tuning}, n_folds),
                Task(curves.reference_lines, rivals, 2.0),
            ]
            if baseline:
                found.append(Task(curves.baseline, {"names": baseline, **tuning}, 0.2 * n_folds))
            found += _slow_tasks(common, size == Size.full)
        return found

    return tasks


def _slow_tasks(common: dict[str, Any], whole: bool) -> list[Task]:
    """Keyhole's own learner and multiple imputation, on parts of the rows (1 over a whole number) and fewer splits."""
    few, split = common["budget"] < FEW, common["split"]
    if whole:
        own_splits, own_parts = (10, [64, 16, 4, 2, 1]) if few else (3, [64, 16, 4, 1])
        imputed_splits, imputed_part = 3, 1 if few else 8
    else:
        own_splits, own_parts = 1, [4, 1] if few else [8]
        imputed_splits, imputed_part = 1, 8
    tasks = []
    if split < own_splits:
        for part in own_parts:
            settings = {"names": ["KeyholeRegressor"], **common, "lengths": [part]}
            tasks.append(Task(curves.reference_lines, settings, (2.0 if few else 3.5) * common["budget"] / part))
    if split < imputed_splits:
        settings = {"names": ["multiple imputation"], **common, "lengths": [imputed_part]}
        tasks.append(Task(curves.reference_lines, settings, 12.0 / imputed_part + 3.0))
    return tasks
