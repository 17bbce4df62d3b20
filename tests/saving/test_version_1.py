"""Files that earlier releases wrote are still read; ``version_1/`` holds some of them."""

import json
from pathlib import Path

import numpy as np
import pytest

from keyhole.saving import SavedPredictor, load_model

FOLDER = Path(__file__).with_name("version_1")
EXPECTED = json.loads((FOLDER / "expected.json").read_text())
STREAMING = [name for name, part in EXPECTED.items() if "after" in part]


def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 6))
    return X, X[:, 0] - 2 * X[:, 3] + 0.1 * rng.normal(size=120)


@pytest.mark.parametrize("name", [name for name in EXPECTED if name != "AESVR"])
def test_predictions_are_those_of_the_saved_model(name):
    X, _ = data()
    model = load_model(FOLDER / f"{name}.json")
    np.testing.assert_allclose(model.predict(X[100:]), EXPECTED[name]["predictions"], rtol=1e-10)
    assert isinstance(model, SavedPredictor) == (name not in STREAMING)


@pytest.mark.parametrize("name", STREAMING)
def test_a_streaming_learner_learns_on(name):
    X, y = data()
    model = load_model(FOLDER / f"{name}.json").partial_fit(X[100:], y[100:])
    np.testing.assert_allclose(model.predict(X[:10]), EXPECTED[name]["after"], rtol=1e-10)
    ask = model.ask()
    model.tell(ask, X[0, ask.attributes], y[0])


def test_aesvr():
    np.testing.assert_allclose(load_model(FOLDER / "AESVR.json").coef_, EXPECTED["AESVR"]["coef"], rtol=1e-12)


def damage(document, *keys, to):
    for key in keys[:-1]:
        document = document[key]
    if to is None:
        del document[keys[-1]]
    else:
        document[keys[-1]] = to


@pytest.mark.parametrize(
    ("keys", "to", "message"),
    [
        (["format"], "pickle", "not a Keyhole model"),
        (["version"], 3, "the file has version 3, and this Keyhole reads versions 1 and 2; a newer release is needed"),
        (["version"], None, "version None"),
        (["extra"], 1, "the model has the unknown 'extra'"),
        (["state", "rng"], None, "the state lacks 'rng'"),
        (["state", "more"], 1, "the state has the unknown 'more'"),
        (["state", "scales"], 7, "'scales' is 7, not named parts"),
        (["state", "weights", "shape"], [9, 3], r"float64 \[9, 3\]; it must be of float64 \[6, 3\]"),
        (["state", "weights", "dtype"], "float32", "'weights' is an array of float32"),
        (["state", "weights", "values"], [0.0] * 17, "'weights' must hold 18 numbers of type float64"),
        (["state", "weights", "values"], [True] * 18, "'weights' must hold 18 numbers"),
        (["state", "weights", "values"], ["1.0"] * 18, "'weights' must hold 18 numbers"),
        (["state", "rng", "values"], [1.5, 1, 1, 1], "'rng' must hold 4 numbers of type uint64"),
        (["state", "rng", "values"], [-1, 1, 1, 1], "out of bounds"),
        (["state", "marks", "values"], [7] * 6, "contradict"),
        (["state", "emphasis", "table", "alias", "values"], [10**9] * 6, "contradict"),
        (["state", "tree", "values"], [1.0] * 16, "contradict"),
        (["params", "budget"], 1, "budget=1: DDAERR needs at least 2"),
        (["params", "budgte"], 1, "'params' has the unknown 'budgte'"),
        (["learner"], "os.system", "no streaming learner is called 'os.system'"),
        (["coef"], [1.0], "'coef' has 1 entries for 6 attributes"),
        (["coef"], "text", "'coef' is 'text', which is of the wrong type"),
        (["n_features"], True, "'n_features' is True"),
        (["observed", "cells"], 1.5, "'observed' must hold 5 numbers"),
        (["observed", "per_attribute"], [1], "'per_attribute' must hold 6"),
    ],
)
def test_each_damage_has_its_own_message(keys, to, message, tmp_path):
    path = tmp_path / "model.json"
    document = json.loads((FOLDER / "DDAERR.json").read_text())
    damage(document, *keys, to=to)
    path.write_text(json.dumps(document))
    with pytest.raises(ValueError, match=message) as caught:
        load_model(path)
    assert str(caught.value).startswith(str(path))


def test_files_that_are_no_models(tmp_path):
    path = tmp_path / "model.json"
    text = (FOLDER / "AERR.json").read_text()
    for part in ("", text[: len(text) // 2], "[" * 100_000, '{"a": NaN}', "\udcff"):
        path.write_text(part, errors="surrogateescape")
        with pytest.raises(ValueError, match="not a whole Keyhole model file"):
            load_model(path)
    path.write_text("[]")
    with pytest.raises(ValueError, match="not a Keyhole model"):
        load_model(path)
