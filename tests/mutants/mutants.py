"""Mutation testing of the library: all mutants are written into one copy of it, built once, and chosen by the environment (docs/reliability.md).

    [BUDGET=MINUTES] [EVERY=N] [SECONDS=S] [ONLY=FILE] mutants.py WORK [MODULE…]

Works in the folder WORK, and goes on there: what was tried is in WORK/results.jsonl, what no test caught in WORK/survivors.txt. BUDGET bounds
the time of the trials, EVERY takes every so many-th mutant, SECONDS bounds how long the tests of one mutant would take without it, ONLY takes
the mutants of a list, such as the survivors of an earlier run. `cargo mutants` lists all.
"""

import collections
import hashlib
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
ONLY = os.environ.get("ONLY")
WORKERS = os.cpu_count() or 1
#: Tests that look at the sources, or at themselves, and not at what the library does.
BESIDE = re.compile(r"^(architecture|documents|fuzz_corpus|same_bytes)::")
#: A test that takes longer while its mutants are written down is not asked.
LONGEST = 40
#: Tests of one process take so many seconds at most, unless it is one test.
BATCH = 1.0
#: A mutant may take all memory: it gets this much.
MEMORY = 6 << 30
#: What the compiler refuses as surely wrong may be what a mutant does.
ALLOWED = ["arithmetic_overflow", "overflowing_literals", "unconditional_panic", "unconditional_recursion"]
#: What a mutant that no test has caught may have met: tests, or none.
SURVIVORS = ("survived", "not reached")


def run(words, **options):
    return subprocess.run(words, text=True, stdout=subprocess.PIPE, **options)


def lines_of(path):
    """What was written to a file of JSON, line by line, if it is there; a last line that was cut is dropped."""
    text = path.read_text() if path.exists() else ""
    return [json.loads(line) for line in text[:text.rfind("\n") + 1].splitlines()]


def keep(path, value):
    new = path.with_suffix(".new")
    new.write_text(json.dumps(value))
    new.rename(path)


# The copy with all mutants


def sources():
    """The files of this commit with what is changed in them: name and content."""
    names = run(["git", "ls-files"], cwd=HOME.parents[1], check=True).stdout.splitlines()
    return {name: (HOME.parents[1] / name).read_bytes() for name in names if (HOME.parents[1] / name).is_file()}


def checksum(files):
    """What tells the library and its tests from other versions of them."""
    parts = (name.encode() + content for name, content in sorted(files.items()) if name.startswith(("src/", "tests/it", "Cargo")))
    return hashlib.sha256(b"".join(parts)).hexdigest()


def copied(work, files):
    tree = work / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    for name, content in files.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_bytes(content)
    manifest = tree / "Cargo.toml"
    allowed = "".join(f'{lint} = "allow"\n' for lint in ALLOWED)
    manifest.write_text(manifest.read_text().replace("[lints.rust]\n", f"[lints.rust]\n{allowed}"))
    return tree


def listed(tree, modules):
    files = [word for module in modules for word in ("--file", f"src/{module}.rs", "--file", f"src/{module}/**")]
    mutants = json.loads(run(["cargo", "mutants", "--list", "--json", *files], cwd=tree, check=True).stdout)
    kept = ("name", "file", "genre", "replacement", "span")
    return [{key: mutant[key] for key in kept} | {"number": number} for number, mutant in enumerate(mutants)]


def rewrite(work, mutants, stay_const):
    """Writes all mutants that are not to be skipped into the copy; answers with their regions and those left out."""
    tree, clean = work / "tree", work / "clean"
    for source in clean.rglob("*.rs"):
        target = tree / "src" / source.relative_to(clean)
        target.write_bytes(source.read_bytes())
    keep(work / "list.json", mutants)
    keep(work / "const.json", sorted(stay_const))
    tool = ["cargo", "run", "--release", "--quiet", "--manifest-path", str(HOME / "Cargo.toml"), "--"]
    report = run([*tool, str(work / "list.json"), str(work / "const.json"), str(tree)], check=True).stdout
    shutil.copy(HOME / "src/switch.rs", tree / "src/mutant.rs")
    with open(tree / "src/lib.rs", "a") as lib:
        lib.write("\npub mod mutant;\n")
    return json.loads(report)


def errors(tree):
    """What the compiler refuses, and where."""
    check = ["cargo", "check", "--release", "--lib", "--locked", "--message-format=json"]
    said = run(check, cwd=tree, stderr=subprocess.DEVNULL).stdout.splitlines()
    messages = [message["message"] for message in map(json.loads, said) if message["reason"] == "compiler-message"]
    return [message for message in messages if message["level"] == "error" and message["spans"]]


