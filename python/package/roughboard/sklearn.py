"""Estimators for scikit-learn: a selector of attributes, a discretizer, a classifier by rules.

They go into pipelines, grid searches and whatever else takes estimators. Frames are looked at column by column, so that
columns of numbers, texts and booleans may stand side by side; a missing value is a value of its own.

Examples
--------
>>> from sklearn.datasets import load_iris
>>> from sklearn.model_selection import cross_val_score
>>> from sklearn.pipeline import make_pipeline
>>> from roughboard.sklearn import ReductSelector, RoughDiscretizer, RuleClassifier
>>> X, y = load_iris(return_X_y=True)
>>> model = make_pipeline(RoughDiscretizer(), ReductSelector(), RuleClassifier(source="minimal"))
>>> bool(cross_val_score(model, X, y).mean() > 0.85)
True
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, OneToOneFeatureMixin, TransformerMixin
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from ._cuts import discretize
from ._questions import Reduct, minimum_reduct, reduct
from ._rules import RuleSet, rules
from ._shared import documented
from ._table import Table

__all__ = ["ReductSelector", "RoughDiscretizer", "RuleClassifier"]

_PRIOR = 1e-9
"""The share of the distribution of classes in probabilities: so little that it only decides between equal votes."""


def _is_frame(X: Any) -> bool:
    """Whether X has columns of its own, of different types."""
    return hasattr(X, "columns") and hasattr(X, "shape")


def _columns(estimator: BaseEstimator, X: Any, *, reset: bool) -> dict[str, Any]:
    """X as columns by name; refused if it is none that scikit-learn takes."""
    if _is_frame(X):
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        # Tables of pyarrow call their columns themselves so.
        names = X.column_names if hasattr(X, "column_names") else X.columns
        return {str(name): X[name] for name in names}
    array = validate_data(estimator, X, reset=reset, dtype=None, ensure_all_finite="allow-nan")
    return {name: array[:, at] for at, name in enumerate(_names(estimator))}


def _names(estimator: Any) -> list[str]:
    """The names of the columns, as far as there are any."""
    if hasattr(estimator, "feature_names_in_"):
        return [str(name) for name in estimator.feature_names_in_]
    return [f"x{at}" for at in range(estimator.n_features_in_)]


def _columns_with_target(estimator: BaseEstimator, X: Any, y: Any) -> tuple[dict[str, Any], npt.NDArray[Any]]:
    """X as columns by name, and y; both to be fitted."""
    if _is_frame(X) and y is not None:
        columns = _columns(estimator, X, reset=True)
        target = column_or_1d(y, warn=True)
        if len(target) != len(X):
            raise ValueError(f"X and y must have as many rows, got {len(X)} and {len(target)}")
        return columns, target
    array, target = validate_data(estimator, X, y, dtype=None, ensure_all_finite="allow-nan")
    return {name: array[:, at] for at, name in enumerate(_names(estimator))}, target


class ReductSelector(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Select the attributes of a reduct: as few as tell apart what all of them tell apart.

    Meant for symbolic attributes: numbers that hardly repeat are cut into intervals first, as `RoughDiscretizer` does.

    Parameters
    ----------
    notion : {'positive', 'generalized', 'distribution', 'information'}, default='positive'
        What the attributes preserve.
    method : {'quick', 'minimum', 'greedy', 'dependency', 'entropy', 'gini', 'backward', 'short'}, default='quick'
        How the reduct is found: the shortest of some quick ways, with the fewest attributes of all, or one way.
    time_limit : float, optional
        For ``'minimum'``: end the search after so many seconds with the best found so far.

    Attributes
    ----------
    reduct_ : Reduct
        The names of the attributes.
    support_ : ndarray of shape (n_features_in_,)
        Which attributes are selected.
    lower_bound_ : int or None
        For ``'minimum'``: how many attributes every reduct has at least.
    n_features_in_ : int
        The number of attributes seen.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they are texts.

    Examples
    --------
    >>> from roughboard.sklearn import ReductSelector
    >>> X = [["no", "yes", "high"], ["yes", "no", "high"], ["yes", "yes", "very high"], ["no", "yes", "normal"]]
    >>> selector = ReductSelector().fit(X, ["yes", "yes", "yes", "no"])
    >>> selector.get_feature_names_out()
    array(['x2'], dtype=object)
    """

    def __init__(self, notion: str = "positive", method: str = "quick", time_limit: Optional[float] = None) -> None:
        self.notion = notion
        self.method = method
        self.time_limit = time_limit

    @documented
    def fit(self, X: Any, y: Any) -> ReductSelector:
        """Find a reduct.

        Returns
        -------
        ReductSelector
            The selector.
        """
        if self.time_limit is not None and self.method != "minimum":
            raise ValueError("time_limit goes with the method 'minimum'")
        columns, target = _columns_with_target(self, X, y)
        table = Table(columns, target, copy=False)
        self.lower_bound_: Optional[int] = None
        if self.method == "minimum":
            found = minimum_reduct(table, notion=self.notion, time_limit=self.time_limit)
            self.reduct_: Reduct = found.reduct
            self.lower_bound_ = found.lower_bound
        else:
            method = None if self.method == "quick" else self.method
            self.reduct_ = reduct(table, notion=self.notion, method=method)
        self.support_ = np.array([name in self.reduct_.names for name in columns])
        return self

    def _get_support_mask(self) -> npt.NDArray[np.bool_]:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = tags.input_tags.categorical = tags.input_tags.string = True
        return tags


class RoughDiscretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Cut numbers into intervals.

    Parameters
    ----------
    method : {'mdlp', 'md', 'width', 'frequency'}, default='mdlp'
        Each attribute by entropy and minimal description length (Fayyad and Irani), all together by maximal
        discernibility (Nguyen and Skowron), intervals of equal width, or with equally many objects. The first two need
        a target.
    bins : int, default=5
        For ``'width'`` and ``'frequency'``: the number of intervals.
    encode : {'ordinal', 'interval'}, default='ordinal'
        Whether intervals are numbered from 0, or are texts such as ``'(2.45, 4.75]'``, which make rules readable.

    Attributes
    ----------
    cut_points_ : list of ndarray
        The cut points of each attribute.
    n_features_in_ : int
        The number of attributes seen.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they are texts.

    Examples
    --------
    >>> from roughboard.sklearn import RoughDiscretizer
    >>> X, y = [[1.4], [1.3], [1.5], [4.7], [4.5], [4.9]], [0, 0, 0, 1, 1, 1]
    >>> discretizer = RoughDiscretizer(encode="interval").fit(X, y)
    >>> discretizer.cut_points_
    [array([3.])]
    >>> discretizer.transform([[1.0], [5.0]])
    array([['<= 3'],
           ['> 3']], dtype=object)
    """

    def __init__(self, method: str = "mdlp", bins: int = 5, encode: str = "ordinal") -> None:
        self.method = method
        self.bins = bins
        self.encode = encode

    def fit(self, X: Any, y: Any = None) -> RoughDiscretizer:
        """Choose cut points.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Numbers.
        y : array-like of shape (n_samples,), optional
            The decision, which the methods ``'width'`` and ``'frequency'`` do not need.

        Returns
        -------
        RoughDiscretizer
            The discretizer.
        """
        if self.encode not in ("ordinal", "interval"):
            raise ValueError(f"encode must be 'ordinal' or 'interval', got {self.encode!r}")
        if self._uses_target:
            array, target = validate_data(self, X, y, dtype=[np.float64], ensure_all_finite="allow-nan")
            found = discretize(Table(array, target, copy=False), method=self.method)
        else:
            array = validate_data(self, X, dtype=[np.float64], ensure_all_finite="allow-nan")
            found = discretize(Table(array, copy=False), method=self.method, bins=self.bins)
        # An attribute without any value is no number, and is not cut.
        self.cut_points_ = [np.array(found.get(f"x{at}", [])) for at in range(array.shape[1])]
        return self

    @property
    def _uses_target(self) -> bool:
        return self.method not in ("width", "frequency")

    def transform(self, X: Any) -> npt.NDArray[Any]:
        """Replace numbers by their intervals; missing ones stay missing.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Numbers.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            The intervals, by number or as texts.
        """
        check_is_fitted(self)
        array = validate_data(self, X, reset=False, dtype=[np.float64], ensure_all_finite="allow-nan")
        codes = np.empty(array.shape)
        for at, cuts in enumerate(self.cut_points_):
            codes[:, at] = np.searchsorted(cuts, array[:, at], side="left")
        missing = np.isnan(array)
        codes[missing] = np.nan
        if self.encode == "ordinal":
            return codes
        texts = np.empty(array.shape, dtype=object)
        for at, cuts in enumerate(self.cut_points_):
            given = ~missing[:, at]
            texts[given, at] = _intervals(cuts)[codes[given, at].astype(np.intp)]
        return texts

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self._uses_target
        tags.input_tags.allow_nan = True
        if self.encode != "ordinal":
            tags.transformer_tags.preserves_dtype = []
        return tags


def _intervals(cuts: npt.NDArray[np.float64]) -> npt.NDArray[np.object_]:
    """The intervals between cut points, as the library spells them."""
    spelled = [_spelled(cut) for cut in cuts]
    if not spelled:
        return np.array(["(-inf, inf)"], dtype=object)
    middle = [f"({low}, {high}]" for low, high in zip(spelled, spelled[1:])]
    return np.array([f"<= {spelled[0]}", *middle, f"> {spelled[-1]}"], dtype=object)


def _spelled(number: float) -> str:
    """A number in as few digits as tell it, without an exponent."""
    return np.format_float_positional(number, trim="-")


class RuleClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Let rules vote.

    Parameters
    ----------
    source : {'mlem2', 'lem2', 'reduct', 'minimal', 'cover', 'inclusion'}, default='mlem2'
        Where rules come from, as in `roughboard.rules`. Only ``'mlem2'`` takes numbers by intervals; others take them
        by value, so that numbers that hardly repeat are cut first, as `RoughDiscretizer` does.
    vote : {'support', 'confidence', 'confidence-coverage', 'count', 'best'}, default='support'
        What the vote of a rule weighs.
    unmatched : {'nearest', 'majority'}, default='nearest'
        What decides about an object that no rule matches.
    approximation : {'lower', 'upper'}, optional
        For ``'mlem2'`` and ``'lem2'``: certain or possible rules; by default certain ones.
    beta : float, optional
        For ``'minimal'``, ``'cover'`` and ``'inclusion'``: the least inclusion degree of a rule.
    limit : int, optional
        The most classes or rules of ``'reduct'``, ``'minimal'`` and ``'cover'``, as in :func:`roughboard.rules`.
    max_length : int, optional
        The most conditions of a rule.
    min_support : int, optional
        The least support of a rule.
    shorten : float, optional
        Drop conditions while the inclusion degree stays at this one or above.

    Attributes
    ----------
    rules_ : RuleSet
        The rules; ``print(classifier.rules_.words())`` tells them in words.
    classes_ : ndarray of shape (n_classes,)
        The decisions.
    n_features_in_ : int
        The number of attributes seen.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they are texts.

    Examples
    --------
    >>> from roughboard.sklearn import RuleClassifier
    >>> X, y = [[1.4, 0.2], [1.3, 0.3], [4.7, 1.4], [4.5, 1.5]], ["setosa", "setosa", "versicolor", "versicolor"]
    >>> classifier = RuleClassifier().fit(X, y)
    >>> print(classifier.rules_.words())
    IF x0 < 2.95 THEN class = setosa (2 of 2, 1.00)
    IF x0 >= 2.95 THEN class = versicolor (2 of 2, 1.00)
    >>> classifier.predict([[1.0, 0.0]]).tolist()
    ['setosa']
    """

    def __init__(
        self,
        source: str = "mlem2",
        vote: str = "support",
        unmatched: str = "nearest",
        approximation: Optional[str] = None,
        beta: Optional[float] = None,
        limit: Optional[int] = None,
        max_length: Optional[int] = None,
        min_support: Optional[int] = None,
        shorten: Optional[float] = None,
    ) -> None:
        self.source = source
        self.vote = vote
        self.unmatched = unmatched
        self.approximation = approximation
        self.beta = beta
        self.limit = limit
        self.max_length = max_length
        self.min_support = min_support
        self.shorten = shorten

    @documented
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RuleClassifier:
        """Find rules.

        Parameters
        ----------
        sample_weight : array-like of shape (n_samples,), optional
            How many objects each row stands for: whole numbers from 0 on, others are refused.

        Returns
        -------
        RuleClassifier
            The classifier.
        """
        columns, target = _columns_with_target(self, X, y)
        name = _free_name(getattr(y, "name", None), columns)
        data, weight = {**columns, name: target}, None
        if sample_weight is not None:
            weight = _free_name("sample_weight", data)
            data[weight] = counts = np.asarray(sample_weight)
            if counts.shape != target.shape:
                raise ValueError(f"sample_weight must have the shape {target.shape}, got {counts.shape}")
            target = target[counts > 0]
        try:
            check_classification_targets(target)
            self.classes_ = np.unique(target)
        except TypeError as error:
            raise ValueError("the classes must be of one kind, and none may be missing") from error
        if len(self.classes_) < 2:
            found = f"one class: {self.classes_[0]}" if len(self.classes_) else "sample_weight of zeros only"
            raise ValueError(f"rules need at least two classes, got {found}")
        self.rules_: RuleSet = rules(
            Table(data, name, weight=weight, copy=False),
            source=self.source,
            approximation=self.approximation,
            beta=self.beta,
            limit=self.limit,
            max_length=self.max_length,
            min_support=self.min_support,
            shorten=self.shorten,
        )
        if [str(value) for value in self.rules_.decisions] != [str(value) for value in self.classes_]:
            raise ValueError("the classes must be whole numbers of 64 bits, real numbers, booleans or texts")
        return self

    def _votes(self, X: Any) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.float64]]:
        """The class of each object by its place, and the votes for all of them."""
        check_is_fitted(self)
        found = self.rules_.predict(_columns(self, X, reset=False), vote=self.vote, unmatched=self.unmatched)
        return found.codes, found.votes

    @documented
    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The class that most votes are for.

        Returns
        -------
        ndarray of shape (n_samples,)
            The classes. Of equal votes those for the more frequent class win.
        """
        codes, _ = self._votes(X)
        return self.classes_[codes]

    @documented
    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """The share of the votes for each class; that among all objects where no rule has a say.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            The shares, with a trace of the distribution of classes, so that equal votes are decided as in `predict`.
        """
        _, votes = self._votes(X)
        weights = np.array(self.rules_.decision_weights, dtype=np.float64)
        total = votes.sum(axis=1, keepdims=True)
        mixed = votes + np.where(total > 0, _PRIOR * total, 1.0) * (weights / weights.sum())
        shares: npt.NDArray[np.float64] = mixed / mixed.sum(axis=1, keepdims=True)
        return shares

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.categorical = tags.input_tags.string = True
        return tags


def _free_name(wanted: Any, columns: Union[dict[str, Any], Sequence[str]]) -> str:
    """What a column beside the attributes is called: as in its frame, unless an attribute is."""
    name = wanted if isinstance(wanted, str) and wanted else "class"
    while name in columns:
        name += "_"
    return name
