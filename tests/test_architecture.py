"""The law of the house, read from the syntax trees.

Imports point down only, without a cycle, type-only imports included, and to nothing outside the
standard library. Text for people names no options below the front ends; nobody searches the text of
an error; nothing is long.
"""

import ast
import re
import sys
from collections import Counter
from itertools import chain
from pathlib import Path

import pytest

import exactperm
from tests.sizes import LONGEST, PACKAGE, code_of, code_size
from tests.test_messages import sentence
from tests.wings import ABSENT, left_out, of_folder
from tests.wings import TESTS as TESTS_OF_WINGS

TESTS = Path(__file__).parent

# From the ground up. A module imports from its own package and from the lines above its own.
LAW = """
_types
errors
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
samples
classical compare
intervals
files
certificates
auditing testing sql
web
cli
__main__
"""
TOP = 28
"""Most entries of the package's own folder."""

LEVEL = {
    package: level
    for level, line in enumerate(LAW.strip().splitlines())
    for package in line.split()
}


MODULES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts): ast.parse(path.read_text("utf-8"))
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.name != "__init__.py"
}
"""Dotted name and syntax tree of every module, without the packages' own files."""


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


def law(broken, planted=(), fine="", allowed=()):
    """No module but those allowed breaks a law, all planted texts do, and a fine one does not.

    ``broken`` gives what breaks the law in a syntax tree.
    """
    found = {
        name: [*broken(tree)]
        for name, tree in MODULES.items()
        if not {name, package_of(name)} & {*allowed}
    }
    assert not {name: lines for name, lines in found.items() if lines}
    assert [text for text in planted if not [*broken(ast.parse(text))]] == []
    assert not [*broken(ast.parse(fine))]


def test_every_module_has_its_place_in_the_law():
    assert {package_of(name) for name in MODULES} == set(LEVEL) - {*ABSENT}


def test_the_top_floor_is_small():
    entries = {path.name for path in PACKAGE.iterdir()} - {
        "__pycache__",
        "__init__.pyi",
        "py.typed",
    }
    assert len(entries) <= TOP


# ------------------------------------------------------------------------------------------ imports

THIRD_PARTY = {
    ("record", "typing_extensions"),
    ("certificates.verify_scores", "verifier"),  # beside it, where both are copied
}
"""Imports from outside: inside functions, where the extra ``testing`` installs them, or for type
checkers alone."""


def misplaced(name):
    """Imports from beside or above, from outside the standard library, and of the package by its name.

    So a copy of the folder works under another name. Python 3.9 does not list its standard library.
    """
    for line, level, imported in IMPORTS[name]:
        package, own = package_of(imported), package_of(name)
        if level:
            wrong = imported and package != own and LEVEL[package] >= LEVEL[own]
        else:
            foreign = package not in getattr(sys, "stdlib_module_names", (package,))
            wrong = package == "exactperm" or (foreign and (name, package) not in THIRD_PARTY)
        if wrong:
            yield f"{name}:{line} imports {imported}"


def test_imports_point_down():
    assert not [wrong for name in MODULES for wrong in misplaced(name)]


def circle(graph):
    """Modules that import each other, none where all can be put in an order."""
    settled: set = set()
    while ready := {name for name in {*graph} - settled if graph[name] <= settled}:
        settled |= ready
    return sorted({*graph} - settled)


def test_no_cycle_inside_a_package():
    graph = {
        name: {imported for _line, level, imported in found if level and imported in MODULES}
        for name, found in IMPORTS.items()
    }
    assert circle(graph) == []
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["a", "b", "c"]


WINGS = {*TESTS_OF_WINGS}
WING_NAMED = re.compile(r"\.{1,2}(\w+)(\.\w+)*|(auditing|testing|web)(\.\w+)+")


def wings_used(tree, name="files.text"):
    """Wings that a module imports or names, but its own."""
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    named = [
        text.strip(".") for text in texts if isinstance(text, str) and WING_NAMED.fullmatch(text)
    ]
    used = {*map(package_of, [*named, *(each for *_, each in imports(name, tree) if each)])}
    return (used & WINGS) - {package_of(name)}


@pytest.mark.slow
def test_wings_fall_off():
    """auditing/, testing/ and web/ are imported by front ends alone, where a question needs them."""
    front = {"cli", *WINGS}
    planted = ["from ..auditing import judge", "import_module('..auditing.judge', __package__)"]
    law(wings_used, planted, allowed=front)
    for name in (name for name in MODULES if package_of(name) in WINGS - {"web"}):
        assert not wings_used(MODULES[name], name)


