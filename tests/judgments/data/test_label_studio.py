"""Exports of Label Studio."""

import json

import numpy as np
import pytest

from keyhole.common.parameters import ParameterError
from keyhole.errors import BadValue
from keyhole.judgments import read_judgments, read_label_studio


def tasks():
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


@pytest.fixture
def written(tmp_path):
    """A function that writes an export and returns its path."""

    def write(content):
        path = tmp_path / "export.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return write


def test_an_export(written):
    path = written(tasks())
    table = read_judgments(path)
    assert table.objects == ["7", "8"]
    assert table.attributes == ["tall", "male", "age"]
    assert table.workers == ("10", "b@example.org")
    np.testing.assert_array_equal(table.counts, [[2, 2, 1], [1, 1, 0]])
    np.testing.assert_array_equal(table.values[0, 1], [1.0, 0.0])
    by_image = read_label_studio(path, object_key="image", attributes=["tall"])
    assert (by_image.objects, by_image.attributes) == (["a.jpg", "b.jpg"], ["tall"])
    assert read_label_studio(path, ground_truth=True).to_long()["value"] == [5.0]
    numbered = read_label_studio(path, attributes=["male"], choices={"Yes": 10, "No": -10})
    np.testing.assert_array_equal(numbered.values[0, 0], [10, -10])


def test_answers_without_a_number_are_named(written):
    export = tasks()
    result = export[0]["annotations"][0]["result"][1]
    result["value"]["choices"] = ["Perhaps"]
    with pytest.raises(BadValue, match=r"task 7, annotation 1, control 'male': 'Perhaps' is not a number.*choices"):
        read_label_studio(written(export))
    result["value"]["choices"] = ["Yes", "No"]
    with pytest.raises(BadValue, match=r"control 'male': \['Yes', 'No'\] is not one choice"):
        read_label_studio(written(export))
    result["type"] = "rectanglelabels"
    with pytest.raises(BadValue, match=r"type 'rectanglelabels' has no number.*number, rating or choices"):
        read_label_studio(written(export))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([{"id": 1, "image": "a.jpg", "tall": 4}], "task 1: there is no 'annotations'.*JSON-MIN"),
        ("{", "is not JSON"),
        ({"id": 1}, "is a list of tasks; this is a dict"),
        ([], "has no judgment of any control"),
    ],
)
def test_files_that_are_no_such_export(written, content, message):
    with pytest.raises(BadValue, match=message):
        read_label_studio(written(content))


def test_what_is_not_in_the_export_is_named(written):
    path = written(tasks())
    with pytest.raises(ParameterError, match=r"object_key='photo': .*task 7: data has only the fields \['image'\]"):
        read_label_studio(path, object_key="photo")
    with pytest.raises(BadValue, match=r"has no judgment of \['nose'\]"):
        read_label_studio(path, attributes=["nose"])
