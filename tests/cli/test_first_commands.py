"""Wrong first commands: each names a command that then works, which is run; their messages are in a catalogue."""

import contextlib
import io
import json
import os
import re
import shlex
import sys
import tempfile
from pathlib import Path

import pytest

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from exactperm import permutation_test
from exactperm.cli import main
from exactperm.cli.example import EXAMPLES, example
from exactperm.swaps.runs import DESIGNS

CATALOGUE = Path(__file__).with_name("messages.txt")

WRONG = {
    # what is typed: (the code of the error, the command that is named)
    "test": ("options", "guide files"),
    "test nofile.csv": ("unreadable", "guide files"),
    "test scores.csv --colums 2,3": ("usage", "test scores.csv --columns 2,3"),
    "test scores.csv --columns 2,3 --alternative twosided": (
        "usage",
        "test scores.csv --columns 2,3 --alternative two-sided",
    ),
    "test scores.csv --columns 2,3 --alternative one-sided": ("usage", "guide files"),
    "test scores.csv --columns 2,3 --statistic means": (
        "usage",
        "test scores.csv --columns 2,3 --statistic mean",
    ),
    "test counts.csv --statistic f1 --columns 2,3,5,6": (
        "roles",
        "test counts.csv --statistic f1 --columns base_tp,base_fp,base_fn,new_tp,new_fp,new_fn",
    ),
    "test percent.csv --columns 2,3": ("no-score", "guide files"),
    "test table.xlsx": ("", "guide files"),
    "test short.txt new.txt": ("other-rows", "guide files"),
    "test bad.csv": ("no-score", "guide files"),
    "test a.jsonl": ("one-system", "guide files"),
    "test new.txt new.txt": ("file-twice", "guide files"),
    "test wide.csv": ("columns", "guide files"),
    "test mixed.csv --columns a,b": ("no-score", "guide files"),
    "test pair.csv": ("gold-column", "guide files"),
    "test tags_a.csv tags_b.csv --statistic accuracy --columns tag,gold --id id": (
        "gold-place",
        "test tags_a.csv tags_b.csv --statistic accuracy --id id --columns gold,tag",
    ),
    "test totals.json a.jsonl": ("totals", "guide files"),
    "test minus.txt": ("no-score", "guide files"),
    "test scores.csv baseline new": ("", "guide files"),
    "test real.csv --columns 2,3 --method exact": (
        "budget",
        "test real.csv --columns 2,3 --method certified",
    ),
    "dist real.csv --columns 2,3": ("budget", "guide files"),
    "test scores.csv --columns 2,3 --samples 99": (
        "options",
        "test scores.csv --columns 2,3 --samples 99 --method monte-carlo",
    ),
    "test scores.csv --columns 2,3 --statistic sign --method monte-carlo": (
        "options",
        "test scores.csv --columns 2,3 --statistic sign --method auto",
    ),
    "interval counts6.csv --statistic f1": ("", "test counts6.csv --statistic f1"),
    "verify record.json": ("", "recount record.json"),
    "audit scores.csv": ("claim-field", "guide audit"),
    "tset scores.csv --columns 2,3": ("usage", "test scores.csv --columns 2,3"),
    "scores.csv --columns 2,3": ("usage", "test scores.csv --columns 2,3"),
    "guide xyzzy": ("", "guide start"),
    "test scores.csv --columns base,new": ("column", "test scores.csv --columns baseline,new"),
    "test labels.csv": (
        "columns",
        "test labels.csv --statistic accuracy --columns gold,baseline,new",
    ),
    "test counts.csv": (
        "columns",
        "test counts.csv --statistic f1 --columns base_tp,base_fp,base_fn,new_tp,new_fp,new_fn",
    ),
    "compare counts.csv": (
        "counts-not-scores",
        "test counts.csv --statistic f1 --columns base_tp,base_fp,base_fn,new_tp,new_fp,new_fn",
    ),
    "test systems.csv": ("columns", "compare systems.csv --columns small,medium,large,large-v2"),
    "test missing.csv --columns 2,3": (
        "missing-cell",
        "test missing.csv --columns 2,3 --missing drop",
    ),
    "test plain.jsonl other.jsonl": ("columns", "test plain.jsonl other.jsonl --id id --key score"),
    "test twins.csv --columns a,b --id doc_id": (
        "id-repeated",
        "test twins.csv --columns a,b --groups doc_id",
    ),
    "test both.jsonl strict.jsonl": ("filter", "guide files"),
    "test one.csv two.csv": ("columns", "test one.csv two.csv --id question --key score"),
    "test one.txt two.txt --columns 2": ("moved-items", "test one.txt two.txt --columns 2 --id 1"),
    "test keyed.jsonl caps.jsonl --key acc": (
        "moved-items",
        "test keyed.jsonl caps.jsonl --key acc --id question",
    ),
    "test named_a.csv named_b.csv": ("columns", "test named_a.csv named_b.csv --id 1 --key 2"),
    "test new.txt old.txt third.txt": ("columns", "compare new.txt old.txt third.txt"),
    "test f1_a.csv f1_b.csv": (
        "columns",
        "test f1_a.csv f1_b.csv --statistic f1 --id id --columns tp,fp,fn",
    ),
    "compare f1_a.csv f1_b.csv f1_c.csv": ("counts-not-scores", "guide many-systems"),
    "test comma_a.txt comma_b.txt": (
        "decimal-comma",
        "test comma_a.txt comma_b.txt --decimal comma",
    ),
    "test quoted.csv --columns A,B": (
        "no-score",
        "test quoted.csv --columns A,B --delimiter comma --decimal comma",
    ),
    "test tags_a.txt tags_b.txt gold.txt --statistic accuracy": ("gold-place", "guide files"),
    # a word that is left out: every design is named
    "test runs.csv": ("runs", "test runs.csv --runs"),
    "compare runs.csv --id task": ("runs", "compare runs.csv --id task --runs"),
    "test seeds_a.csv seeds_b.csv": ("runs", "test seeds_a.csv seeds_b.csv --runs"),
    "test seeds.csv": ("long-table", "test seeds.csv --system system --id item --run seed --runs"),
    "test seeds.csv --system system": ("runs", "test seeds.csv --system system --runs"),
    "test runs.csv --runs within --groups task": ("runs-options", "test runs.csv --runs within"),
    "test documents.csv --columns 3,4 --delimiter '\\t'": (
        "delimiter",
        "test documents.csv --columns 3,4 --delimiter tab",
    ),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return written(tmp_path_factory.mktemp("first"))


def written(folder):  # noqa: PLR0915
    """Write files as people have them."""
    texts = {f"{name}.csv": example(name) for name in EXAMPLES}
    texts["a.jsonl"], texts["b.jsonl"] = texts["samples-a.csv"], texts["samples-b.csv"]
    rows = [line.split(",") for line in texts["scores.csv"].splitlines()]
    texts["new.txt"] = "\n".join(row[2] for row in rows)
    texts["short.txt"] = "\n".join(row[2] for row in rows[:50])
    texts["percent.csv"] = "\n".join(
        [",".join(rows[0]), *(f"{a},{b}%,{c}%" for a, b, c in rows[1:])]
    )
    texts["missing.csv"] = "\n".join(
        [",".join(rows[0]), "q1,1,", *(",".join(row) for row in rows[2:])]
    )
    texts["bad.csv"] = "a,b\n1,2\nx,3\n"
    texts["table.xlsx"] = "PK\3\4"
    texts["plain.jsonl"], texts["other.jsonl"] = [
        f'{{"id": 1, "text": "a", "score": {score}}}' for score in (1, 0)
    ]
    texts["old.txt"] = "\n".join(row[1] for row in rows)
    texts["third.txt"] = "\n".join(row[1] for row in (rows[0], *rows[:0:-1]))
    texts["board.csv"] = "\n".join(
        line.partition(",")[2] for line in texts["systems.csv"].splitlines()
    )
    texts["counts6.csv"] = "\n".join(
        line.partition(",")[2] for line in texts["counts.csv"].splitlines()
    )
    for name, other in (("precision", "fp"), ("recall", "fn")):
        texts[f"{name}.csv"] = f"tp_a,{other}_a,note,tp_b,{other}_b\n3,1,x,2,1\n2,0,x,4,1\n"
    texts["texts.csv"] = "id,question,comet_a,comet_b,note\n" + "".join(
        f'q{i},"what, {i}?",{i % 7}.5,{i % 5},{"ok" if i else ""}\n' for i in range(9)
    )
    texts["long.csv"] = "system,item,score\n" + "".join(
        f"{s},q{i},{i % 2}\n" for s in "AB" for i in range(9)
    )
    texts["mixed.csv"] = "id,a,b\n" + "".join(f"q{i},{i + 30}.5%,0.{i + 10}\n" for i in range(9))
    items = [f"q{i * 7 % 40}" for i in range(40)]
    texts["one.csv"] = "question,score\n" + "".join(
        f"{item},{i % 2}\n" for i, item in enumerate(items)
    )
    texts["two.csv"] = "question,score\n" + "".join(
        f"{item},{i % 3 % 2}\n" for i, item in enumerate(sorted(items))
    )
    texts["named_a.csv"] = texts["one.csv"].replace("score", "system A")
    texts["named_b.csv"] = texts["two.csv"].replace("score", "system B")
    for name in ("one", "two"):
        texts[f"{name}.txt"] = texts[f"{name}.csv"].partition("\n")[2]
    tags = [line.split(",") for line in texts["labels.csv"].splitlines()[1:]]
    texts["gold.txt"] = "\n".join(row[0] for row in tags)
    for name, column in (("a", 1), ("b", 2)):
        texts[f"tags_{name}.txt"] = "\n".join(row[column] for row in tags)
        order = list(enumerate(tags))[:: 3 - 2 * column]
        texts[f"tags_{name}.csv"] = "id,tag,gold\n" + "".join(
            f"q{i},{row[column]},{row[0]}\n" for i, row in order
        )
    texts["there.svg"] = ""
    seeds = {
        name: [(f"q{i}", j, i * (j + k) % 2) for i in range(6) for j in (1, 2)]
        for k, name in enumerate("ab")
    }
    for name, rows in seeds.items():
        texts[f"seeds_{name}.csv"] = "item,seed,score\n" + "".join(
            f"{i},{j},{x}\n" for i, j, x in rows
        )
    lines = [f"{i},{name},{j},{x}\n" for name, rows in seeds.items() for i, j, x in rows]
    texts["seeds.csv"] = "".join(["item,system,seed,score\n", *lines])
    texts["small.csv"] = "gold,a,b\n" + "".join(
        f"{'XY'[i % 2]},X,{'xy'[i % 2]}\n" for i in range(20)
    )
    texts["item_gold.csv"] = "item,gold,a,b\n" + "".join(
        f"{i},{i % 3},{i % 2},0\n" for i in range(20)
    )
    texts["two_ids.csv"] = "id,seg,score\n" + "".join(f"{i},{i // 4},{i % 2}\n" for i in range(20))
    texts["docs.csv"] = "doc,a,b\n" + "".join(f"{i // 3},{i % 2},{i % 3 % 2}\n" for i in range(20))
    texts["pair.csv"] = "gold,a\n" + "".join(f"{i % 3},{i % 2}\n" for i in range(20))
    texts["numbers.csv"] = ",0,1\n" + "".join(f"{i},{i % 2},{i % 3 % 2}\n" for i in range(20))
    texts["frame.csv"] = ",a,b\n" + "".join(f"{i},{i % 2},{i % 3 % 2}\n" for i in range(20))
    texts["keys.csv"] = "id,seg,a,b\n" + "".join(
        f"{i},{i // 4},{i % 2},{i % 3 % 2}\n" for i in range(20)
    )
    texts["half2.csv"] = "id,score\n" + "".join(f"{i},{i % 3 % 2}\n" for i in range(19, -1, -1))
    texts["map.json"] = "{" + ", ".join(f'"q{i}": {i % 2}' for i in range(20)) + "}"
    texts["wide.csv"] = "".join(
        f"{s}," + ",".join("01"[i % k % 2] for i in range(20)) + "\n"
        for s, k in (("A", 2), ("B", 3))
    )
    texts["classes.csv"] = "gold,a,b\n" + "".join(
        f"{i % 3},{i % 2},{i % 3 * (i % 5 % 2)}\n" for i in range(20)
    )
    texts["numbered.csv"] = "n,a,b\n" + "".join(f"{i},{i % 2},{i % 3 % 2}\n" for i in range(20))
    texts["half.csv"] = "id,score\n" + "".join(f"{i},{i % 2}\n" for i in range(20))
    texts["ragged.csv"] = "text,a,b\nyes, no,1,1\nno,1,0\n"
    texts["numbers.jsonl"], texts["more.jsonl"] = "1\n0\n1\n", "0\n0\n1\n"
    texts["nested.json"] = '{"model": "a", "results": [{"score": 1}]}'
    texts["named.csv"] = texts["scores.csv"].replace("baseline,new", "system A,system B")
    texts["keyed.jsonl"] = "".join(
        f'{{"question": "{item}", "acc": {i % 2}}}\n' for i, item in enumerate(items)
    )
    texts["caps.jsonl"] = "".join(
        f'{{"QUESTION": "{item}", "acc": {i % 2}}}\n' for i, item in enumerate(sorted(items))
    )
    for name, header in (("caps", "Question"), ("item_id", "item_id"), ("index", "idx")):
        texts[f"{name}.csv"] = texts["two.csv"].replace("question", header)
    texts["renamed.csv"] = texts["two.csv"].replace("q7,", "z7,")
    texts["twice.csv"] = texts["two.csv"].replace("q7,", "q8,")
    texts["fewer.csv"] = "".join(
        line for line in texts["two.csv"].splitlines(True) if not line.startswith("q7,")
    )
    texts["renamed.jsonl"] = (
        texts["caps.jsonl"].replace("QUESTION", "question").replace('"q7"', '"z7"')
    )
    texts["twins.csv"] = "doc_id,a,b\n" + "".join(
        f"d{i // 2},{i % 2},{i % 3 % 2}\n" for i in range(20)
    )
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
    texts["graded_ids.csv"] = "id,a,b\n" + "".join(
        f"q{i},right,{'right' if i % 2 else 'wrong'}\n" for i in range(6)
    )
    texts["lists.json"] = '{"A": [1, 0, 1], "B": [1, 1, 1]}'
    for name, k in (("inner", 2), ("inner2", 3)):
        record = '{{"id": "q{}", "metrics": {{"f1": {}}}}}\n'
        texts[f"{name}.jsonl"] = "".join(record.format(i, i % k) for i in range(9))
    for k, name in enumerate("abc"):
        texts[f"f1_{name}.csv"] = "id,tp,fp,fn\n" + "".join(
            f"q{i},{i % 3 + k},{i % 2},{i % 5}\n" for i in range(9)
        )
    texts["counts9.csv"] = (
        ",".join(f"{count}_{name}" for name in "abc" for count in ("tp", "fp", "fn")) + "\n"
    )
    texts["counts9.csv"] += "".join(
        ",".join(str(i * k % 5) for k in range(2, 11)) + "\n" for i in range(9)
    )
    texts["length.csv"] = "id,length,A,B\n" + "".join(
        f"q{i},{i * 7 % 9},{i % 5},{i % 3}\n" for i in range(9)
    )
    texts["lengths.csv"] = "id,length,score\n" + "".join(
        f"q{i},{i * 7 % 9},{i % 5}\n" for i in range(9)
    )
    texts["diff.csv"] = "id,A,B,x\n" + "".join(
        f"q{i},{i % 5},{i % 3},{i % 5 - i % 3}.0\n" for i in range(9)
    )
    texts["errors.csv"] = "utt,err_A,words,err_B\n" + "".join(
        f"u{i},{i % 5},{i * 7 % 9 + 9},{i % 3}\n" for i in range(9)
    )
    texts["percents.csv"] = "id,A,B\n" + "".join(f"q{i},{i}%,{i % 3}%\n" for i in range(9))
    texts["docid.csv"] = "docid,A,B\n" + "".join(f"d{i // 4},{i % 5},{i % 3}\n" for i in range(9))
    for name, k in (("a", 7), ("b", 5)):
        texts[f"comma_{name}.txt"] = "".join(
            f"{i + 20},{i * k % 10}\n" for i in (3, 1, 4, 15, 9, 2, 6)
        )
        texts[f"percent_{name}.txt"] = "".join(f"{i * k}%\n" for i in range(6))
    texts["comma_h.txt"], texts["comma_i.txt"] = (
        f"BLEU\n{texts[f'comma_{name}.txt']}" for name in "ab"
    )
    texts["some_commas.txt"] = "28,6\n29\n-1,5\n"
    texts["minus.txt"] = "\N{MINUS SIGN}1.5\n2.5\n"
    texts["commas.txt"] = "".join(f"0,{i * 7 % 60},0,{i * 5 % 60}\n" for i in range(9, 20))
    texts["quoted.csv"] = "id,A,B\n" + "".join(
        f'q{i},"{i},{i % 5}","{i},{i % 7}"\n' for i in range(9)
    )
    texts["graded.csv"] = "a,b\nyes,no\nno,no\n"
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    result = permutation_test([1, 0, 1], [0, 0, 1])
    (folder / "record.json").write_text(json.dumps(result.to_dict()), encoding="utf-8")
    return folder


def refused(typed):
    """Run a command that is refused: (codes of the errors, what it says); quotes around choices differ by Python."""
    codes, refuse = [], main._refused
    main._refused = lambda argv, error: codes.append(error.code) or refuse(argv, error)
    err = io.StringIO()
    try:
        with contextlib.redirect_stderr(err):
            assert main.main(shlex.split(typed)) == 2
    finally:
        main._refused = refuse
    return codes, re.sub(
        r"\(choose from [^)]*\)", lambda found: found[0].replace("'", ""), err.getvalue()
    )


@pytest.mark.parametrize("typed", WRONG)
def test_the_message_names_a_command_that_works(typed, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    code, named = WRONG[typed]
    codes, err = refused(typed)
    told = re.findall(r"^exactperm: (?:try|see): exactperm (.*)$", err, re.MULTILINE)
    names = [f"{named} {design}" for design in DESIGNS] if named.endswith("--runs") else [named]
    assert (codes, told, capsys.readouterr().out) == ([code], names, "")
    assert not re.search(r"\d{8}", err), "nobody reads such numbers"
    assert ("\nexactperm: see: " in err) == named.startswith("guide")
    for name in names:
        assert shlex.split(name) != shlex.split(typed)
        assert main.main(shlex.split(name)) == 0
        out, err = capsys.readouterr()
        assert "error" not in err.replace("exactperm: data: ", "")
        assert out


def test_the_catalogue_has_every_message(folder, monkeypatch):
    """To renew it: python tests/cli/test_first_commands.py; what changed is a diff to read."""
    monkeypatch.chdir(folder)
    assert CATALOGUE.read_text(encoding="utf-8") == catalogue()


def catalogue():
    return "".join(f"$ exactperm {typed}\n{refused(typed)[1]}\n" for typed in WRONG)


def test_items_that_differ_are_never_joined_by_position(folder, monkeypatch, capsys):
    """A cure leads to the ids, whose error says which items are lacking."""
    monkeypatch.chdir(folder)
    codes, err = refused("test one.csv renamed.csv --key score")
    assert codes == ["moved-items"]
    named = "test one.csv renamed.csv --key score --id question"
    assert f"exactperm: try: exactperm {named}\n" in err
    assert refused(named)[0] == ["other-ids"]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("typed", "note"),
    [
        (
            "test twins.csv --columns a,b",
            "20 rows of 10 items by 'doc_id': rows of one item are not independent; --groups",
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


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as here:
        os.chdir(written(Path(here)))
        CATALOGUE.write_text(catalogue(), encoding="utf-8")
        os.chdir(os.path.dirname(__file__))
