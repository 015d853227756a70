"""The suites that the library and the command line are checked with, too."""

import json
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "tests" / "data"
TABLES = json.loads((DATA / "rough_tables.json").read_text(encoding="utf-8"))
BENCHMARKS = DATA / "rough_benchmarks"
GROUND_TRUTH = json.loads((BENCHMARKS / "ground_truth.json").read_text(encoding="utf-8"))["tables"]


def columns(case):
    """The condition attributes of a table of `rough_tables.json`."""
    return {name: [row[at] for row in case["rows"]] for at, name in enumerate(case["attributes"])}
