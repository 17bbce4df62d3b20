"""Arrays, frames, files and platform exports all give the same judgments."""

import builtins
import csv
import json

import numpy as np
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

from judgments.crowd import crowd
from keyhole.errors import BadValue
from keyhole.judgments import (
    Judgments,
    MultiSelector,
    as_judgments,
    read_costs,
    read_gold,
    read_judgments,
    read_label_studio,
    read_labels,
    read_mturk,
)
from keyhole.judgments.data.columns import Columns

TABLE, LABELS = crowd(0, objects=30, severity=0.0)


def write_csv(path, table):
    Columns(table).to_csv(path)
    return path


def same(left, right):
    return (
        np.array_equal(left.values, right.values, equal_nan=True)
        and left.objects == right.objects
        and left.attributes == right.attributes
        and left.workers == right.workers
        and np.array_equal(left.worker, right.worker)
    )


def test_every_kind_of_table_is_the_same(tmp_path):
    expected = as_judgments(TABLE)
    assert expected.values.shape == (30, 3, 4)
    frame = pandas.DataFrame(TABLE)
    assert same(as_judgments(frame), expected)
    assert same(as_judgments(polars.DataFrame(TABLE)), expected)
    assert same(as_judgments(pyarrow.table(TABLE)), expected)
    assert same(as_judgments(write_csv(tmp_path / "long.csv", TABLE)), expected)
    frame.to_parquet(tmp_path / "long.parquet")
    assert same(as_judgments(str(tmp_path / "long.parquet")), expected)
    assert same(as_judgments(expected.to_long()), expected)


def test_every_kind_of_labels_is_the_same(tmp_path):
    long = {"object": list(LABELS), "label": list(LABELS.values())}
    repeats = MultiSelector(5).fit(TABLE, LABELS).repeats_
    for labels in (
        pandas.Series(LABELS),
        pandas.DataFrame(long),
        polars.DataFrame(long),
        Columns(long),
        write_csv(tmp_path / "labels.csv", long),
    ):
        np.testing.assert_array_equal(MultiSelector(5).fit(TABLE, labels).repeats_, repeats)
    assert read_labels(tmp_path / "labels.csv") == LABELS


def test_uneven_cells_and_numeric_ids():
    table = {"object": [1, 1, 2.0, "2", 1], "attribute": ["a", "a", "a", "b", "b"], "value": [1, 2, 3, 4, ""]}
    found = as_judgments(table)
    assert found.objects == ["1", "2"]
    np.testing.assert_array_equal(found.counts, [[2, 0], [1, 1]])
    np.testing.assert_array_equal(found.values[0, 0], [1, 2])


def test_other_column_names(tmp_path):
    renamed = {
        "image": TABLE["object"],
        "question": TABLE["attribute"],
        "answer": TABLE["value"],
        "who": TABLE["worker"],
    }
    path = write_csv(tmp_path / "long.csv", renamed)
    names = {"object": "image", "attribute": "question", "value": "answer", "worker": "who"}
    assert same(read_judgments(path, names), as_judgments(TABLE))
    with pytest.raises(ValueError, match=r"needs the columns \['object', 'attribute', 'value'\].*'image'"):
        read_judgments(path)


def test_arrays_keep_their_present_judgments_first():
    values = np.array([[[np.nan, 1.0, 2.0]], [[3.0, np.nan, 4.0]]])
    np.testing.assert_array_equal(as_judgments(values).values, [[[1.0, 2.0]], [[3.0, 4.0]]])


def test_judgments_made_by_hand_are_checked_and_put_in_order():
    values = np.array([[[np.nan, 1.0, 2.0]], [[3.0, np.nan, 4.0]]])
    by_hand = Judgments(values, ["a", "b"], ["tall"], np.array([[[-1, 0, 1]], [[1, -1, 0]]]), ("v", "w"))
    found = as_judgments(by_hand)
    np.testing.assert_array_equal(found.values, [[[1.0, 2.0]], [[3.0, 4.0]]])
    np.testing.assert_array_equal(found.worker, [[[0, 1]], [[1, 0]]])
    assert as_judgments(found) is found
    with pytest.raises(ValueError, match="do not fit 1 objects and 1 attributes"):
        Judgments(values, ["a"], ["tall"])
    with pytest.raises(ValueError, match="worker has shape"):
        Judgments(values, ["a", "b"], ["tall"], np.zeros((2, 1)))


