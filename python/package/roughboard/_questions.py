"""Questions about a decision table: classes, approximations, core, reducts, certificates."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional, Union, overload

import numpy as np
import numpy.typing as npt

from . import _core
from ._shared import SHOWN, check_counts, described, documented, more, page
from ._table import Indices, indices, to_table

__all__ = [
    "Approximation",
    "Approximations",
    "Certificate",
    "MinimumReduct",
    "Partition",
    "Reduct",
    "approximations",
    "certify",
    "core",
    "gamma",
    "minimum_reduct",
    "partition",
    "reduct",
    "reducts",
    "verify",
]


def beta_of(beta: Union[float, str]) -> Optional[str]:
    """A threshold as it is spelled, which is how it is read exactly; nothing for 1."""
    return None if beta == 1 else str(beta)


@dataclass(frozen=True, eq=False)
class Partition:
    """The classes of U/IND(B): objects that agree on all attributes of B are in one class.

    Objects are counted as in the table. Where rows of the data were left out, or a row stands for several objects,
    ``Table.row_of[i]`` is the row that the object ``i`` comes from.

    Attributes
    ----------
    labels : ndarray of shape (n_objects,)
        The class of each object. Classes are numbered by their first object, from 0.
    first_objects : ndarray of shape (n_classes,)
        The first object of each class.
    weights : ndarray of shape (n_classes,)
        The weight of the objects of each class: their number, if the table is not weighted.
    """

    labels: Indices
    first_objects: Indices
    weights: npt.NDArray[np.uint64]

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return len(self.first_objects)

    def classes(self) -> list[Indices]:
        """The objects of each class, ascending."""
        order = np.argsort(self.labels, kind="stable")
        ends = np.cumsum(np.bincount(self.labels, minlength=self.n_classes))
        return np.split(order, ends[:-1])

    def __len__(self) -> int:
        return self.n_classes

    def __repr__(self) -> str:
        return f"Partition({self.n_classes} classes of {len(self.labels)} objects)"

    def _repr_html_(self) -> str:
        shown = zip(range(SHOWN), self.first_objects, self.weights)
        return page(self, ("class", "first object", "weight"), shown) + more(self.n_classes)


@dataclass(frozen=True, eq=False)
class Approximation:
    """The approximation of one decision class X.

    Attributes
    ----------
    lower, upper, boundary, negative : ndarray
        The rows of the data, ascending, whose class lies inside X, meets X, does the second but not the first, and does not meet X.
    accuracy : float
        The weight of the lower approximation over that of the upper.
    quality : float
        The weight of the lower approximation over that of all objects: what X contributes to γ.
    """

    lower: Indices
    upper: Indices
    boundary: Indices
    negative: Indices
    accuracy: float
    quality: float

    def __repr__(self) -> str:
        sizes = f"lower {len(self.lower)}, upper {len(self.upper)}, boundary {len(self.boundary)} rows"
        return f"Approximation({sizes}, accuracy {self.accuracy:.4f})"

    def _repr_html_(self) -> str:
        regions = ("lower", "upper", "boundary", "negative")
        return page(f"Accuracy {self.accuracy:.4f}", ("region", "rows"), ((name, len(getattr(self, name))) for name in regions))


@dataclass(frozen=True, eq=False)
class Approximations(Mapping[Any, Approximation]):
    """The approximations of a decision: of each of its values, and as a whole.

    Attributes
    ----------
    gamma : float
        The degree of dependency, |POS_B(d)| / |U|.
    accuracy : float
        The weights of all lower approximations over those of all upper ones.
    positive_region, boundary : ndarray
        The rows of the data whose class decides them, and the others.
    n_positive, n_total : int
        |POS_B(d)| and |U|, in weights: γ exactly.
    """

    gamma: float
    accuracy: float
    positive_region: Indices
    boundary: Indices
    n_positive: int
    n_total: int
    _of: dict[Any, Approximation] = field(repr=False)

    def __getitem__(self, value: Any) -> Approximation:
        return self._of[value]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._of)

    def __len__(self) -> int:
        return len(self._of)

    def __repr__(self) -> str:
        return f"Approximations(gamma {self.gamma:.4f} = {self.n_positive}/{self.n_total}, {len(self)} decisions)"

    def _repr_html_(self) -> str:
        each = self.items()
        rows = ((value, len(of.lower), len(of.upper), len(of.boundary), f"{of.accuracy:.4f}") for value, of in each)
        return page(self, ("decision", "lower", "upper", "boundary", "accuracy"), rows)


@dataclass(frozen=True)
class Reduct(Sequence[str]):
    """The names of attributes that preserve a notion of decision, none of which is dispensable.

    Attributes
    ----------
    names : tuple of str
        The attributes, in the order of the table.
    notion : str
        What they preserve.
    tried : dict of str to int
        The methods by which a reduct was looked for, with the number of attributes that each came to.
    """

    names: tuple[str, ...]
    notion: str = "positive"
    tried: dict[str, int] = field(default_factory=dict, compare=False)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[str]: ...
    def __getitem__(self, at: Union[int, slice]) -> Union[str, Sequence[str]]:
        return self.names[at]

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"Reduct({', '.join(self.names)}; {self.notion})"

    def _repr_html_(self) -> str:
        return page(self._in_words())

    def _in_words(self) -> str:
        return f"Reduct of {len(self)} attributes ({self.notion}): {', '.join(self.names)}"


@dataclass(frozen=True)
class MinimumReduct:
    """The shortest reduct that was found, and how short a reduct can be at all.

    Attributes
    ----------
    reduct : Reduct
        The reduct.
    lower_bound : int
        No reduct has fewer attributes: proved.
    certificate : Certificate or None
        What lets others check both, if it was asked for.
    """

    reduct: Reduct
    lower_bound: int
    certificate: Optional[Certificate] = field(default=None, repr=False)

    @property
    def is_proved(self) -> bool:
        """Whether it is proved that no reduct is shorter."""
        return len(self.reduct) == self.lower_bound

    def _repr_html_(self) -> str:
        proved = "none is shorter" if self.is_proved else f"none has fewer than {self.lower_bound}"
        return page(f"{self.reduct._in_words()}; {proved}, as is proved")


class Certificate:
    """The claim that attributes are a reduct of a table, with what others need to check it.

    Parameters
    ----------
    text : str
        The JSON form: the ``reduct`` of a file that ``roughboard rough reduct --certificate`` writes, or such a file.
    """

    def __init__(self, text: str) -> None:
        if not isinstance(text, (str, bytes)):
            raise TypeError(f"`text` must be a certificate as JSON, found {described(text)}; Certificate.read takes a path")
        try:
            document = json.loads(text)
        except ValueError as error:
            raise ValueError(f"`text` must be a certificate as JSON: {error}; Certificate.read takes a path") from None
        is_file = isinstance(document, dict) and "roughboard_certificate" in document
        self._claim: dict[str, Any] = document.get("reduct") if is_file else document
        _core.check_certificate(self.to_json())

    @classmethod
    def read(cls, path: Union[str, Path]) -> Certificate:
        """The certificate in a file."""
        return cls(Path(path).read_text(encoding="utf-8"))

    def to_json(self) -> str:
        """The JSON form."""
        return json.dumps(self._claim)

    @property
    def attributes(self) -> list[str]:
        """The attributes that are claimed to be a reduct."""
        return list(self._claim["attributes"])

    @property
    def notion(self) -> str:
        """What they are claimed to preserve."""
        return str(self._claim["notion"])

    @property
    def lower_bound(self) -> Optional[int]:
        """How many attributes every reduct is claimed to have at least, if that is claimed."""
        bound = self._claim.get("lower_bound")
        return None if bound is None else int(bound["size"])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Certificate) and self._claim == other._claim

    def __repr__(self) -> str:
        bound = "" if self.lower_bound is None else f", every reduct has at least {self.lower_bound}"
        return f"Certificate({', '.join(self.attributes)}; {self.notion}{bound})"

    def _repr_html_(self) -> str:
        # The JSON form counts them from 1.
        pairs = ((witness["attribute"], *(row - 1 for row in witness["objects"])) for witness in self._claim["witnesses"])
        return page(self, ("attribute", "tells the object of row", "from that of row"), pairs)


def partition(data: Any, *, attributes: Optional[Sequence[str]] = None) -> Partition:
    """The indiscernibility classes U/IND(B).

    Parameters
    ----------
    data : Table or table-like
        A `Table`, or what one is made of; all columns are attributes then.
    attributes : sequence of str, optional
        B; by default all condition attributes.

    Returns
    -------
    Partition
        The classes.

    Examples
    --------
    >>> import roughboard as rb
    >>> classes = rb.partition({"a": [0, 1, 0], "b": ["x", "x", "x"]})
    >>> classes
    Partition(2 classes of 3 objects)
    >>> [found.tolist() for found in classes.classes()]
    [[0, 2], [1]]
    """
    labels, first, weights = _core.partition(to_table(data), attributes)
    return Partition(indices(labels), indices(first), np.frombuffer(weights, dtype=np.uint64))


@documented
def gamma(
    data: Any,
    decision: Any = None,
    *,
    attributes: Optional[Sequence[str]] = None,
    beta: Union[float, str] = 1.0,
) -> float:
    """The degree of dependency γ_B(d): the share of the objects whose class decides them.

    Parameters
    ----------
    attributes : sequence of str, optional
        B; by default all condition attributes.
    beta : float or str, default=1.0
        The inclusion degree from which a class decides, above 0.5: variable precision. It is compared exactly, as it
        is spelled: 0.8 is 8/10, and ``'2/3'`` is a fraction too.

    Returns
    -------
    float
        γ, from 0 to 1. `approximations` tells its numerator and denominator.

    Examples
    --------
    >>> import roughboard as rb
    >>> rb.gamma({"a": [0, 0, 1, 1]}, [0, 1, 1, 1])
    0.5
    """
    positive, total = _core.gamma(to_table(data, decision), attributes, beta_of(beta))
    return positive / total


@documented
def approximations(
    data: Any,
    decision: Any = None,
    *,
    attributes: Optional[Sequence[str]] = None,
    beta: Union[float, str] = 1.0,
) -> Approximations:
    """Lower and upper approximations of the decision, and its regions.

    Parameters
    ----------
    attributes : sequence of str, optional
        B; by default all condition attributes.
    beta : float or str, default=1.0
        The inclusion degree from which a class is inside a decision class, as in `gamma`.

    Returns
    -------
    Approximations
        The approximation of each decision value, and the regions of the whole.

    Examples
    --------
    >>> import roughboard as rb
    >>> found = rb.approximations({"a": [0, 0, 1, 1]}, ["no", "yes", "yes", "yes"])
    >>> found
    Approximations(gamma 0.5000 = 2/4, 2 decisions)
    >>> found["yes"].lower.tolist(), found["yes"].upper.tolist()
    ([2, 3], [0, 1, 2, 3])
    """
    whole, accuracy, positive, boundary, each = _core.approximations(
        to_table(data, decision), attributes, beta_of(beta)
    )
    of = {}
    for value, rows, own_accuracy, quality in each:
        lower, upper, outside, negative = map(indices, rows)
        of[value] = Approximation(lower, upper, outside, negative, _share(own_accuracy), _share(quality))
    return Approximations(_share(whole), _share(accuracy), indices(positive), indices(boundary), *whole, _of=of)


def _share(counted: tuple[int, int]) -> float:
    """A share; 1 for that of an empty set."""
    return counted[0] / counted[1] if counted[1] else 1.0


@documented
def core(
    data: Any, decision: Any = None, *, attributes: Optional[Sequence[str]] = None, notion: str = "positive"
) -> list[str]:
    """The attributes that every reduct holds.

    Returns
    -------
    list of str
        The names of the attributes.

    Examples
    --------
    >>> import roughboard as rb
    >>> rb.core({"a": [0, 0, 1], "b": [0, 1, 0], "c": [0, 1, 0]}, ["x", "y", "y"])
    ['a']
    """
    return _core.core(to_table(data, decision), attributes, notion)


@documented
def reduct(
    data: Any,
    decision: Any = None,
    *,
    attributes: Optional[Sequence[str]] = None,
    notion: str = "positive",
    method: Optional[str] = None,
) -> Reduct:
    """One reduct.

    Parameters
    ----------
    method : {'greedy', 'dependency', 'entropy', 'gini', 'backward', 'short'}, optional
        How to search. By default the shortest of those by ``'backward'``, ``'greedy'`` and ``'short'``; that by
        ``'backward'`` alone if distinct rows times attributes are more than 10 million.

    Returns
    -------
    Reduct
        The names of its attributes.

    Examples
    --------
    >>> import roughboard as rb
    >>> rb.reduct({"a": [0, 1, 1], "b": [0, 0, 1]}, ["x", "y", "y"])
    Reduct(a; positive)
    """
    names, tried = _core.reduct(to_table(data, decision), attributes, notion, method)
    return Reduct(tuple(names), notion, dict(tried))


@documented
def reducts(
    data: Any,
    decision: Any = None,
    *,
    attributes: Optional[Sequence[str]] = None,
    notion: str = "positive",
    limit: Optional[int] = None,
) -> Iterator[Reduct]:
    """All reducts, one by one as they are found, in no order.

    Parameters
    ----------
    limit : int, optional
        Give at most so many.

    Yields
    ------
    Reduct
        Each reduct once.

    Examples
    --------
    >>> import roughboard as rb
    >>> found = rb.reducts({"a": [0, 0, 1], "b": [0, 1, 0], "c": [0, 1, 0]}, ["x", "y", "y"])
    >>> sorted(reduct.names for reduct in found)
    [('a', 'b'), ('a', 'c')]
    """
    check_counts(limit=limit)
    # The reducts are looked for while they are taken, when the data may be others.
    found = _core.reducts(to_table(data, decision, copy=True), attributes, notion, limit)
    return (Reduct(tuple(names), notion) for names in found)


@documented
def minimum_reduct(
    data: Any,
    decision: Any = None,
    *,
    attributes: Optional[Sequence[str]] = None,
    notion: str = "positive",
    time_limit: Optional[float] = None,
    certificate: bool = False,
) -> MinimumReduct:
    """A reduct with the fewest attributes, and the proof that none has fewer.

    Parameters
    ----------
    time_limit : float, optional
        End the search after so many seconds with the best found so far and the bound that is proved.
    certificate : bool, default=False
        Certify the reduct and the bound for `verify`, which may take another minute, beside the time limit. Goes with
        all attributes.

    Returns
    -------
    MinimumReduct
        The reduct, and how many attributes every reduct has at least.

    Examples
    --------
    >>> import roughboard as rb
    >>> rb.minimum_reduct({"a": [0, 0, 1], "b": [0, 1, 0], "c": [0, 1, 2]}, ["x", "y", "y"])
    MinimumReduct(reduct=Reduct(c; positive), lower_bound=1)
    >>> rb.minimum_reduct({"a": [0, 0, 1]}, ["x", "x", "y"], certificate=True).certificate
    Certificate(a; positive, every reduct has at least 1)
    """
    if certificate and attributes is not None:
        raise ValueError("a certificate is of a table with all its attributes, expected no others: make a Table of these")
    table = to_table(data, decision)
    names, bound = _core.minimum_reduct(table, attributes, notion, time_limit)
    found = Reduct(tuple(names), notion)
    return MinimumReduct(found, bound, certify(table, reduct=found, lower_bound=True) if certificate else None)


@documented
def certify(
    data: Any,
    decision: Any = None,
    *,
    reduct: Sequence[str],
    notion: Optional[str] = None,
    lower_bound: bool = False,
) -> Certificate:
    """What lets others check that attributes are a reduct, without the code that found it.

    Parameters
    ----------
    reduct : Reduct or sequence of str
        The names of the attributes.
    notion : {'positive', 'generalized', 'distribution', 'information'}, optional
        What they preserve; by default what a `Reduct` says, and else ``'positive'``.
    lower_bound : bool, default=False
        Certify too how many attributes every reduct has at least, which may take a minute.

    Returns
    -------
    Certificate
        What `verify` and ``roughboard rough verify`` check.

    Examples
    --------
    >>> import roughboard as rb
    >>> data, decision = {"a": [0, 1, 1], "b": [0, 0, 1]}, ["x", "y", "y"]
    >>> certificate = rb.certify(data, decision, reduct=["a"], lower_bound=True)
    >>> certificate
    Certificate(a; positive, every reduct has at least 1)
    >>> rb.verify(data, decision, certificate=certificate)
    []
    """
    preserved = notion or (reduct.notion if isinstance(reduct, Reduct) else "positive")
    return Certificate(_core.certificate(to_table(data, decision), reduct, preserved, lower_bound))


@documented
def verify(data: Any, decision: Any = None, *, certificate: Certificate) -> list[str]:
    """Check the certificate of a reduct against a table, by means as plain as they can be.

    Parameters
    ----------
    certificate : Certificate
        The claim.

    Returns
    -------
    list of str
        The reasons why it does not hold; none if it holds. Objects are named by their rows in the data, counted from 0.

    Examples
    --------
    >>> import roughboard as rb
    >>> claim = rb.certify({"a": [0, 1]}, ["x", "y"], reduct=["a"])
    >>> rb.verify({"a": [0, 0]}, ["x", "y"], certificate=claim)[0]
    'witness for `a`: objects 0 and 1 have the same label, boundary'
    """
    if not isinstance(certificate, Certificate):
        raise TypeError(f"`certificate` must be a Certificate, found {described(certificate)}")
    return _core.verify(to_table(data, decision), certificate.to_json())
