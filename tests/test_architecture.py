"""The law of the house, read from the syntax trees.

Imports point down only, without a cycle, type-only imports included, and to nothing outside the
standard library. Text for people names no options below the front ends; nobody searches the text of
an error; nothing is long.
"""

import ast
import functools
import io
import re
import sys
import tokenize
from pathlib import Path

import pytest

import exactperm
from tests.wings import ABSENT, left_out, of_folder
from tests.wings import TESTS as TESTS_OF_WINGS

PACKAGE = Path(exactperm.__file__).parent
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
    assert {package_of(name) for name in MODULES} == set(LEVEL) - {*ABSENT}


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


THIRD_PARTY = {
    ("record", "typing_extensions"),
    ("certificates.verify_scores", "verifier"),  # beside it, where both are copied
}
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

FRONT_ENDS = {"cli", "web", "display", "__main__", "certificates"}
"""What may name options and commands: the front ends, and the programs that are handed to others. Style sheets of
pictures have variables that look like options."""

COMMANDS = [path.stem for path in (PACKAGE / "cli").glob("*.py")]
OPTION = re.compile(
    r"(?<![\w-])--[A-Za-z]|(?:say|use|with|option) -[A-Za-z]\b"
    rf"|\bexactperm[`']*\s+(?:{'|'.join(COMMANDS)})\b"
)


def joined(node):
    """The text of constants that are added, formatted by ``%`` or part of an f-string."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else "0"
    if isinstance(node, ast.JoinedStr):
        return "".join(map(joined, node.values))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return joined(node.left) + joined(node.right)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
        texts = iter(list(map(joined, values)))
        return re.sub("%[a-z]", lambda _: next(texts, "0"), joined(node.left))
    return "{}"


def text_of(tree):
    """(line, text) of every string that is no documentation: docstrings, and strings below a value."""
    documentation = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, (ast.Constant, ast.JoinedStr, ast.BinOp)) and (
            id(node) not in documentation
        ):
            # without the colours of style sheets
            yield getattr(node, "lineno", 0), re.sub(r"--[a-z]+(?:: #|\))", "", joined(node))


def options_named(tree):
    return [line for line, text in text_of(tree) if OPTION.search(text)]


@pytest.mark.slow
def test_no_text_below_the_front_ends_names_an_option_or_a_command():
    found = {
        name: options_named(tree)
        for name, tree in MODULES.items()
        if package_of(name) not in FRONT_ENDS
    }
    assert not {name: lines for name, lines in found.items() if lines}
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
    assert [text for text in planted if not options_named(ast.parse(text))] == []
    assert not options_named(ast.parse('"""Say --id."""\nx = "exactperm 0.2.0 | a -- b"; f(a - b)'))


SEARCHES = {
    *("partition", "rpartition", "split", "rsplit", "splitlines", "replace", "count", "index"),
    *("startswith", "endswith", "find", "rfind", "removeprefix", "removesuffix", "translate"),
    *("search", "match", "fullmatch", "findall", "finditer", "sub", "subn"),
}
"""Methods of texts and of patterns that look into a text."""
ERROR_NAMES = {"error", "refusal", "refused", "failure", "problem"}


class Errors(ast.NodeVisitor):
    """Lines of a module where the text of an error is searched, split or compared.

    Names of errors are those of handlers, of parameters annotated as errors, and usual ones. What
    is assigned from the text of an error counts as its text, throughout the function.
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
        self.errors, self.texts, self.lines = handled | given | ERROR_NAMES, set(), []
        known = -1
        while len(self.texts) > known:
            known = len(self.texts)
            for node in nodes:
                value = getattr(node, "value", None)
                assigns = isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr))
                if assigns and value and self.told(value):
                    targets = getattr(node, "targets", None) or [node.target]
                    self.texts |= {each.id for each in targets if isinstance(each, ast.Name)}
        self.visit(tree)

    def error(self, node):
        """Whether an expression is an error, or the cause of one."""
        if isinstance(node, ast.Attribute):
            return node.attr in ("__cause__", "__context__") and self.error(node.value)
        return getattr(node, "id", "") in self.errors

    def told(self, node):
        """Whether an expression is the text of an error, or made from it."""
        if isinstance(node, ast.Name):
            return node.id in self.texts
        if isinstance(node, ast.Subscript):
            return self.told(node.value)
        if isinstance(node, ast.FormattedValue):
            return self.told(node.value) or self.error(node.value)
        if isinstance(node, ast.Attribute):
            return node.attr in ("args", "message") and self.error(node.value)
        if isinstance(node, ast.JoinedStr):
            return any(map(self.told, node.values))
        if isinstance(node, ast.BinOp):
            parts = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
            formats = isinstance(node.op, ast.Mod) and any(map(self.error, parts))
            return formats or any(map(self.told, [node.left, *parts]))
        if isinstance(node, ast.Call):
            of_error = any(map(self.error, node.args))
            makes = getattr(node.func, "id", "") in ("str", "repr", "format", "ascii")
            formats = getattr(node.func, "attr", "") == "format"
            inner = isinstance(node.func, ast.Attribute) and self.told(node.func.value)
            return ((makes or formats) and of_error) or inner
        return False

    def visit_Compare(self, node):
        if any(map(self.told, [node.left, *node.comparators])):
            self.lines.append(node.lineno)
        self.generic_visit(node)

    def visit_Call(self, node):
        searches = getattr(node.func, "attr", "") in SEARCHES
        if searches and any(map(self.told, [node.func.value, *node.args])):
            self.lines.append(node.lineno)
        self.generic_visit(node)


