"""Measures the figures of docs/streaming.md and writes its tables: ``python benchmarks/streaming_figures.py``.

MNIST 3 against 5 with every streaming learner, raw and scaled, beside the rivals at the same cost and full
information; and DDAERR against AERR on the synthetic data of Kukliansky and Shamir, paired over seeds. Every ± is a
standard error, over all runs or over splits.
"""

from __future__ import annotations

import itertools

import numpy as np
from joblib import Parallel, delayed
from rich.progress import track

import keyhole as kh
from keyhole.datasets import improvement_ratios, kukliansky_shamir, mnist_pair
from keyhole.observe.scales import LIMIT
from pages import DOCS, split_data, standard_error, with_error, write

SPLITS, DRAWS = 3, 4
SPARSE_RADII = (2.0, 3.0, 4.0, 6.0, 8.0)


def grids() -> dict[tuple[str, str], list[dict]]:
    """The small grid of each learner, with scaled and with raw attributes."""
    known = {"moments": None}
    steps = {"running": (None, 5e-4, 1e-3, 2e-3), "none": (None, 1e-3, 2e-3, 4e-3)}
    ridge = {
        "running": _grid(radius=(0.2, 0.3, 0.4, 0.6), step_size=(None,)),
        "none": _grid(radius=(0.6, 1.0, 1.5), step_size=(None, 1e-4, 2e-4)),
    }
    regs = {"running": (None, 20.0, 50.0), "none": (None, 15.0, 22.0, 30.0)}
    found = {}
    for scaling in ("running", "none"):
        lasso = _grid(radius=SPARSE_RADII, step_size=steps[scaling])
        found["AER 4", scaling] = _grid(radius=SPARSE_RADII, reg=regs[scaling])
        found["Baseline 4", scaling] = _grid(radius=(0.5, 1.0, 2.0, 3.0, 4.0))
        found["AELR 4", scaling] = lasso
        found["DDAELR 5 known", scaling] = [point | known for point in lasso]
        found["DDAELR 5 two-phased", scaling] = lasso
        found["AERR 57", scaling] = ridge[scaling]
        found["DDAERR 57 known", scaling] = [point | known for point in ridge[scaling]]
        found["DDAERR 57 two-phased", scaling] = ridge[scaling]
        found["AESVR 57", scaling] = _grid(radius=(0.1, 0.2, 0.4), accuracy=(4.0, 8.0, 16.0))
    return found


def _grid(**axes) -> list[dict]:
    return [dict(zip(axes, values, strict=True)) for values in itertools.product(*axes.values())]


def known_moments(X: np.ndarray, scaling: str) -> np.ndarray:
    """What only the user can know: the second moments, as the learner sees the attributes."""
    if scaling == "none":
        return np.mean(X.astype(np.float64) ** 2, axis=0) + 1e-6
    variance, largest = X.var(axis=0, dtype=np.float64), np.abs(X - X.mean(axis=0)).max(axis=0)
    spread = variance + (largest / LIMIT) ** 2
    return np.divide(variance, spread, out=np.zeros(X.shape[1]), where=spread > 0) + 1e-6


