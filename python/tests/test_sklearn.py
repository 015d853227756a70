"""The estimators keep the conventions of scikit-learn."""

import pickle
import warnings

import numpy as np
import pytest
import roughboard as rb

sklearn = pytest.importorskip("sklearn")

from sklearn.base import clone  # noqa: E402
from sklearn.datasets import load_breast_cancer, load_iris  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.pipeline import Pipeline, make_pipeline  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

from roughboard.sklearn import ReductSelector, RoughDiscretizer, RuleClassifier  # noqa: E402
from suites import BENCHMARKS, TABLES, columns  # noqa: E402

IRIS = load_iris(return_X_y=True)


@parametrize_with_checks(
    [
        ReductSelector(),
        ReductSelector(notion="information", method="backward"),
        RoughDiscretizer(),
        RoughDiscretizer(method="md"),
        RoughDiscretizer(method="width", bins=3),
        # Not with texts for intervals: the checks subtract what transformers give.
        RoughDiscretizer(method="frequency"),
        RuleClassifier(),
        RuleClassifier(source="inclusion", min_support=1, vote="confidence"),
    ]
)
@pytest.mark.filterwarnings("ignore")
def test_estimators(estimator, check):
    check(estimator)


def test_a_pipeline_from_numbers_to_rules():
    X, y = IRIS
    pipeline = Pipeline(
        [
            ("cut", RoughDiscretizer(encode="interval")),
            ("select", ReductSelector()),
            ("rules", RuleClassifier(source="minimal")),
        ]
    )
    assert cross_val_score(pipeline, X, y).mean() > 0.88
    fitted = pickle.loads(pickle.dumps(clone(pipeline).fit(X, y)))
    assert (fitted.predict(X) == pipeline.fit(X, y).predict(X)).all()
    assert "(" in fitted[-1].rules_.words() and "THEN class = " in fitted[-1].rules_.words()
    search = GridSearchCV(pipeline, {"cut__method": ["mdlp", "md"], "rules__vote": ["support", "best"]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.88


def test_frames_keep_their_names_and_types():
    pandas = pytest.importorskip("pandas")
    case = TABLES["golf14"]
    frame = pandas.DataFrame(columns(case)).set_axis(case["attributes"], axis=1)
    target = pandas.Series(case["decision"], name="play")
    selector = ReductSelector(method="minimum").set_output(transform="pandas").fit(frame, target)
    assert set(map(frozenset, [selector.get_feature_names_out()])) <= set(map(frozenset, case["pos_reducts"]))
    assert selector.lower_bound_ == min(map(len, case["pos_reducts"]))
    assert list(selector.transform(frame).columns) == list(selector.reduct_)
    classifier = RuleClassifier(source="lem2").fit(frame, target)
    assert "THEN play = " in classifier.rules_.words()
    assert classifier.rules_[0].conditions[0].attribute in case["attributes"]
    positive = rb.approximations(columns(case), case["decision"]).positive_region
    assert (classifier.predict(frame)[positive] == target.to_numpy()[positive]).all()
    with pytest.raises(ValueError, match="feature names"):
        classifier.predict(frame.rename(columns={frame.columns[0]: "other"}))


def test_polars_frames():
    polars = pytest.importorskip("polars")
    frame = polars.read_parquet(BENCHMARKS / "zoo.parquet")
    X, y = frame.drop("d"), frame["d"]
    selector = ReductSelector().fit(X, y)
    assert list(selector.get_feature_names_out()) == list(rb.reduct(frame, "d"))
    assert RuleClassifier(source="reduct").fit(X, y).score(X, y) > 0.95


def test_tables_of_pyarrow():
    pyarrow = pytest.importorskip("pyarrow")
    X, y = pyarrow.table({"a": [0, 0, 1, 1], "b": ["x", "y", "x", "y"]}), ["p", "p", "q", "q"]
    assert ReductSelector().fit(X, y).get_feature_names_out().tolist() == ["a"]
    assert RuleClassifier(source="lem2").fit(X, y).predict(X).tolist() == y


def test_classes_that_are_missing_are_refused():
    with pytest.raises(ValueError, match="none may be missing"):
        RuleClassifier().fit([[1], [2], [3]], np.array(["a", None, "b"], dtype=object))


def test_missing_values_are_values_or_stay_missing():
    X = np.array([[1.0, np.nan], [2.0, 1.0], [3.0, np.nan], [4.0, 1.0]])
    y = [0, 0, 1, 1]
    cut = RoughDiscretizer(method="frequency", bins=2).fit(X)
    assert np.array_equal(cut.transform(X)[:, 1], [np.nan, 0.0, np.nan, 0.0], equal_nan=True)
    assert RoughDiscretizer(method="frequency", bins=2, encode="interval").fit(X).transform(X)[0].tolist() == [
        "<= 2.5",
        None,
    ]
    assert RuleClassifier().fit(X, y).score(X, y) == 1.0
    texts = np.array([["a", None], ["b", "x"], ["c", None], ["d", "x"]], dtype=object)
    assert ReductSelector().fit(texts, y).get_support().tolist() == [True, False]


def test_intervals_are_those_of_the_library():
    X, y = IRIS
    names = [f"x{at}" for at in range(X.shape[1])]
    ours = RoughDiscretizer(method="md", encode="interval").fit(X, y).transform(X)
    theirs = rb.discretize(X, y, method="md").apply(X)
    assert [ours[:, at].tolist() for at in range(X.shape[1])] == [theirs[name] for name in names]


def test_probabilities_agree_with_decisions():
    X, y = load_breast_cancer(return_X_y=True)
    for vote in ("support", "confidence", "count", "best"):
        classifier = RuleClassifier(vote=vote).fit(X[::2], y[::2])
        proba = classifier.predict_proba(X[1::2])
        assert np.allclose(proba.sum(axis=1), 1)
        assert (classifier.classes_[proba.argmax(axis=1)] == classifier.predict(X[1::2])).all()
        assert classifier.score(X[1::2], y[1::2]) > 0.85


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (ReductSelector(method="best"), "`method` must be one of"),
        (ReductSelector(time_limit=1.0), "time_limit goes with"),
        (RoughDiscretizer(encode="onehot"), "encode must be"),
        (RoughDiscretizer(method="width", bins=1), "`bins` must be from 2 to"),
        (RuleClassifier(source="tree"), "`source` must be one of"),
        (RuleClassifier(limit=5), "`limit` has no effect with the source 'mlem2'"),
    ],
)
def test_settings_that_cannot_be_are_refused(estimator, message):
    with pytest.raises(ValueError, match=message):
        estimator.fit(*IRIS)


