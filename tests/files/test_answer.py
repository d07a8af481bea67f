"""The exact count of a question, or its certified bracket."""

import pytest

from exactperm.arithmetic.enclosure import Enclosure
from exactperm.budget import Budget
from exactperm.errors import BudgetExceeded
from exactperm.fast import fast_permutation_test
from exactperm.files import answer
from exactperm.files.question import question as read
from exactperm.files.reading import Reading
from exactperm.null.result import PermutationTestResult
from exactperm.permutation import permutation_test
from exactperm.record import replaced

SCORES = "u,v\n3,1\n1,2\n4,0\n2,2\n"
U, V = [3, 1, 4, 2], [1, 2, 0, 2]
TIGHT = Budget(seconds=1e-9)


def asked(statistic="difference", text=SCORES, **settings):
    if text.startswith("u,v\n"):
        settings = {"columns": "u,v", **settings}
    return read([("f", text.encode())], statistic, Reading.of(settings))


REAL = "d\n" + "\n".join(f"{(-1) ** (i % 3) / (i + 3)!r}" for i in range(60))


@pytest.mark.slow
def test_a_refused_count_becomes_a_bracket_that_says_so():
    question = asked(text=REAL, differences=True)
    result, refused = answer.answered(question, "difference", budget=Budget(seconds=0.5))
    assert result == fast_permutation_test(question.u, question.v, budget=Budget(seconds=0.5))
    record = answer.record(result, question, refused)
    assert (record["exact"], record["refused"]) == (False, refused)
    assert refused.startswith("counting 60 pairs with 60 distinct differences")
    assert "Instead" not in refused


def test_no_answer_within_the_budget_is_the_refusal_of_the_count():
    """Also of a statistic that has no bracket."""
    counts = asked("f1", "1,2,3,4\n" * 4, columns="1,2,3,4", header="no")
    known = {
        name: asked(name, REAL, differences=True) for name in ("difference", "mean", "wilcoxon")
    }
    for statistic, question in {**known, "f1": counts}.items():
        with pytest.raises(BudgetExceeded, match="counting"):
            answer.answered(question, statistic, budget=TIGHT)


def test_answers_and_brackets_of_a_question():
    for statistic in ("difference", "wilcoxon"):
        result, refused = answer.answered(asked(statistic), statistic)
        bracket = answer.enclosed(asked(statistic), statistic)
        assert (refused, bracket.lower <= result.pvalue <= bracket.upper) == ("", True)
    record = answer.record(answer.counted(asked(), "difference"), asked(), mu="1/2")
    assert (record["columns"], record["mu"], "seconds" in record) == (["u", "v"], "1/2", False)
    assert PermutationTestResult.from_dict(record) == permutation_test(U, V)


def test_lines_of_questions():
    groups = asked(text="u,v,g\n3,1,a\n1,2,a\n4,0,b\n", columns="u,v", groups="g")
    for question, units in ((asked(), "4 pairs"), (groups, "2 groups")):
        both = [answer.counted(question, "difference"), answer.enclosed(question)]
        lines = {answer.line(result, question) for result in both}
        assert len(lines) == 1
        assert f"swaps of {units} | sum of differences | two-sided" in lines.pop()
    narrow = fast_permutation_test([1, 2, 3, 4], [0, 0, 0, 0], alternative="less")
    wide = replaced(narrow, bracket=Enclosure(1, 3, -2), digits=3)
    assert "| less | p in [2.5e-01, 7.5e-01]" in answer.line(wide, asked())
    mcnemar = asked("mcnemar", "u,v\n1,0\n0,1\n1,0\n")
    assert "McNemar, swaps of 3 pairs" in answer.line(answer.counted(mcnemar, "mcnemar"), mcnemar)


QUICK = {
    ("difference", "a,b\n1,2\n3,3\n5,1\n"): "interval",
    ("mean", "a,b\n.5,.2\n.3,.3\n.5,.1\n"): "interval",
    ("difference", "a,b\n1,0\n0,1\n1,1\n"): "scores of 0 and 1 have one only on request",
    ("sign", "a,b\n1,2\n3,3\n5,1\n"): "",
}


def test_an_interval_is_quick_or_there_is_a_reason():
    for (statistic, text), known in QUICK.items():
        found = answer.quick_interval(asked(statistic, text, columns="a,b"), statistic)
        assert (found == known) if known != "interval" else found.n == 3


def test_what_takes_a_second_is_left_out(monkeypatch):
    def slow(*_words, **options):
        assert options["budget"].seconds == 1
        raise BudgetExceeded("much")

    monkeypatch.setattr(answer, "interval", slow)
    assert answer.quick_interval(asked(), "difference") == ""
