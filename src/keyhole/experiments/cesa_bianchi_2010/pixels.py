"""What may be done to pixels before a learner sees them, and the pairs of digits that experiments run on.

The paper does not say how its pixels were prepared. What is computed from the table (means, and which pixels are
constant) is computed from all cells of the training rows, which a learner under a budget could not see: these forms are
here to find out what was published, not to be used.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from ..runner.paper import Row, Rows, Size
from ..shared.protocol import Split
from .setting import PAIR

RAW, DROPPED, CENTRED = "raw", "constant pixels dropped", "centred"
BOTH = "centred, constant pixels dropped"
BINARISED, INK, UNIT_NORM = "1 where above a half", "1 where not 0", "unit norm"

EVERY_PAIR = [list(pair) for pair in itertools.combinations(range(10), 2)]
TEN_MORE = [pair for pair in EVERY_PAIR[1::4] if pair != PAIR][:10]


def pairs_of(size: Size) -> list[list[int]]:
    """All 45 pairs, or in a quick run six of them."""
    return EVERY_PAIR if size == Size.full else [*EVERY_PAIR[4::10], PAIR]


def name_of(pair: list[int]) -> str:
    """A pair as tables show it."""
    return f"{pair[0]} vs {pair[1]}"


def splits_in_words(rows: Rows) -> str:
    """How many splits of which pairs the rows are of, for the report of an experiment that was run in part.

    Treatments of the pixels are named where they were not run on the same splits.

    >>> splits_in_words([{"pair": "3 vs 5", "split": at} for at in (0, 1)] + [{"pair": "0 vs 2", "split": 0}])
    '2 splits of 3 vs 5; 1 split of 0 vs 2'
    """
    splits: dict[str, dict[str, set[int]]] = {}
    for row in rows:
        of_pixels = splits.setdefault(str(row.get("pixels", "")), {})
        of_pixels.setdefault(str(row["pair"]), set()).add(int(row["split"]))
    words: dict[str, list[str]] = {}
    for pixels, of_pixels in splits.items():
        words.setdefault(_of_treatment(of_pixels), []).append(pixels)
    if len(words) == 1:
        return next(iter(words))
    return "; ".join(f"pixels {', or '.join(pixels)}: {splits_of}" for splits_of, pixels in words.items())


def _of_treatment(splits: dict[str, set[int]]) -> str:
    pairs: dict[int, list[str]] = {}
    for pair, own in splits.items():
        pairs.setdefault(len(own), []).append(pair)
    most_first = sorted(pairs.items(), reverse=True)
    return "; ".join(f"{number} split{'s' * (number > 1)} of {_named(names)}" for number, names in most_first)


def _named(names: list[str]) -> str:
    return f"all {len(names)} pairs" if len(names) == len(EVERY_PAIR) else ", ".join(names)


def development_and_others(values: dict[str, float]) -> Row:
    """The value of 3 against 5, on which learners and grids were developed, and the median of all other pairs.

    The other pairs are nearly blind: no learner was developed on them, though some of them share a digit with it.
    """
    pair = name_of(PAIR)
    others = [value for name, value in values.items() if name != pair]
    return {
        f"{pair} (development pair)": values.get(pair, ""),
        f"median without {pair}": float(np.median(others)) if others else "",
    }


def treated(pixels: str, data: Split) -> Split:
    """The rows of a split, with pixels treated in one of the ways named above."""
    X, X_test = TREATMENTS[pixels](data.X, data.X_test)
    X, X_test = (np.ascontiguousarray(part, dtype=np.float32) for part in (X, X_test))
    return Split(X, data.y, X_test, data.y_test)


Treatment = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


def _dropped(X: np.ndarray, X_test: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    varies = X.min(axis=0) < X.max(axis=0)
    return X[:, varies], X_test[:, varies]


def _centred(X: np.ndarray, X_test: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    mean = X.mean(axis=0, dtype=np.float64)
    return X - mean, X_test - mean


def _each(change: Callable[[np.ndarray], np.ndarray]) -> Treatment:
    return lambda X, X_test: (change(X), change(X_test))


TREATMENTS: dict[str, Treatment] = {
    RAW: _each(lambda X: X),
    DROPPED: _dropped,
    CENTRED: _centred,
    BOTH: lambda X, X_test: _dropped(*_centred(X, X_test)),
    BINARISED: _each(lambda X: X > 0.5),
    INK: _each(lambda X: X > 0),
    UNIT_NORM: _each(lambda X: X / np.linalg.norm(X, axis=1, keepdims=True)),
}
