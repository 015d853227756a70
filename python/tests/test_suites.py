"""The figures of the shared suites, from Python."""

import pytest
import roughboard as rb
from suites import BENCHMARKS, GROUND_TRUTH, TABLES, columns

NOTIONS = {
    "positive": "pos_reducts",
    "generalized": "generalized_decision_reducts",
    "distribution": "distribution_reducts",
    "information": "information_reducts",
}


@pytest.fixture(params=TABLES, name="case")
def _case(request):
    return TABLES[request.param]


def from_one(rows):
    return [int(row) + 1 for row in rows]


def test_classes_and_regions(case):
    table = rb.Table(columns(case), case["decision"])
    assert [from_one(found) for found in rb.partition(table).classes()] == case["ind_classes"]
    whole = rb.approximations(table)
    assert [whole.n_positive, whole.n_total] == case["gamma"]
    assert whole.gamma == rb.gamma(table) == case["gamma"][0] / case["gamma"][1]
    assert from_one(whole.positive_region) == case["positive_region"]
    assert from_one(whole.boundary) == case["boundary"]
    assert {str(value) for value in whole} == set(case["approximations"])
    for value, found in whole.items():
        expected = case["approximations"][str(value)]
        for region in ("lower", "upper", "boundary"):
            assert from_one(getattr(found, region)) == expected[region]
        assert found.accuracy == expected["accuracy"][0] / expected["accuracy"][1]


def test_gamma_of_every_subset(case):
    table = rb.Table(columns(case), case["decision"])
    for names, positive in (case["gamma_of_subset"] or {}).items():
        attributes = [] if names == "-" else names.split("+")
        assert rb.gamma(table, attributes=attributes) == positive / case["n"]


@pytest.mark.parametrize("notion", NOTIONS)
def test_reducts_and_core(case, notion):
    table = rb.Table(columns(case), case["decision"])
    expected = {frozenset(names) for names in case[NOTIONS[notion]]}
    found = list(rb.reducts(table, notion=notion))
    assert {frozenset(reduct) for reduct in found} == expected
    assert len(found) == len(expected)
    assert set(rb.core(table, notion=notion)) == set(case[NOTIONS[notion] + "_core"])
    for method in (None, "greedy", "dependency", "entropy", "gini", "backward", "short"):
        assert frozenset(rb.reduct(table, notion=notion, method=method)) in expected
    minimum = rb.minimum_reduct(table, notion=notion)
    assert minimum.is_proved
    assert minimum.lower_bound == min(map(len, expected))
    assert frozenset(minimum.reduct) in expected


@pytest.mark.parametrize("name", [name for name in GROUND_TRUTH if (BENCHMARKS / f"{name}.parquet").exists()])
def test_benchmarks(name):
    polars = pytest.importorskip("polars")
    expected = GROUND_TRUTH[name]
    frame = polars.read_parquet(BENCHMARKS / f"{name}.parquet")
    table = rb.Table(frame, "d")
    places = {column: at for at, column in enumerate(table.attributes)}
    assert (table.n_objects, len(table.attributes)) == (expected["rows"], expected["attrs"])
    assert rb.partition(table).n_classes == expected["distinct"]
    assert rb.gamma(table) == pytest.approx(expected["gamma"], abs=5e-7)
    assert [places[column] for column in rb.core(table)] == expected["core"]
    if "reducts" in expected:
        found = sorted(sorted(places[column] for column in reduct) for reduct in rb.reducts(table))
        assert found == sorted(expected["reducts"])
    if "min" in expected:
        minimum = rb.minimum_reduct(table)
        assert minimum.is_proved and minimum.lower_bound == expected["min"]
