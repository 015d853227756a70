#!/usr/bin/env python3
"""Faults on purpose: kills at random moments, disks that are full or read-only, files that are cut or changed.

    BUDGET=MINUTES SEED=N faults.py PROGRAM WORK [PART…]

PROGRAM is the roughboard to try, WORK a folder of its own; what is done is listed in WORK/done.txt, and the same command goes on from there.
Parts: kills, signals, writes, cuts, flips; all of them by default. Needs Python 3 and nothing else; as root on Linux it mounts small file
systems, elsewhere these cases are left out with a note. Ends with a table, and with code 1 if anything was lost, wrong, silent or stuck.
"""

import collections
import json
import os
import random
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

BUDGET = float(os.environ.get("BUDGET", "60")) * 60
SEED = int(os.environ.get("SEED", "1"))
KILLS = int(os.environ.get("KILLS", "500"))
FLIPS = int(os.environ.get("FLIPS", "10000"))
#: Seconds after which a run counts as stuck, but for kills of work that takes longer undisturbed.
STUCK = 20
#: Seconds from the start of a command after which it listens to signals.
HEARD_FROM = 0.1
#: Kills of one run before it is let go on to its end.
MOST_KILLS = 6
#: Files up to this length are cut at every byte.
SMALL = 3000

BEGUN = time.monotonic()


class Trial:
    """The program under trial, the folder to work in, and what was found."""

    def __init__(self, program, work):
        self.program, self.work = str(Path(program).resolve()), Path(work).resolve()
        self.work.mkdir(parents=True, exist_ok=True)
        self.list = self.work / "done.txt"
        self.done = set(self.list.read_text().split("\n")) if self.list.exists() else set()
        self.figures, self.failures = self.work / "figures.json", []
        self.counts = collections.Counter(json.loads(self.figures.read_text()) if self.figures.exists() else {})

    def is_late(self):
        return time.monotonic() - BEGUN > BUDGET

    def command(self, words):
        return [self.program, *shlex.split(words)]

    def run(self, words, cwd, timeout=STUCK, limit=None):
        """Exit code (None: stuck), standard output and error of a run in the folder `cwd`, with files of at most `limit` bytes."""

        def prepare():
            if limit is not None:
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        try:
            ended = subprocess.run(self.command(words), cwd=cwd, capture_output=True, timeout=timeout, preexec_fn=prepare if limit else None)
        except subprocess.TimeoutExpired:
            return None, "", ""
        return ended.returncode, ended.stdout.decode(errors="replace"), ended.stderr.decode(errors="replace")

    def setup(self, words, cwd, codes=(0,)):
        code, _, error = self.run(words, cwd, timeout=600)
        assert code in codes, f"{words}: {code}: {error}"

    def fail(self, what, case, detail=""):
        self.failures.append(f"{what}: {case}: {detail.strip()[-400:]}")
        print(f"FAILED {self.failures[-1]}", flush=True)
        self.counts[what] += 1

    def ended_well(self, case, code, error, codes=(0, 1, 2, 3)):
        """Whether a run ended in a way that is documented."""
        if code is None:
            self.fail("stuck", case)
        elif "panicked" in error or code == 101:
            self.fail("panic", case, error)
        elif code not in codes:
            self.fail(f"code {code}", case, error)
        else:
            return True
        return False

    def mark(self, case):
        self.done.add(case)
        with self.list.open("a") as file:
            file.write(f"{case}\n")
        self.figures.write_text(json.dumps(self.counts))


def contents(path):
    """What a file or folder holds, but for locks and measured times."""
    if path.is_file():
        return {path.name: path.read_bytes()}
    files = (file for file in sorted(path.rglob("*")) if file.is_file() and file.name not in (".lock", "times.md"))
    return {str(file.relative_to(path)): file.read_bytes() for file in files}


class Job:
    """Work of seconds whose result is known: `words`, which write `out`, and `again`, which go on with what they left."""

    def __init__(self, name, words, out, again=" --resume", code=0, beside=()):
        self.name, self.words, self.out, self.again, self.code, self.beside = name, words, out, again, code, beside

    def start(self, folder, inputs):
        """A new folder with the inputs."""
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(inputs, folder)
        return folder

    def result(self, folder):
        return {name: contents(folder / name) for name in (self.out, *self.beside) if name and (folder / name).exists()}


