"""Forty wrong first commands: each message names a command that then works, and the test runs it."""

import json
import re
import shlex
from pathlib import Path

import pytest

from exactperm import permutation_test
from exactperm.cli import main
from exactperm.cli.example import EXAMPLES

FILES = "guide files"

WRONG = {
    # what is typed: (part of the message, the command that is named)
    "test": ("name a file of scores", FILES),
    "test nofile.csv": ("cannot read nofile.csv", FILES),
    "test scores.csv --colums 2,3": ("unrecognized arguments: --colums", "test scores.csv --columns 2,3"),
    "test scores.csv --columns 2,3 --alternative twosided": (
        "invalid choice: 'twosided'",
        "test scores.csv --columns 2,3 --alternative two-sided",
    ),
    "test scores.csv --columns 2,3 --alternative one-sided": ("invalid choice: 'one-sided'", FILES),
    "test scores.csv --columns 2,3 --method bootstrap": ("invalid choice: 'bootstrap'", FILES),
    "test scores.csv --columns 2,3 --statistic bleu": ("invalid choice: 'bleu'", FILES),
    "test scores.csv --columns 2,3 --statistic means": (
        "invalid choice: 'means'",
        "test scores.csv --columns 2,3 --statistic mean",
    ),
    "test scores.csv --columns 2,3 --svg out.svg": ("--svg is an option of dist, compare", FILES),
    "test counts.csv --statistic f1 --columns 2,3,5,6": (
        "fp + fn is needed in its place",
        "test counts.csv --statistic f1 --columns base_tp,base_fp,base_fn,new_tp,new_fp,new_fn",
    ),
    "test percent.csv --columns 2,3": ("'1%' is no score; remove the % sign", FILES),
    "test table.xlsx": ("is no text but a spreadsheet or an archive: save its table as CSV", FILES),
    "test short.txt new.txt": ("different numbers of rows: short.txt has 49, new.txt has 60", FILES),
    "test bad.csv": ("bad.csv, line 3, column 1 (a): 'x' is no score", FILES),
    "test a.jsonl": ("holds the scores of one run; name the file of the other run, too", FILES),
    "test nested.json": ("keys are chosen by their names", FILES),
    "test graded.csv": ("seems to name the items", FILES),
    "test new.txt new.txt": ("new.txt is named twice", FILES),
    "test map.json": ("write a column for each system and a row for each item", FILES),
    "test wide.csv": ("a column for each system and a row for each item", FILES),
    "test mixed.csv --columns a,b": ("the columns have different scales: write both as shares of 1", FILES),
    "test pair.csv": ("class labels are compared by the statistic accuracy", FILES),
    "test tags_a.csv tags_b.csv --statistic accuracy --columns tag,gold --id id": (
        "'gold' holds the right labels by its name",
        "test tags_a.csv tags_b.csv --statistic accuracy --id id --columns gold,tag",
    ),
    "test small.csv --statistic accuracy": (
        "labels are compared as they are written; write one label in one form",
        FILES,
    ),
    "test totals.json a.jsonl": ("holds totals of tasks of lm-evaluation-harness: the test needs the score", FILES),
    "test none.jsonl strict.jsonl": ("no filter of answers in common: none.jsonl has 'none'; strict.jsonl has", FILES),
    "test lengths.csv --id id": ("the column 'length' seems to hold no scores", FILES),
    "test minus.txt": ("write the minus sign as -", FILES),
    "test some_commas.txt": ("line 2: 1 cell, but line 1 has 2", FILES),
    "test commas.txt": ("if they are, write semicolons between cells", FILES),
    "test scores.csv baseline new": ("names of columns are separated by commas", FILES),
    "test real.csv --columns 2,3 --method exact": (
        "too much work for an exact count",
        "test real.csv --columns 2,3 --method certified",
    ),
    "test real.csv --columns 2,3 --statistic mean": (
        "too much work for an exact count",
        "test real.csv --columns 2,3 --statistic difference",
    ),
    "dist real.csv --columns 2,3": ("rounding with --decimals is cheaper but asks another question", FILES),
    "compare real.csv --columns 2,3": (
        "too much work for an exact count",
        "compare real.csv --columns 2,3 --method certified",
    ),
    "test scores.csv --columns 2,3 --samples 99": (
        "the exact test draws no samples",
        "test scores.csv --columns 2,3 --samples 99 --method monte-carlo",
    ),
    "test scores.csv --columns 2,3 --statistic sign --method monte-carlo": (
        "has an exact count of any size",
        "test scores.csv --columns 2,3 --statistic sign --method auto",
    ),
    "interval counts6.csv --statistic f1": ("f1 has none", "test counts6.csv --statistic f1"),
    "interval scores.csv --columns 2,3 --confidence 95": ("confidence is '95'", "guide intervals"),
    "compare systems.csv --id item --svg board.png": ("board.png: the picture is written as SVG", "guide many-systems"),
    "dist scores.csv --columns 2,3 --svg there.svg": ("it exists; allow to overwrite it", FILES),
    "recount scores.csv": ("scores.csv is not JSON", "guide certificates"),
    "recount new.txt": ("exactperm test --json > FILE saves what recount reads", "guide certificates"),
    "verify record.json": ("record.json is no program", "recount record.json"),
    "audit scores.csv": ("a claim has no field 'item'", "guide audit"),
    "audit new.txt old.txt": ("for files of scores, --p takes the p-value as the paper prints it", "guide audit"),
    "attainable --n 5": ("the following arguments are required: --p", "guide audit"),
    "tset scores.csv --columns 2,3": ("invalid choice: 'tset'", "test scores.csv --columns 2,3"),
    "scores.csv --columns 2,3": ("invalid choice: 'scores.csv'", "test scores.csv --columns 2,3"),
    "wilcoxon scores.csv --columns 2,3": ("invalid choice: 'wilcoxon'", "guide start"),
    "guide xyzzy": ("the guide has no topic 'xyzzy'", "guide start"),
    "help xyzzy": ("nothing has the name 'xyzzy'", "guide start"),
    "example score": ("there is no example 'score'", "guide start"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):  # noqa: PLR0915
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
    texts["old.txt"] = "\n".join(row[1] for row in rows)
    texts["third.txt"] = "\n".join(row[1] for row in (rows[0], *rows[:0:-1]))
    texts["board.csv"] = "\n".join(line.partition(",")[2] for line in texts["systems.csv"].splitlines())
    texts["counts6.csv"] = "\n".join(line.partition(",")[2] for line in texts["counts.csv"].splitlines())
    for name, other in (("precision", "fp"), ("recall", "fn")):
        texts[f"{name}.csv"] = f"tp_a,{other}_a,note,tp_b,{other}_b\n3,1,x,2,1\n2,0,x,4,1\n"
    texts["texts.csv"] = "id,question,comet_a,comet_b,note\n" + "".join(
        f'q{i},"what, {i}?",{i % 7}.5,{i % 5},{"ok" if i else ""}\n' for i in range(9)
    )
    texts["long.csv"] = "system,item,score\n" + "".join(f"{s},q{i},{i % 2}\n" for s in "AB" for i in range(9))
    texts["mixed.csv"] = "id,a,b\n" + "".join(f"q{i},{i + 30}.5%,0.{i + 10}\n" for i in range(9))
    items = [f"q{i * 7 % 40}" for i in range(40)]
    texts["one.csv"] = "question,score\n" + "".join(f"{item},{i % 2}\n" for i, item in enumerate(items))
    texts["two.csv"] = "question,score\n" + "".join(f"{item},{i % 3 % 2}\n" for i, item in enumerate(sorted(items)))
    texts["named_a.csv"] = texts["one.csv"].replace("score", "system A")
    texts["named_b.csv"] = texts["two.csv"].replace("score", "system B")
    for name in ("one", "two"):
        texts[f"{name}.txt"] = texts[f"{name}.csv"].partition("\n")[2]
    tags = [line.split(",") for line in texts["labels.csv"].splitlines()[1:]]
    texts["gold.txt"] = "\n".join(row[0] for row in tags)
    for name, column in (("a", 1), ("b", 2)):
        texts[f"tags_{name}.txt"] = "\n".join(row[column] for row in tags)
        order = list(enumerate(tags))[:: 3 - 2 * column]
        texts[f"tags_{name}.csv"] = "id,tag,gold\n" + "".join(f"q{i},{row[column]},{row[0]}\n" for i, row in order)
    texts["there.svg"] = ""
    texts["small.csv"] = "gold,a,b\n" + "".join(f"{'XY'[i % 2]},X,{'xy'[i % 2]}\n" for i in range(20))
    texts["item_gold.csv"] = "item,gold,a,b\n" + "".join(f"{i},{i % 3},{i % 2},0\n" for i in range(20))
    texts["two_ids.csv"] = "id,seg,score\n" + "".join(f"{i},{i // 4},{i % 2}\n" for i in range(20))
    texts["docs.csv"] = "doc,a,b\n" + "".join(f"{i // 3},{i % 2},{i % 3 % 2}\n" for i in range(20))
    texts["pair.csv"] = "gold,a\n" + "".join(f"{i % 3},{i % 2}\n" for i in range(20))
    texts["numbers.csv"] = ",0,1\n" + "".join(f"{i},{i % 2},{i % 3 % 2}\n" for i in range(20))
    texts["frame.csv"] = ",a,b\n" + "".join(f"{i},{i % 2},{i % 3 % 2}\n" for i in range(20))
    texts["keys.csv"] = "id,seg,a,b\n" + "".join(f"{i},{i // 4},{i % 2},{i % 3 % 2}\n" for i in range(20))
    texts["half2.csv"] = "id,score\n" + "".join(f"{i},{i % 3 % 2}\n" for i in range(19, -1, -1))
    texts["map.json"] = "{" + ", ".join(f'"q{i}": {i % 2}' for i in range(20)) + "}"
    texts["wide.csv"] = "".join(
        f"{s}," + ",".join("01"[i % k % 2] for i in range(20)) + "\n" for s, k in (("A", 2), ("B", 3))
    )
    texts["classes.csv"] = "gold,a,b\n" + "".join(f"{i % 3},{i % 2},{i % 3 * (i % 5 % 2)}\n" for i in range(20))
    texts["numbered.csv"] = "n,a,b\n" + "".join(f"{i},{i % 2},{i % 3 % 2}\n" for i in range(20))
    texts["half.csv"] = "id,score\n" + "".join(f"{i},{i % 2}\n" for i in range(20))
    texts["ragged.csv"] = "text,a,b\nyes, no,1,1\nno,1,0\n"
    texts["numbers.jsonl"], texts["more.jsonl"] = "1\n0\n1\n", "0\n0\n1\n"
    texts["nested.json"] = '{"model": "a", "results": [{"score": 1}]}'
    texts["named.csv"] = texts["scores.csv"].replace("baseline,new", "system A,system B")
    texts["keyed.jsonl"] = "".join(f'{{"question": "{item}", "acc": {i % 2}}}\n' for i, item in enumerate(items))
    texts["caps.jsonl"] = "".join(f'{{"QUESTION": "{item}", "acc": {i % 2}}}\n' for i, item in enumerate(sorted(items)))
    for name, header in (("caps", "Question"), ("item_id", "item_id"), ("index", "idx")):
        texts[f"{name}.csv"] = texts["two.csv"].replace("question", header)
    texts["renamed.csv"] = texts["two.csv"].replace("q7,", "z7,")
    texts["twice.csv"] = texts["two.csv"].replace("q7,", "q8,")
    texts["fewer.csv"] = "".join(line for line in texts["two.csv"].splitlines(True) if not line.startswith("q7,"))
    texts["renamed.jsonl"] = texts["caps.jsonl"].replace("QUESTION", "question").replace('"q7"', '"z7"')
    texts["twins.csv"] = "doc_id,a,b\n" + "".join(f"d{i // 2},{i % 2},{i % 3 % 2}\n" for i in range(20))
    texts["totals.json"] = '{"results": {"arc": {"alias": "arc", "acc,none": 0.5}}, "configs": {}}'
    for name, filters in (
        ("none", ["none"]),
        ("strict", ["strict-match", "flexible-extract"]),
        ("both", ["none", "strict-match"]),
    ):
        texts[f"{name}.jsonl"] = "".join(
            f'{{"doc_id": {i}, "doc_hash": "h{i}", "filter": "{answers}", "acc": {i % 2}}}\n'
            for i in range(9)
            for answers in filters
        )
    texts["dashed.csv"] = "id,a,b\nq1,-,1\nq2,0,1\n"
    texts["graded_ids.csv"] = "id,a,b\n" + "".join(f"q{i},right,{'right' if i % 2 else 'wrong'}\n" for i in range(6))
    texts["lists.json"] = '{"A": [1, 0, 1], "B": [1, 1, 1]}'
    for name, k in (("inner", 2), ("inner2", 3)):
        record = '{{"id": "q{}", "metrics": {{"f1": {}}}}}\n'
        texts[f"{name}.jsonl"] = "".join(record.format(i, i % k) for i in range(9))
    for k, name in enumerate("abc"):
        texts[f"f1_{name}.csv"] = "id,tp,fp,fn\n" + "".join(f"q{i},{i % 3 + k},{i % 2},{i % 5}\n" for i in range(9))
    texts["counts9.csv"] = ",".join(f"{count}_{name}" for name in "abc" for count in ("tp", "fp", "fn")) + "\n"
    texts["counts9.csv"] += "".join(",".join(str(i * k % 5) for k in range(2, 11)) + "\n" for i in range(9))
    texts["length.csv"] = "id,length,A,B\n" + "".join(f"q{i},{i * 7 % 9},{i % 5},{i % 3}\n" for i in range(9))
    texts["lengths.csv"] = "id,length,score\n" + "".join(f"q{i},{i * 7 % 9},{i % 5}\n" for i in range(9))
    texts["diff.csv"] = "id,A,B,x\n" + "".join(f"q{i},{i % 5},{i % 3},{i % 5 - i % 3}.0\n" for i in range(9))
    texts["errors.csv"] = "utt,err_A,words,err_B\n" + "".join(
        f"u{i},{i % 5},{i * 7 % 9 + 9},{i % 3}\n" for i in range(9)
    )
    texts["percents.csv"] = "id,A,B\n" + "".join(f"q{i},{i}%,{i % 3}%\n" for i in range(9))
    texts["docid.csv"] = "docid,A,B\n" + "".join(f"d{i // 4},{i % 5},{i % 3}\n" for i in range(9))
    for name, k in (("a", 7), ("b", 5)):
        texts[f"comma_{name}.txt"] = "".join(f"{i + 20},{i * k % 10}\n" for i in (3, 1, 4, 15, 9, 2, 6))
        texts[f"percent_{name}.txt"] = "".join(f"{i * k}%\n" for i in range(6))
    texts["comma_h.txt"], texts["comma_i.txt"] = (f"BLEU\n{texts[f'comma_{name}.txt']}" for name in "ab")
    texts["some_commas.txt"] = "28,6\n29\n-1,5\n"
    texts["minus.txt"] = "\N{MINUS SIGN}1.5\n2.5\n"
    texts["commas.txt"] = "".join(f"0,{i * 7 % 60},0,{i * 5 % 60}\n" for i in range(9, 20))
    texts["quoted.csv"] = "id,A,B\n" + "".join(f'q{i},"{i},{i % 5}","{i},{i % 7}"\n' for i in range(9))
    texts["graded.csv"] = "a,b\nyes,no\nno,no\n"
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    result = permutation_test([1, 0, 1], [0, 0, 1])
    (folder / "record.json").write_text(json.dumps(result.to_dict()), encoding="utf-8")
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
    told = re.findall(r"^exactperm: (?:try|see): exactperm (.*)$", err, re.MULTILINE)
    assert len(told) == 1
    assert "\nexactperm: see: " not in err or told[0].startswith(("guide", "help", "example", "vectors"))
    if named is not None:
        assert told == [named]
    assert shlex.split(told[0]) != shlex.split(typed)
    status = main.main(shlex.split(told[0]))
    out, err = capsys.readouterr()
    assert (status, err.replace("exactperm: data: ", "").count("error"), bool(out)) == (0, 0, True)


@pytest.mark.parametrize(
    ("typed", "note"),
    [
        (
            "test twins.csv --columns a,b",
            "20 rows of 10 items by 'doc_id': rows of one item are not independent; groups",
        ),
        ("test twins.csv --columns a,b --groups doc_id", ""),
        ("test frame.csv --columns a,b", ""),
        ("test board.csv --columns large", "columns large,small compares two systems"),
        ("test new.txt", "to compare two systems, name both files"),
        ("test named_a.csv --columns 2", "to compare two systems, name both files"),
        ("test plain2.jsonl --key a", "columns a,b compares two systems"),
    ],
)
def test_what_may_not_be_meant_is_noted(typed, note, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    (folder / "plain2.jsonl").write_text('{"a": 1, "b": 0}\n{"a": 0, "b": 1}\n', encoding="utf-8")
    rows = "".join(f"q{i},{i % 2},{i % 3 % 2}\n" for i in range(20))
    (folder / "total.csv").write_text(f"id,a,b\n{rows}macro avg,0.5,0.3\n", encoding="utf-8")
    assert main.main(shlex.split(typed)) == 0
    out, err = capsys.readouterr()
    assert ("note: " in out + err) == bool(note)
    assert note in out + err


def test_the_files_are_not_changed(folder):
    assert Path(folder / "scores.csv").read_text().startswith("item,baseline,new")
