"""What the page's worker answers, in CPython: the same numbers as the library, and every text fit to be shown."""

import json
import random
import sys
from fractions import Fraction

import pytest

import exactperm
from exactperm import (
    compare_all,
    decimal_string,
    items_needed,
    permutation_test_runs,
    two_sample_test,
)
from exactperm.budget import Budget
from exactperm.cli.save import examples
from exactperm.errors import BudgetExceeded
from exactperm.files.answer import read_record, recounted
from exactperm.files.question import FORMS
from exactperm.files.reading import FIELD
from exactperm.null.float_result import FloatResult
from exactperm.null.result import PermutationTestResult
from exactperm.swaps.runs import DESIGNS
from exactperm.web.bridge import Session

SETTINGS = {
    **{field["name"]: "" for field in json.loads(Session().about())["reading"]},
    **{"statistic": "difference", "columns": [], "alternative": "two-sided", "digits": "10"},
    **{"seconds": "60", "published": "", "stated": "", "samples": "", "stars": ""},
    **{"adjust": "holm", "alpha": "0.05"},
}
EXAMPLES = {example["name"]: example for example in examples()}
MAIZE = EXAMPLES["Darwin's maize"]["text"]
REAL = EXAMPLES["Real-valued scores"]["text"]
ONE = {"differences": "yes"}


@pytest.fixture
def ask():
    session = Session()

    def ask(do, *texts, progress=None, names=None, **settings):
        """Open texts as files, or go on with those of the last question, and ask."""
        if texts:
            files = names or [f"{'abc'[i]}.csv" for i in range(len(texts))]
            for name, text in zip(files, texts):
                session.open(name, text.encode() if isinstance(text, str) else text)
            ask.files = files
        request = {**SETTINGS, **settings, "do": do, "files": ask.files}
        return json.loads(session.handle(json.dumps(request), progress))

    return ask


def facts_of(found):
    return dict(found["facts"])


def chosen_of(example):
    """The settings of an example as a request has them."""
    columns = example["settings"].get("columns", "")
    return {**example["settings"], "columns": columns.split("\x1f") if columns else []}


# --------------------------------------------------------------------------------------- controls


def test_what_the_page_offers():
    about = json.loads(Session().about())
    forms = {form["name"]: form for form in about["statistics"]}
    fields = {field["name"]: field for field in about["reading"]}
    assert forms.keys() == FORMS.keys()
    for name, files, i, label in [
        ("difference", 1, 1, "second system"),
        ("accuracy", 2, 1, "labels"),
        ("f1", 2, 2, "fn, unless in fp"),
        ("ratio", 1, 1, "first system, denominator"),
    ]:
        assert forms[name]["lists"][files - 1][i] == label
    unpaired = {name for name in forms if "unpaired" not in forms[name]["apart"]}
    assert unpaired == {"difference", "mean", "wilcoxon"}
    assert fields.keys() == {*FIELD, "unpaired", "strata"} - {"columns"}
    assert (fields["id"]["kind"], fields["differences"]["choices"]) == ("column", ["", "yes"])
    assert fields["runs"]["words"] == DESIGNS
    assert {*about["apart"]} <= fields.keys()


def test_columns_are_listed_with_what_they_hold(ask):
    found = ask("look", "item,new,a\x1b\u202e\nq1,1,x\nq2,3.5,y\n")
    item, new, last = found["columns"]
    assert new == {
        **{"value": "new", "label": "2: new", "name": "new", "system": True},
        **{"holds": "numbers from 1 to 3.5, 2 different", "first": "1", "last": "3.5"},
    }
    assert (item["holds"], last["name"]) == ("2 different texts", "a\\x1b\\u202e")
    assert (found["all"], found["rows"], found["described"]) == (3, 2, 2)
    nested = ask("look", '{"id": 3, "scores": {"acc": 0.5}}\n')
    assert [column["value"] for column in nested["fields"]] == ["id", "scores.acc"]


