"""Wrong input gives one clear error, and leaves a learner as it was."""

import pickle

import numpy as np
import pytest

import keyhole as kh
from keyhole.observe import CallableSource

pd = pytest.importorskip("pandas")

X = np.random.default_rng(0).normal(size=(40, 8))
Y = X[:, 0] - X[:, 1]
ALL = [kh.AER, kh.Baseline, kh.AERR, kh.AELR, kh.AESVR, kh.AEAnalytic, kh.DDAERR, kh.DDAELR]


@pytest.mark.parametrize("learner", ALL)
@pytest.mark.parametrize(
    ("budget", "message"),
    [
        (1, r"budget=1: \w+ needs at least \d attributes per example"),
        (9, "budget=9: this is more than n_features = 8"),
        (2.5, "budget=2.5: .* needs a whole number of attributes"),
        ("4", "budget='4': .* needs a whole number"),
        (True, "budget=True: .* needs a whole number"),
        (None, "budget=None: .* needs a whole number"),
    ],
)
def test_budget(learner, budget, message):
    with pytest.raises(ValueError, match=message):
        learner(budget).fit(X, Y)


def test_aesvr_needs_seven():
    with pytest.raises(ValueError, match="budget=6: AESVR needs at least 7 attributes"):
        kh.AESVR(6).fit(X, Y)


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (kh.AERR(4, radius=0), "radius=0: AERR needs 'auto' or a finite number above 0"),
        (kh.AERR(4, radius="big"), "radius='big'"),
        (kh.AELR(4, step_size=-1), "step_size=-1: AELR needs"),
        (kh.AER(4, reg=0.0), "reg=0.0: AER needs"),
        (kh.AERR(4, scaling="full"), "scaling='full': AERR takes 'running' or 'none'"),
        (kh.AERR(4, draws="odd"), "draws='odd': AERR takes 'even' or 'textbook'"),
        (kh.AERR(4, n_expected=0), "n_expected=0: AERR needs None or a whole number"),
        (
            kh.DDAERR(4, moments=np.ones(3)),
            r"moments of shape \(3,\): DDAERR needs one second moment for each of",
        ),
        (kh.DDAERR(4, moments=[1, 1, 1, -1, 1, 1, 1, 1]), r"moments\[3\]=-1.0"),
        (kh.DDAELR(4, moments=np.zeros(8)), "moments are all 0"),
        (kh.DDAERR(4, warmup=1.5), "warmup=1.5: DDAERR needs a share between 0 and 1"),
        (kh.DDAELR(4, confidence=2), "confidence=2: DDAELR needs None or a number between 0 and 1"),
        (kh.AESVR(8, accuracy=0), "accuracy=0: AESVR needs"),
        (kh.AER(4, l2_bound=0), "l2_bound=0: AER needs a finite number above 0"),
        (kh.AER(4, average="after"), "average='after': AER takes 'before' or 'updated'"),
        (kh.Baseline(4, tol=0), "tol=0: Baseline needs"),
        (kh.Baseline(4, max_iter=0), "max_iter=0: Baseline needs"),
        (kh.AERR(4, distribution="even"), "distribution='even': AERR needs 'uniform', or a positive number"),
        (kh.AELR(4, distribution=[1, 2]), r"distribution: an array of shape \(2,\); AELR needs 'uniform', or"),
        (kh.AERR(4, distribution=[1.0] * 7 + [0.0]), r"distribution\[7\]=0.0: AERR needs finite numbers above 0"),
        (kh.AELR(4, distribution=[np.inf] + [1.0] * 7), r"distribution\[0\]=inf: AELR needs finite numbers above 0"),
        (kh.AERR(4, initial_weights="0"), "initial_weights='0': AERR needs a finite number for each of the 8"),
        (kh.AERR(4, initial_weights=[0.1]), r"initial_weights: an array of shape \(1,\); AERR needs"),
        (kh.AERR(4, initial_weights=np.nan), "initial_weights=nan: AERR needs a finite number"),
        (kh.AERR(4, 1.0, initial_weights=0.5), "initial_weights: their l2 norm is 1.41421, outside the ball"),
        (kh.AESVR(8, insensitivity=-1), "insensitivity=-1: AESVR needs"),
    ],
)
def test_parameters(learner, message):
    with pytest.raises(ValueError, match=message):
        learner.fit(X, Y)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (Y[:-1], "39 labels for 40 examples"),
        (np.where(np.arange(40) == 7, np.nan, Y), "contains NaN: label of example 7"),
        (np.where(np.arange(40) == 7, np.inf, Y), "contains infinity: label of example 7"),
        (["ill", *Y[1:]], "label of example 0: 'ill' is not a number"),
        (None, "requires y to be passed"),
        (np.zeros((40, 2)), "1d array|bad input shape"),
    ],
)
def test_labels(labels, message):
    with pytest.raises(ValueError, match=message):
        kh.AERR(4).fit(X, labels)


