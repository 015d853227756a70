"""Race scikit-rough and polars: CPU seconds for the same questions, on one thread, and how many times those of roughboard they are.

    python benches/peers/in_python.py tests/data/rough_benchmarks/*.parquet

The programs take turns, and each gets the table in its own form before the clock starts; what making that of a frame costs
stands in a table of its own. A peer is left out where it is not installed, or where a question would take it more than
the limit: as long as its gamma for each attribute.
"""

import argparse
import functools
import importlib
import importlib.metadata
import importlib.util
import os
import statistics
import sys
import time
import warnings
from pathlib import Path

# Before the libraries are loaded, which start their threads then.
for variable in ("RAYON_NUM_THREADS", "POLARS_MAX_THREADS", "NUMBA_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[variable] = "1"

import peers  # noqa: E402
import roughboard as rb  # noqa: E402


def is_there(package):
    """Whether a package can be loaded: one that is installed may need another version of a third."""
    try:
        importlib.import_module(package)
    except ImportError:
        return False
    return True


OURS = {"gamma": rb.gamma, "core": rb.core, "reduct": functools.partial(rb.reduct, method="greedy")}
PEERS = {
    "polars": {"gamma": peers.polars_gamma, "core": peers.polars_core},
    "scikit-rough": {"gamma": peers.skrough_gamma, "core": peers.skrough_core, "reduct": peers.skrough_reduct},
}
PREPARED = {"polars": lambda frame: frame, "scikit-rough": peers.skrough_data}
PACKAGES = {"polars": "polars", "scikit-rough": "skrough"}
DISTRIBUTIONS = ("roughboard", "polars", "scikit-rough", "numpy", "pyarrow", "pandas")
INSTALLED = [name for name in ("pyarrow", "pandas") if is_there(name)]
# Frames that tables are made of, beside those of polars.
FRAMES = {
    "pyarrow": lambda frame: frame.to_arrow(),
    "pandas": lambda frame: sys.modules["pandas"].DataFrame({name: frame[name].to_numpy() for name in frame.columns}),
}
# Seconds after which no more runs are made.
LONG = 2.0
RUNS = 9
DECISION = peers.DECISION


def seconds(work):
    """The CPU seconds of all threads of this process: what waits for other programs does not count."""
    start = time.process_time()
    work()
    return time.process_time() - start


def race(runners):
    """The median of some turns of each."""
    times = {name: [] for name in runners}
    for _ in range(RUNS):
        for name, work in runners.items():
            if sum(times[name]) < LONG:
                times[name].append(seconds(work))
    return {name: statistics.median(found) for name, found in times.items()}


def prepared(frame):
    """The table in the form of each program that is installed."""
    installed = [peer for peer, package in PACKAGES.items() if importlib.util.find_spec(package)]
    return {"roughboard": rb.Table(frame, DECISION), **{peer: PREPARED[peer](frame) for peer in installed}}


def warm_up(frame):
    """Has compiled what is compiled when it is first needed."""
    few = frame.head(peers.WARM_ROWS).select([*peers.attributes(frame)[: peers.WARM_ATTRIBUTES], DECISION])
    with warnings.catch_warnings():
        # So few rows may all have one decision.
        warnings.simplefilter("ignore", rb.RoughWarning)
        data = prepared(few)
        for task in OURS:
            times_of(task, few, data, float("inf"), {})


def times_of(task, frame, data, limit, gammas):
    """The seconds of each program for a question. `gammas` has those for gamma, once they are known."""
    runners = {"roughboard": functools.partial(OURS[task], data["roughboard"])}
    for peer, tasks in PEERS.items():
        expected = gammas.get(peer, 0.0) * (frame.width - 1 if task != "gamma" else 1)
        if peer in data and task in tasks and expected <= limit:
            runners[peer] = functools.partial(tasks[task], data[peer])
    return race(runners)


def compare(path, limit):
    """The lines of a table about the file `path`, and those about the conversion of its frame."""
    frame = peers.read(str(path))
    warm_up(frame)
    data, gammas, lines = prepared(frame), {}, []
    for task in OURS:
        found = times_of(task, frame, data, limit, gammas)
        gammas = gammas or found
        ours = found["roughboard"]
        peers_took = (f"{shown(found[peer])} ({found[peer] / ours:.3g})" if peer in found else "–" for peer in PEERS)
        size = f"{frame.height:,} × {frame.width - 1}"
        lines.append(f"| {path.stem} | {size} | {task} | {shown(ours)} | {' | '.join(peers_took)} |")
    return lines, [conversion_row(path.stem, frame, copy, gammas["roughboard"]) for copy in (True, False)]


def version(distribution):
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return "–"


def shown(took):
    """Seconds in three digits."""
    return f"{took:.3g}"


def conversion_row(name, frame, copy, gamma):
    """What the conversion of a frame takes, as shares of gamma."""
    shares = (f"{took / gamma:.3f}" for took in race(conversions(frame, copy)).values())
    return f"| {name} | {copy} | {' | '.join(shares)} |"


def conversions(frame, copy):
    """Ways to make a Table of what the libraries have, and beside them what a mere copy of all cells takes."""
    decision = frame[DECISION].to_numpy()
    by_columns = frame.drop(DECISION).to_numpy(order="fortran")
    by_rows = by_columns.copy(order="C")
    data = {"polars": frame, **{name: make(frame) for name, make in FRAMES.items() if name in INSTALLED}}
    ways = {name: functools.partial(rb.Table, table, DECISION, copy=copy) for name, table in data.items()}
    fixed = by_columns.copy(order="F")
    fixed.flags.writeable = False
    arrays = {"numpy, read only": fixed, "numpy by columns": by_columns, "numpy by rows": by_rows}
    ways |= {name: functools.partial(rb.Table, array, decision, copy=copy) for name, array in arrays.items()}
    ways["a copy by numpy"] = lambda: by_columns.copy(order="F")
    return ways


def small():
    """Microseconds for gamma of a table of ten rows."""
    import polars

    columns = {"a": [1, 2, 3, 1, 2, 3, 1, 2, 3, 1], "b": list("ababababab"), DECISION: [0, 1] * 5}
    table, rounds = rb.Table(columns, DECISION), range(1000)
    frame = polars.DataFrame(columns)
    data = {"a dict": columns, "polars": frame, **{name: FRAMES[name](frame) for name in INSTALLED}}
    each = {"a Table": lambda: [rb.gamma(table) for _ in rounds]}
    for name, own in data.items():
        each[name] = lambda own=own: [rb.gamma(own, DECISION) for _ in rounds]
    matrix, decision = frame.drop("b", DECISION).to_numpy(), frame[DECISION].to_numpy()
    each["numpy"] = lambda: [rb.gamma(matrix, decision) for _ in rounds]
    return [f"{name} {1e6 * took / len(rounds):.0f} µs" for name, took in race(each).items()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="+", type=Path, help="Parquet or CSV files with the decision column d")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds that a question may take a peer [20]")
    options = parser.parse_args()
    versions = ", ".join(f"{name} {version(name)}" for name in DISTRIBUTIONS)
    print(f"CPU seconds, medians of up to {RUNS} turns on one thread, and in brackets how many times those of roughboard.\n{versions}\n")
    print(f"| table | size | question | roughboard | {' | '.join(PEERS)} |\n|---|---|---|--:|" + "--:|" * len(PEERS))
    shares = []
    for path in options.tables:
        lines, rows = compare(path, options.limit)
        shares.extend(rows)
        print("\n".join(lines), flush=True)
    forms = ["polars", *INSTALLED, "numpy, read only", "numpy by columns", "numpy by rows", "a copy by numpy"]
    print(f"\nMaking a Table of a frame or array / gamma of the Table.\n\n| table | copy | {' | '.join(forms)} |\n|---|---|" + "--:|" * len(forms))
    print("\n".join([*shares, "", "gamma of ten rows: " + "; ".join(small())]))


if __name__ == "__main__":
    main()
