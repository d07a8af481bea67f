"""What the page's worker answers, in CPython: the same numbers as the library, and every text fit to be shown."""

import json
import random
from fractions import Fraction
from pathlib import Path

import pytest

from exactperm import (
    audit_claim,
    compare_all,
    confidence_interval,
    decimal_string,
    mcnemar_test,
    permutation_test,
    permutation_test_runs,
)
from exactperm.auditing.findings import REASONS
from exactperm.budget import Budget
from exactperm.cli import main as cli
from exactperm.cli.save import examples
from exactperm.errors import BudgetExceeded, Cure, ExactPermError
from exactperm.files.question import FORMS
from exactperm.files.reading import FIELD, Reading
from exactperm.files.records import read, recounted
from exactperm.null.float_result import FloatResult
from exactperm.null.result import PermutationTestResult
from exactperm.swaps.runs import DESIGNS
from exactperm.web.bridge import Session

SETTINGS = {
    **{field["name"]: field["default"] for field in json.loads(Session().about())["reading"]},
    "statistic": "difference",
    "columns": [],
    "alternative": "two-sided",
    "digits": "10",
    "seconds": "60",
    "published": "",
    "stated": "",
    "samples": "",
    "stars": "",
    "adjust": "holm",
    "alpha": "0.05",
}
EXAMPLES = {example["name"]: example for example in examples()}
MAIZE = EXAMPLES["Darwin's maize"]["text"]
REAL = EXAMPLES["Real-valued scores"]["text"]


@pytest.fixture
def ask():
    session = Session()

    def ask(do, text=None, name="pasted data", progress=None, **settings):
        if text is not None:
            session.open(name, text.encode() if isinstance(text, str) else text)
        return json.loads(
            session.handle(
                json.dumps({**SETTINGS, **settings, "do": do, "files": [name]}), progress
            )
        )

    return ask


def labels(form, files=1):
    return [one["label"] for one in form["lists"][files - 1]]


def test_what_the_page_offers():
    about = json.loads(Session().about())
    forms = {form["name"]: form for form in about["statistics"]}
    assert forms.keys() == FORMS.keys() - {"mcnemar"}
    assert labels(forms["difference"]) == ["first system", "second system"]
    assert labels(forms["accuracy"]) == ["gold labels", "first system", "second system"]
    assert labels(forms["accuracy"], 2) == ["gold labels", "labels"]
    assert labels(forms["f1"])[:3] == [
        "first system, tp",
        "first system, fp, or fp + fn",
        "first system, fn",
    ]
    assert labels(forms["f1"], 2) == ["tp", "fp, or fp + fn", "fn"]
    assert labels(forms["ratio"])[1] == "first system, denominator"
    alone = {name: [bool(one["none"]) for one in form["lists"][0]] for name, form in forms.items()}
    assert alone["difference"] == [False, True]
    assert alone["f1"] == [False, False, True] * 2
    assert about["alternatives"][0] == "two-sided"
    assert {"version", "python"} <= about.keys()


def test_every_setting_of_reading_has_a_control():
    fields = {field["name"]: field for field in json.loads(Session().about())["reading"]}
    assert fields.keys() == FIELD.keys() - {"columns", "key"}
    assert fields["id"]["kind"] == fields["groups"]["kind"] == "column"
    assert fields["delimiter"]["choices"] == ["auto", "comma", "semicolon", "tab", "space"]
    assert (fields["missing"]["kind"], fields["missing"]["default"]) == ("choice", "refuse")
    assert fields["decimals"]["kind"] == "text"


def test_a_table_is_looked_at(ask):
    found = ask("look", "new,old\n1,2\n3,4\n")
    assert [column["label"] for column in found["columns"]] == ["1: new", "2: old"]
    assert (found["all"], found["lines"], found["header"], found["rows"][1]) == (
        2,
        2,
        True,
        ["1", "2"],
    )
    assert ask("look", header="no")["lines"] == 3
    assert ask("look", "1,2\n3,4\n")["header"] is False
    assert ask("look", "1,2\n3,4\n", header="yes")["header"] is True


