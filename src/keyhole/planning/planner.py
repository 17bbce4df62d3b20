"""Plans: designs of a study compared at equal cost, by simulation from a pilot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..common.parameters import ParameterError, check_positive, check_whole, is_number, is_whole
from .curve_points import learning_curves
from .designs import KEYHOLE, PANEL, ROWS, Design, designs_within
from .on_pilot import Check, checks_of, designs_on, factors_of
from .pilot import Pilot, read_pilot
from .result import Plan
from .settings import CURVE_EVERY, LEAST_EXAMPLES, PARTS, WORLDS
from .simulate import Task, simulate
from .worlds.world import draw_worlds

LEARNERS = (KEYHOLE, ROWS, PANEL)
ON_PILOT = -1.0


def plan(
    pilot: Any,
    label: Any,
    total: float | Sequence[float],
    *,
    costs: Any = None,
    few: int = 4,
    target: float | None = None,
    max_examples: int | None = None,
    learners: Sequence[str] = LEARNERS,
    drop: Sequence[str] = (),
    n_worlds: int = WORLDS,
    n_jobs: int | None = None,
    random_state: int = 0,
) -> Plan:
    """Compare designs of a study at equal cost, given a pilot.

    Worlds that the pilot may have come from are drawn from a model of its attributes and labels. In each of them, every
    design is simulated: it learns from as many examples as it can pay for, and predicts new ones.

    Parameters
    ----------
    pilot : array-like, data frame, Source, str or pathlib.Path
        The pilot, at least 12 examples, with NaN where a test was not made; or the path of a CSV or Parquet file.
        Columns hold numbers, or two values (text, truth values, categories), which are taken as yes or no.
    label : str or array-like of shape (n_examples,)
        The column to predict, or the labels themselves. Labels are numbers, or two classes.
        Examples without a label are left out.
    total : float or sequence of float
        The most that the whole study may cost; or several totals.
    costs : array-like, dict or list of Attribute, default=None
        What each test costs: a number for each, by name for some, or descriptions, which may have bundles. None: 1
        each, so that totals count tests. Costs of the label and of columns that are left out are ignored.
    few : int, default=4
        Predictions from few attributes use so many.
    target : float, default=None
        The error to reach, as a share of the label's variance.
    max_examples : int, default=None
        The most examples that there are.
    learners : sequence of str, default=("KeyholeRegressor", "complete rows", "screened panel")
        The learners to compare.
    drop : sequence of str, default=()
        Columns to leave out.
    n_worlds : int, default=16
        The number of worlds; more make intervals steadier, and take longer.
    n_jobs : int, default=None
        The number of processes; None or -1 for as many as there are cores.
    random_state : int, default=0
        The seed; the same seed gives the same plan.

    Returns
    -------
    Plan
        Errors of all designs with intervals, the best design, those that cannot be told apart from it, learning curves,
        a picture and a paragraph for the protocol.

    Raises
    ------
    ParameterError
        If the pilot or a parameter cannot be planned with; the message says what would be right.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from keyhole import planning
    >>> X, y = load_diabetes(return_X_y=True)
    >>> found = planning.plan(X[:40], y[:40], total=300, n_worlds=4, learners=["complete rows"], n_jobs=1)
    >>> print(found.best())
    complete rows, 10 x 30
    """
    totals = _totals(total)
    check_whole("plan", "few", few, 1)
    check_whole("plan", "n_worlds", n_worlds, 4)
    check_whole("plan", "random_state", random_state, 0)
    if max_examples is not None:
        check_whole("plan", "max_examples", max_examples, LEAST_EXAMPLES)
    if target is not None and (not is_number(target) or not 0 < target < 1):
        raise ParameterError("target", "a share of the label's variance is wanted, between 0 and 1", target)
    if isinstance(learners, str) or not learners or any(name not in LEARNERS for name in learners):
        raise ParameterError("learners", f"a list is wanted, of some of {', '.join(map(repr, LEARNERS))}", learners)
    if n_jobs is not None and (not is_whole(n_jobs) or n_jobs == 0 or n_jobs < -1):
        raise ParameterError("n_jobs", "1 or more processes, or -1 for as many as there are cores", n_jobs)
    known = read_pilot(pilot, label, costs, drop)
    few = min(few, known.n_attributes)
    chosen = tuple(learners)
    designs = {one: designs_within(known, one, max_examples, chosen) for one in totals}
    parts = _parts(known, totals, max_examples, chosen)
    errors, checks = simulated(known, designs, parts, few, n_worlds, np.random.default_rng(random_state), n_jobs)
    return Plan(
        n_pilot=known.n_examples,
        n_attributes=known.n_attributes,
        share_present=float(np.mean(~np.isnan(known.values))),
        label_variance=float(known.labels.var()),
        row_price=known.row_price,
        unit_costs=known.unit_costs,
        few=few,
        target=target,
        random_state=random_state,
        designs=designs,
        errors={one: np.array([errors[i, one] for i in range(n_worlds)]) for one in totals},
        curves=learning_curves(designs, parts, errors, n_worlds, range(0, n_worlds, CURVE_EVERY)),
        checks=checks,
        max_examples=max_examples,
    )


def simulated(
    pilot: Pilot,
    designs: dict[float, list[Design]],
    parts: dict[float, list[Design]],
    few: int,
    n_worlds: int,
    rng: np.random.Generator,
    n_jobs: int | None,
) -> tuple[dict[tuple[int, float], np.ndarray], list[Check]]:
    """The errors of all designs by world and total, moved by what the pilot itself shows, and what it shows.

    ``parts`` are designs for learning curves, which are simulated in a part of the worlds.
    """
    worlds = draw_worlds(pilot, n_worlds, rng)
    seeds = rng.integers(2**31, size=n_worlds)
    wanted = [design for found in designs.values() for design in found]
    small = designs_on(pilot, wanted)
    # Designs that are on the pilot alone are simulated as those of one more total, which is none.
    only_there = {ON_PILOT: [design for design in small if design not in wanted]}
    tasks = [
        Task((i, one), worlds[i], tuple(found), int(seeds[i]))
        for i in range(n_worlds)
        for one, found in [*(designs | only_there).items(), *(parts.items() if i % CURVE_EVERY == 0 else ())]
        if found
    ]
    errors = simulate(tasks, pilot.attributes, few, n_jobs)
    by_worlds = {
        design: np.mean([errors[i, one][at] for i in range(n_worlds)], axis=0)
        for one, found in (designs | only_there).items()
        for at, design in enumerate(found)
    }
    checks = checks_of(pilot, {design: by_worlds[design] for design in small}, few, rng, n_jobs)
    factors = {one: factors_of(found, checks) for one, found in (designs | parts).items()}
    return {(i, one): errors[i, one] * factors[one] for i, one in errors if one in factors}, checks


def _totals(total: Any) -> list[float]:
    given = list(total) if isinstance(total, list | tuple | np.ndarray) else [total]
    if not given:
        raise ParameterError("total", "a cost above 0 is wanted, or several", total)
    for one in given:
        check_positive("plan", "total", one)
    return sorted({float(one) for one in given})


def _parts(
    pilot: Pilot, totals: list[float], max_examples: int | None, learners: tuple[str, ...]
) -> dict[float, list[Design]]:
    """Designs for parts of the largest total, as far as these pay for any; only those that can be chosen."""
    found = {}
    for part in PARTS:
        total = part * totals[-1]
        try:
            designs = designs_within(pilot, total, max_examples, learners)
        except ParameterError:
            continue
        if total not in totals:
            found[total] = [design for design in designs if design.can_be_chosen]
    return found
