"""Sums up coverage by lines: coverage.py LCOV LEAST. Prints files below LEAST per cent with the lines that are not reached, modules, and all;
code 1 if all are below. Tests inside modules are not counted."""

import collections
import re
import sys
from pathlib import Path


def begin_of_tests(path):
    """The line at which the tests of a file begin."""
    lines = path.read_text().splitlines()
    return next((at for at, line in enumerate(lines, 1) if line == "#[cfg(test)]" and at < len(lines) and lines[at].startswith("mod ")), len(lines) + 1)


def ranges(numbers):
    spans = []
    for number in numbers:
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in spans)


def main(lcov, least):
    counts, path = collections.defaultdict(dict), None
    for line in Path(lcov).read_text().splitlines():
        if line.startswith("SF:"):
            path = Path(line[3:])
        elif match := re.match(r"DA:(\d+),(\d+)", line):
            number, count = int(match[1]), int(match[2])
            counts[path][number] = max(count, counts[path].get(number, 0))
    modules = collections.defaultdict(lambda: [0, 0])
    for path, lines in sorted(counts.items()):
        name = str(path).split("/src/", 1)[1]
        # Tests have a file of their own, or the end of one.
        if re.search(r"(^|/)tests?(\.rs|/)", name):
            continue
        end = begin_of_tests(path)
        own = {number: count for number, count in lines.items() if number < end}
        missed = sorted(number for number, count in own.items() if count == 0)
        for key in (name.split("/")[0].removesuffix(".rs"), ""):
            modules[key][0] += len(own) - len(missed)
            modules[key][1] += len(own)
        if own and 100 * len(missed) > (100 - least) * len(own):
            print(f"{name}: {len(own) - len(missed)} of {len(own)} lines; not {ranges(missed)}")
    share = 0
    for name, (reached, lines) in sorted(modules.items(), key=lambda item: (not item[0], item[0])):
        share = 100 * reached / lines
        print(f"{name or 'all'}: {reached} of {lines} lines, {share:.1f} %")
    return 1 if share < least else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], float(sys.argv[2])))
