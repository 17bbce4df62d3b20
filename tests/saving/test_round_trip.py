"""What is loaded is what was saved: it predicts, explains itself, asks and learns on exactly as the saved one."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge

import keyhole as kh
from keyhole.saving import SavedPredictor, load_model, save_model
from keyhole.saving.container import read_container, write_container

D = 10
START = np.where(np.arange(D) < 2, 0.1, 0.0)
LEARNERS = {
    "AER": kh.AER(4, random_state=1),
    "AER, no scaling": kh.AER(4, reg=2.0, scaling="none", random_state=1),
    "Baseline": kh.Baseline(4, radius=0.5, random_state=1),
    "Baseline, chosen radius": kh.Baseline(4, random_state=1),
    "AERR": kh.AERR(4, random_state=1),
    "AERR, given radius": kh.AERR(4, radius=1.0, random_state=1),
    "AERR, numpy parameters": kh.AERR(
        np.int64(4), radius=np.float64(2), n_expected=200, scaling="none", random_state=np.random.RandomState(3)
    ),
    "AERR, as printed": kh.AERR.as_printed(4, distribution=np.arange(1, D + 1), step_size=0.1, random_state=1),
    "AER, as printed": kh.AER.as_printed(4, l2_bound=0.5, n_expected=200, random_state=1),
    "Baseline, as printed": kh.Baseline.as_printed(4, tol=1e-3, random_state=1),
    "AELR": kh.AELR(4, random_state=1),
    "AELR, given distribution": kh.AELR(4, distribution=[1.0, 2.0] * 5, random_state=1),
    "AESVR": kh.AESVR(8, random_state=1),
    "AESVR, as printed": kh.AESVR.as_printed(8, accuracy=4.0, step_size=0.01, random_state=1),
    "AESVR, l1": kh.AESVR(8, norm="l1", random_state=1),
    "IdentityCorrelation": kh.IdentityCorrelation(3, random_state=1),
    "AEAnalytic": kh.AEAnalytic(8, coefficients=[0.0, 1.0, 0.0, 0.1], random_state=1),
    "DDAERR after its warm-up": kh.DDAERR(4, warmup=20, random_state=1),
    "DDAERR in its warm-up": kh.DDAERR(4, warmup=150, random_state=1),
    "DDAERR as printed": kh.DDAERR.as_printed(4, radius=1.0, step_size=0.01, warmup=20, random_state=1),
    "DDAELR, a radius for each phase": kh.DDAELR(
        4, 2.0, 0.01, warmup=150, phases="separate", warmup_step_size=0.1, warmup_radius=1.0, random_state=1
    ),
    "DDAELR": kh.DDAELR(4, moments=np.arange(1, D + 1), scaling="none", keep_ledger=True, random_state=1),
    "Exploration": kh.Exploration(5, 2, batch_size=10, random_state=1),
    "Exploitation": kh.Exploitation(5, start_coef=START, batch_size=10, random_state=1),
    "Hybrid": kh.Hybrid(5, 2, explore_batch=10, exploit_batch=10, random_state=1),
    "Hybrid, as it is": kh.Hybrid(5, 2, shrink_to_mean=False, random_state=1),
    "Hybrid as printed": kh.Hybrid.as_printed(
        5,
        sparsity=2,
        step_size=0.1,
        explore_batch=10,
        exploit_batch=[10, 20],
        explore_updates=1,
        exploit_updates="theorem",
        start_coef=START,
        random_state=1,
    ),
    "Dantzig": kh.Dantzig(5, 2, random_state=1),
    "Dantzig as printed": kh.Dantzig.as_printed(5, sparsity=2, noise=1.0, confidence=0.1, random_state=1),
    "DualAveraging": kh.DualAveraging(5, 2, random_state=1),
    "DualAveraging 2": kh.DualAveraging(5, 2, variant=2, random_state=1),
    "DualAveraging 3": kh.DualAveraging(5, 2, variant=3, keep_ledger=True, random_state=1),
    "DualAveraging 5": kh.DualAveraging(5, 2, variant=5, threshold="growing", random_state=1),
    "CompleteRows": kh.rivals.CompleteRows(4),
    "ScreenedPanel, screening": kh.rivals.ScreenedPanel(4, n_expected=300, random_state=1),
    "ScreenedPanel, screened": kh.rivals.ScreenedPanel(4, n_expected=120, keep_ledger=True, random_state=1),
    "ImputeThenRidge": kh.rivals.ImputeThenRidge(4, n_imputations=2, random_state=1),
    "KeyholeRegressor": kh.KeyholeRegressor(4, random_state=1),
    "KeyholeRegressor, ledger": kh.KeyholeRegressor(4, keep_ledger=True, random_state=1),
    "KeyholeRegressor, sparse": kh.KeyholeRegressor(4, sparsity=3, random_state=1),
    "KeyholeRegressor, origin": kh.KeyholeRegressor(4, fit_intercept=False, random_state=1),
    "KeyholeRegressor, costs": kh.KeyholeRegressor(5, costs=[1.0, 2.5] * 5, random_state=1),
    "KeyholeRegressor, costs by name": kh.KeyholeRegressor(5, costs={"x1": 2.0, "x3": 0}, random_state=1),
    "KeyholeRegressor, no budget": kh.KeyholeRegressor(random_state=1),
    "KeyholeRegressor, values raw": kh.KeyholeRegressor(4, values="raw", random_state=1),
    "KeyholeRegressor, values winsorised": kh.KeyholeRegressor(4, values="winsorised", random_state=1),
    "KeyholeRegressor, values log": kh.KeyholeRegressor(4, values="log", random_state=1),
    "KeyholeRegressor, values rank": kh.KeyholeRegressor(4, values="rank", random_state=1),
    "KeyholeRegressor, a list of values": kh.KeyholeRegressor(4, values=["raw", "rank"] * 5, random_state=1),
    "KeyholeRegressor, values by name": kh.KeyholeRegressor(4, values={"x1": "log"}, random_state=1),
    "KeyholeRegressor, common units": kh.KeyholeRegressor(4, units="common", random_state=1),
    "KeyholeRegressor, expected": kh.KeyholeRegressor(2, n_expected=300, random_state=1),
    "KeyholeClassifier, values rank": kh.KeyholeClassifier(4, values="rank", n_expected=300, random_state=1),
    "KeyholeClassifier": kh.KeyholeClassifier(4, random_state=1),
}


def data(n=300, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, D)) + rng.normal(size=(n, 1))
    return X, X[:, 0] - 2 * X[:, 3] + 0.1 * rng.normal(size=n)


def labelled(name):
    X, y = data()
    return X, np.where(y > 0, "high", "low") if "Classifier" in name else y


def same(one, two):
    """Equal in every part: whole numbers and the generator exactly, sums of floats but for their last digits."""
    one, two = (part.item() if isinstance(part, np.generic) else part for part in (one, two))
    assert type(one) is type(two), (type(one), type(two))
    if isinstance(one, np.ndarray):
        assert one.dtype == two.dtype
        if one.dtype.kind == "f":
            np.testing.assert_allclose(one, two, rtol=1e-9, atol=1e-12)
        else:
            np.testing.assert_array_equal(one, two)
    elif isinstance(one, tuple | list):
        assert len(one) == len(two)
        for a, b in zip(one, two, strict=True):
            same(a, b)
    elif isinstance(one, dict):
        assert sorted(one) == sorted(two)
        for key in one:
            same(one[key], two[key])
    elif isinstance(one, float):
        assert one == pytest.approx(two, rel=1e-9, nan_ok=True)
    elif type(one).__module__.startswith("keyhole") and hasattr(one, "__dict__"):
        state = [{k: v for k, v in vars(each).items() if k not in SPARE} for each in (one, two)]
        same(*state)
    else:
        assert one == two


# Room that arrays have for what comes, and what is computed again when it is wanted.
SPARE = {"_values", "_places", "_labels", "_designs", "_given", "_missing", "_columns", "_results"}


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("name", LEARNERS)
def test_a_loaded_learner_goes_on_exactly_as_the_saved_one(name, tmp_path):
    X, y = labelled(name)
    learner = LEARNERS[name].fit(X[:100], y[:100])
    left_open, told_later = learner.ask(), learner.ask()
    path = tmp_path / "model.keyhole"
    save_model(learner, path)
    loaded = load_model(path)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    assert type(loaded) is type(learner)
    same(loaded.open_asks_, learner.open_asks_)
    np.testing.assert_array_equal(loaded.predict(X), learner.predict(X))

    for twin in (learner, loaded):
        twin.tell(twin.open_asks_[told_later.number], X[100, told_later.attributes], y[100])
        twin.partial_fit(X[100:200], y[100:200])
        for t in range(200, 230):
            ask = twin.ask()
            values = [None if t == 210 else X[t, i] for i in ask.attributes]  # one could not be had
            twin.tell(ask, values, y[t])
        twin.partial_fit(X[230:], y[230:])
        twin.forget(twin.open_asks_[left_open.number])
    fitted = [{k: v for k, v in vars(twin).items() if k.endswith("_")} for twin in (learner, loaded)]
    same(*fitted)
    same(np.asarray(loaded.coef_), np.asarray(learner.coef_))
    same(np.asarray(loaded.intercept_), np.asarray(learner.intercept_))
    if hasattr(learner, "ledger_"):
        for column in ("example", "attribute", "value", "probability"):
            np.testing.assert_array_equal(loaded.ledger_[column], learner.ledger_[column])


@pytest.mark.parametrize("settings", [{}, {"values": "raw"}, {"sparsity": 3}, {"units": "common"}, {"budget": None}])
def test_a_loaded_own_learner_explains_itself_as_the_saved_one(settings, tmp_path):
    X, y = data()
    frame = pd.DataFrame(X, columns=[f"test {i}" for i in range(D)])
    learner = kh.KeyholeRegressor(**{"budget": 4, "random_state": 1} | settings).fit(frame, y)
    save_model(learner, tmp_path / "m")
    loaded = load_model(tmp_path / "m")
    gaps = np.where(np.arange(D) % 3 == 0, X[:5], np.nan)
    names = frame.columns
    gaps = pd.DataFrame(gaps, columns=names)
    for one, two in zip(learner.predict(gaps, return_std=True), loaded.predict(gaps, return_std=True), strict=True):
        same(one, two)
    same(loaded.predict_interval(gaps), learner.predict_interval(gaps))
    same(loaded.next_attributes(gaps.to_numpy()[0], 2), learner.next_attributes(gaps.to_numpy()[0], 2))
    assert str(loaded.summary()) == str(learner.summary())
    assert loaded.candidates_ == learner.candidates_
    same(loaded.risk_at(2), learner.risk_at(2))
    same(loaded.risk_interval_, learner.risk_interval_)
    same(loaded.coef_interval(n_bootstrap=3, random_state=0), learner.coef_interval(n_bootstrap=3, random_state=0))
    with pytest.raises(ValueError, match="feature names"):
        loaded.predict(frame[names[::-1]])


@pytest.mark.parametrize("values", ["auto", "raw", "winsorised", "log", "rank", {"dose": "log", "blood": "raw"}])
@pytest.mark.parametrize("make", [kh.KeyholeRegressor, kh.KeyholeClassifier])
def test_values_choices_and_averages_are_kept(make, values, tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.lognormal(size=(300, 4)), columns=["dose", "pulse", "iron", "lead"])
    frame["blood"] = pd.Categorical(rng.choice(["A", "B", "0"], size=300))
    frame["smokes"] = rng.random(300) < 0.3
    y = np.log(frame["dose"]) + 2.0 * (frame["blood"] == "0") - frame["smokes"] + 0.2 * rng.normal(size=300)
    learner = make(3, values=values, random_state=0).fit(frame, y if make is kh.KeyholeRegressor else y > 0)
    save_model(learner, tmp_path / "m")
    loaded = load_model(tmp_path / "m")
    assert loaded.values == values
    assert loaded.values_ == learner.values_
    assert loaded.values_["blood"] == "choice"
    same(loaded.get_feature_names_out(), learner.get_feature_names_out())
    same(loaded.expected_examples_, learner.expected_examples_)
    one, two = learner._solution(), loaded._solution()
    same([(f.name, weight) for f, weight in two.members], [(f.name, weight) for f, weight in one.members])
    assert two.members
    same(two.scales, one.scales)
    if make is kh.KeyholeRegressor:
        designs = [[(d.share, d.together) for d in each.policy_.designs] for each in (learner, loaded)]
        same(*designs)
        assert any(share for share, _ in designs[0])
    gaps = frame.copy()
    gaps.loc[::2, "blood"] = None
    gaps.loc[::3, "dose"] = np.nan
    gaps.loc[1, "dose"] = 1e9  # held at the edge
    for table in (frame, gaps):
        np.testing.assert_array_equal(loaded.predict(table), learner.predict(table))
    for twin in (learner, loaded):
        twin.partial_fit(frame[:100], (y if make is kh.KeyholeRegressor else y > 0)[:100])
    np.testing.assert_array_equal(loaded.coef_, learner.coef_)


def test_a_loaded_model_predicts_without_solving_again(tmp_path, monkeypatch):
    X, y = data()
    learner = kh.KeyholeRegressor(4, random_state=1).fit(X, y)
    save_model(learner, tmp_path / "m")
    loaded = load_model(tmp_path / "m")
    monkeypatch.setattr(kh.KeyholeRegressor, "_solve", lambda self: pytest.fail("it was solved again"))
    np.testing.assert_array_equal(loaded.predict(X), learner.predict(X))


@pytest.mark.parametrize(
    "labels", [["b", "a", "b"], [3, 1, 3], np.array(["x", "y", "x"], dtype=object), [True, False, True]]
)
def test_classes_of_every_type(labels, tmp_path):
    X, y = data(120)
    y = np.asarray(labels)[(y > 0).astype(int)]
    learner = kh.KeyholeClassifier(4, random_state=0).fit(X, y)
    save_model(learner, tmp_path / "m")
    loaded = load_model(tmp_path / "m")
    same(loaded.classes_, learner.classes_)
    np.testing.assert_array_equal(loaded.predict(X), learner.predict(X))
    same(loaded.predict_proba(X), learner.predict_proba(X))
    same(loaded.error_at(2), learner.error_at(2))


def test_declared_classes_stay_declared(tmp_path):
    X, y = data(60)
    learner = kh.KeyholeClassifier(4, random_state=0).partial_fit(X, (y > 0).astype(int), classes=[0, 1, 2])
    save_model(learner, tmp_path / "m")
    with pytest.raises(ValueError, match="none of the classes"):
        load_model(tmp_path / "m").partial_fit(X[:1], [7])


def test_a_predictor_from_moments(tmp_path):
    X, y = data()
    sums = kh.moments_from_sums(X.T @ X, X.T @ y, y @ y, len(y), sum_X=X.sum(axis=0), sum_y=y.sum())
    model = kh.fit_from_moments(**sums, names=[f"test {i}" for i in range(D)])
    save_model(model, tmp_path / "m")
    loaded = load_model(tmp_path / "m")
    frame = pd.DataFrame(X, columns=[f"test {i}" for i in range(D)])
    np.testing.assert_array_equal(loaded.predict(frame), model.predict(frame))
    assert str(loaded.summary()) == str(model.summary())
    assert loaded.next_attributes(np.full(D, np.nan), 2) == model.next_attributes(np.full(D, np.nan), 2)


def test_estimators_for_judgments(tmp_path):
    rng = np.random.default_rng(0)
    truth = rng.normal(size=(80, 4))
    table, y = truth[:, :, None] + rng.normal(size=(80, 4, 3)), truth @ [1.0, -1.0, 0.5, 0.0]
    selector = kh.MultiSelector(8, costs=[1, 2, 1, 1]).fit(table, y)
    regressor = kh.JudgmentRegressor(selector.repeats_).fit(table, y)
    for one in (selector, regressor):
        save_model(one, tmp_path / "m")
        loaded = load_model(tmp_path / "m")
        fitted = [{k: v for k, v in vars(twin).items() if k.endswith("_")} for twin in (one, loaded)]
        same(*fitted)
    np.testing.assert_array_equal(loaded.predict(table), regressor.predict(table))


def test_what_is_known_of_attributes_is_kept(tmp_path):
    described = [kh.Attribute("glucose", unit="mmol/l", low=0), *(f"a{i}" for i in range(4))]
    learner = kh.AERR(4, random_state=0).start(described)
    save_model(learner, tmp_path / "m")
    loaded = load_model(tmp_path / "m")
    assert loaded.attributes_ == learner.attributes_
    ask = loaded.ask()
    while 0 not in ask.attributes:
        ask = loaded.ask()
    with pytest.raises(ValueError, match="glucose"):
        loaded.tell(ask, np.full(len(ask.attributes), -1.0), 1.0)


def test_kinds_and_choices_are_kept(tmp_path):
    described = [
        kh.Attribute("blood", kind="choice", choices=("A", "B", "0"), charged_when_missing=False),
        kh.Attribute("smokes", kind="yes/no"),
        kh.Attribute("since", kind="date"),
        kh.Attribute("pulse"),
    ]
    learner = kh.KeyholeRegressor(3, random_state=0).start(described)
    save_model(learner, tmp_path / "m")
    loaded = load_model(tmp_path / "m")
    assert list(loaded.attributes_) == described
    ask = loaded.ask(unavailable=["pulse"], known={"blood": "0"})
    loaded.tell(ask, ["yes" if i == 1 else "1970-01-03" for i in ask.attributes], 1.0)
    np.testing.assert_array_equal(loaded.cells_.table(np.arange(4)), [[2.0, 1.0, 2.0, np.nan]])


def test_bundles_and_free_attributes(tmp_path):
    described = [
        kh.Attribute("age", free=True),
        kh.Attribute("iron", cost=2, bundle="blood", high=50),
        kh.Attribute("lipids", cost=2, bundle="blood"),
        *(kh.Attribute(f"t{i}") for i in range(7)),
    ]
    X, y = data()
    learner = kh.KeyholeRegressor(3, random_state=0).fit(kh.ArraySource(X, described), y)
    save_model(learner, tmp_path / "m")
    loaded = load_model(tmp_path / "m")
    assert list(loaded.attributes_) == list(learner.attributes_)
    for _ in range(20):
        same(loaded.ask(), learner.ask())


@pytest.mark.parametrize(
    "name", ["AERR", "CompleteRows", "KeyholeRegressor", "KeyholeRegressor, ledger", "KeyholeClassifier"]
)
def test_missing_cells_and_values_without_a_label_are_kept(name, tmp_path):
    X, y = labelled(name)
    gaps = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
    learner = LEARNERS[name].fit(gaps[:100], y[:100])
    own = learner.takes_missing
    asks = [learner.ask(), learner.ask(unavailable=[1, 2], known={"x5": 0.5}) if own else learner.ask()]
    if own:
        before = learner.ask(known={3: -1.0})
        learner.tell(before, X[100, before.attributes], y[100])
    for ask in asks:
        learner.tell(ask, X[101, ask.attributes])
    save_model(learner, tmp_path / "m")
    loaded = load_model(tmp_path / "m")
    assert list(loaded.awaiting_label_) == list(learner.awaiting_label_) == [ask.number for ask in asks]
    for one in (learner, loaded):
        for ask in asks:
            one.tell(ask, label=y[101])
        one.partial_fit(gaps[110:], y[110:])
    same(loaded.n_skipped_, learner.n_skipped_)
    np.testing.assert_array_equal(loaded.coef_, learner.coef_)
    if own:
        for part in ("values", "given", "missing_rows", "missing_attributes", "designs"):
            np.testing.assert_array_equal(getattr(loaded.cells_, part), getattr(learner.cells_, part))
        same(loaded.policy_.excluded, learner.policy_.excluded)
        same(loaded.ask(unavailable=[4]), learner.ask(unavailable=[4]))
    if name == "KeyholeRegressor":
        assert loaded.risk_interval_.estimate == pytest.approx(learner.risk_interval_.estimate)


def test_files_that_know_nothing_of_missing_cells_still_load(tmp_path):
    X, y = data()
    learner = kh.KeyholeRegressor(4, random_state=0).fit(X[:100], y[:100])
    save_model(learner, tmp_path / "m")
    container = read_container((tmp_path / "m").read_bytes())
    state = container.document["state"]
    for name in ("given", "missing_rows", "missing_attributes"):
        del state["cells"][name]
    del state["policy"]["excluded"], state["awaiting_label"]
    write_container(tmp_path / "old", container)
    loaded = load_model(tmp_path / "old")
    np.testing.assert_array_equal(loaded.coef_, learner.coef_)
    same(loaded.ask(unavailable=[3]), learner.ask(unavailable=[3]))


def test_files_without_the_later_constants_of_a_run_are_read(tmp_path):
    X, y = data()
    learner = kh.AER(4, radius=1.0, random_state=0).fit(X[:100], y[:100])
    save_model(learner, tmp_path / "m")
    container = read_container((tmp_path / "m").read_bytes())
    for name in ("updated", "l2_bound"):
        del container.document["state"]["rule"][name]
    for name in ("average", "l2_bound"):
        del container.document["params"][name]
    write_container(tmp_path / "old", container)
    loaded = load_model(tmp_path / "old")
    np.testing.assert_array_equal(
        loaded.partial_fit(X[100:], y[100:]).coef_, learner.partial_fit(X[100:], y[100:]).coef_
    )
    del container.document["state"]["rule"]["half"]
    write_container(tmp_path / "damaged", container)
    with pytest.raises(ValueError, match="the rule lacks 'half'"):
        load_model(tmp_path / "damaged")


def test_a_predictor_of_another_package_keeps_its_coefficients(tmp_path):
    X, y = data()
    ridge = Ridge(alpha=2.0).fit(X, y)
    save_model(ridge, tmp_path / "m")
    loaded = load_model(tmp_path / "m")
    assert isinstance(loaded, SavedPredictor)
    assert (loaded.learner, loaded.params["alpha"]) == ("Ridge", 2.0)
    np.testing.assert_allclose(loaded.predict(X), ridge.predict(X), rtol=1e-12)
    save_model(loaded, tmp_path / "again")
    np.testing.assert_array_equal(load_model(tmp_path / "again").coef_, loaded.coef_)
