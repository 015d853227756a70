"""The examples of the documentation."""

import doctest
import importlib
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


@pytest.mark.parametrize("name", ["python/README.md", "docs/python.md"])
def test_examples_of_documents(name):
    failed, attempted = doctest.testfile(str(ROOT / name), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0 and attempted > 0