def test_records_are_looked_at(ask):
    found = ask("look", '{"id": 3, "scores": {"acc": 0.5}}\n')
    columns = [
        {"value": name, "name": name, "number": "", "label": name} for name in ("id", "scores.acc")
    ]
    assert (found["columns"], found["fields"], found["all"]) == (columns, columns, 2)
    assert found["systems"] == [
        {"value": "id", "label": "id", "chosen": False},
        {"value": "scores.acc", "label": "scores.acc", "chosen": True},
    ]
    assert ask("look", '{"a": 1}\n{"a": [1]}\n')["systems"] == []
    # which one, nobody said yet
    metrics = json.dumps(
        {"doc_id": 0, "doc_hash": "h", "metrics": ["acc", "acc_norm"], "acc": 1.0, "acc_norm": 0.5}
    )
    found = ask("look", f"{metrics}\n", "a.jsonl")
    assert ([column["value"] for column in found["columns"]], found["systems"]) == (
        ["acc", "acc_norm", "doc_id"],
        [],
    )
    run = (
        '{"id": "q1", "seed": 1, "old": 5, "new": 7}\n{"id": "q1", "seed": 2, "old": 6, "new": 7}\n'
    )
    assert offered(ask("look", run, runs="items", columns=["old", "new"])) == [
        ("old", True),
        ("new", True),
    ]


@pytest.mark.parametrize(
    ("files", "settings", "taken", "id"),
    [
        (["a,b\n1,2\n"], {}, ["a", "b"], ""),
        (["d\n1\n"], {}, ["d"], ""),
        (["item,a,b\nq1,1,2\nq2,3,4\n"], {}, ["a", "b"], ""),
        (["a,b,c\n1,2,3\n4,5,6\n"], {}, [], ""),
        (
            ["gold,x,y\nn,n,v\nv,v,v\nn,v,v\nv,n,n\n"],
            {"statistic": "accuracy"},
            ["gold", "x", "y"],
            "",
        ),
        (
            ["x,y,gold\nn,n,v\nv,v,v\nn,v,v\nv,n,n\n"],
            {"statistic": "accuracy"},
            ["gold", "x", "y"],
            "",
        ),
        (["item,s\nq1,1\nq2,3\n", "item,s\nq2,4\nq1,0\n"], {}, ["s"], "item"),
        (["item,s\nq1,1\nq2,3\n", "item,s\nq1,4\nq2,0\n"], {}, ["s"], "item"),
        (["s\n1\n3\n", "s\n4\n0\n"], {}, ["s"], ""),
        (["a,s\nq1,1\nq2,3\n", "b,c,s\n1,q1,4\n2,q2,0\n"], {}, ["s"], ""),
        (["1,2,3,4\n5,6,7,8\n"], {"statistic": "f1"}, ["1", "2", "3", "4"], ""),
        (["q,sys,s\n1,A,5\n2,A,6\n1,B,7\n2,B,8\n"], {"system": "sys", "id": "q"}, ["A", "B"], "q"),
    ],
)
def test_columns_that_the_test_takes_or_names_are_chosen_at_first(files, settings, taken, id):
    """Neither ids nor gold labels are systems."""
    session = Session()
    for i, text in enumerate(files):
        session.open(f"{i}.csv", text.encode())
    request = {
        **SETTINGS,
        "do": "look",
        "files": [f"{i}.csv" for i in range(len(files))],
        **settings,
    }
    found = json.loads(session.handle(json.dumps(request)))
    assert (found["taken"], found["id"]) == (taken, id)


def test_a_long_table_offers_its_systems_and_its_own_columns(ask):
    found = ask("look", "q,sys,s\n1,A,5\n2,A,6\n1,B,7\n2,B,8\n", system="sys", id="q")
    assert [column["value"] for column in found["fields"]] == ["q", "sys", "s"]
    assert [column["value"] for column in found["columns"]] == ["q", "A", "B"]


def test_a_million_columns_are_cut(ask):
    found = ask("look", ",".join(["x" * 50] + ["1"] * 1_000_000) + "\n")
    assert found["all"] == 1_000_001
    assert len(found["columns"]) == 300
    assert len(found["rows"][0]) == 8
    assert found["rows"][0][0] == "x" * 39 + "…"


