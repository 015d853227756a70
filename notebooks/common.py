"""What the notebooks share: the program, the results, the palette, and tables and bars in one look."""

import json
import os
import shutil
import subprocess
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
from IPython.display import HTML, Markdown, display

REPOSITORY = Path("..")
RESULTS = REPOSITORY / "results"
DATA = REPOSITORY / "tests" / "data"

# The palette of the program's own pictures: people who tell colours apart badly tell these apart. Its green is left out.
BLUE, VERMILION, PURPLE, SKY, ORANGE, INK = "#0072b2", "#d55e00", "#cc79a7", "#56b4e9", "#e69f00", "#3c3c3c"
SERIES = [BLUE, VERMILION, PURPLE, SKY, ORANGE, INK]
PALE = "#dedede"
OUTCOMES = {"won": BLUE, "drawn": PALE, "lost": ORANGE}

plt.rcParams.update(
    {
        "axes.prop_cycle": plt.cycler(color=SERIES),
        "axes.spines.right": False,
        "axes.spines.top": False,
        "figure.constrained_layout.use": True,
        "figure.dpi": 90,
        "legend.frameon": False,
    }
)

# What the program writes goes here, and is removed with the process. It works in this folder, so that no path of a machine is
# in what it says.
_folder = TemporaryDirectory(prefix="roughboard-notebook-")
WORK = Path(_folder.name)


def _executable():
    """The program: what ROUGHBOARD names, or `roughboard` on the PATH."""
    found = shutil.which(os.environ.get("ROUGHBOARD", "roughboard"))
    if found is None:
        named = os.environ.get("ROUGHBOARD")
        where = f"ROUGHBOARD names `{named}`, which is no program" if named else "`roughboard` is not on the PATH"
        raise FileNotFoundError(
            f"The program is missing: {where}. Build it with `cargo build --release` in the repository, "
            "and set ROUGHBOARD to the whole path of target/release/roughboard, or install it with `cargo install --path .`."
        )
    return str(Path(found).resolve())


def program(*arguments, show=True):
    """Runs the program, and shows the command and what it prints; gives the latter. Stops with its message if it fails."""
    command = [_executable(), "--quiet"]
    words = [str(argument) for argument in arguments]
    if show:
        print("$ roughboard", *(f'"{word}"' if " " in word else word for word in words))
    done = subprocess.run([*command, *words], cwd=WORK, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"roughboard ended with {done.returncode}: {done.stderr.strip()}")
    if show:
        print(done.stdout.strip())
    return done.stdout


def answer(*arguments):
    """What the program answers as JSON, without showing anything."""
    return json.loads(program(*arguments, "--json", show=False))


def manifest(folder):
    """What the run of a folder depended on, in one line."""
    run = json.loads((folder / "manifest.json").read_text())
    inputs = [f"{name} (SHA-256 {checksum[:16]}…)" for name, checksum in run["inputs"]]
    return f"{run['experiment']}, {run['program']}, seed {run['seed']}" + (f", from {', '.join(inputs)}" if inputs else "")


def say(text):
    """A sentence with figures in it."""
    display(Markdown(text))


def show(frame, caption="", digits=2):
    """A frame of pandas as a table."""
    title = f"<p><b>{escape(caption)}</b></p>" if caption else ""
    display(HTML(title + frame.to_html(index=False, float_format=f"{{:.{digits}f}}".format, na_rep="–")))


def beside(axes, **options):
    """The legend, to the right of the data."""
    return axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), **options)


def outcomes(axes, table, label, legend=True):
    """Won, drawn and lost of each row as one bar of 100 %."""
    counts = table[list(OUTCOMES)]
    shares = 100 * counts.div(counts.sum(axis=1), axis=0)
    left = 0
    for name, colour in OUTCOMES.items():
        axes.barh(table[label].astype(str), shares[name], left=left, color=colour, label=name)
        left = left + shares[name]
    if not axes.yaxis_inverted():
        axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of the games")
    if legend:
        beside(axes)
