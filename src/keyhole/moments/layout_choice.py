"""Which layout the rest of a total gets, by what the examples so far show.

How much attributes repeat each other is the question. With R their correlation matrix, tr(R^2) / d is how often an
attribute comes, itself and its repetitions in others counted: 1 where attributes have nothing in common, d where all
are copies. Where they are repeated often, some cells of an example stand for the others, and the cells are better
spread over more examples. Where they are not, what is not revealed of an example is noise in its label, and complete
examples have none of it. A few complete rows tell: the squared correlations of n rows exceed the true ones by
1 / (n - 1) on average, and they are d (d - 1) / 2 in number, so that tr(R^2) / d of independent attributes is known to
about 2 / (n - 1). A factor that many attributes share varies in a few rows, and all their correlations with it: of 17
attributes with correlations of 0.3, where the number is 2.4, pilots of 12 rows find 2.2 with a standard deviation of
0.9, and more than 5 once in a hundred times. So where a pilot has led to partial examples, the pairs of attributes that
these show together tell it again, and the pilot, which may have misled, is left out. Pairs also tell it where cells of
the pilot are missing; complete examples of which too many cells are missing are not chosen.
"""

from __future__ import annotations

import numpy as np

from .policy.offers import Offers
from .policy.settings import (
    FEW_REPETITIONS,
    LEAST_PILOT_ROWS,
    LEAST_ROWS_OF_PAIR,
    MARGIN_TO_CHANGE,
    MOST_COLUMNS_FOR_PAIRS,
    MOST_PILOT_ROWS,
    SOME_REPETITIONS,
)
from .solution import MOST_GAPS, Training
from .standard.complete_sets import rows_with


def repetitions(table: np.ndarray) -> float:
    """tr(R^2) / d, estimated without bias from complete rows; NaN where fewer than two columns vary."""
    table = table[:, table.std(axis=0) > 0]
    n, d = table.shape
    if d < 2 or n < 3:
        return np.nan
    z = (table - table.mean(axis=0)) / table.std(axis=0)
    # The sum of the squared correlations, as a sum over pairs of rows.
    total = float(np.sum((z @ z.T / n) ** 2))
    chance = 1.0 / (n - 1)
    mean = (total - d) / (d * (d - 1))
    return 1.0 + (d - 1) * (mean - chance) / (1.0 - chance)


def repetitions_by_pairs(table: np.ndarray, n_columns: int, least: float = MOST_PILOT_ROWS) -> float:
    """The same of so many columns, from rows that show some of these columns each, NaN where nothing was revealed.

    Every two columns have the correlation of the rows that show both, corrected for their number, and all count alike.
    NaN where two columns came together less often than ``least`` on average, by default too seldom to tell more than a
    pilot does.
    """
    mask = (~np.isnan(table)).astype(float)
    times = np.maximum(mask.sum(axis=0), 1.0)
    z = np.nan_to_num(table - np.nansum(table, axis=0) / times)
    n, of_two = mask.T @ mask, ~np.eye(len(times), dtype=bool)
    if not of_two.any() or n[of_two].mean() < least:
        return np.nan
    rows = np.maximum(n, 1.0)
    means = z.T @ mask / rows  # of the first column, over the rows that show the second as well
    variances = (z**2).T @ mask / rows - means**2
    vary = variances > 1e-9 * (np.sum(z**2, axis=0) / times)[:, None]
    both = of_two & vary & vary.T & (n >= min(LEAST_PILOT_ROWS, least))
    if not both.any():
        return np.nan
    squared = (z.T @ z / rows - means * means.T)[both] ** 2 / (variances * variances.T)[both]
    chance = 1.0 / (n[both] - 1.0)
    mean = float(np.mean((squared - chance) / (1.0 - chance)))
    return 1.0 + (n_columns * np.mean(both.any(axis=0)) - 1.0) * mean


def complete_table(offers: Offers, data: Training) -> np.ndarray:
    """The rows that show the attributes of all offers."""
    cells, columns = data.cells, data.attribute_of
    some = np.flatnonzero(np.isin(columns, offers.members))
    found = rows_with(some, cells.rows, cells.attributes, cells.n_examples, data.n_attributes)
    return found.table(cells.rows, cells.values)


