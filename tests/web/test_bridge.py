"""What the page's worker answers, in CPython, kept in bridge.jsonl; to renew it: python tests/web/test_bridge.py.

That its numbers are those of the command line is in ``test_doors.py``.
"""

import json
import random
import re
import sys
from fractions import Fraction
from pathlib import Path

import pytest

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

import exactperm
from exactperm import compare_all, items_needed
from exactperm.budget import Budget
from exactperm.cli.save import examples
from exactperm.errors import BudgetExceeded
from exactperm.files.answer import read_record, recounted
from exactperm.files.question import FORMS
from exactperm.files.reading import FIELD
from exactperm.swaps.runs import DESIGNS
from exactperm.web.bridge import Session
from web.questions import Page

GOLDEN = Path(__file__).with_name("bridge.jsonl")
EXAMPLES = {example["name"]: example for example in examples()}
MAIZE = EXAMPLES["Darwin's maize"]["text"]
ONE = {"differences": "yes"}


@pytest.fixture
def ask():
    return Page()


def chosen_of(example):
    """The settings of an example as a request has them."""
    columns = example["settings"].get("columns", "")
    return {**example["settings"], "columns": columns.split("\x1f") if columns else []}


# ------------------------------------------------------------------------------------ what is kept

BOARD = "a,b,c,d\n" + "".join(f"{i % 2},{i % 3},{i},{i}\n" for i in range(12))


def bare(answer):
    """An answer without its record, which is that of the command, times and version; of a picture the title."""
    answer.pop("record", None)
    text = json.dumps(answer)
    text = re.sub(r'"<svg .*?<title>(.*?)</title>.*?</svg>\\n"', r'"picture: \1"', text)
    return json.loads(re.sub(r"exactperm \d[.\w]* ", "", re.sub(r"\b[\d.]+ m?s\b", "TIME", text)))


def answered():
    """Yield what is done, the texts of files that are opened before, settings, the answer that is kept, and the answer."""
    page = Page()
    for line in GOLDEN.read_text(encoding="utf-8").splitlines():
        do, texts, settings, known = json.loads(line)
        yield do, texts, settings, known, bare(page(do, *texts, **settings))


def test_answers_are_those_that_are_kept():
    """No text of a file is left as it is, but in the word that chooses a column."""
    for *question, known, told in answered():
        assert told == known, question
        shown = [
            told.get(name)
            for name in ["error", "facts", "text", "words", "ahead", "known", "sentence"]
        ]
        said = json.dumps(shown, ensure_ascii=False)
        assert said.isprintable() and "\\u001b" not in said


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


# ----------------------------------------------------------------------------------- much and long


def test_a_large_table_is_described_by_its_first_rows(ask, monkeypatch):
    monkeypatch.setattr("exactperm.web.controls._MOST_CELLS", 2000)
    wide = [["x" * 50, *(f"a{i}" for i in range(400))], ["1"] * 401]
    found = ask("look", "".join(",".join(row) + "\n" for row in wide))
    assert (found["all"], len(found["columns"])) == (401, 300)
    assert found["columns"][0]["name"] == "x" * 39 + "\N{HORIZONTAL ELLIPSIS}"
    found = ask("look", "a,b\n" + "1,2\n" * 1500)
    assert (found["rows"], found["described"]) == (1500, 1000)


@pytest.mark.slow
def test_long_work_tells_of_its_progress(ask):
    told = []
    text = EXAMPLES["Two taggers, 1,000 sentences"]["text"]
    ask("test", text, progress=lambda *done: told.append(done))
    assert told[-1][0] <= told[-1][1]
    refused = ask("draw", seconds="0.000001", progress=lambda *done: None)
    assert (refused["refused"], refused["answers"][0]["settings"]) == (True, {"seconds": "2"})
    told.clear()
    ask("compare", BOARD, columns=["1", "2", "3"], progress=lambda *done: told.append(done))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_work_without_an_estimate_has_no_answer(ask, monkeypatch):
    def refused(*_words, **_options):
        raise BudgetExceeded("counting")

    monkeypatch.setattr("exactperm.files.question.question", refused)
    assert ask("test", "a,b\n1,2\n") == {"error": "counting", "refused": True, "answers": []}


