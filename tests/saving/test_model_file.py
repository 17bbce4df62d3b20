"""A file that is damaged in any way is one clear error; a failed save leaves the earlier file as it was."""

import io
import json
import os

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.linear_model import Ridge

import keyhole as kh
from keyhole.saving import load_model, save_model

D = 8


def data(n=200):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, D)) + rng.normal(size=(n, 1))
    return X, X[:, 0] - 2 * X[:, 3] + 0.1 * rng.normal(size=n)


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    """The bytes of a saved own learner, and of a streaming one."""
    X, y = data()
    found = {}
    for learner in (kh.KeyholeRegressor(3, keep_ledger=True, random_state=0), kh.DDAERR(4, warmup=20, random_state=0)):
        path = tmp_path_factory.mktemp("models") / "model"
        learner.fit(X, y).ask()
        save_model(learner, path)
        found[type(learner).__name__] = path.read_bytes()
    return found


def parts_of(content):
    with np.load(io.BytesIO(content), allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    return json.loads(arrays.pop("document").tobytes().decode()), arrays


def written(path, document, arrays):
    encoded = np.frombuffer(json.dumps(document).encode(), dtype=np.uint8)
    with open(path, "wb") as file:
        np.savez(file, document=encoded, **arrays)
    return path


def error_of(path):
    with pytest.raises(ValueError) as caught:
        load_model(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message


@pytest.mark.parametrize("name", ["KeyholeRegressor", "DDAERR"])
def test_a_file_that_was_cut_short(name, content, tmp_path):
    path = tmp_path / "model"
    for share in (0.0, 0.01, 0.3, 0.7, 0.99):
        path.write_bytes(content[name][: int(share * len(content[name]))])
        assert "not a whole Keyhole model file" in error_of(path)


def test_bytes_that_changed(content, tmp_path):
    whole = bytearray(content["KeyholeRegressor"])
    middle = len(whole) // 2  # of an archive: some single bytes there, such as those of a date, do not matter
    whole[middle : middle + 64] = bytes(byte ^ 0xFF for byte in whole[middle : middle + 64])
    (tmp_path / "model").write_bytes(bytes(whole))
    assert "not a whole Keyhole model file" in error_of(tmp_path / "model")


def test_a_newer_version(content, tmp_path):
    document, arrays = parts_of(content["DDAERR"])
    message = error_of(written(tmp_path / "m", document | {"version": 3}, arrays))
    assert "the file has version 3, and this Keyhole reads versions 1 and 2; a newer release is needed" in message


def test_a_pickled_array(content, tmp_path):
    class Harm:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "code was run"),)

    document, arrays = parts_of(content["DDAERR"])
    arrays["0"] = np.array([Harm()], dtype=object)
    assert "pickled array" in error_of(written(tmp_path / "m", document, arrays))
    assert not (tmp_path / "code was run").exists()


def test_a_wrong_shape_in_every_array(content, tmp_path):
    """Of every array of the file: one row more, or numbers of another type."""
    for name, whole in content.items():
        document, arrays = parts_of(whole)
        for key, array in arrays.items():
            longer = np.concatenate([array, array[:1]]) if array.ndim and len(array) else np.zeros((1, 1, 1))
            for damaged in (longer, array.astype(np.complex128)):
                path = written(tmp_path / "m", document, arrays | {key: damaged})
                if key in free_lengths(document) and damaged is longer:
                    continue
                assert any(part in error_of(path) for part in ("must be", "damaged")), (name, key)


def free_lengths(document):
    """The arrays that may have any length: notes of asks, attributes that a policy selected or always reveals."""
    state = document["state"]
    free = [ask["notes"] for ask in state["open_asks"]]
    if "policy" in state:
        policy = state["policy"]
        designs = [*policy["designs"], *state["ledger"]["designs"]]
        free += [*policy["selected"], *policy["offers"].values(), *(design["always"] for design in designs)]
    return {part["array"] for part in free if isinstance(part, dict)}