def test_control_characters_are_made_visible(ask):
    found = ask("look", "a\x1b[31m\u202e,<b>\n1,2\n")
    assert found["rows"][0] == ["a\\x1b[31m\\u202e", "<b>"]
    shown = ask("test", "a\x1b[31m\u202e,<b>\n1,2\n4,2\n")
    texts = json.dumps([shown["facts"], shown["text"], shown["words"]])
    assert "\\u001b" not in texts
    assert "\\u202e" not in texts.replace("\\\\u202e", "")


def facts_of(found):
    return {title: text for title, text, _cure in found["facts"]}


def test_an_exact_answer(ask):
    found = ask("test", MAIZE, alternative="greater", digits="6")
    assert (found["p"], found["fraction"], found["whole"]) == (
        ["0.0263367"],
        "863/32768",
        "863/32768",
    )
    facts = facts_of(found)
    assert facts["Pairs"] == "15, 0 tied"
    assert facts["Assignments"] == "863 of 2^15 at least as extreme"
    assert [
        "Header",
        "line 1",
        {"settings": {"header": "no"}, "command": "", "words": "if it is data"},
    ] in found["facts"]
    assert facts["For a paper"].startswith(
        "exactperm 0.2.0 | paired permutation, sign flips of 15 differences | sum of differences"
    )
    assert "sha256:" in facts["For a paper"]
    assert found["words"] == "2.63% of all swaps give a difference of 314 or more (mean 20.9)."
    record = json.loads(found["record"])
    assert record["sentence"] == facts["For a paper"]
    assert PermutationTestResult.from_dict(record).pvalue == Fraction(863, 32768)
    assert record["columns"] == ["crossed - selfed"]
    assert recounted(read(found["record"], "f"), budget=Budget()) == ""
    assert found["text"].startswith("Exact paired-permutation test, greater")


def test_long_work_tells_of_its_progress(ask):
    told = []
    ask(
        "test",
        EXAMPLES["Two taggers, 1,000 sentences"]["text"],
        progress=lambda *done: told.append(done),
    )
    assert told[-1][0] <= told[-1][1]


def test_scores_may_be_rounded(ask):
    assert ask("test", "1.26,1.31\n2.5,3\n", decimals="1")["whole"] == str(
        permutation_test([13, 25], [13, 30]).pvalue
    )
    board = ask("compare", "a,b,c\n1.26,1.31,5\n2.5,3,5\n", decimals="1")
    assert board["means"][1:] == [
        ["b", "2.15", "\N{MINUS SIGN}2.85"],
        ["a", "1.9", "\N{MINUS SIGN}3.1"],
    ]
    assert (
        ask("test", "1,2\n", decimals="two")["error"]
        == "decimals is 'two': it must be a whole number"
    )


def test_work_without_an_estimate_has_no_cure(ask, monkeypatch):
    def refused(*_words, **_options):
        raise BudgetExceeded("counting")

    monkeypatch.setattr("exactperm.files.answer.question", refused)
    assert ask("test", "a,b\n1,2\n") == {"error": "counting", "refused": True, "cure": None}


def test_groups_and_chosen_columns(ask):
    text = 'id,"a, b",c,g\n1,5,2,x\n2,7,3,x\n3,4,4,y\n4,9,1,z\n'
    found = ask("test", text, columns=["2", "3"], groups="4")
    assert found["whole"] == str(
        permutation_test([5, 7, 4, 9], [2, 3, 4, 1], groups=list("xxyz")).pvalue
    )
    assert "in 3 groups" in facts_of(found)["Pairs"]
    assert (
        ask("test", text, columns=["a, b", "c"])["whole"]
        == ask("test", text, columns=["2", "3"])["whole"]
    )


def test_records_by_keys(ask):
    text = '{"a": 5, "b": {"c": 2}}\n{"a": 7, "b": {"c": 3}}\n{"a": 1, "b": {"c": 3}}\n'
    assert ask("test", text, columns=["a", "b.c"])["whole"] == str(
        permutation_test([5, 7, 1], [2, 3, 3]).pvalue
    )
    assert ask("test", text)["whole"] == ask("test", text, columns=["a", "b.c"])["whole"]


