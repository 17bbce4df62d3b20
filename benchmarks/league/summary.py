"""Errors relative to the mean's, ratios to the reference, and their geometric means, from the file of results.

The reference of a table is the best, on mean errors, of complete rows, the screened panel and the mean label.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from keyhole.datasets import league_table
from league.methods import EVERY_CELL, OWN, PUBLISHED, RIVALS, with_values
from league.protocol import TABLES, attributes_of
from league.results import Key, Record

MOST = 10.0  # ratios are cut here; a crash counts as this
CLEARLY_BETTER, TOO_FAR_ABOVE = 0.99, 1.02
MEAN = "mean label"
FEW = "from few"  # after the own learner's name: predictions from the few attributes that it would buy


@cache
def shape_of(table: str) -> tuple[int, int]:
    return league_table(table).X.shape


class Errors(NamedTuple):
    """The errors of a method on a table with a budget, split by split."""

    method: str
    by_split: dict[int, float]
    crashes: list[str]

    @property
    def mean(self) -> float:
        """Infinite where a split crashed."""
        return float("inf") if self.crashes else float(np.mean(list(self.by_split.values())))

    @property
    def standard_error(self) -> float:
        values = list(self.by_split.values())
        return float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")


class Ratio(NamedTuple):
    """A ratio of mean errors, cut at 10, and the standard error of its logarithm over splits."""

    value: float
    of_log: float


class Group(NamedTuple):
    """A method on several tables: the geometric mean of its ratios with its standard error, and counts of tables."""

    geometric_mean: float
    standard_error: float
    tables: int
    better: int
    above_mean: int
    crashed: int


class Standings:
    """All that the page and the picture need, from the results; a budget is one of ``BUDGETS``."""

    def __init__(self, results: dict[Key, Record]) -> None:
        self.results = results
        self._found: dict[tuple[str, int | None, str], Errors] = {}
        for (table, split, budget, method), record in results.items():
            self._add(table, split, budget, method, record, "error")
            if method == OWN:
                self._add(table, split, budget, f"{OWN} {FEW}", record, "error_from_few")
        present = {table for table, *_ in results}
        self.tables = tuple(table for table in TABLES if table in present)

    def _add(self, table: str, split: int, budget: int | None, method: str, record: Record, error: str) -> None:
        errors = self._found.setdefault((table, budget, method), Errors(method, {}, []))
        if error in record:
            errors.by_split[split] = record[error] if np.isfinite(record[error]) else float("inf")  # NaN too
        else:
            errors.crashes.append(record["crash"])

    def errors(self, table: str, budget: str, method: str) -> Errors | None:
        """The errors of a method, or None where it was not measured."""
        number = None if method == EVERY_CELL else attributes_of(budget, shape_of(table)[1])
        return self._found.get((table, number, method))

    def best(self, table: str, budget: str, methods: Sequence[str]) -> Errors | None:
        """The method with the smallest mean error, in hindsight."""
        found = [errors for name in methods if (errors := self.errors(table, budget, name))]
        return min(found, key=lambda errors: errors.mean, default=None)

    def best_values(self, table: str, budget: str, rival: str) -> Errors | None:
        """A rival with the transform of values that is best on this table, in hindsight."""
        return self.best(table, budget, with_values(rival))

    def best_published(self, table: str, budget: str) -> Errors | None:
        return self.best(table, budget, tuple(PUBLISHED))

    def reference(self, table: str, budget: str, *, best_values: bool = False) -> Errors | None:
        """The best of both rivals and the mean label; None where a rival was not measured."""
        if any(self.errors(table, budget, rival) is None for rival in RIVALS):
            return None
        names = [name for rival in RIVALS for name in (with_values(rival) if best_values else [rival])]
        best = self.best(table, budget, names)
        assert best is not None
        return best if best.mean < 1.0 else Errors(MEAN, dict.fromkeys(best.by_split, 1.0), [])

    def group(self, tables: Sequence[str], budget: str, method: str, *, best_values: bool = False) -> Group | None:
        """A method against the reference; ``method`` may be one of ``derived`` as well."""
        rows = []
        for table in tables:
            errors, reference = self.of(table, budget, method), self.reference(table, budget, best_values=best_values)
            if errors is not None and reference is not None:
                rows.append((errors, ratio_of(errors, reference)))
        if not rows:
            return None
        ratios = [ratio for _, ratio in rows]
        middle = float(np.exp(np.mean([np.log(ratio.value) for ratio in ratios])))
        return Group(
            geometric_mean=middle,
            standard_error=middle * float(np.sqrt(np.sum([ratio.of_log**2 for ratio in ratios]))) / len(ratios),
            tables=len(rows),
            better=sum(ratio.value < CLEARLY_BETTER for ratio in ratios),
            above_mean=sum(errors.mean > TOO_FAR_ABOVE and not errors.crashes for errors, _ in rows),
            crashed=sum(bool(errors.crashes) for errors, _ in rows),
        )

    def of(self, table: str, budget: str, method: str) -> Errors | None:
        """The errors of a method; also of a rival with its best values, of the best published learner, of the mean."""
        if method == BEST_PUBLISHED:
            return self.best_published(table, budget)
        if method in BEST_VALUES:
            return self.best_values(table, budget, BEST_VALUES[method])
        if method == MEAN:
            rival = self.errors(table, budget, RIVALS[0])
            return rival and Errors(MEAN, dict.fromkeys(rival.by_split, 1.0), [])
        return self.errors(table, budget, method)


BEST_PUBLISHED = "best published"
BEST_VALUES = {f"{rival}, best values": rival for rival in RIVALS}


def ratio_of(errors: Errors, reference: Errors) -> Ratio:
    """The ratio of two means over splits; its error is that of paired differences where both have the same splits."""
    ratio = errors.mean / reference.mean
    if not ratio < MOST:
        return Ratio(MOST, 0.0)
    common = sorted(set(errors.by_split) & set(reference.by_split))
    if len(common) < 2:
        return Ratio(ratio, float("nan"))
    a, b = (np.array([found.by_split[split] for split in common]) for found in (errors, reference))
    differences = a / a.mean() - b / b.mean()
    return Ratio(ratio, float(np.std(differences, ddof=1) / np.sqrt(len(common))))
