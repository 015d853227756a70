"""Tables for spark.sh: a large one, and a small one with everything that is strange; answers compared.

usage: tables.py make FOLDER ROWS SPARK_ROWS | tables.py same REMOTE.json LOCAL.json
"""

import json
import sys
from decimal import Decimal
from pathlib import Path


def make(folder: Path, rows: int, spark_rows: int):
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    random = np.random.default_rng(1)

    def large(n):
        """91 columns as on a board, most of them mostly 0; rows repeat, and a tenth of the decisions is noise."""
        distinct = max(n * 2 // 5, 1)
        kinds = random.integers(2, 15, 91)
        often = random.uniform(0.02, 0.5, 91)
        base = np.where(random.random((distinct, 91)) < often, random.integers(1, kinds, (distinct, 91)), 0).astype(np.int8)
        rows = base[random.integers(0, distinct, n)]
        decision = (rows[:, :12].astype(np.int64).sum(1) + rows[:, 40]) % 3 - 1
        noise = random.random(n) < 0.1
        decision[noise] = random.integers(-1, 2, int(noise.sum()))
        columns = {f"a{at}": rows[:, at] for at in range(91)}
        return pa.table(columns | {"d": decision.astype(np.int8)})

    whole = large(rows)
    pq.write_table(whole, folder / "large.parquet")
    part = whole.slice(0, spark_rows)
    (folder / "parts").mkdir()
    for at in range(4):
        piece = part.slice(at * spark_rows // 4, (at + 1) * spark_rows // 4 - at * spark_rows // 4)
        pq.write_table(piece, folder / "parts" / f"part-{at}.parquet")
    pq.write_table(part, folder / "part.parquet")
    pq.write_table(part.slice(0, 10), folder / "more.parquet")

    n = 400
    pick = lambda values: [values[at] for at in random.integers(0, len(values), n)]
    strange = {
        "a b": pick([1, 2, None]),
        "select`;--": pick(["it's", 'a "quote"', "x\\y", "ключ", None, ""]),
        "real": pick([0.0, -0.0, float("nan"), None, 0.1, 1e300]),
        "is": pick([True, False, None]),
        "a0": pick([3, 4]),
        "part": pick(["p", "q", None]),
        "d": pick(["yes", "no", None]),
        "w": pick([0, 1, 1, 5]),
    }
    table = pa.table(strange).append_column("small", pa.array(pick([0.1, 0.2, None]), pa.float32()))
    table = table.append_column("day", pa.array(pick([0, 1, None]), pa.date32()))
    pq.write_table(table, folder / "strange.parquet")
    typed(folder, n, pick)


def typed(folder: Path, n: int, pick):
    """Tables with decimal numbers and times; with types that are refused; with counts and weights."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    # Two instants of one hour that is shown twice where summer time ends.
    instants = [1_729_990_800_000_000, 1_729_994_400_000_000, -1, 0, None]
    columns = {
        "when": pa.array(pick(instants), pa.timestamp("us")),
        "instant": pa.array(pick(instants), pa.timestamp("us", "UTC")),
        "price": pa.array(pick([Decimal("0.00"), Decimal("-1.50"), Decimal("12345.67"), None]), pa.decimal128(9, 2)),
        "whole": pa.array(pick([Decimal(0), Decimal(10**17), Decimal(-3), None]), pa.decimal128(18, 0)),
        "part": pa.array(pick([1, 2, 3])),
        "d": pa.array(pick([Decimal("0.5"), Decimal("1.0")]), pa.decimal128(3, 1)),
    }
    pq.write_table(pa.table(columns), folder / "typed.parquet")
    refused = {"wide": pa.array([Decimal("0.1")] * n, pa.decimal128(38, 2)), "list": pa.array([[1]] * n)}
    pq.write_table(pa.table(columns | refused), folder / "refused.parquet")
    counts = {"a": pick([1, 2, 3]), "b": pick(["x", "y"]), "d=0": pick([0, 1, 4]), "d=1": pick([0, 2, 70_000]), "w": pick([0, 1, 60_000])}
    pq.write_table(pa.table(counts), folder / "counts.parquet")
    pq.write_table(pa.table(counts | {"w": pick([1, 4_294_967_295])}), folder / "large-counts.parquet")


def same_sizes(what: str, remote: dict, local: dict, is_plain: bool):
    for key in (key for key in remote if is_plain and key.endswith("_size")):
        numbers = local[key.removesuffix("_size")]
        if remote[key] != len(numbers):
            sys.exit(f"{what}: {key} {remote[key]}, at hand {len(numbers)}")


def same(remote: dict, local: dict):
    """Exits with what differs. Row numbers and notes are of one place only."""
    for key, value in remote.items():
        if key in ("notes", "approximations") or key.endswith("_size") and key not in local:
            continue
        if value != local.get(key):
            sys.exit(f"{key}: {str(value)[:300]}, at hand {str(local.get(key))[:300]}")
    # Where objects have no weights, sets at hand have as many numbers as objects.
    is_plain = local.get("n_objects") == local.get("total_weight")
    same_sizes("the table", remote, local, is_plain)
    for concept, value in remote.get("approximations", {}).items():
        for key in ("accuracy_fraction", "quality_fraction"):
            if value[key] != local["approximations"][concept][key]:
                sys.exit(f"{concept}: {key} {value[key]}, at hand {local['approximations'][concept][key]}")
        same_sizes(concept, value, local["approximations"][concept], is_plain)


if sys.argv[1] == "make":
    make(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
else:
    same(*(json.loads(Path(name).read_text()) for name in sys.argv[2:4]))