@pytest.mark.parametrize("id", ["", "k"])
def test_one_file_for_each_system(id):
    session = Session()
    session.open("new.csv", b"k,acc\n1,5\n2,7\n3,1\n")
    session.open("old.csv", b"k,acc\n1,2\n2,3\n3,3\n" if not id else b"k,acc\n3,3\n1,2\n2,3\n")
    request = {
        **SETTINGS,
        "do": "test",
        "files": ["new.csv", "old.csv"],
        "columns": ["2"],
        "id": id,
    }
    found = json.loads(session.handle(json.dumps(request)))
    assert found["whole"] == str(permutation_test([5, 7, 1], [2, 3, 3]).pvalue)
    assert json.loads(found["record"])["columns"] == ["new.csv: acc", "old.csv: acc"]


def test_all_examples_are_counted(ask):
    whole = {}
    for name, example in EXAMPLES.items():
        settings = {**example["settings"]}
        if example.get("all"):
            assert ask("compare", example["text"])["p"] == ["5 of 10"]
            continue
        settings["statistic"] = settings.get("statistic", "difference").partition("/")[0]
        whole[name] = ask("test", example["text"], **settings).get("whole")
    assert whole.pop("Real-valued scores") is None
    assert whole["Student's sleep data"] == "1/256"
    assert whole["A tie that floats lose"] == "1/16"
    assert all(whole.values())


def offered(found):
    return [(system["label"], system["chosen"]) for system in found["systems"]]


def test_columns_of_numbers_are_offered_as_systems(ask):
    """Neither words, dates, nor empty columns; ids are not chosen at first."""
    text = "item_id,a,day,name,b,c\n1,0.5,2024-01-02,x,NA,\n2,1e-3,2024-01-03,y,+.5,\n"
    assert offered(ask("look", text)) == [("item_id", False), ("a", True), ("b", True)]
    assert offered(ask("look", "1,2\n3,4\n")) == [("column 1", True), ("column 2", True)]
    counted = "n;a\n" + "".join(f"{i};{i % 2}\n" for i in range(5))
    assert offered(ask("look", counted)) == [("n", False), ("a", True)]
    assert offered(ask("look", "1;x\n2,5;3\n")) == [("column 1", True)]


def plain(rows):
    """Return rows of texts with the minus sign of the keyboard."""
    return [[text.replace("\N{MINUS SIGN}", "-") for text in row] for row in rows]


def test_a_leaderboard(ask):
    text = "a,b,c,d\n" + "".join(f"{i % 2},{i % 3},{i},{i}\n" for i in range(12))
    told = []
    found = ask("compare", text, columns=["1", "2", "3"], progress=lambda *done: told.append(done))
    scores = {
        "a": [i % 2 for i in range(12)],
        "b": [i % 3 for i in range(12)],
        "c": list(range(12)),
    }
    board = compare_all(scores)
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert (found["kind"], found["p"]) == ("3 exact tests, two-sided", ["2 of 3"])
    assert found["words"] == "2 of 3 pairs of systems differ at level 0.05; adjusted by holm."
    assert plain(found["means"]) == [["c", "5.5", "0"], ["b", "1", "-4.5"], ["a", "0.5", "-5"]]
    assert [row[3:5] for row in found["tests"]] == [
        [decimal_string(p, 4) for p in (row.pvalue, row.adjusted)] for row in board
    ]
    tests = plain(found["tests"])
    assert [(row[2], row[5]) for row in tests] == [
        ("-0.5", "no decision"),
        ("-5", "c"),
        ("-4.5", "c"),
    ]
    by_difference = sorted(range(3), key=lambda i: found["order"][i][2])
    assert [tests[i][2] for i in by_difference] == ["-5", "-4.5", "-0.5"]
    record = json.loads(found["record"])
    assert record["rows"][1] == {**board.comparisons[1].to_dict(), "significant": True}
    assert (record["adjust"], record["columns"]) == ("holm", ["a", "b", "c"])
    assert found["svg"].startswith("<svg ")
    assert found["text"].startswith("pasted data: 3 exact paired-permutation tests, two-sided")
    assert facts_of(found)["Items"] == "12"
    assert ask("draw") == {"error": "there is no exact result to draw", "cure": None}


