"""What commands print, and what is said of wrong ones, kept in messages.txt. To renew: python tests/cli/test_messages.py."""

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from pathlib import Path

import pytest

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from exactperm import __version__
from exactperm.cli import commands, cures, guide, main
from exactperm.errors import BudgetExceeded, Cure
from exactperm.files.reading import FIELDS
from tests.cli.lines import without_times
from tests.wings import here

GOLDEN = Path(__file__).with_name("messages.txt")
SCORES = "a,1\nb,2\n"
FILES = {
    **{name: guide.example(name) for name in guide.EXAMPLES_OF_FILES},
    "four.csv": "item,level,base,new\nq1,1,.2,.3\nq2,2,.5,.6\nq3,3,.1,.4\n",
    "nohead.csv": "1,2\n3,5\n4,4\n",
    "one.csv": f"q,s\n{SCORES}",
    "two.csv": "q,s\nb,1\na,3\n",
    "other.csv": "q,s\nb,1\nc,3\n",
    "long.csv": "q,sys,s\na,x,1\na,y,2\nb,x,3\nb,y,1\n",
    "missing.csv": "A,B\n1,NA\n2,3\n",
    "d.csv": "d\n1\n2\n",
    "runs2.csv": "q,a1,a2,b1,b2\nx,1,2,3,4\ny,2,2,1,1\n",
    "three.csv": "d\n1\n2\n3\n",
    "german.csv": "id;A;B\n1;0,5;1,5\n2;1,5;2,5\n",
    "comma.csv": "A;B\n0,5;1\n1;2\n",
    "total.csv": "q,A,B\na,1,2\nb,3,5\nc,2,2\nd,1,1\ne,4,3\nf,2,1\nTotal,13,14\n",
    "again.csv": "q,A,B\na,1,2\na,3,5\nb,2,2\n",
    "percent.csv": "A,B\n1%,2\n3,4\n",
    "quoted.csv": 'A b,"C\'s"\n1,2\n3,5\n2,2\n',
    "sheet.xlsx": "PK\x03\x04",
    "ten.csv": ",".join("abcdefghij") + "\n" + ",".join("1234567890") + "\n",
    "table.csv": "9,1\n2,30\n",
    "latin.csv": "ü,v\n1,2\n".encode("latin-1"),
    "record.json": '{"method": "dp"}',
    "board.csv": "a,b,c\n3,1,3\n4,1,4\n6,2,6\n8,3,8\n9,3,8\n",
    "weighed.csv": "task,w,a,b\nx,1,1,0\nx,1,0,0\ny,2,0,1\n",
    "wide.csv": "drug,placebo\n12,9\n15,10\n11,12\n18,8\n,7\n",
    "drug": "12\n15\n11\n18\n",
    "placebo": "9\n10\n12\n8\n7\n",
    "sites.csv": "arm,site,y\n"
    + "".join(
        f"{arm},{site},{y}\n"
        for arm, rows in (("drug", "A12 B15 A11 B18"), ("placebo", "A9 B10 A12 B8 B7"))
        for site, y in ((row[0], row[1:]) for row in rows.split())
    ),
    "lacking.csv": "a,b\nNA,3\n1,2\n3,2\n",
    "none.csv": "a,b\n,1\n,2\n",
    "folder/samples": "",
}
WRONG = """
test
test nofile.csv
test sheet.xlsx
test four.csv
test nohead.csv
test missing.csv
test d.csv
test d.csv three.csv
test german.csv
test comma.csv
test total.csv
test percent.csv
test latin.csv
test ten.csv
test long.csv
test long.csv --system sys
test long.csv --system sys --score s
test again.csv --columns A,B --id q
test one.csv two.csv
test one.csv two.csv --columns s
test one.csv other.csv --columns s --id q
test one.csv one.csv --columns s --id q
test runs2.csv --runs within
test runs2.csv --columns a1+a2,b1+b2
test labels.csv
test labels.csv --statistic accuracy
test counts.csv --statistic f1
test four.csv --columns base,nwe
test four.csv base new
test table.csv --statistic mcnemar --header no
test scores.csv --columns baseline,new --precision 0.1
test scores.csv --columns baseline,new --statistic sign --method certified
test scores.csv --columns baseline,new --statistic sign --interval
test scores.csv --columns baseline,new --groups item --statistic wilcoxon
test scores.csv --columns baseline,new --mu 1 --decimals 1
test scores.csv --columns baseline,new --statistic f1 --mu 1
test scores.csv --columns baseline,new --zeros pratt
test scores.csv --columns baseline,new --interval --tasks item
test runs.csv --columns run1+run2,run3+run4 --runs within --interval
test scores.csv --counts 9,1 --statistic mcnemar
test --counts 9,1 --statistic wilcoxon
test --counts 9
test real.csv --columns baseline,new --method exact
test real.csv --columns baseline,new --distribution -
compare real.csv --columns baseline,new --method exact
compare four.csv
compare scores.csv --columns baseline,new --samples 9
compare scores.csv --columns baseline,new --adjust none
test scores.csv --colums baseline,new
test scores.csv --columns=baseline,new --alternatve=twosided
test scores.csv -c baseline,new --alternative one-sided
test scores.csv -c baseline,new --statistic means
tset scores.csv --columns baseline,new
scores.csv --columns baseline,new
interval scores.csv
power
recount record.json
recount scores.csv
recount - --independent
verify
verify --python nothing
verify --list --run X9999
save page x.html
save everything x
audit scores.csv
audit
audit scores.csv --stars "* p < .05"
audit a b c --p .05
guide permutatoin_test
guide xyzzyxyzzy
test none.csv -c a,b --unpaired
test lacking.csv -c a,b --unpaired
test wide.csv -c drug,placebo --unpaired --interval
test wide.csv -c drug,placebo --unpaired -s wilcoxon --method certified
test wide.csv -c drug,placebo --unpaired -s sign
test wide.csv -c drug,placebo --strata drug
test folder
test four.csv -c base,new --picture no/x.svg
test four.csv -c base,new --picture a.png
test four.csv -c base,new -o four.csv
""".strip().splitlines()
BOARD, WIDE = (
    "compare board.csv --columns all --alpha 0.3",
    "test wide.csv -c drug,placebo --unpaired",
)
RIGHT = f"""
demo
test --counts 9,1
test scores.csv -c new,baseline
{BOARD} --interval
{BOARD} --interval --adjust bonferroni --alternative greater
{BOARD} --interval --alternative less --json
{BOARD} --interval --adjust holm-sidak --json
{BOARD} --interval --alpha .01
{BOARD} --interval -o t.csv
cat t.csv
compare weighed.csv --columns a,b --weights w --tasks task --json
{WIDE} --names new,old
{WIDE} --json -o r.json
recount r.json
{WIDE} -s wilcoxon -o r.json --force
recount r.json
{WIDE} --method certified -o r.json --force
recount r.json
{WIDE} --certificate c.json
recount c.json --independent
test drug placebo --unpaired
test sites.csv --unpaired --system arm --score y --strata site -a greater
test lacking.csv -c a,b --unpaired --missing drop
""".strip().splitlines()


