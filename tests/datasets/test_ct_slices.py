"""CT slices from a file, and judgments simulated from them."""

import numpy as np
import pytest

from keyhole.datasets import ct_slices
from keyhole.datasets.ct_slices import load_ct_slices, simulated_judgments
from keyhole.errors import BadValue


def write(path, table):
    header = ",".join(["patientId", *(f"value{at}" for at in range(table.shape[1] - 2)), "reference"])
    np.savetxt(path, table, delimiter=",", header=header, comments="")


def test_the_csv_of_uci(tmp_path, monkeypatch):
    monkeypatch.setenv("KEYHOLE_DATA", str(tmp_path))
    table = np.random.default_rng(0).normal(size=(5, 386))
    table[:, 0] = [0, 0, 1, 1, 2]
    write(tmp_path / "slice_localization_data.csv", table)
    slices = ct_slices()
    np.testing.assert_allclose(slices.X, table[:, 1:-1])
    np.testing.assert_allclose(slices.y, table[:, -1])
    np.testing.assert_array_equal(slices.patient, [0, 0, 1, 1, 2])


def test_bad_files_are_refused(tmp_path):
    write(tmp_path / "narrow.csv", np.zeros((3, 10)))
    with pytest.raises(BadValue, match=r"narrow\.csv: 10 columns; the CT file has patientId, 384 values, reference"):
        load_ct_slices(tmp_path / "narrow.csv")
    X = np.zeros((3, 384))
    X[1, 7] = np.nan
    np.savez(tmp_path / "holes.npz", X=X, y=np.zeros(3), patient=np.zeros(3))
    with pytest.raises(BadValue, match=r"holes\.npz holds values that are not finite"):
        load_ct_slices(tmp_path / "holes.npz")


def test_a_judgment_is_one_of_eight_adjacent_bins():
    X = np.arange(32.0).reshape(2, 16)
    judgments = simulated_judgments(X, 200, random_state=0)
    assert judgments.shape == (2, 2, 200)
    for row in range(2):
        for attribute in range(2):
            assert set(judgments[row, attribute]) == set(X[row, 8 * attribute : 8 * attribute + 8])
    with pytest.raises(ValueError, match="9 bins do not make attributes of 8 adjacent ones"):
        simulated_judgments(np.zeros((1, 9)), 2)