TRAIN = "--games games.pgn --quiet --threads 1 --out run"
MATCH = "match traditional random --games 8 --depth 1 --max-plies 40 --quiet --threads 2"
JOBS = [
    Job("train rough", f"train rough {TRAIN} --rules 9 --passes 3 --batch 512 --curve-points 2", "run"),
    Job("train bp", f"train bp {TRAIN} --hidden 8 --passes 6 --curve-points 4", "run"),
    Job("train td", f"train td {TRAIN} --hidden 4 --passes 3 --curve-points 2", "run"),
    Job("train td by playing", f"train td {TRAIN} --play self --games-to-play 60 --hidden 4", "run"),
    Job("train zero", "train zero --games 12 --simulations 4 --sync-games 3 --layers 1 --channels 4 --quiet --threads 2 --out run", "run"),
    Job("train zero by generations", "train zero --games 8 --simulations 4 --sync-generation 4 --layers 1 --channels 4 --quiet --out run", "run"),
    Job("train iterate", "train iterate start --rounds 2 --games 16 --depth 1 --target-depth 1 --gate-games 4 --gate-depth 1 --max-plies 200 --seed 5 --quiet --out run", "run"),
    Job("train from searches", f"train bp {TRAIN} --hidden 4 --passes 1 --target search --teacher-depth 1 --judgements judged.jsonl", "run"),
    Job("games generate self-play", "games generate self-play --games 30 --depth 1 --max-plies 40 --quiet --threads 2 --out made.pgn", "made.pgn", " --force", beside=("made.pgn.manifest.json",)),
    Job("games generate engine", "games generate engine --engine '{program} engine' --games 4 --nodes 60 --max-plies 30 --quiet --threads 2 --out made.pgn", "made.pgn", " --force", beside=("made.pgn.manifest.json",)),
    Job("games import", "games import games.pgn --quiet --out clean.pgn.zst --positions p.parquet --account a.csv", "clean.pgn.zst", " --force", beside=("p.parquet", "a.csv")),
    Job("table build", "table build --games games.pgn --quiet --out t.parquet", "t.parquet", " --force"),
    Job("book build", "book build games.pgn --quiet --out b.sqlite", "b.sqlite", " --force"),
    Job("match", f"{MATCH} --out run --journal-moves 0", "run"),
    Job("match with an engine", f"{MATCH.replace('random', shlex.quote('engine:{program} engine'))} --out run", "run"),
    Job("match without a folder", f"{MATCH} --json", None, ""),
    Job("match merge", "match merge part-1 part-2 --quiet --out run", "run", " --force"),
    Job("reproduce td-random-walk", "reproduce td-random-walk --smoke --quiet --out run", "run"),
    Job("reproduce rnn-xiangqi", "reproduce --smoke --quiet --threads 2 --out run", "run"),
]


