"""Writes the Parquet files of this folder: one small table in every encoding, page version and compression that
pyarrow, polars and DuckDB write, tables with decimal numbers, dates, times and durations, and tables with columns that
are refused.

Needs pyarrow, polars and duckdb. The table is that of kinds.csv beside it, that of decimal numbers that of decimals.csv.
"""

import datetime
import decimal
import pathlib

import duckdb
import polars
import pyarrow as pa
import pyarrow.parquet as pq

HERE = pathlib.Path(__file__).parent
ROWS = 40


def kinds() -> pa.Table:
    """Every kind of column, with nulls, NaN and both zeros; some with many values, some with few."""
    rows = range(ROWS)
    gap = lambda row, value: None if row % 7 == 3 else value
    columns = {
        "flag": pa.array([gap(r, r % 3 == 0) for r in rows], pa.bool_()),
        "i8": pa.array([gap(r, r * 5 - 100) for r in rows], pa.int8()),
        "i16": pa.array([gap(r, r % 4 - 300) for r in rows], pa.int16()),
        "i32": pa.array([r * r * 1_000 for r in rows], pa.int32()),
        "i64": pa.array([gap(r, (r % 5) * 3_000_000_000 - 1) for r in rows], pa.int64()),
        "u8": pa.array([r % 6 + 250 for r in rows], pa.uint8()),
        "u16": pa.array([gap(r, 65_535 - r % 2) for r in rows], pa.uint16()),
        "u32": pa.array([4_294_967_295 - r % 3 for r in rows], pa.uint32()),
        "u64": pa.array([gap(r, r % 9) for r in rows], pa.uint64()),
        "huge": pa.array([18_446_744_073_709_551_615 - r % 2 for r in rows], pa.uint64()),
        "f32": pa.array([gap(r, float("nan") if r % 5 == 0 else r / 4) for r in rows], pa.float32()),
        "f64": pa.array([[0.0, -0.0, 1e300, -2.5][r % 4] for r in rows], pa.float64()),
        "text": pa.array([gap(r, f"täxt {r % 11}") for r in rows], pa.string()),
        "many": pa.array([f"value {r * 37 % 40}" for r in rows], pa.large_string()),
        "interval": pa.array([["<= 2.5", "(2.5, 4]", "> 4"][r % 3] for r in rows], pa.string()),
        "nothing": pa.array([None] * ROWS, pa.int32()),
        "d": pa.array([["no", "yes"][r % 2] for r in rows], pa.string()),
    }
    return pa.table(columns)


def spelled(value) -> str:
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    return repr(value + 0.0) if isinstance(value, float) else str(value)


def decimals() -> pa.Table:
    """Decimal numbers of all widths, whole and not, with nulls; some with more digits than 64 bits hold."""
    column = lambda kind, *texts: pa.array([None if t is None else decimal.Decimal(t) for t in texts], kind)
    long = "1234567890" * 4
    columns = {
        "whole": column(pa.decimal128(18, 0), "1", None, "3", "-2"),
        "price": column(pa.decimal128(10, 2), "1.50", "0.05", "-12.30", "1.50"),
        "small": column(pa.decimal32(7, 3), "-0.001", "2.000", None, "2.000"),
        "middle": column(pa.decimal64(15, 1), "0.1", "99999999999999.9", "-7.0", "0.0"),
        "fine": column(pa.decimal128(38, 30), "0.1", "0.100000000000000000000000000001", "-1.5", None),
        "large": column(pa.decimal128(30, 0), "100000000000000000001", "5", "-5", None),
        "wide": column(pa.decimal256(60, 3), f"{long}.125", f"-{long}.125", "0.500", "2.000"),
        "d": pa.array(["no", "yes", "no", "yes"]),
    }
    return pa.table(columns)


def write_csv(table: pa.Table, name: str) -> None:
    quoted = lambda text: f'"{text}"' if "," in text else text
    lines = [",".join(table.column_names)]
    lines += [",".join(quoted(spelled(value)) for value in row.values()) for row in table.to_pylist()]
    (HERE / name).write_text("\n".join(lines) + "\n")


