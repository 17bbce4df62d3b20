"""Models as JSON: what is loaded predicts and goes on learning as the saved one would have."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge

from keyhole import AELR, AER, AERR, AESVR, DDAELR, DDAERR, Attribute, Baseline, KeyholeError
from keyhole.saving import SavedPredictor, load_model, save_model

D = 10
LEARNERS = [
    AER(4, random_state=1),
    AER(4, reg=2.0, scaling="none", random_state=1),
    Baseline(4, radius=0.5, random_state=1),
    AERR(4, random_state=1),
    AERR(np.int64(4), radius=np.float64(2), n_expected=200, scaling="none", random_state=np.random.RandomState(3)),
    AELR(4, random_state=1),
    AESVR(8, random_state=1),
    DDAERR(4, warmup=20, random_state=1),  # the warm-up is over when it is saved
    DDAERR(4, warmup=150, random_state=1),  # and here it ends after it was loaded
    DDAELR(4, moments=np.arange(1, D + 1), scaling="none", keep_ledger=True, random_state=1),
    DDAELR(4, random_state=1),
]


def data(n=300, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, D))
    return X, X[:, 0] - 2 * X[:, 3] + 0.1 * rng.normal(size=n)


def arrays(state):
    for part in state:
        yield from [part] if isinstance(part, np.ndarray) else arrays(part)


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_a_loaded_learner_goes_on_exactly_as_the_saved_one(learner, tmp_path):
    X, y = data()
    learner.fit(X[:100], y[:100])
    save_model(learner, tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    assert type(loaded) is type(learner)
    np.testing.assert_array_equal(loaded.predict(X), learner.predict(X))

    for twin in (learner, loaded):
        twin.partial_fit(X[100:200], y[100:200])
        for t in range(200, 230):
            ask = twin.ask()
            values = [None if t == 210 else X[t, i] for i in ask.attributes]  # one could not be had
            twin.tell(ask, values, y[t])
        twin.partial_fit(X[230:], y[230:])
    for one, two in zip(arrays(learner.state_), arrays(loaded.state_), strict=True):
        np.testing.assert_array_equal(one, two)
    np.testing.assert_array_equal(loaded.coef_, learner.coef_)
    assert loaded.intercept_ == learner.intercept_
    assert repr(loaded.observed_) == repr(learner.observed_)
    assert loaded.observed_.total == learner.observed_.total
    assert loaded.n_skipped_ == learner.n_skipped_ == 1
    np.testing.assert_array_equal(loaded.observed_.per_attribute, learner.observed_.per_attribute)


def test_a_state_with_a_former_name_of_a_field_is_read(tmp_path):
    X, y = data()
    path, learner = tmp_path / "model.json", DDAERR(4, warmup=50, random_state=0).fit(X, y)
    save_model(learner, path)
    document = json.loads(path.read_text())
    document["state"] = {"emphasis" if k == "distribution" else k: v for k, v in document["state"].items()}
    path.write_text(json.dumps(document))
    loaded = load_model(path)
    for one, two in zip(arrays(learner.state_), arrays(loaded.state_), strict=True):
        np.testing.assert_array_equal(one, two)


def test_the_file_is_plain_json_that_others_can_read(tmp_path):
    X, y = data()
    names = [f"test {i}" for i in range(D)]
    learner = AER(4, random_state=1).fit(pd.DataFrame(X, columns=names), y)
    save_model(learner, tmp_path / "model.json")

    def refuse(constant):
        raise AssertionError(constant)

    document = json.loads((tmp_path / "model.json").read_text(), parse_constant=refuse)
    assert (document["format"], document["version"], document["learner"]) == ("keyhole-model", 1, "AER")
    assert document["feature_names"] == names
    np.testing.assert_array_equal(document["coef"], learner.coef_)
    assert document["state"]["rng"] == {
        "dtype": "uint64",
        "shape": [4],
        "values": [int(word) for word in learner.state_.rng],
    }
    assert document["observed"]["cells"] == learner.observed_.distinct
    loaded = load_model(tmp_path / "model.json")
    with pytest.raises(ValueError, match="feature names"):
        loaded.predict(pd.DataFrame(X, columns=names[::-1]))
    assert [path.name for path in tmp_path.iterdir()] == ["model.json"]


def test_what_is_known_of_attributes_is_kept(tmp_path):
    described = [Attribute("glucose", unit="mmol/l", low=0), *(f"a{i}" for i in range(4))]
    learner = AERR(4, random_state=0).start(described)
    save_model(learner, tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    assert loaded.attributes_ == learner.attributes_
    ask = loaded.ask()
    while 0 not in ask.attributes:
        ask = loaded.ask()
    with pytest.raises(ValueError, match="glucose"):
        loaded.tell(ask, np.full(len(ask.attributes), -1.0), 1.0)


def test_a_model_without_a_state_is_a_predictor_and_says_so(tmp_path):
    X, y = data()
    ridge = Ridge(alpha=2.0).fit(X, y)
    save_model(ridge, tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    assert isinstance(loaded, SavedPredictor)
    assert loaded.learner == "Ridge"
    assert loaded.params["alpha"] == 2.0
    np.testing.assert_allclose(loaded.predict(X), ridge.predict(X), rtol=1e-12)
    assert loaded.score(X, y) > 0.9
    for method in (loaded.fit, loaded.partial_fit):
        with pytest.raises(KeyholeError, match=r"Ridge was loaded .* predicts only"):
            method(X, y)
    save_model(loaded, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == (tmp_path / "model.json").read_text()


def test_rivals_come_back_with_what_they_observed(tmp_path):
    rivals = pytest.importorskip("keyhole.rivals")
    X, y = data()
    rival = rivals.CompleteRows(4, random_state=0).fit(X, y)
    save_model(rival, tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    np.testing.assert_allclose(loaded.predict(X), rival.predict(X), rtol=1e-12)
    assert loaded.observed_.distinct == rival.observed_.distinct
    assert loaded.observed_.cost == rival.observed_.cost


def test_a_failed_save_leaves_the_earlier_file(tmp_path):
    X, y = data()
    path = tmp_path / "model.json"
    save_model(AERR(4, random_state=0).fit(X, y), path)
    before = path.read_bytes()
    ridge = Ridge(copy_X=object()).set_params(copy_X=object())
    ridge.coef_, ridge.intercept_, ridge.n_features_in_ = np.ones(2), 0.0, 2
    with pytest.raises(ValueError, match="copy_X"):
        save_model(ridge, path)
    with pytest.raises(ValueError, match="not fitted"):
        save_model(AERR(4), path)
    with pytest.raises(FileNotFoundError):
        save_model(AERR(4).fit(X, y), tmp_path / "nowhere" / "model.json")
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def damage(document, *keys, to):
    for key in keys[:-1]:
        document = document[key]
    if to is None:
        del document[keys[-1]]
    else:
        document[keys[-1]] = to


@pytest.mark.parametrize(
    ("keys", "to", "complaint"),
    [
        (["format"], "pickle", "not a Keyhole model"),
        (["version"], 2, "version 2; this Keyhole reads version 1"),
        (["version"], None, "version None"),
        (["extra"], 1, "the model has the unknown 'extra'"),
        (["state", "rng"], None, "the state lacks 'rng'"),
        (["state", "more"], 1, "the state has the unknown 'more'"),
        (["state", "scales"], 7, "'scales' is 7, not named parts"),
        (["state", "weights", "shape"], [9, 3], r"float64 \[9, 3\]; it must be of float64 \[10, 3\]"),
        (["state", "weights", "dtype"], "float32", "'weights' is an array of float32"),
        (["state", "weights", "values"], [0.0] * 29, "'weights' must hold 30 numbers of type float64"),
        (["state", "weights", "values"], [True] * 30, "'weights' must hold 30 numbers"),
        (["state", "weights", "values"], ["1.0"] * 30, "'weights' must hold 30 numbers"),
        (["state", "rng", "values"], [1.5, 1, 1, 1], "'rng' must hold 4 numbers of type uint64"),
        (["state", "rng", "values"], [-1, 1, 1, 1], "out of bounds"),
        (["state", "marks", "values"], [7] * D, "contradict"),
        (["state", "distribution", "table", "alias", "values"], [10**9] * D, "contradict"),
        (["state", "tree", "values"], [1.0] * 32, "contradict"),
        (["params", "budget"], 1, "budget=1: DDAERR needs at least 2"),
        (["params", "budgte"], 1, "'params' has the unknown 'budgte'"),
        (["learner"], "os.system", "no streaming learner is called 'os.system'"),
        (["coef"], [1.0], "'coef' has 1 entries for 10 attributes"),
        (["coef"], "text", "'coef' is 'text', which is of the wrong type"),
        (["n_features"], True, "'n_features' is True"),
        (["observed", "cells"], 1.5, "'observed' must hold 5 numbers"),
        (["observed", "per_attribute"], [1], "'per_attribute' must hold 10"),
    ],
)
def test_each_damage_has_its_own_message(keys, to, complaint, tmp_path):
    X, y = data()
    path = tmp_path / "model.json"
    save_model(DDAERR(4, warmup=20, random_state=0).fit(X, y), path)
    document = json.loads(path.read_text())
    damage(document, *keys, to=to)
    path.write_text(json.dumps(document))
    with pytest.raises(ValueError, match=complaint) as caught:
        load_model(path)
    assert str(caught.value).startswith(str(path))


def test_files_that_are_no_models(tmp_path):
    X, y = data()
    path = tmp_path / "model.json"
    save_model(AERR(4, random_state=0).fit(X, y), path)
    text = path.read_text()
    for part in ("", text[: len(text) // 2], "[" * 100_000, '{"a": NaN}', "\udcff"):
        path.write_text(part, errors="surrogateescape")
        with pytest.raises(ValueError, match="not a whole JSON file"):
            load_model(path)
    path.write_text("[]")
    with pytest.raises(ValueError, match="not a Keyhole model"):
        load_model(path)
    with pytest.raises(FileNotFoundError):
        load_model(tmp_path / "none.json")