def test_a_leaderboard_of_real_scores_is_certified(ask):
    rng = random.Random(1)
    rows = "".join(
        f"{rng.random()!r},{rng.random()!r},{rng.random() + 0.4!r}\n" for _ in range(300)
    )
    found = ask("compare", f"a,b,c\n{rows}")
    assert found["kind"] == "3 certified tests, two-sided"
    assert (
        found["refused"]
        == "300 pairs with 300 distinct differences have too many sums for an exact count"
    )
    assert json.loads(found["record"])["refused"] == found["refused"]
    assert found["refused"] in found["text"]
    assert all(row[4].startswith("at most ") for row in found["tests"])
    p = json.loads(found["record"])["rows"][0]
    middle = str((Fraction(p["adjusted_lower"]) + Fraction(p["adjusted_upper"])) / 2)
    undecided = ask("compare", alpha=middle)
    assert ", 1 undecided; adjusted by holm." in undecided["words"]
    assert undecided["tests"][0][5] == "undecided"


def test_a_leaderboard_has_groups_and_files_too(ask):
    text = "a,b,c,g\n5,2,1,x\n7,3,1,x\n4,4,3,y\n9,1,2,z\n"
    found = ask("compare", text, columns=["1", "2", "3"], groups="g")
    board = compare_all(
        {"a": [5, 7, 4, 9], "b": [2, 3, 4, 1], "c": [1, 1, 3, 2]}, groups=list("xxyz")
    )
    assert [row[3] for row in found["tests"]] == [decimal_string(row.pvalue, 4) for row in board]
    session = Session()
    for i, name in enumerate("abc"):
        session.open(name, f"acc\n{i}\n{2 * i}\n".encode())
    request = {**SETTINGS, "do": "compare", "files": ["a", "b", "c"]}
    assert json.loads(session.handle(json.dumps(request)))["means"][0] == ["c: acc", "3", "0"]


@pytest.mark.parametrize(
    ("text", "settings", "error"),
    [
        (
            "a,b,c\n1,2,3\n3,x4,5\n1,1,2\n",
            {},
            "pasted data, line 3, column 2 (b): 'x4' is no score",
        ),
        ("a,b,a\n1,2,3\n", {}, "two columns have the same name: a, b, a"),
        ("1\n2\n", {}, "the test needs 2 to 60 columns (one per system), not 1"),
        (",".join("1" * 61), {}, "the test needs 2 to 60 columns (one per system), not 61"),
        ("1,2,3\n", {"alpha": "much"}, "alpha is 'much'"),
        ("1,2,3\n", {"alpha": "0"}, "alpha is '0': it must be above 0"),
        ("1,2,3\n", {"adjust": "tarone"}, "adjust is 'tarone'"),
    ],
)
def test_mistakes_of_leaderboards_are_named(ask, text, settings, error):
    assert error in ask("compare", text, **settings)["error"]


def test_a_refused_count_gives_a_bracket_and_no_picture(ask):
    found = ask("test", REAL)
    lower, upper = map(float, found["p"])
    assert lower < upper
    assert found["refused"].startswith("300 pairs with 300 distinct differences have too many sums")
    assert isinstance(FloatResult.from_dict(json.loads(found["record"])), FloatResult)
    assert "fraction" not in found
    assert ask("draw") == {"error": "there is no exact result to draw", "cure": None}


def test_a_bracket_of_one_number(ask):
    """Two differences whose ratio is too great to be counted, but whose p-value is plain."""
    found = ask("test", "\n".join(f"{10**40 + i}.{i}" for i in range(60)), seconds="0.5")
    assert len(found["p"]) == 1


def test_an_interval(ask):
    d = [5, 7, 4, 9, 3, 6, 8]
    text = "u,v,g\n" + "".join(f"{x},0,{i}\n" for i, x in enumerate(d))
    low, high = confidence_interval(d, [0] * 7, precision="0.001").decimal_ends()
    assert ask("interval", text, columns=["1", "2"], groups="3")["interval"] == (
        f"{low} to {high}, of the mean difference 6"
    )
    assert "seconds" in ask("interval", seconds="0", columns=["1", "2"])["error"]