def condemned(error, regions):
    """The mutants of the innermost code with the error in it."""
    for span in sorted(error["spans"], key=lambda span: not span["is_primary"]):
        while span.get("expansion") and span["file_name"] not in regions:
            span = span["expansion"]["span"]
        around = [
            region for region in regions.get(span["file_name"], [])
            if region[0] <= span["byte_start"] and span["byte_end"] <= region[1] and region[2]
        ]
        if around:
            return min(around, key=lambda region: region[1] - region[0])[2]
    return []


def judge(found, regions, refused, stay_const):
    """Takes in what errors say of mutants and of functions that have to stay `const`; answers with the errors that say neither."""
    unknown = []
    for error in found:
        called = re.search(r"non-const (?:associated )?(?:function|method|fn) `([^`]*)`", error["message"])
        mutants = condemned(error, regions)
        if called:
            stay_const.add(re.sub(r"::<.*?>$|<.*>$", "", called[1]).split("::")[-1])
        elif mutants:
            refused.update(dict.fromkeys(mutants, error["message"].splitlines()[0]))
        else:
            unknown.append(error["rendered"])
    return unknown


def prepare(work, modules):
    """Leaves out, round by round, what the compiler refuses."""
    files = sources()
    tree = copied(work, files)
    shutil.rmtree(work / "clean", ignore_errors=True)
    shutil.copytree(tree / "src", work / "clean")
    mutants, stay_const, refused, before = listed(tree, modules), set(), {}, None
    while before != (len(refused), len(stay_const)):
        before = (len(refused), len(stay_const))
        for number in refused:
            mutants[number]["skip"] = True
        report = rewrite(work, mutants, stay_const)
        unknown = judge(errors(tree), report["regions"], refused, stay_const)
        print(f"   {len(mutants)} mutants: {len(report['left_out'])} cannot be switched, the compiler refuses {len(refused)}", flush=True)
    if unknown:
        sys.exit("the compiler refuses the copy for another reason:\n" + "\n".join(unknown[:5]))
    left_out = {int(number): reason for number, reason in report["left_out"].items()} | refused
    for mutant in mutants:
        mutant["left_out"] = left_out.get(mutant["number"])
    keep(work / "plan.json", {"sources": checksum(files), "mutants": mutants})


# Tests


def build(work):
    """The programs with the tests: of the library, and the integration tests."""
    build = ["cargo", "test", "--release", "--locked", "--no-run", "--lib", "--test", "it", "--message-format=json"]
    said = run(build, cwd=work / "tree", check=True).stdout.splitlines()
    built = [artifact for artifact in map(json.loads, said) if artifact["reason"] == "compiler-artifact" and artifact.get("executable")]
    return {artifact["target"]["name"]: artifact["executable"] for artifact in built if artifact["profile"]["test"]}


def tests_in(work, program, names, mutant, seconds, reached=None):
    """Whether the tests pass; nothing if they did not end."""
    chosen = {"ROUGHBOARD_MUTANT": mutant, "ROUGHBOARD_REACHED": str(reached or "")}
    # The same cases for every mutant: none that an earlier one has failed.
    cases = {"PROPTEST_RNG_SEED": "4", "PROPTEST_DISABLE_FAILURE_PERSISTENCE": "1"}
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    silent = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    words = [program, "--exact", "--test-threads", "1", *names]
    child = subprocess.Popen(words, cwd=work / "tree", env=os.environ | chosen | cases, start_new_session=True, preexec_fn=limit, **silent)
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


def in_threads(items, act):
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


def trace(work, label, program):
    """For each test of a program its time and the mutants that it reaches."""
    path = work / "traces.jsonl"
    done = {trace["test"] for trace in lines_of(path) if trace["program"] == label}
    lines = run([program, "--list", "--format", "terse"], cwd=work / "tree", check=True).stdout.splitlines()
    names = [line.removesuffix(": test") for line in lines if line.endswith(": test")]
    names = [name for name in names if name not in done and not BESIDE.match(name)]

    def one(test):
        reached = work / f"reached-{threading.get_ident()}"
        reached.unlink(missing_ok=True)
        start = time.monotonic()
        passed = tests_in(work, program, [test], "trace", LONGEST, reached)
        seconds = time.monotonic() - start
        data = reached.read_bytes() if reached.exists() else b""
        numbers = sorted({int.from_bytes(data[at:at + 4], "little") for at in range(0, len(data), 4)})
        found = {"program": label, "test": test, "passed": passed, "seconds": round(seconds, 3), "reached": numbers}
        with open(path, "a") as out:
            out.write(json.dumps(found) + "\n")

    in_threads(names, one)
    return [trace for trace in lines_of(path) if trace["program"] == label]


