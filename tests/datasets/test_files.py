"""Where files are looked for, what is downloaded, and what is said when there is neither."""

import inspect

import numpy as np
import pytest
import sklearn.datasets
from sklearn.utils._param_validation import validate_parameter_constraints

from keyhole.datasets import covertype, ct_slices, face_judgments, mnist_pair
from keyhole.datasets.files import find_file

FETCH_OPENML, FETCH_COVTYPE = sklearn.datasets.fetch_openml, sklearn.datasets.fetch_covtype  # before they are replaced


def allowed(fetch, **settings):
    """Raise if scikit-learn would refuse these settings."""
    inspect.signature(fetch).bind(**settings)
    validate_parameter_constraints(fetch._skl_parameter_constraints, settings, fetch.__name__)


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.delenv("KEYHOLE_DATA", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def test_the_given_folder_comes_before_the_cache(home, tmp_path, monkeypatch):
    cache, given = home / ".cache" / "keyhole", tmp_path / "given"
    for folder in (cache, given):
        folder.mkdir(parents=True)
        (folder / "a.npz").touch()
    assert find_file("a.npz", "a file") == cache / "a.npz"
    monkeypatch.setenv("KEYHOLE_DATA", str(given))
    assert find_file("a.npz", "a file") == given / "a.npz"


def test_a_download_is_kept_and_not_repeated(home, monkeypatch):
    X, y = np.arange(40.0).reshape(10, 4), np.arange(10).astype(str)
    calls = []

    def fake(name, **settings):
        allowed(FETCH_OPENML, name=name, **settings)
        calls.append((name, settings["version"]))
        return X, y

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fake)
    for _ in range(2):
        images, labels = mnist_pair(3, 5)
    assert calls == [("mnist_784", 1)]
    np.testing.assert_allclose(images, X[[3, 5]] / 255, rtol=1e-6)
    np.testing.assert_array_equal(labels, [-1, 1])
    assert [path.name for path in (home / ".cache" / "keyhole").iterdir()] == ["mnist.npz"]


def test_covertype_is_scaled_and_has_two_labels(home, monkeypatch):
    X, y = np.array([[10.0, 3, 0], [20, 3, 1], [30, 3, 0]]), np.array([1, 2, 7])

    def fake(**settings):
        allowed(FETCH_COVTYPE, **settings)
        return X, y

    monkeypatch.setattr("sklearn.datasets.fetch_covtype", fake)
    scaled, labels = covertype()
    np.testing.assert_allclose(scaled, [[0, 0, 0], [0.5, 0, 1], [1, 0, 0]])
    np.testing.assert_array_equal(labels, [-1, 1, -1])


@pytest.mark.parametrize(
    ("load", "message"),
    [
        (covertype, r"covertype\.npz is not in .*download failed .*Put there an \.npz file with X \(581012, 54\)"),
        (ct_slices, r"slice_localization_data\.csv .*is not in .*Put there slice_localization_data\.csv of https"),
        (face_judgments, r"omi_judgments_a\.npz is not in .*Put there an \.npz file with judgments"),
    ],
)
def test_what_is_missing_is_named(home, load, message):
    with pytest.raises(FileNotFoundError, match=message):
        load()
    assert not (home / ".cache").exists()


def test_a_download_that_breaks_off_leaves_nothing(home):
    class Half:
        def __array__(self, *args, **kwargs):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        find_file("a.npz", "a file", lambda: {"X": Half()})
    assert list((home / ".cache" / "keyhole").iterdir()) == []