def said(line):
    """Return the code of the error of a command, if there is one, and all that it prints, without times and version."""
    codes, out = [], io.StringIO()
    refused = main._refused

    def noted(argv, error):
        codes.append(error.code)
        assert out.getvalue() == ""
        out.write(f"[{error.code}]\n")
        return refused(argv, error)

    program, *words = shlex.split(line)
    if program == "cat":
        return f"$ {line}\n{Path(*words).read_text(encoding='utf-8')}"
    main._refused = noted
    try:
        with contextlib.redirect_stderr(out), contextlib.redirect_stdout(out):
            status = main.main([program, *words])
    finally:
        main._refused = refused
    assert status == 2 * len(codes)
    # the last digit of a logarithm differs by system
    shown = re.sub(r'(?<="log10_pvalue": )[-.\d]+', "LOG", without_times(out.getvalue()))
    return f"$ exactperm {line}\n{re.sub(VERSION, 'VERSION', shown)}"


LINES = [*WRONG, *RIGHT]
VERSION = rf"\b{re.escape(__version__)}\b"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written()


def written():
    for name, content in FILES.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())


def test_messages_are_those_that_are_kept(folder):
    """A copy without a wing has no commands of that, nor what is told of it."""
    kept = re.split(r"(?=^\$ )", GOLDEN.read_text(encoding="utf-8"), flags=re.MULTILINE)
    away = [name for name, wings in commands.WINGS.items() if not all(map(here, wings))]
    for line, known in zip(LINES, kept[1:]):
        if any(name in line for name in away):
            continue
        found = said(line)  # also where it is not compared: the next may read its file
        if not any(name in known for name in away):
            assert f"{found}\n" == known
    assert len(kept) == len(LINES) + 1


