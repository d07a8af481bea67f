"""The checker of the specification finds what it should: on a project of one module, and on the real list."""

import json
from pathlib import Path

import pytest

from spec import calls, check, definitions, model, table

ROOT = Path(__file__).parent.parent

MODULE = '''"""Arithmetic."""

LIMIT = 3
"""The limit. Source: id own-limit."""


def double(n):
    """Twice n. Source: Eq. 7; ids eq-7, own-double."""
    return 2 * n


class Pair:
    """Two numbers. Source: id own-pair."""

    def __init__(self, a, b):
        self.a, self.b = a, b

    def total(self):
        """Their sum."""
        return self.a + self.b


class Root:
    """Nothing of its own."""


class Shifted(Pair):
    """A pair, moved by a method that knows its class. Source: id own-shifted."""

    def total(self):
        """Their sum, moved."""
        return super().total() + 1

    @classmethod
    def zero(cls):
        """The pair of zeros."""
        return cls(0, 0)
'''
STUB = "from exactperm.arithmetic import Pair as Pair, double as double\n"
TESTS = """import pytest
from exactperm.arithmetic import Pair, Shifted, double


@pytest.mark.parametrize("n", [1, 2])
def test_double(n):
    assert double(n) == n + n


class TestPairs:
    def test_total(self):
        assert Pair(1, 2).total() == 3

    def test_shifted(self):
        assert Shifted.zero().total() == 1
"""


def entry(name, functions, tests, **changes):
    return {
        "id": name,
        "number": "Eq. 7",
        "source": "own" if name.startswith("own") else "paper",
        "place": "section 1",
        "statement": "Twice n is n + n | whatever n is.",
        "functions": [f"exactperm.{name}" for name in functions],
        "tests": [f"tests/test_arithmetic.py::{name}" for name in tests],
        "status": "implemented",
        "page": "page.md",
        **changes,
    }


ITEMS = [
    entry("eq-7", ["arithmetic.double"], ["test_double"]),
    entry("own-double", ["arithmetic.double"], ["test_double"], status="improved", note="faster"),
    entry("own-pair", ["arithmetic.Pair", "arithmetic.Pair.total"], ["TestPairs::test_total"]),
    entry("own-shifted", ["arithmetic.Shifted.total", "arithmetic.Shifted.zero"], ["TestPairs::test_shifted"]),
    entry("own-limit", [], [], status="planned"),
    entry("fn-1", [], [], status="out of scope", note="a remark"),
]


