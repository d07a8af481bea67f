"""No pattern and no list of words judges the name of a column: a law over the syntax trees of the package.

A value is a name where it is called so, or comes from one. No name meets a text that the code holds: not in a
comparison, not as the subject of a pattern, not as the argument of a method such as ``startswith``.
"""

import ast
import re
from pathlib import Path

import pytest

import exactperm

FOLDER = Path(exactperm.__file__).parent / "files"
NAMES = {"name", "names", "title", "heading", "header", "column", "word", "words", "head"}
"""What names of columns are called: variables and attributes, and what is made from them."""

SETTINGS = {"reading", "said", "self", "field", "facts", "form", "args", "asked"}
"""Objects with fields of these names that are no columns: settings, and the names of statistics."""

METHODS = {"startswith", "endswith", "find", "index", "count", "removeprefix", "removesuffix"}


def is_name(node, names):
    """Whether an expression is the name of a column, or made from one."""
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.Attribute):
        owner = node.value.id if isinstance(node.value, ast.Name) else ""
        return node.attr in NAMES and owner not in SETTINGS
    if isinstance(node, ast.Subscript):
        return is_name(node.value, names)
    if isinstance(node, ast.Call):
        made = node.func.value if isinstance(node.func, ast.Attribute) else None
        of_table = isinstance(node.func, ast.Attribute) and node.func.attr in {"title", "word"}
        return of_table or (made is not None and is_name(made, names))
    return False


def holds_text(node, constants):
    """Whether an expression is a text that the code holds, or a collection of such."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and len(node.value) > 1
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return any(holds_text(entry, constants) for entry in node.elts)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in {"frozenset", "set", "tuple"} and any(
            holds_text(argument, constants) for argument in node.args
        )
    return isinstance(node, ast.Name) and node.id in constants


def judged(tree):
    """The lines where the name of a column meets a text or a pattern."""
    constants = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign) and (holds_text(node.value, ()) or is_pattern(node.value))
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for function in ast.walk(tree):
        if isinstance(function, (ast.FunctionDef, ast.Lambda)):
            nodes, known = [*ast.walk(function)], function.args
            names = {one.arg for one in (*known.args, *known.kwonlyargs)} & NAMES
            for loop in nodes:
                if isinstance(loop, (ast.comprehension, ast.For)) and is_name(loop.iter, names):
                    names |= {getattr(loop.target, "id", "")}
            yield from (node.lineno for node in nodes if meets(node, names, constants))


def is_pattern(node):
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile"


def meets(node, names, constants):
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        return any(is_name(side, names) for side in sides) and any(
            holds_text(side, constants) for side in sides
        )
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    if ast.unparse(node.func).startswith("re.") or (
        isinstance(node.func.value, ast.Name) and node.func.value.id in constants
    ):
        return any(is_name(argument, names) for argument in node.args)
    if node.func.attr in METHODS and is_name(node.func.value, names):
        return any(holds_text(argument, constants) for argument in node.args)
    return False


# Names of files and settings, and of systems in a spreadsheet: no columns are chosen by them.
NO_COLUMNS = {
    "saving.py": 2,
    "leaderboards.py": 1,
    "reading.py": 1,
    "sources.py": 1,
}


@pytest.mark.slow
def test_no_name_of_a_column_is_judged():
    found = {
        path.name: [*judged(ast.parse(path.read_text(encoding="utf-8")))]
        for path in sorted(FOLDER.glob("*.py"))
    }
    found = {name: lines for name, lines in found.items() if len(lines) > NO_COLUMNS.get(name, 0)}
    assert not found


def test_planted_judgements_are_seen():
    for planted in (
        "def f(name): return name == 'id'",
        "def f(name): return name.lower() in ('id', 'item')",
        "KNOWN = frozenset(('id', 'item'))\ndef f(table, i): return table.names[i] in KNOWN",
        "def f(table, i): return table.title(i).startswith('doc')",
        "def f(name): return re.fullmatch('id|item', name) is not None",
        "P = re.compile('id|item')\ndef f(table): return [P.search(name) for name in table.names]",
        "def f(table): return [i for i, _ in enumerate(table.names) if table.word(i) == 'score']",
        "def f(table):\n    for each in table.names:\n        if each in {'mean', 'total'}: return True",
    ):
        assert [*judged(ast.parse(planted))], planted


def test_patterns_are_of_cells_and_lines():
    """Patterns are used by the stages that read texts and cells, by no stage that knows columns."""
    found = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.py")}
    users = {name for name, code in found.items() if re.search(r"(?m)^ *(import|from) re\b", code)}
    stages = "reading.py json_text.py leaderboards.py logs.py table.py sources.py"
    assert users <= {*stages.split()}
