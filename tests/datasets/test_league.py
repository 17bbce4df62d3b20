"""The real tables from one file."""

import numpy as np
import pytest

from keyhole.datasets import league_table, league_tables
from keyhole.datasets.files import folders

THERE = any((folder / "league.npz").is_file() for folder in folders())


def test_without_the_file_it_says_what_to_put_where(home):
    with pytest.raises(
        FileNotFoundError, match=r"league\.npz is not in .* Put there an \.npz file with the arrays NAME_X"
    ):
        league_table("boston")


def test_a_table_that_is_not_one_of_them():
    with pytest.raises(ValueError, match=r"name='bosten': there are the tables 'ames', 'baseball', .*'visits'"):
        league_table("bosten")


def test_a_table_from_a_file(tmp_path, monkeypatch):
    X = np.arange(6, dtype=np.float32).reshape(3, 2)
    np.savez(tmp_path / "league.npz", boston_X=X, boston_y=np.float32([1, 2, 3]), ames_X=X)
    monkeypatch.setenv("KEYHOLE_DATA", str(tmp_path))
    table = league_table("boston")
    assert table.X.dtype == table.y.dtype == np.float64
    np.testing.assert_array_equal(table.X, X)
    np.testing.assert_array_equal(table.y, [1, 2, 3])
    assert table.source == league_tables()["boston"] == ("MASS::Boston", "medv")
    with pytest.raises(FileNotFoundError, match=r"league\.npz has no array ames_y\. It should be"):
        league_table("ames")


@pytest.mark.skipif(not THERE, reason="league.npz is not in $KEYHOLE_DATA nor in ~/.cache/keyhole")
@pytest.mark.parametrize("name", league_tables())
def test_the_real_tables_are_whole(name):
    X, y, source = league_table(name)
    assert len(X) == len(y) >= 150
    assert X.shape[1] >= 10
    assert np.isfinite(X).all()
    assert np.isfinite(y).all()
    assert y.std() > 0
    assert "::" in source.item
