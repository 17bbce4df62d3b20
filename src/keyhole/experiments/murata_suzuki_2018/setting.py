"""What both figures have in common: where curves are measured, the tasks of a figure, and how they are run."""

from __future__ import annotations

from collections.abc import Callable

from ..runner.paper import Size, Task
from ..shared.protocol import draw_seed
from ..shared.reference_lines import IMPUTATION, OWN
from .by_the_letter import AS_PRINTED
from .grids import grids_of
from .stream_curves import FULL_INFORMATION, published_curve, reference_curve

HOW = (
    f" The lines{AS_PRINTED} follow the papers exactly: raw values without an intercept, and for Hybrid and Exploration"
    " a constant step, given batches, contiguous blocks, and no step that is made again. RDA, the algorithm that the"
    " paper compares with, is a reconstruction, since the text of Ito et al. 2017 was not available; its line on raw"
    " values is what printed lines are compared with. RDA 2018 is an algorithm that a later paper prints: it decides no"
    " claim about RDA. Dantzig as printed is given the standard deviation of the noise on the synthetic data, and that"
    " of the labels elsewhere. The lines with running scales standardise by revealed cells and choose what is not"
    " given. Settings were chosen by the error on the test examples, as in the paper, and the table says where the"
    " chosen one is the smallest or the largest that was tried; untuned lines have default settings, and those of"
    " Hybrid and Exploration were chosen with knowledge of test errors on the synthetic data and on BlogFeedback, so"
    " these are no independent test. The other"
    " rivals spend the same budget: complete rows and multiple imputation predict from all attributes, the screened"
    " panel from as many as the budget. Ridge and Lasso have every cell. KeyholeRegressor and multiple imputation,"
    " which work on all revealed cells at once and are slow, stop at 20,000 and 5,000 examples, in a quick run at"
    " 1,000 and 500. A"
    " quick run has fewer examples and splits. Bars are standard errors over splits; errors above the axes are written"
    " at their upper edge and are in the table."
)
STOPS = [1000, 2000, 5000, 10_000, 15_000, 20_000, 30_000, 40_000, 50_000, 60_000, 70_000, 80_000]
QUICK_STOPS = [1000, 2000, 5000, 10_000, 20_000, 30_000]
# Keyhole's own learner and imputation work on all revealed cells at once, which is slow, so they stop early.
REFERENCE_STOPS = {
    OWN: [1000, 5000, 20_000],
    IMPUTATION: [1000, 5000],
    "complete rows": [1000, 5000, 20_000, 90_000],
    "screened panel": [1000, 5000, 20_000, 90_000],
    FULL_INFORMATION: [1000, 5000, 20_000, 90_000],
}
QUICK_REFERENCE_STOPS = {
    OWN: [1000],
    IMPUTATION: [500],
    "complete rows": [1000, 20_000],
    "screened panel": [1000, 20_000],
    FULL_INFORMATION: [1000, 5000],
}
# Seconds for a thousand examples, approximately.
SLOWNESS = {OWN: 20.0, IMPUTATION: 5.0, "complete rows": 0.1, "screened panel": 0.1, FULL_INFORMATION: 1.0}


def curve_tasks(data: str, budget: int, sparsity: int) -> Callable[[Size, int], list[Task]]:
    """The tasks of a figure, each learner on each split; KeyholeRegressor, which is slow, has one in a quick run."""

    def tasks(size: Size, seed: int) -> list[Task]:
        quick, made = size == Size.quick, []
        grids, stops = grids_of(data, quick), QUICK_STOPS if quick else STOPS
        for split in range(2 if quick else 5):
            shared = {"data": data, "budget": budget, "seed": draw_seed(seed, split), "n": 50_000 if quick else 100_000}
            for learner, grid in grids.items():
                settings = {**shared, "learner": learner, "grid": grid, "sparsity": sparsity, "stops": stops}
                made.append(Task(published_curve, settings, cost=2.0 * len(grid)))
            for learner, at in (QUICK_REFERENCE_STOPS if quick else REFERENCE_STOPS).items():
                for stop in at if split == 0 or not (quick and learner == OWN) else []:
                    settings = {**shared, "learner": learner, "stop": stop, "n_folds": 3 if quick else 10}
                    made.append(Task(reference_curve, settings, cost=1.0 + SLOWNESS[learner] * stop / 1000))
        return made

    return tasks