def test_a_large_table_is_described_by_its_first_rows(ask):
    wide = [["x" * 50, *(f"a{i}" for i in range(400))], ["1"] * 401]
    found = ask("look", "".join(",".join(row) + "\n" for row in wide))
    assert (found["all"], len(found["columns"])) == (401, 300)
    assert found["columns"][0]["name"] == "x" * 39 + "\N{HORIZONTAL ELLIPSIS}"
    found = ask("look", "a,b\n" + "1,2\n" * 150_000)
    assert (found["rows"], found["described"]) == (150_000, 100_000)


LONG = "q,sys,s\n1,A,5\n2,A,6\n1,B,7\n2,B,8\n"


@pytest.mark.parametrize(
    ("files", "settings", "taken"),
    [
        (["a,b\n1,2\n4,4\n1,2\n"], {}, ["a", "b"]),
        (["item,a,b\nq1,.5,2\nq2,.3,2\n"], {}, ["a", "b"]),
        (["d\n1\n"], ONE, ["d"]),
        (["d\n1\n"], {}, []),
        (["a,b,c\n1,2,3\n4,5,6\n"], {}, []),
        (["gold,x,y\nn,n,v\nv,v,v\n"], {"statistic": "accuracy", "header": "yes"}, []),
        (["tp,fp,tp2,fp2\n1,2,3,4\n5,6,7,8\n"], {"statistic": "f1"}, []),
        (["s\n1\n3\n", "s\n4\n0\n"], {}, ["s"]),
        (["item,s\nq1,1\nq2,3\n", "item,s\nq2,4\nq1,0\n"], {}, []),
        ([LONG], {"system": "sys", "id": "q"}, []),
        ([LONG], {"system": "sys", "id": "q", "score": "s"}, ["A", "B"]),
        (["a1,a2,b1,b2\n1,2,3,4\n"], {"runs": "within"}, []),
    ],
)
def test_the_lists_show_what_the_test_takes_unasked(ask, files, settings, taken):
    found = ask("look", *files, **settings)
    assert found["taken"] == taken
    if "score" in settings:  # a long table offers its systems, beside its own columns
        shown = [[column["value"] for column in found[name]] for name in ("fields", "columns")]
        assert shown == [["q", "sys", "s"], ["A", "B"]]


# ------------------------------------------------------------------------------------------ tests


def test_an_exact_answer(ask):
    found = ask("test", MAIZE, alternative="greater", digits="6", **ONE)
    facts, record = facts_of(found), json.loads(found["record"])
    assert (found["p"], found["whole"]) == ("0.0263", "863/32768")
    assert found["known"] == "p = 0.0263, greater (0.0263367 = 863/32768, counted exactly)"
    assert found["ahead"] == "the mean of the differences is 20.9333"
    assert found["words"] == "2.63% of all swaps give a difference of 314 or more (mean 20.9)."
    assert "p = .0263)" in found["sentence"]
    assert (facts["pairs"], facts["first"]) == ("15, 0 tied", "line 2: crossed - selfed 49")
    assert " | paired permutation, sign flips of 15" in facts["for an audit"]
    assert record["sentence"] == facts["for an audit"]
    assert PermutationTestResult.from_dict(record).pvalue == Fraction(863, 32768)
    assert recounted(read_record(found["record"], "f"), budget=Budget()) == ""
    assert "crossed - selfed" in found["text"]


@pytest.mark.slow
def test_a_refused_count_gives_a_bracket_and_a_picture_of_bins(ask):
    found = ask("test", REAL, **ONE)
    assert (found["whole"], found["known"].endswith(", certified)")) == ("", True)
    assert found["refused"].startswith("300 pairs with 300 distinct differences have too many sums")
    assert isinstance(FloatResult.from_dict(json.loads(found["record"])), FloatResult)
    assert ask("draw")["svg"].startswith("<svg ")


def test_long_work_tells_of_its_progress(ask):
    told = []
    text = EXAMPLES["Two taggers, 1,000 sentences"]["text"]
    ask("test", text, progress=lambda *done: told.append(done))
    assert told[-1][0] <= told[-1][1]


TABLE = 'id,"a, b",c,g\n1,5,2,x\n2,7,3,x\n3,4,4,y\n4,9,1,z\n'


