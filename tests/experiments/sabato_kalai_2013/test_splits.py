"""Splits and losses are what they say."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.helpers import experiment
from keyhole.experiments.sabato_kalai_2013 import comparison, fig8, splits
from keyhole.experiments.sabato_kalai_2013.splits import CT, CT_FRAGMENT, FACES, face_parts, method_losses, random_parts
from keyhole.judgments import MultiSelector


def test_the_label_is_no_attribute_and_no_face_is_on_both_sides(faces):
    parts = random_parts(FACES, 0, label="age")
    assert parts.seen.attributes == ["happy", "smart", "cute", "weight", "smug"]
    assert len(parts.y) == len(parts.y_unseen) == 20
    assert not set(parts.seen.objects) & set(parts.unseen.objects)
    face = int(parts.unseen.objects[3])
    assert parts.y_unseen[3] == pytest.approx(faces.judgments[face, 0].mean())
    assert sorted(parts.unseen.values[3, 1]) == pytest.approx(sorted(faces.judgments[face, 2]))
    assert len(random_parts(FACES, 0, 7, "age").y) == 7


def test_a_smaller_budget_gets_its_own_choice(faces):
    parts = face_parts(faces, "age", 20, np.random.default_rng(1))
    rows = method_losses(parts, [3, 8])
    for row in rows:
        selector = MultiSelector.as_printed(row["budget"], method=str(row["learner"]).lower(), max_repeats=24)
        selector.fit_arrays(parts.seen.first(2), parts.y)
        assert row["attributes"] == np.count_nonzero(selector.repeats_)
        assert row["loss"] == pytest.approx(splits.loss_of(parts, selector.repeats_))


def test_the_ct_simulation_needs_the_file(tmp_path, monkeypatch):
    monkeypatch.setenv("KEYHOLE_DATA", str(tmp_path))
    for name, missing in (("fig3", "slice_localization_data"), ("fig8", "slice_localization_data")):
        with pytest.raises(FileNotFoundError, match=missing):
            experiment("sabato-kalai-2013", name).needs()
    for name in ("fig3-fragment", "fig8-fragment"):
        with pytest.raises(FileNotFoundError, match=r"ct_slice_fragment\.npz"):
            experiment("sabato-kalai-2013", name).needs()


def test_the_ct_simulation_runs_where_the_file_is(ct_file, monkeypatch, tmp_path):
    monkeypatch.setattr(splits, "MOST_SLICES", 300)
    parts = random_parts(CT, 0)
    assert parts.seen.values.shape == (150, 48, 80)
    at = np.flatnonzero(np.isclose(ct_file[:, -1], parts.y[0]))[0]
    assert np.isin(parts.seen.values[0, 0], ct_file[at, 1:9]).all()  # judgments of a slice are its own bins
    rows = comparison.compared(CT, [5, 20], [0])
    assert [row["learner"] for row in rows[::2]] == ["Full", "Scoring", "Averages", "Copies"]
    rows = fig8.few_or_many(CT, "full", [2000], n_splits=2, seed=0)
    assert [(row["k"], row["objects"]) for row in rows] == [(2, 20), (3, 13), (4, 10), (6, 6), (8, 5)]
    np.savez(tmp_path / "ct_slice_fragment.npz", X=ct_file[:, 1:-1], y=ct_file[:, -1], patient=ct_file[:, 0])
    assert random_parts(CT_FRAGMENT, 0).seen.values.shape == (200, 48, 80)
