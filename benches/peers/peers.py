"""What each Python peer does for each task, and the child process that measures one (peer, task, table).

Run as `python peers.py PEER TASK TABLE`: prints the CPU seconds used before the task on a line, so that the caller can
limit the task alone, and then one JSON object.
Answers are comparable: a number of classes, |POS|, or attributes by their positions.
"""

import importlib.metadata
import json
import statistics
import sys
import time

DECISION = "d"
# The table of the warm-up: enough to compile and to start threads, too small to cost anything.
WARM_ROWS, WARM_ATTRIBUTES = 20, 4
# A short task is run again until this many CPU seconds or runs are reached.
ENOUGH_S, ENOUGH_RUNS = 0.2, 50


def read(path):
    """The table of a Parquet or CSV file as a polars frame, its decision last."""
    import polars

    reader = polars.read_parquet if path.endswith(".parquet") else polars.read_csv
    frame = reader(path)
    return frame.select([c for c in frame.columns if c != DECISION] + [DECISION])


def attributes(frame):
    return frame.columns[:-1]


def with_labels(frame):
    """The table with one more decision for all rows of inconsistent classes: its exact dependencies are then the
    reducts of the positive region."""
    import polars

    mixed = polars.col(DECISION).n_unique().over(attributes(frame)) > 1
    boundary = polars.col(DECISION).max().cast(polars.Int64) + 1
    label = polars.when(mixed).then(boundary).otherwise(polars.col(DECISION).cast(polars.Int64))
    return frame.with_columns(label.alias(DECISION))


def as_pandas(frame):
    import pandas

    return pandas.DataFrame({name: frame[name].to_numpy() for name in frame.columns})


def as_numpy(frame):
    import numpy

    return numpy.column_stack([frame[name].to_numpy() for name in frame.columns])


# polars


def polars_partition(frame):
    return frame.group_by(attributes(frame)).len().height


def polars_positive(frame, names):
    import polars

    decision = polars.col(DECISION)
    classes = frame.group_by(names).agg(decision.min().alias("least"), decision.max().alias("most"), polars.len())
    return int(classes.filter(polars.col("least") == polars.col("most"))["len"].sum())


def polars_gamma(frame):
    return polars_positive(frame, attributes(frame))


def polars_core(frame):
    names = attributes(frame)
    whole = polars_positive(frame, names)
    needed = [i for i, name in enumerate(names) if polars_positive(frame, [n for n in names if n != name]) < whole]
    return needed


# pandas


def pandas_partition(frame):
    return int(frame.groupby(list(frame.columns[:-1]), sort=False).ngroup().max()) + 1


def pandas_gamma(frame):
    grouped = frame.groupby(list(frame.columns[:-1]), sort=False)[DECISION].agg(["min", "max", "size"])
    return int(grouped.loc[grouped["min"] == grouped["max"], "size"].sum())


# numpy


def numpy_classes(table):
    import numpy

    _, classes = numpy.unique(table[:, :-1], axis=0, return_inverse=True)
    return classes.reshape(-1)


def numpy_partition(table):
    return int(numpy_classes(table).max()) + 1


def numpy_gamma(table):
    import numpy

    classes, decision = numpy_classes(table), table[:, -1]
    n_classes = int(classes.max()) + 1
    least, most = numpy.full(n_classes, decision.max()), numpy.full(n_classes, decision.min())
    numpy.minimum.at(least, classes, decision)
    numpy.maximum.at(most, classes, decision)
    return int((least == most)[classes].sum())


# scikit-rough


def skrough_data(frame):
    from skrough.dataprep import prepare_factorized_array, prepare_factorized_vector

    table = as_numpy(frame)
    return (*prepare_factorized_array(table[:, :-1]), *prepare_factorized_vector(table[:, -1]))


def skrough_partition(data):
    from skrough.structs.group_index import GroupIndex

    return int(GroupIndex.from_data(data[0], data[1]).n_groups)


def skrough_positive(data, positions):
    from skrough.rough import get_positive_region

    return len(get_positive_region(*data, attrs=positions))


def skrough_gamma(data):
    return skrough_positive(data, list(range(data[0].shape[1])))


def skrough_core(data):
    positions = list(range(data[0].shape[1]))
    whole = skrough_positive(data, positions)
    return [i for i in positions if skrough_positive(data, [j for j in positions if j != i]) < whole]