def test_a_picture(ask):
    ask("test", "a<b>,c\n1,2\n4,2\n6,1\n")
    drawn = ask("draw", progress=lambda *done: None)
    assert drawn["svg"].startswith("<svg ")
    assert "a&lt;b&gt;" in drawn["svg"]
    assert "<b>" not in drawn["svg"]


def test_a_picture_may_be_refused(ask):
    ask("test", EXAMPLES["Two taggers, 1,000 sentences"]["text"])
    refused = ask("draw", seconds="0.000001")
    assert refused["refused"] is True
    assert refused["cure"]["settings"] == {"seconds": "2"}
    assert "Instead" not in refused["error"]


@pytest.mark.parametrize(
    ("published", "level", "reason"),
    [
        ("p < .05", "decision-inconsistent", "claim-false"),
        (".053", "consistent", "rounds"),
        (".02634", "decision-inconsistent", "explained-by"),
        ("nothing", "unreadable", "unreadable"),
    ],
)
def test_verdicts(ask, published, level, reason):
    found = ask("audit", MAIZE, published=published, stated="test")
    assert (found["level"], found["reason"], found["printed"]) == (
        level,
        REASONS[reason],
        published,
    )
    assert found["exact"] == (None if level == "unreadable" else "0.0526733")
    assert all("claims[0]" not in line for line in found["details"])


@pytest.mark.parametrize("published", ["p < .05", ".053", ".02634", "p = .2"])
def test_what_the_text_leaves_open_is_open_as_in_a_command(ask, published):
    """Only what is chosen otherwise than by default is stated."""
    table = [float(line) for line in MAIZE.splitlines()[1:]]
    for chosen in ({}, {"alternative": "greater"}, {"statistic": "wilcoxon"}):
        found = ask("audit", MAIZE, published=published, **chosen)
        finding = audit_claim({"p": published, "data": table, **chosen})
        assert (found["level"], found["reason"]) == (finding.level, REASONS[finding.reason])
    assert ask("audit", MAIZE, published="p < .05")["level"] == "consistent"


def test_a_verdict_on_random_samples(ask):
    found = ask("audit", MAIZE, published=".055", samples="1000")
    assert (found["level"], found["reason"]) == ("consistent", REASONS["monte-carlo"])


def test_mcnemar_by_its_table(ask):
    """A 2 x 2 table is none of two pairs, and other numbers than 0 and 1 are no right and wrong answers."""
    found = ask("test", "12,5\n9,30\n", statistic="mcnemar")
    assert found["fraction"] == str(mcnemar_test(5, 9).pvalue)
    verdict = ask("audit", "12,5\n9,30\n", statistic="mcnemar", published="p = .424")
    assert (verdict["level"], verdict["exact"]) == ("consistent", "0.423950")
    assert (
        "takes no decimals"
        in ask("test", "12,5\n9,30\n", statistic="mcnemar", decimals="1")["error"]
    )
    assert "needs scores 0 and 1" in ask("test", "1,2\n3,4\n5,6\n", statistic="mcnemar")["error"]


def test_a_legend_of_stars(ask):
    found = ask("audit", MAIZE, published="*", stars="* p < .10, ** p < .05")
    assert found["reason"] == REASONS["claim-true"]
    assert (
        ask("audit", MAIZE, published="**", stars="* p < .10, ** p < .05", stated="test")["level"]
        == "decision-inconsistent"
    )
    assert ask("audit", MAIZE, published="**")["level"] == "unreadable"


RUNS = "item,base_s1,base_s2,new_s1,new_s2\nq1,1,2,3,3\nq2,2,2,4,3\nq3,0,1,1,2\nq4,1,1,0,2\n"
BASE, NEW = [[1, 2], [2, 2], [0, 1], [1, 1]], [[3, 3], [4, 3], [1, 2], [0, 2]]


