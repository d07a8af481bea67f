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


def test_the_exact_count_comes_first():
    result, stated = answer.answered(asked(), "difference", alternative="greater")
    assert (result, stated) == (permutation_test(U, V, alternative="greater"), {})


REAL = "d\n" + "\n".join(f"{(-1) ** (i % 3) / (i + 3)!r}" for i in range(60))


def test_a_refusal_is_told_where_a_statistic_has_no_bracket():
    with pytest.raises(BudgetExceeded, match="counting 4 pairs"):
        answer.answered(
            asked("f1", "1,2,3,4\n" * 4, columns="1,2,3,4", header="no"), "f1", budget=TIGHT
        )


@pytest.mark.slow
def test_a_refused_count_becomes_a_bracket_that_says_so():
    question = asked(text=REAL, differences=True)
    result, stated = answer.answered(question, "difference", budget=Budget(seconds=0.5))
    assert result == fast_permutation_test(question.u, question.v, budget=Budget(seconds=0.5))
    assert stated["exact"] is False
    assert stated["refused"].startswith("counting 60 pairs with 60 distinct differences")
    assert "Instead" not in stated["refused"]


@pytest.mark.parametrize("statistic", ["difference", "mean", "wilcoxon"])
def test_no_answer_within_the_budget_is_the_refusal_of_the_count(statistic):
    with pytest.raises(BudgetExceeded):
        answer.answered(asked(statistic, REAL, differences=True), statistic, budget=TIGHT)


@pytest.mark.parametrize(("statistic", "p"), [("wilcoxon", 0.5), ("sign", 1.0)])
def test_classical_statistics_take_the_same_columns(statistic, p):
    result, _stated = answer.answered(asked(statistic), statistic)
    assert float(result.pvalue) == p
    words = {"wilcoxon": "rank sum W of the differences", "sign": "number of wins minus losses"}
    assert asked(statistic).words == f"{words[statistic]} u - v"


def test_a_record_names_the_data_and_can_be_read_back():
    question = asked()
    record = answer.record(permutation_test(U, V), question, seconds=0.25, mu="1/2")
    assert record["columns"] == ["u", "v"]
    assert (record["seconds"], record["mu"]) == (0.25, "1/2")
    assert PermutationTestResult.from_dict(record) == permutation_test(U, V)


def test_a_record_has_no_time_unless_it_is_given():
    question = asked()
    records = [answer.record(permutation_test(U, V), question) for _ in range(2)]
    assert records[0] == records[1]
    assert "seconds" not in records[0]


def test_lines_of_questions():
    groups = asked(text="u,v,g\n3,1,a\n1,2,a\n4,0,b\n", columns="u,v", groups="g")
    for question, units in ((asked(), "4 pairs"), (groups, "2 groups")):
        both = [answer.counted(question, "difference"), answer.enclosed(question)]
        lines = {answer.line(result, question, swapped_order=True) for result in both}
        assert len(lines) == 1
        assert (
            f"swaps of {units} | sum of differences, second minus first | two-sided" in lines.pop()
        )
    narrow = fast_permutation_test([1, 2, 3, 4], [0, 0, 0, 0], alternative="less")
    wide = replaced(narrow, bracket=Enclosure(1, 3, -2), digits=3)
    assert "| less | p in [2.5e-01, 7.5e-01]" in answer.line(wide, asked())
    mcnemar = asked("mcnemar", "u,v\n1,0\n0,1\n1,0\n")
    assert "McNemar, swaps of 3 pairs" in answer.line(answer.counted(mcnemar, "mcnemar"), mcnemar)


@pytest.mark.parametrize("statistic", ["difference", "wilcoxon"])
def test_brackets_of_both_statistics_hold_their_counts(statistic):
    bracket = answer.enclosed(asked(statistic), statistic)
    assert bracket.lower <= answer.answered(asked(statistic), statistic)[0].pvalue <= bracket.upper


QUICK = {
    ("difference", "a,b\n1,2\n3,3\n5,1\n"): "interval",
    ("mean", "a,b\n.5,.2\n.3,.3\n.5,.1\n"): "interval",
    ("difference", "a,b\n1,0\n0,1\n1,1\n"): "scores of 0 and 1 have one only on request",
    ("sign", "a,b\n1,2\n3,3\n5,1\n"): "",
}


@pytest.mark.parametrize(("statistic", "text"), QUICK)
def test_an_interval_is_quick_or_there_is_a_reason(statistic, text):
    found = answer.quick_interval(asked(statistic, text, columns="a,b"), statistic)
    known = QUICK[statistic, text]
    assert (found == known) if known != "interval" else found.n == 3


def test_what_takes_a_second_is_left_out(monkeypatch):
    def slow(*_words, **options):
        assert options["budget"].seconds == 1
        raise BudgetExceeded("much")

    monkeypatch.setattr(answer, "interval", slow)
    assert answer.quick_interval(asked(), "difference") == ""
