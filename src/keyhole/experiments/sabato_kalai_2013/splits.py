"""Random splits of faces and CT slices: repeats are chosen on some objects, and losses measured on the others."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from ...datasets import CTSlices, FaceJudgments, ct_slices, face_judgments
from ...datasets.ct_slices import load_ct_slices, simulated_judgments
from ...datasets.files import find_file
from ...judgments import Judgments, MultiSelector
from ...judgments.assess.measured_loss import measured_loss, shuffled
from ...judgments.assess.validation import repeats_within
from ...judgments.core.methods import METHODS
from ..runner.paper import Row, Rows
from ..shared.reference_lines import budgeted, fully_informed

JUDGMENTS_EACH = 2  # judgments of each attribute that the choice is made from, as in the paper
FACES, CT, CT_FRAGMENT = "faces", "CT slices", "CT fragment"
MOST_SLICES, DEPTH = 6_000, 80  # of the full CT set at a time, for memory; simulated judgments of each cell


class Parts(NamedTuple):
    """Objects to learn from and others to test on, with their labels; losses are relative to the label's variance."""

    seen: Judgments
    y: np.ndarray
    unseen: Judgments
    y_unseen: np.ndarray
    variance: float


def ct_fragment() -> CTSlices:
    """The first slices of the CT set, for where the full set is not available."""
    what = "an .npz file with X (slices, 384), y and patient of the first slices of the CT set"
    return load_ct_slices(find_file("ct_slice_fragment.npz", what))


def some_slices(data: str, rng: np.random.Generator) -> CTSlices:
    """The fragment, or as many slices of the full set as fit into memory, at random."""
    if data == CT_FRAGMENT:
        return ct_fragment()
    slices = ct_slices()
    chosen = rng.permutation(len(slices.y))[:MOST_SLICES]
    return CTSlices(*(column[chosen] for column in slices))


def random_parts(data: str, split: int, n_train: int = 0, label: str = "") -> Parts:
    """A random split of faces or slices; ``n_train`` 0 is half."""
    rng = np.random.default_rng(split)
    if data == FACES:
        faces = face_judgments()
        return face_parts(faces, label, n_train or len(faces.judgments) // 2, rng)
    slices = some_slices(data, rng)
    return slice_parts(slices, n_train or len(slices.y) // 2, DEPTH, rng)


def face_parts(faces: FaceJudgments, label: str, n_train: int, rng: np.random.Generator) -> Parts:
    """Predict the mean of all judgments of one attribute from judgments of the others, in random order."""
    names = faces.attributes
    mixed = shuffled(Judgments(faces.judgments, [str(face) for face in range(len(faces.judgments))], names), rng)
    y = faces.judgments[:, names.index(label)].mean(axis=1)
    others = [name for name in names if name != label]
    return _parts(np.delete(mixed.values, names.index(label), axis=1), others, y, n_train, rng)


def slice_parts(slices: CTSlices, n_train: int, depth: int, rng: np.random.Generator) -> Parts:
    """The paper's simulation: 8 adjacent bins are an attribute, and a judgment is one of them; predict the location."""
    values = simulated_judgments(slices.X, depth, rng)
    names = [f"bins {8 * a} to {8 * a + 7}" for a in range(values.shape[1])]
    return _parts(values, names, slices.y, n_train, rng)


def _parts(values: np.ndarray, names: list[str], y: np.ndarray, n_train: int, rng: np.random.Generator) -> Parts:
    table = Judgments(values, [str(at) for at in range(len(values))], names)
    train, test = np.split(rng.permutation(len(y)), [n_train])
    return Parts(table.keep_objects(train), y[train], table.keep_objects(test), y[test], float(y.var()))


def method_losses(parts: Parts, budgets: Sequence[int]) -> Rows:
    """Test loss of each method and budget: repeats chosen from two judgments of each, least squares on the chosen."""
    rows: Rows = []
    with threadpool_limits(1):
        for method in METHODS:
            for budget, repeats in zip(budgets, chosen_repeats(parts, method, budgets), strict=True):
                row: Row = {"learner": method.capitalize(), "budget": budget, "loss": loss_of(parts, repeats)}
                rows.append(row | {"attributes": int(np.count_nonzero(repeats)), "most repeats": int(repeats.max())})
    return rows


def chosen_repeats(parts: Parts, method: str, budgets: Sequence[int]) -> list[np.ndarray]:
    """The repeats for each budget, as printed, of no more judgments than there are.

    With unit costs, those for a smaller budget are the first purchases of a larger one.
    """
    selector = MultiSelector.as_printed(max(budgets), method=method, max_repeats=parts.seen.values.shape[2])
    selector.fit_arrays(parts.seen.first(JUDGMENTS_EACH), parts.y)
    return [repeats_within(selector, budget) for budget in budgets]


def loss_of(parts: Parts, repeats: np.ndarray, aggregate: str = "mean") -> float:
    """The test loss of least squares on so many judgments of each attribute."""
    return measured_loss(parts.seen, parts.y, parts.unseen, parts.y_unseen, repeats, aggregate) / parts.variance


def reference_losses(parts: Parts, learner: str, budgets: Sequence[int], seed: int) -> Rows:
    """The test loss of a learner that takes each of two judgments of an attribute as an attribute of its own."""
    X, X_test = (
        table.first(JUDGMENTS_EACH).values.reshape(len(table.objects), -1) for table in (parts.seen, parts.unseen)
    )
    rows: Rows = []
    for budget in budgets:
        with warnings.catch_warnings(), threadpool_limits(1):
            warnings.simplefilter("ignore")  # of few whole rows for a small budget, as the curve shows
            predicted = budgeted(learner, min(budget, X.shape[1]), seed).fit(X, parts.y).predict(X_test)
        rows.append({"learner": learner, "budget": budget, "loss": _loss(parts, predicted)})
    return rows


def full_information_losses(parts: Parts, budgets: Sequence[int], seed: int, n_folds: int) -> Rows:
    """The test loss of ridge and Lasso on the means of two judgments of every attribute, whatever the budget."""
    X, X_test = (table.first(JUDGMENTS_EACH).values.mean(axis=2) for table in (parts.seen, parts.unseen))
    with threadpool_limits(1):
        models = fully_informed(X, parts.y, seed, n_folds)
    losses = {name: _loss(parts, model.predict(X_test)) for name, model in models.items()}
    return [{"learner": name, "budget": budget, "loss": losses[name]} for name in losses for budget in budgets]


def _loss(parts: Parts, predicted: np.ndarray) -> float:
    return float(np.mean((predicted - parts.y_unseen) ** 2)) / parts.variance
