"""Tables larger than the memory that a question about them may take: time and peak memory as rows grow, under one limit.

Each table is a folder of Parquet, written part by part, whose rows are drawn from a pool: those of a table that is given, and copies of them of
which each row has five cells drawn anew (as whole.py grows tables). One row in a hundred has the decision of another row, so that the table is
not consistent. See README.md beside this file.
"""

import argparse
import os
import shutil
import subprocess
import time
from pathlib import Path

import numpy as np
import polars as pl

# Rows of a part file, and of a group of rows in it.
PART, GROUP = 1 << 20, 1 << 18


def pool_of(path, count, random):
    """So many rows: the names of the conditions, an array with a line for each of them, and the decisions."""
    table = pl.read_parquet(path)
    names = [name for name in table.columns if name != "d"]
    base, own = table.select(names).cast(pl.Int8).to_numpy().T, table["d"].cast(pl.Int8).to_numpy()
    conditions, decisions = np.empty((len(names), count), np.int8), np.empty(count, np.int8)
    for first in range(0, count, len(own)):
        n = min(len(own), count - first)
        conditions[:, first : first + n], decisions[first : first + n] = base[:, :n], own[:n]
        for _ in range(5 if first else 0):
            at, source = random.integers(0, len(names), n), random.integers(0, len(own), n)
            conditions[at, np.arange(first, first + n)] = base[at, source]
    return names, conditions, decisions


def write(folder, n_rows, pool, random):
    """A folder of so many rows drawn from the pool."""
    names, conditions, decisions = pool
    folder.mkdir(parents=True)
    for number, first in enumerate(range(0, n_rows, PART)):
        n = min(PART, n_rows - first)
        drawn = random.integers(0, len(decisions), n)
        decided = np.where(random.random(n) < 0.01, random.permutation(drawn), drawn)
        columns = {name: cells[drawn] for name, cells in zip(names, conditions)}
        part = pl.DataFrame({**columns, "d": decisions[decided]})
        part.write_parquet(folder / f"part-{number:05}.parquet", compression_level=3, row_group_size=GROUP)


def peak_of(process):
    """The peak of a process in bytes so far, or 0 once it has ended. What wait4 says is never below the size of this process."""
    try:
        status = Path(f"/proc/{process.pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0)


def measure(command):
    """Seconds, CPU seconds, peak memory in MB, and the error of a process."""
    begin, peak = time.monotonic(), 0
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    ended, status, usage = 0, 0, None
    while not ended:
        peak = max(peak, peak_of(process))
        time.sleep(0.01)
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds, cpu = time.monotonic() - begin, usage.ru_utime + usage.ru_stime
    failed = next((line for line in process.stderr if line.startswith("error")), "")
    return round(seconds, 1), round(cpu, 1), peak // 10**6, failed.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", help="Parquet file of whole numbers from -128 to 127, with the decision d")
    parser.add_argument("--roughboard", required=True, help="the program")
    parser.add_argument("--rows", type=int, nargs="+", default=[10**6, 10**7, 3 * 10**7], help="rows of the tables")
    parser.add_argument("--pool", type=int, default=2 * 10**6, help="how many rows are drawn from (2000000)")
    parser.add_argument("--memory", nargs="+", default=["1GB"], help="the limits; none stands for no limit")
    parser.add_argument("--folder", type=Path, required=True, help="where the tables are made; some 30 bytes a row")
    options = parser.parse_args()
    random = np.random.default_rng(1)
    pool = pool_of(options.table, options.pool, random)
    print("| rows | MB on disk | question | limit | s | CPU s | peak MB |\n|---:|---:|---|---|---:|---:|---:|", flush=True)
    for n_rows in options.rows:
        folder = options.folder / f"rows-{n_rows}"
        write(folder, n_rows, pool, random)
        size = sum(part.stat().st_size for part in folder.iterdir()) // 10**6
        for question in [["info"], ["core"], ["reduct", "--method", "backward"]]:
            for memory in options.memory:
                limit = [] if memory == "none" else ["--memory", memory, "--temp", str(options.folder)]
                command = [options.roughboard, "rough", *question, str(folder), "--decision", "d", *limit]
                seconds, cpu, peak, failed = measure(command)
                cells = [n_rows, size, f"`{' '.join(question)}`", memory, seconds, cpu, peak]
                print("| " + " | ".join(map(str, cells)) + f" | {failed}", flush=True)
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