def errors_searched(tree):
    """One function at a time, so that a name is an error's text only where it was assigned one."""
    scopes = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    rest = ast.Module([node for node in tree.body if node not in scopes], [])
    methods = [inner for node in scopes for inner in getattr(node, "body", [])]
    parts = [node for node in scopes if isinstance(node, ast.FunctionDef)]
    parts += [node for node in methods if isinstance(node, ast.FunctionDef) and node not in parts]
    return [line for part in (rest, *parts) for line in Errors(part).lines]


FOREIGN = {"certificates.verifier", "certificates.verify_scores", "auditing.claims_file"}
"""The program that is handed to others, and what reads the errors of the CSV reader, which have no
fields."""


@pytest.mark.slow
def test_nobody_searches_the_text_of_an_error():
    found = {name: errors_searched(tree) for name, tree in MODULES.items() if name not in FOREIGN}
    assert not {name: lines for name, lines in found.items() if lines}
    planted = [
        "str(error).partition(' Instead: ')",
        "'no field' in str(refused)",
        "re.sub('a', 'b', str(failure))",
        "try: f()\nexcept ValueError as e: g(str(e).split())",
        "error.args[0].startswith('x')",
        "text = str(error)\nif 'x' in text: pass",
        "'x' in f'{error}'",
        "'x' in '%s' % error",
        "'x' in '%s%s' % (1, error)",
        "repr(error) == 'x'",
        "'{}'.format(error).find('x')",
        "str(error).count('x')",
        "str(error).splitlines()",
        "str(error).strip().endswith('x')",
        "'x' in str(error.__cause__)",
        "PATTERN.search(str(error))",
        "def f(wrong: ValueError): return 'x' in str(wrong)",
        "class A:\n def f(self):\n  told = f'{problem}'\n  return told == 'x'",
        "error.message.split()",
    ]
    assert [text for text in planted if not errors_searched(ast.parse(text))] == []
    fine = "print(str(error)); str(number).partition('.'); error.code == 'x'; 'x' in number"
    assert not errors_searched(ast.parse(fine))


# ----------------------------------------------------------------------------------- size and shape

LONGEST = {ast.ClassDef: 200, ast.FunctionDef: 50}
"""Most lines of code of a class and of a function; docstrings and blank lines do not count."""


