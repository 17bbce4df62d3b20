"""All figures and tables of docs/judgments.md, with one command:

    python benchmarks/judgments/run.py --data FOLDER

The folder holds omi_judgments_a.npz and slice_localization_data.csv (UCI) or a fragment of it. Sections of
the page between <!-- name --> and <!-- end of name --> are replaced; --only name runs one of them.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import crowd
import ct
import faces
import selection_speed

from keyhole.datasets import face_judgments

sys.path.insert(0, str(Path(__file__).parent.parent))
from pages import DOCS, FIGURES, write


def faces_section(splits: int) -> str:
    losses, names = faces.run(splits), face_judgments().attributes
    faces.draw(losses, FIGURES / "judgments_faces.png")
    return faces.summary(losses, names) + "\n\n" + faces.by_label(losses, names)


def ct_section(folder: Path, splits: int) -> str:
    path = ct.find(folder)
    losses, slices = ct.compare(path, splits)
    found = ct.how_many_each(path, splits)
    ct.draw(losses, slices, found, FIGURES)
    return ct.summary(losses, slices) + "\n\n" + ct.tradeoff_table(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("KEYHOLE_DATA"), help="folder with the data")
    parser.add_argument("--splits", type=int, default=50, help="random halves for faces and CT slices")
    parser.add_argument("--only", choices=("faces", "ct", "speed", "crowd"))
    arguments = parser.parse_args()
    os.environ["KEYHOLE_DATA"] = str(arguments.data or "")
    FIGURES.mkdir(parents=True, exist_ok=True)
    sections = {
        "speed": selection_speed.summary,
        "crowd": crowd.summary,
        "ct": lambda: ct_section(arguments.data, arguments.splits),
        "faces": lambda: faces_section(arguments.splits),
    }
    for name, section in sections.items():
        if arguments.only in (None, name):
            text = section()
            print(f"{name}\n{text}\n")
            write(DOCS / "judgments.md", {name: text})


if __name__ == "__main__":
    main()