def test_tests_of_a_wing_are_in_its_folders():
    """So that they fall off with it; ``tests/wings.py`` runs what is left."""
    for path in TESTS.rglob("test_*.py"):
        named = re.findall(r"^\s*(?:from|import) exactperm\.(\w+)", path.read_text("utf-8"), re.M)
        allowed = of_folder(path.parent.name) if path.parent != TESTS else ()
        assert {*named} & WINGS <= {*allowed}, path


# ---------------------------------------------------------------------------------- text and errors

FRONT_ENDS = {"cli", "web", "display", "__main__", "certificates"}
"""What may name options and commands: the front ends, and the programs that are handed to others. Style sheets of
pictures have variables that look like options."""

COMMANDS = [path.stem for path in (PACKAGE / "cli").glob("*.py")]
OPTION = re.compile(
    r"(?<![\w-])--[A-Za-z]|(?:say|use|with|option) -[A-Za-z]\b"
    rf"|\bexactperm[`']*\s+(?:{'|'.join(COMMANDS)})\b"
)


def options_named(tree):
    """Lines of texts, but documentation, that name an option or a command."""
    nodes = [*ast.walk(tree)]
    documentation = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        text = isinstance(node, (ast.Constant, ast.JoinedStr, ast.BinOp)) and sentence(node)
        # without the colours of style sheets
        shown = re.sub(r"--[a-z]+(?:: #|\))", "", text or "")
        if id(node) not in documentation and OPTION.search(shown):
            yield getattr(node, "lineno", 0)


@pytest.mark.slow
def test_no_text_below_the_front_ends_names_an_option_or_a_command():
    planted = [
        "raise ValueError('say --id')",
        "advice = f'{x}: exactperm test {y}'",
        "advice = 'say -' + '-id'",
        "advice = '%s%s' % ('--', 'id')",
        "advice = 'say --ID'",
        "advice = 'say -v'",
        "advice = 'exactperm  compare'",
        r"advice = 'exactperm\ncompare'",
        "advice = '`exactperm` compare'",
    ]
    fine = '"""Say --id."""\nx = "exactperm 0.2.0 | a -- b"; f(a - b)'
    law(options_named, planted, fine, FRONT_ENDS)


SEARCHES = {
    *("partition", "rpartition", "split", "rsplit", "splitlines", "replace", "count", "index"),
    *("startswith", "endswith", "find", "rfind", "removeprefix", "removesuffix", "translate"),
    *("search", "match", "fullmatch", "findall", "finditer", "sub", "subn"),
}
"""Methods of texts and of patterns that look into a text."""
ERROR_NAMES = {"error", "refusal", "refused", "failure", "problem"}


class Errors:
    """Lines of a part of a module where the text of an error is searched, split or compared.

    Names of errors are those of handlers, of parameters annotated as errors, and usual ones. What
    is assigned from the text of an error counts as its text, throughout the part.
    """

    def __init__(self, tree):
        nodes = list(ast.walk(tree))
        handled = {node.name for node in nodes if isinstance(node, ast.ExceptHandler)}
        given = {
            node.arg
            for node in nodes
            if isinstance(node, ast.arg) and node.annotation is not None
            if re.search("Error|Exception", ast.unparse(node.annotation))
        }
        self.errors, self.texts = handled | given | ERROR_NAMES, set()
        assigned = [n for n in nodes if isinstance(n, (ast.Assign, ast.AnnAssign, ast.NamedExpr))]
        for node in [each for each in assigned if each.value] * 2:  # in any order
            if self.told(node.value):
                targets = getattr(node, "targets", None) or [node.target]
                self.texts |= {each.id for each in targets if isinstance(each, ast.Name)}
        self.lines = [node.lineno for node in nodes if self.searched(node)]

    def error(self, node):
        """Whether an expression is an error, or the cause of one."""
        if isinstance(node, ast.Attribute):
            return node.attr in ("__cause__", "__context__") and self.error(node.value)
        return getattr(node, "id", "") in self.errors

    def text(self, node):
        """Whether an expression is the text of an error."""
        if isinstance(node, ast.Attribute):
            return node.attr in ("args", "message") and self.error(node.value)
        if isinstance(node, ast.FormattedValue):
            return self.error(node.value)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            return any(map(self.error, getattr(node.right, "elts", [node.right])))
        if isinstance(node, ast.Call):
            makes = {getattr(node.func, "id", ""), getattr(node.func, "attr", "")}
            return makes & {"str", "repr", "format", "ascii"} and any(map(self.error, node.args))
        return getattr(node, "id", "") in self.texts

    def told(self, node):
        """Whether an expression is made from the text of an error."""
        parts = [node.func] if isinstance(node, ast.Call) else ast.iter_child_nodes(node)
        return self.text(node) or any(map(self.told, parts))

    def searched(self, node):
        if isinstance(node, ast.Compare):
            return any(map(self.told, [node.left, *node.comparators]))
        method = isinstance(node, ast.Call) and getattr(node.func, "attr", "") in SEARCHES
        return method and any(map(self.told, [node.func.value, *node.args]))


