"""Compares roughboard with other programs on the same tables and tasks: CPU seconds, memory, right and wrong answers.

See README.md beside this file. Every measurement is a process of its own, on one thread.
"""

import argparse
import csv
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path

import peers

HERE = Path(__file__).parent
TASKS = ["partition", "gamma", "core", "reduct", "reducts"]
FIELDS = [
    "table", "task", "peer", "version", "status", "cpu_s", "runs", "load_cpu_s", "peak_mb", "before_mb", "summary", "reason",
]
THREADS = [
    "POLARS_MAX_THREADS", "RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS", "NUMEXPR_NUM_THREADS",
]
ENVIRONMENT = {**os.environ, **{name: "1" for name in THREADS}}
# A run slower than this is not repeated.
LONG_S = 5.0
# CPU seconds that imports, reading and warm-up may take.
LOADING_S = 60.0
# Wall time may exceed CPU time by this factor on a busy machine before a run is given up.
WALL_FACTOR = 6

# Peer -> task -> arguments after the table; the peer's whole process is measured.
ROUGHBOARD = {
    "roughboard": {
        "partition": ["rough", "info", "{}", "--decision", "d", "--json"],
        "gamma": ["rough", "info", "{}", "--decision", "d", "--json"],
        "core": ["rough", "core", "{}", "--decision", "d", "--json"],
        "reduct": ["rough", "reduct", "{}", "--decision", "d", "--json", "--method", "greedy"],
        "reducts": ["rough", "reducts", "{}", "--decision", "d", "--json", "--limit", "1000000000"],
    },
    "roughboard backward": {"reduct": ["rough", "reduct", "{}", "--decision", "d", "--json", "--method", "backward"]},
}


class Failure(Exception):
    """Why a run gave no answer: a status and a reason."""

    def __init__(self, status, reason):
        super().__init__(reason)
        self.status, self.reason = status, reason


def memory_mb(pid, key):
    """A size of a process in MB, `VmRSS` or `VmHWM`; 0 if it is over.

    The peak is sampled from here, since that of `wait4` is never below what this program itself occupied when it started
    the process.
    """
    try:
        with open(f"/proc/{pid}/status") as status:
            sizes = [line.split()[1] for line in status if line.startswith(key + ":")]
        return int(sizes[0]) / 1024 if sizes else 0.0
    except (FileNotFoundError, ProcessLookupError):
        return 0.0