LONG_SINCE_LINES_ARE_SHORTER = {
    *("attainable", "Inversion"),
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


@pytest.mark.slow
def test_nothing_is_long():
    found = {
        path.name: list(long_definitions(path.read_text(encoding="utf-8")))
        for path in PACKAGE.rglob("*.py")
    }
    long = {told.split()[0] for names in found.values() for told in names}
    assert long <= LONG_SINCE_LINES_ARE_SHORTER
    assert list(long_definitions("def f():" + "\n x" * 50))
    assert not list(long_definitions("def f():\n '''a\n'''" + "\n x" * 49))


@pytest.mark.slow
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


# ---------------------------------------------------------------------------------------------- size

SIZE = {
    "exactperm": {
        "null": 15_960,
        **{"arithmetic": 13_450, "intervals": 7_190, "montecarlo": 8_260},
        # circles, for who has real scores of few items or of two samples; less memory, for a million pairs
        "certified": 29_598,
        # unpaired samples, strata and sums of steps, for who compares different items
        "counting": 21_420,
        "swaps": 14_600,  # draws, for real scores of many runs; lines of papers
        "display": 4_800,  # bins, for who draws scores of many decimals
        **{".": 13_930, "classical": 4_180},  # power, for who plans a test of gains and losses
        "files": 24_790,  # two samples in files, for who compares different items
        **{"certificates": 5_480, "cli": 10_150},
        # long fractions, for who answers exactly with thousands of pairs
        **{"auditing": 38_880, "testing": 8_000, "web": 4_980},
    },
    "tests": {
        "swaps": 15_350,  # labels in another order, for who has them
        "arithmetic": 21_930,
        "certified": 34_162,  # sums of drawn values, for who has real scores of many runs; marks of slow tests
        "counting": 23_700,  # enumeration by name, for who holds other programs against the definition
        "null": 20_470,  # pools of unpaired samples
        **{"intervals": 5_430, "montecarlo": 11_240, "display": 9_100},
        "files": 11_990,  # every refusal, for who has a file that is asked about
        **{".": 77_368, "cli": 14_150, "fuzz": 12_100},
        "adapters": 2_487,  # mannwhitneyu, for maintainers of SciPy
        # Mann-Whitney and strata, for authors of tests of unpaired samples; campaigns
        # audits end to end in quick tests, for whose number is judged; the page with the kept answers, for who uses it
        **{"auditing": 28_450, "factory": 26_477, "testing": 11_780, "web": 15_550},
    },
}
"""The ratchet: code tokens of each folder, without blanks, comments and docstrings.

A number only falls. Whoever has to raise one names, in the same line, the user whom it serves.
"""
SLACK = 1.02
DENSEST = 10
"""Most tokens of a line of code of the package, in the mean."""
MODULES_AT_MOST = 177
LONGEST_MODULE = 350
"""Most lines of code of a module."""

NO_CODE = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENDMARKER, tokenize.ENCODING),
}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)


def code_size(text):
    """(lines, tokens) of code: no blanks, comments and docstrings."""
    documentation, lines, tokens = set(), set(), 0
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
            documentation |= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NO_CODE and token.start[0] not in documentation:
            lines |= set(range(token.start[0], token.end[0] + 1))
            tokens += 1
    return len(lines), tokens


def test_size_of_code():
    assert code_size('"""Text."""\n\n# note\ndef f(x):\n    """Text."""\n    return x + 1\n') == (
        2,
        10,
    )


@functools.cache
def sizes(root):
    """{folder: [(file, lines, tokens), ...]} below a root; "." are the files of the root itself."""
    found = {}
    for path in sorted(root.rglob("*.py")):
        folder, *rest = path.relative_to(root).parts
        size = code_size(path.read_text(encoding="utf-8"))
        found.setdefault(folder if rest else ".", []).append((path.name, *size))
    return found


@pytest.mark.parametrize("root", [PACKAGE, TESTS], ids=["exactperm", "tests"])
def test_the_ratchet(root):
    """Each folder has at most its share of code tokens, and 2% more."""
    found = {folder: sum(tokens for *_, tokens in files) for folder, files in sizes(root).items()}
    allowed = SIZE[root.name]
    away = {*ABSENT} if root == PACKAGE else left_out(ABSENT)
    assert found.keys() | away == allowed.keys()
    grown = {folder: n for folder, n in found.items() if n > allowed[folder] * SLACK}
    assert not grown, "a number of SIZE is raised only with the user whom it serves"


def test_code_is_not_dense():
    files = [file for folder in sizes(PACKAGE).values() for file in folder]
    assert sum(tokens for *_, tokens in files) <= DENSEST * sum(lines for _, lines, _ in files)
    assert len(files) <= MODULES_AT_MOST
    assert not {name: lines for name, lines, _ in files if lines > LONGEST_MODULE}


# ---------------------------------------------------------------------------------------------- names


