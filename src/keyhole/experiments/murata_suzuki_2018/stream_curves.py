"""Errors along a stream of examples: the data, the learners and the tasks of Murata and Suzuki's figures.

The sparse learners run once over a stream and are measured on the way; learners that are fitted at once (rivals, those
with every cell) are fitted to the first examples of the same stream.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ... import Dantzig, DualAveraging, Exploration, Hybrid
from ...datasets import MurataSuzuki, blogfeedback, ct_slices, murata_suzuki
from ...sparse.schedule import first_batch
from ..runner.paper import Row, Rows
from ..shared.reference_lines import OWN, budgeted, fully_informed
from .by_the_letter import PRINTED, printed_learner, smoothness
from .printed_rivals import PRINTED_RIVALS, RDA, RDA_2018, printed_rival

DEFAULTS = "defaults"
SYNTHETIC, CT, BLOG = "synthetic", "CT slices", "BlogFeedback"
RDA_L1 = "RDA with l1"
VARIANTS = {RDA_2018: 1, RDA: 2, RDA_L1: 3}
FULL_INFORMATION = "full information"


class Split(NamedTuple):
    """Examples to learn from, in the order of the stream, and examples to test on; the stream if they are synthetic."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    stream: MurataSuzuki | None = None


def split_of(data: str, seed: int, n: int = 100_000) -> Split:
    """A random split of a data set: nine tenths and one tenth, as in the paper.

    BlogFeedback comes with later posts to test on, which are kept; there only the order of the others is random.
    ``n`` is the number of synthetic examples.
    """
    if data == SYNTHETIC:
        stream, start = murata_suzuki(n, random_state=seed), n - n // 10
        return Split(stream.table(0, start), stream.labels(0, start), stream.table(start), stream.labels(start), stream)
    rng = np.random.default_rng(seed)
    if data == BLOG:
        posts = blogfeedback()
        order = rng.permutation(len(posts.y))
        return Split(posts.X[order], posts.y[order], posts.X_test, posts.y_test)
    slices = ct_slices()
    test, train = np.split(rng.permutation(len(slices.y)), [len(slices.y) // 10])
    return Split(slices.X[train], slices.y[train], slices.X[test], slices.y[test])


def sparse_learner(name: str, budget: int, sparsity: int, d: int, seed: int, **settings: Any) -> Any:
    """A sparse learner by its name in the paper; ``batch`` is a multiple of the default first batch.

    "RDA" is the reconstruction of what the paper compares with, "RDA with l1" that of another algorithm beside it, and
    "RDA 2018" the algorithm that a later paper prints.
    """
    if "batch" in settings:
        batch = round(settings.pop("batch") * first_batch(d, sparsity))
        settings["batch_size" if name == "Exploration" else "explore_batch"] = batch
    settings = {"shrink_to_mean": False, **settings}  # the published learners return their weights as they are
    if name in VARIANTS:
        return DualAveraging(budget, sparsity, VARIANTS[name], random_state=seed, **settings)
    kinds = {"Hybrid": Hybrid, "Exploration": Exploration, "Dantzig": Dantzig}
    return kinds[name](budget, sparsity, random_state=seed, **settings)


def published_curve(
    data: str,
    learner: str,
    grid: list[dict[str, Any]],
    budget: int,
    sparsity: int,
    stops: list[int],
    seed: int,
    n: int = 100_000,
) -> Rows:
    """Task: a sparse learner under each setting of a grid, measured along one stream and at its end.

    Where a step is so large that weights grow until predictions overflow, the error is infinite from there on.
    """
    split, rows = split_of(data, seed, n), []
    L = smoothness(split.X) if learner in PRINTED else 0.0
    noise = split.stream.noise if split.stream else float(np.std(split.y))  # of the labels, where it is not known
    stops = [stop for stop in stops if stop < len(split.y)] + [len(split.y)]
    for settings in grid:
        if learner in PRINTED:
            fitted = printed_learner(learner, budget, sparsity, L, len(split.y), **settings)
        elif learner in PRINTED_RIVALS:
            fitted = printed_rival(learner, budget, sparsity, noise, seed, **settings)
        else:
            fitted = sparse_learner(learner, budget, sparsity, split.X.shape[1], seed, **settings)
        words = ", ".join(f"{name} {value:g}" for name, value in settings.items()) or DEFAULTS
        missing = list(stops)
        try:
            for stop in along([fitted], stops, lambda low, high: (split.X[low:high], split.y[low:high])):
                rows.append(_measured(fitted, split, learner, words, seed, stop))
                missing.remove(stop)
        except ValueError as error:
            if "overflow" not in str(error):
                raise
            rows += [_diverged(split, learner, words, seed, stop, sparsity) for stop in missing]
    return rows


def _diverged(split: Split, learner: str, settings: str, seed: int, stop: int, sparsity: int) -> Row:
    row: Row = {"learner": learner, "settings": settings, "split": seed, "examples": stop}
    row |= {"error": np.inf, "for a prediction": sparsity}
    return row if split.stream is None else row | {"excess": np.inf, "of the true attributes": 0}


def reference_curve(
    data: str, learner: str, budget: int, stop: int, seed: int, n: int = 100_000, n_folds: int = 10
) -> Rows:
    """Task: a rival, Keyhole's own learner, or all learners with every cell, fitted to the first ``stop`` examples."""
    split = split_of(data, seed, n)
    X, y = split.X[:stop], split.y[:stop]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # there are few examples at the first stops, as the curve shows
        full = learner == FULL_INFORMATION
        fits = fully_informed(X, y, seed, n_folds) if full else {learner: budgeted(learner, budget, seed).fit(X, y)}
        return [_measured(fitted, split, name, DEFAULTS, seed, len(y)) for name, fitted in fits.items()]


def along(learners: list[Any], stops: list[int], examples: Any, chunk: int = 20_000) -> Iterator[int]:
    """Let learners learn from the examples up to each stop, in chunks, so that a stream is never held in memory."""
    start = 0
    for stop in stops:
        for low in range(start, stop, chunk):
            X, y = examples(low, min(low + chunk, stop))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of steps that were halved, whose effect the curve shows
                for learner in learners:
                    learner.partial_fit(X, y)
        start = stop
        yield stop


def _measured(fitted: Any, split: Split, learner: str, settings: str, seed: int, stop: int) -> Row:
    """The test error; for synthetic data also the exact excess, without the noise of test rows.

    Keyhole's own learner maps values, so no weights give its predictions, and its excess is that on the test rows.
    """
    d, predicted = split.X.shape[1], fitted.predict(split.X_test)
    answers = fitted.predict(np.vstack([np.zeros(d), np.eye(d)]))
    coef, intercept = answers[1:] - answers[0], float(answers[0])
    row: Row = {
        "learner": learner,
        "settings": settings,
        "split": seed,
        "examples": stop,
        "error": float(np.mean((predicted - split.y_test) ** 2)),
        "for a prediction": int(np.count_nonzero(coef)),
    }
    if split.stream is not None:
        on_rows = float(np.mean((predicted - split.X_test @ split.stream.coef) ** 2))
        row["excess"] = on_rows if learner == OWN else split.stream.excess(coef, intercept)
        row["of the true attributes"] = int(np.count_nonzero(coef[split.stream.coef != 0]))
    return row
