"""Files of costs and bundles."""

import pytest

from keyhole.errors import BadValue
from keyhole.judgments import read_costs


@pytest.fixture
def costs_of(tmp_path):
    """A function that writes a file of costs and reads it."""

    def read(text):
        path = tmp_path / "costs.csv"
        path.write_text(text)
        return read_costs(path)

    return read


def test_costs_and_bundles(costs_of):
    costs, bundles = costs_of("attribute,cost,bundle\ntall,4,\nmale,1.5,faces\nage,,faces\n")
    assert costs == {"tall": 4.0, "faces": 1.5}
    assert bundles == {"faces": ["male", "age"]}
    assert costs_of("attribute,cost\ntall,4\n") == ({"tall": 4.0}, {})


@pytest.mark.parametrize(
    ("last", "message"),
    [
        ("age,2,faces", "line 4: bundle 'faces' costs 2 here and 1.5 above; it is paid for once"),
        ("age,cheap,", "line 4, column 'cost': 'cheap' is not a number"),
        ("tall,2,", "line 4: the cost of 'tall' was given before"),
        ("age,,", "line 4: attribute 'age' has no cost"),
        ("age,,screen", "there is no cost for bundle 'screen'"),
    ],
)
def test_rows_that_do_not_fit(costs_of, last, message):
    with pytest.raises(BadValue, match=message):
        costs_of(f"attribute,cost,bundle\ntall,4,\nmale,1.5,faces\n{last}\n")