@pytest.mark.slow
def test_all_examples_are_counted(ask):
    whole = {}
    for name, example in EXAMPLES.items():
        if example.get("all"):
            assert ask("compare", example["text"], columns=["all"])["p"] == "5 of 10"
        else:
            found = ask("test", example["text"], **chosen_of(example))
            whole[name] = found["whole"]
            if not found["whole"]:  # a bracket, and a picture of bins
                assert found["known"].endswith(", certified)")
                assert found["refused"].startswith("300 pairs with 300 distinct differences have")
                assert json.loads(found["record"])["claim"] == "enclosed"
                assert ask("draw")["svg"].startswith("<svg ")
    assert [name for name, p in whole.items() if not p] == ["Real-valued scores"]
    assert whole["Student's sleep data"] == "1/256"
    assert whole["Published p = .047, where floats lost a tie"] == "1/16"


@pytest.mark.slow
def test_a_leaderboard_of_real_scores_is_certified(ask):
    rng = random.Random(1)
    rows = [f"{rng.random()!r},{rng.random()!r},{rng.random() + 0.4!r}\n" for _ in range(300)]
    found = ask("compare", "a,b,c\n" + "".join(rows), columns=["a", "b", "c"])
    record = json.loads(found["record"])
    assert found["kind"] == "3 certified paired-permutation tests, two-sided"
    assert "too many sums for an exact count" in found["refused"] == record["refused"]
    assert all(row[4].startswith("at most ") for row in found["tests"])
    ends = [Fraction(record["rows"][0][f"adjusted_{end}"]) for end in ("lower", "upper")]
    undecided = ask("compare", alpha=str(sum(ends) / 2), columns=["a", "b", "c"])
    assert ", 1 undecided; adjusted by holm." in undecided["words"]
    assert undecided["tests"][0][5] == "undecided"


# --------------------------------------------------------------------------------- records, verdicts


def test_records_are_those_of_the_library_and_recounted(ask):
    found = ask("test", MAIZE, **ONE)
    assert recounted(read_record(found["record"], "f"), budget=Budget()) == ""
    assert ask("recount", found["record"], names=["record.json"]) == {"differs": ""}
    wrong = json.dumps({**json.loads(found["record"]), "count": 1727})
    assert ask("recount", wrong)["differs"].startswith("pvalue of the record is ")
    board = compare_all({name: [i % n for i in range(12)] for name, n in zip("abc", (2, 3, 99))})
    rows = json.loads(ask("compare", BOARD, columns=["1", "2", "3"])["record"])["rows"]
    assert rows[1] == {**board.comparisons[1].to_dict(), "significant": True}
    ask.files = []
    words = ask("plan", gain="1", loss="0", power="0.8")["words"]
    assert words.startswith(f"{items_needed(1, 0)} items: from there on the two-sided")


@pytest.mark.wing("auditing")
def test_verdicts(ask):
    """What the text leaves open is open, as in a command; only what is chosen otherwise is stated."""
    table = [float(line) for line in MAIZE.splitlines()[1:]]
    for chosen in ({}, {"alternative": "greater"}, {"statistic": "wilcoxon"}):
        ask("test", MAIZE, **ONE, **chosen)
        for published in ("p < .05", ".02634", "nothing"):
            finding = exactperm.audit_claim({"p": published, "data": table, **chosen})
            found = ask("audit", published=published, **chosen)
            assert (found["heap"], found["differs"]) == (finding.heap, finding.decision_differs)
    ask("test", MAIZE, **ONE)
    stated = ask("audit", published="p < .05", stated="test")
    assert (stated["heap"], stated["differs"]) == ("wrong", True)
    assert "exact: 0.0526733 = 863/16384" in stated["details"]
    assert ask("audit", published=".055", samples="1000")["heap"] == "fine"
    assert ask("audit", published="*", stars="* p < .10, ** p < .05")["heap"] == "fine"
    assert ask("audit", published="**")["heap"] == "unreadable"


def test_a_copy_without_audits_says_so(ask, monkeypatch):
    ask("test", MAIZE, **ONE)
    monkeypatch.setitem(sys.modules, "exactperm.auditing.audit", None)
    assert ask("audit", published=".05")["error"] == "this copy of exactperm is without auditing"


if __name__ == "__main__":
    rows = [[*question, told] for *question, _known, told in answered()]
    lines = [json.dumps(row, ensure_ascii=False, sort_keys=True) for row in rows]
    GOLDEN.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
