"""Measures whether a planner with a pilot of 60 or 300 examples chooses well, and whether its intervals are honest.

    python benchmarks/planning.py --jobs 16                         measures what is missing, and prints a summary
    python benchmarks/planning.py --examples 300 --only diabetes    pilots of 300 examples
    python benchmarks/planning.py --page                            measures nothing, and writes docs/planning.md
    python benchmarks/planning.py --only diabetes --pilots 5 --sets 5 --development

For each table: the true error of every design at the full cost is its mean over training sets that are drawn from the
table; a plan is made from each of several pilots. The regret is the true error of the design that a plan chooses over
that of the best design, minus 1; the coverage is the share of the true errors that lie within the plan's 90% intervals.
With --development other seeds are used, and the results are not reported.

Results are appended as JSON lines, and what is there is not measured again, so that a run can be interrupted. Rows of
the page for which there are no results stay as they are.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed, parallel_config
from sklearn.datasets import load_breast_cancer, load_diabetes

from keyhole.datasets import league_table
from keyhole.datasets.ct_slices import load_ct_slices
from keyhole.datasets.files import find_file
from keyhole.planning.comparing import compared, interval
from keyhole.planning.designs import Design, designs_within
from keyhole.planning.learners import predictions_of
from keyhole.planning.pilot import Pilot, read_pilot
from keyhole.planning.planner import LEARNERS, simulated
from keyhole.planning.settings import WORLDS
from pages import DOCS, with_kept_rows, write

RESULTS = Path(__file__).parent.parent / ".cache" / "planning" / "results.jsonl"
TABLES = ("breast cancer", "diabetes", "CT fragment", "factors", "independent", "sparse")
# Of the nineteen real tables those with at least 500 rows and at most 60 attributes, first those of the development.
DEVELOPED_ON = ("boston", "chicago", "lending", "loanapp", "nhefs", "visits")
REAL = (*DEVELOPED_ON, "cells", "churn", "college", "loans", "pbc", "twoyear")
N_PILOT, LARGE_PILOT, FEW, MOST_TRAINING, MOST_TEST = 60, 300, 4, 500, 1000
# Cells per example of the full study, on average: the total is this times the number of training examples.
CELLS = {"CT fragment": 8}


def table(name: str, development: bool) -> tuple[np.ndarray, np.ndarray]:
    """Attributes and labels; generated tables are others in development."""
    if name == "breast cancer":
        return load_breast_cancer(return_X_y=True)
    if name == "diabetes":
        return load_diabetes(return_X_y=True)
    if name == "CT fragment":
        data = load_ct_slices(find_file("ct_slice_fragment.npz", "the first rows of the CT slices"))
        return np.asarray(data.X, dtype=np.float64), np.asarray(data.y, dtype=np.float64)
    if name in REAL:
        real = league_table(name)
        return real.X.astype(float), real.y.astype(float)
    rng = np.random.default_rng(12345 if development else 20260101)
    n = 3000
    if name == "factors":  # five factors, and as much noise in the label as signal
        factors = rng.normal(size=(n, 5))
        X = factors @ rng.normal(size=(5, 40)) + 1.5 * rng.normal(size=(n, 40))
        signal, noise = factors @ rng.normal(size=5), 1.0
    elif name == "independent":  # all attributes matter alike
        X = rng.normal(size=(n, 25))
        signal, noise = X.sum(axis=1), 0.35
    else:  # three of forty correlated attributes matter
        X = rng.normal(size=(n, 40)) + 0.7 * rng.normal(size=(n, 1))
        signal, noise = X[:, :3] @ [1.0, -1.0, 1.0], 0.6
    return X, signal + noise * signal.std() * rng.normal(size=n)


def setting(name: str, development: bool) -> tuple[np.ndarray, np.ndarray, int, list[Design], Pilot]:
    X, y = table(name, development)
    n_training = min(3 * len(y) // 4, MOST_TRAINING)
    described = read_pilot(X[:N_PILOT] + 0.0, np.arange(N_PILOT))  # only for attributes and their costs
    designs = designs_within(described, CELLS.get(name, 4) * n_training, n_training, LEARNERS)
    return X, np.asarray(y, dtype=np.float64), n_training, designs, described


def true_errors(name: str, number: int, development: bool) -> list[list[float]]:
    """Of all designs on one training set and the other rows."""
    X, y, n, designs, described = setting(name, development)
    order = np.random.default_rng((77 if development else 7, number)).permutation(len(y))
    train, test = order[:n], order[n : n + MOST_TEST]
    found = []
    for design in designs:
        predicted = predictions_of(design, X[train], y[train], X[test], described.attributes, FEW, number)
        found.append([float(np.mean((some - y[test]) ** 2) / y.var()) for some in predicted])
    return found


def planned_errors(name: str, number: int, development: bool, examples: int) -> list[list[list[float]]]:
    """Of all designs in all worlds, given one pilot."""
    X, y, _, designs, _ = setting(name, development)
    rng = np.random.default_rng((1000 if development else 1, number))
    rows = rng.permutation(len(y))[:examples]
    pilot, total = read_pilot(X[rows], y[rows]), 0.0  # one total, whatever its name
    errors, _ = simulated(pilot, {total: designs}, {}, FEW, WORLDS, rng, 1)
    return [errors[i, total].tolist() for i in range(WORLDS)]


def record(kind: str, name: str, number: int, development: bool, examples: int) -> dict:
    os.environ["LOKY_MAX_CPU_COUNT"] = "1"  # every core has a process
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        begun = time.monotonic()
        errors: list = (
            true_errors(name, number, development)
            if kind == "true"
            else planned_errors(name, number, development, examples)
        )
    return {
        "kind": kind,
        "table": name,
        "number": number,
        "development": development,
        "examples": examples,
        "seconds": round(time.monotonic() - begun, 1),
        "errors": errors,
    }


def key(one: dict) -> tuple:
    return one["kind"], one["table"], one["number"], one["development"], one["examples"]


def read(path: Path) -> dict[tuple, dict]:
    lines = path.read_text().splitlines() if path.exists() else []
    found = {}
    for line in lines:
        try:
            one = json.loads(line)
            found[key(one)] = one
        except (json.JSONDecodeError, KeyError):  # the last line of a run that was killed
            continue
    return found


def regret_of(true: np.ndarray, chosen: list[int]) -> tuple[float, float]:
    """The mean regret of the chosen designs, and its standard error, over pilots and over training sets.

    ``true`` has the errors by training set and design. The error of the smallest mean is too small by chance, so the
    regret is rather too large; the fewer training sets, the more so.
    """
    n, mean = len(true), true.mean(axis=0)
    best = int(np.argmin(mean))
    regret = mean[chosen] / mean[best] - 1
    without_one = (n * mean - true) / max(n - 1, 1)
    of_sets = (without_one[:, chosen] / without_one[:, [best]]).mean(axis=1)
    variance = (n - 1) * of_sets.var() + (regret.var(ddof=1) / len(regret) if len(regret) > 1 else np.nan)
    return float(regret.mean()), float(np.sqrt(variance))


def summary(
    results: dict[tuple, dict], development: bool, examples: int = N_PILOT, names: tuple[str, ...] = TABLES
) -> str:
    """The table of the page for pilots of so many examples."""
    head = ["table", "predicted from", "pilots", "training sets", "regret", "errors in 90% intervals"]
    rows = [[*head, "design, most often", "best design"], ["---"] * 8]
    for name in names:
        of = [one for one in results.values() if one["table"] == name and one["development"] == development]
        true = np.array([one["errors"] for one in of if one["kind"] == "true"])
        plans = [np.array(one["errors"]) for one in of if (one["kind"], one["examples"]) == ("plan", examples)]
        if not len(true) or not plans:
            continue
        designs = setting(name, development)[3]
        n = len(designs) - 1  # the last one is the limit
        for few in (0, 1):
            exact = true[:, :n, few].mean(axis=0)
            chosen = [compared(errors[:, :n, few], designs[:n]).recommended for errors in plans]
            regret, error = regret_of(true[:, :n, few], chosen)
            ends = [interval(errors[:, i, few]) for errors in plans for i in range(n)]
            inside = [one.low <= exact[i % n] <= one.high for i, one in enumerate(ends)]
            often, best = designs[max(set(chosen), key=chosen.count)], designs[int(np.argmin(exact))]
            rows.append([name, f"{FEW if few else 'all'} attributes", str(len(plans)), str(len(true))])
            rows[-1] += [f"{regret:.1%} ± {error:.1%}", f"{np.mean(inside):.0%}", str(often), str(best)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--only", nargs="+", choices=TABLES + REAL, default=TABLES + REAL, metavar="TABLE")
    parser.add_argument("--pilots", type=int, default=20)
    parser.add_argument("--examples", type=int, default=N_PILOT, help="of a pilot")
    parser.add_argument("--sets", type=int, default=100, help="training sets for the true errors")
    parser.add_argument("--jobs", type=int, default=1, help="processes, each on one thread")
    parser.add_argument("--development", action="store_true", help="other seeds, of which nothing is reported")
    parser.add_argument("--page", action="store_true", help="write the table of the page, and measure nothing")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file of results, JSON lines")
    asked = parser.parse_args()
    if asked.page:
        page, found = DOCS / "planning.md", read(asked.results)
        for name, examples, of in (
            ("planning-table", N_PILOT, TABLES),
            ("planning-real", N_PILOT, REAL),
            ("planning-large", LARGE_PILOT, TABLES),
        ):
            write(page, {name: with_kept_rows(page, name, summary(found, False, examples, of), of, n_keys=2)})
        return
    done = read(asked.results)
    wanted = [
        (kind, name, number, asked.development, N_PILOT if kind == "true" else asked.examples)
        for kind, numbers in (("plan", asked.pilots), ("true", asked.sets))  # the longest first
        for number in range(numbers)
        for name in sorted(asked.only, key=lambda one: one != "CT fragment")
    ]
    missing = [one for one in wanted if one not in done]
    asked.results.parent.mkdir(parents=True, exist_ok=True)
    with parallel_config(backend="loky", inner_max_num_threads=1):
        pool = Parallel(n_jobs=asked.jobs, return_as="generator_unordered", batch_size=1, pre_dispatch=asked.jobs)
    for n, one in enumerate(pool(delayed(record)(*each) for each in missing), 1):
        with asked.results.open("a") as file:
            file.write(json.dumps(one) + "\n")
        print(
            f"{n} of {len(missing)}: {one['kind']} {one['table']} {one['number']}, {one['seconds']} s", file=sys.stderr
        )
    print(summary(read(asked.results), asked.development, asked.examples, TABLES + REAL))


if __name__ == "__main__":
    main()
