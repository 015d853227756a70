#!/usr/bin/env python3
"""Long runs, watched: memory, open files and threads must stay flat, no game may be lost, and no process may be left.

    [GAMES=N] [CRASHES=N] [MINUTES=N] [SEED=N] soak.py PROGRAM WORK [PART…]

Parts: match (GAMES games between players of this process), crashes (CRASHES games between two engines, of which one crashes at random), gui
(MINUTES of processor time of an engine under random but legal traffic); all of them by default. What was seen is WORK/PART.csv, once a
second, and WORK/PART.svg. Needs Python 3 on Linux and nothing else. Ends with code 1 if something grew, was lost or was left.
"""

import ctypes
import json
import os
import random
import shlex
import statistics
import subprocess
import sys
import time
from pathlib import Path

GAMES = int(os.environ.get("GAMES", "200000"))
CRASHES = int(os.environ.get("CRASHES", "5000"))
MINUTES = float(os.environ.get("MINUTES", "24"))
SEED = int(os.environ.get("SEED", "1"))
#: How much more memory the last quarter of a run may take than the second, in MiB, beside a tenth.
SLACK = 4
#: The chance that the engine that crashes does so at a move.
CRASH = 0.01
#: Of a child whose parent has ended, this process becomes the parent (prctl of Linux).
PR_SET_CHILD_SUBREAPER = 36

FAILURES = []


def fail(text):
    print(f"FAILED {text}", flush=True)
    FAILURES.append(text)


def seen(pid):
    """Memory in MiB, open files, threads and ended children that nobody waited for, of a process; None when it is gone."""
    try:
        lines = dict(line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":\t" in line)
        children = " ".join(file.read_text() for file in Path(f"/proc/{pid}/task").glob("*/children")).split()
        zombies = sum(is_zombie(child) for child in children)
        return int(lines["VmRSS"].split()[0]) / 1024, len(os.listdir(f"/proc/{pid}/fd")), int(lines["Threads"]), zombies
    except (OSError, KeyError):
        return None


