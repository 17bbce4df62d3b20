"""Every design in every world: fitted to a simulated study, and assessed on new examples of the same world.

All designs of a world learn from the same simulated examples, the first n of them, and predict the same new ones, so
that differences between designs are known better than errors are. A world knows the expected label of each
example, so the noise of the new labels adds no error of its own.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..common.one_thread import one_thread
from ..common.progress import steps
from ..observe.attributes import Attribute
from .designs import KEYHOLE, Design
from .learners import predictions_of
from .settings import STUDIES, TEST_EXAMPLES
from .worlds.world import World


class Task(NamedTuple):
    """A world, the designs to simulate in it, and a key: the number of the world, and the total."""

    key: tuple[int, float]
    world: World
    designs: tuple[Design, ...]
    seed: int


def simulate(
    tasks: list[Task], attributes: list[Attribute], few: int, n_jobs: int | None
) -> dict[tuple[int, float], np.ndarray]:
    """Errors by the key of a task, with a progress bar where it takes long.

    They are shares of the label's variance, of shape (n_designs, 2): from all attributes and from few.
    """
    # Long tasks first, so that no core waits at the end for one that began last.
    ordered = sorted(tasks, key=lambda task: -sum(one.cost for one in task.designs))
    return dict(in_parallel(run, [(task, attributes, few) for task in ordered], n_jobs, "simulated studies"))


def in_parallel(
    function: Callable[..., Any], tasks: Sequence[tuple[Any, ...]], n_jobs: int | None, what: str
) -> Iterator[Any]:
    """What a function returns for each task, its arguments, as they end; with a progress bar where it takes long."""
    from joblib import Parallel, cpu_count, delayed, parallel_config

    jobs = min(cpu_count() if n_jobs is None or n_jobs == -1 else n_jobs, len(tasks))
    with steps(what, len(tasks)) as step, parallel_config(backend="loky", inner_max_num_threads=1):
        pool = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1, pre_dispatch=2 * jobs)
        found = (function(*one) for one in tasks) if jobs == 1 else pool(delayed(function)(*one) for one in tasks)
        for result in found:
            yield result
            step()


def run(task: Task, attributes: list[Attribute], few: int) -> tuple[tuple[int, float], np.ndarray]:
    """The key and the errors of all designs of one task.

    Warnings of learners are about simulated examples, and not shown.
    """
    rng = np.random.default_rng(task.seed)
    new = task.world.draw(TEST_EXAMPLES, rng)
    most = max(one.n_examples for one in task.designs)
    studies = [task.world.draw(most, rng) for _ in range(STUDIES)]
    noise, variance = float(new.variance.mean()), task.world.label_variance
    errors = np.empty((len(task.designs), 2))
    with one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i, design in enumerate(task.designs):
            found = []
            for study in studies[: 1 if design.learner == KEYHOLE else STUDIES]:
                if np.ptp(study.labels[: design.n_examples]) == 0:
                    found.append([variance, variance])
                    continue
                predicted = predictions_of(design, *study[:2], new.values, attributes, few, task.seed % 2**31)
                found.append([float(np.mean((some - new.expected) ** 2)) + noise for some in predicted])
            errors[i] = np.mean(found, axis=0) / variance
    return task.key, errors