def label_studio_tasks():
    def annotation(number, who, results, **more):
        kinds = [
            {"from_name": name, "to_name": "img", "type": kind, "value": {kind: value}} for name, kind, value in results
        ]
        return {"id": number, "completed_by": who, "was_cancelled": False, "result": kinds, **more}

    first = [("tall", "rating", 4), ("male", "choices", ["Yes"]), ("age", "number", 31)]
    second = [("tall", "rating", 2), ("male", "choices", ["No"])]
    return [
        {
            "id": 7,
            "data": {"image": "a.jpg"},
            "annotations": [
                annotation(1, 10, first),
                annotation(2, {"id": 11, "email": "b@example.org"}, second),
                annotation(3, 12, second, was_cancelled=True),
                annotation(4, 13, [("tall", "rating", 5)], ground_truth=True),
            ],
        },
        {"id": 8, "data": {"image": "b.jpg"}, "annotations": [annotation(5, 10, second)]},
    ]


def test_label_studio(tmp_path):
    path = tmp_path / "export.json"
    path.write_text(json.dumps(label_studio_tasks()))
    found = read_judgments(path)
    assert found.objects == ["7", "8"]
    assert found.attributes == ["tall", "male", "age"]
    assert found.workers == ("10", "b@example.org")
    np.testing.assert_array_equal(found.counts, [[2, 2, 1], [1, 1, 0]])
    np.testing.assert_array_equal(found.values[0, 1], [1.0, 0.0])
    by_image = read_label_studio(path, object_key="image", attributes=["tall"])
    assert (by_image.objects, by_image.attributes) == (["a.jpg", "b.jpg"], ["tall"])
    truth = read_label_studio(path, ground_truth=True)
    assert truth.to_long()["value"] == [5.0]
    named = read_label_studio(path, attributes=["male"], choices={"Yes": 10, "No": -10})
    np.testing.assert_array_equal(named.values[0, 0], [10, -10])


def test_label_studio_says_what_it_cannot_read(tmp_path):
    path = tmp_path / "export.json"
    tasks = label_studio_tasks()
    tasks[0]["annotations"][0]["result"][1]["value"]["choices"] = ["Perhaps"]
    path.write_text(json.dumps(tasks))
    with pytest.raises(BadValue, match=r"task 7, annotation 1, control 'male': 'Perhaps' is not a number"):
        read_label_studio(path)
    tasks[0]["annotations"][0]["result"][1]["type"] = "rectanglelabels"
    path.write_text(json.dumps(tasks))
    with pytest.raises(BadValue, match=r"type 'rectanglelabels'.*attributes="):
        read_label_studio(path)
    path.write_text(json.dumps([{"id": 1, "image": "a.jpg", "tall": 4}]))
    with pytest.raises(BadValue, match="JSON-MIN"):
        read_label_studio(path)


def mturk_rows():
    return [
        ["HITId", "AssignmentStatus", "WorkerId", "Input.image_url", "Answer.tall", "Answer.male"],
        ["H1", "Approved", "W1", "a.jpg", "180", "true"],
        ["H1", "Submitted", "W2", "a.jpg", "175", "false"],
        ["H1", "Rejected", "W3", "a.jpg", "1", "true"],
        ["H2", "Approved", "W1", "b.jpg", "160", ""],
    ]


