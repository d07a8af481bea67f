"""The law of the house, read from the syntax trees.

Imports point down only, without a cycle, type-only imports included, and to nothing outside the
standard library. Text for people names no options below the front ends; nobody searches the text of
an error; nothing is long.
"""

import ast
import re
import sys
from pathlib import Path

import pytest

import exactperm

PACKAGE = Path(exactperm.__file__).parent

# From the ground up. A module imports from its own package and from the lines above its own.
LAW = """
_types
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
runs
classical leave_one_out compare
intervals
files
certificates
auditing testing sql
web
cli
__main__
"""
TOP = 30
"""Most entries of the package's own folder."""

LEVEL = {
    package: level
    for level, line in enumerate(LAW.strip().splitlines())
    for package in line.split()
}


def modules():
    """Dotted name and syntax tree of every module, without the packages' own files."""
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        if path.name != "__init__.py":
            yield name, ast.parse(path.read_text(encoding="utf-8"))


MODULES = dict(modules())


def imports(name, tree):
    """(line, level, dotted module) of every import, also inside functions and for type checkers."""
    for node in ast.walk(tree):
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


IMPORTS = {name: list(imports(name, tree)) for name, tree in MODULES.items()}


def package_of(name):
    return name.partition(".")[0]


def test_every_module_has_its_place_in_the_law():
    assert {package_of(name) for name in MODULES} == set(LEVEL)


def test_the_top_floor_is_small():
    entries = {path.name for path in PACKAGE.iterdir()} - {
        "__pycache__",
        "__init__.pyi",
        "py.typed",
    }
    assert len(entries) <= TOP


# ------------------------------------------------------------------------------------------ imports


def test_imports_point_down():
    wrong = [
        f"{name}:{line} imports {imported}"
        for name in MODULES
        for line, level, imported in IMPORTS[name]
        if level and imported and package_of(imported) != package_of(name)
        if LEVEL[package_of(imported)] >= LEVEL[package_of(name)]
    ]
    assert not wrong, "from beside or above"


def circle(graph):
    """Modules that import each other, none where all can be put in an order."""
    settled: set = set()
    while len(settled) < len(graph):
        ready = {
            name for name, needed in graph.items() if name not in settled and needed <= settled
        }
        if not ready:
            return sorted(set(graph) - settled)
        settled |= ready
    return []


def test_no_cycle_inside_a_package():
    graph = {
        name: {imported for _line, level, imported in found if level and imported in MODULES}
        for name, found in IMPORTS.items()
    }
    assert circle(graph) == []
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["a", "b", "c"]


THIRD_PARTY = {("testing.strategies", "hypothesis"), ("record", "typing_extensions")}
"""Imports from outside: inside functions, where the extra ``testing`` installs them, or for type
checkers alone."""


@pytest.mark.skipif(
    sys.version_info < (3, 10), reason="Python 3.9 does not list the names of its standard library"
)
def test_only_the_standard_library_is_imported_from_outside():
    foreign = {
        f"{name}:{line} imports {imported}"
        for name in MODULES
        for line, level, imported in IMPORTS[name]
        if not level and package_of(imported) not in sys.stdlib_module_names
        if (name, package_of(imported)) not in THIRD_PARTY
    }
    assert not foreign


def test_imports_inside_the_package_are_relative():
    """So a copy of the folder works under another name."""
    assert not [
        f"{name}:{line}"
        for name in MODULES
        for line, level, imported in IMPORTS[name]
        if not level and package_of(imported) == "exactperm"
    ]


# ---------------------------------------------------------------------------------- text and errors

FRONT_ENDS = {"cli", "web", "display", "__main__", "verifier"}
"""What may name options and commands: the front ends, and the program that is handed to others. Style sheets of
pictures have variables that look like options."""

COMMANDS = [path.stem for path in (PACKAGE / "cli").glob("*.py")]
OPTION = re.compile(rf"(?<![\w-])--[a-z]|\bexactperm (?:{'|'.join(COMMANDS)})\b")


def text_of(tree):
    """(line, text) of every string that is no documentation: docstrings, and strings below a value."""
    documentation = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in documentation
        ):
            # colours of style sheets
            yield node.lineno, re.sub(r"--[a-z]+(?:: #|\))", "", node.value)


def options_named(tree):
    return [line for line, text in text_of(tree) if OPTION.search(text)]


