"""The examples of the documentation."""

import doctest
import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest
import roughboard

ROOT = Path(__file__).resolve().parents[2]
MODULES = [module.name for module in pkgutil.iter_modules(roughboard.__path__, "roughboard.") if module.name != "roughboard._core"]


@pytest.mark.parametrize("name", ["roughboard", *MODULES])
def test_examples_of_modules(name):
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0


def public():
    """The functions and classes of the package, and the methods of these, by the names of where they are."""
    for module in (roughboard, importlib.import_module("roughboard.sklearn")):
        for thing in filter(callable, map(vars(module).get, module.__all__)):
            yield f"{thing.__module__}.{thing.__qualname__}", thing
            methods = vars(thing).items() if isinstance(thing, type) and "roughboard._core" != thing.__module__ else ()
            for name, method in methods:
                if inspect.isfunction(method) and not name.startswith("_"):
                    yield f"{thing.__module__}.{method.__qualname__}", method


@pytest.mark.parametrize(("name", "thing"), dict(public()).items())
def test_docstrings_are_those_of_numpydoc(name, thing):
    validate = pytest.importorskip("numpydoc.validate")
    # Sections that are unknown or out of order, and parameters and results that are not told, or not so. Results tell their attributes.
    wanted = {"GL05", "GL06", "GL07", "GL08", "PR02", "PR03", "PR04", "PR07", "RT03", "YD01"} | ({"PR01"} if inspect.isfunction(thing) else set())
    assert [error for error in validate.validate(name)["errors"] if error[0] in wanted] == []


@pytest.mark.parametrize("name", ["python/README.md", "docs/python.md"])
def test_examples_of_documents(name):
    failed, attempted = doctest.testfile(str(ROOT / name), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0 and attempted > 0
