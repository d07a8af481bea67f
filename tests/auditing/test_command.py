"""The commands of the audit: what they print, how they leave, and what they refuse."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from exactperm.cli import demo
from exactperm.cli import main as cli

DATA = Path(__file__).parent.parent / "data" / "audit"
MAIZE = "\n".join(map(str, demo.DARWIN_MAIZE)) + "\n"


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("maize.txt").write_text(MAIZE, encoding="utf-8")

    def answered(*words):
        status = cli.main(words)
        out, err = capsys.readouterr()
        return status, out, err

    return answered


# claim, verdict, reason, whether the decision differs
EXAMPLE = """
fisher-exact fine prints False
fisher-t fine prints True
t-sold-as-exact wrong explained True
student-wilcoxon fine prints False
student-estimate fine prints False
binary-ties fine prints False
above-one wrong impossible False
strict question condition True
dropped-cells wrong unexplained False
underflow fine prints False
zsplit-table wrong explained True
five-pairs wrong explained True
other-tests-unknown fine prints False
star unreadable unreadable False
"""


@pytest.mark.slow
def test_the_worked_example(run, monkeypatch):
    """Every verdict; each command repeats its row where the audit ran, whatever the folder of the claims."""
    monkeypatch.chdir(DATA.parent)
    words = ("audit", str(Path(DATA.name, "claims.json")))
    status, out, _err = run(*words, "--json")
    rows = json.loads(out)["findings"]
    names = ("heap", "reason", "decision_differs")
    told = [" ".join(map(str, [row["id"], *(row[name] for name in names)])) for row in rows]
    assert (status, sorted(told)) == (2, sorted(EXAMPLE.split("\n")[1:-1]))
    repeated = [row for row in rows if row["command"]]
    assert len(repeated) == 8  # the others have their data in the claims file, or are not read
    for row in repeated:
        (copy,) = json.loads(run(*shlex.split(row["command"])[1:], "--json")[1])["findings"]
        assert all(copy[name] == row[name] for name in ("heap", "reason", "exact"))
    _status, short, _err = run(*words)
    _status, long, _err = run(*words, "-v")
    assert short.splitlines()[-1].startswith(
        "14 claims: 5 wrong (3 of a decision at 0.05), 1 to ask the author about, 1 not read"
    )
    assert short.splitlines()[0].startswith("WRONG at .05  t-sold-as-exact  ")
    assert "Were only more extreme outcomes counted?" in long
    assert "exact        0.0526733 to 0.210693" in long
    assert "(SciPy 1.17.1 wilcoxon, method='exact')" in long


@pytest.mark.slow
def test_the_exit_status_of_one_claim(run):
    for words, status in (
        ("maize.txt --p .0527", 0),
        ("maize.txt --p p<.05", 0),  # the t-test
        ("maize.txt --p p<.05 --strict", 1),
        ("maize.txt --p p<.05 --law exact", 3),  # one side
        ("maize.txt --p p<.05 --strict --fail-on decision", 1),
        ("maize.txt --p .053 --statistic permutation", 0),
        ("maize.txt --p .054 --statistic permutation", 3),  # rounded, or an estimate
        ("maize.txt --p .07 --strict --fail-on decision", 0),
        ("maize.txt --p .1 --adjustment holm --tests 4", 0),
        ("--counts 9,1 --statistic mcnemar --p 11/512", 0),
        ("maize.txt --p .0527 --output r.html", 0),
        ("maize.txt --p .0527 --output r.html", 2),
        ("maize.txt --p .0527 --output r.html --force", 0),
        ("maize.txt --p .0527 --processes 2", 2 if sys.platform == "emscripten" else 0),
    ):
        assert run("audit", *words.split())[0] == status, words
    assert Path("r.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


# words | words of the message
MISTAKES = """
maize.txt --mu 1 | --mu states a claim: it needs --p
  | name one claims file
