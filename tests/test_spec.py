"""The checker of the specification finds the faults that it should; it runs the examples of the pages itself."""

import shutil
from pathlib import Path

import pytest

from spec import check, wrong_programs

ROOT = Path(__file__).parent.parent


PAGE = """# Page
## Thm. 1: twice <a id="thm-1"></a>

*Proof.* By counting.

See [here](#thm-1).
"""
LINKS = "thm-1\n    counting.dp.double\n    tests/test_dp.py::test_double\n"
CODE = '"""Double. Source: Thm. 1; spec/page.md#thm-1."""\n\n\ndef double(n):\n    return n + n\n'
TEST = (
    "from exactperm.counting.dp import double\n\n\ndef test_double():\n    assert double(2) == 4\n"
)
WRONG = "thrice\nbreaks thm-1 in counting/dp.py\nnoticed by test_dp.py::test_double\n-n + n\n+n + n + n\n"


@pytest.fixture
def project(tmp_path):
    """A project of one function, in which everything agrees."""
    for file, text in {
        "spec/page.md": PAGE,
        "spec/links.txt": LINKS,
        "spec/wrong-programs.txt": WRONG,
        "exactperm/__init__.pyi": "from counting.dp import double as double\n",
        "exactperm/counting/dp.py": CODE,
        "tests/test_dp.py": TEST,
    }.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text, encoding="utf-8")
    check.write(tmp_path)
    assert check.problems(tmp_path) == []
    return tmp_path


FAULTS = """
spec/links.txt | dp.double | dp.triple | thm-1 links counting.dp.triple, which
spec/links.txt | test_double | test_triple | thm-1 links tests/test_dp.py::test_triple
spec/links.txt | thm-1 | thm-2 | links.txt: no page has the anchor thm-2
spec/page.md | (#thm-1) | (#thm-2) | page.md: page.md has no anchor thm-2
spec/page.md | (#thm-1) | (gone.md) | page.md: no file gone.md
spec/page.md | twice | double | statements.md is not what --write makes
exactperm/__init__.pyi | import double | import one, double | no page links counting.dp.one
exactperm/counting/dp.py | spec/page.md | Knuth | counting.dp.double cites none of page.md
exactperm/counting/dp.py | md#thm-1 | md#eq-1 | counting.dp cites page.md#eq-1, which does
spec/wrong-programs.txt | breaks thm-1 | breaks eq-1 | is noticed by no test of eq-1
spec/wrong-programs.txt | breaks thm-1 | breaks eq-1 | no wrong program breaks ['thm-1']
"""


@pytest.mark.parametrize("fault", FAULTS.strip().splitlines())
def test_faults_are_found(project, fault):
    file, old, new, problem = fault.split(" | ")
    path = project / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert problem in "\n".join(check.problems(project))


def test_a_proof_without_a_theorem_needs_a_wrong_program(project):
    page = project / "spec/page.md"
    page.write_text(PAGE.replace("Thm. 1", "Twice"), encoding="utf-8")
    (project / "spec/wrong-programs.txt").write_text("", encoding="utf-8")
    assert "page.md: no wrong program breaks ['thm-1']" in check.problems(project)


def test_what_has_moved_is_followed(project):
    (project / "exactperm/counting/dp.py").rename(project / "exactperm/counting/ntt.py")
    (project / "tests/test_dp.py").rename(project / "tests/test_ntt.py")
    check.write(project)
    assert (project / "spec/links.txt").read_text(encoding="utf-8") == LINKS.replace("dp", "ntt")


def test_tests_that_notice_a_wrong_program_count(project):
    check.wrong_programs.keep(
        project, {"thrice": ["tests/test_dp.py::test_gone", "tests/test_dp.py::test_double"]}
    )
    assert "test_gone does not exist" in "\n".join(check.problems(project))
    check.write(project)
    assert check.problems(project) == []
    text = f"{TEST}\n\ndef test_more():\n    pass\n"
    (project / "tests/test_dp.py").write_text(text, encoding="utf-8")
    check.wrong_programs.keep(project, {"thrice": ["tests/test_dp.py::test_more"]})
    check.write(project)
    assert "| 2 | 1 |" in (project / "spec/statements.md").read_text(encoding="utf-8")
    assert check.problems(project) == []


def test_an_engine_that_no_page_links(project):
    shutil.copy(project / "exactperm/counting/dp.py", project / "exactperm/counting/ntt.py")
    assert "no page links a function of counting/ntt.py" in check.problems(project)


def test_failing_examples(project):
    page = project / "spec/page.md"
    page.write_text(f"{PAGE}\n```pycon\n>>> 1 + 1\n3\n```\n", encoding="utf-8")
    (report,) = check.failed_examples(page)
    assert "Expected:\n    3\nGot:\n    2" in report


def test_wrong_programs_are_read():
    (wrong,) = wrong_programs.load(WRONG)
    assert wrong == (
        "thrice",
        ["thm-1"],
        "counting/dp.py",
        ["tests/test_dp.py::test_double"],
        "n + n",
        "n + n + n",
    )
    assert wrong_programs.load("many\nbreaks a b in f.py\nnoticed by x y\n- 1\n- 2\n+\n")[0][
        4:
    ] == (" 1\n 2", "")