@pytest.mark.slow
def test_all_examples_are_counted(ask):
    whole = {}
    for name, example in EXAMPLES.items():
        if example.get("all"):
            columns = {"columns": ["all"]}
            assert ask("compare", example["text"], **columns)["p"] == "5 of 10"
        else:
            whole[name] = ask("test", example["text"], **chosen_of(example)).get("whole")
    assert whole.pop("Real-valued scores") == ""
    assert whole["Student's sleep data"] == "1/256"
    assert whole["Published p = .047, where floats lost a tie"] == "1/16"
    assert all(whole.values())


RUNS = "item,base_s1,base_s2,new_s1,new_s2\nq1,1,2,3,3\nq2,2,2,4,3\nq3,0,1,1,2\nq4,1,1,0,2\n"
BASE, NEW = [[1, 2], [2, 2], [0, 1], [1, 1]], [[3, 3], [4, 3], [1, 2], [0, 2]]


def test_several_runs_of_each_item(ask):
    """The person chooses what may be exchanged; until then the answer is refused."""
    asked = ask("test", RUNS)
    assert "which are compared?" in asked["error"]
    assert asked["answers"][0]["words"].startswith("Choose in the question: the columns")
    found = ask("test", RUNS, runs="items", columns=["base_s1+base_s2", "new_s1+new_s2"])
    assert found["whole"] == str(permutation_test_runs(BASE, NEW, design="items").pvalue)
    assert facts_of(found)["design"].startswith("items: ")
    assert ask("audit", published="p < .05")["error"].startswith("only plain pairs are judged")
    assert ask("recount", found["record"], names=["record.json"]) == {"differs": ""}


def test_a_negative_statistic_says_who_is_ahead(ask):
    facts = facts_of(ask("test", "u,v\n1.5,2\n1.5,5\n2,2\n"))
    assert facts["statistic"].endswith("4 (sum of the differences u - v, so v is ahead)")


def test_the_interval_is_that_of_the_command(ask):
    text = "u,v\n5,0\n7,0\n4,1\n9,1\n3,2\n6,2\n9,3\n"
    found = ask("test", text)
    assert found["interval"].startswith("95% interval of u - v: ")
    assert found["interval"] in found["text"]
    assert ask("test", text, alternative="less")["interval"] == ""
    assert ask("test", "u,v\n5,0\n7,0\n5,1\n9,1\n")["interval"] == (
        "no interval: 4 pairs cannot exclude any difference at 95%; 6 can"
    )
    assert "0 and 1" in ask("test", "u,v\n1,0\n0,1\n1,0\n")["interval"]


SITES = "arm,days,site\nx,5,n\ny,7,n\nx,6,s\ny,9,s\ny,8,s\nx,2,n\n"
OF_ARMS = {"unpaired": "yes", "system": "arm", "score": "days"}
X, Y = ([5, 6, 2], [7, 9, 8])
FILES = ["a\n5\n6\n2\n", "a\n7\n9\n8\n"]


@pytest.mark.parametrize(
    ("files", "settings", "taken"),
    [
        ([SITES], OF_ARMS, ["x", "y"]),
        (["a,b\n5,7\n6,9\n2,8\n"], {"unpaired": "yes", "columns": ["a", "b"]}, []),
        (FILES, {"unpaired": "yes"}, ["a"]),
    ],
)
def test_two_samples_of_different_items(ask, files, settings, taken):
    """As columns, files or a long table; the lists show what is taken, and a verdict is refused."""
    found = ask("test", *files, **settings)
    assert found["whole"] == str(two_sample_test(X, Y).pvalue)
    assert "unpaired" in facts_of(found)["samples"]
    assert "for an audit" not in facts_of(found)
    assert ask("draw")["svg"].startswith("<svg ")
    assert ask("look", **settings)["taken"] == taken
    assert "samples" in ask("audit", published="p < .05")["error"]


def test_pictures(ask):
    ask("test", "a<b>,c\n1,2\n4,2\n1,1\n")
    drawn = ask("draw", progress=lambda *done: None)["svg"]
    assert "a&lt;b&gt;" in drawn
    assert "<b>" not in drawn
    ask("test", EXAMPLES["Two taggers, 1,000 sentences"]["text"])
    refused = ask("draw", seconds="0.000001")
    assert (refused["refused"], refused["answers"][0]["settings"]) == (True, {"seconds": "2"})
    assert "Instead" not in refused["error"]


