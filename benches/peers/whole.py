"""Races whole processes: from a file to γ of all attributes, with roughboard, polars, DuckDB and scikit-rough in turn.

See README.md beside this file. Every run is a process of its own on one thread; start, imports and reading count.
"""

import argparse
import csv
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

POLARS = """
import sys, polars as pl
path, d = sys.argv[1], "d"
table = pl.read_parquet(path) if path.endswith(".parquet") else pl.read_csv(path)
conditions = [name for name in table.columns if name != d]
groups = table.group_by(conditions).agg(pl.len().alias("n"), pl.col(d).min().alias("low"), pl.col(d).max().alias("high"))
print(groups.filter(pl.col("low") == pl.col("high"))["n"].sum() / table.height)
"""
DUCKDB = """
import sys, duckdb
path, d = sys.argv[1], "d"
reader = "read_parquet" if path.endswith(".parquet") else "read_csv"
duckdb.sql("SET threads = 1; SET enable_progress_bar = false")
names = [row[0] for row in duckdb.sql(f"DESCRIBE SELECT * FROM {reader}('{path}')").fetchall()]
keys = ", ".join(f'"{name}"' for name in names if name != d)
groups = f"SELECT count(*) AS n, min({d}) = max({d}) AS certain FROM {reader}('{path}') GROUP BY {keys}"
print(duckdb.sql(f"SELECT sum(n) FILTER (certain) / sum(n) FROM ({groups})").fetchall()[0][0])
"""
SKROUGH = """
import sys, polars as pl
sys.path.insert(0, sys.argv[2])
import peers
path, d = sys.argv[1], "d"
table = pl.read_parquet(path) if path.endswith(".parquet") else pl.read_csv(path)
print(peers.skrough_gamma(peers.skrough_data(table)) / table.height)
"""
# The first rows of a table, or all of them again and again: of each further copy five cells of a row are drawn anew, other ones in every
# row. In a process of its own, for what this one keeps in memory would count as theirs in the peaks of the programs it starts.
GROW = """
import sys, numpy as np, polars as pl
path, count, target = sys.argv[1], int(sys.argv[2]), sys.argv[3]
table, random = pl.read_parquet(path), np.random.default_rng(1)
columns, copies = [name for name in table.columns if name != "d"], [table]
for _ in range(1, -(-count // table.height)):
    changed = {name: table[name].to_numpy().copy() for name in columns}
    for _ in range(5):
        at = random.integers(0, len(columns), table.height)
        for number, name in enumerate(columns):
            rows = np.flatnonzero(at == number)
            changed[name][rows] = random.choice(changed[name], len(rows))
    copies.append(table.with_columns(pl.Series(name, cells) for name, cells in changed.items()))
pl.concat(copies).head(count).write_parquet(target, compression_level=3, row_group_size=1 << 18)
"""
FIELDS = ["table", "rows", "program", "ratio", "cpu_s", "cpu_low", "cpu_high", "peak_mb", "rounds", "gamma"]

# Programs that failed or took too long: they are not given the tables that follow.
SLOW = set()


def commands(roughboard, path):
    """What each program is started with."""
    return {
        "roughboard": [roughboard, "--threads", "1", "rough", "info", path, "--decision", "d", "--json"],
        "polars": [sys.executable, "-c", POLARS, path],
        "DuckDB": [sys.executable, "-c", DUCKDB, path],
        "scikit-rough": [sys.executable, "-c", SKROUGH, path, str(Path(__file__).parent)],
    }


