"""Races whole processes: from a file to γ of all attributes, with roughboard, polars and DuckDB in turn.

See README.md beside this file. Every run is a process of its own on one thread; start, imports and reading count.
"""

import argparse
import csv
import json
import os
import statistics
import subprocess
import sys
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
FIELDS = ["table", "program", "ratio", "cpu_s", "cpu_low", "cpu_high", "peak_mb", "rounds", "gamma"]


def commands(roughboard, path):
    """What each program is started with."""
    return {
        "roughboard": [roughboard, "--threads", "1", "rough", "info", path, "--decision", "d", "--json"],
        "polars": [sys.executable, "-c", POLARS, path],
        "DuckDB": [sys.executable, "-c", DUCKDB, path],
    }


def measure(command):
    """CPU seconds, peak memory in MB and what a process printed."""
    environment = {**os.environ, "POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"}
    read, write = os.pipe()
    silent = [(os.POSIX_SPAWN_DUP2, write, 1), (os.POSIX_SPAWN_CLOSE, read)]
    pid = os.posix_spawnp(command[0], command, environment, file_actions=silent)
    os.close(write)
    with os.fdopen(read) as out:
        printed = out.read()
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        raise SystemExit(f"`{' '.join(command)[:80]}…` failed with status {status}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, printed


def gamma(printed):
    """γ in the answer of a program."""
    if not printed.lstrip().startswith("{"):
        return float(printed)
    return float(json.loads(printed)["gamma"])


def race(roughboard, path, rounds):
    """The figures of a table: the programs take turns, so that all meet the same state of the machine."""
    runs = {name: [] for name in commands(roughboard, path)}
    for _ in range(rounds):
        for name, command in commands(roughboard, path).items():
            runs[name].append(measure(command))
    ours = statistics.median(run[0] for run in runs["roughboard"])
    expected = gamma(runs["roughboard"][0][2])
    for name, measured in runs.items():
        found = gamma(measured[0][2])
        if abs(found - expected) > 1e-9:
            raise SystemExit(f"{path}: {name} finds γ = {found}, roughboard {expected}")
        cpu = sorted(run[0] for run in measured)
        middle = statistics.median(cpu)
        figures = [middle / ours, middle, cpu[0], cpu[-1], max(run[1] for run in measured)]
        yield dict(zip(FIELDS, [Path(path).name, name, *(f"{figure:.3f}" for figure in figures), rounds, f"{found:.6f}"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="+", help="CSV or Parquet files with the decision d")
    parser.add_argument("--roughboard", required=True, help="the program")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each program (5)")
    parser.add_argument("--out", type=Path, required=True, help="folder for whole.csv and whole.md")
    options = parser.parse_args()
    rows = []
    for table in options.tables:
        for row in race(options.roughboard, table, options.rounds):
            print(*row.values(), sep="\t", flush=True)
            rows.append(row)
    options.out.mkdir(parents=True, exist_ok=True)
    with open(options.out / "whole.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(rows)
    versions = subprocess.run(
        [sys.executable, "-c", "import polars, duckdb; print('polars', polars.__version__ + ', DuckDB', duckdb.__version__)"],
        capture_output=True, text=True, check=True,
    ).stdout.strip()
    lines = [f"γ of all attributes, from the file on: whole processes on one thread, taking turns; {versions}.", ""]
    lines += ["| " + " | ".join(FIELDS) + " |", "|---|---|" + "---:|" * (len(FIELDS) - 2)]
    lines += ["| " + " | ".join(str(row[name]) for name in FIELDS) + " |" for row in rows]
    (options.out / "whole.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
