"""All figures and tables of docs/judgments.md, with one command:

    python benchmarks/judgments/run.py --data FOLDER

The folder holds omi_judgments_a.npz and slice_localization_data.csv (UCI) or a fragment of it. Sections of
the page between <!-- name --> and <!-- end of name --> are replaced; --only name runs one of them.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import crowd
import ct
import faces
import joblib
import selection_speed

from keyhole.datasets import face_judgments
from keyhole.experiments.runner.provenance import SHORT, code_hash

sys.path.insert(0, str(Path(__file__).parent.parent))
from pages import DOCS, FIGURES, write


def kept(name: str, splits: int, measure: Callable[[], Any]) -> Any:
    """What was measured before by the same code, or what is measured now: so a picture can be drawn again at once."""
    file = DOCS.parent / ".cache" / "judgments" / f"{name}, {splits} splits, {code_hash()[:SHORT]}.joblib"
    if not file.exists():
        found = measure()
        file.parent.mkdir(parents=True, exist_ok=True)
        joblib.dump(found, file)
    return joblib.load(file)


def faces_section(splits: int, jobs: int) -> str:
    losses, names = kept("faces", splits, lambda: faces.run(splits, jobs)), face_judgments().attributes
    faces.draw(losses, FIGURES / "judgments_faces.png")
    return faces.summary(losses, names) + "\n\n" + faces.by_label(losses, names)


def ct_section(folder: Path, splits: int) -> str:
    path = ct.find(folder)
    losses, slices = kept(f"ct {path.stem}", splits, lambda: ct.compare(path, splits))
    found = kept(f"tradeoff {path.stem}", splits, lambda: ct.how_many_each(path, splits))
    ct.draw(losses, slices, found, FIGURES)
    return ct.summary(losses, slices) + "\n\n" + ct.tradeoff_table(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("KEYHOLE_DATA"), help="folder with the data")
    parser.add_argument("--splits", type=int, default=50, help="random halves for faces and CT slices")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time, for faces")
    parser.add_argument("--only", choices=("faces", "ct", "speed", "crowd"))
    arguments = parser.parse_args()
    os.environ["KEYHOLE_DATA"] = str(arguments.data or "")
    FIGURES.mkdir(parents=True, exist_ok=True)
    sections = {
        "speed": selection_speed.summary,
        "crowd": crowd.summary,
        "ct": lambda: ct_section(arguments.data, arguments.splits),
        "faces": lambda: faces_section(arguments.splits, arguments.jobs),
    }
    for name, section in sections.items():
        if arguments.only in (None, name):
            text = section()
            print(f"{name}\n{text}\n")
            write(DOCS / "judgments.md", {name: text})


if __name__ == "__main__":
    main()
