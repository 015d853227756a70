"""Mutation testing of the library: all mutants are written into one copy of it, built once, and chosen by the environment (docs/reliability.md).

    [BUDGET=MINUTES] [EVERY=N] [SECONDS=S] mutants.py WORK [MODULE…]

Works in the folder WORK, and goes on there: what was tried is in WORK/results.jsonl. BUDGET bounds the time of the trials, EVERY takes every
so many-th mutant, SECONDS bounds how long the tests of one mutant would take without it. `cargo mutants` lists the mutants.
"""

import collections
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

HOME = Path(__file__).resolve().parent
MODULES = ["rough", "stats", "games", "search", "net", "table"]
BUDGET = float(os.environ.get("BUDGET", "600"))
EVERY = int(os.environ.get("EVERY", "1"))
SECONDS = float(os.environ.get("SECONDS", "60"))
WORKERS = os.cpu_count() or 1
#: Tests that look at the sources, or at themselves, and not at what the library does.
BESIDE = re.compile(r"^(architecture|documents|fuzz_corpus|same_bytes)::")
#: Tests of one process take so many seconds at most, unless it is one test.
BATCH = 1.0
#: A mutant may take all memory: it gets this much.
MEMORY = 6 << 30


#: What the compiler refuses as surely wrong may be what a mutant does.
ALLOWED = ["arithmetic_overflow", "overflowing_literals", "unconditional_panic", "unconditional_recursion"]


def run(words, **options):
    return subprocess.run(words, text=True, stdout=subprocess.PIPE, **options)


def keep(path, value):
    new = path.with_suffix(".new")
    new.write_text(json.dumps(value))
    new.rename(path)


# The copy with all mutants


def copy_of_sources(work):
    """The files of this commit, and what is changed in them."""
    tree = work / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    for name in run(["git", "ls-files"], cwd=HOME.parents[1], check=True).stdout.splitlines():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(HOME.parents[1] / name, tree / name)
    manifest = tree / "Cargo.toml"
    allowed = "".join(f'{lint} = "allow"\n' for lint in ALLOWED)
    manifest.write_text(manifest.read_text().replace("[lints.rust]\n", f"[lints.rust]\n{allowed}"))
    return tree


def listed(tree, modules):
    files = [word for module in modules for word in ("--file", f"src/{module}.rs", "--file", f"src/{module}/**")]
    mutants = json.loads(run(["cargo", "mutants", "--list", "--json", *files], cwd=tree, check=True).stdout)
    return [{key: mutant[key] for key in ("name", "file", "genre", "replacement", "span")} | {"number": number} for number, mutant in enumerate(mutants)]


def rewrite(work, mutants, stay_const):
    """Writes all mutants that are not to be skipped into the copy; answers with their regions and those left out."""
    tree, clean = work / "tree", work / "clean"
    for source in clean.rglob("*.rs"):
        target = tree / "src" / source.relative_to(clean)
        target.write_bytes(source.read_bytes())
    keep(work / "list.json", mutants)
    keep(work / "const.json", sorted(stay_const))
    tool = run(["cargo", "run", "--release", "--quiet", "--manifest-path", str(HOME / "Cargo.toml"), "--", str(work / "list.json"), str(work / "const.json"), str(tree)],
               check=True)
    shutil.copy(HOME / "src/switch.rs", tree / "src/mutant.rs")
    with open(tree / "src/lib.rs", "a") as lib:
        lib.write("\npub mod mutant;\n")
    return json.loads(tool.stdout)


