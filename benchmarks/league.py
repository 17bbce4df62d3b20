"""Measures every learner and rival on nineteen real tables, and writes docs/league.md from the results.

    python benchmarks/league.py --jobs 16                       measures what is missing, and prints a summary
    python benchmarks/league.py --only boston --methods KeyholeRegressor CompleteRows ScreenedPanel --budgets 4
    python benchmarks/league.py --again KeyholeRegressor        drops the results of one method, and measures it again
    python benchmarks/league.py --page                          measures nothing; writes the page and the picture

Results are written as they come, and what is there is not measured again, so that a run can be interrupted at any
time. The file league.npz must lie in $KEYHOLE_DATA.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from league.methods import METHODS
from league.protocol import BUDGETS, TABLES, attributes_of
from league.results import RESULTS, Record, read_results, remove_results
from league.run import run, tasks_of
from league.summary import Standings, shape_of
from league.tables import summary, times


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n")[0], epilog=f"Methods: {', '.join(METHODS)}. Tables: {', '.join(TABLES)}."
    )
    parser.add_argument("--only", nargs="+", choices=TABLES, metavar="TABLE", default=TABLES, help="these tables")
    parser.add_argument("--methods", nargs="+", choices=METHODS, metavar="METHOD", default=tuple(METHODS))
    parser.add_argument("--budgets", nargs="+", choices=BUDGETS, default=BUDGETS, help="eighth: of the attributes")
    parser.add_argument("--splits", type=int, help="of each table; by default 10, and 40 below 1,000 rows")
    parser.add_argument("--jobs", type=int, default=1, help="processes, each on one thread")
    parser.add_argument("--minutes", type=float, help="after so many no further task begins")
    parser.add_argument(
        "--again",
        nargs="+",
        choices=METHODS,
        metavar="METHOD",
        default=(),
        help="first drop the results of these, on the given tables and budgets; if interrupted, continue without it",
    )
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file of results, JSON lines")
    parser.add_argument("--page", action="store_true", help="write the page and the picture, and measure nothing")
    return parser.parse_args(given)


def is_asked_again(record: Record, asked: argparse.Namespace) -> bool:
    if record["method"] not in asked.again or record["table"] not in asked.only:
        return False
    d = shape_of(record["table"])[1]
    return record["budget"] in (None, *(attributes_of(budget, d) for budget in asked.budgets))


def main(given: list[str] | None = None) -> None:
    asked = arguments(given)
    if not asked.page:
        if asked.again:
            n = remove_results(asked.results, lambda record: is_asked_again(record, asked))
            print(f"{n} results of {', '.join(asked.again)} were dropped")
        tasks = tasks_of(asked.results, asked.only, asked.budgets, asked.methods, asked.splits)
        run(asked.results, tasks, asked.jobs, asked.minutes)
    standings = Standings(read_results(asked.results))
    print(times(standings), summary(standings), sep="\n\n")
    if asked.page:
        from league.page import write_page

        write_page(standings)


if __name__ == "__main__":
    main()
