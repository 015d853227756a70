"""Rules and cut points: the figures of the shared suites, and those of the command line."""

import json
import pickle

import numpy as np
import pytest
import roughboard as rb
from suites import DATA, TABLES, columns


@pytest.fixture(params=TABLES, name="case")
def _case(request):
    return TABLES[request.param]


def said(rule):
    return frozenset((condition.attribute, condition.value) for condition in rule.conditions), str(rule.decision)


def test_all_minimal_rules(case):
    expected = case["all_minimal_certain_rules"]
    if expected is None:
        pytest.skip("the suite lists no rules of this table")
    found = rb.rules(columns(case), case["decision"], source="minimal", limit=10**6)
    assert found.complete
    wanted = {
        (frozenset(map(tuple, rule["cond"])), rule["dec"]): (rule["support"], rule["coverage"]) for rule in expected
    }
    assert {said(rule) for rule in found} == set(wanted)
    assert len(found) == len(wanted)
    for rule in found:
        support, (above, below) = wanted[said(rule)]
        assert (rule.support, rule.coverage, rule.confidence) == (support, above / below, 1.0)


@pytest.mark.parametrize("source", ["reduct", "minimal", "cover", "lem2", "mlem2"])
def test_rules_decide_the_positive_region(case, source):
    table = rb.Table(columns(case), case["decision"])
    found = rb.rules(table, source=source, limit=None if "lem2" in source else 10**6)
    certain = [rule for rule in found if rule.confidence == 1.0]
    predictions = found.predict(columns(case))
    positive = rb.approximations(table).positive_region
    decisions = [found.decisions[code] for code in predictions.codes]
    assert [str(decisions[row]) for row in positive] == [str(case["decision"][row]) for row in positive]
    assert certain and found.verdicts.rightly >= len(positive)


def iris():
    rows = [line.split(",") for line in (DATA / "iris.csv").read_text(encoding="utf-8").splitlines()]
    header, body = rows[0], rows[1:]
    numbers = {name: np.array([float(row[at]) for row in body]) for at, name in enumerate(header[:-1])}
    return numbers, [row[-1] for row in body]


def test_rules_of_numbers_have_intervals_and_can_be_kept():
    numbers, species = iris()
    found = rb.rules(numbers, species, source="mlem2")
    between = [condition for rule in found for condition in rule.conditions if condition.kind == "between"]
    assert between and all(condition.low is not None or condition.high is not None for condition in between)
    again = pickle.loads(pickle.dumps(found))
    assert list(again) == list(found)
    assert again.words(measures=True) == found.words(measures=True)
    assert (again.verdicts, again.complete, again.to_json()) == (found.verdicts, found.complete, found.to_json())
    shifted = {name: column + 0.05 for name, column in numbers.items()}
    for ours, theirs in zip(found.predict(shifted), again.predict(shifted)):
        assert (ours == theirs).all()
    right = np.array(found.decisions)[found.predict(numbers).codes] == species
    assert right.mean() > 0.95
    assert json.loads(found.to_json())["format"] == 1
    assert found.to_dict()["length"] == [len(rule) for rule in found]


def test_rules_are_shortened_and_chosen():
    numbers, species = iris()
    table = rb.Table(rb.discretize(numbers, species).apply(numbers), species)
    every = rb.rules(table, source="minimal", limit=10**6)
    assert len(rb.rules(table, source="minimal", limit=10**6, min_support=20)) < len(every)
    assert all(len(rule) <= 2 for rule in rb.rules(table, source="minimal", limit=10**6, max_length=2))
    supports = [rule.support for rule in rb.rules(table, sort="support")]
    assert supports == sorted(supports, reverse=True)
    short = rb.rules(table, shorten=0.8)
    assert sum(map(len, short)) < sum(map(len, rb.rules(table)))
    with pytest.warns(rb.RoughWarning, match="more rules than the limit of 3"):
        assert not rb.rules(table, source="minimal", limit=3).complete
    assert "<td>IF " in every._repr_html_()


