"""The names that the package offers at its top level: at run time, to type checkers, and in their documentation."""

import ast
import doctest
from importlib import import_module
from pathlib import Path

import pytest

import exactperm

PACKAGE = Path(exactperm.__file__).parent


def test_type_checkers_see_the_same_names_from_the_same_modules():
    tree = ast.parse((PACKAGE / "__init__.pyi").read_text(encoding="utf-8"))
    stub = {alias.name: node.module for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert stub == exactperm._HOME


@pytest.mark.parametrize("name", exactperm.__all__)
def test_every_name_loads_from_its_module_and_is_documented(name):
    value = getattr(exactperm, name)
    assert value is getattr(import_module(f"exactperm.{exactperm._HOME[name]}"), name)
    assert value.__doc__
    assert name in dir(exactperm)


def test_unknown_names_are_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'permutation_tests'"):
        _ = exactperm.permutation_tests


def modules():
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(("exactperm", *path.relative_to(PACKAGE).with_suffix("").parts))
        yield name.removesuffix(".__init__")


@pytest.mark.parametrize("name", [name for name in modules() if not name.endswith("__main__")])
def test_examples_in_docstrings(name):
    results = doctest.testmod(import_module(name))
    assert results.failed == 0


def test_examples_in_the_readme():
    results = doctest.testfile("../README.md", encoding="utf-8")
    assert results.attempted > 0
    assert results.failed == 0