def inputs(trial):
    """The folder of what jobs begin with."""
    folder = trial.work / "inputs"
    if not (folder / "complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        trial.setup("games generate self-play --games 24 --depth 1 --max-plies 60 --out games.pgn --quiet", folder)
        trial.setup("train bp --games games.pgn --hidden 8 --passes 1 --curve-points 1 --out start --quiet", folder)
        trial.setup(f"{MATCH} --shard 1/2 --out part-1", folder, (3,))
        trial.setup(f"{MATCH} --shard 2/2 --out part-2", folder, (3,))
        (folder / "complete").touch()
    return folder


def told(output):
    """Standard output without measured times, of which none is a result."""
    return [line for line in output.splitlines() if not line.startswith("time ")]


def undisturbed(trial, job):
    """The result of a job that nothing disturbs, what it printed, and the seconds that it took."""
    folder = job.start(trial.work / "whole", inputs(trial))
    words = job.words.format(program=trial.program)
    begun = time.monotonic()
    code, output, error = trial.run(words, folder, timeout=600)
    assert code == job.code, f"{job.name}: {code}: {error}"
    return job.result(folder), told(output), time.monotonic() - begun


def finish(trial, job, case, folder, expected, limit=600, may_lack=False):
    """Lets a job go on to its end, and compares its result. Where files `may_lack`, it may name what is missing or left over instead, and
    starts anew once that is out of the way."""
    words = job.words.format(program=trial.program)
    code, output, error = trial.run(words + job.again, folder, timeout=limit)
    if may_lack and code == 2 and f"`{job.out}" in error and len(error.splitlines()) == 1:
        trial.counts["told what is missing"] += 1
        removed(folder / job.out)
        code, output, error = trial.run(words, folder, timeout=limit)
    if not trial.ended_well(case, code, error, (0, 2)):
        return
    result, printed = expected[:2]
    if code == 2:
        trial.fail("cannot go on", case, error)
    elif job.result(folder) != result or job.out is None and told(output) != printed:
        names = [name for name in result if job.result(folder).get(name) != result[name]]
        trial.fail("other bytes", case, f"{names or 'what was printed'}")


def kills(trial):
    """Kills at random moments of every job, each resumed until it ends."""
    draw = random.Random(SEED)
    per_job = -(-KILLS // len(JOBS))
    for job in JOBS:
        case = f"kills {job.name}"
        if case in trial.done or trial.is_late():
            continue
        expected = undisturbed(trial, job)
        struck = round_of = 0
        while struck < per_job and not trial.is_late() and round_of < 40 * per_job:
            folder = job.start(trial.work / "killed", inputs(trial))
            words, in_row = job.words.format(program=trial.program), 0
            while in_row < MOST_KILLS:
                round_of += 1
                child = subprocess.Popen(trial.command(words), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(draw.uniform(0, expected[2]))
                if child.poll() is None:
                    child.kill()
                    struck, in_row = struck + 1, in_row + 1
                    trial.counts[f"kills: {job.name}"] += 1
                code = child.wait()
                words = job.words.format(program=trial.program) + job.again
                if code == job.code:
                    break
                if code not in (-9, job.code):
                    trial.fail(f"code {code}", f"{case}, kill {struck}")
                    break
            finish(trial, job, f"{case}, kill {struck}", folder, expected)
        if struck >= per_job:
            trial.mark(case)


def signals(trial):
    """Each signal, once and twice in a row: the documented code, last words, and the same bytes after going on."""
    draw = random.Random(SEED)
    ends = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}
    for job in JOBS:
        case = f"signals {job.name}"
        if case in trial.done or trial.is_late():
            continue
        expected = undisturbed(trial, job)
        for one, code in ends.items():
            for times in (1, 2):
                folder = job.start(trial.work / "told", inputs(trial))
                words = trial.command(job.words.format(program=trial.program))
                child = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
                wait = 0.06 + draw.uniform(0, 0.6) * expected[2]
                time.sleep(wait)
                for _ in range(times):
                    child.send_signal(one)
                    time.sleep(0.01)
                try:
                    error = child.communicate(timeout=STUCK)[1].decode(errors="replace")
                except subprocess.TimeoutExpired:
                    child.kill()
                    trial.fail("stuck", f"{case} {one.name}")
                    continue
                trial.counts["signals"] += 1
                # Before a command listens, a signal is obeyed as ever.
                silent = (-one,) if wait < HEARD_FROM else ()
                if trial.ended_well(f"{case} {one.name}", child.returncode, error, (0, 3, code, *silent)):
                    if child.returncode == code and "stopped: " not in error:
                        trial.fail("no last words", f"{case} {one.name}", error)
                    trial.counts["signals with last words"] += "stopped: " in error or "stopping" in error
                    finish(trial, job, f"{case} {one.name}", folder, expected)
        trial.mark(case)


def mounted(folder, options):
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    return subprocess.run(command, capture_output=True).returncode == 0


def writes(trial):
    """Disks that are full, files that may not grow, folders that are read-only or removed: an error, and nothing lost."""
    place = trial.work / "small"
    subprocess.run(["umount", str(place)], capture_output=True)
    can_mount = mounted(place, "size=4m")
    if can_mount:
        subprocess.run(["umount", str(place)])
    else:
        print("note: no file system can be mounted here: full disks and read-only folders are left out")
    for job in JOBS:
        case = f"writes {job.name}"
        if case in trial.done or trial.is_late():
            continue
        expected = undisturbed(trial, job)
        words = job.words.format(program=trial.program)
        size = sum(file.stat().st_size for file in inputs(trial).rglob("*") if file.is_file())
        for free in (4096, 16384, 65536, 262144) if can_mount else ():
            name = f"{case}, {free} bytes free"
            assert mounted(place, f"size={size + 262144 + free}")
            folder = job.start(place / "work", inputs(trial))
            (place / "ballast").write_bytes(bytes(max(0, shutil.disk_usage(place).free - free)))
            code, _, error = trial.run(words, folder, timeout=120)
            trial.counts["full disks"] += 1
            if trial.ended_well(name, code, error, (0, 2)):
                if code == 2 and "error: " not in error:
                    trial.fail("no message", name, error)
                subprocess.run(["mount", "-o", "remount,size=64m", str(place)], check=True)
                finish(trial, job, name, folder, expected)
            subprocess.run(["umount", str(place)], check=True)
        for limit in (256, 2048, 16384):
            name = f"{case}, files of at most {limit} bytes"
            folder = job.start(trial.work / "limited", inputs(trial))
            code, _, error = trial.run(words, folder, timeout=120, limit=limit)
            trial.counts["limited files"] += 1
            if trial.ended_well(name, code, error, (0, 2)):
                if code == 2 and "error: " not in error:
                    trial.fail("no message", name, error)
                finish(trial, job, name, folder, expected)
        if can_mount:
            assert mounted(place, "size=64m")
            folder = job.start(place / "work", inputs(trial))
            subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
            begun = time.monotonic()
            code, _, error = trial.run(words, folder, timeout=120)
            trial.counts["read-only folders"] += 1
            if trial.ended_well(f"{case}, read-only", code, error, (0, 2) if job.out is None else (2,)):
                if job.out and time.monotonic() - begun > 0.5 * expected[2] + 1:
                    trial.fail("late", f"{case}, read-only", f"{time.monotonic() - begun:.1f} s")
            subprocess.run(["umount", str(place)], check=True)
        removal(trial, job, f"{case}, output removed", expected)
        trial.mark(case)


def removal(trial, job, case, expected):
    """The output of a job is removed while it works: it ends in a documented way, and the next start ends with the same bytes."""
    folder = job.start(trial.work / "removed", inputs(trial))
    words = trial.command(job.words.format(program=trial.program))
    child = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(0.5 * expected[2])
    kind = removed(folder / job.out) if job.out and child.poll() is None else None
    try:
        error = child.communicate(timeout=120)[1].decode(errors="replace")
    except subprocess.TimeoutExpired:
        child.kill()
        trial.fail("stuck", case)
        return
    if kind:
        trial.counts[f"removed {kind}"] += 1
    if trial.ended_well(case, child.returncode, error, (0, 2)):
        # What was being written just then may stand there again, without the rest.
        finish(trial, job, case, folder, expected, may_lack=True)


def removed(path):
    """Removes a folder or file, and says which it was; None if it is not there."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
        return "folders"
    if path.exists():
        path.unlink()
        return "files"
    return None


class Target:
    """A file, and a command that reads it. `out`: the command goes on with work, and this result is what counts."""

    def __init__(self, name, file, words, out=None, weight=10, has_sum=True):
        self.name, self.file, self.words, self.out, self.weight, self.has_sum = name, file, words, out, weight, has_sum


ENTRANTS = """[[entrant]]
player = "traditional"
nodes = 50
search = "null_move=false"

[[entrant]]
player = "random"
"""
GENERATE = "games generate self-play --games 6 --depth 1 --max-plies 20 --quiet --threads 1 --out made.pgn"
GOES_ON = f"{MATCH.replace('--games 8', '--games 4')} --out run --resume"
BP = "train bp --games games.pgn --hidden 4 --passes 2 --curve-points 2 --quiet --threads 1 --out run"
ZERO = "train zero --games 4 --simulations 2 --sync-games 2 --layers 1 --channels 2 --quiet --threads 1 --out run --resume"
TARGETS = [
    Target("plain network", "start/net.safetensors", "eval --evaluator start/net.safetensors --json"),
    Target("rough network", "rough/net.safetensors", "eval --evaluator rough/net.safetensors --json", weight=6),
    Target("network of a run", "start/net.safetensors", "eval --evaluator start --json", weight=5),
    Target("network in whole numbers", "small.safetensors", "eval --evaluator small.safetensors --json", weight=6),
    Target("residual network", "zero/net.safetensors", "eval --game surakarta --evaluator zero/net.safetensors --json", weight=6),
    Target("book", "b.sqlite", "book show b.sqlite --json"),
    Target("packed games", "games.pgn.zst", "games stats games.pgn.zst --json"),
    Target("table of Parquet", "t.parquet", "rough info t.parquet --json --decision d", has_sum=False),
    Target("journal of games", "made.pgn.journal.jsonl", GENERATE + " --force", out="made.pgn", weight=5),
    Target("journal of a match", "run/journal.jsonl", GOES_ON, out="run", weight=1),
    Target("plan of a match", "run/plan.json", GOES_ON, out="run", weight=1),
    Target("checkpoint", "run/.resume/checkpoint", BP + " --resume", out="run", weight=3),
    Target("identity of a state", "run/.resume/identity.json", BP + " --resume", out="run", weight=1),
    Target("manifest", "start/manifest.json", "eval --evaluator start --json", weight=3, has_sum=False),
    Target("checkpoint of self-play", "run/.resume/checkpoint.json", ZERO, out="run", weight=2),
    Target("games of self-play", "run/games.jsonl", ZERO, out="run", weight=1),
    Target("rules", "rules.json", "rough predict rules.json d.csv --json", weight=3, has_sum=False),
    Target("cut points", "cuts.json", "rough discretize d.csv --decision d --cuts cuts.json --json", weight=2, has_sum=False),
    Target("certificate", "certificate.json", "rough verify d.csv certificate.json --json", weight=3, has_sum=False),
    Target("entrants of a match", "entrants.toml", "match --entrants entrants.toml --games 2 --max-plies 6 --json", weight=3, has_sum=False),
    Target("settings", "settings.toml", "reproduce td-random-walk --config settings.toml --print-config", weight=2, has_sum=False),
]
#: The commands that make the files of targets, where these are not at hand.
MADE_BY = {
    "rough network": "train rough --games games.pgn --rules 5 --passes 1 --quiet --out rough",
    "network in whole numbers": "quantise start --bits 16 --out small.safetensors --quiet",
    "residual network": ZERO.replace("--out run --resume", "--out zero"),
    "book": "book build games.pgn --plies 4 --out b.sqlite --quiet",
    "packed games": "games convert games.pgn --out games.pgn.zst --quiet",
    "table of Parquet": "rough discretize d.csv --decision d --method width --bins 3 --out t.parquet",
    "rules": "rough rules d.csv --decision d --out rules.json",
    "cut points": "rough discretize d.csv --decision d --method width --bins 3 --save-cuts cuts.json --out cut.csv",
    "certificate": "rough reduct d.csv --decision d --minimum --certificate certificate.json",
}


def prepare(trial, target):
    """A folder with the file of a target, as it was written, and what its command says or makes of it."""
    folder = trial.work / "targets" / target.name.replace(" ", "-")
    whole = trial.work / "targets" / (target.name.replace(" ", "-") + "-whole")
    if not (whole / "complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(whole, ignore_errors=True)
        shutil.copytree(inputs(trial), folder)
        make(trial, target, folder)
        assert (folder / target.file).exists(), f"{target.name}: no {target.file} in {sorted(contents(folder))}"
        shutil.copytree(folder, whole)
        (whole / "complete").touch()
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(whole, folder)
    code, output, error = trial.run(target.words, folder, timeout=120)
    assert code in (0, 3), f"{target.name}: {code}: {error}"
    expected = contents(folder / target.out) if target.out else told(output)
    return folder, whole, expected


def make(trial, target, folder):
    """Makes what a target needs beside the inputs."""
    (folder / "entrants.toml").write_text(ENTRANTS)
    table = "a,b,c,d\n" + "".join(f"{i % 3},{i * 7 % 5},{i * i % 7},{'xyz'[i * i % 3]}\n" for i in range(60))
    (folder / "d.csv").write_text(table)
    if target.name in MADE_BY:
        trial.setup(MADE_BY[target.name], folder)
    elif target.name == "settings":
        code, text, error = trial.run("reproduce td-random-walk --smoke --print-config", folder)
        assert code == 0, error
        (folder / "settings.toml").write_text(text)
    elif target.words.startswith("games generate"):
        strike(trial, GENERATE, folder, lambda: has_lines(folder / target.file, 4))
    elif target.words.startswith("match"):
        strike(trial, GOES_ON, folder, lambda: has_lines(folder / "run/journal.jsonl", 4))
    elif target.words.startswith("train bp"):
        strike(trial, BP, folder, lambda: (folder / "run/.resume/checkpoint").exists())
    elif target.words.startswith("train zero"):
        strike(trial, ZERO, folder, lambda: has_lines(folder / "run/games.jsonl", 2) and (folder / "run/.resume/checkpoint.json").exists())


def has_lines(path, lines):
    return path.exists() and path.read_bytes().count(b"\n") >= lines


def strike(trial, words, folder, is_due):
    """Kills a run once `is_due`, as often as it takes: it may be faster."""
    for _ in range(200):
        for old in ("run", "made.pgn", "made.pgn.manifest.json", "made.pgn.journal.jsonl"):
            path = folder / old
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
        child = subprocess.Popen(trial.command(words), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while child.poll() is None and not is_due():
            pass
        if child.poll() is None:
            child.kill()
        if child.wait() == -9:
            return
    raise AssertionError(f"{words} is too fast to be killed")


def names_of(target):
    """By what messages may name the file of a target."""
    return Path(target.file).name, target.file.split("/")[0]


def is_noted(target, error):
    """Whether a note says that something was left out, or what is wrong with the file."""
    notes = [line for line in error.splitlines() if line.startswith("note: ")]
    return any(part in line for line in notes for part in ("left out", *names_of(target)))


def judge(trial, target, case, folder, expected):
    """Runs the command of a target on a changed file: the same result, or an error that names a file. An answer may be another one if a
    note says why; work may not."""
    code, output, error = trial.run(target.words, folder)
    if not trial.ended_well(case, code, error):
        return
    result = (contents(folder / target.out) if (folder / target.out).exists() else {}) if target.out else told(output)
    # Code 1 of a check is an answer, too.
    if code in (0, 3) or code == 1 and not target.has_sum:
        if result == expected:
            trial.counts["changed files: the same result"] += 1
        elif not target.out and is_noted(target, error):
            trial.counts["changed files: another result, with a note"] += 1
        elif not target.has_sum:
            trial.counts["changed files without a checksum: another result"] += 1
        else:
            trial.fail("silent", case, error)
        return
    lines = [line for line in error.splitlines() if line.startswith(("error: ", "check failed: "))]
    if len(lines) != 1:
        trial.fail("no single error line", case, error)
    elif not any(part in lines[0] for part in names_of(target)):
        trial.fail("error without the file", case, error)
    else:
        trial.counts["changed files: refused"] += 1


def restore(target, folder, whole):
    if target.out:
        shutil.rmtree(folder)
        shutil.copytree(whole, folder)


def change(trial, kind, changes):
    """Tries the file of each target as `changes` has it: what was done to it, and its bytes."""
    for target in TARGETS:
        case = f"{kind} {target.name}"
        if case in trial.done or trial.is_late():
            continue
        folder, whole, expected = prepare(trial, target)
        for what, changed in changes(target, (whole / target.file).read_bytes()):
            if trial.is_late():
                return
            restore(target, folder, whole)
            (folder / target.file).write_bytes(changed)
            trial.counts[kind] += 1
            judge(trial, target, f"{case}{what}", folder, expected)
        trial.mark(case)


def cuts(trial):
    """Each file cut at every byte if it is small, else at a sample of bytes."""
    draw = random.Random(SEED)

    def shorter(target, original):
        most = SMALL if target.weight >= 5 else 60 * target.weight
        lengths = range(len(original)) if len(original) <= most else sorted(draw.sample(range(len(original)), most // 3))
        for length in lengths:
            yield f" to {length} of {len(original)} bytes", original[:length]

    change(trial, "cuts", shorter)


def flips(trial):
    """One random bit of a file changed, many times."""
    draw = random.Random(SEED)
    of_weight = FLIPS / sum(target.weight for target in TARGETS)

    def flipped(target, original):
        for _ in range(round(of_weight * target.weight)):
            bit = draw.randrange(8 * len(original))
            changed = bytearray(original)
            changed[bit // 8] ^= 1 << bit % 8
            yield f", bit {bit}", changed

    change(trial, "flips", flipped)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    trial = Trial(*sys.argv[1:3])
    parts = {part.__name__: part for part in (kills, signals, writes, cuts, flips)}
    print(f"seed {SEED}, {BUDGET / 60:g} minutes, {KILLS} kills, {FLIPS} flips, in {trial.work}", flush=True)
    for name in sys.argv[3:] or parts:
        begun = time.monotonic()
        parts[name](trial)
        print(f"{name}: {time.monotonic() - begun:.0f} s", flush=True)
    for what, count in sorted(trial.counts.items()):
        print(f"{count:8} {what}")
    if trial.is_late():
        print("the time is over: the same command goes on with the parts that are not done")
    trial.figures.write_text(json.dumps(trial.counts))
    print(f"{len(trial.failures):8} failures")
    sys.exit(1 if trial.failures else 0)


if __name__ == "__main__":
    main()
