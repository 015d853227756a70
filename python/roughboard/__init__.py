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

from ._core import get_threads, set_threads
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
from ._table import RoughWarning, Table

__all__ = [
    "Approximation",
    "Approximations",
    "Certificate",
    "MinimumReduct",
    "Partition",
    "Reduct",
    "RoughWarning",
    "Table",
    "approximations",
    "certify",
    "core",
    "gamma",
    "get_threads",
    "minimum_reduct",
    "partition",
    "reduct",
    "reducts",
    "set_threads",
    "verify",
]
