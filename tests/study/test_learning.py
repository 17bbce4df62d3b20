"""The model of a study is a pure function of its log."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_breast_cancer

import keyhole as kh
from keyhole.study.learning import fingerprint

X, Y = load_breast_cancer(return_X_y=True)
NAMES = [f"t{i}" for i in range(X.shape[1])]


def values(ask, row):
    return {name: X[row, NAMES.index(name)] for name in ask.names}


def made(path, n=120, order=None, **settings):
    """A study of the first patients, told in some order, without renewals."""
    study = kh.Study.create(path, "s", NAMES, seed=0, renewals="by hand", **settings)
    study.add_examples(range(n))
    asks = study.ask_many(n)
    for k in range(n) if order is None else order:
        study.tell(asks[k], values(asks[k], k), Y[k])
    return study


def test_with_every_cell_it_is_the_model_of_fit(tmp_path):
    model = made(tmp_path / "s.db").model()
    fitted = kh.KeyholeRegressor(random_state=0).fit(X[:120], Y[:120])
    np.testing.assert_allclose(model.coef_, fitted.coef_, rtol=1e-9, atol=1e-12)
    assert model.observed_.total == fitted.observed_.total == 120 * 30


def test_the_order_in_which_results_come_does_not_matter(tmp_path):
    one = made(tmp_path / "one.db", budget=4)
    other = made(tmp_path / "other.db", budget=4, order=np.random.default_rng(0).permutation(120).tolist())
    assert fingerprint(one.model()) == fingerprint(other.model())


def test_results_one_by_one_with_late_labels_give_the_same_model(tmp_path):
    together = made(tmp_path / "together.db", n=60, budget=4)
    apart = kh.Study.create(tmp_path / "apart.db", "s", NAMES, seed=0, budget=4, renewals="by hand")
    apart.add_examples(range(60))
    asks = apart.ask_many(60)
    for k, ask in enumerate(asks[::2]):
        apart.label(ask.example, Y[2 * k])
    for k, ask in reversed(list(enumerate(asks))):
        for name, value in reversed(values(ask, k).items()):
            apart.tell(ask, {name: value})
    for k, ask in enumerate(asks):
        apart.label(ask.example, Y[k])
    assert fingerprint(together.model()) == fingerprint(apart.model())


def test_renewals_are_replayed_by_a_fresh_program(tmp_path):
    study = kh.Study.create(tmp_path / "s.db", "s", NAMES, budget=4, seed=1, renewals="by hand")
    watermarks = {}
    for k in range(200):
        ask = study.ask(f"p{k}")
        assert ask is not None
        study.tell(ask, values(ask, k), Y[k])
        if study.renew():
            watermarks[study.history()[-1]["events"]] = study.history()[-1]["fingerprint"]
    assert len(watermarks) >= 2
    last = study.ask("p200")
    assert last is not None
    assert last.model == study.history()[-1]["model"]
    assert last.design > 0
    again = kh.Study.open(tmp_path / "s.db")
    for watermark, wanted in watermarks.items():
        assert fingerprint(again.model(upto=watermark)) == wanted
    assert again.verify() == []


def test_the_policy_of_a_study_learns_as_well_as_that_of_a_learner(tmp_path):
    """Both ask for four of thirty tests of 300 patients; draws differ, so errors do by chance."""
    study = kh.Study.create(tmp_path / "s.db", "s", NAMES, budget=4, seed=2, renewals="by hand")
    for k in range(300):
        ask = study.ask(f"p{k}")
        assert ask is not None
        study.tell(ask, values(ask, k), Y[k])
        study.renew()
    rest = np.arange(300, len(X))
    errors = [
        np.mean((model.predict(X[rest]) - Y[rest]) ** 2)
        for model in [study.model(), *(kh.KeyholeRegressor(4, random_state=s).fit(X[:300], Y[:300]) for s in range(5))]
    ]
    spread = np.std(errors[1:], ddof=1)
    assert errors[0] < np.mean(errors[1:]) + 4 * spread


def test_found_values_are_learned_from_and_not_asked_for(tmp_path):
    study = kh.Study.create(tmp_path / "s.db", "s", NAMES, budget=4, seed=0, renewals="by hand")
    study.add_examples(range(80))
    for k in range(80):
        study.tell_found(k, {"t0": X[k, 0], "t7": X[k, 7]})
        ask = study.ask(k)
        assert ask is not None
        assert not {"t0", "t7"} & set(ask.names)
        study.tell(ask, values(ask, k), Y[k])
    cells = study.model().cells_
    assert cells.n_examples == 80
    assert np.sum(cells.given) == 160
    assert study.status()["spent or reserved"] == 320


def test_an_example_with_found_values_alone_is_learned_from(tmp_path):
    study = made(tmp_path / "s.db", n=60, budget=4)
    study.add_examples(["old record"])
    study.tell_found("old record", {"t0": 14.0, "t1": 20.0}, label=0)
    model = study.model()
    assert model.cells_.n_examples == 61
    assert np.isfinite(model.coef_).all()


def test_what_is_not_obtainable_is_missing_and_what_is_awaited_waits(tmp_path):
    study = made(tmp_path / "s.db", n=60, budget=4)
    study.add_examples(["a", "b", "c"])
    a, b, c = study.ask_many(3)
    study.tell(a, {a.names[0]: 1.0}, label=1, not_obtainable=dict.fromkeys(a.names[1:], "refused"))
    study.tell(b, {b.names[0]: 1.0}, label=1)
    study.tell(c, {c.names[0]: 1.0}, label=1)
    study.cancel(c, "the patient has moved")
    model = study.model()
    assert model.cells_.n_examples == 62  # b waits for three values
    assert len(model.cells_.missing_rows) == 6
    assert study.status()["spent or reserved"] == 60 * 4 + 1 + 4 + 1


def test_classes_choices_dates_and_free_attributes(tmp_path):
    rng = np.random.default_rng(0)
    attributes = [
        kh.Attribute("colour", kind="choice", choices=("red", "blue", "green")),
        kh.Attribute("since", kind="date"),
        kh.Attribute("smoker", kind="yes/no"),
        kh.Attribute("iron", cost=2.0, unit="µmol/l"),
        kh.Attribute("age", free=True),
    ]
    study = kh.Study.create(
        tmp_path / "s.db",
        "s",
        attributes,
        budget=3,
        learner=kh.KeyholeClassifier(),
        classes=["ill", "well"],
        seed=0,
        renewals="by hand",
    )
    for k in range(120):
        ill = bool(rng.random() < 0.5)
        every = {
            "colour": "red" if ill else str(rng.choice(["blue", "green"])),
            "since": f"2026-01-{int(rng.integers(1, 29)):02d}",
            "smoker": bool(rng.random() < 0.5),
            "iron": float(rng.normal(14 - 4 * ill, 2)),
            "age": int(rng.integers(20, 80)),
        }
        ask = study.ask(f"p{k}")
        assert ask is not None
        assert "age" in ask.names
        assert ask.cost <= 3
        study.tell(ask, {name: every[name] for name in ask.names}, label="ill" if ill else "well")
    model = study.model()
    assert list(model.classes_) == ["ill", "well"]
    assert model.error_at(2).estimate < 0.3
    assert study.verify() == []
    assert str(study.enough(0.9)).startswith("With 120 examples the error is 0.")
    assert study.enough(0.9).compared_with == "the most frequent class"