a.csv b.csv | name one claims file
a.csv b.csv c.csv --p 1 | 3 files are named
missing.csv | cannot read missing.csv
missing.csv --p 1 | cannot read 'missing.csv'
maize.txt | exactperm guide claims.csv shows a file of claims
maize.txt --p 1 --output maize.txt --force | it is the input
three.csv --p .03 | say --columns NAME,NAME
--n 5 --p .03(t-test) | only the p-values of an exact test
--n 5 --p ? | cannot be read
--n 5 --each 3,x | each is 'x'
"""


def test_mistakes(run):
    Path("three.csv").write_text("age,a,b\n30,1,2\n31,4,4\n32,5,1\n", encoding="utf-8")
    for row in MISTAKES.strip().splitlines():
        words, message = row.split(" | ")
        status, out, err = run("audit", *words.split())
        assert (status, out, message in err) == (2, "", True), err


def test_families_have_no_command_for_one_row(run):
    claims = [{"id": "a", "source": "s", "p": ".0527", "data": "maize.txt", "adjustment": "holm"}]
    Path("c.json").write_text(json.dumps(claims), encoding="utf-8")
    assert json.loads(run("audit", "c.json", "--json")[1])["findings"][0]["command"] is None
    Path("c.jsonl").write_text("3\n", encoding="utf-8")
    assert json.loads(run("audit", "c.jsonl", "--json")[1])["findings"][0]["command"] is None


def test_attainable(run):
    for words, told in (
        ("--n 5", "  p-values     multiples of 0.0625 from 0.0625 to 1\n"),
        ("--n 5 --p .03", "'.03' cannot be the p-value"),
        ("--n 5 --p .03 --alternative greater", "'.03' can be the p-value"),
        ("--n 5 --p .03 --samples 100 --estimate b/K", "K = 100 random assignments"),
        ("--n 5 --p .03(one-tailed)", "'.03(one-tailed)' can be the p-value"),
        ("--n 1000 --accuracies 93.1%,92.2% --p .001", "McNemar's test (the permutation test"),
    ):
        status, out, _err = run("audit", *words.split())
        assert (status, told in out) == (int("cannot" in out), True), out


@pytest.mark.parametrize(
    ("files", "words", "note"),
    [
        (
            {"a.txt": "3\n1\nNA\n", "b.txt": "1\n0\n1\n"},
            ["--missing", "drop", "--by", "row"],
            "1 of 3 items left out",
        ),
        (
            {
                "a.jsonl": '{"i": 1, "m": {"acc": 3}}\n{"i": 2, "m": {"acc": 1}}',
                "b.jsonl": '{"i": 2, "m": {"acc": 0}}\n{"i": 1, "m": {"acc": 1}}',
            },
            ["--columns", "m.acc", "--id", "i"],
            "joined by: i, all ids in every file",
        ),
        ({"a.csv": "u,v\n3,1\n1,0\n"}, ["--columns", "u,v", "--header", "yes"], "header: line 1"),
    ],
)
def test_data_as_people_have_them(run, files, words, note):
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")
    status, out, _err = run("audit", *files, *words, "--p", "p = 1/2", "-v")
    assert status == 0
    assert note in out
    assert ("1 pair left out" in out) == ("drop" in words)
    status, out, _err = run("audit", *files, *words, "--p", "p = 1/2", "--json")
    (row,) = json.loads(out)["findings"]
    assert row["dropped"] == ("drop" in words)
    status, again, _err = run(*shlex.split(row["command"])[1:], "--json")
    assert json.loads(again)["findings"] == [row]


def test_stars_and_counts_are_options(run):
    said = "--counts 9,1 --statistic mcnemar --stars '* p < .05, ** p < .01' --p '*'"
    words = shlex.split(said)
    status, out, _err = run("audit", *words, "--json")
    (row,) = json.loads(out)["findings"]
    assert (status, row["reason"]) == (0, "prints")
    assert run(*shlex.split(row["command"])[1:])[0] == 0
    assert (
        "consistent, understated (the legend allows **)"
        in run("audit", *words, "--counts", "12,0", "-v")[1]
    )