# ----------------------------------------------------------------------------------- leaderboards


def plain(rows):
    """Return rows of texts with the minus sign of the keyboard."""
    return [[text.replace("\N{MINUS SIGN}", "-") for text in row] for row in rows]


def test_a_leaderboard(ask):
    scores = {"a": [i % 2 for i in range(12)], "b": [i % 3 for i in range(12)], "c": [*range(12)]}
    text = "a,b,c,d\n" + "".join(f"{i % 2},{i % 3},{i},{i}\n" for i in range(12))
    told = []
    found = ask("compare", text, columns=["1", "2", "3"], progress=lambda *done: told.append(done))
    board = compare_all(scores)
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert (found["kind"], found["p"]) == (board.heading, "2 of 3")
    assert found["words"] == "2 of 3 pairs of systems differ at level 0.05; adjusted by holm."
    assert plain(found["means"]) == [["c", "5.5", "0"], ["b", "1", "-4.5"], ["a", "0.5", "-5"]]
    for row, shown, shift, better in zip(
        board, plain(found["tests"]), ["-0.5", "-5", "-4.5"], ["no decision", "c", "c"]
    ):
        values = [decimal_string(p, 4) for p in (row.pvalue, row.adjusted)]
        assert shown == [row.first, row.second, shift, *values, better]
    rows = json.loads(found["record"])["rows"]
    assert rows[1] == {**board.comparisons[1].to_dict(), "significant": True}
    assert found["svg"].startswith("<svg ")
    assert facts_of(found)["items"] == "12"


@pytest.mark.slow
def test_a_leaderboard_of_real_scores_is_certified(ask):
    rng = random.Random(1)
    rows = [f"{rng.random()!r},{rng.random()!r},{rng.random() + 0.4!r}\n" for _ in range(300)]
    found = ask("compare", "a,b,c\n" + "".join(rows), columns=["a", "b", "c"])
    assert found["kind"] == "3 certified paired-permutation tests, two-sided"
    assert "too many sums for an exact count" in found["refused"]
    assert json.loads(found["record"])["refused"] == found["refused"]
    assert all(row[4].startswith("at most ") for row in found["tests"])
    p = json.loads(found["record"])["rows"][0]
    middle = str((Fraction(p["adjusted_lower"]) + Fraction(p["adjusted_upper"])) / 2)
    undecided = ask("compare", alpha=middle, columns=["a", "b", "c"])
    assert ", 1 undecided; adjusted by holm." in undecided["words"]
    assert undecided["tests"][0][5] == "undecided"


def test_leaderboards_of_units_files_and_runs(ask):
    """Groups, weights, tasks and runs count in the means, as in the tests."""
    text = "item,a1,a2,b1,b2,w,t\nq1,1,2,3,3,1,x\nq2,2,2,4,3,3,x\nq3,0,1,1,2,1,y\nq4,1,1,0,2,2,y\n"
    pair = {"columns": ["a1", "b1"]}
    for settings, mean in [
        ({"columns": ["a1+a2", "b1+b2"], "runs": "items"}, "2.25"),
        ({**pair, "weights": "w"}, "2.28571"),
        ({**pair, "tasks": "t"}, "2"),
    ]:
        assert ask("compare", text, **settings)["means"][0][1] == mean
    assert ask("compare", *(f"acc\n{i}\n{2 * i}\n" for i in range(3)))["means"][0][1] == "3"


# --------------------------------------------------------------------------------------- verdicts


