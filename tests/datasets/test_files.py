"""Where files are looked for, what is downloaded, and what is said when there is neither."""

import numpy as np
import pytest

from keyhole.datasets import covertype, ct_slices, face_judgments, mnist_pair
from keyhole.datasets.files import find_file


def test_the_given_folder_comes_before_the_cache(home, tmp_path, monkeypatch):
    cache, given = home / ".cache" / "keyhole", tmp_path / "given"
    for folder in (cache, given):
        folder.mkdir(parents=True)
        (folder / "a.npz").touch()
    assert find_file("a.npz", "a file") == cache / "a.npz"
    monkeypatch.setenv("KEYHOLE_DATA", str(given))
    assert find_file("a.npz", "a file") == given / "a.npz"


def test_a_download_is_kept_and_not_repeated(home, allowed, monkeypatch):
    X, y = np.arange(40.0).reshape(10, 4), np.arange(10).astype(str)
    calls = []

    def fake(name, **settings):
        allowed("fetch_openml", name=name, **settings)
        calls.append((name, settings["version"]))
        return X, y

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fake)
    for _ in range(2):
        images, labels = mnist_pair(3, 5)
    assert calls == [("mnist_784", 1)]
    np.testing.assert_allclose(images, X[[3, 5]] / 255, rtol=1e-6)
    np.testing.assert_array_equal(labels, [-1, 1])
    assert [path.name for path in (home / ".cache" / "keyhole").iterdir()] == ["mnist.npz"]


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
