import numpy as np
import pytest
from scipy import sparse

import keyhole as kh
from keyhole.observe import ArraySource, CallableSource, as_source

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

X = np.array([[1.0, 0.0, 3.0], [0.0, 5.0, 6.0], [7.0, 8.0, 0.0]])


@pytest.mark.parametrize(
    "table",
    [
        X,
        X.tolist(),
        np.asfortranarray(X),
        X.astype(np.float16),
        X.astype(np.uint8),
        X.astype(object),
        sparse.csr_array(X),
        sparse.csr_matrix(X),
        sparse.coo_array(X),
        sparse.csc_array(X),
        pd.DataFrame(X, columns=list("abc")),
        pd.DataFrame({"a": X[:, 0], "b": X[:, 1].astype(int), "c": pd.array(X[:, 2], dtype="Float64")}),
        pl.DataFrame(X, schema=list("abc")),
        CallableSource(lambda example, attributes: X[example, attributes], 3, 3),
    ],
    ids=lambda table: f"{type(table).__module__}.{type(table).__name__}",
)
def test_every_kind_of_table_reads_the_same(table):
    source = as_source(table)
    assert (source.n_examples, len(source.attributes)) == (3, 3)
    for example in range(3):
        for attributes in ([0], [2, 0], [1, 2, 0], []):
            chosen = np.array(attributes, dtype=np.int64)
            values = np.array(source.read(example, chosen), dtype=float)
            np.testing.assert_array_equal(values, X[example, chosen])


def test_unsorted_and_repeated_sparse_entries():
    data, indices, indptr = np.array([1.0, 2.0, 3.0, 4.0]), np.array([2, 0, 2, 1]), np.array([0, 3, 4])
    matrix = sparse.csr_array((data, indices, indptr), shape=(2, 3))
    source = as_source(matrix)
    np.testing.assert_array_equal(source.read(0, np.arange(3)), [2, 0, 4])
    np.testing.assert_array_equal(matrix.indices, [2, 0, 2, 1])  # the caller's matrix is left alone


def test_one_numeric_block_of_pandas_is_not_copied():
    frame = pd.DataFrame(X, columns=list("abc"))
    source = as_source(frame)
    assert np.shares_memory(source.table, frame.to_numpy())
    assert [a.name for a in source.attributes] == list("abc")


def test_a_source_of_ones_own():
    class Diagonal:
        n_examples = 50
        attributes = kh.observe.PlainAttributes(5)

        def read(self, example, attributes):
            return [float(i == example % 5) for i in attributes]

    learner = kh.AERR(3, random_state=0).fit(Diagonal(), np.arange(50) % 5)
    assert learner.n_features_in_ == 5


def test_a_function_alone_is_no_table():
    with pytest.raises(ValueError, match=r"give keyhole\.CallableSource\(function, n_examples, attributes\)"):
        as_source(lambda example, attributes: X[example, attributes])


@pytest.mark.parametrize("attributes", ["abc", [], 0, -3])
def test_attributes_that_are_none(attributes):
    with pytest.raises(ValueError, match="attributes"):
        kh.AERR(2).start(attributes)


def test_shapes_and_kinds_that_are_no_tables():
    with pytest.raises(ValueError, match="Expected 2D array, got 1D array"):
        as_source(np.zeros(3))
    with pytest.raises(ValueError, match="Complex data not supported"):
        as_source(np.zeros((2, 2), dtype=complex))
    with pytest.raises(ValueError, match="2 attributes are described, but the table has 3 columns"):
        ArraySource(X, [kh.Attribute("a"), kh.Attribute("b")])


def test_arrays_of_text_and_dates_are_refused_unless_declared():
    words, dates = np.array([["a", "b"], ["b", "a"]]), np.array([["2020-01-01"], ["2020-01-03"]], dtype="datetime64[s]")
    with pytest.raises(ValueError, match="column 'x0' has the type <U1 of the array, which is not of numbers"):
        as_source(words)
    with pytest.raises(
        ValueError, match=r"column 'x0' has the type datetime64\[s\] of the array: dates are taken where"
    ):
        as_source(dates)
    choices = [kh.Attribute(name, kind="choice", choices=("a", "b")) for name in ("one", "two")]
    assert ArraySource(words, choices).read(0, np.array([1, 0])).tolist() == ["b", "a"]
    with pytest.raises(ValueError, match="column 'two' has the type"):
        ArraySource(words, [choices[0], kh.Attribute("two")])
    assert ArraySource(dates, [kh.Attribute("since", kind="date")]).table is None


def test_fitted_attributes_describe_any_table():
    fitted = [kh.Attribute("colour", kind="choice", choices=("red", "blue")), kh.Attribute("age")]
    objects = np.array([["blue", 3]], dtype=object)
    by_call = CallableSource(lambda t, some: objects[t, some], 1, 2)
    for table in (objects, pd.DataFrame({"colour": ["blue"], "age": [3]}), by_call):
        source = as_source(table, fitted)
        assert list(source.attributes) == fitted
        assert list(source.read(0, np.array([1, 0]))) == [3, "blue"]


def test_a_wide_memmap_is_not_read(tmp_path):
    """20,000 x 100,000 float32 (8 GB, sparse on disk) with every cell outside the first rows a hole."""
    table = np.memmap(tmp_path / "wide.dat", dtype=np.float32, mode="w+", shape=(20_000, 100_000))
    table[:50, ::1000] = np.random.default_rng(0).normal(size=(50, 100))
    learner = kh.AERR(5, random_state=0).fit(table, np.random.default_rng(1).normal(size=20_000))
    assert learner.observed_.n_examples == 20_000
    assert learner.observed_.max_per_example <= 5
    blocks = (tmp_path / "wide.dat").stat().st_blocks * 512
    assert blocks < 200e6
