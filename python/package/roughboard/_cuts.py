"""Discretisation: cut points that make intervals of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Optional

from . import _core
from ._shared import described, documented, page
from ._table import to_table

__all__ = ["Cuts", "discretize"]


class Cuts(Mapping[str, list[float]]):
    """Cut points of attributes: a name, and finite numbers in ascending order.

    A cut c separates the objects with x <= c from those with x > c, so that n cut points make n + 1 intervals.

    Parameters
    ----------
    cuts : mapping of str to sequence of float
        The cut points of each attribute.

    Examples
    --------
    >>> import roughboard as rb
    >>> rb.Cuts({"length": [2.5]}).apply({"length": [1.4, 4.7], "colour": ["white", "blue"]})
    {'length': ['<= 2.5', '> 2.5'], 'colour': ['white', 'blue']}
    """

    def __init__(self, cuts: Mapping[str, Sequence[float]]) -> None:
        if not isinstance(cuts, Mapping):
            raise TypeError(f"`cuts` must be a mapping from attributes to cut points, found {described(cuts)}")
        self._cuts = {name: _points(name, points) for name, points in cuts.items()}
        # What is no list of cut points is refused here, and not where it is used.
        _core.cuts_to_json(self._cuts)

    @classmethod
    def from_json(cls, text: str) -> Cuts:
        """Cut points as ``roughboard rough discretize --save-cuts`` writes them."""
        return cls(_core.cuts_from_json(text))

    def to_json(self) -> str:
        """The form that ``--cuts`` of the command line reads."""
        return _core.cuts_to_json(self._cuts)

    @documented
    def apply(self, data: Any, *, names: Optional[Sequence[str]] = None) -> dict[str, list[Any]]:
        """The columns of a table, those with cut points as intervals.

        Returns
        -------
        dict of str to list
            The columns; intervals are texts, which a `Table` reads as intervals.
        """
        return _core.apply_cuts(data, self._cuts, names)

    def __getitem__(self, name: str) -> list[float]:
        return self._cuts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._cuts)

    def __len__(self) -> int:
        return len(self._cuts)

    def __repr__(self) -> str:
        return f"Cuts({self._cuts})"

    def _repr_html_(self) -> str:
        rows = ((name, ", ".join(map(str, points))) for name, points in self.items())
        return page(f"Cut points of {len(self)} attributes", ("attribute", "cut points"), rows)


def _points(name: object, points: object) -> list[float]:
    """Cut points as numbers; refused if they are no sequence of them."""
    if not isinstance(name, str):
        raise TypeError(f"`cuts` must name attributes by texts, found {described(name)}")
    try:
        # The digits of a text are no cut points.
        return [float(point) for point in ([None] if isinstance(points, (str, bytes)) else points)]  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise TypeError(f"`cuts` must have a sequence of numbers for `{name}`, found {points!r}") from None


@documented
def discretize(
    data: Any,
    decision: Any = None,
    *,
    method: str = "md",
    bins: Optional[int] = None,
    only: Optional[Sequence[str]] = None,
) -> Cuts:
    """Cut points for the attributes that are numbers.

    Parameters
    ----------
    data : Table or table-like
        A `Table`, or what one is made of.
    decision : str, tuple of str, or column, optional
        The decision, if ``data`` is no `Table`. The methods ``'width'`` and ``'frequency'`` need none.
    method : {'md', 'mdlp', 'width', 'frequency'}, default='md'
        All attributes together by maximal discernibility (Nguyen and Skowron), each by entropy and minimal
        description length (Fayyad and Irani), intervals of equal width, or with equally many objects.
    bins : int, optional
        For ``'width'`` and ``'frequency'``: the number of intervals, by default 5.
    only : sequence of str, optional
        Cut these attributes only.

    Returns
    -------
    Cuts
        The cut points; an attribute that stays in one piece has none.

    Examples
    --------
    >>> import roughboard as rb
    >>> rb.discretize({"length": [1.4, 1.3, 4.7, 4.5]}, ["setosa", "setosa", "versicolor", "versicolor"])
    Cuts({'length': [2.95]})
    """
    return Cuts(_core.fit_cuts(to_table(data, decision), method, bins, only))