@pytest.mark.parametrize("design", DESIGNS)
def test_several_runs_of_each_item(ask, design):
    """The person chooses what may be exchanged; until then the answer is refused."""
    found = ask("look", RUNS, runs=design)
    assert (found["taken"], found["id"], offered(found)) == (
        [],
        "",
        [("base", True), ("new", True)],
    )
    assert ask("look", RUNS, runs=design, columns=["old*"])["systems"] == []
    assert "which are compared?" in ask("test", RUNS)["error"]
    found = ask("test", RUNS, runs=design)
    assert found["whole"] == str(permutation_test_runs(BASE, NEW, design=design).pvalue)
    assert facts_of(found)["Design"].startswith(f"{design}: ")
    named = ask("test", RUNS, runs=design, columns=["base*", "new*"])
    assert named["whole"] == found["whole"]
    assert ask("recount", found["record"], "record.json") == {"differs": ""}
    for do in ("interval", "audit"):
        assert "takes no runs" in ask(do, RUNS, runs=design, published="p < .05")["error"]


def test_designs_have_a_line_each():
    (field,) = [
        field for field in json.loads(Session().about())["reading"] if field["name"] == "runs"
    ]
    assert (field["words"], field["choices"], field["default"]) == (DESIGNS, [*DESIGNS], "")


def test_means_of_a_leaderboard_are_those_that_are_tested(ask):
    """Weights, tasks and runs count in the means, as in the tests."""
    more = "\n".join(
        f"{row},{extra}"
        for row, extra in zip(
            RUNS.splitlines(), ("old_s1,w,t", *("1,1,x", "2,3,x", "0,1,y", "1,2,y"))
        )
    )
    found = ask("compare", more, runs="items", columns=["base*", "new*", "old*"])
    assert found["means"] == [
        ["new", "2.25", "0"],
        ["base", "1.25", "\N{MINUS SIGN}1"],
        ["old", "1", "\N{MINUS SIGN}1.25"],
    ]
    one = {"columns": ["base_s1", "new_s1", "old_s1"]}
    assert ask("compare", more, **one, weights="w")["means"][0] == ["new_s1", "2.28571", "0"]
    assert ask("compare", more, **one, tasks="t")["means"][0] == ["new_s1", "2", "0"]


def test_no_verdict_with_groups(ask):
    text = "a,b,g\n1,2,x\n3,2,y\n5,1,y\n"
    assert ask("audit", text, published=".5", groups="g", columns=["a", "b"])["error"].startswith(
        "a verdict takes no groups"
    )
    assert "groups" in ask("test", text, statistic="sign", groups="g", columns=["a", "b"])["error"]
    assert ask("test", text, statistic="sign", columns=["a", "b"])["whole"] == "1"


def test_records_are_recounted(ask):
    record = ask("test", MAIZE)["record"]
    assert ask("recount", record, "record.json") == {"differs": ""}
    wrong = json.dumps({**json.loads(record), "count": 1727})
    assert ask("recount", wrong, "record.json")["differs"].startswith("pvalue of the record is ")
    assert ask("recount", "{}", "x.json")["error"].startswith("x.json is not the record of a test")


@pytest.mark.parametrize(
    ("text", "settings", "error"),
    [
        ("1,2\n3,x4\n", {}, "pasted data, line 2, column 2: "),
        ("1,2\n3\n", {}, "pasted data, line 2: 1 cell, but line 1 has 2"),
        ("1,2,3\n4,5,6\n", {}, "the test needs 1 or 2 columns (scores of A, B), not 3; line 1"),
        (b"\xff\xfe\x00", {}, "pasted data, line 1: not utf-16-le text"),
        (b"PK\3\4", {}, "pasted data is no text but a spreadsheet"),
        ("", {}, "pasted data is empty"),
        ("1,2\n", {"digits": "x"}, "digits is 'x'"),
        ("1,2\n", {"digits": "1001"}, "digits is 1001"),
        ("1,2\n", {"seconds": "soon"}, "the limit is 'soon'"),
        ("1,2\n", {"seconds": "0"}, "seconds is 0.0"),
    ],
)
def test_mistakes_are_named(ask, text, settings, error):
    found = ask("test", text, **settings)
    assert error in found["error"]