@pytest.mark.wing("auditing")
def test_verdicts(ask):
    """What the text leaves open is open, as in a command; only what is chosen otherwise is stated."""
    table = [float(line) for line in MAIZE.splitlines()[1:]]
    for chosen in ({}, {"alternative": "greater"}, {"statistic": "wilcoxon"}):
        ask("test", MAIZE, **ONE, **chosen)
        for published in ("p < .05", ".053", ".02634", "p = .2", "nothing"):
            finding = exactperm.audit_claim({"p": published, "data": table, **chosen})
            found = ask("audit", published=published, **chosen)
            assert (found["heap"], found["differs"]) == (finding.heap, finding.decision_differs)
    ask("test", MAIZE, **ONE)
    stated = ask("audit", published="p < .05", stated="test")
    assert (stated["heap"], stated["differs"]) == ("wrong", True)
    assert "exact: 0.0526733 = 863/16384" in stated["details"]
    assert ask("audit", published=".055", samples="1000")["heap"] == "fine"
    legend = {"stars": "* p < .10, ** p < .05"}
    assert ask("audit", published="*", **legend)["heap"] == "fine"
    assert ask("audit", published="**")["heap"] == "unreadable"
    ask("test", TABLE, groups="g", columns=["a, b", "c"])
    assert ask("audit", published=".5")["error"].startswith(
        "only plain pairs are judged: without groups"
    )


# ---------------------------------------------------------------------------------------- refusals


def test_mistakes_are_named(ask):
    for text, settings, error in [
        ("a,b\n1,2\n3,x4\n", {"columns": ["a", "b"]}, "a.csv, line 3, column b: "),
        (b"PK\3\4", {}, "a.csv is no text but a spreadsheet"),
        ("a,b\n1,2\n", {"digits": "x"}, "digits is 'x'"),
        ("a,b\n1,2\n", {"digits": "1001"}, "digits is 1001"),
        ("a,b\n.5,2\n.5,2\n", {"seconds": "0"}, "seconds is 0.0"),
        ("a,b\n1,2\n", {"decimals": "two"}, "decimals is 'two': "),
    ]:
        assert error in ask("test", text, **settings)["error"]


def test_a_question_comes_with_its_answers(ask):
    """Each has settings of the page's own controls; none assigns columns."""
    for texts, settings in [
        (["d\n1\n2\n"], [ONE, {}]),
        (["0.5,1\n0.25,0\n1,1\n"], [{"header": "yes"}, {"header": "no"}]),
        (["a,b\n1,2\nNA,3\n1,3\n"], [{"missing": "drop"}]),
        (["k,s\nx,1\ny,2\n", "k,s\ny,1\nx,3\n"], [{}]),
    ]:
        found = ask("test", *texts)
        assert [answer["settings"] for answer in found["answers"]] == settings
        assert "\n" not in found["error"]


def test_work_without_an_estimate_has_no_answer(ask, monkeypatch):
    def refused(*_words, **_options):
        raise BudgetExceeded("counting")

    monkeypatch.setattr("exactperm.files.question.question", refused)
    assert ask("test", "a,b\n1,2\n") == {"error": "counting", "refused": True, "answers": []}


def test_no_text_of_a_file_is_left_as_it_is(ask):
    found = ask("test", "a\x1b[31m\u202e,<b>\n1,2\n4,2\n1,2\n")
    texts = json.dumps([found["facts"], found["text"], found["words"], found["ahead"]])
    assert "\\u001b" not in texts
    assert "\\u202e" not in texts.replace("\\\\u202e", "")


# ----------------------------------------------------------------------------------------- records


def test_records_that_are_none_are_refused(ask):
    record = json.loads(ask("test", MAIZE, **ONE)["record"])
    wrong = json.dumps({**record, "count": 1727})
    found = ask("recount", wrong, names=["record.json"])
    assert found["differs"].startswith("pvalue of the record is ")
    assert "x.json is not the record" in ask("recount", "{}", names=["x.json"])["error"]


def test_a_study_is_planned(ask):
    ask.files = []
    asked = {"gain": "1", "loss": "0", "power": "0.8"}
    found = ask("plan", **asked)
    assert found["words"].startswith(f"{items_needed(1, 0)} items: from there on the two-sided")
    assert "power" in found["svg"]
    assert "p_gain is 'x'" in ask("plan", **{**asked, "gain": "x"})["error"]


def test_a_copy_without_audits_says_so(ask, monkeypatch):
    ask("test", MAIZE, **ONE)
    monkeypatch.setitem(sys.modules, "exactperm.auditing.audit", None)
    assert ask("audit", published=".05")["error"] == "this copy of exactperm is without auditing"