def test_weights_of_samples_count_objects():
    random = np.random.default_rng(1)
    X, y, weights = random.integers(0, 3, size=(60, 3)), random.integers(0, 3, size=60), random.integers(0, 4, size=60)
    for source in ("mlem2", "minimal", "inclusion"):
        weighted = RuleClassifier(source=source).fit(X, y, sample_weight=weights)
        repeated = RuleClassifier(source=source).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
        assert weighted.rules_.words() == repeated.rules_.words() != RuleClassifier(source=source).fit(X, y).rules_.words()
        assert np.array_equal(weighted.predict_proba(X), repeated.predict_proba(X))
    kept = RuleClassifier().fit([[0], [1], [2]], ["a", "b", "c"], sample_weight=[1.0, 2.0, 0.0])
    assert kept.classes_.tolist() == ["a", "b"]
    with pytest.raises(ValueError, match="column `sample_weight`, row 1: expected a count .* found `0.5`"):
        RuleClassifier().fit([[0], [1]], [0, 1], sample_weight=[1, 0.5])
    with pytest.raises(ValueError, match=r"sample_weight must have the shape \(2,\), got \(1,\)"):
        RuleClassifier().fit([[0], [1]], [0, 1], sample_weight=[1])
    with pytest.raises(ValueError, match="sample_weight of zeros only"):
        RuleClassifier().fit([[0], [1]], [0, 1], sample_weight=[0, 0])


def test_one_class_makes_no_rules():
    with pytest.raises(ValueError, match="one class"), warnings.catch_warnings():
        make_pipeline(RuleClassifier()).fit([[1], [2]], [0, 0])
