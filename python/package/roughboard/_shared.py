"""What the modules of the package share: parts of docstrings, pages in notebooks, checks."""

from __future__ import annotations

import inspect
import operator
import re
import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape
from typing import Any, Callable, Optional, TypeVar, Union

_Documented = TypeVar("_Documented", bound=Callable[..., Any])
_HEADING = "Parameters\n----------\n"

PARAMETERS = {
    "data": "Table or table-like\n    A `Table`, or what one is made of.",
    "decision": "str, tuple of str, or column, optional\n    The decision, if ``data`` is no `Table`.",
    "attributes": "sequence of str, optional\n    The attributes that reducts are taken from; by default all condition attributes.",
    "notion": (
        "{'positive', 'generalized', 'distribution', 'information'}, default='positive'\n"
        "    What reducts preserve: the positive region, the set of decisions in each class, their distribution, or\n"
        "    indiscernibility itself."
    ),
    "names": "sequence of str, optional\n    The names of the columns of an array.",
    "X": "array-like or frame of shape (n_samples, n_features)\n    The condition attributes.",
    "y": "array-like of shape (n_samples,)\n    The decision.",
}
"""The type and the meaning of parameters of many functions."""


def documented(function: _Documented) -> _Documented:
    """Adds to a docstring the parameters that it leaves out because many functions share them.

    The docstring tells those that are the function's own; all stand in the order of the signature then.
    """
    # There is none where Python is told to drop docstrings.
    if function.__doc__:
        function.__doc__ = _completed(inspect.cleandoc(function.__doc__), inspect.signature(function))
    return function


def share(name: str, value: Union[float, str]) -> float:
    """A share, which may be spelled as a decimal or a fraction."""
    try:
        return float(Fraction(str(value)))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"`{name}` must be a number such as 0.75 or '3/4', got {value!r}") from None


def described(value: object) -> str:
    """What a value is, in words, as the part in Rust says it."""
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'AEIOaeio' else 'a'} `{kind}`"


def check_counts(**counts: Optional[int]) -> None:
    """Refuses what is no number of things."""
    for name, count in counts.items():
        if not hasattr(count, "__index__") and count is not None:
            raise TypeError(f"`{name}` must be a whole number, found {described(count)}")
        if count is not None and not 0 <= operator.index(count) <= sys.maxsize:
            raise ValueError(f"`{name}` must be a whole number from 0 on, got {count}")


def _completed(text: str, signature: inspect.Signature) -> str:
    """The docstring with all parameters of the signature that it or `PARAMETERS` explains."""
    introduction, *sections = re.split(r"\n\n(?=\w+\n---)", text)
    own = sections.pop(0)[len(_HEADING) :] if sections and sections[0].startswith(_HEADING) else ""
    told = {re.split("[ ,]", entry)[0]: entry for entry in re.split(r"\n(?=\S)", own) if entry}
    shared = {name: f"{name} : {meaning}" for name, meaning in PARAMETERS.items()}
    known = {**shared, **told}
    entries = [known[name] for name in signature.parameters if name in known]
    return "\n\n".join([introduction, _HEADING + "\n".join(entries), *sections])


SHOWN = 20
"""At most so many rows of a long table are shown."""


def page(title: object, header: Sequence[str] = (), rows: Iterable[Sequence[object]] = ()) -> str:
    """HTML that a notebook shows: a title, and a table of cells if there is a header."""
    shown = f"<p>{escape(str(title))}</p>"
    if not header:
        return shown
    cells = (_row("td", row) for row in rows)
    return f"{shown}<table>{_row('th', header)}{''.join(cells)}</table>"


def more(n_rows: int) -> str:
    """HTML that says how many rows of a long table are not shown, if there are any."""
    return page(f"and {n_rows - SHOWN} more") if n_rows > SHOWN else ""


def _row(tag: str, cells: Iterable[object]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(str(cell))}</{tag}>' for cell in cells)}</tr>"
