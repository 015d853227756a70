"""Whether an answer is right: against the ground truth where it is stated, else by the definition.

Run as `python judge.py TASK TABLE GROUND_TRUTH` with the answer as JSON on standard input: prints a JSON object with
`verdict` (`right`, `wrong` or `not checked`), `summary` and `reason`. Uses polars and nothing of what is judged.
"""

import json
import os
import sys

import peers


def holds(frame, positions):
    """Whether the attributes decide the labels."""
    import polars

    names = [frame.columns[i] for i in positions]
    label = polars.col(peers.DECISION)
    if not names:
        return frame[peers.DECISION].n_unique() == 1
    spread = frame.group_by(names).agg((label.min() != label.max()).alias("mixed"))
    return not spread["mixed"].any()


def judge_reduct(frame, answer):
    labelled = peers.with_labels(frame)
    summary = f"{len(answer)} attributes"
    if not holds(labelled, answer):
        return "wrong", summary, "the attributes do not preserve the positive region"
    spare = [i for i in answer if holds(labelled, [j for j in answer if j != i])]
    if spare:
        return "wrong", summary, f"not minimal: {len(spare)} of its attributes can each be left out"
    return "right", summary, ""


def judge_number(expected, answer):
    reason = "" if answer == expected else f"expected {expected}"
    return ("wrong" if reason else "right"), str(answer), reason


def judge_core(stated, answer):
    if stated is None:
        return "not checked", f"{len(answer)} attributes", "no ground truth"
    reason = "" if answer == stated else f"expected {stated}, got {answer}"
    return ("wrong" if reason else "right"), f"{len(answer)} attributes", reason


def judge_reducts(truth, answer):
    summary = f"{len(answer)} reducts"
    if not truth:
        return "not checked", summary, "no ground truth"
    sizes = [len(reduct) for reduct in answer]
    shortest = min(sizes, default=0)
    figures = {
        "n_reducts": len(answer), "min": shortest, "max": max(sizes, default=0), "n_min": sizes.count(shortest),
    }
    wrong = [f"{name} {got}, expected {truth[name]}" for name, got in figures.items() if got != truth[name]]
    if "reducts" in truth:
        expected, got = ({tuple(reduct) for reduct in family} for family in (truth["reducts"], answer))
        if expected != got:
            wrong.append(f"{len(got - expected)} of the sets are no reducts, {len(expected - got)} reducts are missing")
    return ("wrong" if wrong else "right"), summary, "; ".join(wrong)


def judge(task, path, truth, answer):
    frame = peers.read(path)
    position = {name: i for i, name in enumerate(frame.columns)}
    by_position = lambda names: sorted(position[n] if isinstance(n, str) else n for n in names)  # noqa: E731
    if task == "partition":
        return judge_number(truth.get("distinct", peers.polars_partition(frame)), answer)
    if task == "gamma":
        return judge_number(peers.polars_gamma(frame), answer)
    if task == "core":
        return judge_core(truth.get("core"), by_position(answer))
    if task == "reduct":
        return judge_reduct(frame, by_position(answer))
    return judge_reducts(truth, [by_position(reduct) for reduct in answer])


if __name__ == "__main__":
    task_name, table_path, truth_path = sys.argv[1:]
    truths = {}
    if os.path.exists(truth_path):
        with open(truth_path) as file:
            truths = json.load(file)["tables"]
    table_name = os.path.splitext(os.path.basename(table_path))[0]
    result = judge(task_name, table_path, truths.get(table_name, {}), json.load(sys.stdin))
    print(json.dumps(dict(zip(("verdict", "summary", "reason"), result))))
