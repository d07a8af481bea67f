"""What a user's first steps load: modules of ours and of the standard library."""

import subprocess
import sys
from pathlib import Path

import pytest

import exactperm

ROOT = Path(exactperm.__file__).parent.parent


def loaded(code):
    """Names of all modules after running some code in a fresh interpreter, which writes them last."""
    show = "print(*sorted(sys.modules))"
    command = [sys.executable, "-S", "-c", f"{code}; import sys; {show}"]
    return set(
        subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
        .stdout.split("\n")[-2]
        .split()
    )


def test_importing_the_package_loads_nothing_else():
    """Command line, reports and their libraries load when used; so do the heavy parts of the standard library."""
    modules = loaded("import exactperm")
    assert not modules & {
        "argparse",
        "json",
        "csv",
        "dataclasses",
        "inspect",
        "typing",
        "statistics",
        "random",
    }
    assert {name for name in modules if name.startswith("exactperm")} == {"exactperm"}


FIRST_TESTS = {
    "two columns": (
        "exactperm.permutation_test([1, 2, 5, 3, 2, 1], [2, 1, 3, 7, 4, 4]).pvalue",
        20,
    ),
    "differences": ("exactperm.sign_flip_test([1, -2, 5, 3, 2, 1]).pvalue", 20),
    "McNemar": ("exactperm.mcnemar_test(9, 1).pvalue", 23),
}


@pytest.mark.parametrize(("call", "most"), FIRST_TESTS.values(), ids=FIRST_TESTS)
def test_a_first_test_loads_what_it_uses(call, most):
    """One engine, and nothing for other statistics, for whole distributions or for reports.

    Of the modules that may be loaded at most six are packages.
    """
    ours = {
        name
        for name in loaded(f"import exactperm; {call}")
        if name.partition(".")[0] == "exactperm"
    }
    rare = (
        "null.joint null.distribution null.fields null.tails swaps.lattice swaps.canonical counting.plan "
        "counting.plane counting.dp counting.ntt "
        "certified arithmetic.writing arithmetic.slots arithmetic.compat display sql web"
    )
    assert not ours & {f"exactperm.{name}" for name in rare.split()}
    assert len(ours) <= most


ROAD = """
import sys
seen = set()
def note(frame, event, _argument):
    code = frame.f_code
    if event == "call" and code.co_flags & 1 and "exactperm" in code.co_filename:
        seen.add((code.co_filename, code.co_name, code.co_firstlineno))
sys.setprofile(note)
from exactperm import permutation_test
permutation_test([3, 1, 2], [1, 0, 2]).pvalue
sys.setprofile(None)
print(len(seen), len({place[0] for place in seen}))
"""


def test_a_first_test_walks_a_short_way():
    """Functions of ours that a test of three pairs runs, those of loading its modules included, and their files."""
    command = [sys.executable, "-S", "-c", ROAD]
    told = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    functions, files = map(int, told.split())
    assert functions <= 40
    assert files <= 14


TWO_COLUMNS = "a,b\n3,1\n2,2\n5,1\n4,6\n"
LABELS = "gold,a,b\nx,x,x\ny,y,x\nx,x,y\ny,y,x\n"
COMMAND = "from exactperm.cli.main import main; main(['test', {!r}, *{!r}.split()])"
MOST_MODULES = 48
MOST_BYTES = 340_000
"""Of sources, by which the time of a start grows: without bytecode all of them are compiled."""


@pytest.mark.slow
def test_the_command_line_loads_what_a_plain_table_needs(tmp_path):
    """Checks of several files, of labels and of counts, formats of tools and brackets load where they apply."""
    file = tmp_path / "scores.csv"
    file.write_text(TWO_COLUMNS, encoding="utf-8")
    ours = {
        name
        for name in loaded(COMMAND.format(str(file), ""))
        if name.partition(".")[0] == "exactperm"
    }
    rare = (
        "files.distributions files.leaderboards files.logs "
        "arithmetic.enclosure arithmetic.narrow certified fast runs swaps.runs swaps.weights web"
    )
    assert not ours & {f"exactperm.{name}" for name in rare.split()}
    assert len(ours) <= MOST_MODULES
    paths = [ROOT / Path(*name.split(".")) for name in ours]
    assert (
        sum(
            (p / "__init__.py" if p.is_dir() else p.with_suffix(".py")).stat().st_size
            for p in paths
        )
        <= MOST_BYTES
    )


WALK = """
import sys
seen = set()
def called(frame, event, _value):
    code = frame.f_code
    if event == "call" and code.co_flags & 1 and code.co_name[0] != "<" and {root!r} in code.co_filename:
        seen.add((code.co_filename, code.co_firstlineno))
sys.setprofile(called)
{command}
sys.setprofile(None)
print(len(seen), len({{file for file, _line in seen}}))
"""
FUNCTIONS, FILES = 250, 35
"""Run by a test of six rows: from the words of the command to an answer with its interval; only to fall."""


@pytest.mark.slow
def test_a_simple_question_walks_a_short_way(tmp_path):
    file = tmp_path / "scores.csv"
    rows = [".921,.930", ".866,.871", ".902,.902", ".901,.915", ".887,.884", ".880,.893"]
    file.write_text("\n".join(["baseline,new", *rows]), encoding="utf-8")
    code = WALK.format(root=str(ROOT / "exactperm"), command=COMMAND.format(str(file), ""))
    words = [sys.executable, "-S", "-c", code]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    functions, files = map(int, done.stdout.splitlines()[-1].split())
    assert functions <= FUNCTIONS
    assert files <= FILES


AUDIT = "from exactperm.cli.main import main; main(['audit', {!r}, '--p', 'p = .026'])"
AUDIT_FUNCTIONS, AUDIT_FILES = 398, 54
"""Run by the audit of one number beside 15 pairs; only to fall."""


@pytest.mark.wing("auditing")
def test_an_audit_of_one_number_walks_a_short_way():
    file = ROOT / "tests" / "data" / "audit" / "darwin.csv"
    code = WALK.format(root=str(ROOT / "exactperm"), command=AUDIT.format(str(file)))
    words = [sys.executable, "-S", "-c", code]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    functions, files = map(int, done.stdout.splitlines()[-1].split())
    assert functions <= AUDIT_FUNCTIONS
    assert files <= AUDIT_FILES
