"""Rows made up for the tests of Kukliansky and Shamir's figures, and the smallest effort of a task."""

from __future__ import annotations

RIVALS = {"complete rows": 10_000, "screened panel": 10_000}
SMALL = {"n_folds": 2, "n_reference": 1, "up_to": RIVALS | {"KeyholeRegressor": 0}}
PUBLISHED = {"AERR": 0.5, "DDAERR": 0.3, "two": 0.4, "online": 0.32, "ridge": 0.2}


def made_up(**errors):
    """Two repeats at two sizes for each learner, whose errors are given."""
    names = {"two": "Two-Phased DDAERR", "online": "online ridge"}
    return [
        {
            "learner": names.get(name, name),
            "repeat": repeat,
            "attributes": size,
            "error": error + 0.001 * repeat,
            "settings": "",
        }
        for name, error in errors.items()
        for repeat in (0, 1)
        for size in (100, 200)
    ]