def write_decimals(table: pa.Table) -> None:
    write_csv(table, "decimals.csv")
    pq.write_table(table, HERE / "decimals_bytes.parquet")
    pq.write_table(table, HERE / "decimals_plain.parquet", use_dictionary=False)
    pq.write_table(table, HERE / "decimals_integers.parquet", store_decimal_as_integer=True)
    narrow = table.drop_columns("wide").cast(pa.schema(
        pa.field(f.name, pa.decimal128(f.type.precision, f.type.scale) if pa.types.is_decimal(f.type) else f.type)
        for f in table.drop_columns("wide").schema
    ))
    polars.from_arrow(narrow).write_parquet(HERE / "decimals_polars.parquet")


def main() -> None:
    table = kinds()
    write_csv(table, "kinds.csv")
    write = lambda name, **options: pq.write_table(table, HERE / f"kinds_{name}.parquet", **options)
    for codec in ["none", "snappy", "gzip", "brotli", "lz4", "zstd"]:
        write(codec, compression=codec)
    write("v2", data_page_version="2.0", version="2.6")
    write("plain", use_dictionary=False)
    write("groups", row_group_size=7)
    write("pages", data_page_size=1, write_batch_size=5)
    # The dictionary is given up in the middle of a column.
    write("fallback", dictionary_pagesize_limit=16, write_batch_size=4)
    integers = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "huge"]
    delta = dict.fromkeys(integers, "DELTA_BINARY_PACKED") | {"text": "DELTA_BYTE_ARRAY", "many": "DELTA_LENGTH_BYTE_ARRAY"}
    split = dict.fromkeys(["f32", "f64"], "BYTE_STREAM_SPLIT")
    write("delta", use_dictionary=False, column_encoding=delta | split, data_page_version="2.0")
    categories = table.set_column(12, "text", table["text"].dictionary_encode())
    pq.write_table(categories, HERE / "kinds_categories.parquet")
    required = pa.schema([pa.field(f.name, f.type, nullable=table[f.name].null_count > 0) for f in table.schema])
    pq.write_table(table.cast(required), HERE / "kinds_required.parquet")
    nothing = table.set_column(15, "nothing", pa.nulls(ROWS))
    pq.write_table(nothing, HERE / "kinds_null.parquet")
    polars.from_arrow(table).write_parquet(HERE / "kinds_polars.parquet")
    duckdb.sql(f"COPY (SELECT * FROM \"table\") TO '{HERE}/kinds_duckdb.parquet'")
    write_decimals(decimals())
    moments = {
        "date": pa.array([datetime.date(2026, 1, 1)]),
        "timestamp": pa.array([datetime.datetime(2026, 1, 1)]),
        "time": pa.array([datetime.time(1, 2)]),
    }
    for unit in ["s", "ms", "us", "ns"]:
        seconds = [datetime.timedelta(seconds=90), None, datetime.timedelta(seconds=-5)]
        durations = pa.table({"inside": pa.array(seconds, pa.duration(unit)), "d": ["yes", "no", "no"]})
        pq.write_table(durations, HERE / f"duration_{unit}.parquet")
    single = pa.table({"inside": pa.array([0.1, -0.3, 0.1], pa.float32()), "d": ["yes", "no", "yes"]})
    nested = {"l": pa.array([[1], [2, 3]]), "x": [1, 2], "s": pa.array([{"a": 1}, {"a": 2}]), "d": ["yes", "no"]}
    pq.write_table(pa.table(nested), HERE / "nested.parquet")
    pq.write_table(single, HERE / "single.parquet")
    pq.write_table(single.slice(0, 0), HERE / "without_rows.parquet")
    refused = {
        "binary": pa.array([b"\x00"], pa.binary()),
        "list": pa.array([[1, 2]]),
        "struct": pa.array([{"a": 1}]),
        "map": pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int64())),
        "float16": pa.array([1.5], pa.float16()),
    }
    for prefix, columns in [("moment", moments), ("refused", refused)]:
        for name, column in columns.items():
            pq.write_table(pa.table({"inside": column, "d": ["yes"]}), HERE / f"{prefix}_{name}.parquet")


if __name__ == "__main__":
    main()