@pytest.fixture
def project(tmp_path):
    """A project of one module, in which everything agrees."""
    for folder in ("exactperm", "tests", "spec"):
        (tmp_path / folder).mkdir()
    (tmp_path / "exactperm" / "__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "exactperm" / "__init__.pyi").write_text(STUB, encoding="utf-8")
    (tmp_path / "exactperm" / "arithmetic.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "tests" / "test_arithmetic.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "spec" / "page.md").write_text(
        "".join(f'## Eq. <a id="{item["id"]}"></a>\n' for item in ITEMS), encoding="utf-8"
    )
    (tmp_path / "spec" / "README.md").write_text(f"Table\n{table.BEGIN}\n{table.END}\nend\n", encoding="utf-8")
    save(tmp_path, ITEMS)
    check.write(tmp_path)
    return tmp_path


def save(project, items, exempt=()):
    data = {"items": items, "exempt": dict(exempt)}
    (project / "spec" / "items.json").write_text(json.dumps(data), encoding="utf-8")


def changed(position, **changes):
    items = [dict(item) for item in ITEMS]
    items[position].update(changes)
    return items


def replace(project, file, old, new):
    path = project / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def found(project, items=None, **options):
    if items is not None:
        save(project, items)
        check.write(project)
    return "\n".join(check.problems(project, **options))


# ------------------------------------------------------------------------------------- what reading finds


def test_the_project_agrees(project, capsys):
    assert check.main(["--root", str(project)]) == 0
    assert "6 statements agree" in capsys.readouterr().out
    assert check.main(["--root", str(project), "--strict", "--quick"]) == 1
    assert "own-limit: only planned" in capsys.readouterr().out


def test_a_renamed_function(project):
    replace(project, "exactperm/arithmetic.py", "def double", "def doubled")
    problems = found(project, quick=True)
    assert "eq-7: no function exactperm.arithmetic.double" in problems
    assert "exactperm.arithmetic.doubled cites eq-7, whose entry does not name it" in problems


def test_a_renamed_test(project):
    replace(project, "tests/test_arithmetic.py", "def test_total", "def test_sum")
    assert "own-pair: no test tests/test_arithmetic.py::TestPairs::test_total" in found(project, quick=True)


def test_a_misspelt_identifier(project):
    replace(project, "exactperm/arithmetic.py", "own-pair", "own-pear")
    problems = found(project, quick=True)
    assert "exactperm.arithmetic.Pair cites own-pear, which is no id" in problems
    assert "own-pair: the docstring of exactperm.arithmetic.Pair does not cite it" in problems


def test_a_public_name_without_an_entry(project):
    replace(project, "exactperm/__init__.pyi", "import Pair", "import Root as Root, Pair")
    assert found(project, quick=True) == "exactperm.arithmetic.Root is public, but in no entry"
    save(project, ITEMS, {"exactperm.arithmetic.Root": "it holds nothing"})
    assert found(project, quick=True) == ""
    replace(project, "exactperm/arithmetic.py", "class Root", "class Branch")
    assert found(project, quick=True) == "exactperm.arithmetic.Root is public, but nowhere defined"
    save(project, ITEMS, {"exactperm.arithmetic.double": "twice", "exactperm.arithmetic.halve": "gone"})
    problems = found(project, quick=True)
    assert "exactperm.arithmetic.double is exempt, but also in an entry" in problems
    assert "exactperm.arithmetic.halve is exempt, but not public" in problems


def test_a_public_engine_function_without_an_entry(project):
    (project / "exactperm" / "counting").mkdir()
    (project / "exactperm" / "counting" / "__init__.py").write_text("def part(): ...\n", encoding="utf-8")
    (project / "exactperm" / "counting" / "fast.py").write_text(
        "def count(): ...\n\ndef _inner(): ...\n\nclass Row:\n    def cell(self): ...\n", encoding="utf-8"
    )
    problems = found(project, quick=True).splitlines()
    assert problems == [f"exactperm.counting.fast.{name} is public, but in no entry" for name in ("Row", "count")]


def test_a_changed_table(project):
    replace(project, "spec/README.md", "section 1", "section 2")
    assert "README.md: the table differs" in found(project, quick=True)
    assert check.main(["--root", str(project), "--quick", "--write"]) == 0
    replace(project, "spec/README.md", table.END, "")
    assert "must stand in it" in found(project, quick=True)


def test_pages_and_anchors(project):
    replace(project, "spec/page.md", '"own-pair"', '"own-pear"')
    problems = found(project, quick=True)
    assert 'own-pair: page.md has no <a id="own-pair"></a>' in problems
    assert "page.md has an anchor own-pear, no entry of it" in problems
    assert "eq-7: no page gone.md" in found(project, changed(0, page="gone.md"), quick=True)


def test_notes_that_name_the_errata(project):
    items = changed(0, status="corrected", note="A sign. See errata.md.")
    assert found(project, items, quick=True) == "eq-7: not in errata.md"
    (project / "spec" / "errata.md").write_text('### A sign <a id="eq-7"></a>\n', encoding="utf-8")
    assert found(project, items, quick=True) == ""


@pytest.mark.parametrize(
    ("position", "changes", "problem"),
    [
        (0, {"id": "Eq 7"}, "the id must be words"),
        (0, {"id": "own-double"}, "own-double: the id occurs twice"),
        (1, {"id": "double-own"}, "the id must begin with its source"),
        (0, {"source": "hearsay"}, "the source must be one of"),
        (0, {"status": "done"}, "the status must be one of"),
        (0, {"statement": ""}, "must not be empty"),
        (0, {"functions": []}, "implemented, so it needs a function"),
        (0, {"tests": []}, "implemented, so it needs a test"),
        (1, {"note": ""}, "improved, so it needs a note"),
        (5, {"functions": ["exactperm.arithmetic.double"]}, "out of scope, so it must not name functions"),
        (0, {"functions": ["exactperm.arithmetic.double"] * 2}, "named twice"),
    ],
)
def test_a_malformed_entry(project, position, changes, problem):
    assert problem in found(project, changed(position, **changes), quick=True)


@pytest.mark.parametrize(
    ("changes", "message"),
    [({"tests": "one"}, "must be lists of text"), ({"note": 5}, "must be text"), ({"extra": 1}, "its keys must be")],
)
def test_a_file_of_another_shape(project, changes, message):
    save(project, changed(0, **changes))
    with pytest.raises(ValueError, match=f"eq-7: .*{message}"):
        model.load(project / "spec" / "items.json")


# ------------------------------------------------------------------------------------ what running finds


def test_emptied_and_failing_tests(project):
    replace(project, "tests/test_arithmetic.py", "assert double(n) == n + n", "pass")
    replace(project, "tests/test_arithmetic.py", "assert Pair(1, 2).total() == 3", "assert Pair(1, 2).total() == 4")
    problems = found(project)
    assert "eq-7: tests/test_arithmetic.py::test_double calls none of exactperm.arithmetic.double" in problems
    assert "eq-7: no covering test calls exactperm.arithmetic.double" in problems
    assert "own-pair: tests/test_arithmetic.py::TestPairs::test_total: failed" in problems
    assert "1 failed" in problems


def test_one_failing_case_fails_the_test(project):
    replace(project, "tests/test_arithmetic.py", "assert double(n) == n + n", "assert double(n) == 2")
    assert "eq-7: tests/test_arithmetic.py::test_double: failed" in found(project)


def test_a_skipped_test_a_value_and_what_cannot_be_watched(project):
    replace(project, "tests/test_arithmetic.py", "    def test_total", "    @pytest.mark.skip\n    def test_total")
    replace(project, "exactperm/arithmetic.py", "class Root:", "class Root(Exception):")
    replace(project, "exactperm/arithmetic.py", "Nothing of its own.", "Nothing of its own. Source: id fn-1.")
    items = changed(4, functions=["exactperm.arithmetic.LIMIT"], tests=ITEMS[0]["tests"], status="implemented")
    items[5] = entry("fn-1", ["arithmetic.Root"], ["test_double"])
    problems = found(project, items)
    assert "own-pair: tests/test_arithmetic.py::TestPairs::test_total: skipped" in problems
    assert "own-limit: tests/test_arithmetic.py::test_double calls none of exactperm.arithmetic.LIMIT" in problems
    assert "exactperm.arithmetic.Root cannot be watched: TypeError" in problems
    assert "LIMIT cannot be watched" not in problems


def test_failing_examples_in_the_pages(project):
    (project / "tests" / "test_spec_pages.py").write_text("def test_page():\n    assert False\n", encoding="utf-8")
    assert "tests/test_spec_pages.py::test_page: failed" in found(project)


def test_classes_closures_and_statistics_are_watched(tmp_path, monkeypatch):
    (tmp_path / "watched_module.py").write_text(
        "import functools\n"
        "class Base:\n    def __init__(self): pass\n"
        "class Child(Base):\n"
        "    @staticmethod\n    def plain(): return 1\n"
        "    @functools.cached_property\n    def cached(self): return 2\n"
        "    @property\n    def shown(self): return 3\n"
        "class Rule:\n"
        "    def __init__(self, components, combine): self.components, self.combine = components, combine\n"
        "def g(a, b=2, *, c=3): return a + b + c\n"
        "def h(x): return x\n"
        "def rows(n):\n    yield from range(n)\n    return 'end'\n"
        "both = Rule((g,), h)\n"
        "sums = Rule((g,), None)\n"
        "def closed(n):\n    return lambda: n\n"
        "inner = closed(1)\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("builtins.__spec_watched__", {}, raising=False)
    import watched_module as module

    seen = []
    for name in ("Child", "Child.plain", "both", "sums", "g", "rows"):
        calls.watch(f"watched_module.{name}", lambda name=name: seen.append(name))
    module.Base()
    assert seen == []
    child = module.Child()
    assert seen == ["Child"]
    assert (module.Child.plain(), child.cached, child.shown) == (1, 2, 3)
    assert seen == ["Child", "Child", "Child.plain", "Child", "Child"]
    seen.clear()
    assert (module.h(5), module.g(1), module.g(1, c=5)) == (5, 6, 8)
    assert list(module.rows(2)) == [0, 1]
    assert seen == ["both", "sums", "g", "sums", "g", "rows"]
    for name, error in (("inner", TypeError), ("missing", AttributeError)):
        with pytest.raises(error):
            calls.watch(f"watched_module.{name}", lambda: None)
    with pytest.raises(ImportError):
        calls.watch("no_such_module.g", lambda: None)


# ------------------------------------------------------------------------------------- the real list


def test_the_list_agrees_with_the_code():
    """All but running the covering tests, which this suite does anyway; ``python3 spec/check.py`` watches them."""
    assert check.problems(ROOT, quick=True) == []


def test_citations_are_found_across_lines():
    docstring = "One line.\n\n    Source: Alg. 2, Eq. 2; ids alg-2,\n    eq-2. The id of a thing; id own-x-y.\n"
    assert definitions.cited(docstring) == {"alg-2", "eq-2", "own-x-y"}
    assert definitions.cited(None) == set()
