"""The learners and rivals, and what is recorded of one of them on one split."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import keyhole as kh
from league.protocol import FEW, Split
from league.values import TRANSFORMS, transformed


class Method(NamedTuple):
    """A learner, how it is made from a budget and a seed, and the least budget that it takes."""

    make: Callable[[int, int], Any]
    least_budget: int = 1
    within_labels: bool = False  # whether predictions are held within the range of the training labels
    values: str = "raw"  # how values are transformed before
    as_total: bool = False  # whether the budget of all rows together is given as one total; measured with 4 per row

    def is_measured_with(self, budget: int | None) -> bool:
        return budget == 4 or not self.as_total


def _ridge(budget: int, seed: int) -> Any:
    from sklearn.linear_model import RidgeCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), RidgeCV(np.logspace(-3, 6, 28)))


def _by_name(name: str, **given: Any) -> Callable[[int, int], Any]:
    home = kh.rivals if name in kh.rivals.__all__ else kh
    return lambda budget, seed: getattr(home, name)(budget, random_state=seed, **given)


OWN, OWN_TOTAL, EVERY_CELL = "KeyholeRegressor", "KeyholeRegressor-total", "RidgeCV"
# At their defaults. AESVR spends 6 draws on the derivative and takes 7 or more; it is measured with 8. Hybrid and
# Exploration need one attribute more than their sparsity. Exploitation is left out: its support must be given.
PUBLISHED = {name: Method(_by_name(name), 2) for name in ("AER", "Baseline", "AERR", "AELR", "DDAERR", "DDAELR")}
PUBLISHED |= {"AESVR": Method(_by_name("AESVR"), 8)}
PUBLISHED |= {name: Method(_by_name(name, sparsity=2), 3) for name in ("Hybrid", "Exploration")}
RIVALS = ("CompleteRows", "ScreenedPanel")


def with_values(rival: str) -> list[str]:
    """The names of a rival with each transform of the values; that of raw values is the rival's own name."""
    return [rival if values == "raw" else f"{rival}-{values}" for values in TRANSFORMS]


METHODS = {OWN: Method(_by_name(OWN)), OWN_TOTAL: Method(_by_name(OWN), as_total=True)} | PUBLISHED
for _rival in RIVALS:
    METHODS |= {
        name: Method(_by_name(_rival), within_labels=True, values=values)
        for name, values in zip(with_values(_rival), TRANSFORMS, strict=True)
    }
METHODS |= {EVERY_CELL: Method(_ridge, within_labels=True)}


def measured(name: str, split: Split, budget: int, seed: int) -> dict[str, Any]:
    """The error of a method, relative to that of the mean training label; or the message of its crash.

    A learner that takes no budget as small as this is measured with the least that it takes.
    """
    method = METHODS[name]
    used = min(max(budget, method.least_budget), split.X.shape[1])
    found: dict[str, Any] = {} if name == EVERY_CELL else {"used": used}
    wall, processor = time.perf_counter(), time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            X, X_test = transformed(method.values, split.X, split.X_test)
            learner = method.make(used, seed)
            if method.as_total:
                learner.set_params(budget=None, total=used * len(split.y))
            learner.fit(X, split.y)
            predicted = learner.predict(X_test)
            if method.within_labels:
                predicted = np.clip(predicted, split.y.min(), split.y.max())
            found["error"] = relative_error(predicted, split)
            if name == OWN:
                found |= from_few(learner, split)
    except Exception as crash:  # it is reported, and the other methods are measured all the same
        where = "" if "error" not in found else " (in the prediction from few attributes)"
        found["crash"] = f"{type(crash).__name__}: {crash}{where}"
    found["seconds"] = round(time.perf_counter() - wall, 3)
    found["processor_seconds"] = round(time.process_time() - processor, 3)
    return found


def relative_error(predicted: np.ndarray, split: Split) -> float:
    """The squared error on the test rows, relative to that of the mean training label."""
    return float(np.mean((predicted - split.y_test) ** 2) / np.mean((split.y.mean() - split.y_test) ** 2))


def from_few(learner: Any, split: Split) -> dict[str, Any]:
    """The same for predictions from the first attributes that the learner would buy for a prediction."""
    d = split.X.shape[1]
    offers = learner.next_attributes(np.full(d, np.nan), FEW)
    bought = [attribute for offer in offers for attribute in offer.attributes]
    X_test = np.full_like(split.X_test, np.nan)
    X_test[:, bought] = split.X_test[:, bought]
    return {"error_from_few": relative_error(learner.predict(X_test), split), "bought": [int(i) for i in bought]}
