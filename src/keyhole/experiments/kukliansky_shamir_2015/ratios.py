"""The improvement ratios of Kukliansky and Shamir 2015, from the second moments of the attributes."""

from __future__ import annotations

import numpy as np

from ...datasets import improvement_ratios, kukliansky_shamir
from ..runner.paper import Claim, Experiment, Rows, Size, Task
from .setting import ALPHAS, DATA, D

PRINTED = {
    "simulated, alpha 0": ("1", "1"),
    "simulated, alpha -0.5": ("0.91", "0.086"),
    "simulated, alpha -1": ("0.55", "0.014"),
    "simulated, alpha -2": ("0.05", "0.0033"),
    "mnist": ("0.45", "0.2"),
}


def tasks(size: Size, seed: int) -> list[Task]:
    """One task for each kind of data."""
    return [Task(ratios, {"data": data, "seed": seed}) for data in ("simulated", "mnist")]


def ratios(data: str, seed: int) -> Rows:
    """Task: the improvement ratios, exact for simulated data, else from the second moments of all rows."""
    if data == "simulated":
        rows: Rows = []
        for alpha in ALPHAS:
            ridge = improvement_ratios(kukliansky_shamir(1, D, alpha, "ridge", seed).moments)[0]
            lasso = improvement_ratios(kukliansky_shamir(1, D, alpha, "lasso", seed).moments)[1]
            rows.append({"data": f"simulated, alpha {alpha:g}", "ridge ratio": ridge, "lasso ratio": lasso})
        return rows
    ridge, lasso = improvement_ratios(np.mean(DATA[data]()[0].astype(np.float64) ** 2, axis=0))
    return [{"data": data, "ridge ratio": ridge, "lasso ratio": lasso}]


def claims(rows: Rows) -> list[Claim]:
    """Within a tenth, or one in the last printed digit: some of the printed ratios are cut off rather than rounded."""
    found = []
    for row in rows:
        for norm, printed in zip(("ridge", "lasso"), PRINTED[str(row["data"])], strict=True):
            ratio, published = float(row[f"{norm} ratio"]), float(printed)
            last_digit = 10.0 ** -len(printed.partition(".")[2]) if "." in printed else 0.0
            holds = abs(ratio - published) <= max(published / 10, last_digit if published < 0.1 else 0.0)
            text = f"Improvement ratio for {norm}, {row['data']}"
            found.append(Claim.with_verdict(text, printed, f"{ratio:.3g}", holds))
    return found


def table(rows: Rows) -> Rows:
    """All ratios."""
    return rows


RATIOS = Experiment(
    name="ratios",
    title="Improvement ratios: the possible gain of draws that follow the distribution",
    tasks=tasks,
    table=table,
    claims=claims,
    about="The ratio of the bounds with such draws and with uniform ones, from the second moments; 1 is no gain.",
    needs=DATA["mnist"],
)
