"""Tables of the positions of games, and networks that were trained on them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._shared import check_counts, described, documented, page
from ._table import Table

__all__ = ["Network", "read_table"]

_Path = Union[str, "os.PathLike[str]"]


def read_table(
    games: Union[_Path, Sequence[_Path]],
    *,
    game: str = "xiangqi",
    features: Optional[str] = None,
    skip_plies: int = 0,
    drop_invalid: bool = False,
) -> Table:
    """The decision table of the positions of games, as ``roughboard table build`` makes it.

    The condition attributes describe a position, the decision ``result`` is the result of its game for the side that
    moves first: 1, 0 or -1. Equal positions with one result are one object, whose weight is how often they occurred.

    Parameters
    ----------
    games : path or sequence of paths
        Files of games, folders of them, or archives, packed or not.
    game : {'xiangqi', 'connect6', 'surakarta'}, default='xiangqi'
        The game whose rules apply.
    features : str, optional
        The attributes that describe a position; by default those that the game names first, such as ``'board91'``.
    skip_plies : int, default=0
        Plies at the beginning of each game that are left out.
    drop_invalid : bool, default=False
        Leave out games that are invalid, instead of refusing all at the first.

    Returns
    -------
    Table
        The table.

    Raises
    ------
    ImportError
        If the package was built without games.

    Warns
    -----
    RoughWarning
        If games are left out, or there are copies of games, which count each time.
    """
    check_counts(skip_plies=skip_plies)
    try:
        paths = [os.fspath(path) for path in ([games] if isinstance(games, (str, os.PathLike)) else games)]
    except TypeError:
        raise TypeError(f"`games` must be a path or a sequence of paths, found {described(games)}") from None
    return Table(_core.read_games(paths, game, features, skip_plies, drop_invalid))


class Network:
    """A trained network, which tells the value of positions from their attributes.

    `Network.load` reads one.

    Attributes
    ----------
    game : str
        The game whose positions it evaluates.
    features : str
        The name of the attributes that it reads.
    method : str
        How it was trained.
    attributes : list of str
        The names of the attributes that it reads.
    """

    def __init__(self, native: _core.Network) -> None:
        self._native = native
        self.game: str = native.game
        self.features: str = native.features
        self.method: str = native.method
        self.attributes: list[str] = native.attributes

    @classmethod
    def load(cls, path: _Path) -> Network:
        """The network in a file, in the folder of a training, or one that comes with the package, such as ``'rough'``.

        Networks that were trained beside an evaluator need the position itself, and those of tree search read more than
        attributes: both are refused. So are networks in whole numbers; load those that they were made from.

        Raises
        ------
        ImportError
            If the package was built without games.
        """
        return cls(_core.Network.load(os.fspath(path)))

    @documented
    def predict(self, table: Any, *, names: Optional[Sequence[str]] = None) -> npt.NDArray[np.float64]:
        """The value of each object for the side that moves first, whoever is to move: from -1, a loss, to 1, a win.

        Parameters
        ----------
        table : Table or table-like
            A table with a column for each attribute that the network reads; others are not looked at.

        Returns
        -------
        ndarray of shape (n_objects,)
            The output of the network, tanh of its last sum. Evaluators of the program round weights to whole numbers of 32
            bits, and differ from it in the last digits.
        """
        return np.frombuffer(self._native.predict(table, names), dtype=np.float64)

    def __repr__(self) -> str:
        return f"Network({self.game}, {self.features}, {self.method}, {len(self.attributes)} attributes)"

    def _repr_html_(self) -> str:
        return page(self)