def write_rows(path, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def test_mturk_batch(tmp_path):
    path = write_rows(tmp_path / "Batch_1_batch_results.csv", mturk_rows())
    found = read_judgments(path)
    assert (found.objects, found.attributes, found.workers) == (
        ["a.jpg", "b.jpg"],
        ["tall", "male"],
        ("W1", "W2"),
    )
    np.testing.assert_array_equal(found.counts, [[2, 2], [1, 0]])
    np.testing.assert_array_equal(found.values[0], [[180, 175], [1, 0]])
    rows = mturk_rows()
    rows[2][4] = "huge"
    with pytest.raises(BadValue, match=r"line 3, column 'Answer.tall': 'huge' is not a number"):
        read_mturk(write_rows(path, rows))
    rows[0][0:1] = ["Input.other"]
    with pytest.raises(ValueError, match=r"object_column.*Input.other"):
        read_mturk(write_rows(path, rows))


def test_mturk_task_answers(tmp_path):
    answers = [{"tall": 180, "male": {"label": "yes"}}], [{"tall": "175", "male": {"yes": False, "no": True}}]
    rows = [["HITId", "WorkerId", "Input.image", "Answer.taskAnswers"]]
    rows += [["H1", f"W{i}", "a.jpg", json.dumps(answer)] for i, answer in enumerate(answers)]
    found = read_mturk(write_rows(tmp_path / "batch.csv", rows))
    np.testing.assert_array_equal(found.values[0], [[180, 175], [1, 0]])
    rows[1][3] = "{"
    with pytest.raises(BadValue, match=r"line 2, column 'Answer.taskAnswers'"):
        read_mturk(write_rows(tmp_path / "batch.csv", rows))


def test_costs_and_bundles(tmp_path):
    rows = [
        ["attribute", "cost", "bundle"],
        ["tall", "4", ""],
        ["male", "1.5", "faces"],
        ["age", "", "faces"],
    ]
    costs, bundles = read_costs(write_rows(tmp_path / "costs.csv", rows))
    assert costs == {"tall": 4.0, "faces": 1.5}
    assert bundles == {"faces": ["male", "age"]}
    rows[3][1] = "2"
    with pytest.raises(BadValue, match=r"line 4: bundle 'faces' costs 2 here and 1.5 above"):
        read_costs(write_rows(tmp_path / "costs.csv", rows))
    rows[3] = ["age", "cheap", ""]
    with pytest.raises(BadValue, match=r"line 4, column 'cost': 'cheap' is not a number"):
        read_costs(write_rows(tmp_path / "costs.csv", rows))
    rows[3] = ["tall", "2", ""]
    with pytest.raises(BadValue, match="line 4: the cost of 'tall' was given before"):
        read_costs(write_rows(tmp_path / "costs.csv", rows))


def test_gold(tmp_path):
    path = write_rows(tmp_path / "gold.csv", [["object", "attribute", "value"], ["a", "tall", "3"], ["b", "tall", "4"]])
    assert read_gold(path) == {("a", "tall"): 3.0, ("b", "tall"): 4.0}


def test_parquet_without_pyarrow_says_what_to_install(tmp_path, monkeypatch):
    pandas.DataFrame(TABLE).to_parquet(tmp_path / "long.parquet")
    plain_import = builtins.__import__

    def without_pyarrow(name, *rest, **more):
        if name.split(".")[0] == "pyarrow":
            raise ImportError(name)
        return plain_import(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without_pyarrow)
    with pytest.raises(ImportError, match=r"pip install keyhole\[data\]"):
        read_judgments(tmp_path / "long.parquet")


def test_results_go_into_frames():
    path = MultiSelector(5).fit(TABLE, LABELS).path_
    assert list(pandas.DataFrame(path).columns) == list(path)
    assert polars.DataFrame(path).shape == (5, 6)


def test_lines_are_counted_after_a_quoted_line_break(tmp_path):
    path = tmp_path / "judgments.csv"
    path.write_text('object,attribute,value\n"two\nlines",a,1\no2,a,x\n')
    with pytest.raises(ValueError, match="line 4, column 'value'"):
        read_judgments(path)


@pytest.mark.parametrize("reader", [read_judgments, read_mturk])
def test_text_that_is_not_utf8_is_named(tmp_path, reader):
    path = tmp_path / "judgments.csv"
    path.write_bytes("object,attribute,value\nköln,a,1\n".encode("latin-1"))
    with pytest.raises(ValueError, match=r"judgments.csv is not UTF-8 text"):
        reader(path)


@pytest.mark.parametrize("attributes", ["a", (name for name in ["a"])])
def test_attributes_to_read_are_a_name_or_any_iterable(tmp_path, attributes):
    path = tmp_path / "batch.csv"
    rows = [f"h{i},w{i % 2},o{i // 2},{i},{i}" for i in range(8)]
    path.write_text("HITId,WorkerId,Input.x,Answer.a,Answer.ab\n" + "\n".join(rows) + "\n")
    table = read_mturk(path, attributes=attributes)
    assert table.attributes == ["a"]
    assert table.counts.sum() == 8