def batches(tests):
    """Tests by processes, the most telling first: those that are quick and reach little else."""
    chosen, seconds, total = [], 0.0, 0.0
    for test in sorted(tests, key=lambda test: (test["seconds"] + 0.02) * len(test["reached"])):
        if total + test["seconds"] > SECONDS:
            continue
        if chosen and seconds + test["seconds"] > BATCH:
            yield [test["test"] for test in chosen], seconds
            chosen, seconds = [], 0.0
        chosen.append(test)
        seconds += test["seconds"]
        total += test["seconds"]
    if chosen:
        yield [test["test"] for test in chosen], seconds


def trial(work, program, number, tests):
    """What becomes of a mutant under tests that reach it."""
    tried = 0
    for names, seconds in batches(tests):
        passed = tests_in(work, program, names, str(number), 3 + 8 * seconds)
        if not passed:
            return {"result": "caught" if passed is False else "no end", "by": names}
        tried += len(names)
    return {"result": "survived" if tests else "not reached", "tests": tried}


def results(work):
    """What has become of each mutant that was tried: by the tests of the library, and by those through the command where these did not catch it."""
    found = {}
    for result in lines_of(work / "results.jsonl"):
        before = found.get(result["number"])
        if before and before["result"] == "survived" and result["result"] == "not reached":
            result["result"] = "survived"
        found[result["number"]] = result
    return found


def try_all(work, label, program, todo, end):
    """Tries mutants with the tests of a program, until the budget ends."""
    reaching = collections.defaultdict(list)
    traces = trace(work, label, program)
    unused = [test["test"] for test in traces if not test["passed"]]
    print(f"{label}: {len(todo)} mutants, {len(traces)} tests; not asked, as they fail or are slow without a mutant: {unused}", flush=True)
    for test in traces:
        for number in test["reached"] if test["passed"] else []:
            reaching[number].append(test)
    count, lock = [0], threading.Lock()

    def one(mutant):
        if time.monotonic() > end:
            return
        found = trial(work, program, mutant["number"], reaching[mutant["number"]])
        with lock, open(work / "results.jsonl", "a") as out:
            out.write(json.dumps({"number": mutant["number"], "name": mutant["name"], "program": label} | found) + "\n")
            count[0] += 1
            if count[0] % 100 == 0:
                print(f"   {count[0]} of {len(todo)} mutants", flush=True)

    in_threads(todo, one)


def say(work, mutants):
    """Counts by module, and the survivors."""
    found, rows = results(work), collections.defaultdict(collections.Counter)
    for mutant in mutants:
        result = found.get(mutant["number"], {"result": "not tried"})["result"]
        rows[re.match(r"src/(\w+)", mutant["file"])[1]]["left out" if mutant["left_out"] else result] += 1
    for module, row in rows.items():
        caught, survived = row["caught"] + row["no end"], sum(row[result] for result in SURVIVORS)
        print(f"{module}: {dict(row)}: {100 * caught / max(1, caught + survived):.1f} % caught")
    names = [result["name"] for _, result in sorted(found.items()) if result["result"] in SURVIVORS]
    (work / "survivors.txt").write_text("".join(f"{name}\n" for name in names))


def planned(work, modules):
    """All mutants, and which of them are tried, in an order spread over the modules: a run that ends early has a sample of each."""
    if not (work / "plan.json").exists():
        prepare(work, modules)
    plan = json.loads((work / "plan.json").read_text())
    if plan["sources"] != checksum(sources()):
        sys.exit(f"the library or its tests have changed since {work} was made: remove it to begin anew")
    viable = [mutant for mutant in plan["mutants"] if not mutant["left_out"]]
    if ONLY:
        names = set(Path(ONLY).read_text().splitlines())
        return plan["mutants"], [mutant for mutant in viable if mutant["name"] in names]
    return plan["mutants"], sorted(viable, key=lambda mutant: mutant["number"] * 7919 % 104729)[::EVERY]


def main():
    work, modules = Path(sys.argv[1]).resolve(), sys.argv[2:] or MODULES
    work.mkdir(parents=True, exist_ok=True)
    mutants, chosen = planned(work, modules)
    programs, end = build(work), time.monotonic() + 60 * BUDGET
    found = results(work)
    try_all(work, "roughboard", programs["roughboard"], [mutant for mutant in chosen if mutant["number"] not in found], end)
    found = results(work)
    tried = [mutant for mutant in chosen if mutant["number"] in found]
    # Those that no test of the library catches may be caught through the command.
    left = [mutant for mutant in tried if found[mutant["number"]]["result"] in SURVIVORS and found[mutant["number"]]["program"] != "it"]
    try_all(work, "it", programs["it"], left, end)
    say(work, mutants)


main()
