"""Six months of a simulated clinic: which four measurements should the next patient have?

    python examples/clinic.py [FOLDER]

The 569 patients of the breast cancer data walk in at two sites, 76 a month. Of each, four of 30 measurements are
made; one in ten is not obtainable. Whether a tumour is malignant (1) or benign (-1) is known one month later. The
study is kept in FOLDER/study.db (a temporary folder by default), as it would be between visits.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer

import keyhole as kh

MONTHS, PATIENTS_A_MONTH, BUDGET, NOT_OBTAINABLE = 6, 76, 4, 0.1
SITES = ("North", "South")


def main(folder: Path) -> None:
    rng = np.random.default_rng(0)
    data = load_breast_cancer()
    order = rng.permutation(len(data.data))
    patients, malignant = data.data[order], 1.0 - 2.0 * data.target[order]
    names = [str(name).replace(" ", "_") for name in data.feature_names]
    number = {name: i for i, name in enumerate(names)}

    total = BUDGET * PATIENTS_A_MONTH * MONTHS
    study = kh.Study.create(
        folder / "study.db", "clinic", names, budget=BUDGET, total=total, seed=0, renewals="by hand"
    )
    for site in SITES:
        study.add_person(site)
    study.close()

    first = 0  # the first patient of the month
    for month in range(MONTHS):
        study = kh.Study.open(folder / "study.db", "clinic", renewals="by hand")  # as on any morning
        for i in range(first, first + PATIENTS_A_MONTH):
            site = SITES[i % 2]
            ask = study.ask(f"patient {i}", person=site)
            if ask is None:
                break
            refused = {name: "refused" for name in ask.names if rng.random() < NOT_OBTAINABLE}
            values = {name: patients[i, number[name]] for name in ask.names if name not in refused}
            study.tell(ask, values, not_obtainable=refused, person=site)
        for i in range(max(0, first - PATIENTS_A_MONTH), first):  # the labels of last month's patients
            study.label(f"patient {i}", malignant[i])
        first += PATIENTS_A_MONTH
        designs = study.renew()
        state = study.status()
        print(
            f"month {month + 1}: {state['examples']} patients, {state['labels']} labels, {state['values']} values,"
            f" {state['spent or reserved']:g} of {total} spent, {designs} new designs"
        )
        study.close()

    study = kh.Study.open(folder / "study.db", "clinic", renewals="by hand")
    for i in range(first - PATIENTS_A_MONTH, first):
        study.label(f"patient {i}", malignant[i])
    study.renew()
    print("\n" + study.why(ask))
    print("\n" + str(study.not_obtainable(most=2)))
    for row in study.history():
        error, spent = f"{row['error']:.2f} ± {row['standard error']:.2f}", row["spent or reserved"]
        print(f"\nmodel {row['model']}: squared error {error} after {spent:g} measurements", end="")
    model = study.model()
    new = slice(first, None)  # patients who were never in the study
    predicted = model.predict(kh.ArraySource(patients[new], study.attributes))
    wrong = np.mean(np.sign(predicted) != malignant[new])
    print(f"\n\n{len(predicted)} new patients, fully measured: squared error", end=" ")
    print(f"{np.mean((predicted - malignant[new]) ** 2):.2f}, wrong for {wrong:.0%} of them")
    print("\n" + str(study.enough(0.25)))
    print("\n" + study.protocol())
    wrong_counts = study.verify()
    print("\n" + ("\n".join(wrong_counts) or "Everything that is stored agrees with the log."))
    study.close()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as temporary:
            main(Path(temporary))