@pytest.mark.parametrize(
    ("name", "keys", "to", "message"),
    [
        ("DDAERR", ["format"], "pickle", "not a Keyhole model"),
        ("DDAERR", ["extra"], 1, "the model has the unknown 'extra'"),
        ("DDAERR", ["estimator"], "os.system", "estimator is 'os.system'; there are AELR"),
        ("DDAERR", ["params", "budget"], 1, "budget=1: DDAERR needs at least 2"),
        ("DDAERR", ["params", "budgte"], 1, "the parameters has the unknown 'budgte'"),
        ("DDAERR", ["n_features"], True, "n_features is True"),
        ("DDAERR", ["n_features"], 9, "it must be"),
        ("DDAERR", ["state", "rng"], 1, "the state has the unknown 'rng'"),
        ("DDAERR", ["state", "state", "weights"], {"array": "x"}, "it must be an array of the file"),
        (
            "DDAERR",
            ["state", "observed", "budget"],
            "four",
            "the meter.budget is 'four'; it must be",
        ),
        ("DDAERR", ["state", "open_asks"], 7, "the open asks is 7; it must be a list"),
        ("KeyholeRegressor", ["state", "solution", "family"], "magic", "the families are ridge, mean, factors"),
        ("KeyholeRegressor", ["state", "seed"], 1.5, "the seed is 1.5; it must be of type int"),
        ("KeyholeRegressor", ["state", "policy", "starts"], [0], "every design needs a start and a selection"),
        ("KeyholeRegressor", ["feature_names"], ["a"], "there must be 8 of them"),
    ],
)
def test_each_damage_has_its_own_message(name, keys, to, message, content, tmp_path):
    document, arrays = parts_of(content[name])
    part = document
    for key in keys[:-1]:
        part = part[key]
    part[keys[-1]] = to
    assert message in error_of(written(tmp_path / "m", document, arrays))


def test_indices_beyond_the_attributes(content, tmp_path):
    document, arrays = parts_of(content["KeyholeRegressor"])
    key = document["state"]["cells"]["attributes"]["array"]
    arrays[key] = arrays[key] + 100
    assert "does not exist among 8" in error_of(written(tmp_path / "m", document, arrays))


def test_a_state_that_contradicts_itself(content, tmp_path):
    document, arrays = parts_of(content["DDAERR"])
    key = document["state"]["state"]["tree"]["array"]
    arrays[key] = arrays[key] + 1.0
    assert "contradict" in error_of(written(tmp_path / "m", document, arrays))


def test_other_archives_and_files(tmp_path):
    np.savez(tmp_path / "other.npz", numbers=np.ones(3))
    assert "not a Keyhole model" in error_of(tmp_path / "other.npz")
    with pytest.raises(FileNotFoundError):
        load_model(tmp_path / "none")


def test_a_failed_save_leaves_the_earlier_file(tmp_path, monkeypatch):
    X, y = data()
    path = tmp_path / "model"
    save_model(kh.AERR(4, random_state=0).fit(X, y), path)
    before = path.read_bytes()
    ridge = Ridge().set_params(copy_X=object())
    ridge.coef_, ridge.intercept_, ridge.n_features_in_ = np.ones(2), 0.0, 2
    with pytest.raises(ValueError, match="copy_X=<object"):
        save_model(ridge, path)
    with pytest.raises(ValueError, match="not fitted"):
        save_model(kh.AERR(4), path)
    with pytest.raises(ValueError, match="a KMeans cannot be saved"):
        save_model(KMeans(2, n_init=1).fit(X), path)
    with pytest.raises(FileNotFoundError):
        save_model(kh.AERR(4).fit(X, y), tmp_path / "nowhere" / "model")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("the disk is full")))
    with pytest.raises(OSError, match="the disk is full"):
        save_model(kh.AERR(4).fit(X, y), path)
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_every_changed_byte_is_noticed_or_harmless(content, tmp_path):
    """A flipped byte is a clear error, or one of the archive's own notes that say nothing of the model."""
    whole = content["DDAERR"]
    saved = parts_of(whole)
    for at in range(0, len(whole), max(len(whole) // 150, 1)):
        damaged = bytearray(whole)
        damaged[at] ^= 0xFF
        path = tmp_path / "model"
        path.write_bytes(bytes(damaged))
        try:
            load_model(path)
        except ValueError as error:
            message = str(error)
        else:
            document, arrays = parts_of(bytes(damaged))
            assert document == saved[0]
            assert all(np.array_equal(arrays[name], saved[1][name], equal_nan=True) for name in saved[1])
            continue
        assert message.startswith(f"{path}: ")


def test_what_is_no_estimator(tmp_path):
    with pytest.raises(ValueError, match="save_model takes an estimator of Keyhole; got dict"):
        save_model({}, tmp_path / "m")
    (tmp_path / "m").write_bytes(b"")
    assert "it is empty" in error_of(tmp_path / "m")
