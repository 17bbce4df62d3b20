"""Batch files of Mechanical Turk."""

import csv
import json

import numpy as np
import pytest

from keyhole.common.parameters import ParameterError
from keyhole.errors import BadValue
from keyhole.judgments import read_judgments, read_mturk


def rows():
    return [
        ["HITId", "AssignmentStatus", "WorkerId", "Input.image_url", "Answer.tall", "Answer.male"],
        ["H1", "Approved", "W1", "a.jpg", "180", "true"],
        ["H1", "Submitted", "W2", "a.jpg", "175", "false"],
        ["H1", "Rejected", "W3", "a.jpg", "1", "true"],
        ["H2", "Approved", "W1", "b.jpg", "160", ""],
    ]


@pytest.fixture
def written(tmp_path):
    """A function that writes a batch and returns its path."""

    def write(lines):
        path = tmp_path / "batch.csv"
        with open(path, "w", newline="") as file:
            csv.writer(file).writerows(lines)
        return path

    return write


def test_a_batch(written):
    table = read_judgments(written(rows()))
    assert (table.objects, table.attributes, table.workers) == (["a.jpg", "b.jpg"], ["tall", "male"], ("W1", "W2"))
    np.testing.assert_array_equal(table.counts, [[2, 2], [1, 0]])
    np.testing.assert_array_equal(table.values[0], [[180, 175], [1, 0]])


def test_answers_without_a_number_are_named(written):
    batch = rows()
    batch[2][4] = "huge"
    with pytest.raises(BadValue, match=r"line 3, column 'Answer.tall': 'huge' is not a number"):
        read_mturk(written(batch))
    assert read_mturk(written(batch), choices={"huge": 250}).values[0, 0, 1] == 250


def test_the_column_of_the_object_must_be_named_where_there_are_several(written):
    batch = rows()
    batch[0][0] = "Input.other"
    with pytest.raises(ParameterError, match=r"object_column=None: .* one of \['Input.other', 'Input.image_url'\]"):
        read_mturk(written(batch))
    assert read_mturk(written(batch), object_column="Input.other").objects == ["H1", "H2"]
    with pytest.raises(ParameterError, match=r"object_column='Input.photo'"):
        read_mturk(written(batch), object_column="Input.photo")


def test_answers_as_json(written):
    answers = [{"tall": 180, "male": {"label": "yes"}}], [{"tall": "175", "male": {"yes": False, "no": True}}]
    batch = [["HITId", "WorkerId", "Input.image", "Answer.taskAnswers"]]
    batch += [["H1", f"W{i}", "a.jpg", json.dumps(answer)] for i, answer in enumerate(answers)]
    table = read_mturk(written(batch))
    np.testing.assert_array_equal(table.values[0], [[180, 175], [1, 0]])
    batch[1][3] = "{"
    with pytest.raises(BadValue, match=r"line 2, column 'Answer.taskAnswers': '{' is not a JSON list of one record"):
        read_mturk(written(batch))


def test_a_file_without_answers(written):
    with pytest.raises(BadValue, match=r"has no answer: answers are in columns 'Answer.<attribute>'"):
        read_mturk(written([row[:4] for row in rows()]))


@pytest.mark.parametrize("attributes", ["a", (name for name in ["a"])])
def test_attributes_to_read_are_a_name_or_any_iterable(written, attributes):
    batch = [["HITId", "WorkerId", "Input.x", "Answer.a", "Answer.ab"]]
    batch += [[f"h{i}", f"w{i % 2}", f"o{i // 2}", i, i] for i in range(8)]
    table = read_mturk(written(batch), attributes=attributes)
    assert table.attributes == ["a"]
    assert table.counts.sum() == 8


def test_text_that_is_not_utf8_is_named(tmp_path):
    path = tmp_path / "batch.csv"
    path.write_bytes("HITId,WorkerId,Input.x,Answer.a\nköln,w,o,1\n".encode("latin-1"))
    with pytest.raises(BadValue, match=r"batch.csv is not UTF-8 text"):
        read_mturk(path)
