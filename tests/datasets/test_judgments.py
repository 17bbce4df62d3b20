"""Impressions of faces from a file."""

import numpy as np

from keyhole.datasets import face_judgments


def test_judgments_from_a_file(tmp_path, monkeypatch):
    judgments = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
    np.savez(tmp_path / "omi_judgments_a.npz", judgments=judgments, attributes=np.array(["age", "happy"]))
    monkeypatch.setenv("KEYHOLE_DATA", str(tmp_path))
    faces = face_judgments()
    assert faces.attributes == ["age", "happy"]
    assert faces.judgments.dtype == np.float64
    np.testing.assert_array_equal(faces.judgments, judgments)
