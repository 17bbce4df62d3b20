"""Measures how a budget of costs is spent, and writes the tables into docs/evidence.md.

python benchmarks/keyhole/costs.py            # both tables
python benchmarks/keyhole/costs.py costs-panel --seeds 20
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from rich.progress import track

import keyhole as kh
from keyhole.observe import ArraySource

sys.path.insert(0, str(Path(__file__).parent.parent))
from pages import EVIDENCE, with_error, write_named

FIRST_SEED = 1000  # smaller ones were used for development
N_EXAMPLES, N_TEST = 400, 4000
CLINIC = [2, 2, 3, 3, 4, 5, 5, 6, 8, 8, 10, 12, 12, 15, 18, 20, 25, 30]
PRICE_LISTS = {  # costs, and the budget of an example
    "ten tests at 1 and ten at 5": (np.repeat([1.0, 5.0], 10), 8.0),
    f"a clinic: {', '.join(map(str, CLINIC))}": (np.array(CLINIC, dtype=float), 30.0),
    "ten tests at 1 and ten at 1.0001": (np.repeat([1.0, 1.0001], 10), 4.0),
}


def packed(costs: np.ndarray, budget: float) -> float:
    """The largest sum of different costs that is not above the budget."""
    sums = {0.0}
    for cost in costs:
        sums |= {round(s + cost, 6) for s in sums if s + cost <= budget * (1 + 1e-12)}
    return max(sums)


def spent_table(n_examples: int = 2000) -> str:
    """The share of what can be packed that ``KeyholeRegressor`` spends, and how often the rarest test is asked for."""
    lines = ["| prices | budget | largest sum within it | spent of this | the rarest test |", "|---|---|---|---|---|"]
    for name, (costs, budget) in PRICE_LISTS.items():
        rng = np.random.default_rng(FIRST_SEED)
        X = 0.8 * rng.normal(size=(n_examples, len(costs))) + 0.6 * rng.normal(size=(n_examples, 1))
        y = X @ rng.normal(size=len(costs)) + rng.normal(size=n_examples)
        learner = kh.KeyholeRegressor(budget, costs=costs, random_state=0).fit(X, y)
        most, seen = packed(costs, budget), learner.observed_
        rarest = f"{seen.per_attribute.min():,} of {n_examples:,} examples"
        lines.append(f"| {name} | {budget:g} | {most:g} | {seen.cost / n_examples / most:.1%} | {rarest} |")
    return "\n".join(lines)


def clinic(seed: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Six tests that are informative together, and thirty others that each tell a little."""
    rng = np.random.default_rng(seed)
    weights = np.concatenate([np.full(6, 0.5), 0.12 * rng.normal(size=30)])
    X = 0.8 * rng.normal(size=(n, 36)) + 0.6 * rng.normal(size=(n, 1))
    return X, X @ weights + rng.normal(size=n)


def panel_table(n_seeds: int = 20) -> str:
    """A panel of six tests for the price of 2, with a budget of 4, against a design that always has it."""
    others = [kh.Attribute(f"test {i}") for i in range(30)]
    offered = [*(kh.Attribute(f"panel {i}", cost=2, bundle="panel") for i in range(6)), *others]
    always = [*(kh.Attribute(f"panel {i}", free=True) for i in range(6)), *others]
    found = []
    for seed in track(range(FIRST_SEED, FIRST_SEED + n_seeds), "panel"):
        X, y = clinic(seed, N_EXAMPLES + N_TEST)
        X, X_test, y, y_test = X[:N_EXAMPLES], X[N_EXAMPLES:], y[:N_EXAMPLES], y[N_EXAMPLES:]
        own = kh.KeyholeRegressor(4, random_state=seed).fit(ArraySource(X, offered), y)
        fixed = kh.KeyholeRegressor(2, random_state=seed).fit(ArraySource(X, always), y)  # 2 of 4 pay for the panel
        asked = own.observed_.per_attribute[0]
        scores = [one.score(ArraySource(X_test, given), y_test) for one, given in ((own, offered), (fixed, always))]
        found.append([asked, *scores])
    asked, own_r2, fixed_r2 = np.array(found).T
    return "\n".join(
        [
            f"| the panel is taken | of {N_EXAMPLES} examples, {n_seeds} seeds | R2 | minus that of always, paired |",
            "|---|---|---|---|",
            f"| by the policy | {asked.min():g} to {asked.max():g} | {with_error(own_r2)}"
            f" | {with_error(own_r2 - fixed_r2, '+')} |",
            f"| always | {N_EXAMPLES} | {with_error(fixed_r2)} |  |",
        ]
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", metavar="table", help="costs-spent, costs-panel; both if none is named")
    parser.add_argument("--seeds", type=int, default=20)
    given = parser.parse_args()
    makers = {"costs-spent": spent_table, "costs-panel": lambda: panel_table(given.seeds)}
    write_named(EVIDENCE, makers, given.tables, parser)
