"""Decision tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._core import RoughWarning
from ._shared import page

__all__ = ["RoughWarning", "Table", "to_table"]

Indices = npt.NDArray[np.intp]


class Table(_core.Table):
    """A decision table: objects described by condition attributes, and their decision.

    A table is made once and asked many questions. Every function that takes ``data`` and ``decision`` takes a table
    instead, and makes one itself if it gets none.

    Parameters
    ----------
    data : table-like
        A table of polars, pyarrow, DuckDB or anything else with ``__arrow_c_stream__``; a pandas frame; a numpy array
        with two dimensions, whose columns are called ``x0``, ``x1``, …; or a dict of columns, each of which is an
        array or a sequence. Cells are booleans, numbers or text; dates and times become texts of ISO 8601, spans of
        time seconds, decimals numbers. ``None``, NaN, NaT, nulls of Arrow and the missing values of pandas are missing.
        Names of columns that are no texts, as numbers or the tuples of pandas, become the texts that ``str`` makes of
        them. A `Table` is taken as it is.
    decision : str, tuple of str, or column, optional
        The decision: the name of its column, or its values. Several names make one decision whose values are the
        combinations that occur, as texts such as ``'yes,2'``. Columns called ``d=VALUE`` are the counts of a decision ``d``. Without a decision a
        table has classes, but neither approximations nor reducts of any notion but ``'information'``.
    weight : str or column, optional
        How many objects each row stands for: the name of a column, or its values.
    attributes : sequence of str, optional
        The condition attributes. By default they are all other columns.
    ignore : sequence of str, optional
        Columns that are no condition attributes, and may be of any type.
    missing : {'value', 'drop'}, default='value'
        What becomes of a missing value of a condition: a value of its own, or the object is left out. Objects without
        a decision are left out in any case.
    na : sequence of str, optional
        More values that count as missing, such as ``'?'`` or ``'-1'``.
    names : sequence of str, optional
        The names of the columns of an array.
    copy : bool, default=True
        Whether the table has a copy of its own, so that what is written to the data afterwards does not change it. With
        ``False`` columns of 8 bits are held where they lie if no value is missing; others are coded anew in any case.
        Whoever makes such a table promises two things: that nobody writes to the data while the table lives, be it by
        another array that shares the memory; and that the memory of the whole batch, not only of the columns in use, may
        stay taken so long.

    Warns
    -----
    RoughWarning
        If rows are left out, if the decision is the same everywhere, if an attribute has no value at all, or if a
        column is read as texts or its different numbers as one, because they are of several kinds, too large or too long.

    Examples
    --------
    >>> import roughboard as rb
    >>> flu = rb.Table(
    ...     {
    ...         "headache": ["no", "yes", "yes", "no", "yes", "no"],
    ...         "muscle_pain": ["yes", "no", "yes", "yes", "no", "yes"],
    ...         "temperature": ["high", "high", "very high", "normal", "high", "very high"],
    ...         "flu": ["yes", "yes", "yes", "no", "no", "yes"],
    ...     },
    ...     decision="flu",
    ... )
    >>> flu
    Table(6 objects, 3 attributes, decision 'flu' with 2 values)
    >>> flu.domain("temperature")
    ['high', 'normal', 'very high']
    """

    __slots__ = ()

    @property
    def row_of(self) -> Indices:
        """The row of the data, counted from 0, that each object comes from."""
        return indices(self._rows())

    @property
    def weights(self) -> npt.NDArray[np.uint64]:
        """The weight of each object: how many equal observations it stands for."""
        return np.frombuffer(self._weights(), dtype=np.uint64)

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as lists of values, intervals as text: what every library makes a frame of.

        Examples
        --------
        >>> import roughboard as rb
        >>> rb.Table({"a": [2, None]}, [True, False]).to_dict()
        {'a': [2, None], 'decision': [True, False]}
        """
        decision = [] if self.decision is None else [self.decision]
        return {name: self.values(name) for name in [*self.attributes, *decision]}

    def _repr_html_(self) -> str:
        role = {self.decision: " (decision)"}
        rows = ((f"{name}{role.get(name, '')}", *rest) for name, *rest in self.summary())
        return page(self, ("column", "kind", "values", "missing"), rows)


def indices(numbers: bytes) -> Indices:
    """Numbers of 32 bits as an array that indexes others."""
    return np.frombuffer(numbers, dtype=np.uint32).astype(np.intp)


def to_table(data: Any, decision: Any = None, *, copy: bool = False) -> Table:
    """The table itself, or one that is made of the data, which need be no copy if it is let go before the call returns."""
    if not isinstance(data, Table):
        return Table(data, decision, copy=copy)
    if decision is not None:
        raise ValueError("a roughboard.Table has its decision already, expected no other")
    return data
