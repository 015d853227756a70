"""The same table from every kind of input."""

import array
import ctypes
import datetime
import math
import sys
from decimal import Decimal

import numpy as np
import pytest
import roughboard as rb

# Missing values, numbers below zero, and a decision of texts.
COLUMNS = {
    "a": [3, -1, 3, 7, -1, 300],
    "b": ["x", None, "y", "x", None, "x"],
    "c": [0.5, 1.5, math.nan, 0.5, -0.0, 0.0],
    "e": [True, False, True, True, False, True],
    "d": ["p", "q", "p", "q", "q", "q"],
}


def shape(table):
    """What there is to know of a table."""
    return table.attributes, table.summary(), rb.partition(table).labels.tolist(), table.to_dict()


NOON = datetime.datetime(2024, 1, 1, 12)

EXPECTED = shape(rb.Table(COLUMNS, "d"))


def test_values_and_missing_values():
    table = rb.Table(COLUMNS, "d")
    assert table.domain("a") == [-1, 3, 7, 300]
    assert table.domain("b") == ["x", "y", None]
    assert table.domain("c") == [0.0, 0.5, 1.5, None]
    assert table.summary()[-1] == ("d", "text", 2, 0)
    assert rb.partition(table).labels.tolist() == [0, 1, 2, 3, 4, 5]


def test_numpy_columns_of_every_type():
    numbers = [3, 1, 3, 7, 1, 100]
    expected = rb.Table({"a": numbers}, [0, 1, 0, 1, 0, 1]).to_dict()
    for kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", "object"):
        column = np.array(numbers, dtype=kind)
        assert rb.Table({"a": column}, [0, 1, 0, 1, 0, 1]).to_dict() == expected, kind
        strided = np.array([[number, 0, 0] for number in numbers], dtype=kind)[:, 0]
        assert rb.Table({"a": strided}, np.array([0, 1, 0, 1, 0, 1])).to_dict() == expected, kind
        assert rb.Table({"a": column[::-1]}, [1, 0, 1, 0, 1, 0]).values("a") == numbers[::-1]
    for kind in ("f2", "f4", "f8", ">f8"):
        found = rb.Table({"a": np.array([0.25, np.nan, -0.0, 0.0], dtype=kind)}, [0, 1, 0, 1])
        assert found.values("a") == [0.25, None, 0.0, 0.0]
    assert rb.Table({"a": np.array([0.1], dtype="f4")}).values("a") == [0.1]
    assert rb.Table({"a": np.array(["", "é", "long text"])}).values("a") == ["", "é", "long text"]
    assert rb.Table({"a": np.array([True, False])}).values("a") == [True, False]
    assert rb.Table({"a": array.array("h", [5, -5])}).values("a") == [5, -5]
    shorts = array.array("f", [0.1, math.nan, -0.0])
    for column in (shorts, memoryview(shorts), (ctypes.c_float * 3)(*shorts)):
        assert rb.Table({"a": column}).values("a") == [0.1, None, 0.0]
    assert rb.Table({"a": array.array("d", [0.1])}).values("a") == [0.1]


def test_matrices_by_rows_and_by_columns():
    random = np.random.default_rng(1)
    for shape_ in ((6, 4), (70_000, 9)):
        matrix = random.integers(-3, 3, size=shape_, dtype=np.int64)
        by_rows, by_columns = rb.Table(matrix, matrix[:, 0]), rb.Table(np.asfortranarray(matrix), matrix[:, 0])
        assert by_rows.attributes == [f"x{at}" for at in range(shape_[1])]
        for table in (by_rows, by_columns):
            assert table.values("x3") == matrix[:, 3].tolist()
        narrow = rb.Table(matrix.astype(np.int8), matrix[:, 0], names=[f"n{at}" for at in range(shape_[1])])
        assert narrow.values("n2") == matrix[:, 2].tolist()
    mixed = np.array([[1, "x"], [None, "y"]], dtype=object)
    assert rb.Table(mixed).to_dict() == {"x0": [1, None], "x1": ["x", "y"]}
    with pytest.warns(rb.RoughWarning, match="column `q` has numbers and texts"):
        rb.Table(np.array([[1, 2], [None, "y"]], dtype=object), names=["p", "q"])


def test_masked_arrays_mean_the_same_as_plain_ones():
    days = np.array(["2024-01-01", "2023-06-01"], "M8[D]")
    columns = [days.astype(f"M8[{unit}]") for unit in ("M", "D", "h", "s", "us", "ns")]
    columns += [np.array([36, 7], f"m8[{unit}]") for unit in ("D", "h", "ms", "ns")]
    columns += [np.array([1, 0], kind) for kind in ("?", "i1", "u8", ">i4")]
    columns += [np.array([0.1, 2], kind) for kind in ("f2", "f4", "f8")]
    columns += [np.array(["x", "y"]), np.array([1, 2], object)]
    for column in columns:
        expected = rb.Table({"a": column}).values("a")
        for mask in (np.ma.nomask, False, [False, False]):
            assert rb.Table({"a": np.ma.masked_array(column, mask)}).values("a") == expected, column.dtype
        lacking = np.ma.masked_array(column, [False, True])
        assert rb.Table({"a": lacking}).values("a") == [expected[0], None], column.dtype
        assert rb.Table({"a": lacking[::-1]}).values("a") == [None, expected[0]], column.dtype
        matrix = rb.Table(np.ma.stack([lacking, lacking[::-1]]), names=["p", "q"])
        assert matrix.to_dict() == {"p": [expected[0], None], "q": [None, expected[0]]}, column.dtype
    # More than one stretch of rows.
    numbers = np.random.default_rng(1).integers(0, 5, size=(70_000, 9))
    table = rb.Table(np.ma.masked_equal(numbers, 2))
    for at in (0, 8):
        assert table.values(f"x{at}") == [None if number == 2 else number for number in numbers[:, at].tolist()]


