"""The names that the package offers at its top level: at run time, to type checkers, and in their documentation."""

import ast
import doctest
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import exactperm
from exactperm.counting.methods import METHODS
from exactperm.null.alternative import ALTERNATIVES
from tests.wings import here

PACKAGE = Path(exactperm.__file__).parent


def test_type_checkers_see_the_same_names_from_the_same_modules():
    tree = ast.parse((PACKAGE / "__init__.pyi").read_text(encoding="utf-8"))
    stub = {
        alias.name: node.module
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert stub == exactperm._HOME


def test_every_name_loads_from_its_module_and_is_documented():
    assert {*exactperm.__all__} <= {*dir(exactperm)}
    for name in filter(lambda each: here(exactperm._HOME[each]), exactperm.__all__):
        value = getattr(exactperm, name)
        assert value is getattr(import_module(f"exactperm.{exactperm._HOME[name]}"), name), name
        assert value.__doc__, name


def test_a_name_of_a_wing_that_is_away_is_an_attribute_error(monkeypatch):
    def lost(name):
        raise ModuleNotFoundError(name=lost.name)

    monkeypatch.setattr("importlib.import_module", lost)
    lost.name = "exactperm.files"
    with pytest.raises(AttributeError, match="without files"):
        exactperm.__getattr__("read_scores")
    lost.name = "another"
    with pytest.raises(ModuleNotFoundError):
        exactperm.__getattr__("read_scores")
    with pytest.raises(AttributeError, match="no attribute 'permutation_tests'"):
        _ = exactperm.permutation_tests


@pytest.mark.slow
def test_examples_in_docstrings():
    """Doctest prints what an example gives in place of what it says."""
    modules = [each.name for each in walk_packages(exactperm.__path__, "exactperm.")]
    results = {
        name: doctest.testmod(import_module(name))
        for name in modules
        if not name.endswith("__main__")
    }
    assert {name: found.failed for name, found in results.items() if found.failed} == {}
    assert sum(found.attempted for found in results.values()) > 200


@pytest.mark.slow
def test_examples_in_the_readme():
    results = doctest.testfile("../README.md", encoding="utf-8")
    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.slow
def test_type_checkers_refuse_words_that_do_not_exist(tmp_path):
    api = pytest.importorskip("mypy.api")
    lines = [
        'permutation_test([1], [2], alternative="bigger")',
        'permutation_test([1], [2], method="magic")',
        'compare_all({}, adjust="holmes")',
        'permutation_test([1], [2], alternative="less", method="dp").pvalue',
    ]
    code = "\n".join(["from exactperm import compare_all, permutation_test", *lines, ""])
    path = tmp_path / "words.py"
    path.write_text(code, encoding="utf-8")
    out, _, status = api.run(
        ["--strict", "--no-incremental", "--cache-dir", str(tmp_path), str(path)]
    )
    assert status == 1
    told = [line for line in out.splitlines() if "words.py:" in line]
    assert [line.split(":")[1] for line in told if "error" in line] == ["2", "3", "4"], out


def test_literal_types_name_the_words_of_the_run_time():
    words = {"budget": ("Method", METHODS), "null/alternative": ("Alternative", ALTERNATIVES)}
    for module, (name, known) in words.items():
        tree = ast.parse((PACKAGE / f"{module}.py").read_text(encoding="utf-8"))
        named = [node for node in ast.walk(tree) if isinstance(node, ast.Assign)]
        (literal,) = [node.value for node in named if ast.unparse(node.targets[0]) == name]
        assert {
            constant.value for constant in ast.walk(literal) if isinstance(constant, ast.Constant)
        } == set(known)