def errors_of(name: str, scaling: str, point: dict, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Test squared errors, splits by draws."""
    learner_class, budget = getattr(kh, name.split()[0]), int(name.split()[1])
    errors = np.empty((SPLITS, DRAWS))
    for split in range(SPLITS):
        X_train, y_train, X_test, y_test = split_data(X, y, split)
        if "moments" in point:
            point = point | {"moments": known_moments(X, scaling)}
        for draw in range(DRAWS):
            learner = learner_class(budget, scaling=scaling, random_state=draw, **point).fit(X_train, y_train)
            errors[split, draw] = np.mean((learner.predict(X_test) - y_test) ** 2)
    return errors


def rival_errors(rival, X: np.ndarray, y: np.ndarray, splits: int = 10) -> np.ndarray:
    """Over more splits: complete rows are few, and their error varies from split to split."""
    errors = []
    for split in range(splits):
        X_train, y_train, X_test, y_test = split_data(X, y, split)
        errors.append(np.mean((rival.fit(X_train, y_train).predict(X_test) - y_test) ** 2))
    return np.array(errors)


def mnist_table() -> str:
    X, y = mnist_pair(3, 5)
    jobs = [(name, scaling, point) for (name, scaling), points in grids().items() for point in points]
    results = Parallel(n_jobs=2, return_as="generator")(delayed(errors_of)(*job, X, y) for job in jobs)
    found: dict[tuple[str, str], list] = {}
    for (name, scaling, point), errors in zip(jobs, track(results, "MNIST 3 vs 5", total=len(jobs)), strict=True):
        found.setdefault((name, scaling), []).append((errors.mean(), standard_error(errors), point))
    lines = [
        '| learner | pixels per image | scaled by running estimates | raw pixels (`scaling="none"`) |',
        "|---|---|---|---|",
    ]
    for name in dict.fromkeys(name for name, _ in found):
        learner, budget, *form = name.split()
        cells = []
        for scaling in ("running", "none"):
            mean, error, point = min(found[name, scaling], key=lambda entry: entry[0])
            shown = ", ".join(f"{k} {v:g}" for k, v in point.items() if v is not None)
            cells.append(f"**{mean:.3f}** ± {error:.3f} ({shown})")
        lines.append(f"| {' '.join([learner, *form])} | {budget} | {cells[0]} | {cells[1]} |")
    rivals = {
        ("complete rows", 4): [kh.rivals.CompleteRows(4), kh.rivals.CompleteRows(4, scaling="none")],
        ("complete rows", 57): [kh.rivals.CompleteRows(57), kh.rivals.CompleteRows(57, scaling="none")],
        ("screened panel", 4): [kh.rivals.ScreenedPanel(4, random_state=0)],
        ("screened panel", 57): [kh.rivals.ScreenedPanel(57, random_state=0)],
        ("full-information ridge", 784): [kh.rivals.CompleteRows(784), kh.rivals.CompleteRows(784, scaling="none")],
    }
    for (name, budget), forms in track(rivals.items(), "rivals"):
        errors = [rival_errors(rival, X, y) for rival in forms]
        cells = [f"**{e.mean():.3f}** ± {standard_error(e):.3f}" for e in errors] + ["the same"] * (2 - len(forms))
        lines.append(f"| *{name}* | {budget} | {cells[0]} | {cells[1]} |")
    return "\n".join(lines)


RADII = (1.0, 2.0, 4.0, 6.0, 8.0)
LEARNERS = {"AERR": kh.AERR, "DDAERR": kh.DDAERR}


def relative_error(name: str, draws: str, alpha: float, radius: float, seed: int) -> float:
    """Test error of AERR, or of DDAERR with known moments, relative to the zero predictor."""
    data = kukliansky_shamir(22_000, alpha=alpha, random_state=seed)
    train, test = slice(2000, None), slice(2000)
    settings = {"moments": data.moments} if name == "DDAERR" else {}
    learner = LEARNERS[name](5, radius, draws=draws, scaling="none", random_state=seed, **settings)
    predicted = learner.fit(data.X[train], data.y[train]).predict(data.X[test])
    return np.mean((predicted - data.y[test]) ** 2) / np.mean(data.y[test] ** 2)


def paired_errors(draws: str, alpha: float, seeds: int = 10, pilots: int = 3) -> dict[str, np.ndarray]:
    """Errors over seeds, each learner at the radius that was best for it on other seeds."""
    errors = {}
    with Parallel(n_jobs=2) as parallel:
        for name in LEARNERS:
            trials = itertools.product(RADII, range(1000, 1000 + pilots))
            pilot = parallel(delayed(relative_error)(name, draws, alpha, radius, seed) for radius, seed in trials)
            radius = RADII[np.reshape(pilot, (len(RADII), pilots)).mean(axis=1).argmin()]
            errors[name] = np.array(
                parallel(delayed(relative_error)(name, draws, alpha, radius, s) for s in range(seeds))
            )
    return errors


def distribution_table() -> str:
    lines = [
        "| alpha | ridge ratio | lasso ratio | draws | AERR | DDAERR | difference ± standard error |",
        "|---|---|---|---|---|---|---|",
    ]
    cases = list(itertools.product((0, -0.5, -1, -2), ("even", "textbook")))
    for alpha, draws in track(cases, "DDAERR against AERR"):
        ridge = improvement_ratios(kukliansky_shamir(1, alpha=alpha, norm="ridge").moments)[0]
        lasso = improvement_ratios(kukliansky_shamir(1, alpha=alpha, norm="lasso").moments)[1]
        errors = paired_errors(draws, alpha)
        difference = errors["DDAERR"] - errors["AERR"]
        lines.append(
            f"| {alpha:g} | {ridge:.3g} | {lasso:.3g} | {draws} | {errors['AERR'].mean():.3f}"
            f" | {errors['DDAERR'].mean():.3f} | {with_error(difference, '+', 4)} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    tables = {"mnist": mnist_table(), "distribution-dependent": distribution_table()}
    for table in tables.values():
        print(table, end="\n\n")
    write(DOCS / "streaming.md", tables)