@pytest.mark.parametrize("length", [64, 65])
def test_reals_of_32_bits_are_what_they_are_spelled_as(length):
    shorts = np.full(length, 0.1, "f4")
    columns = {
        "numpy": shorts,
        "masked": np.ma.masked_array(shorts, [True] + [False] * (length - 1)),
        "list": list(shorts),
        "objects": np.array(list(shorts), object),
    }
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    categories = pandas.Categorical.from_codes([0] * length, pandas.Index(np.array([0.1], "f4")))
    columns |= {
        "pandas": pandas.Series(shorts),
        "Float32": pandas.Series(shorts, dtype="Float32"),
        "Float32 with a missing value": pandas.Series([None, *shorts.tolist()[1:]], dtype="Float32"),
        "float[pyarrow]": pandas.Series(shorts, dtype=pandas.ArrowDtype(pyarrow.float32())),
        "categories": pandas.Series(categories),
        "polars": polars.Series(shorts),
        "pyarrow": pyarrow.array(shorts),
    }
    for name, column in columns.items():
        lacks = name in ("masked", "Float32 with a missing value")
        assert rb.Table({"a": column}).values("a") == [None if lacks else 0.1, *[0.1] * (length - 1)], name
    halves = shorts.astype("f2")
    assert rb.Table({"a": list(halves)}).values("a") == rb.Table({"a": halves}).values("a")
    assert rb.Table({"a": [np.float32("nan"), np.float32(-0.0)]}).values("a") == [None, 0.0]


@pytest.mark.parametrize("kind", ["i1", "u1", "i2", "u4", "f4", "i8", "f8", "?", "M8[s]"])
def test_large_matrices_in_either_order(kind):
    random = np.random.default_rng(3)
    # More than one stretch of rows, and columns and rows that fill no square.
    matrix = random.integers(0, 2 if kind == "?" else 9, size=(150_003, 13)).astype(kind)
    # Part of a larger array: rows are further apart than they are long.
    for rows in (matrix, matrix[::2], np.hstack([matrix, matrix])[:, 5:18]):
        by_rows, by_columns = rb.Table(rows), rb.Table(np.asfortranarray(rows))
        for at in (0, 7, 12):
            assert by_rows.values(f"x{at}") == by_columns.values(f"x{at}")
        assert rb.partition(by_rows).labels.tolist() == rb.partition(by_columns).labels.tolist()
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(matrix, copy=False)
    assert rb.Table(frame).values("12") == rb.Table(matrix).values("x12")


@pytest.mark.parametrize("unused", [0, 1, 2, 3, 5, 8, 9, 40])
def test_numbers_between_which_some_do_not_occur(unused):
    random = np.random.default_rng(unused)
    numbers = np.array([-60, *random.choice(np.arange(-59, 60), 119 - unused, replace=False), 60], np.int8)
    # What occurs late, and once, is found as well.
    column = np.concatenate([np.full(9_000, numbers[-1]), np.repeat(numbers, 40), [numbers[0], numbers[5]]])
    for kind in (np.int8, np.int16, np.int32, np.int64):
        table = rb.Table({"a": column.astype(kind)})
        assert table.domain("a") == sorted(numbers.tolist())
        assert table.values("a") == column.tolist()


def references_held(column, make):
    """How many references to a column the table holds that is made, which must be right, and let the column go."""
    before = sys.getrefcount(column)
    table = make()
    held = sys.getrefcount(column) - before
    assert table.values("a") == np.asarray(column).tolist()
    del table
    assert sys.getrefcount(column) == before
    return held


def test_what_is_not_to_be_copied_is_held_where_bytes_lie_side_by_side(tmp_path):
    numbers = np.tile(np.array([-2, 0, 2, 3], np.int8), 500)
    numbers.tofile(tmp_path / "numbers")
    in_file = np.memmap(tmp_path / "numbers", np.int8, "r")
    held = ((numbers, 1), (numbers[100:], 1), (np.frombuffer(numbers.tobytes(), np.int8), 1), (in_file, 1))
    copied = ((numbers[::2], 0), (numbers.astype(np.int16), 0))
    for column, is_held in (*held, *copied):
        assert references_held(column, lambda: rb.Table({"a": column}, copy=False)) == is_held
        assert references_held(column, lambda: rb.Table({"a": column})) == 0


def test_arrays_that_are_not_of_numpy():
    numbers = np.tile(np.array([-2, 0, 2, 3], np.int8), 500)
    foreign = type("Foreign", (), {"__array_interface__": property(lambda _: numbers.__array_interface__)})()
    table = rb.Table({"a": foreign}, numbers % 2)
    expected = rb.gamma(table), table.to_dict()
    numbers[:] = np.roll(numbers, 1)
    assert (rb.gamma(table), table.to_dict()) == expected


def ways_to_hand_over(numbers):
    """Columns that share the memory of an array, some of which pass for read only."""
    window = np.lib.stride_tricks.sliding_window_view(numbers, numbers.size)[0]
    view = numbers.view()
    view.flags.writeable = False
    columns = {"numpy": numbers, "a window": window, "a view": view, "memoryview": memoryview(numbers)}
    pyarrow, polars, pandas = (pytest.importorskip(name) for name in ("pyarrow", "polars", "pandas"))
    masked = pandas.arrays.IntegerArray(numbers, np.zeros(numbers.size, bool))
    columns |= {"pyarrow": pyarrow.array(numbers), "polars": polars.Series(numbers), "Int8 of pandas": pandas.Series(masked, copy=False)}
    tables = {
        "pyarrow": pyarrow.table({"a": columns["pyarrow"]}),
        "polars": polars.DataFrame({"a": numbers}),
        "pandas": pandas.DataFrame({"a": numbers}, copy=False),
        "Int8 of pandas": pandas.DataFrame({"a": columns["Int8 of pandas"]}, copy=False),
    }
    return [(name, {"a": column}) for name, column in columns.items()] + [(f"table of {name}", table) for name, table in tables.items()]


def test_what_is_written_afterwards_does_not_change_a_table():
    first = np.tile(np.array([-2, 0, 2, 3], np.int8), 2_000)
    n_ways = len(ways_to_hand_over(first))
    for at in range(n_ways):
        numbers = first.copy()
        name, data = ways_to_hand_over(numbers)[at]
        # Once asked and once not, as codes are made when they are first asked for.
        for is_asked in (True, False):
            numbers[:] = first
            table = rb.Table(data, first.tolist())
            if is_asked:
                assert rb.gamma(table) == 1.0, name
            numbers[::2] = 3
            assert rb.gamma(table) == 1.0, name
            assert rb.partition(table).n_classes == 4, name
            assert table.values("a") == first.tolist(), name
        # Whoever promises not to write and does it all the same gets wrong figures, and no more than that.
        numbers[:] = first
        table = rb.Table(data, first.tolist(), copy=False)
        numbers[::2] = 77
        assert 0 <= rb.gamma(table) <= 1 and rb.partition(table).n_classes <= 4, name