def types_of(tree):
    """Names of classes, and of aliases, at the top of a module."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript):
            yield from (each.id for each in node.targets if isinstance(each, ast.Name))


def ambiguous(trees):
    homes = {}
    for name, tree in trees.items():
        for each in types_of(tree):
            if each[0].isupper() and not each.isupper():
                homes.setdefault(each, []).append(name)
    return {each: found for each, found in homes.items() if len(found) > 1}


def test_no_name_of_a_type_has_two_meanings():
    assert not ambiguous(MODULES)
    planted = {
        "a": "class Column: pass",
        "b": "Column = tuple[int, str]",
        "c": "X = dict[int, int]",
    }
    assert ambiguous({name: ast.parse(text) for name, text in planted.items()}) == {
        "Column": ["a", "b"]
    }


# ---------------------------------------------------------------------------------------------- wings

WINGS = {*TESTS_OF_WINGS}
FRONT_OF_WINGS = {"cli", "web"}


def wings_used(name, tree):
    """Wings that a module below the command line, or of another wing, imports or names."""
    own = package_of(name)
    named = {
        node.value.strip(".").split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if re.fullmatch(r"\.{1,2}(\w+)(\.\w+)*|(auditing|testing|web)(\.\w+)+", node.value)
    }
    return (({package_of(each) for *_, each in imports(name, tree) if each} | named) & WINGS) - {
        own
    }


def test_wings_fall_off():
    """auditing/, testing/ and web/ are imported by front ends alone, where a question needs them."""
    found = {name: wings_used(name, tree) for name, tree in MODULES.items()}
    assert not {
        n: used for n, used in found.items() if used and package_of(n) not in FRONT_OF_WINGS
    }
    planted = ["from ..auditing import judge", "import_module('..auditing.judge', __package__)"]
    assert all(wings_used("files.text", ast.parse(text)) for text in planted)
    assert not wings_used("auditing.claim", ast.parse("from ..auditing import judge"))


def test_tests_of_a_wing_are_in_its_folders():
    """So that they fall off with it; ``tests/wings.py`` runs what is left."""
    for path in TESTS.rglob("test_*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = {f"{each}." for _line, level, each in imports("", tree) if not level}
        used = {wing for wing in WINGS if any(f"exactperm.{wing}." in each for each in named)}
        allowed = of_folder(path.parent.name) if path.parent != TESTS else ()
        assert used <= {*allowed}, path


# ------------------------------------------------------------------------------------------- settings

SETTINGS = {"groups", "weights", "tasks", "decimals", "runs", "design"}
"""What a user says of his data: swaps/ turns it into units, once."""
AFTER_THE_DOOR = {
    *("null", "counting", "display", "certified", "compare", "montecarlo", "intervals"),
}
"""Packages and modules in which nothing but what users call has a parameter of these names."""


def settings_taken(tree):
    """(line, name) of parameters that are settings, but those of public functions and of methods of results."""
    results = [each for each in tree.body if getattr(each, "name", "") in exactperm.__all__]
    doors = [method for each in results if isinstance(each, ast.ClassDef) for method in each.body]
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)) and node not in doors:
            given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            if getattr(node, "name", "") not in exactperm.__all__:
                yield from ((each.lineno, each.arg) for each in given if each.arg in SETTINGS)


def test_settings_end_at_the_door():
    found = {
        name: list(settings_taken(tree))
        for name, tree in MODULES.items()
        if package_of(name) in AFTER_THE_DOOR
    }
    assert not {name: taken for name, taken in found.items() if taken}
    planted = ["def f(groups): pass", "def f(*, design=None): pass", "g = lambda weights: 1"]
    assert all(list(settings_taken(ast.parse(text))) for text in planted)


# ---------------------------------------------------------------------------------------------- data

GUIDES = {"cli"}
"""What may read docstrings: the guide to the library."""


def docstrings_read(tree):
    return [
        node.lineno
        for node in ast.walk(tree)
        if (
            isinstance(node, ast.Attribute)
            and node.attr == "__doc__"
            and isinstance(node.ctx, ast.Load)
        )
        or (isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "getdoc")
    ]


def test_a_docstring_is_not_data():
    """A wrapper that hands on a docstring (``self.__doc__ = function.__doc__``) reads none."""
    found = {
        name: docstrings_read(tree)
        for name, tree in MODULES.items()
        if package_of(name) not in GUIDES | {"record"} and name != "files.checks"
    }
    assert not {name: lines for name, lines in found.items() if lines}
    assert all(map(docstrings_read, map(ast.parse, ["f.__doc__.split()", "inspect.getdoc(f)"])))


ANY, STARRED = 498, 87
"""Most uses of ``Any``, and of keyword arguments handed on as one mapping."""


def starred(tree):
    """Calls with ``**name`` or ``**object.name``, which hide from the reader what they pass."""
    return sum(
        keyword.arg is None and isinstance(keyword.value, (ast.Name, ast.Attribute))
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
    )


def test_types_say_what_is_passed():
    uses = sum(
        getattr(node, "id", "") == "Any" for tree in MODULES.values() for node in ast.walk(tree)
    )
    assert uses <= ANY
    assert sum(map(starred, MODULES.values())) <= STARRED
    assert starred(ast.parse("f(**about); f(**self.about); f(a=1, **{'b': 2})")) == 2
