"""Settings that are refused, before anything is made."""

from __future__ import annotations

import pytest

import keyhole as kh

NAMES = ["age", "pulse", "iron"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"attributes": []}, "must be a list of names"),
        ({"attributes": "age"}, "must be a list of names"),
        ({"attributes": ["age", "age"]}, "two attributes are called 'age'"),
        ({"attributes": ["age", 3]}, "3 is no attribute"),
        ({"attributes": ["label"]}, "'label' cannot be the name"),
        ({"attributes": [kh.Attribute("age", free=True)], "budget": None}, "every attribute is free"),
        ({"attributes": [kh.Attribute("a", cost=1 / 3), "b"]}, "at most six digits"),
        ({"budget": 0}, "budget=0"),
        ({"budget": 1.5}, "budget=1.5"),
        ({"total": 1}, "one example may cost 2, so this pays for none"),
        ({"total": -1}, "total=-1"),
        ({"budget": None, "total": 100}, "budget=3 asks for everything"),
        ({"lease": 0}, "lease=0"),
        ({"n_expected": 0}, "n_expected=0"),
        ({"seed": 0.5}, "seed=0.5"),
        ({"owner": " "}, "a person has a name"),
        ({"classes": ["a", "b"]}, "labels are numbers, unless the learner is a KeyholeClassifier"),
        ({"learner": kh.AERR(2)}, "the published learners choose each example's attributes"),
        ({"learner": kh.KeyholeRegressor(budget=3)}, "budget is given to Study.create"),
        ({"name": ""}, "a study has a name"),
        ({"renewals": "sometimes"}, "renewals='sometimes'"),
    ],
)
def test_wrong_settings(tmp_path, changed, message):
    settings = {"url": tmp_path / "s.db", "name": "s", "attributes": NAMES, "budget": 2} | changed
    url, name, attributes = (settings.pop(key) for key in ("url", "name", "attributes"))
    with pytest.raises(ValueError, match=message):
        kh.Study.create(url, name, attributes, **settings)
    if message != "renewals='sometimes'":
        assert not (tmp_path / "s.db").exists()


def test_a_study_that_exists_is_not_made_again_and_one_that_does_not_is_named(tmp_path):
    kh.Study.create(tmp_path / "s.db", "s", NAMES, budget=2)
    with pytest.raises(kh.StudyError, match="there is a study 's' already"):
        kh.Study.create(tmp_path / "s.db", "s", NAMES, budget=2)
    with pytest.raises(kh.StudyError, match=r"there is no study 'z'; the studies there are: 's'"):
        kh.Study.open(tmp_path / "s.db", "z")
    with pytest.raises(kh.StudyError, match="there is no such file"):
        kh.Study.open(tmp_path / "other.db", "s")
    assert not (tmp_path / "other.db").exists()
    kh.Study.create(tmp_path / "s.db", "second", NAMES, budget=2)
    with pytest.raises(kh.StudyError, match=r"it holds 2 studies \(s, second\); name one"):
        kh.Study.open(tmp_path / "s.db")


def test_a_budget_for_everything_asks_for_everything(tmp_path):
    study = kh.Study.create(tmp_path / "s.db", "s", NAMES, budget=3)
    assert study.ask("p").names == tuple(NAMES)
    assert study.settings["budget"] is None


def test_the_learners_own_parameters_are_kept(tmp_path):
    learner = kh.KeyholeRegressor(values="raw", sparsity=2)
    study = kh.Study.create(tmp_path / "s.db", "s", NAMES, budget=2, learner=learner)
    with pytest.raises(kh.StudyError, match="no example can be learned from yet"):
        study.model()
    for k in range(3):
        ask = study.ask(f"p{k}")
        study.tell(ask, dict.fromkeys(ask.names, float(k)), label=k)
    model = kh.Study.open(tmp_path / "s.db").model()
    assert (model.values, model.sparsity, model.budget) == ("raw", 2, 2)
    assert study.settings["learner_params"] == {"values": "raw", "sparsity": 2}