def test_a_question_lets_the_data_go():
    numbers = np.tile(np.array([-2, 0, 2, 3], np.int8), 2_000)
    before = sys.getrefcount(numbers)
    assert rb.gamma({"a": numbers, "d": numbers.tolist()}, "d") == 1.0
    assert sys.getrefcount(numbers) == before
    # Reducts are looked for after the call.
    reducts = rb.reducts({"a": numbers, "d": numbers.tolist()}, "d")
    assert sys.getrefcount(numbers) == before
    assert [reduct.names for reduct in reducts] == [("a",)]


def test_held_and_copied_columns_answer_alike():
    pyarrow = pytest.importorskip("pyarrow")
    random = np.random.default_rng(5)
    matrix = random.integers(-4, 5, size=(10_000, 6), dtype=np.int8)
    # Gaps between numbers, and a column with one number only.
    matrix[:, 1][matrix[:, 1] == 2] = -4
    matrix[:, 2] *= 9
    matrix[:, 3] = 5
    names = [*"abcde", "d"]
    cuts = [0, 1, 4096, 4096, 9_999, 10_000]
    column = lambda at: pyarrow.chunked_array([pyarrow.array(matrix[i:j, at]) for i, j in zip(cuts, cuts[1:])])
    held = rb.Table(pyarrow.table({name: column(at) for at, name in enumerate(names)}), "d", copy=False)
    copied = rb.Table({name: matrix[:, at].tolist() for at, name in enumerate(names)}, "d")
    assert rb.gamma(held) == rb.gamma(copied) == rb.gamma(held)
    assert rb.gamma(held, attributes=["a", "c"]) == rb.gamma(copied, attributes=["a", "c"])
    assert rb.partition(held).labels.tolist() == rb.partition(copied).labels.tolist()
    assert shape(held) == shape(copied)
    assert rb.core(held) == rb.core(copied)
    assert rb.reduct(held).names == rb.reduct(copied).names
    assert rb.rules(held, source="lem2").words() == rb.rules(copied, source="lem2").words()


def test_frames_of_pandas_are_written_to_without_effect():
    pandas = pytest.importorskip("pandas")
    numbers = np.tile(np.array([[0, 1], [1, 0], [2, 1]], np.int8), (4_000, 1))
    columns = {"a": numbers[:, 0], "d": numbers[:, 1]}
    masked = {name: pandas.array(column, dtype="Int8") for name, column in columns.items()}
    expected = {name: column.tolist() for name, column in columns.items()}
    for frame in (pandas.DataFrame(numbers, columns=["a", "d"]), pandas.DataFrame(columns), pandas.DataFrame(masked)):
        # The frames of pandas 2 write to the arrays that they were made of.
        frame = frame.copy()
        table = rb.Table(frame, "d")
        assert rb.gamma(table) == 1.0
        frame.iloc[::2, 0] = 9
        frame["d"] = 0
        assert rb.gamma(table) == 1.0
        assert table.to_dict() == expected


@pytest.mark.parametrize("length", [3, 3_000])
def test_short_and_long_arrays_of_numpy_mean_the_same(length):
    for kind in ("?", "i1", "u2", "i8", "u8", "f4", "f8", ">i4", ">f8"):
        column = np.resize(np.array([1, 0, 1]), length).astype(kind)
        column = column / 8 if kind in ("f8", ">f8") else column
        value = {"?": bool, "f4": float, "f8": float, ">f8": float}.get(kind, int)
        table = rb.Table({"a": column})
        assert [(type(v), v) for v in table.domain("a")] == [(value, value(v)) for v in sorted(set(column.tolist()))]
        assert table.values("a") == column.tolist()
    truths = np.resize(np.array([2, 0, 1], np.uint8), length).view(np.bool_)
    assert rb.Table({"a": truths}).values("a") == truths.astype(bool).tolist()
    with pytest.raises(ValueError, match="column `a` has 2 dimensions, expected 1"):
        rb.Table({"a": np.zeros((length, 2))})