def test_no_text_below_the_front_ends_names_an_option_or_a_command():
    found = {
        name: options_named(tree)
        for name, tree in MODULES.items()
        if package_of(name) not in FRONT_ENDS
    }
    assert not {name: lines for name, lines in found.items() if lines}
    planted = ["raise ValueError('say --id')", "advice = f'{x}: exactperm test {y}'"]
    assert all(options_named(ast.parse(text)) for text in planted)
    assert not options_named(ast.parse('"""Say --id."""\nx = "exactperm 0.2.0 | a -- b"'))


SEARCHES = {
    "partition",
    "rpartition",
    "split",
    "replace",
    "startswith",
    "endswith",
    "index",
    "find",
    "removeprefix",
}


def _is_text_of_error(node, names):
    """Whether an expression is str(error), or a part of an error's arguments."""
    if isinstance(node, ast.Subscript):
        return _is_text_of_error(node.value, names)
    if isinstance(node, ast.Attribute):
        return node.attr == "args" and getattr(node.value, "id", "") in names
    return (
        isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "str"
        and len(node.args) == 1
        and getattr(node.args[0], "id", "") in names
    )


def errors_searched(tree):
    """Lines where the text of an error is searched, split or compared."""
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler)}
    names |= {"error", "refusal", "refused", "failure"}
    for node in ast.walk(tree):
        searched = []
        if isinstance(node, ast.Compare):
            searched = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            searched = [node.func.value] if node.func.attr in SEARCHES else []
            searched += node.args if getattr(node.func.value, "id", "") == "re" else []
        if any(_is_text_of_error(part, names) for part in searched):
            yield node.lineno


FOREIGN = {"verifier", "files.tables"}
"""The program that is handed to others, and what reads the errors of the CSV reader, which have no
fields."""


def test_nobody_searches_the_text_of_an_error():
    found = {
        name: list(errors_searched(tree)) for name, tree in MODULES.items() if name not in FOREIGN
    }
    assert not {name: lines for name, lines in found.items() if lines}
    planted = [
        "str(error).partition(' Instead: ')",
        "'no field' in str(refused)",
        "re.sub('a', 'b', str(failure))",
    ]
    planted += [
        "try: f()\nexcept ValueError as e: g(str(e).split())",
        "error.args[0].startswith('x')",
    ]
    assert all(list(errors_searched(ast.parse(text))) for text in planted)
    assert not list(errors_searched(ast.parse("print(str(error)); str(number).partition('.')")))


# ----------------------------------------------------------------------------------- size and shape

LONGEST = {ast.ClassDef: 200, ast.FunctionDef: 50}
"""Most lines of code of a class and of a function; docstrings and blank lines do not count."""


LONG_SINCE_LINES_ARE_SHORTER = {
    *("compare_all", "exchange", "Session", "_inspect", "chosen", "ask", "_wide", "attainable"),
    *("Claim", "add_options", "Inversion", "Scan"),
}
"""What became long when lines became shorter: to be divided."""


def length(node, lines):
    documented = {
        line
        for inner in ast.walk(node)
        if isinstance(inner, tuple(LONGEST)) and ast.get_docstring(inner)
        for line in range(inner.body[0].lineno, inner.body[0].end_lineno + 1)
    }
    return sum(
        n not in documented and lines[n - 1].strip() != ""
        for n in range(node.lineno, node.end_lineno + 1)
    )


def long_definitions(text):
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if type(node) in LONGEST and length(node, lines) > LONGEST[type(node)]:
            yield f"{node.name} ({length(node, lines)} lines)"


def test_nothing_is_long():
    found = {
        path.name: list(long_definitions(path.read_text(encoding="utf-8")))
        for path in PACKAGE.rglob("*.py")
    }
    long = {told.split()[0] for names in found.values() for told in names}
    assert long <= LONG_SINCE_LINES_ARE_SHORTER
    assert list(long_definitions("def f():" + "\n x" * 50))
    assert not list(long_definitions("def f():\n '''a\n'''" + "\n x" * 49))


def test_no_generator_expression_is_unpacked():
    """PyPy replaces an error raised inside it by "cannot unpack non-iterable generator object"; a list keeps it."""
    assert not [
        f"{name}:{node.lineno}"
        for name, tree in MODULES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.GeneratorExp)
        and any(isinstance(target, (ast.Tuple, ast.List)) for target in node.targets)
    ]
