"""What every learner computes on three data sets: its coefficients, its choices and what it says of its own error.

``python tests/golden/cases.py NAME ...`` writes the numbers of some cases of ``golden.npz`` again, those whose names
begin so, and without a name all of them; do so only when a number is meant to change, and say so in the changelog.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits
from threadpoolctl import threadpool_info

import keyhole as kh

FILE = Path(__file__).with_name("golden.npz")


def breast_cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return X[:450], 2.0 * y[:450] - 1.0


def diabetes():
    return load_diabetes(return_X_y=True, scaled=False)


def digits():
    X, y = load_digits(return_X_y=True)
    some = (y == 3) | (y == 5)
    return X[some], y[some] - 4.0


TABLES = {"breast_cancer": breast_cancer, "diabetes": diabetes, "digits": digits}

LEARNERS = {
    "AER": lambda: kh.AER(4, radius=1.0, random_state=0),
    "AER_horizon": lambda: kh.AER(4, scaling="none", n_expected=300, random_state=0),
    "Baseline": lambda: kh.Baseline(4, radius=0.5, random_state=0),
    "AERR": lambda: kh.AERR(5, radius=1.0, random_state=0),
    "AERR_textbook": lambda: kh.AERR(5, scaling="none", draws="textbook", n_expected=300, random_state=0),
    "AELR": lambda: kh.AELR(5, radius=1.0, random_state=0),
    "AESVR": lambda: kh.AESVR(9, radius=0.3, accuracy=2.0, random_state=0),
    "DDAERR": lambda: kh.DDAERR(5, radius=1.0, warmup=30, random_state=0),
    "DDAELR": lambda: kh.DDAELR(5, radius=1.0, warmup=30, random_state=0),
    "Exploration": lambda: kh.Exploration(9, 2, batch_size=20, shrink_to_mean=False, random_state=0),
    "Hybrid": lambda: kh.Hybrid(9, 2, explore_batch=20, exploit_batch=20, shrink_to_mean=False, random_state=0),
    "Dantzig": lambda: kh.Dantzig(5, 2, shrink_to_mean=False, random_state=0),
    "DualAveraging_1": lambda: kh.DualAveraging(5, 2, variant=1, shrink_to_mean=False, random_state=0),
    "DualAveraging_2": lambda: kh.DualAveraging(5, 2, variant=2, shrink_to_mean=False, random_state=0),
    "DualAveraging_3": lambda: kh.DualAveraging(5, 2, variant=3, shrink_to_mean=False, random_state=0),
    "CompleteRows": lambda: kh.rivals.CompleteRows(4),
    "ScreenedPanel": lambda: kh.rivals.ScreenedPanel(4, random_state=0),
    "ImputeThenRidge": lambda: kh.rivals.ImputeThenRidge(4, random_state=0),
    "KeyholeRegressor": lambda: kh.KeyholeRegressor(4, random_state=0),
    "KeyholeRegressor_sparse": lambda: kh.KeyholeRegressor(4, sparsity=3, random_state=0),
    "KeyholeRegressor_origin": lambda: kh.KeyholeRegressor(4, fit_intercept=False, random_state=0),
}


def streamed(name, X, y):
    """Coefficients, and which attributes were asked for in which order."""
    learner = LEARNERS[name]().set_params(keep_ledger=True).fit(X, y)
    found = {"coef": learner.coef_, "intercept": learner.intercept_, "asked": learner.ledger_["attribute"]}
    if name == "KeyholeRegressor":
        found |= of_own_learner(learner, X)
    return found


def of_own_learner(learner, X):
    """Its error, its intervals, its predictions from some attributes, and what it would buy next."""
    risk, at = learner.risk_interval_, learner.risk_at(3)
    holes = np.where(np.arange(X.shape[1]) % 3 == 0, X[:20], np.nan)
    predictions, deviations = learner.predict(holes, return_std=True)
    path = learner.predict_path(X[:20], prediction_budget=3)
    bounds = learner.coef_interval(n_bootstrap=5, random_state=0)
    return {
        "risk": [risk.estimate, risk.low, risk.high, risk.standard_error],
        "risk_at": [at.estimate, at.standard_error],
        "predictions": predictions,
        "deviations": deviations,
        "interval": learner.predict_interval(holes),
        "next": [i for offer in learner.next_attributes(holes[0], n=3) for i in offer.attributes],
        "path": path.predictions,
        "coef_standard_error": bounds.standard_error,
        "family": learner.family_,
    }


def with_costs(X, y):
    costs = np.where(np.arange(X.shape[1]) % 2 == 0, 1.0, 2.5)
    learner = kh.KeyholeRegressor(5, costs=costs, keep_ledger=True, random_state=0).fit(X, y)
    return {"coef": learner.coef_, "asked": learner.ledger_["attribute"], "cost": learner.observed_.cost}


def with_holes(X, y):
    holes = np.where(np.random.default_rng(0).random(X.shape) < 0.5, np.nan, X)
    learner = kh.KeyholeRegressor(random_state=0).fit(holes, y)
    return {"coef": learner.coef_, "intercept": learner.intercept_, "risk": learner.risk_interval_.estimate}


def whole(X, y):
    learner = kh.KeyholeRegressor(random_state=0).fit(X, y)
    return {"coef": learner.coef_, "intercept": learner.intercept_, "risk": learner.risk_interval_.estimate}


def classes(X, y):
    labels = np.digitize(y, np.quantile(y, [0.33, 0.66])) if len(np.unique(y)) > 10 else y.astype(int)
    learner = kh.KeyholeClassifier(4, keep_ledger=True, random_state=0).fit(X, labels)
    return {
        "coef": learner.coef_,
        "asked": learner.ledger_["attribute"],
        "probabilities": learner.predict_proba(X[:20]),
        "error": learner.error_at(3)[:2],
        "auc": learner.auc_at(3)[0],
    }


def from_moments(X, y):
    sums = kh.moments_from_sums(X.T @ X, X.T @ y, y @ y, len(y), sum_X=X.sum(axis=0), sum_y=y.sum())
    model = kh.fit_from_moments(**sums)
    return {"coef": model.coef_, "intercept": model.intercept_}


def exploitation(X, y):
    start = np.where(np.arange(X.shape[1]) < 2, 0.1, 0.0)
    letter = kh.Exploitation(5, start_coef=start, batch_size=20, shrink_to_mean=False, random_state=0)
    learner = letter.set_params(keep_ledger=True).fit(X, y)
    return {"coef": learner.coef_, "intercept": learner.intercept_, "asked": learner.ledger_["attribute"]}


def judgments(X, y):
    """Three noisy readings of ten attributes in standard units."""
    Z = (X[:, :10] - X[:, :10].mean(axis=0)) / X[:, :10].std(axis=0).clip(1e-9)
    table = Z[:, :, None] + np.random.default_rng(0).normal(size=(*Z.shape, 3))
    found = {}
    for method in ("full", "scoring", "averages", "copies"):
        selector = kh.MultiSelector(12, method=method).fit(table, y)
        found[f"{method}_repeats"] = selector.repeats_
        found[f"{method}_loss"] = selector.projected_loss_
    model = kh.JudgmentRegressor(found["full_repeats"]).fit(table, y)
    return found | {"coef": model.coef_, "intercept": model.intercept_}


OTHERS = {
    "KeyholeRegressor_costs": with_costs,
    "KeyholeRegressor_holes": with_holes,
    "KeyholeRegressor_whole": whole,
    "KeyholeClassifier": classes,
    "fit_from_moments": from_moments,
    "Exploitation": exploitation,
    "judgments": judgments,
}
CASES = [*LEARNERS, *OTHERS]


def computed(table, case):
    """Named arrays of one case on one data set; what fails is part of the record as well."""
    X, y = TABLES[table]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = OTHERS[case](X, y) if case in OTHERS else streamed(case, X, y)
        except ValueError as error:
            found = {"failed": type(error).__name__}
    return {f"{table}/{case}/{name}": np.asarray(value) for name, value in found.items()}


def machine():
    """What rounding depends on: the versions of what computes, and the kernels of the linear algebra."""
    import numba
    import scipy
    import sklearn

    modules = {"numpy": np, "scipy": scipy, "scikit-learn": sklearn, "numba": numba}
    kernels = sorted({str(one.get("architecture")) for one in threadpool_info()})
    return {name: module.__version__ for name, module in modules.items()} | {"kernels": kernels}


def write(beginnings):
    found, cases = {}, [case for case in CASES if case.startswith(beginnings)]
    if len(cases) < len(CASES):
        with np.load(FILE) as stored:
            found = {name: stored[name] for name in stored.files if name.split("/")[-2:-1] not in ([c] for c in cases)}
        if json.loads(str(found["machine"])) != machine():
            raise SystemExit("the file was written on another machine: write all cases again, after a look at both")
    found["machine"] = np.array(json.dumps(machine()))
    for table in TABLES:
        for case in cases:
            found |= computed(table, case)
            print(table, case, flush=True)
    np.savez_compressed(FILE, **found)


if __name__ == "__main__":
    write(tuple(sys.argv[1:]) or "")
