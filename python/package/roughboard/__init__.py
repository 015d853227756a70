"""Rough sets on any table, computed in Rust.

A decision table is anything with columns (see `Table`), and the name or the values of its decision. Functions answer
questions about it; `roughboard.sklearn` has estimators for scikit-learn.

Examples
--------
>>> import roughboard as rb
>>> data = {"a": [0, 0, 1, 1], "b": ["x", "y", "x", "y"], "d": [0, 1, 1, 1]}
>>> rb.gamma(data, "d")
1.0
>>> rb.reduct(data, "d").names
('a', 'b')
"""

from ._core import __version__, get_threads, set_threads
from ._cuts import Cuts, discretize
from ._games import Network, read_table
from ._questions import (
    Approximation,
    Approximations,
    Certificate,
    MinimumReduct,
    Partition,
    Reduct,
    approximations,
    certify,
    core,
    gamma,
    minimum_reduct,
    partition,
    reduct,
    reducts,
    verify,
)
from ._rules import Condition, Predictions, Rule, RuleSet, Verdicts, rules
from ._table import RoughWarning, Table

__all__ = [
    "__version__",
    "Approximation",
    "Approximations",
    "Certificate",
    "Condition",
    "Cuts",
    "MinimumReduct",
    "Network",
    "Partition",
    "Predictions",
    "Reduct",
    "RoughWarning",
    "Rule",
    "RuleSet",
    "Table",
    "Verdicts",
    "approximations",
    "certify",
    "core",
    "discretize",
    "gamma",
    "get_threads",
    "minimum_reduct",
    "partition",
    "read_table",
    "reduct",
    "reducts",
    "rules",
    "set_threads",
    "verify",
]
