import numpy as np
import pytest

from keyhole.datasets import mnist_pair


def test_without_the_file_it_says_what_to_put_where(tmp_path, monkeypatch):
    monkeypatch.setenv("KEYHOLE_DATA", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(
        FileNotFoundError,
        match=r"mnist\.npz is not in .* failed \(.*\)\. Put there an \.npz file with X \(70000, 784\)",
    ):
        mnist_pair(3, 5)


def test_a_pair_from_a_file(tmp_path, monkeypatch):
    X, y = np.arange(40, dtype=np.uint8).reshape(10, 4), np.arange(10, dtype=np.uint8)
    np.savez(tmp_path / "mnist.npz", X=X, y=y)
    monkeypatch.setenv("KEYHOLE_DATA", str(tmp_path))
    images, labels = mnist_pair(5, 3)
    np.testing.assert_array_equal(labels, [1, -1])
    np.testing.assert_allclose(images, X[[3, 5]] / 255, rtol=1e-6)


@pytest.mark.parametrize("digits", [(3, 3), (3, 10), (-1, 2)])
def test_digits(digits):
    with pytest.raises(ValueError, match="two different ones from 0 to 9"):
        mnist_pair(*digits)
