"""Checks notebooks as they are committed: every cell was executed in order and without an error, and nothing tells of a machine or a time."""

import json
import re
import sys
from pathlib import Path

PATHS = re.compile(r"(?<![\w.])/(?:home|root|tmp|work|usr|Users|var|opt)/")


def shown(output):
    """What an output shows as text."""
    data = output.get("data", {})
    texts = [output.get("text", ""), *(data[kind] for kind in data if kind.startswith("text/"))]
    return "\n".join("".join(text) for text in texts)


def complaints(notebook):
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    if [cell["execution_count"] for cell in cells] != list(range(1, len(cells) + 1)):
        yield "the cells were not executed once, in order"
    if not any(cell["outputs"] for cell in cells):
        yield "it has no outputs"
    for number, cell in enumerate(cells, start=1):
        if "execution" in cell["metadata"]:
            yield f"cell {number} holds the time of its execution"
        for output in cell["outputs"]:
            if output["output_type"] == "error" or output.get("name") == "stderr":
                yield f"cell {number} ended with an error or a warning"
            if PATHS.search(shown(output)):
                yield f"cell {number} shows a path of a machine"


found = [f"{path}: {what}" for path in sys.argv[1:] for what in complaints(json.loads(Path(path).read_text(encoding="utf-8")))]
print("\n".join(found), end="\n" if found else "")
sys.exit(bool(found))
