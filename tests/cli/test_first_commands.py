"""Forty wrong first commands: each message names a command that then works, and the test runs it."""

import re
import shlex
from pathlib import Path

import pytest

from exactperm.cli import advice, main
from exactperm.examples import EXAMPLES

FILES = "guide files"
TESTED = "test scores.csv --columns baseline,new"

WRONG = {
    # what is typed: (part of the message, the command that is named)
    "test": ("name a file of scores", FILES),
    "test nofile.csv": ("cannot read nofile.csv", FILES),
    "test scores.csv": ("such as --columns baseline,new; line 1 has 3 cells", TESTED),
    "test labels.csv": ("of labels, the right one and those of two systems", "test labels.csv --statistic accuracy"),
    "test documents.csv": ("not 4: choose with", "test documents.csv --columns baseline,new"),
    "test documents.csv --groups document": (
        "not 3: choose with",
        "test documents.csv --groups document --columns baseline,new",
    ),
    "test documents.csv --columns 3,4 --groups doc": (
        "no column is named 'doc'",
        "test documents.csv --columns 3,4 --groups document",
    ),
    "test scores.csv --columns baseline new": ("columns are separated by commas", TESTED),
    "test scores.csv --columns base,new": ("no column is named 'base'", TESTED),
    "test scores.csv --columns 2,9": ("scores.csv has no column 9", FILES),
    "test scores.csv --colums 2,3": ("unrecognized arguments: --colums", "test scores.csv --columns 2,3"),
    "test scores.csv --columns 2,3 --alternative twosided": (
        "invalid choice: 'twosided'",
        "test scores.csv --columns 2,3 --alternative two-sided",
    ),
    "test scores.csv --columns 2,3 --alternative two_sided": (
        "invalid choice: 'two_sided'",
        "test scores.csv --columns 2,3 --alternative two-sided",
    ),
    "test scores.csv --columns 2,3 --method certifed": (
        "invalid choice: 'certifed'",
        "test scores.csv --columns 2,3 --method certified",
    ),
    "test scores.csv --columns 2,3 --method bootstrap": ("invalid choice: 'bootstrap'", FILES),
    "test counts.csv --statistic F1": (
        "needs 4 or 6 columns",
        "test counts.csv --statistic F1 --columns base_tp,base_fp,base_fn,new_tp,new_fp,new_fn",
    ),
    "test scores.csv --columns 2,3 --statistic bleu": ("'bleu' is no statistic", FILES),
    "test scores.csv --columns 2,3 --statistic means": (
        "'means' is no statistic",
        "test scores.csv --columns 2,3 --statistic mean",
    ),
    "test scores.csv --statistic accuracy": ("scores need --statistic difference", FILES),
    "test counts.csv --statistic f1": (
        "needs 4 or 6 columns (tp, fp, fn of u, of v",
        "test counts.csv --statistic f1 --columns base_tp,base_fp,base_fn,new_tp,new_fp,new_fn",
    ),
    "test counts.csv --statistic f1 --columns 2,3,5,6": ("fp + fn is needed in its place", FILES),
    "test percent.csv --columns 2,3": ("'1%' is no score: remove the % sign", FILES),
    "test missing.csv --columns 2,3": ("the cell is empty", "test missing.csv --columns 2,3 --missing drop"),
    "test table.xlsx": ("is no text but a spreadsheet or an archive: save its table as CSV", FILES),
    "test short.txt new.txt": ("different numbers of rows: short.txt has 49, new.txt has 60", FILES),
    "test bad.csv": ("bad.csv, line 3, column 1 (a): 'x' is no score", FILES),
    "test a.jsonl": ("holds the scores of one run: name the file of the other run, too", FILES),
    "test a.jsonl b.jsonl --key acc": ("no record has the key 'acc'", FILES),
    "test a.jsonl b.jsonl --key exact": (
        "no record has the key 'exact'",
        "test a.jsonl b.jsonl --key exact_match",
    ),
    "test plain.jsonl other.jsonl": (
        "say which key holds the scores, as in --key score",
        "test plain.jsonl other.jsonl --key score",
    ),
    "test a.jsonl b.jsonl --format jsonl": ("unrecognized arguments: --format", FILES),
    "test real.csv --columns 2,3 --method exact": ("too much work for an exact count: say --method certified", None),
    "test real.csv --columns 2,3 --statistic mean": (
        "say --statistic difference, which has the same p-value",
        "test real.csv --columns 2,3 --statistic difference",
    ),
    "compare systems.csv": (
        "if the column names the items, say --id item",
        "compare systems.csv --id item",
    ),
    "compare scores.csv --columns baseline": (
        "such as --columns baseline,new",
        "compare scores.csv --columns baseline,new",
    ),
    "interval scores.csv": ("such as --columns baseline,new", "interval scores.csv --columns baseline,new"),
    "interval counts.csv --statistic f1 --columns 2,3,4,5,6,7": (
        "f1 has none: exactperm test --statistic f1 tests it",
        "test counts.csv --statistic f1 --columns 2,3,4,5,6,7",
    ),
    "interval scores.csv --columns 2,3 --confidence 95": ("confidence is '95'", "guide intervals"),
    "dist scores.csv": ("such as --columns baseline,new", "dist scores.csv --columns baseline,new"),
    "recount scores.csv": ("scores.csv is not JSON", "guide certificates"),
    "audit scores.csv": ("a claim has no field 'item'", "guide audit"),
    "attainable --n 5": ("the following arguments are required: --p", "guide audit"),
    "tset scores.csv --columns 2,3": ("invalid choice: 'tset'", "test scores.csv --columns 2,3"),
    "scores.csv --columns 2,3": ("invalid choice: 'scores.csv'", "test scores.csv --columns 2,3"),
    "guide file": ("the guide has no topic 'file': exactperm guide files is one", FILES),
    "example score": ("there is no example 'score': exactperm example scores", "example scores"),
    "help permutation": ("there is no public name 'permutation'", "help"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files as people have them."""
    folder = tmp_path_factory.mktemp("first")
    texts = {f"{name}.csv": "".join(f"{line}\n" for line in lines()) for name, lines in EXAMPLES.items()}
    texts["a.jsonl"], texts["b.jsonl"] = texts["samples-a.csv"], texts["samples-b.csv"]
    rows = [line.split(",") for line in texts["scores.csv"].splitlines()]
    texts["new.txt"] = "\n".join(row[2] for row in rows)
    texts["short.txt"] = "\n".join(row[2] for row in rows[:50])
    texts["percent.csv"] = "\n".join([",".join(rows[0]), *(f"{a},{b}%,{c}%" for a, b, c in rows[1:])])
    texts["missing.csv"] = "\n".join([",".join(rows[0]), "q1,1,", *(",".join(row) for row in rows[2:])])
    texts["bad.csv"] = "a,b\n1,2\nx,3\n"
    texts["table.xlsx"] = "PK\3\4"
    texts["plain.jsonl"], texts["other.jsonl"] = [f'{{"id": 1, "text": "a", "score": {score}}}' for score in (1, 0)]
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("typed", WRONG)
def test_the_message_names_a_command_that_works(typed, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    message, named = WRONG[typed]
    assert main.main(shlex.split(typed)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert not re.search(r"\d{8}", err), "nobody reads such numbers"
    told = re.findall(r"^exactperm: try: exactperm (.*)$", err, re.MULTILINE)
    assert len(told) == 1
    if named is not None:
        assert told == [named]
    status = main.main(shlex.split(told[0]))
    out, err = capsys.readouterr()
    assert (status, err.replace("exactperm: data: ", "").count("error"), bool(out)) == (0, 0, True)


def test_the_table_is_long_enough():
    assert len(WRONG) >= 40


def test_no_option_is_advised_that_is_in_use():
    message = "the cell is empty (--missing drop leaves such pairs out)"
    assert advice.command(["test", "f", "--missing", "drop"], message) == "exactperm guide files"
    assert advice.command(["test", "f", "--missing=refuse"], message) == "exactperm test f --missing drop"
    assert advice.command([], "anything") == "exactperm guide start"
    assert advice.command(["x"], "argument COMMAND: invalid choice: 'y' (choose from 'yy')") == "exactperm guide start"


def test_the_files_are_not_changed(folder):
    assert Path(folder / "scores.csv").read_text().startswith("item,baseline,new")