def walked():
    """Return all examples of checks and of misread files: name, files, statistic, reading, whether it is compared."""
    root = Path(__file__).resolve().parent.parent / "data"
    for name in ("checks", "misread"):
        for line in (root / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def asked_of(session, case, **settings):
    for name, text in case["files"].items():
        session.open(name.strip(), text.encode())
    given = {**case["reading"], **settings.pop("given", {})}
    columns = Reading.of({name: given.pop(name, None) for name in ("columns", "key")}).words
    request = {**SETTINGS, "statistic": case["statistic"], "columns": columns, **given, **settings}
    do = "compare" if case.get("several") else "test"
    return {"do": do, **request, "files": [name.strip() for name in case["files"]]}


def test_every_cure_fits_the_page():
    """A cure has settings for which the page has controls, with values that these can take; chosen, it mends the error.

    Walks all examples of checks, and all files that are known to be misread.
    """
    fields = {field["name"]: field for field in json.loads(Session().about())["reading"]}
    statistics = {form["name"] for form in json.loads(Session().about())["statistics"]}
    mended = 0
    for case in walked():
        session = Session()
        case["reading"] = {name: str(value) for name, value in case["reading"].items()}
        request = asked_of(session, case)
        found = json.loads(session.handle(json.dumps(request)))
        cures = (
            [found["cure"]]
            if found.get("cure")
            else [cure for *_row, cure in found.get("facts", []) if cure]
        )
        for cure in cures:
            chosen = {**cure["settings"], **({cure["choose"]: "items"} if "choose" in cure else {})}
            assert chosen.keys() <= {*fields, "columns", "statistic"}, (case, cure)
            assert chosen.get("statistic", "difference") in statistics
            for name in chosen.keys() & fields.keys():
                choices = fields[name]["choices"]
                assert not choices or chosen[name] in choices, (case, cure)
            if cure["command"] not in ("", "test", "compare") or not (chosen or cure["command"]):
                continue
            do = "compare" if cure["command"] == "compare" else request["do"]
            again = json.loads(session.handle(json.dumps({**request, **chosen, "do": do})))
            assert again.get("error") != found.get("error", ""), (case, cure)
            mended += "error" not in again
    assert mended > 50


def test_a_cure_has_the_words_of_the_library(ask, monkeypatch):
    def refused(*_words, **_options):
        raise ExactPermError(
            "'say --force' is no score",
            cure=Cure({"key": "--b", "statistic": "f1"}, words="or x\x1b"),
        )

    monkeypatch.setattr("exactperm.files.answer.question", refused)
    found = ask("test", "3,2\n")
    assert found["error"] == "'say --force' is no score"
    assert found["cure"] == {
        "settings": {"columns": ["--b"], "statistic": "f1"},
        "command": "",
        "words": "or x\\x1b",
    }


RECORDED = {
    "exact": ({}, MAIZE),
    "bracket": ({}, REAL),
    "signed ranks": ({"statistic": "wilcoxon"}, MAIZE),
    "drugs": ({"alternative": "less"}, EXAMPLES["Student's sleep data"]["text"]),
}


@pytest.mark.parametrize(("settings", "text"), RECORDED.values(), ids=RECORDED)
def test_records_of_the_page_and_of_the_command_line_are_counted_again_by_the_other(
    ask, tmp_path, capsys, settings, text
):
    """And are the same: of the same data, and of every line but their name."""
    (tmp_path / "scores.csv").write_text(text, encoding="utf-8", newline="\n")
    (tmp_path / "page.json").write_text(
        ask("test", text, "scores.csv", **settings)["record"], encoding="utf-8"
    )
    assert cli.main(["recount", str(tmp_path / "page.json")]) == 0
    capsys.readouterr()
    options = [word for name, value in settings.items() for word in (f"--{name}", value)]
    assert cli.main(["test", str(tmp_path / "scores.csv"), *options, "--json"]) == 0
    record = capsys.readouterr().out
    assert ask("recount", record, "record.json") == {"differs": ""}
    ours, theirs = (
        json.loads((tmp_path / "page.json").read_text(encoding="utf-8")),
        json.loads(record),
    )
    differ = {name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name)}
    assert differ <= {"files", "columns", "budget"}
    assert [file["sha256"] for file in ours["files"]] == [
        file["sha256"] for file in theirs["files"]
    ]
