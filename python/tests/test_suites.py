"""The figures of the shared suites, from Python."""

import collections
import csv

import pytest
import roughboard as rb
from suites import BENCHMARKS, DATA, GROUND_TRUTH, TABLES, columns

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


def test_smallest_sets_of_rules(case):
    found = rb.rules(columns(case), case["decision"], source="cover", limit=10**6)
    assert (found.complete, len(found)) == (True, case["min_certain_rules"])


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
    sizes = collections.Counter(len(reduct) for reduct in rb.reducts(table))
    assert sum(sizes.values()) == expected["n_reducts"]
    assert (min(sizes), sizes[min(sizes)], max(sizes)) == (expected["min"], expected["n_min"], expected["max"])
    minimum = rb.minimum_reduct(table)
    assert minimum.is_proved and minimum.lower_bound == expected["min"]


READERS = {"pyarrow.parquet": "read_table", "polars": "read_parquet", "pandas": "read_parquet"}
# polars has decimals of 38 digits at most.
TOO_WIDE = {"decimals_bytes", "decimals_integers", "decimals_plain"}


def parquet(stem):
    """The files of this kind of the suite of Parquet, each as every library reads it."""
    for path in sorted((DATA / "parquet").glob(f"{stem}*.parquet")):
        for module, read in READERS.items():
            if not (module == "polars" and path.stem in TOO_WIDE):
                yield pytest.param(lambda p=path, m=module, r=read: getattr(pytest.importorskip(m), r)(p), id=f"{path.stem}-{module}")


def means(cell, value):
    """Whether a value is what a cell of CSV says."""
    if value is None or isinstance(value, bool):
        return cell == {None: "", True: "true", False: "false"}[value]
    return type(value)(cell) == value


@pytest.mark.parametrize("read", [*parquet("kinds_"), *parquet("decimals_")])
@pytest.mark.filterwarnings("ignore::roughboard.RoughWarning")
def test_columns_of_parquet_are_those_of_csv(read):
    table = rb.Table(read(), "d")
    name = "kinds" if "flag" in table.attributes else "decimals"
    with open(DATA / "parquet" / f"{name}.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for column in [*table.attributes, "d"]:
        assert all(map(means, (row[column] for row in rows), table.values(column))), column
    assert table.n_objects == len(rows)


@pytest.mark.parametrize("read", [*parquet("moment_"), *parquet("duration_")])
@pytest.mark.filterwarnings("ignore::roughboard.RoughWarning")
def test_dates_and_times_of_parquet(read):
    values = rb.Table(read()).values("inside")
    assert values in (["2026-01-01"], ["01:02:00"], ["2026-01-01T00:00:00"], [90.0, None, -5.0])


@pytest.mark.parametrize("read", [*parquet("refused_binary"), *parquet("refused_list"), *parquet("refused_map"), *parquet("refused_struct")])
def test_other_columns_of_parquet_are_refused(read):
    with pytest.raises(TypeError, match="column `inside`"):
        rb.Table(read())


@pytest.mark.parametrize("read", [*parquet("without_rows")])
def test_a_file_of_parquet_without_rows_is_refused(read):
    with pytest.raises(ValueError, match="no rows"):
        rb.Table(read())