@pytest.mark.parametrize("shape", [(0, 8), (40, 0)])
def test_empty_table(shape):
    with pytest.raises(ValueError, match="empty table"):
        kh.AERR(4).fit(np.empty(shape), np.empty(shape[0]))


def test_text_where_a_number_belongs():
    table = X.astype(object)
    table[:, 3] = "high"
    with pytest.raises(kh.BadValue, match=r"example \d+, attribute 'x3': 'high' was revealed"):
        kh.AERR(4, random_state=0).fit(table, Y)
    numbers_as_text = X.astype(str).astype(object)
    np.testing.assert_array_equal(
        kh.AERR(4, random_state=0).fit(numbers_as_text, Y).coef_, kh.AERR(4, random_state=0).fit(X, Y).coef_
    )


def test_columns_that_changed_since_fit():
    frame = pd.DataFrame(X, columns=list("abcdefgh"))
    learner = kh.AERR(4, random_state=0).fit(frame, Y)
    assert list(learner.feature_names_in_) == list("abcdefgh")
    before = pickle.dumps(learner)
    with pytest.raises(ValueError, match="feature names"):
        learner.partial_fit(frame[list("hgfedcba")], Y)
    with pytest.raises(ValueError, match="Feature names unseen at fit time:\n- z"):
        learner.predict(frame.rename(columns={"a": "z"}))
    with pytest.raises(ValueError, match="feature names"):
        learner.partial_fit(frame[list("abcdefg")], Y)
    renamed = CallableSource(lambda *_: [], 40, [*"abcdefg", "z"])
    with pytest.raises(ValueError, match="attribute 7 is 'z'; AERR was fitted with 'h' there"):
        learner.partial_fit(renamed, Y)
    assert pickle.dumps(learner) == before


def test_prices_are_refused():
    priced = CallableSource(lambda *_: [], 40, [kh.Attribute(f"t{i}", cost=1 + i) for i in range(8)])
    with pytest.raises(ValueError, match="AERR counts attributes, as its paper does"):
        kh.AERR(4).fit(priced, Y)


def test_a_source_that_fails_half_way_leaves_the_learner_as_it_was():
    def flaky(example, attributes):
        if example == 20:
            raise OSError("lost the connection")
        return X[example, attributes]

    learner = kh.AELR(4, random_state=0).fit(X, Y)
    before = pickle.dumps(learner)
    with pytest.raises(OSError, match="lost the connection"):
        learner.partial_fit(CallableSource(flaky, 40, 8), Y)
    assert pickle.dumps(learner) == before


def test_baseline_refuses_wide_tables():
    with pytest.raises(ValueError, match=r"6000 attributes: Baseline keeps a matrix .* at most 5000"):
        kh.Baseline(4).start(6000)


def test_ask_before_anything_is_known():
    with pytest.raises(ValueError, match=r"AERR knows no attributes yet: call start\(attributes\) or fit first"):
        kh.AERR(4).ask()


def test_tell_checks_its_values_and_label():
    learner = kh.AERR(4, random_state=0).start([kh.Attribute(n, low=-100, high=100) for n in "abcdefgh"])
    ask = learner.ask()
    before = pickle.dumps(learner)
    with pytest.raises(kh.BadValue, match="ask number 0: got 0 values"):
        learner.tell(ask, [], 1.0)
    with pytest.raises(kh.BadValue, match="must be a finite number from -100 to 100"):
        learner.tell(ask, [1e6] * len(ask.attributes), 1.0)
    with pytest.raises(ValueError, match="ask number 0: the label is NaN"):
        learner.tell(ask, [1.0] * len(ask.attributes), np.nan)
    assert pickle.dumps(learner) == before


@pytest.mark.parametrize("ask", [[0, 1], kh.AERR(4, random_state=0).start(100).ask()], ids=["list", "foreign"])
def test_tell_takes_only_its_own_asks(ask):
    learner = kh.AERR(4, random_state=0).start(8)
    with pytest.raises(ValueError, match=r"tell takes what ask\(\) of this AERR returned|ask number 0 is not open"):
        learner.tell(ask, [1.0, 1.0], 1.0)
    own = learner.ask()
    before = pickle.dumps(learner)
    with pytest.raises(kh.BadValue, match="got dict"):
        learner.tell(own, {"x0": 1.0}, 1.0)
    assert learner.observed_.total == 0
    assert pickle.dumps(learner) == before


def test_a_warm_up_that_does_not_end_is_said():
    with pytest.warns(UserWarning, match="DDAERR was still in its warm-up, which takes 500 examples"):
        kh.DDAERR(4, warmup=500).fit(X, Y)


def test_predicting_from_bad_rows():
    learner = kh.AERR(4, random_state=0).fit(X, Y)
    broken = X.copy()
    broken[5, 2] = np.nan
    with pytest.raises(kh.NotRevealed, match="example 5, attribute 'x2': the value is missing"):
        learner.predict(broken)
    broken[5, 2] = np.inf
    with pytest.raises(kh.BadValue, match="example 5, attribute 'x2': infinity"):
        learner.predict(broken)
