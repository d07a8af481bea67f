"""The law of the house, read from the imports: downward only, no cycle, nothing outside the standard library."""

import ast
import re
import sys
from pathlib import Path

import pytest

import exactperm

PACKAGE = Path(exactperm.__file__).parent

# From the ground up. A module imports from its own package and from the lines above its own.
LAW = """
errors verifier
arithmetic reference
display
record
budget
swaps
counting montecarlo
certified
null
multiplicity
permutation fast
classical leave_one_out compare
intervals
files
certificates
auditing testing sql
web
cli
__main__
"""
LEVEL = {package: level for level, line in enumerate(LAW.strip().splitlines()) for package in line.split()}


def modules():
    """Dotted name and path of every module, without the packages' own files."""
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        if path.name != "__init__.py":
            yield name, path


MODULES = dict(modules())


def imports(name, path):
    """(line, level, dotted module) of every import, also inside functions; blocks for type checkers are passed over."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and getattr(block.test, "id", "") == "TYPE_CHECKING"
        for statement in block.body
        for node in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            yield from ((node.lineno, 0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.lineno, 0, node.module
        elif isinstance(node, ast.ImportFrom):
            home = name.split(".")[: -node.level]
            base = ".".join([*home, *([node.module] if node.module else [])])
            for alias in node.names:
                inner = f"{base}.{alias.name}".lstrip(".")
                yield node.lineno, node.level, inner if inner in MODULES else base


def package_of(name):
    return name.partition(".")[0]


def test_every_module_has_its_place_in_the_law():
    assert {package_of(name) for name in MODULES} == set(LEVEL)


@pytest.mark.parametrize("name", MODULES)
def test_imports_point_down(name):
    for line, level, imported in imports(name, MODULES[name]):
        if level and imported and package_of(imported) != package_of(name):
            below = LEVEL[package_of(imported)] < LEVEL[package_of(name)]
            assert below, f"{name}:{line} imports {imported} from beside or above"


def test_no_cycle_inside_a_package():
    graph = {
        name: {imported for _line, level, imported in imports(name, path) if level and imported in MODULES}
        for name, path in MODULES.items()
    }
    settled: set = set()
    while len(settled) < len(graph):
        ready = {name for name, needed in graph.items() if name not in settled and needed <= settled}
        assert ready, f"these import each other: {sorted(set(graph) - settled)}"
        settled |= ready


THIRD_PARTY = {("testing.strategies", "hypothesis")}
"""Imports from outside, inside functions; the extra ``testing`` installs them."""


@pytest.mark.skipif(sys.version_info < (3, 10), reason="Python 3.9 does not list the names of its standard library")
@pytest.mark.parametrize("name", MODULES)
def test_only_the_standard_library_is_imported_from_outside(name):
    foreign = {
        f"{name}:{line} imports {imported}"
        for line, level, imported in imports(name, MODULES[name])
        if not level and package_of(imported) not in sys.stdlib_module_names
        if (name, package_of(imported)) not in THIRD_PARTY
    }
    assert not foreign


@pytest.mark.parametrize("name", MODULES)
def test_imports_inside_the_package_are_relative(name):
    """So a copy of the folder works under another name."""
    assert all(
        package_of(imported) != "exactperm" for _line, level, imported in imports(name, MODULES[name]) if not level
    )


@pytest.mark.parametrize("name", MODULES)
def test_no_generator_expression_is_unpacked(name):
    """PyPy replaces an error raised inside it by "cannot unpack non-iterable generator object"; a list keeps it."""
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    unpacked = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.GeneratorExp)
        and any(isinstance(target, (ast.Tuple, ast.List)) for target in node.targets)
    ]
    assert not unpacked, f"{name} unpacks generator expressions in lines {unpacked}"


FRONT_ENDS = ("cli", "web")
OPTION = re.compile(r"(?<![\w-])--[a-z]|\bexactperm (?:test|compare|audit|interval|dist|recount|guide|help)\b")


def texts(name):
    """Line and text of every constant of a module but docstrings and regular expressions."""
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    documents = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            yield node.lineno, node.value


@pytest.mark.parametrize("name", [name for name in MODULES if name.startswith("files.")])
def test_no_text_of_reading_names_an_option_or_a_command(name):
    """Front ends render cures in their own words."""
    found = [(line, text) for line, text in texts(name) if OPTION.search(text)]
    assert not found or name in ("files.records", "files.report"), found


@pytest.mark.parametrize("name", [name for name in MODULES if name.startswith("files.")])
def test_no_message_is_searched(name):
    """What an error says is for people; programs read its code and its cure."""
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    parsed = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr in ("partition", "rpartition", "split", "startswith", "endswith", "find", "replace")
        and isinstance(node.value, ast.Call)
        and getattr(node.value.func, "id", "") == "str"
        and getattr(node.value.args[0], "id", "") == "error"
    ]
    assert not parsed
