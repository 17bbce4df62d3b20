"""Six writers on one study, killed at random for a minute, on SQLite and on PostgreSQL; what was lost or doubled.

    python benchmarks/study_kills.py [--seconds 60]

The third run also stops the PostgreSQL server without warning (``pg_ctl stop -m immediate``), six times.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "tests"))

from study.servers import PostgreSQL
from study.writers import Outcome, kill_writers


def report(name: str, outcome: Outcome) -> None:
    """One row of the table."""
    money = f"{outcome.spent:g} = {outcome.sum_of_cells:g}" if outcome.spent == outcome.sum_of_cells else "WRONG"
    print(
        f"| {name} | {outcome.kills} | {outcome.crashes} | {outcome.acknowledged:,} | {len(outcome.lost)}"
        f" | {len(outcome.doubled)} | {money} | {'; '.join(outcome.wrong) or 'clean'} | {outcome.died} |",
        flush=True,
    )
    for line in outcome.lost[:10]:
        print("lost:", line, flush=True)


def main() -> None:
    """Run all three, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--pause", type=float, default=0.3, help="mean seconds between two kills")
    seconds, pause = (vars(parser.parse_args())[name] for name in ("seconds", "pause"))
    print(f"Load of the machine at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors.\n")
    print("| database | kills | server crashes | acknowledged | lost | doubled | money = sum | verify | other ends |")
    print("|---|---|---|---|---|---|---|---|---|")
    clean = []
    with tempfile.TemporaryDirectory() as folder:
        outcome = kill_writers(f"sqlite:///{folder}/study.db", Path(folder), seconds, pause)
        report("SQLite", outcome)
        clean.append(outcome.is_clean)
    server = PostgreSQL()
    try:
        for crashes in (0, 6):

            def crash() -> None:
                server.stop("immediate")
                server.start()

            with tempfile.TemporaryDirectory() as folder:
                outcome = kill_writers(server.new_database(), Path(folder), seconds, pause, crash, crashes)
            report("PostgreSQL" + (", server stopped" if crashes else ""), outcome)
            clean.append(outcome.is_clean)
    finally:
        server.close()
    print(f"\nLoad at the end: {os.getloadavg()[0]:.1f}.")
    sys.exit(0 if all(clean) else 1)


if __name__ == "__main__":
    main()