def asked_completely(offers: Offers, data: Training) -> np.ndarray:
    """Which rows were asked for the attributes of all offers, whether or not every cell was there."""
    cells = data.as_revealed
    rows = np.concatenate([cells.rows, cells.missing_rows])
    attributes = np.concatenate([cells.attributes, cells.missing_attributes])
    wanted = np.isin(attributes, offers.members)
    return np.bincount(rows[wanted], minlength=cells.n_examples) == len(offers.members)


def partial_table(offers: Offers, data: Training, keep: np.ndarray | None = None) -> tuple[np.ndarray, int]:
    """Some rows, by a mask (None: those that were not asked for every attribute), NaN where nothing was revealed, and
    how many columns the attributes of the offers have; of very many a part that is drawn at random."""
    cells, columns = data.cells, np.flatnonzero(np.isin(data.attribute_of, offers.members))
    some = np.random.default_rng(data.seed).permutation(columns)[:MOST_COLUMNS_FOR_PAIRS]
    place = np.full(data.n_attributes, -1)
    place[some] = np.arange(len(some))
    inside = place[cells.attributes] >= 0
    table = np.full((cells.n_examples, len(some)), np.nan)
    table[cells.rows[inside], place[cells.attributes[inside]]] = cells.values[inside]
    return table[~asked_completely(offers, data) if keep is None else keep], len(columns)


def _few_gaps(offers: Offers, data: Training, asked: np.ndarray) -> bool:
    """Whether so few cells are missing in rows that were asked for every attribute that they are almost complete."""
    cells = data.as_revealed
    missing = asked[cells.missing_rows] & np.isin(cells.missing_attributes, offers.members)
    return bool(missing.sum() <= MOST_GAPS * asked.sum() * len(offers.members))


def chosen_size(offers: Offers, data: Training, most: float, usual: float, now: float | None) -> tuple[float, str]:
    """What an example to come may cost, and why; all in the units of the offers' costs. ``now`` is what it cost before,
    None at the end of a pilot."""
    whole, asked = float(offers.cost.sum()), asked_completely(offers, data)
    table, are_complete = complete_table(offers, data), now is None or now == whole
    if whole <= most and asked.sum() < LEAST_PILOT_ROWS:
        return usual, f"fewer than {LEAST_PILOT_ROWS} complete examples are known"
    if are_complete and len(table) == asked.sum():
        often, where = repetitions(table), f"in {len(table)} complete examples"
    else:
        # Complete examples with gaps are counted by pairs too, and few pairs are all that a pilot has.
        least = LEAST_ROWS_OF_PAIR if are_complete else MOST_PILOT_ROWS
        rows, n_columns = partial_table(offers, data, asked if are_complete else None)
        often = repetitions_by_pairs(rows, n_columns, least)
        where = f"by the pairs of attributes in {len(rows)} examples"
        if np.isnan(often):
            return usual if now is None else now, "too few pairs of attributes tell more"
    # Where a budget leaves out too much of an example, or too much of it is missing, none is complete.
    can_be_complete = most >= (1.0 - MOST_GAPS) * whole and _few_gaps(offers, data, asked)
    twice = min(2.0 * usual, whole, most)
    largest = min(whole, most) if can_be_complete else twice
    sizes = [
        (largest, -np.inf, FEW_REPETITIONS, "other attributes tell little of one that is not revealed"),
        (twice, FEW_REPETITIONS, SOME_REPETITIONS, "other attributes tell something of one that is not revealed"),
        (usual, SOME_REPETITIONS, np.inf, "other attributes tell much of one that is not revealed"),
    ]
    found = f"{where} an attribute comes {often:.1f} times, its repetitions in others counted"
    kept = [
        (size, why)
        for size, low, high, why in sizes
        if size == now and low / MARGIN_TO_CHANGE <= often < high * MARGIN_TO_CHANGE
    ]
    fitting = [(size, why) for size, low, high, why in sizes if low <= often < high]
    others = (
        f"complete examples are taken below {FEW_REPETITIONS:g} times, and twice the usual size from there to"
        f" {SOME_REPETITIONS:g} times"
    )
    for size, why in kept + fitting:
        return size, f"{found}: {why} ({others})"
    return usual, "no attribute varies"
