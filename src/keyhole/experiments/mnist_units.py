"""The units of work of a figure with learning curves on MNIST, 3 against 5."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import mnist_curves as curves
from .paper import Size, Unit

PAIR = [3, 5]
FEW = 10  # pixels; with more than that Keyhole's own learner takes minutes


def curve_units(
    streaming: list[str], budget: int, full: list[str], baseline: list[str] | None = None
) -> Callable[[Size, int], list[Unit]]:
    """Streaming learners, full information and Baseline by their names; rivals and Keyhole's own go without saying."""

    def units(size: Size, seed: int) -> list[Unit]:
        n_splits, n_folds, n_prefixes = (10, 10, 7) if size == Size.full else (2, 3, 4)
        found = []
        for split in range(n_splits):
            common = {"budget": budget, "pair": PAIR, "split": split, "seed": seed}
            tuning = common | {"n_folds": n_folds, "n_prefixes": n_prefixes}
            rivals = {"names": ["complete rows", "screened panel"], **common, "lengths": n_prefixes}
            found += [
                Unit(curves.streaming, {"names": streaming, **tuning}, n_folds * (0.5 if budget < FEW else 1.5)),
                Unit(curves.full_information, {"names": full, **tuning}, n_folds),
                Unit(curves.further, rivals, 2.0),
            ]
            if baseline:
                found.append(Unit(curves.baseline, {"names": baseline, **tuning}, 0.2 * n_folds))
            found += _slow_units(common, size == Size.full)
        return found

    return units


def _slow_units(common: dict[str, Any], whole: bool) -> list[Unit]:
    """Keyhole's own learner and multiple imputation, at some shares (1 over) of the rows, and for fewer splits."""
    few, split = common["budget"] < FEW, common["split"]
    if whole:
        own_splits, own_parts = (10, [64, 16, 4, 2, 1]) if few else (3, [64, 16, 4, 1])
        imputed_splits, imputed_part = 3, 1 if few else 8
    else:
        own_splits, own_parts = 1, [4, 1] if few else [8]
        imputed_splits, imputed_part = 1, 8
    units = []
    if split < own_splits:
        for part in own_parts:
            settings = {"names": ["KeyholeRegressor"], **common, "lengths": [part]}
            units.append(Unit(curves.further, settings, (2.0 if few else 3.5) * common["budget"] / part))
    if split < imputed_splits:
        settings = {"names": ["multiple imputation"], **common, "lengths": [imputed_part]}
        units.append(Unit(curves.further, settings, 12.0 / imputed_part + 3.0))
    return units