def errors_searched(tree):
    """One function at a time, so that a name is an error's text only where it was assigned one."""
    parts = [
        each
        for node in tree.body
        for each in (getattr(node, "body", ()) if isinstance(node, ast.ClassDef) else [node])
    ]
    return [line for part in parts for line in Errors(part).lines]


FOREIGN = {"certificates.verifier", "certificates.verify_scores", "auditing.claims_file"}
"""The program that is handed to others, and what reads the errors of the CSV reader, which have no
fields."""


@pytest.mark.slow
def test_nobody_searches_the_text_of_an_error():
    planted = [
        "str(error).partition(' Instead: ')",
        "'no field' in str(refused)",
        "re.sub('a', 'b', str(failure))",
        "try: f()\nexcept ValueError as e: g(str(e).split())",
        "error.args[0].startswith('x')",
        "def f():\n text = str(error)\n if 'x' in text: pass",
        "'x' in f'{error}'",
        "'x' in '%s' % error",
        "'x' in '%s%s' % (1, error)",
        "repr(error) == 'x'",
        "'{}'.format(error).find('x')",
        "str(error).strip().endswith('x')",
        "'x' in str(error.__cause__)",
        "PATTERN.search(str(error))",
        "def f(wrong: ValueError): return 'x' in str(wrong)",
        "class A:\n def f(self):\n  told = f'{problem}'\n  return told == 'x'",
        "error.message.split()",
    ]
    fine = "print(str(error)); str(number).partition('.'); error.code == 'x'; 'x' in number"
    law(errors_searched, planted, fine, FOREIGN)


def generators_unpacked(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.GeneratorExp):
            yield from (each for each in node.targets if isinstance(each, (ast.Tuple, ast.List)))


@pytest.mark.slow
def test_no_generator_expression_is_unpacked():
    """PyPy replaces an error raised inside it by "cannot unpack non-iterable generator object"; a list keeps it."""
    law(generators_unpacked, ["a, b = (x for x in y)"], "a, b = [x for x in y]")


# ---------------------------------------------------------------------------------------------- size

SIZE = {
    "exactperm": {
        "null": 15_860,  # what a refusal knows, for who has no more time
        **{"arithmetic": 13_450, "intervals": 7_150, "montecarlo": 8_090},
        # circles, for who has real scores of few items or of two samples; less memory, for a million pairs;
        # windows of numbers chosen, for who has thousands of observations
        "certified": 30_150,
        # unpaired samples, strata and sums of steps, for who compares different items
        # strata of real scores, for who compares different items; the product tree for one count, for who has many runs
        "counting": 21_700,
        "swaps": 13_850,  # draws, for real scores of many runs; lines of papers
        "display": 4_800,  # bins, for who draws scores of many decimals
        **{".": 13_930, "classical": 4_180},  # power, for who plans a test of gains and losses
        "files": 24_787,  # two samples in files, for who compares different items
        **{"certificates": 5_480, "cli": 10_150},
        # long fractions, for who answers exactly with thousands of pairs
        **{"auditing": 35_900, "testing": 7_975, "web": 4_956},
    },
    "tests": {
        "swaps": 13_010,  # labels in another order, for who has them
        "arithmetic": 18_655,
        "certified": 28_890,  # sums of drawn values, for who has real scores of many runs; marks of slow tests
        "counting": 20_110,  # enumeration by name, for who holds other programs against the definition
        "null": 16_080,
        **{"intervals": 4_450, "montecarlo": 9_745, "display": 7_982},
        "files": 10_823,  # every refusal, for who has a file that is asked about
        **{".": 62_094, "cli": 10_357, "fuzz": 9_172},
        "adapters": 2_365,  # mannwhitneyu, for maintainers of SciPy
        # Mann-Whitney and strata, for authors of tests of unpaired samples; campaigns
        # audits end to end in quick tests, for whose number is judged; the page with the kept answers, for who uses it
        # true numbers of SAS, in stars, in families and beside tables of any unit, for their authors
        **{"auditing": 25_600, "factory": 24_246, "testing": 9_981, "web": 13_591},
    },
}
"""The ratchet: code tokens of each folder, without blanks, comments and docstrings.

A number only falls. Whoever has to raise one names, in the same line, the user whom it serves.
"""
SLACK = 1.02
DENSEST = 10
"""Most tokens of a line of code of the package, in the mean."""
MODULES_AT_MOST = 174


def test_size_of_code():
    text = '"""Text."""\n\n# note\ndef f(x):\n    """Text."""\n    return x + 1\n'
    assert code_size(text) == (2, 10)
    assert [*long_definitions(*code_of("def f():" + "\n x" * 50))]
    assert not [*long_definitions(*code_of('def f():\n """a\n"""' + "\n x" * 49))]