@pytest.mark.parametrize("repeats", [1, 100])
def test_dictionaries(repeats):
    pyarrow, pandas = pytest.importorskip("pyarrow"), pytest.importorskip("pandas")
    texts = ["b", None, "a", "c", "b"] * repeats
    for kind in (pyarrow.int8(), pyarrow.uint16(), pyarrow.int64()):
        # An entry that is not used, one that is there twice, and one that is no value.
        places = pyarrow.array([1, None, 3, 4, 0] * repeats, kind)
        coded = pyarrow.DictionaryArray.from_arrays(places, pyarrow.array(["b", "b", "x", "a", "c"]))
        null = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 1, 2, 3, 0] * repeats, kind), pyarrow.array(["b", None, "a", "c"]))
        other = pyarrow.array(texts).dictionary_encode()
        for column in (coded, null, pyarrow.chunked_array([coded, coded]), pyarrow.chunked_array([coded, other.cast(coded.type)])):
            table = rb.Table({"t": column})
            assert table.values("t") == texts * (len(column) // len(texts))
            assert table.domain("t") == ["a", "b", "c", None]
    for categories in (["a", "b", "c"], ["c", "x", "b", "a"]):
        found = rb.Table(pandas.DataFrame({"t": pandas.Categorical(texts, categories=categories)}))
        assert (found.values("t"), found.domain("t")) == (texts, ["a", "b", "c", None])
    whole = pandas.Categorical([2, 1] * 40 * repeats)
    assert rb.Table({"t": pandas.Series(whole)}).values("t") == [2, 1] * 40 * repeats


def test_dictionaries_that_differ_make_one_kind_of_values():
    pyarrow = pytest.importorskip("pyarrow")
    several = lambda *chunks, kind=None: pyarrow.chunked_array([pyarrow.array(chunk, kind).dictionary_encode() for chunk in chunks])
    mixed = rb.Table({"a": several(["<= 2"], ["<= 2", "x"])})
    assert (mixed.values("a"), mixed.summary()) == (["<= 2", "<= 2", "x"], [("a", "text", 2, 0)])
    cut = rb.Table({"a": several(["<= 2"], ["> 2", None, "<= 2"])})
    assert (cut.values("a"), cut.summary()) == (["<= 2", "> 2", None, "<= 2"], [("a", "interval", 3, 1)])
    with pytest.warns(rb.RoughWarning, match="is text because of 18446744073709551615"):
        large = rb.Table({"a": several([1], [1, 2**64 - 1], kind=pyarrow.uint64())})
    assert (large.values("a"), large.domain("a")) == (["1", "1", str(2**64 - 1)], ["1", str(2**64 - 1)])


@pytest.mark.parametrize("repeats", [1, 50])
def test_periods(repeats):
    pandas = pytest.importorskip("pandas")
    periods = pandas.Series(pandas.PeriodIndex(["2024-03", "NaT", "1999-12"] * repeats, freq="M"))
    for column in (periods, periods.tolist()):
        assert rb.Table({"p": column}).values("p") == ["2024-03", None, "1999-12"] * repeats


def test_dates_and_times():
    pyarrow = pytest.importorskip("pyarrow")
    dates = [datetime.date(2024, 2, 29), None, datetime.date(1969, 12, 31)]
    moments = [datetime.datetime(2024, 2, 29, 23, 59, 1, 500_000), None, datetime.datetime(1970, 1, 1)]
    times = [datetime.time(23, 59, 1, 500_000), None, datetime.time(1, 0)]
    spans = [datetime.timedelta(seconds=1.5), None, datetime.timedelta(days=-1)]
    expected = {
        "date": ["2024-02-29", None, "1969-12-31"],
        "moment": ["2024-02-29T23:59:01.5", None, "1970-01-01T00:00:00"],
        "time": ["23:59:01.5", None, "01:00:00"],
        "span": [1.5, None, -86400.0],
    }
    columns = {"date": dates, "moment": moments, "time": times, "span": spans}
    assert rb.Table(columns).to_dict() == expected
    kinds = {
        "date": [pyarrow.date32(), pyarrow.date64()],
        "moment": [pyarrow.timestamp(unit) for unit in ("ms", "us", "ns")],
        "time": [pyarrow.time32("ms"), pyarrow.time64("us"), pyarrow.time64("ns")],
        "span": [pyarrow.duration(unit) for unit in ("ms", "us", "ns")],
    }
    for name, kinds_of_name in kinds.items():
        for kind in kinds_of_name:
            assert rb.Table({name: pyarrow.array(columns[name], kind)}).values(name) == expected[name], kind
    # A time zone says how a moment is shown; what it is, is kept in UTC.
    zone = datetime.timezone(datetime.timedelta(hours=2))
    aware = [moment and moment.replace(tzinfo=zone) for moment in moments]
    in_utc = ["2024-02-29T21:59:01.5", None, "1969-12-31T22:00:00"]
    assert rb.Table({"moment": aware}).values("moment") == in_utc
    assert rb.Table({"moment": pyarrow.array(aware, pyarrow.timestamp("us", "+02:00"))}).values("moment") == in_utc
    numpy = np.array(["2024-02-29T23:59:01.5", "NaT", "1970-01-01"], "M8[ns]")
    assert rb.Table({"moment": numpy}).values("moment") == expected["moment"]
    assert rb.Table({"date": np.array(["2024-02", "2023-01"], "M8[M]")}).values("date") == ["2024-02-01", "2023-01-01"]
    assert rb.Table({"date": np.array(dates, "M8[D]")}).values("date") == expected["date"]
    assert rb.Table({"span": np.array([36, -1], "m8[h]")}).values("span") == [129600.0, -3600.0]
    assert rb.Table({"moment": np.array(list(numpy), "object")}).values("moment") == expected["moment"]
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    frame = pandas.DataFrame({"moment": moments, "span": spans})
    frame["aware"] = frame["moment"].dt.tz_localize("Europe/Berlin")
    assert rb.Table(frame).values("moment") == expected["moment"]
    assert rb.Table(frame).values("span") == expected["span"]
    assert rb.Table(frame).values("aware") == ["2024-02-29T22:59:01.5", None, "1969-12-31T23:00:00"]
    assert rb.Table({"month": frame["moment"].dt.to_period("M")}).values("month") == ["2024-02", None, "1970-01"]
    assert rb.Table(polars.DataFrame(columns)).to_dict() == expected


def test_single_times_of_numpy_and_pandas_mean_the_same_as_in_arrays():
    noon = np.datetime64("2024-01-01T12:00:00")
    moments = [noon.astype(f"M8[{unit}]") for unit in ("h", "m", "s", "ms", "ns")]
    assert rb.Table({"a": moments}).values("a") == ["2024-01-01T12:00:00"] * 5
    dates = [noon.astype(f"M8[{unit}]") for unit in ("Y", "M", "D")]
    assert rb.Table({"a": [*dates, np.datetime64("NaT", "h")]}).values("a") == ["2024-01-01"] * 3 + [None]
    spans = [np.timedelta64(1, "h"), np.timedelta64(1_500, "ns"), np.timedelta64("NaT", "D")]
    assert rb.Table({"a": spans}).values("a") == [3600.0, 1.5e-6, None]
    with pytest.raises(TypeError, match="found a `timedelta64`"):
        rb.Table({"a": [np.timedelta64(3, "M")]})
    pandas = pytest.importorskip("pandas")
    short = [pandas.Timedelta(1_500, "ns"), pandas.Timedelta(days=-1), pandas.NaT]
    for column in (short, pandas.Series(short, dtype="object")):
        assert rb.Table({"a": column}).values("a") == [1.5e-6, -86400.0, None]


def test_decimals():
    pyarrow = pytest.importorskip("pyarrow")
    numbers = [Decimal("1.50"), None, Decimal("-0.25"), Decimal("1000000.00")]
    for make in (pyarrow.decimal32, pyarrow.decimal64, pyarrow.decimal128, pyarrow.decimal256):
        found = rb.Table({"a": pyarrow.array(numbers, make(9, 2))})
        assert found.values("a") == [1.5, None, -0.25, 1000000.0]
        assert found.domain("a") == [-0.25, 1.5, 1000000.0, None]
    assert rb.Table({"a": numbers}).values("a") == [1.5, None, -0.25, 1000000.0]
    whole = [Decimal(7), Decimal("NaN"), Decimal(-300)]
    assert rb.Table({"a": whole}).values("a") == [7, None, -300]
    assert rb.Table({"a": pyarrow.array([7, -300], pyarrow.int64()).cast(pyarrow.decimal128(20))}).values("a") == [7, -300]
    large = [Decimal(10**30), Decimal(1)]
    for column in (large, pyarrow.array(large)):
        with pytest.warns(rb.RoughWarning, match=f"column `a` is text because of {10**30}, which is too large"):
            assert rb.Table({"a": column}).values("a") == [str(10**30), "1"]


def test_numbers_far_apart_and_large_ones():
    far = [-(2**63), 2**63 - 1, 0, 5]
    assert rb.Table({"a": np.array(far)}).values("a") == far
    assert rb.Table({"a": far}).values("a") == far
    large = [2**64 - 1, 1]
    for column in (large, np.array(large, dtype=np.uint64), np.array(large * 50, dtype=np.uint64)):
        with pytest.warns(rb.RoughWarning, match=f"column `a` is text because of {2**64 - 1}, which is too large for a whole"):
            assert rb.Table({"a": column}).values("a")[:2] == [str(2**64 - 1), "1"]
    # Among reals they are reals, as in CSV, if they are not beyond these.
    assert rb.Table({"a": [10**20, 0.5, 7]}).values("a") == [1e20, 0.5, 7.0]
    assert rb.Table({"a": [Decimal(10**30), Decimal("0.5")]}).values("a") == [1e30, 0.5]
    with pytest.warns(rb.RoughWarning, match=f"is text because of {10**39}…, which is too large"):
        assert rb.Table({"a": [10**400, 0.5]}).values("a") == [str(10**400), "0.5"]


@pytest.mark.parametrize("seed", range(20))
def test_every_way_gives_the_same_codes(seed):
    random = np.random.default_rng(seed)
    n_rows = int(random.integers(1, 6000))
    kind = str(random.choice(["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]))
    bounds = np.iinfo(kind)
    width = int(random.choice([1, 3, 200, 1000, 2**40]))
    low = int(random.integers(bounds.min, min(bounds.max, 2**62), endpoint=True))
    high = min(low + width, bounds.max, 2**63 - 1)
    numbers = random.integers(low, high, size=n_rows, dtype=kind, endpoint=True)
    # Some numbers between the least and the largest never occur.
    numbers[numbers % 7 == 3] = low
    missing = random.random(n_rows) < random.choice([0.0, 0.2])
    missing[0] = False
    objects = [None if lacks else int(number) for number, lacks in zip(numbers, missing)]
    table = rb.Table({"a": objects, "b": numbers.tolist()})
    assert rb.Table({"b": numbers}).values("b") == table.values("b") == numbers.tolist()
    assert rb.Table({"b": numbers}).domain("b") == table.domain("b") == sorted(set(numbers.tolist()))
    pyarrow = pytest.importorskip("pyarrow")
    column = pyarrow.chunked_array([pyarrow.array(numbers[at::2], mask=missing[at::2]) for at in (0, 1) if n_rows > at])
    expected = [*objects[0::2], *objects[1::2]]
    assert rb.Table({"a": column}).values("a") == expected
    assert rb.Table({"a": column}).domain("a") == table.domain("a")


def test_names_of_columns_need_be_no_texts():
    pandas = pytest.importorskip("pandas")
    numbered = pandas.DataFrame([[0, 1, 0], [1, 1, 1]])
    assert (rb.Table(numbered, 2).decision, rb.Table(numbered, np.int64(2), weight=1).attributes) == ("2", ["0"])
    levels = pandas.DataFrame([[0, 1], [1, 1]], columns=pandas.MultiIndex.from_tuples([("a", "x"), ("a", "y")]))
    assert rb.Table(levels, ("a", "x")).attributes == ["('a', 'y')"]
    # Names of several columns are a tuple, too.
    assert rb.Table({"a": [0, 1], "b": [1, 1], "c": [2, 2]}, ("a", "b")).domain("a,b") == ["0,1", "1,1"]


def test_what_is_no_table_yet_tells_how_to_make_one():
    polars = pytest.importorskip("polars")
    with pytest.raises(TypeError, match=r"found a `LazyFrame`: `.collect\(\)` makes one of it"):
        rb.Table(polars.LazyFrame({"a": [1]}))


def test_objects_of_several_kinds():
    assert rb.Table({"a": [1, 2.5, None]}).domain("a") == [1.0, 2.5, None]
    with pytest.warns(rb.RoughWarning, match="booleans and numbers and texts"):
        assert rb.Table({"a": [1, "x", True]}).domain("a") == ["1", "true", "x"]
    with pytest.warns(rb.RoughWarning, match="booleans and numbers"):
        assert rb.Table({"a": [np.int64(3), np.float32(0.5), np.bool_(True)]}).domain("a") == ["0.5", "3", "true"]
    assert rb.Table({"a": ["<= 2.5", "(2.5, 4]", None]}).summary() == [("a", "interval", 3, 1)]
    assert rb.Table({"a": range(3)}).values("a") == [0, 1, 2]


def test_pandas():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(COLUMNS)
    assert shape(rb.Table(frame, "d")) == EXPECTED
    categories = frame.astype({"b": "category", "a": "Int64", "e": "boolean"})
    assert shape(rb.Table(categories, "d")) == EXPECTED
    assert shape(rb.Table(frame.drop(columns="d"), frame["d"])) == EXPECTED
    assert rb.Table(pandas.DataFrame(np.array([[1, 2]]))).attributes == ["0", "1"]
    # Longer columns are handed over by Arrow, and where pandas hides its arrays, its series are asked.
    long = pandas.concat([frame] * 30, ignore_index=True)
    hidden = type("Frame", (pandas.DataFrame,), {"_iter_column_arrays": property()})(long)
    assert shape(rb.Table(long, "d")) == shape(rb.Table(hidden, "d")) == shape(rb.Table({k: COLUMNS[k] * 30 for k in COLUMNS}, "d"))
    twice = pandas.concat([frame["a"], frame["a"].rename("b")], axis=1)
    assert rb.Table(twice, long["d"].head(6)).values("b") == COLUMNS["a"]


def test_arrow():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({**COLUMNS, "c": pyarrow.array(COLUMNS["c"], from_pandas=True)})
    assert shape(rb.Table(table, "d")) == EXPECTED
    for kind in (pyarrow.large_string(), pyarrow.string_view()):
        texts = pyarrow.array(COLUMNS["b"], kind)
        assert shape(rb.Table(table.set_column(1, "b", texts), "d")) == EXPECTED
    assert shape(rb.Table(table.set_column(1, "b", table["b"].dictionary_encode()), "d")) == EXPECTED
    halves = pyarrow.concat_tables([table.slice(0, 2), table.slice(2)])
    assert shape(rb.Table(halves, "d")) == EXPECTED
    assert rb.Table(table.slice(1, 4), "d").values("b") == COLUMNS["b"][1:5]
    assert rb.Table(table.slice(1, 4), "d").values("e") == COLUMNS["e"][1:5]
    assert shape(rb.Table(table.to_batches()[0], "d")) == EXPECTED
    nulls = pyarrow.table({"a": pyarrow.array([1, None, 2], pyarrow.int8()), "n": pyarrow.nulls(3)})
    with pytest.warns(rb.RoughWarning, match="`n` has no value"):
        assert rb.Table(nulls).to_dict() == {"a": [1, None, 2], "n": [None] * 3}
    with_gap = pyarrow.array([{"a": 1}, None, {"a": 2}])
    for rows in (with_gap, with_gap.slice(0, 2), with_gap.slice(1)):
        with pytest.raises(ValueError, match="rows that are null"):
            rb.Table(rows)
    assert rb.Table(with_gap.slice(2)).values("a") == [2]
    long = ["a text of more than twelve bytes", "short", "another text of more than twelve bytes"]
    assert rb.Table({"t": pyarrow.array(long, pyarrow.string_view())}).values("t") == long


def test_polars():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(COLUMNS)
    assert shape(rb.Table(frame, "d")) == EXPECTED
    assert shape(rb.Table(frame.with_columns(polars.col("b").cast(polars.Categorical)), "d")) == EXPECTED
    assert shape(rb.Table(frame.drop("d"), frame["d"])) == EXPECTED
    assert rb.Table(frame[::2], "d").values("a") == COLUMNS["a"][::2]
    lengthened = polars.concat([frame, frame], rechunk=False)
    assert rb.partition(rb.Table(lengthened, "d")).n_classes == 6


def test_roles():
    data = {"a": [0, 1, 1, 2], "b": [0, 0, 1, 1], "d": ["x", "y", "y", None], "e": [1, 1, 2, 2], "w": [1, 2, 0, 5]}
    with pytest.warns(rb.RoughWarning, match="1 of 3 rows have no decision and are left out"):
        table = rb.Table(data, "d", weight="w", ignore=["e"])
    assert (table.attributes, table.n_objects, table.total_weight) == (["a", "b"], 2, 3)
    assert (table.row_of.tolist(), table.weights.tolist()) == ([0, 1], [1, 2])
    both = rb.Table(data, ("b", "e"), attributes=["a"])
    assert both.domain("b,e") == ["0,1", "1,2"]
    counted = rb.Table({"a": [0, 1], "d=x": [2, 0], "d=y": [1, 4]}, "d")
    assert (counted.total_weight, counted.domain("d"), counted.row_of.tolist()) == (7, ["x", "y"], [0, 0, 1])
    with pytest.warns(rb.RoughWarning, match="1 of 3 rows have no decision and are left out: 3 read = 2 kept"):
        rb.Table({"a": [1, 2, 3], "d=0": [2, 1, 0], "d=1": [1, 0, 0], "d=?": [0, 0, 4]}, "d")
    with pytest.warns(rb.RoughWarning, match="weight 1 of 7 have no decision and are left out; their rows have counts"):
        assert rb.Table({"a": [1, 2], "d=0": [2, 1], "d=1": [0, 3], "d=?": [1, 0]}, "d").n_left_out == 0
    assert rb.Table({"a": ["-", "1"], "b": [1, -9]}, na=["-", "-9"]).to_dict() == {"a": [None, "1"], "b": [1, None]}
    with pytest.warns(rb.RoughWarning, match="2 of 4 rows have missing values"):
        assert rb.Table({"a": [1, None, 3, 4]}, [0, 1, None, 1], missing="drop").row_of.tolist() == [0, 3]


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: rb.Table(5), TypeError, "expected a table"),
        (lambda: rb.Table([[1, 2]]), TypeError, "found a `list`$"),
        (lambda: rb.Table(type("Sparse", (), {"toarray": None})()), TypeError, r"found a `Sparse`: `.toarray("),
        (lambda: rb.Table(np.array([1, 2])), ValueError, "1 dimensions, expected 2"),
        (lambda: rb.Table({"a": [1, 2]}, "d"), ValueError, "no decision column `d`; its columns are `a`"),
        (lambda: rb.Table({"a": [1, 2], "d": [1]}, "d"), ValueError, "`d`"),
        (lambda: rb.Table({"a": "text"}), TypeError, "column `a` is a `str`"),
        (lambda: rb.Table({"a": 5}), TypeError, "column `a` is an `int`"),
        (lambda: rb.Table({"a": [1, [2]]}), TypeError, "row 1, counted from 0: found a `list`"),
        (lambda: rb.Table({"a": {"x": 1}}), TypeError, "column `a` is a `dict`"),
        (lambda: rb.Table({"a": {1, 2}}), TypeError, "column `a` is a `set`"),
        (lambda: rb.Table({"a": [1, 2]}, {"d": [1, 2]}), TypeError, "column `decision` is a `dict`"),
        (lambda: rb.Table({"a": [1, 2]}, 5), TypeError, "decision is an `int`, expected the name of a column"),
        (lambda: rb.Table({"a": [1, 2], "d": [1, 2]}, ["a", "d"]), ValueError, "expected a tuple"),
        (lambda: rb.Table({"a": [1]}, na=[-9]), TypeError, "expected a text or a sequence of texts, found an `int`"),
        (lambda: rb.Table({"a": [10**5000]}), ValueError, "column `a`, row 0, counted from 0: Exceeds the limit"),
        (lambda: rb.Table({"a": ["\ud800"]}), ValueError, "column `a`, row 0, counted from 0: "),
        (lambda: rb.Table({"a": [Decimal("1E+999999999")]}), ValueError, "1000000000 digits, expected 76 at most"),
        (lambda: rb.Table({"a": [NOON, NOON.replace(tzinfo=datetime.timezone.utc)]}), TypeError, "without one, expected one kind"),
        (lambda: rb.Table({"a": [datetime.time(1, tzinfo=datetime.timezone.utc)]}), TypeError, "a time without a time zone"),
        (lambda: rb.Table({"a": np.array([1], "M8[ps]")}), TypeError, "column `a` has the type datetime64"),
        (lambda: rb.Table({"a": [1], 1: [1], "1": [2]}), ValueError, "two columns are called `1`"),
        (lambda: rb.Table({"a": [1]}).domain("b"), KeyError, "no column `b`"),
        (lambda: rb.reducts({"a": [1, 2]}, [1, 2], limit=-1), ValueError, "`limit` must be a whole number from 0 on, got -1"),
        (lambda: rb.rules({"a": [1, 2]}, [1, 2], min_support=-1), ValueError, "`min_support` must be a whole number"),
        (lambda: rb.set_threads(-1), ValueError, "from 0 to 1024, got -1"),
        (lambda: rb.Certificate("{}"), ValueError, "it is no certificate of a reduct"),
        (lambda: rb.Certificate("nonsense"), ValueError, "`text` must be a certificate as JSON: .*; Certificate.read takes a path"),
        (lambda: rb.Certificate(5), TypeError, "`text` must be a certificate as JSON, found an `int`"),
        (lambda: rb.gamma({"a": [1, 2]}, [1, 2], beta="x"), ValueError, "`beta` must be a number such as 0.8 or a fraction such as 4/5, got x"),
        (lambda: rb.verify({"a": [1, 2]}, [1, 2], certificate="{}"), TypeError, "`certificate` must be a Certificate, found a `str`"),
        (lambda: rb.certify({"a": [1, 2]}, [1, 2], reduct=[]), ValueError, "the empty set is no reduct"),
        (lambda: rb.minimum_reduct({"a": [1, 2]}, [1, 2], attributes=["a"], certificate=True), ValueError, "all its attributes"),
        (lambda: rb.Table({"a": np.array([3], "m8[M]")}), TypeError, "column `a` has the type timedelta64"),
        (lambda: rb.Table(rb.Table({"a": [1]}), ignore=["a"]), ValueError, "expected no other arguments"),
        (lambda: rb.Table(rb.Table({"a": [1]}), copy=False), ValueError, "expected no other arguments"),
        (lambda: rb.Table({"a": np.array([1j])}), TypeError, "complex128"),
        (lambda: rb.Table({"a": []}, []), ValueError, "no rows"),
        (lambda: rb.Table({"a": [1], "b": [2]}, "a", ignore=["a"]), ValueError, "ignore names `a`"),
        (lambda: rb.Table({"a": [1], "d=0": [2], "d=1": [1]}, "d", ignore=["d=1"]), ValueError, "ignore names `d=1`"),
        (lambda: rb.Table({"a": [1]}, ignore=["z"]), ValueError, "no attribute column `z`"),
        (lambda: rb.Table({"a": [1]}, missing="tolerance"), ValueError, "'value' or 'drop'"),
        (lambda: rb.Table({"a": [1, 2]}, [1, 2], weight=[1, -1]), ValueError, r"column `weight`, row 1: .* found `-1` (rows are counted from 0"),
        (lambda: rb.discretize({"a": [1, 2, math.inf]}, method="width"), ValueError, r"infinite in row 2, .*rows are counted from 0"),
        (lambda: rb.reducts({"a": [1, 2]}, [1, 2], limit="2"), TypeError, "`limit` must be a whole number, found a `str`"),
        (lambda: rb.read_table(5), TypeError, "`games` must be a path or a sequence of paths, found an `int`"),
        (lambda: rb.gamma({"a": [1]}), ValueError, "no decision"),
        (lambda: rb.gamma(rb.Table({"a": [1, 2]}, [1, 2]), "d"), ValueError, "has its decision already"),
        (lambda: rb.reduct({"a": [1, 2]}, [1, 2], method="best"), ValueError, "best"),
        (lambda: rb.core({"a": [1, 2]}, [1, 2], notion="no"), ValueError, "`notion` must be one of positive"),
        (lambda: rb.gamma({"a": [1, 2]}, [1, 2], attributes=["z"]), ValueError, "no attribute column `z`"),
        (lambda: rb.gamma({"a": [1, 2]}, [1, 2], beta=0.3), ValueError, "0.5"),
        (lambda: rb.certify({"a": [1, 2], "b": [1, 2]}, [1, 2], reduct=["a", "b"]), ValueError, "no reduct"),
        (lambda: rb.minimum_reduct({"a": [1, 2]}, [1, 2], time_limit=0), ValueError, "time_limit must be above 0"),
        (lambda: rb.set_threads(5000), ValueError, "from 0 to 1024, got 5000"),
    ],
)
def test_bad_input_is_refused(make, error, message):
    with pytest.raises(error, match=message.replace("(", r"\(")):
        make()


ASKED = {
    "rules": lambda data: rb.rules({"a": [0, 1], "b": [0, 1]}, [0, 1]).predict(data),
    "cuts": lambda data: rb.Cuts({"a": [0.5]}).apply(data),
}


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_objects_without_decision_are_a_table_too(ask):
    pandas = pytest.importorskip("pandas")
    for data, message in (
        ({"a": [0, 1], "b": [0]}, "column `b` has 1 rows, expected 2"),
        ({"a": [0], "b": [0, 1]}, "column `b` has 2 rows, expected 1"),
        (pandas.DataFrame([[0, 1, 1]], columns=["a", "b", "b"]), "two columns are called `b`"),
    ):
        with pytest.raises(ValueError, match=message):
            ask(data)
    columns = {"a": [0, 1, 1], "b": [0, 1, 0]}
    assert str(ask(rb.Table(columns))) == str(ask(columns))
    assert len(list(ask({"a": [], "b": []}))) > 0


def test_a_text_is_one_name():
    data = {"ab": [1, 2, 3], "c": ["?x", "y", "?"], "d": [0, 1, 1]}
    assert rb.Table(data, "d", attributes="ab").attributes == rb.Table(data, "d", ignore="c").attributes == ["ab"]
    assert rb.Table(data, "d", na="?x").values("c") == [None, "y", "?"]
    assert rb.gamma(data, "d", attributes="ab") == 1.0


def test_a_frame_is_no_column():
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    data = {"x": [1, 2]}
    structures = pyarrow.array([{"x": 1}, {"x": 2}])
    for frame in (pandas.DataFrame(data), polars.DataFrame(data), pyarrow.table(data), structures):
        with pytest.raises(ValueError, match="column `a` is a table, expected one column"):
            rb.Table({"a": frame})
    with pytest.raises(ValueError, match="is a table, expected one column"):
        rb.Table({"a": [1, 2]}, pandas.DataFrame(data))


def test_columns_without_a_part_may_be_of_any_kind():
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    data = {"l": [[1], [2]], "a": [1, 2], "d": [0, 1]}
    rules = rb.rules({"a": [1, 2]}, [0, 1])
    for table in (data, polars.DataFrame(data), pyarrow.table(data), pandas.DataFrame(data)):
        assert rb.Table(table, "d", ignore=["l"]).to_dict() == rb.Table(table, "d", attributes=["a"]).to_dict() == {"a": [1, 2], "d": [0, 1]}
        assert rb.Table(table, ignore=["l"]).to_dict() == {"a": [1, 2], "d": [0, 1]}
        assert rules.predict(table).codes.tolist() == [0, 1]
        for make in (lambda: rb.Table(table, "d"), lambda: rb.Table(table, "l", attributes=["a"]), lambda: rb.Cuts({"a": [1.5]}).apply(table)):
            with pytest.raises(TypeError, match="column `l`"):
                make()
    matrix = np.array([[1, {1}], [2, {2}]], object)
    assert rb.Table(matrix, [0, 1], ignore=["x1"]).attributes == ["x0"]
    with pytest.raises(TypeError, match="column `q`"):
        rb.Table(matrix, [0, 1], names=["p", "q"])


def test_intervals_of_pandas():
    pandas = pytest.importorskip("pandas")
    cut = pandas.cut(pandas.Series([1, 2, 3, 4, None]), [0, 2.5, 4])
    for column in (cut, cut.astype("object")):
        table = rb.Table({"a": column})
        assert (table.values("a"), table.summary()) == (["(0, 2.5]"] * 2 + ["(2.5, 4]"] * 2 + [None], [("a", "interval", 3, 1)])
    for length in (64, 65):
        table = rb.Table({"a": pandas.Series(pandas.arrays.IntervalArray.from_breaks(range(length + 1)))})
        assert table.values("a") == [f"({low}, {low + 1}]" for low in range(length)]
        assert table.summary() == [("a", "interval", length, 0)]


@pytest.mark.parametrize("length", [64, 65])
def test_structures_of_pandas_are_refused(length):
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    kind = pandas.ArrowDtype(pyarrow.struct([("x", pyarrow.int64()), ("y", pyarrow.int64())]))
    with pytest.raises(TypeError, match="column `a`"):
        rb.Table({"a": pandas.Series([{"x": 1, "y": 2}] * length, dtype=kind)})


@pytest.mark.skipif(not hasattr(np.dtypes, "StringDType"), reason="numpy 1 has no such type")
def test_texts_of_any_length_of_numpy():
    texts = ["a", "a text of more than a few bytes", "é"]
    assert rb.Table({"a": np.array(texts, np.dtypes.StringDType())}).values("a") == texts
    lacking = np.array(["a", None], np.dtypes.StringDType(na_object=None))
    assert rb.Table({"a": lacking}).values("a") == ["a", None]


def test_what_becomes_equal_is_told():
    with pytest.warns(rb.RoughWarning, match="column `a` has numbers and texts, which are all read as texts"):
        assert rb.Table({"a": [1, "1", None]}).values("a") == ["1", "1", None]
    with pytest.warns(rb.RoughWarning, match="9007199254740992 and 9007199254740993, which are one real number"):
        rb.Table({"a": [2**53, 2**53 + 1, 0.5]})
    with pytest.warns(rb.RoughWarning, match=f"{10**20} and {10**20 + 1}, which are one real number"):
        rb.Table({"a": [10**20, 10**20 + 1, 0.5]})
    pandas = pytest.importorskip("pandas")
    with pytest.warns(rb.RoughWarning, match="column `a` has numbers and texts, which are all read as texts"):
        assert rb.Table({"a": pandas.Series(pandas.Categorical.from_codes([0, 1], [1, "1"]))}).values("a") == ["1", "1"]
    with pytest.warns(rb.RoughWarning, match="column `a` has booleans and texts, .* so that True and 'true' are equal"):
        assert rb.Table({"a": [True, "true", "True"]}).values("a") == ["true", "true", "True"]
    # Nothing is said of numbers that are equal in Python, too.
    assert rb.Table({"a": [1, 1.0, 2, 0.5]}).values("a") == [1.0, 1.0, 2.0, 0.5]
    assert rb.Table({"a": [2**53, 2.0**53, 10**22, 1e22, 0.5]}).values("a") == [2.0**53, 2.0**53, 1e22, 1e22, 0.5]
    assert rb.Table({"a": [Decimal("0.1"), Decimal("0.100"), 0.1]}).values("a") == [0.1] * 3


@pytest.mark.parametrize("repeats", [1, 50])
def test_decimals_and_durations_that_become_equal_are_told(repeats):
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    decimals = [Decimal("0.1"), Decimal("0.10000000000000000001"), Decimal("0.2")] * repeats
    spans = np.array([1_700_000_000_000_000_001, 1_700_000_000_000_000_002, 90] * repeats, "m8[ns]")
    as_decimals = pyarrow.array(decimals, pyarrow.decimal128(30, 20))
    told = {
        "0.10* and 0.10000000000000000001": (decimals, as_decimals, as_decimals.dictionary_encode()),
        "1700000000.000000001 and 1700000000.000000002": (spans, list(spans), pandas.Series(spans), pandas.to_timedelta(spans).tolist()),
    }
    for pair, columns in told.items():
        for column in columns:
            with pytest.warns(rb.RoughWarning, match=f"column `a` has {pair}, which are one real number of 64 bits"):
                table = rb.Table({"a": column})
            assert len(table.domain("a")) == 2
    apart = [Decimal("0.10"), Decimal("0.20"), Decimal("-7.25")] * repeats
    assert rb.Table({"a": apart}).values("a") == rb.Table({"a": pyarrow.array(apart)}).values("a") == [0.1, 0.2, -7.25] * repeats


def test_warnings_name_the_line_of_the_user():
    sklearn = pytest.importorskip("roughboard.sklearn")
    data, decision = {"a": [1, 2]}, [0, 0]
    for ask in (lambda: rb.Table(data, decision), lambda: rb.gamma(data, decision), lambda: sklearn.ReductSelector().fit([[1], [2]], decision)):
        with pytest.warns(rb.RoughWarning, match="for every object") as told:
            ask()
        assert [warning.filename for warning in told] == [__file__]


def test_types_of_arrow_without_order_are_refused():
    pyarrow = pytest.importorskip("pyarrow")
    hundreds = pyarrow.array([Decimal(100)]).cast(pyarrow.decimal128(3, -2))
    for values, kind in (([b"x"], "binary"), ([[1]], "lists"), (hundreds, "last digits are not kept")):
        with pytest.raises(TypeError, match=kind):
            rb.Table(pyarrow.table({"a": values}))