COLUMNS = {f"--{field.name}" for field in FIELDS if field.kind in ("column", "columns")}


@pytest.mark.slow
def test_what_is_to_try_is_a_command_of_which_files_name_columns_only(folder):
    tried = re.findall(
        r"^\$ exactperm (.*)\n(?:.*\n)*?exactperm: try: exactperm (.*)",
        GOLDEN.read_text("utf-8"),
        re.M,
    )
    assert len(tried) > 6
    for typed, words in tried:
        before = shlex.split(typed)
        new = [word for word in shlex.split(words) if word not in before]
        commands.parsed(shlex.split(words))
        assert "--force" not in new
        for name, value in zip(new, new[1:]):
            assert name not in COLUMNS or value


def said_all():
    return "".join(f"{said(line)}\n" for line in LINES)


@pytest.mark.parametrize(
    ("cure", "text", "tried"),
    [
        (Cure({"columns": "A,B"}), "say --columns A,B", "test f --columns A,B"),
        (Cure({"columns": "-a"}), "say --columns=-a", "test f --columns=-a"),
        (Cure({"id": "a b"}, command="compare"), "say exactperm compare --id 'a b'", "compare f --id 'a b'"),
        (Cure({"differences": "yes"}), "say --differences", "test f --differences"),
        (Cure(words="write 1"), "write 1", None),
        (Cure({"force": "y"}), "say --force y", None),
    ],
)  # fmt: skip
def test_cures_are_rendered(cure, text, tried):
    assert cures.render(cure) == text
    assert cures.mended(["test", "f"], cure) == (None if tried is None else shlex.split(tried))


def test_a_cure_stands_behind_what_was_said():
    argv = ["test", "f", "--columns", "1", "-a", "less"]
    cure = Cure({"columns": "A,B", "id": ""}, command="compare")
    assert cures.mended(argv, cure) == ["compare", "f", "-a", "less", "--columns", "A,B"]


def test_only_commands_that_parse_and_can_be_shown_are_tried():
    for words in (
        None,
        [],
        ["test", "f"],
        ["test", "f", "--nothing"],
        ["test", "f", "-h"],
        ["test", "\n"],
    ):
        assert cures.to_try(["test", "f"], words) == "see: exactperm guide files"
    assert cures.to_try([], None) == "see: exactperm guide"
    assert cures.to_try(["test"], None, "runs") == "see: exactperm guide runs"


def test_limits_are_said_where_they_help():
    """Of a record no rounding helps, of what no budget can do no larger one."""
    limit = type("Some", (), {"words": lambda _self: "9 s", "seconds": 9, "bytes": 0})()
    for needs, argv, text in (
        (limit, ["recount", "r.json"], "allow more with --max-seconds and --max-memory"),
        (None, ["recount", "r.json"], "and no budget helps"),
    ):
        ((line, _name), *_rest) = cures.refused(argv, BudgetExceeded("counting", needs))
        assert line.endswith(text)


def test_words_that_are_near(folder):
    for typed, meant in (
        ("test f --colums=2,3", "test f --columns=2,3"),
        ("test f --forc", "test f --forc"),
        ("scores.csv -c a,b", "test scores.csv -c a,b"),
    ):
        assert cures.respelled(typed.split()) == meant.split()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        written()
        GOLDEN.write_text(said_all(), encoding="utf-8")
