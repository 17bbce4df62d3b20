import numpy as np
import pytest

from keyhole.datasets import blogfeedback


def test_without_the_file_it_says_what_to_put_where(tmp_path, monkeypatch):
    monkeypatch.setenv("KEYHOLE_DATA", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"blogfeedback\.npz or blogData_train\.csv is not in .* Put there"):
        blogfeedback()


def test_labels_are_logarithms(tmp_path, monkeypatch):
    X = np.arange(6, dtype=np.float32).reshape(3, 2)
    np.savez(tmp_path / "blogfeedback.npz", Xtr=X, ytr=np.float32([0, 1, 99]), Xte=X[:1], yte=np.float32([9]))
    monkeypatch.setenv("KEYHOLE_DATA", str(tmp_path))
    posts = blogfeedback()
    np.testing.assert_array_equal(posts.X, X)
    np.testing.assert_allclose(posts.y, np.log([1, 2, 100]), rtol=1e-12)
    np.testing.assert_allclose(posts.y_test, np.log([10]), rtol=1e-12)


def test_the_files_of_uci(tmp_path, monkeypatch):
    monkeypatch.setenv("KEYHOLE_DATA", str(tmp_path))
    (tmp_path / "blogData_train.csv").write_text("1.5,2,0\n3,4,9\n")
    with pytest.raises(FileNotFoundError, match=r"no blogData_test-\*\.csv beside it"):
        blogfeedback()
    (tmp_path / "blogData_test-2012.02.02.csv").write_text("7,8,1\n")
    (tmp_path / "blogData_test-2012.02.01.csv").write_text("5,6,3\n")
    posts = blogfeedback()
    np.testing.assert_array_equal(posts.X, [[1.5, 2], [3, 4]])
    np.testing.assert_array_equal(posts.X_test, [[5, 6], [7, 8]])
    np.testing.assert_allclose(posts.y_test, np.log([4, 2]), rtol=1e-12)