def measure(command, limit):
    """CPU seconds, peak memory in MB and what a process printed; nothing if it failed or did not end in so many seconds."""
    environment = {**os.environ, "POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
    read, write = os.pipe()
    silent = [(os.POSIX_SPAWN_DUP2, write, 1), (os.POSIX_SPAWN_CLOSE, read)]
    pid = os.posix_spawnp(command[0], command, environment, file_actions=silent)
    os.close(write)
    # A limit of the kernel would make the process clock move at ticks only.
    timer = threading.Timer(limit, os.kill, [pid, signal.SIGKILL])
    timer.start()
    with os.fdopen(read) as out:
        printed = out.read()
    _, status, usage = os.wait4(pid, 0)
    timer.cancel()
    return (usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, printed) if status == 0 else None


def gamma(printed):
    """γ in the answer of a program."""
    if not printed.lstrip().startswith("{"):
        return float(printed)
    return float(json.loads(printed)["gamma"])


def race(options, path):
    """The figures of a table: the programs take turns, so that all meet the same state of the machine."""
    runs = {name: [] for name in commands(options.roughboard, path)}
    for _ in range(options.rounds):
        for name, command in commands(options.roughboard, path).items():
            if None not in runs[name] and name not in SLOW:
                runs[name].append(measure(command, options.limit))
    ours = statistics.median(run[0] for run in runs["roughboard"])
    answer = json.loads(runs["roughboard"][0][2])
    expected, rows = float(answer["gamma"]), answer["objects"]
    for name, measured in runs.items():
        if not measured or None in measured:
            print(f"{path}: {name} failed, or took more than {options.limit} s", file=sys.stderr)
            SLOW.add(name)
            continue
        found = gamma(measured[0][2])
        if abs(found - expected) > 1e-9:
            raise SystemExit(f"{path}: {name} finds γ = {found}, roughboard {expected}")
        cpu = sorted(run[0] for run in measured)
        middle = statistics.median(cpu)
        figures = [middle / ours, middle, cpu[0], cpu[-1], max(run[1] for run in measured)]
        figures = [f"{figure:.3f}" for figure in figures]
        yield dict(zip(FIELDS, [Path(path).name, rows, name, *figures, len(measured), f"{found:.6f}"]))


def grown(path, counts, folder):
    """Tables of so many rows made of those of a Parquet file, one after another."""
    for count in counts:
        target = folder / f"{Path(path).stem}-{count}.parquet"
        subprocess.run([sys.executable, "-c", GROW, path, str(count), target], check=True)
        yield str(target)


def plot(rows, out):
    """Time and peak memory against rows, both axes logarithmic."""
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "whole"
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    marks = dict(zip(commands("", ""), [("#0072b2", "o"), ("#d55e00", "s"), ("#009e73", "^"), ("#cc79a7", "D")]))
    for axis, (field, label) in zip(axes, [("cpu_s", "CPU seconds"), ("peak_mb", "peak memory, MB")]):
        for name, (colour, mark) in marks.items():
            points = sorted((row["rows"], float(row[field])) for row in rows if row["program"] == name)
            axis.loglog(*zip(*points), color=colour, marker=mark, label=name)
        axis.set(xlabel="rows (91 attributes)", ylabel=label)
        axis.grid(True, which="major", color="#e1e1e1")
    axes[0].legend(frameon=False)
    figure.savefig(out, metadata={"Date": None})


def raced(options, tables):
    """The figures of all these tables, printed as they come."""
    rows = []
    for table in tables:
        for row in race(options, table):
            print(*row.values(), sep="\t", flush=True)
            rows.append(row)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="+", help="CSV or Parquet files with the decision d")
    parser.add_argument("--roughboard", required=True, help="the program")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each program (5)")
    parser.add_argument("--limit", type=int, default=300, help="seconds that a run may take (300)")
    parser.add_argument("--grow", type=int, nargs="+", default=[], help="race tables of so many rows made of the first one, too")
    parser.add_argument("--out", type=Path, required=True, help="folder for whole.csv, whole.md and whole.svg")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    rows = raced(options, options.tables)
    if options.grow:
        SLOW.clear()
        with tempfile.TemporaryDirectory() as folder:
            growth = raced(options, grown(options.tables[0], sorted(options.grow), Path(folder)))
        plot(growth, options.out / "whole.svg")
        rows += growth
    with open(options.out / "whole.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(rows)
    versions = subprocess.run(
        [sys.executable, "-c", "import polars, duckdb, importlib.metadata as m; print('polars', polars.__version__ + ', DuckDB', "
         "duckdb.__version__ + ', scikit-rough', m.version('scikit-rough'))"],
        capture_output=True, text=True, check=True,
    ).stdout.strip()
    lines = [f"γ of all attributes, from the file on: whole processes on one thread, taking turns; {versions}.", ""]
    lines += ["| " + " | ".join(FIELDS) + " |", "|---|---:|---|" + "---:|" * (len(FIELDS) - 3)]
    lines += ["| " + " | ".join(str(row[name]) for name in FIELDS) + " |" for row in rows]
    if options.grow:
        lines += ["", "Tables named by a number of rows are made of the rows of the first table:", "", "![time and memory](whole.svg)"]
    (options.out / "whole.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
