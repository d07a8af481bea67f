"""Every wrong variant in ``spec/mutants.json`` is noticed by the tests that cover what it breaks."""

from pathlib import Path

import pytest

from spec import model, mutants

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_the_covering_tests_fail_on_every_wrong_variant():
    variants = mutants.load(ROOT)
    judged = mutants.verdicts([mutants.unchanged(variants), *variants], ROOT, workers=2)
    assert judged.pop("no change") == mutants.SURVIVED
    assert {name: what for name, what in judged.items() if what != mutants.KILLED} == {}


MODULE = "def half(n):\n    return n // 2\n"
TESTS = "from package.halves import half\n\n\ndef test_half():\n    assert half(4) == 2\n"


@pytest.fixture
def project(tmp_path):
    """A project of one function, whose test would pass for n / 2 as well."""
    for folder in ("package", "tests"):
        (tmp_path / folder).mkdir()
    (tmp_path / "package" / "__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "package" / "halves.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "tests" / "test_halves.py").write_text(TESTS, encoding="utf-8")
    return tmp_path


def variant(name="a name", old="n // 2", new="n // 3", **changes):
    made = mutants.Mutant(name, ["own-half"], "package.halves", old, new, ["tests/test_halves.py"])
    return made._replace(**changes)


def test_verdicts(project):
    variants = [
        variant("noticed"),
        variant("not noticed", new="n / 2"),
        variant("no Python", new="n //"),
    ]
    judged = mutants.verdicts(variants, project, workers=2)
    assert judged["noticed"] == mutants.KILLED
    assert judged["not noticed"] == mutants.SURVIVED
    assert judged["no Python"].startswith("no verdict: ")
    assert (project / "package" / "halves.py").read_text(encoding="utf-8") == MODULE


def item(name, **changes):
    made = model.Item(name, "Thm. 6", "own", "here", "n // 2", ["package.halves.half"], [], "implemented", "", "p.md")
    return made._replace(**changes)


@pytest.mark.parametrize(
    ("made", "problem"),
    [
        (variant(), None),
        (variant(old="n // 4"), "its text stands 0 times in package/halves.py"),
        (variant(old="n"), "its text stands 3 times in package/halves.py"),
        (variant(module="package.thirds"), "its text stands 0 times in package/thirds.py"),
        (variant(tests=[]), "it needs tests and ids"),
        (variant(ids=["own-third"]), "own-half: no mutant breaks it"),
        (variant(ids=["own-half", "own-third"]), "own-third: a mutant breaks it, but it is not implemented"),
    ],
)
def test_problems(project, made, problem):
    found = mutants.problems([made], [item("own-half"), item("own-plan", status="planned")], project)
    assert problem is None or any(problem in each for each in found)
    assert (problem is None) == (found == [])


def test_names_are_unique(project):
    found = mutants.problems([variant(), variant()], [item("own-half")], project)
    assert found == ["mutant a name: the name occurs twice"]