def test_cut_points_go_round_and_make_intervals():
    numbers, species = iris()
    cuts = rb.discretize(numbers, species)
    assert rb.Cuts.from_json(cuts.to_json()) == cuts
    intervals = cuts.apply(numbers)
    assert {kind for _, kind, _, _ in rb.Table(intervals, species).summary()[:-1]} == {"interval"}
    # Maximal discernibility loses nothing of the dependency.
    assert rb.gamma(intervals, species) == rb.gamma(numbers, species)
    matrix = np.column_stack(list(numbers.values()))
    assert rb.Cuts(cuts).apply(matrix, names=list(numbers)) == intervals
    for method in ("width", "frequency"):
        assert all(len(points) <= 3 for points in rb.discretize(numbers, method=method, bins=4).values())
        assert rb.discretize(numbers, method=method) == rb.discretize(numbers, method=method, bins=5)
    only = list(numbers)[:1]
    assert list(rb.discretize(numbers, species, method="mdlp", only=only)) == only


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: rb.rules({"a": [1, 2]}, [1, 2], source="none"), "`source` must be one of reduct"),
        (lambda: rb.rules({"a": [1, 2]}, [1, 2], source="lem2", beta=0.8), "`beta` has no effect with the source 'lem2'"),
        (lambda: rb.rules({"a": [1, 2]}, [1, 2], n_rules=3), "`n_rules` has no effect with the source 'reduct'"),
        (lambda: rb.rules({"a": [1, 2]}, [1, 2], sort="size"), "`sort` must be one of support"),
        (lambda: rb.rules({"a": [1, 2]}, [1, 2], shorten=2.0), r"`shorten` must be in \[0, 1\]"),
        (lambda: rb.rules({"a": [1, 2]}, [1, 2], source="minimal", beta=0.0), "beta"),
        (lambda: rb.rules({"a": [1, 2]}, [1, 2]).predict({"b": [1]}), "no attribute column `a`"),
        (lambda: rb.rules({"a": [1, 2]}, [1, 2]).predict({"a": [1]}, vote="most"), "`vote` must be one of"),
        (lambda: rb.rules({"a": [1, 2]}, [1, 2], source="minimal", beta="x"), "`beta` must be a number such as 0.75 or '3/4', got 'x'"),
        (lambda: rb.discretize({"a": [1, 2]}, method="width", bins=-1), "`bins` must be from 2 to 65535 for width, got -1"),
        (lambda: rb.discretize({"a": [1, 2]}, method="width", bins=10**6), "got 1000000"),
        (lambda: rb.discretize({"a": ["x", "y"]}, [1, 2], only=["a"]), "attribute `a` has values of kind text"),
        (lambda: rb.discretize({"a": [1, 2]}, [1, 2], bins=3), "`bins` goes with"),
        (lambda: rb.discretize({"a": [1, 2]}, method="mdlp"), "no decision"),
        (lambda: rb.Cuts({"a": [2, 1]}), "must be finite and ascend"),
        (lambda: rb.Cuts.from_json("nonsense"), "JSON"),
        (lambda: rb.Cuts({"a": [1]}).apply({"b": [1]}), "no column `a`"),
        (lambda: rb.Cuts({"a": [1]}).apply({"a": ["x"]}), "expected numbers to cut"),
    ],
)
def test_what_makes_no_sense_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: rb.rules({"a": [1, 2]}, [1, 2], source=5), "argument 'source': "),
        (lambda: rb.rules({"a": [1, 2]}, [1, 2], shorten="x"), "argument 'shorten': "),
        (lambda: rb.rules({"a": [1, 2]}, [1, 2], sort=1), "argument 'sort': "),
        (lambda: rb.rules({"a": [1, 2]}, [1, 2], max_length=1.5), "`max_length` must be a whole number, found a `float`"),
        (lambda: rb.Cuts(5), "`cuts` must be a mapping from attributes to cut points, found an `int`"),
        (lambda: rb.Cuts({"a": 2.5}), "`cuts` must have a sequence of numbers for `a`, found 2.5"),
        (lambda: rb.Cuts({"a": "12"}), "`cuts` must have a sequence of numbers for `a`, found '12'"),
        (lambda: rb.Cuts({"a": ["x"]}), r"`cuts` must have a sequence of numbers for `a`, found \['x'\]"),
        (lambda: rb.Cuts({1: [2.5]}), "`cuts` must name attributes by texts, found an `int`"),
    ],
)
def test_what_is_of_another_type_is_refused_by_the_name_of_its_parameter(make, message):
    with pytest.raises(TypeError, match=message):
        make()
