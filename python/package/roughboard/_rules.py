"""Decision rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Optional, Union, overload

import numpy as np
import numpy.typing as npt

from . import _core
from ._shared import SHOWN, check_counts, documented, more, page, share
from ._table import Indices, indices, to_table

__all__ = ["Condition", "Predictions", "Rule", "RuleSet", "Verdicts", "rules"]

_MEASURES = ("rule", "support", "confidence", "coverage", "lift")
"""What is shown of a rule."""
_CONCERNED = {
    "method": ("reduct",),
    "approximation": ("lem2", "mlem2"),
    "beta": ("minimal", "cover", "inclusion"),
    "limit": ("reduct", "minimal", "cover"),
    "n_rules": ("inclusion",),
}
"""The sources that each of these parameters has an effect on."""


def concerns(parameter: str, source: str) -> bool:
    """Whether a parameter has an effect on rules of this source; a source that is none is refused elsewhere."""
    known = {name for names in _CONCERNED.values() for name in names}
    return source not in known or source in _CONCERNED[parameter]


class Condition(NamedTuple):
    """A condition of a rule: an attribute has a value, or lies between two numbers.

    Attributes
    ----------
    attribute : str
        The attribute.
    kind : {'is', 'between', 'never'}
        Whether it asks for a value or an interval, or is met by nothing.
    value : object
        The value of a condition that asks for one.
    low, high : float or str, optional
        The ends of the interval low <= x < high; ``None`` where there is no end.
    """

    attribute: str
    kind: str
    value: Any = None
    low: Any = None
    high: Any = None


@dataclass(frozen=True)
class Rule:
    """IF all conditions hold THEN the decision, with its measures in the table that it was found in.

    Attributes
    ----------
    conditions : tuple of Condition
        The conditions; none if the rule always holds.
    decision : object
        The value that the decision has.
    support : int
        The weight of the objects that match and have the decision.
    matching : int
        The weight of the objects that match.
    confidence : float
        The inclusion degree, support / matching.
    coverage : float
        Support over the weight of all objects that have the decision.
    lift : float
        Confidence over the share of the decision among all objects.
    laplace : float
        Laplace's estimate of the confidence, (support + 1) / (matching + number of decisions).
    p_value : float
        Fisher's exact test with one side.
    text : str
        The rule in words.
    """

    conditions: tuple[Condition, ...]
    decision: Any
    support: int
    matching: int
    confidence: float
    coverage: float
    lift: float
    laplace: float
    p_value: float
    text: str

    def __len__(self) -> int:
        return len(self.conditions)

    def __str__(self) -> str:
        return self.text

    def _cells(self) -> tuple[object, ...]:
        words, _, _ = self.text.rpartition(" (")
        return words, self.support, f"{self.confidence:.3f}", f"{self.coverage:.3f}", f"{self.lift:.2f}"

    def _repr_html_(self) -> str:
        return page(self, _MEASURES, [self._cells()])


class Verdicts(NamedTuple):
    """What rules say of the objects of their table, in weights: the surest of those that match decide."""

    rightly: int
    ambiguously: int
    wrongly: int
    not_at_all: int


class Predictions(NamedTuple):
    """What rules say of objects.

    Attributes
    ----------
    codes : ndarray of shape (n_objects,)
        The decision of each object, as its place in `RuleSet.decisions`.
    votes : ndarray of shape (n_objects, n_decisions)
        The votes for each decision value; all 0 where no rule had a say.
    rules : ndarray of shape (n_objects,)
        The rule that spoke loudest for the decision; -1 where none had a say.
    """

    codes: Indices
    votes: npt.NDArray[np.float64]
    rules: npt.NDArray[np.int64]


class RuleSet(Sequence[Rule]):
    """Rules of one table, in an order of preference or of discovery.

    Attributes
    ----------
    complete : bool
        Whether these are all that were asked for, and not only as many as the limit allows.
    verdicts : Verdicts
        What the rules say of the objects of their table.
    """

    def __init__(self, native: _core.Rules, complete: bool, verdicts: Verdicts) -> None:
        self._native = native
        self.complete = complete
        self.verdicts = verdicts

    @property
    def decision(self) -> str:
        """The name of the decision."""
        return self._native.decision

    @property
    def decisions(self) -> list[Any]:
        """The values of the decision, ascending."""
        return self._native.decisions

    @property
    def decision_weights(self) -> list[int]:
        """The weight of the objects of each decision value."""
        return self._native.decision_weights

    def __len__(self) -> int:
        return len(self._native)

    @overload
    def __getitem__(self, at: int) -> Rule: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Rule]: ...
    def __getitem__(self, at: Union[int, slice]) -> Union[Rule, Sequence[Rule]]:
        if isinstance(at, slice):
            return [self._rule(place) for place in range(*at.indices(len(self)))]
        return self._rule(at + len(self) if at < 0 else at)

    def __iter__(self) -> Iterator[Rule]:
        return (self._rule(at) for at in range(len(self)))

    def _rule(self, at: int) -> Rule:
        if not 0 <= at < len(self):
            raise IndexError(f"there are {len(self)} rules, got index {at}")
        conditions = tuple(
            Condition(name, kind, value=first) if kind == "is" else Condition(name, kind, low=first, high=second)
            for kind, name, first, second in self._native.conditions(at)
        )
        return Rule(conditions, self._native.decides(at), *self._native.measures(at), self._native.text(at, False))

    def words(self, measures: bool = False) -> str:
        """The rules in words, one a line.

        Parameters
        ----------
        measures : bool, default=False
            With all measures, and not with the support only.

        Returns
        -------
        str
            The lines.
        """
        return "\n".join(self._native.text(at, measures) for at in range(len(self)))

    def to_dict(self) -> dict[str, list[Any]]:
        """The rules as columns: what every library makes a frame of."""
        names = ("text", "decision", "support", "matching", "confidence", "coverage", "lift", "laplace", "p_value")
        found = list(self)
        return {name: [getattr(rule, name) for rule in found] for name in names} | {"length": list(map(len, found))}

    def to_json(self) -> str:
        """The form that ``roughboard rough predict`` reads."""
        return self._native.to_json()

    @documented
    def predict(
        self,
        data: Any,
        *,
        vote: str = "support",
        unmatched: str = "nearest",
        names: Optional[Sequence[str]] = None,
    ) -> Predictions:
        """Let the rules vote on the decision of objects.

        Parameters
        ----------
        data : Table or table-like
            The objects: any table with the attributes of the rules; other columns may be of any type. Values are
            compared by value.
        vote : {'support', 'confidence', 'confidence-coverage', 'count', 'best'}, default='support'
            What the vote of a rule weighs; ``'best'`` lets the surest rule decide alone.
        unmatched : {'nearest', 'majority'}, default='nearest'
            What decides about an object that no rule matches: the rules of which it meets the largest share of
            conditions, or the most frequent decision.

        Returns
        -------
        Predictions
            Decisions, votes, and the rule that spoke loudest.
        """
        codes, votes, loudest = self._native.vote(data, vote, unmatched, names)
        cast = np.frombuffer(votes, dtype=np.float64).reshape(-1, len(self.decisions))
        return Predictions(indices(codes), cast, np.frombuffer(loudest, dtype=np.int64))

    def __getstate__(self) -> dict[str, Any]:
        return {"state": self._native.state(), "complete": self.complete, "verdicts": tuple(self.verdicts)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._native = _core.Rules.restored(state["state"])
        self.complete = state["complete"]
        self.verdicts = Verdicts(*state["verdicts"])

    def __repr__(self) -> str:
        return f"RuleSet({len(self)} rules for {self.decision}, {self.verdicts.rightly} objects decided rightly)"

    def _repr_html_(self) -> str:
        return page(self, _MEASURES, (rule._cells() for rule in self[:SHOWN])) + more(len(self))


@documented
def rules(
    data: Any,
    decision: Any = None,
    *,
    source: str = "reduct",
    method: Optional[str] = None,
    approximation: Optional[str] = None,
    beta: Union[float, str, None] = None,
    limit: Optional[int] = None,
    n_rules: Optional[int] = None,
    max_length: Optional[int] = None,
    min_support: Optional[int] = None,
    shorten: Optional[float] = None,
    min_confidence: float = 0.0,
    min_coverage: float = 0.0,
    min_lift: float = 0.0,
    drop_redundant: bool = False,
    sort: Optional[str] = None,
) -> RuleSet:
    """Decision rules, found, shortened and chosen.

    Parameters
    ----------
    source : {'reduct', 'minimal', 'cover', 'lem2', 'mlem2', 'inclusion'}, default='reduct'
        Where rules come from: the classes of a reduct, shortened; all minimal rules; a smallest set of these; LEM2 by
        values; MLEM2, which takes numbers by intervals; covering by inclusion degree, for large tables.
    method : str, optional
        For ``'reduct'``: how the reduct is found, as in `reduct`; by default ``'greedy'``.
    approximation : {'lower', 'upper'}, optional
        For ``'lem2'`` and ``'mlem2'``: certain or possible rules; by default certain ones.
    beta : float or str, optional
        For ``'minimal'``, ``'cover'`` and ``'inclusion'``: the least inclusion degree of a rule.
    limit : int, optional
        For ``'reduct'``: use so many of the heaviest classes, by default all; for ``'minimal'`` and ``'cover'``: find
        at most so many rules, of each class some; by default 100,000.
    n_rules : int, optional
        For ``'inclusion'``: how many rules to find; by default 500 a decision, with ``beta`` as many as it takes.
    max_length : int, optional
        The most conditions of a rule; by default 8 for ``'inclusion'`` without ``beta``.
    min_support : int, optional
        The least support of a rule; by default 2 for ``'inclusion'`` without ``beta``.
    shorten : float, optional
        Drop conditions while the inclusion degree stays at this one or above.
    min_confidence, min_coverage, min_lift : float, default=0.0
        What a rule must measure up to.
    drop_redundant : bool, default=False
        Drop rules that another one makes superfluous.
    sort : {'support', 'confidence', 'coverage', 'lift', 'length'}, optional
        Sort by a measure, the best first.

    Returns
    -------
    RuleSet
        The rules.

    Warns
    -----
    RoughWarning
        If the limit was reached, so that there are more rules; if it is not proved that no fewer rules cover as much.

    Examples
    --------
    >>> import roughboard as rb
    >>> found = rb.rules({"tear": ["normal", "normal", "reduced"]}, ["soft", "none", "none"])
    >>> print(found.words())
    IF tear = normal THEN decision = none (1 of 2, 0.50)
    IF tear = normal THEN decision = soft (1 of 2, 0.50)
    IF tear = reduced THEN decision = none (1 of 1, 1.00)
    >>> found[2].conditions[0].value, found[2].decision, found[2].lift
    ('reduced', 'none', 1.5)
    """
    check_counts(limit=limit, n_rules=n_rules, max_length=max_length, min_support=min_support)
    least = None if beta is None else share("beta", beta)
    ways = {"method": method, "approximation": approximation, "beta": least, "limit": limit, "n_rules": n_rules}
    idle = [name for name, value in ways.items() if value is not None and not concerns(name, source)]
    if idle:
        raise ValueError(f"`{idle[0]}` has no effect with the source '{source}'")
    parameters = {
        **ways,
        "source": source,
        "method": method or "greedy",
        "approximation": approximation or "lower",
        "max_length": max_length,
        "min_support": min_support,
        "shorten": shorten,
        "min_confidence": min_confidence,
        "min_coverage": min_coverage,
        "min_lift": min_lift,
        "drop_redundant": drop_redundant,
        "sort": sort,
    }
    native, complete, verdicts = _core.rules(to_table(data, decision), parameters)
    return RuleSet(native, complete, Verdicts(*verdicts))
