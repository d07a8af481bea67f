"""What a user's first steps load: modules of ours and of the standard library."""

from pathlib import Path

import pytest

import exactperm
from peers import python

ROOT = Path(exactperm.__file__).parent.parent


def loaded(code):
    """Names of all modules after running some code in a fresh interpreter, which writes them last."""
    shown = python(ROOT, "-S", "-c", f"{code}; import sys; print(*sys.modules)")
    return {*shown.splitlines()[-1].split()}


def test_importing_the_package_loads_nothing_else():
    """Command line, reports and their libraries load when used; so do the heavy parts of the standard library."""
    modules = loaded("import exactperm")
    heavy = "argparse json csv dataclasses inspect typing statistics random"
    assert not modules & {*heavy.split()}
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


TWO_COLUMNS = "a,b\n3,1\n2,2\n5,1\n4,6\n9,2\n7,4\n8,8\n"
LABELS = "gold,a,b\nx,x,x\ny,y,x\nx,x,y\ny,y,x\n"
COMMAND = "from exactperm.cli.main import main; main(['test', {!r}, *{!r}.split()])"
MOST_MODULES = 48
MOST_BYTES = 403_000
"""Of sources, by which the time of a start grows: without bytecode all of them are compiled."""


@pytest.mark.slow
def test_the_command_line_loads_what_a_plain_table_needs(tmp_path):
    """Checks of several files, of labels and of counts, formats of tools and brackets load where they apply."""
    file = tmp_path / "scores.csv"
    file.write_text(TWO_COLUMNS, encoding="utf-8")
    modules = loaded(COMMAND.format(str(file), "--columns a,b"))
    assert "exactperm.intervals.confidence" in modules, "it is answered, with an interval"
    assert not modules & {"json", "shutil", "signal", "concurrent.futures"}
    ours = {name for name in modules if name.partition(".")[0] == "exactperm"}
    rare = (
        "files.distributions files.leaderboards files.logs files.saving cli.demo "
        "arithmetic.enclosure arithmetic.narrow certified fast runs swaps.runs swaps.weights "
        "display.frame compare multiplicity montecarlo auditing testing web "
        "null.distribution null.joint swaps.lattice counting.plane"
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
SIX = ".921,.930\n.866,.871\n.902,.902\n.901,.915\n.887,.884\n.880,.893\n"
MAIZE = str(ROOT / "tests" / "data" / "audit" / "darwin.csv")
AUDIT = "from exactperm.cli.main import main; main(['audit', {!r}, '--p', 'p = .026'])"
CALL = "from exactperm import permutation_test; permutation_test([3, 1, 2], [1, 0, 2]).pvalue"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "functions", "files"),
    [
        pytest.param(CALL, 40, 14, id="a first test"),
        # from the words of the command to an answer with its interval
        pytest.param(COMMAND.format("six.csv", ""), 249, 34, id="a simple question"),
        # of one number beside 15 pairs
        pytest.param(
            AUDIT.format(MAIZE), 398, 54, marks=pytest.mark.wing("auditing"), id="an audit"
        ),
    ],
)
def test_a_short_way_is_walked(command, functions, files, tmp_path):
    """Functions of ours that run, those of loading their modules included, and their files; only to fall."""
    file = tmp_path / "six.csv"
    file.write_text(f"baseline,new\n{SIX}", encoding="utf-8")
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{WALK}".format(
        root=str(ROOT / "exactperm"), command=command.replace("six.csv", str(file))
    )
    found = [*map(int, python(tmp_path, "-S", "-c", code).splitlines()[-1].split())]
    assert found[0] <= functions
    assert found[1] <= files