def long_definitions(tree, tokens):
    """Names of what has more lines of code than it may have."""
    code = {*chain(*tokens)}
    for node in ast.walk(tree):
        if type(node) in LONGEST:
            lines = range(getattr(node, "lineno", 1), getattr(node, "end_lineno", 10**6) + 1)
            if len(code.intersection(lines) if len(lines) < 10**6 else code) > LONGEST[type(node)]:
                yield getattr(node, "name", "module")


@pytest.mark.slow
@pytest.mark.parametrize("root", [PACKAGE, TESTS], ids=["exactperm", "tests"])
def test_the_ratchet(root):
    """Each folder has at most its share of code tokens, and 2% more; the package has no dense or long parts."""
    found, lines, long, files = Counter(), 0, set(), sorted(root.rglob("*.py"))
    for path in files:
        folder, *rest = path.relative_to(root).parts
        tree, tokens = code_of(path.read_text("utf-8"))
        found[folder if rest else "."] += len(tokens)
        if root == PACKAGE:
            lines += len({*chain(*tokens)})
            long |= {*long_definitions(tree, tokens)}
    allowed = SIZE[root.name]
    away = {*ABSENT} if root == PACKAGE else left_out(ABSENT)
    assert found.keys() | away == allowed.keys()
    grown = {folder: n for folder, n in found.items() if n > allowed[folder] * SLACK}
    assert not grown, "a number of SIZE is raised only with the user whom it serves"
    assert not long
    if root == PACKAGE:
        assert sum(found.values()) <= DENSEST * lines
        assert len(files) <= MODULES_AT_MOST


# ------------------------------------------------------------------------------- names and settings


def types_of(tree):
    """Names of classes, and of aliases, at the top of a module."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript):
            yield from (each.id for each in node.targets if isinstance(each, ast.Name))


def ambiguous(trees):
    names = Counter(each for tree in trees for each in types_of(tree))
    return {each for each, n in names.items() if n > 1 and each[0].isupper() and not each.isupper()}


def test_no_name_of_a_type_has_two_meanings():
    assert not ambiguous(MODULES.values())
    planted = "class Column: pass", "Column = tuple[int, str]", "X = dict[int, int]"
    assert ambiguous(map(ast.parse, planted)) == {"Column"}


SETTINGS = {"groups", "weights", "tasks", "decimals", "runs", "design"}
"""What a user says of his data: swaps/ turns it into units, once."""
AFTER_THE_DOOR = {
    *("null", "counting", "display", "certified", "compare", "montecarlo", "intervals"),
}
"""Packages and modules in which nothing but what users call has a parameter of these names."""


def settings_taken(tree):
    """Parameters that are settings, but those of public functions and of methods of results."""
    results = [each for each in tree.body if getattr(each, "name", "") in exactperm.__all__]
    doors = [method for each in results if isinstance(each, ast.ClassDef) for method in each.body]
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)) and node not in [*doors, *results]:
            given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            yield from ((each.lineno, each.arg) for each in given if each.arg in SETTINGS)


@pytest.mark.slow
def test_settings_end_at_the_door():
    planted = ["def f(groups): pass", "def f(*, design=None): pass", "g = lambda weights: 1"]
    law(settings_taken, planted, allowed={*map(package_of, MODULES)} - AFTER_THE_DOOR)


GUIDES = {"cli", "record", "files.checks"}
"""What may read docstrings: the guide to the library, and what hands them on."""


def docstrings_read(tree):
    for node in ast.walk(tree):
        read = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
        if (read and node.attr == "__doc__") or getattr(node, "attr", "") == "getdoc":
            yield node.lineno


@pytest.mark.slow
def test_a_docstring_is_not_data():
    """A wrapper that hands on a docstring (``self.__doc__ = function.__doc__``) reads none."""
    law(docstrings_read, ["f.__doc__.split()", "inspect.getdoc(f)"], "f.__doc__ = 'x'", GUIDES)


ANY, STARRED = 174, 37
"""Most uses of ``Any``, and of keyword arguments handed on as one mapping."""


def starred(tree):
    """Calls with ``**name`` or ``**object.name``, which hide from the reader what they pass."""
    return sum(
        keyword.arg is None and isinstance(keyword.value, (ast.Name, ast.Attribute))
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
    )


@pytest.mark.slow
def test_types_say_what_is_passed():
    uses = sum(
        getattr(node, "id", "") == "Any" for tree in MODULES.values() for node in ast.walk(tree)
    )
    assert uses <= ANY
    assert sum(map(starred, MODULES.values())) <= STARRED
    assert starred(ast.parse("f(**about); f(**self.about); f(a=1, **{'b': 2})")) == 2