def skrough_reduct(data):
    from skrough.algorithms.reducts import get_approx_reduct_greedy_heuristic
    from skrough.disorder_measures import conflicts_count

    x, _, y, _ = data
    found = get_approx_reduct_greedy_heuristic(x, y, disorder_fun=conflicts_count, epsilon=0, seed=1, n_jobs=1)
    return sorted(int(i) for i in found[0].attrs)


# Desbordante


def desbordante_gamma(frame):
    import desbordante

    check = desbordante.fd_verification.algorithms.Default()
    last = len(frame.columns) - 1
    check.load_data(table=frame)
    check.execute(lhs_indices=list(range(last)), rhs_indices=[last])
    return len(frame) - (0 if check.fd_holds() else check.get_num_error_rows())


def desbordante_reducts(algorithm):
    """All minimal dependencies with the decision on the right; those of other columns are found along the way, since
    no algorithm of the library can leave them out."""

    def run(frame):
        import desbordante

        search = getattr(desbordante.fd.algorithms, algorithm)()
        search.load_data(table=frame)
        search.execute(**({"threads": 1} if "threads" in search.get_possible_options() else {}))
        last = len(frame.columns) - 1
        return sorted(sorted(fd.lhs_indices) for fd in search.get_fds() if fd.rhs_index == last)

    return run


# Exact ones, then the two that are approximate by design.
DEPENDENCIES = ["HyFD", "FDep", "FastFDs", "DFD", "Pyro", "EulerFD", "Aid"]

# Peer -> (package, task -> (data from the frame, answer from the data)).
PEERS = {
    "polars": ("polars", {
        "partition": (lambda f: f, polars_partition),
        "gamma": (lambda f: f, polars_gamma),
        "core": (lambda f: f, polars_core),
    }),
    "pandas": ("pandas", {"partition": (as_pandas, pandas_partition), "gamma": (as_pandas, pandas_gamma)}),
    "numpy": ("numpy", {"partition": (as_numpy, numpy_partition), "gamma": (as_numpy, numpy_gamma)}),
    "scikit-rough": ("scikit-rough", {
        "partition": (skrough_data, skrough_partition),
        "gamma": (skrough_data, skrough_gamma),
        "core": (skrough_data, skrough_core),
        "reduct": (lambda f: skrough_data(with_labels(f)), skrough_reduct),
    }),
    "desbordante": ("desbordante", {"gamma": (as_pandas, desbordante_gamma)}),
    **{
        f"desbordante {name}": ("desbordante", {
            "reducts": (lambda f: as_pandas(with_labels(f)), desbordante_reducts(name)),
        })
        for name in DEPENDENCIES
    },
}


def version(package):
    """The installed version of a package, or None."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def memory(key):
    """A size of this process in MB: `VmRSS` now, `VmHWM` at most."""
    with open("/proc/self/status") as status:
        line = next(line for line in status if line.startswith(key + ":"))
    return int(line.split()[1]) / 1024


def check_clock():
    """The CPU clock must run on during a short task. It does not under RLIMIT_CPU, where Linux moves it at ticks only,
    and short tasks would seem to take nothing."""
    wall, cpu = time.perf_counter(), time.process_time()
    while time.perf_counter() - wall < 0.002:
        pass
    if time.process_time() == cpu:
        sys.exit("the CPU clock is too coarse: is there a limit of CPU time (ulimit -t)?")


def measure(peer, task, path):
    prepare, solve = PEERS[peer][1][task]
    frame = read(path)
    few = attributes(frame)[:WARM_ATTRIBUTES] + [DECISION]
    solve(prepare(frame.head(WARM_ROWS).select(few)))
    data = prepare(frame)
    check_clock()
    loaded, before = time.process_time(), memory("VmRSS")
    print(loaded, flush=True)
    times = []
    while not times or (sum(times) < ENOUGH_S and len(times) < ENOUGH_RUNS):
        started = time.process_time()
        answer = solve(data)
        times.append(time.process_time() - started)
    cpu = statistics.median(times)
    return {"cpu_s": cpu, "load_cpu_s": loaded, "peak_mb": memory("VmHWM"), "before_mb": before, "answer": answer}


if __name__ == "__main__":
    print(json.dumps(measure(*sys.argv[1:])))
