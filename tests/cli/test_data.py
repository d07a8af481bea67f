"""Data as people have them, in every command: the same pairs give the same p-value, and what is left out is counted."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from exactperm import permutation_test
from exactperm.cli import main as cli

U, V = ["0.9", "0.8", "0.7", "0.65", "0.5"], ["0.7", "0.75", "0.8", "0.4", "0.45"]
P = permutation_test(U, V).pvalue
IDS = ["d1", "d2", "d3", "d4", "d5"]
MISSING = ["", "NA", "NaN", "null", "None"]


def lines(*columns, mark=","):
    return "".join(mark.join(row) + "\n" for row in zip(*columns))


def records(scores, order=(0, 1, 2, 3, 4), key="acc", dotted=False):
    """JSON Lines: one record per item, in another order than the ids."""
    rows = ({"doc_id": IDS[i], "m": {key: float(scores[i])}} if dotted else {"doc_id": IDS[i], key: float(scores[i])}
            for i in order)  # fmt: skip
    return "\n".join(map(json.dumps, rows))


SHUFFLED = (3, 0, 4, 2, 1)
TABLE = "id,u,v\n" + lines(IDS, U, V)
MATRIX = "topic,run1,run2,run3\n" + lines(IDS, U, ["0"] * 5, V)
RECORDS = [{"doc_id": i, "u": {"acc": u}, "v": {"acc": v}, "x.y": 0} for i, u, v in zip(IDS, U, V)]
FORMS = {
    "two columns": ({"f.csv": TABLE}, ["--columns", "u,v"]),
    "columns by number": ({"f.tsv": TABLE.replace(",", "\t")}, ["--columns", "2,3"]),
    "decimal commas": ({"f.csv": TABLE.replace(",", ";").replace(".", ",")}, ["--columns", "u,v"]),
    "one column per file": ({"a.txt": lines(U), "b.txt": lines(V)}, []),
    "a named column of two tables": (
        {"a.csv": "id,acc\n" + lines(IDS, U), "b.csv": "acc,id\n" + lines(V[::-1], IDS[::-1])},
        ["--key", "acc", "--id", "id"],
    ),
    "JSON Lines by id": (
        {"a.jsonl": records(U), "b.jsonl": records(V, SHUFFLED)},
        ["--key", "acc", "--id", "doc_id"],
    ),
    "dotted keys": (
        {"a.jsonl": records(U, dotted=True), "b.jsonl": records(V, SHUFFLED, dotted=True)},
        ["--key", "m.acc", "--id", "doc_id"],
    ),
    "one JSON file": ({"f.json": json.dumps(RECORDS)}, ["--columns", "u.acc,v.acc"]),
    "two columns of a matrix": ({"f.csv": MATRIX}, ["--columns", "run1,run3"]),
}
GAPS = {
    "cells": (
        {
            "f.csv": TABLE
            + "".join(f"x{i},{cell},0.5\ny{i},0.5,{cell}\n" for i, cell in enumerate(MISSING))
        },
        ["--columns", "u,v"],
        10,
        "f.csv, line 7, column 2 (u): the cell is empty",
    ),
    "one column per file": (
        {"a.txt": lines([*U, "NA"]), "b.txt": lines([*V, "0.1"])},
        [],
        1,
        "a.txt, line 6, column 1",
    ),
    "null and an absent key": (
        {
            "a.jsonl": records(U) + '\n{"doc_id": "x", "acc": null}\n{"doc_id": "y"}',
            "b.jsonl": records(V) + '\n{"doc_id": "y", "acc": 0.2}\n{"doc_id": "x", "acc": 0.1}',
        },
        ["--key", "acc", "--id", "doc_id"],
        2,
        "a.jsonl, line 6, key 'acc', id 'x'",
    ),
}
COMMANDS = ["test", "dist", "compare", "interval", "audit"]


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def answered(command, files, *words):
        for name, text in files.items():
            Path(name).write_text(text, encoding="utf-8")
        more = ["--p", f"p = {P}"] if command == "audit" else []
        status = cli.main([command, *files, *words, *more])
        out, err = capsys.readouterr()
        return status, out, err

    return answered


def told(command, out):
    """The p-value of a JSON answer and the number of pairs left out."""
    found = json.loads(out)
    if command == "audit":
        (row,) = found["findings"]
        return row["exact"], row["dropped_pairs"]
    if command == "compare":
        (row,) = found["rows"]
        return row["pvalue"], found["dropped_pairs"]
    if command == "dist":
        return found["test"]["pvalue"], found["test"]["dropped_pairs"]
    return found.get("pvalue"), found["dropped_pairs"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("form", FORMS)
def test_forms_of_data(run, command, form):
    files, words = FORMS[form]
    status, out, err = run(command, files, *words, "--json")
    assert status == 0, err
    p, dropped = told(command, out)
    assert dropped == 0
    assert p is None if command == "interval" else Fraction(p) == P


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("form", GAPS)
def test_missing_cells_are_refused_with_their_place_or_dropped_and_counted(run, command, form):
    files, words, dropped, place = GAPS[form]
    status, out, err = run(command, files, *words)
    assert status == 2
    assert place in err
    assert command == "audit" or "; say --missing drop to leave such pairs out" in err
    status, out, err = run(command, files, *words, "--missing", "drop", "--json")
    assert (status, *told(command, out)) == (0, None if command == "interval" else str(P), dropped)
    status, out, err = run(command, files, *words, "--missing", "drop")
    assert status == 0
    assert (
        f"{dropped} of {dropped + 5} pairs left out" in out + err
        or f"({dropped} pairs left out)" in out
    )


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("more", "message"),
    [
        ('\n{"doc_id": "z", "acc": 0.2}', "a.jsonl lacks 'z'"),
        ('\n{"doc_id": "d1", "acc": 0.2}', "the id 'd1' is also in line 1"),
        ('\n{"doc_id": null, "acc": 0.2}', "the id is missing"),
        ('\n{"acc": 0.2}', "the id is missing"),
    ],
)
def test_ids_are_never_dropped(run, command, more, message):
    files = {"a.jsonl": records(U), "b.jsonl": records(V) + more}
    for missing in ("refuse", "drop"):
        status, _out, err = run(
            command, files, "--key", "acc", "--id", "doc_id", "--missing", missing
        )
        assert status == 2
        assert message in err


def test_all_pairs_of_a_matrix(run):
    status, out, _err = run("compare", {"f.csv": MATRIX}, "--columns", "run1,run2,run3", "--json")
    found = {
        (row["first"], row["second"]): Fraction(row["pvalue"]) for row in json.loads(out)["rows"]
    }
    assert status == 0
    assert len(found) == 3
    assert found["run1", "run3"] == P


@pytest.mark.parametrize(
    "words",
    [
        ["--mu", "0.1"],
        ["--orientation", "second-first", "--alternative", "greater"],
        ["--statistic", "signed-rank", "--zeros", "pratt", "--mu=-0.05"],
        ["--statistic", "sign", "--alternative", "less"],
    ],
)
def test_distributions_are_those_of_the_test(run, words):
    files = {"f.csv": TABLE}
    _status, out, _err = run("test", files, "--columns", "u,v", *words, "--json")
    tested = json.loads(out)
    status, out, _err = run("dist", files, "--columns", "u,v", *words, "--json")
    found = json.loads(out)
    assert status == 0
    for name in ("pvalue", "statistic", "mu", "orientation"):
        assert found["test"].get(name) == tested.get(name)
    assert tested["statistic"] in found["support"]


def test_an_interval_turns_with_its_orientation(run):
    files = {"f.csv": TABLE}
    ends = []
    for orientation in ("first-second", "second-first"):
        status, out, _err = run(
            "interval",
            files,
            "--columns",
            "u,v",
            "--confidence",
            "0.5",
            "--orientation",
            orientation,
            "--json",
        )
        found = json.loads(out)
        assert status == 0
        ends.append([Fraction(found[end][0]) for end in ("lower", "upper")])
    assert found["orientation"] == "second-first"
    assert ends[1] == [-ends[0][1], -ends[0][0]]


@pytest.mark.parametrize("command", ["test", "dist"])
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--mu", "1", "--statistic", "accuracy"], "--mu does not know the statistic accuracy"),
        (["--zeros", "pratt"], "--zeros does not know the statistic difference"),
        (["--mu", "1", "--decimals", "1"], "--mu and --decimals exclude each other"),
        (["--statistic", "sign", "--groups", "id"], "--groups does not know the statistic sign"),
    ],
)
def test_options_that_a_statistic_does_not_know(run, command, words, message):
    status, _out, err = run(command, {"f.csv": TABLE}, *words)
    assert (status, message in err) == (2, True)


MOVED = {
    "tables": (
        {"a.csv": "id,acc\n" + lines(IDS, U), "b.csv": "id,acc\n" + lines(IDS[::-1], V[::-1])},
        "id",
    ),
    "records": ({"a.jsonl": records(U), "b.jsonl": records(V, SHUFFLED)}, "doc_id"),
}


@pytest.mark.parametrize("moved", MOVED.values(), ids=MOVED)
@pytest.mark.parametrize("command", ["test", "compare", "interval"])
def test_items_that_moved_are_not_joined_by_position(moved, command, tmp_path, monkeypatch, capsys):
    """Ids in another order say so; with --id the same files work, and so do ids in the same order without it."""
    files, key = moved
    monkeypatch.chdir(tmp_path)
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")
    words = [command, *files, "--key", "acc"]
    assert cli.main(words) == 2
    said = capsys.readouterr().err
    assert f"have the same items by {key!r}, in another order" in said
    assert f"say --id {key}" in said
    assert cli.main([*words, "--id", key]) == 0
    first = next(iter(files))
    Path(f"copy-{first}").write_text(files[first], encoding="utf-8")
    assert cli.main([command, first, f"copy-{first}", "--key", "acc"]) == 0


def test_other_items_are_not_joined_by_position(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for ids, status in (
        (["d1", "d1", "d2", "d2", "d1"], 2),
        (["d1", "d1", "d2", "d3", "d4"], 2),
        (["d6", "d7", "d8", "d9", "d1"], 2),
    ):
        Path("a.csv").write_text("id,acc\n" + lines(ids, U), encoding="utf-8")
        Path("b.csv").write_text(
            "id,acc\n" + lines(ids[::-1] if len(set(ids)) < 5 else IDS, V), encoding="utf-8"
        )
        assert cli.main(["test", "a.csv", "b.csv", "--key", "acc"]) == status