def used_s(pid):
    """CPU seconds of a process so far."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            fields = stat.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (FileNotFoundError, ProcessLookupError):
        return 0.0


def run(command, options):
    """Runs a command to its end: its standard output, CPU seconds and peak of memory in MB. Fails beyond the limits of time and memory.

    The limit of CPU time is kept here and not by the kernel (RLIMIT_CPU), which would make the child's own clock coarse.
    """
    output, errors = options.out / ".stdout", options.out / ".stderr"
    with open(output, "wb") as out, open(errors, "wb") as err:
        child = subprocess.Popen(command, stdout=out, stderr=err, env=ENVIRONMENT, cwd=HERE)
        cpu, peak, stopped = watch(child, output, options)
    text, error = output.read_text(), errors.read_text().strip().splitlines()
    output.unlink()
    errors.unlink()
    if stopped is not None:
        raise stopped
    if child.returncode != 0:
        raise Failure("failed", f"exit code {child.returncode}: {error[-1] if error else 'no message'}")
    return text, cpu, peak


def watch(child, output, options):
    """Waits for a child: its CPU seconds, its peak of memory in MB, and the failure if it had to be ended."""
    stopped, peak, started = None, 0.0, time.monotonic()
    deadline = started + WALL_FACTOR * (options.timeout + LOADING_S)
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            child.returncode = os.waitstatus_to_exitcode(status)
            return usage.ru_utime + usage.ru_stime, peak, stopped
        peak = max(peak, memory_mb(child.pid, "VmHWM"))
        if stopped is None:
            stopped = beyond_limits(child, output, options, deadline)
            if stopped is not None:
                child.kill()
        time.sleep(0.001 if time.monotonic() < started + 1 else 0.02)


def beyond_limits(child, output, options, deadline):
    """The limit that a child exceeds, if any. What it used before the task is on its first line of output."""
    if memory_mb(child.pid, "VmRSS") > options.memory * 1024:
        return Failure("memory", f"more than {options.memory:g} GB")
    if used_s(child.pid) > options.timeout:
        lines = output.read_text().splitlines()
        before = float(lines[0]) if lines and is_number(lines[0]) else LOADING_S
        if used_s(child.pid) > before + options.timeout:
            return Failure("timeout", f"more than {options.timeout:g} CPU seconds")
    if time.monotonic() > deadline:
        return Failure("timeout", f"more than {WALL_FACTOR} times {options.timeout + LOADING_S:g} s of wall time")
    return None


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def measure_peer(peer, task, table, options):
    command = [sys.executable, str(HERE / "peers.py"), peer, task, str(table)]
    text, _, _ = run(command, options)
    return json.loads(text.splitlines()[-1])


def measure_roughboard(peer, task, table, options):
    program = [str(options.roughboard), "--threads", "1", "--quiet"]
    arguments = [str(table) if a == "{}" else a for a in ROUGHBOARD[peer][task]]
    _, loading_cpu, loading_peak = run([*program, "rough", "info", str(table)], options)
    text, cpu, peak = run([*program, *arguments], options)
    document = json.loads(text)
    answers = {
        "partition": lambda: document["classes"],
        "gamma": lambda: round(document["gamma"] * document["objects"]),
        "core": lambda: document["core"],
        "reduct": lambda: document["reduct"],
        "reducts": lambda: document["reducts"],
    }
    return {
        "cpu_s": cpu, "load_cpu_s": loading_cpu, "peak_mb": peak, "before_mb": loading_peak, "answer": answers[task](),
    }


def judged(task, table, answer, options):
    command = [sys.executable, str(HERE / "judge.py"), task, str(table), str(options.tables / "ground_truth.json")]
    done = subprocess.run(command, input=json.dumps(answer), capture_output=True, text=True, cwd=HERE, env=ENVIRONMENT)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return {"verdict": "not checked", "summary": "", "reason": f"the check failed: {last}"}
    return json.loads(done.stdout)


def worst_verdict(task, table, answers, options):
    """The verdict on the answers of several runs: a wrong one counts, however many others are right."""
    distinct = list({json.dumps(answer): answer for answer in answers}.values())
    verdicts = [judged(task, table, answer, options) for answer in distinct]
    worst = next((v for v in verdicts if v["verdict"] == "wrong"), verdicts[0])
    if len(distinct) > 1:
        worst["reason"] = "; ".join(filter(None, ["answers differ from run to run", worst["reason"]]))
    return worst


def row(peer, task, table, options):
    """One line of the result: the median of the runs, and what the answer is worth."""
    fields = {"table": table.stem, "task": task, "peer": peer, "version": options.versions[peer]}
    measure = measure_roughboard if peer in ROUGHBOARD else measure_peer
    runs = []
    try:
        while len(runs) < options.repeat and (not runs or runs[-1]["cpu_s"] < LONG_S):
            runs.append(measure(peer, task, table, options))
    except Failure as failure:
        return {**fields, "status": failure.status, "reason": failure.reason}
    verdict = worst_verdict(task, table, [r["answer"] for r in runs], options)
    median = {key: statistics.median(r[key] for r in runs) for key in ("cpu_s", "load_cpu_s", "peak_mb", "before_mb")}
    rest = {"status": verdict["verdict"], **{key: verdict[key] for key in ("summary", "reason")}, "runs": len(runs)}
    return {**fields, **{key: round(value, 6) for key, value in median.items()}, **rest}


def found_versions(options):
    """Peer -> version of every peer that is installed and wanted, roughboard first."""
    versions = {}
    if options.roughboard:
        line = subprocess.run([options.roughboard, "--version"], capture_output=True, text=True, check=True).stdout
        versions = {peer: line.split()[-1] for peer in ROUGHBOARD}
    for peer, (package, _) in peers.PEERS.items():
        version = peers.version(package)
        if version is None:
            print(f"{peer}: not installed, left out", file=sys.stderr)
        else:
            versions[peer] = version
    wanted = options.peers or list(versions)
    return {peer: version for peer, version in versions.items() if peer in wanted}


def tasks_of(peer):
    return ROUGHBOARD[peer] if peer in ROUGHBOARD else peers.PEERS[peer][1]


def table_files(options):
    """The tables asked for, or all of the folder, the smallest first."""
    names = options.only
    files = [p for p in options.tables.iterdir() if p.suffix in (".parquet", ".csv")]
    missing = [name for name in names or [] if name not in {p.stem for p in files}]
    if missing:
        sys.exit(f"error: no table {', '.join(missing)} in {options.tables}")
    return sorted((p for p in files if not names or p.stem in names), key=lambda p: p.stat().st_size)


def multiple(entry, base):
    """How many times roughboard's CPU seconds an entry took, in brackets; of roughboard itself, what start and reading
    took."""
    if entry["peer"] in ROUGHBOARD:
        return f" ({entry['load_cpu_s']:.3g} start and reading)"
    if base is None or not base.get("cpu_s"):
        return ""
    ratio = entry["cpu_s"] / base["cpu_s"]
    return f" ({ratio:.0f}×)" if ratio >= 10 else f" ({ratio:.2g}×)"


def cell(entry, base):
    """CPU seconds with their multiple, or why there are none."""
    if entry is None:
        return "–"
    if "cpu_s" not in entry:
        return entry["status"]
    mark = {"wrong": " **wrong**", "not checked": " ?"}.get(entry["status"], "")
    return f"{entry['cpu_s']:.3g}{multiple(entry, base)}{mark}"


def markdown(rows, options):
    """One table a task: a line a table, a column a peer."""
    lines = ["# Comparison with peers", ""]
    lines += [f"{peer} {version}  " for peer, version in options.versions.items()]
    lines += [f"Python {platform.python_version()}, {platform.machine()}, one thread, limit {options.timeout:g} s", ""]
    lines += [f"CPU seconds, the median of up to {options.repeat} processes; in brackets the multiple of roughboard's.", ""]
    lines += ["roughboard's are those of the whole process, reading the table included; those of others are of the task"]
    lines += ["alone (a short one repeated), after imports, reading and a warm-up. `?`: the answer could not be checked.", ""]
    for task in TASKS:
        entries = {(r["table"], r["peer"]): r for r in rows if r["task"] == task}
        columns = [peer for peer in options.versions if any(key[1] == peer for key in entries)]
        if not columns:
            continue
        lines += [f"## {task}", "", "| table | " + " | ".join(columns) + " |", "|---|" + "---|" * len(columns)]
        for table in dict.fromkeys(key[0] for key in entries):
            base = entries.get((table, "roughboard"))
            cells = [cell(entries.get((table, peer)), base) for peer in columns]
            lines.append(f"| {table} | " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines + remarks(rows))


def remarks(rows):
    noted = [r for r in rows if r.get("reason") and r["status"] != "not checked"]
    words = [f"* {r['table']}, {r['task']}, {r['peer']}: {r['status']}: {r['reason']}" for r in noted]
    memory = [r for r in rows if r.get("peak_mb")]
    largest = max(memory, key=lambda r: r["peak_mb"], default=None)
    if largest:
        words.append(f"* most memory: {largest['peer']}, {largest['task']} of {largest['table']}: {largest['peak_mb']:.0f} MB")
    return ["## Remarks", "", *words, ""]


def write(rows, options):
    with open(options.out / "peers.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(rows)
    (options.out / "peers.md").write_text(markdown(rows, options))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", type=Path, help="folder of tables NAME.parquet or NAME.csv with a decision column d")
    parser.add_argument("--roughboard", type=Path, help="path to the program")
    parser.add_argument("--out", type=Path, required=True, help="folder for peers.csv and peers.md")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these tables")
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=TASKS)
    parser.add_argument("--peers", nargs="+", metavar="PEER", help="these peers; roughboard is one of them")
    parser.add_argument("--timeout", type=float, default=60, metavar="S", help="CPU seconds for one task")
    parser.add_argument("--memory", type=float, default=8, metavar="GB", help="memory for one task")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of a task that is not long")
    options = parser.parse_args()
    unknown = set(options.peers or []) - set(peers.PEERS) - set(ROUGHBOARD)
    if unknown:
        parser.error(f"no peer {', '.join(sorted(unknown))}; there are {', '.join([*ROUGHBOARD, *peers.PEERS])}")
    if not 0 < options.timeout or not 0 < options.memory or options.repeat < 1:
        parser.error("--timeout and --memory must be above 0, --repeat at least 1")
    if not options.tables.is_dir():
        parser.error(f"no folder {options.tables}")
    options.tables = options.tables.resolve()
    options.roughboard = options.roughboard and options.roughboard.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    options.versions = found_versions(options)
    return options


def main():
    options, rows = arguments(), []
    for table in table_files(options):
        for task in options.tasks:
            for peer in [peer for peer in options.versions if task in tasks_of(peer)]:
                rows.append(row(peer, task, table, options))
                last = rows[-1]
                print(last["table"], task, peer, last["status"], last.get("cpu_s", ""), last.get("summary", ""), flush=True)
                write(rows, options)


if __name__ == "__main__":
    main()