def is_zombie(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return False


def cpu_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Watch:
    """What was seen of a process, from its beginning on."""

    def __init__(self, name, work):
        self.name, self.work, self.rows, self.begun, self.due = name, work, [], time.monotonic(), 0.0

    def look(self, pid):
        now = time.monotonic() - self.begun
        if now >= self.due and (found := seen(pid)):
            self.rows.append((now, *found))
            self.due = now + 1

    def end(self, what):
        columns = ("seconds", "memory_mib", "files", "threads", "zombies")
        lines = [",".join(columns)] + [",".join(f"{value:.1f}" if isinstance(value, float) else str(value) for value in row) for row in self.rows]
        (self.work / f"{self.name}.csv").write_text("\n".join(lines) + "\n")
        (self.work / f"{self.name}.svg").write_text(picture(columns, self.rows))
        quarter = len(self.rows) // 4
        if quarter < 5:
            fail(f"{self.name}: only {len(self.rows)} looks: too short a run to say anything")
            return
        early, late = self.rows[quarter : 2 * quarter], self.rows[-quarter:]
        memory = [statistics.median(row[1] for row in part) for part in (early, late)]
        print(f"{self.name}: {what}; {self.rows[-1][0]:.0f} s, memory {memory[0]:.1f} MiB in the second quarter, {memory[1]:.1f} in the last", flush=True)
        if memory[1] > 1.1 * memory[0] + SLACK:
            fail(f"{self.name}: memory grew from {memory[0]:.1f} to {memory[1]:.1f} MiB")
        for column in (2, 3):
            print(f"{self.name}: at most {max(row[column] for row in self.rows)} {columns[column]}", flush=True)
            # Nine looks of ten had no more: files of results are open for a while at the end, and which of two states is the usual one is chance.
            usual = [sorted(row[column] for row in part)[9 * len(part) // 10] for part in (early, late)]
            if usual[1] > usual[0]:
                fail(f"{self.name}: {columns[column]} grew from {usual[0]} to {usual[1]}")
        # One that has just ended may not have been waited for yet.
        if all(row[4] for row in late):
            fail(f"{self.name}: ended children are left: {late[-1][4]}")


def picture(columns, rows):
    """Each column over time, as SVG, on a scale of its own."""
    width, height, parts = 600, 90, []
    last = max(rows[-1][0], 1) if rows else 1
    for at, name in enumerate(columns[1:], 1):
        most = max((row[at] for row in rows), default=1) or 1
        points = " ".join(f"{40 + row[0] / last * (width - 60):.1f},{at * height - row[at] / most * (height - 30):.1f}" for row in rows)
        parts.append(f'<text x="40" y="{at * height - height + 22}" font-size="12">{name}, at most {most:g}</text>')
        parts.append(f'<polyline points="{points}" fill="none" stroke="black"/>')
    size = f'width="{width}" height="{height * (len(columns) - 1) + 20}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">{"".join(parts)}</svg>\n'


def left_processes():
    """Waits for the processes that others left to this one; whether there are some that do not end in five seconds."""
    end = time.monotonic() + 5
    while time.monotonic() < end:
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.05)
        except ChildProcessError:
            return False
    return True


def watched_match(name, program, work, words, games, codes):
    """Plays a match in the folder WORK/NAME, and checks that no game is lost."""
    run = work / name
    command = [program, "match", *words, "--games", str(games), "--threads", "1", "--quiet", "--force", "--out", str(run)]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    watch = Watch(name, work)
    while child.poll() is None:
        watch.look(child.pid)
        time.sleep(0.05)
    error = child.stderr.read().decode(errors="replace")
    if child.returncode not in codes:
        fail(f"{name}: code {child.returncode}: {error}")
        return
    ended = {}
    for line in (run / "games.csv").read_text().splitlines()[1:]:
        for reason in ("engine crashed", "engine hung", "illegal move"):
            ended[reason] = ended.get(reason, 0) + (reason in line)
    kept = len((run / "games.csv").read_text().splitlines()) - 1
    if kept != games:
        fail(f"{name}: {kept} of {games} games are kept")
    if left_processes():
        fail(f"{name}: a process is left")
    watch.end(f"{kept} games, {ended}")


def crashes(program, work):
    script = f"{shlex.quote(sys.executable)} -SE {shlex.quote(str(Path(__file__).resolve()))} crashing {shlex.quote(program)}"
    entrants = [f"engine:{script}", f"engine:{program} engine@name=steady"]
    watched_match("crashes", program, work, [*entrants, "--nodes", "20", "--max-plies", "60"], CRASHES, (1,))


def crash(program):
    """An engine that hands on what another one says, and crashes at random."""
    draw = random.Random()
    child = subprocess.Popen([program, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    for line in sys.stdin:
        child.stdin.write(line)
        child.stdin.flush()
        word = line.split()[:1]
        if word == ["quit"]:
            break
        if word == ["go"] and draw.random() < CRASH:
            print("info string oh", flush=True)
            os.abort()
        last = {"uci": "uciok", "ucci": "ucciok", "isready": "readyok", "go": "bestmove"}.get("".join(word))
        while last:
            said = child.stdout.readline()
            print(said, end="", flush=True)
            if not said or said.split()[:1] == [last]:
                break
    child.stdin.close()
    child.wait()


def lines_of_play(program, work):
    """Games as lists of moves in UCI."""
    games = work / "gui-games.pgn"
    made = [program, "games", "generate", "random", "--games", "200", "--max-plies", "80", "--seed", str(SEED), "--quiet", "--force", "--out", str(games)]
    subprocess.run(made, check=True, stdout=subprocess.DEVNULL)
    words = [line for line in games.read_text().split("\n\n") if line and not line.startswith("[")]
    is_move = lambda word: len(word) == 5 and word[2] == "-"
    return [[word.replace("-", "").lower() for word in text.split() if is_move(word)] for text in words]


class Gui:
    """A client that does what an interface may do, in random order."""

    def __init__(self, child, games, draw):
        self.child, self.games, self.draw, self.answers = child, games, draw, 0

    def say(self, line):
        self.child.stdin.write(line + "\n")
        self.child.stdin.flush()

    def wait(self, word):
        while True:
            line = self.child.stdout.readline()
            if not line:
                raise RuntimeError(f"the engine ended instead of saying {word}")
            if line.split()[:1] == [word]:
                self.answers += 1
                return

    def turn(self):
        draw = self.draw
        if draw.random() < 0.05:
            self.say("ucinewgame")
        if draw.random() < 0.1:
            name, value = draw.choice([("Hash", draw.choice((1, 4, 8))), ("MultiPV", draw.randint(1, 3)), ("Threads", draw.randint(1, 3))])
            self.say(f"setoption name {name} value {value}")
        if draw.random() < 0.2:
            self.say("isready")
            self.wait("readyok")
        moves = draw.choice(self.games)
        moves = moves[: draw.randint(0, len(moves))]
        self.say("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        way = draw.choice(["go depth 3", "go nodes 2000", "go movetime 30", "go wtime 900 btime 900 winc 10 binc 10", "go infinite", "go ponder wtime 900 btime 900"])
        self.say(way)
        if way == "go infinite":
            time.sleep(draw.uniform(0, 0.1))
            self.say("stop")
        if "ponder" in way:
            time.sleep(draw.uniform(0, 0.05))
            self.say(draw.choice(["ponderhit", "stop"]))
        self.wait("bestmove")


def gui(program, work):
    child = subprocess.Popen([program, "engine", "--evaluator", "traditional"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    talk = Gui(child, lines_of_play(program, work), random.Random(SEED))
    talk.say("uci")
    talk.wait("uciok")
    watch = Watch("gui", work)
    while cpu_seconds(child.pid) < 60 * MINUTES:
        talk.turn()
        watch.look(child.pid)
    spent = cpu_seconds(child.pid)
    talk.say("quit")
    if child.wait(timeout=10) != 0:
        fail(f"gui: the engine ended with {child.returncode}")
    if left_processes():
        fail("gui: a process is left")
    watch.end(f"{talk.answers} answers in {spent / 60:.1f} minutes of processor time")


PARTS = {
    "match": lambda program, work: watched_match("match", program, work, ["traditional", "random", "--depth", "1", "--random-plies", "8", "--max-plies", "200"], GAMES, (0,)),
    "crashes": crashes,
    "gui": gui,
}


def main():
    if sys.argv[1] == "crashing":
        return crash(sys.argv[2])
    program, work = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()
    work.mkdir(parents=True, exist_ok=True)
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    for part in sys.argv[3:] or PARTS:
        PARTS[part](program, work)
    print(json.dumps({"failures": FAILURES}))
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