def errors(tree):
    checked = subprocess.Popen(["cargo", "check", "--release", "--lib", "--locked", "--message-format=json"], cwd=tree, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for line in checked.stdout:
        message = json.loads(line)
        if message.get("reason") == "compiler-message" and message["message"]["level"] == "error" and message["message"]["spans"]:
            yield message["message"]
    checked.wait()


def condemned(error, regions):
    """The mutants of the innermost code with the error in it."""
    for span in sorted(error["spans"], key=lambda span: not span["is_primary"]):
        while span.get("expansion") and span["file_name"] not in regions:
            span = span["expansion"]["span"]
        around = [region for region in regions.get(span["file_name"], []) if region[0] <= span["byte_start"] and span["byte_end"] <= region[1]]
        around = [region for region in around if region[2]]
        if around:
            return min(around, key=lambda region: region[1] - region[0])[2]
    return []


def prepare(work, modules):
    """Leaves out, round by round, what the compiler refuses."""
    tree = copy_of_sources(work)
    shutil.rmtree(work / "clean", ignore_errors=True)
    shutil.copytree(tree / "src", work / "clean")
    mutants, kept = listed(tree, modules), work / "refused.json"
    stay_const, refused = json.loads(kept.read_text()) if kept.exists() else ([], {})
    stay_const, refused = set(stay_const), {int(number): reason for number, reason in refused.items()}
    while True:
        for number in refused:
            mutants[number]["skip"] = True
        report = rewrite(work, mutants, stay_const)
        before = (len(refused), len(stay_const))
        unknown = []
        for error in errors(tree):
            called = re.search(r"non-const (?:associated )?(?:function|method|fn) `([^`]*)`", error["message"])
            if called:
                stay_const.add(re.sub(r"::<.*?>$|<.*>$", "", called[1]).split("::")[-1])
                continue
            found = condemned(error, report["regions"])
            refused.update(dict.fromkeys(found, error["message"].splitlines()[0]))
            if not found:
                unknown.append(error["rendered"])
        print(f"   {len(mutants)} mutants, {len(report['left_out'])} cannot be switched, {len(refused)} refused by the compiler", flush=True)
        if (len(refused), len(stay_const)) == before:
            if unknown:
                sys.exit("the compiler refuses the copy for another reason:\n" + "\n".join(unknown[:5]))
            break
        keep(kept, [sorted(stay_const), refused])
    left_out = {int(number): reason for number, reason in report["left_out"].items()} | refused
    for mutant in mutants:
        mutant["left_out"] = left_out.get(mutant["number"])
    keep(work / "plan.json", mutants)


# Tests


def build(work):
    """The programs with the tests: of the library, and the integration tests."""
    built = run(["cargo", "test", "--release", "--locked", "--no-run", "--lib", "--test", "it", "--message-format=json"], cwd=work / "tree", check=True)
    artifacts = [json.loads(line) for line in built.stdout.splitlines()]
    return {a["target"]["name"]: a["executable"] for a in artifacts if a["reason"] == "compiler-artifact" and a["profile"]["test"] and a.get("executable")}


def tests_in(work, program, names, mutant, seconds, reached=None):
    """Whether the tests pass; nothing if they did not end."""
    env = dict(os.environ, ROUGHBOARD_MUTANT=mutant, PROPTEST_RNG_SEED="4", PROPTEST_DISABLE_FAILURE_PERSISTENCE="1", ROUGHBOARD_REACHED=str(reached or ""))
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    child = subprocess.Popen([program, "--exact", "--test-threads", "1", *names], cwd=work / "tree", env=env, start_new_session=True, preexec_fn=limit,
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        return child.wait(timeout=seconds) == 0
    except subprocess.TimeoutExpired:
        return None
    finally:
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        child.wait()


def in_threads(work, items, act):
    """`act` on each item, on all processors."""
    items, lock = iter(items), threading.Lock()

    def worker():
        while True:
            with lock:
                item = next(items, None)
            if item is None:
                return
            act(item)

    threads = [threading.Thread(target=worker) for _ in range(WORKERS)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]


def trace(work, programs):
    """For each test its time and the mutants that it reaches."""
    path = work / "traces.jsonl"
    done = {(t["program"], t["test"]) for t in map(json.loads, path.read_text().splitlines())} if path.exists() else set()
    names = []
    for label, program in programs.items():
        lines = run([program, "--list", "--format", "terse"], cwd=work / "tree", check=True).stdout.splitlines()
        names += [(label, line.removesuffix(": test")) for line in lines if line.endswith(": test")]
    names = [name for name in names if name not in done and not BESIDE.match(name[1])]

    def one(name):
        label, test = name
        reached = work / f"reached-{threading.get_ident()}"
        reached.unlink(missing_ok=True)
        start = time.monotonic()
        passed = tests_in(work, programs[label], [test], "trace", 300, reached)
        seconds = time.monotonic() - start
        data = reached.read_bytes() if reached.exists() else b""
        numbers = sorted({int.from_bytes(data[at:at + 4], "little") for at in range(0, len(data), 4)})
        with open(path, "a") as out:
            out.write(json.dumps({"program": label, "test": test, "passed": passed, "seconds": round(seconds, 3), "reached": numbers}) + "\n")

    in_threads(work, names, one)
    return [json.loads(line) for line in path.read_text().splitlines()]


def batches(tests):
    """Tests of one program at a time, the most telling first: those that are quick and reach little else."""
    chosen, seconds, total = [], 0.0, 0.0
    for test in sorted(tests, key=lambda test: (test["seconds"] + 0.02) * len(test["reached"])):
        if total + test["seconds"] > SECONDS:
            continue
        if chosen and (chosen[0]["program"] != test["program"] or seconds + test["seconds"] > BATCH):
            yield chosen, seconds
            chosen, seconds = [], 0.0
        chosen.append(test)
        seconds += test["seconds"]
        total += test["seconds"]
    if chosen:
        yield chosen, seconds


def trial(work, programs, mutant, tests):
    """What becomes of a mutant: caught, and by which tests; or survived, and how many tests."""
    tried = 0
    for batch, seconds in batches(tests):
        names = [test["test"] for test in batch]
        passed = tests_in(work, programs[batch[0]["program"]], names, str(mutant["number"]), 3 + 8 * seconds)
        if not passed:
            return {"result": "caught" if passed is False else "no end", "by": names}
        tried += len(names)
    return {"result": "survived" if tests else "not reached", "tests": tried}


def try_all(work, programs, mutants, traces):
    reaching = collections.defaultdict(list)
    for test in traces:
        for number in test["reached"] if test["passed"] else []:
            reaching[number].append(test)
    path = work / "results.jsonl"
    done = {result["number"] for result in map(json.loads, path.read_text().splitlines())} if path.exists() else set()
    # Spread over the modules, so that a run that ends early has a sample of each.
    todo = [mutant for mutant in mutants if not mutant["left_out"] and mutant["number"] % EVERY == 0 and mutant["number"] not in done]
    todo.sort(key=lambda mutant: mutant["number"] * 7919 % 104729)
    end, count, lock = time.monotonic() + 60 * BUDGET, [0], threading.Lock()

    def one(mutant):
        if time.monotonic() > end:
            return
        found = trial(work, programs, mutant, reaching[mutant["number"]])
        with lock, open(path, "a") as out:
            out.write(json.dumps({"number": mutant["number"], "name": mutant["name"]} | found) + "\n")
            count[0] += 1
            if count[0] % 100 == 0:
                print(f"   {count[0]} of {len(todo)} mutants", flush=True)

    in_threads(work, todo, one)


def say(work, mutants):
    """Counts by module, and the survivors."""
    results = {result["number"]: result for result in map(json.loads, (work / "results.jsonl").read_text().splitlines())}
    rows = collections.defaultdict(collections.Counter)
    for mutant in mutants:
        module = re.match(r"src/(\w+)", mutant["file"])[1]
        rows[module]["all"] += 1
        kind = "left out" if mutant["left_out"] else results.get(mutant["number"], {"result": "not tried"})["result"]
        rows[module][kind] += 1
    for module, row in rows.items():
        caught, survived = row["caught"] + row["no end"], row["survived"] + row["not reached"]
        print(f"{module}: {dict(row)}: {100 * caught / max(1, caught + survived):.1f} % caught")
    lines = [f"{results[m['number']]['result']}: {m['name']}" for m in mutants if results.get(m["number"], {}).get("result") in ("survived", "not reached")]
    (work / "survivors.txt").write_text("".join(line + "\n" for line in lines))


def main():
    work, modules = Path(sys.argv[1]).resolve(), sys.argv[2:] or MODULES
    work.mkdir(parents=True, exist_ok=True)
    if not (work / "plan.json").exists():
        prepare(work, modules)
    mutants = json.loads((work / "plan.json").read_text())
    programs = build(work)
    traces = trace(work, programs)
    failed = [test["test"] for test in traces if not test["passed"]]
    print(f"   {len(traces)} tests, of which {len(failed)} do not pass without a mutant: {failed}")
    try_all(work, programs, mutants, traces)
    say(work, mutants)


main()
