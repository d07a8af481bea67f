"""The exact count of a question, or its certified bracket."""

import pytest

from exactperm.budget import Budget
from exactperm.errors import BudgetExceeded
from exactperm.fast import fast_permutation_test
from exactperm.files import answer, tables
from exactperm.null.result import PermutationTestResult
from exactperm.permutation import permutation_test

SCORES = "u,v\n3,1\n1,2\n4,0\n2,2\n"
U, V = [3, 1, 4, 2], [1, 2, 0, 2]
TIGHT = Budget(seconds=1e-9)


def asked(statistic="difference", text=SCORES):
    return answer.question([tables.parse(text, "f")], statistic)


def test_the_exact_count_comes_first():
    result, stated = answer.answered(asked(), "difference", alternative="greater")
    assert (result, stated) == (permutation_test(U, V, alternative="greater"), {})


REAL = "\n".join(f"{(-1) ** (i % 3) / (i + 3)!r}" for i in range(60))


def test_a_refused_count_becomes_a_bracket_that_says_so():
    question = asked(text=REAL)
    result, stated = answer.answered(question, "difference", budget=Budget(seconds=0.5))
    assert result == fast_permutation_test(question.u, question.v, budget=Budget(seconds=0.5))
    assert stated["exact"] is False
    assert stated["refused"].startswith("counting 60 pairs with 60 distinct differences")
    assert "Instead" not in stated["refused"]


@pytest.mark.parametrize("statistic", ["difference", "mean_difference", "signed-rank"])
def test_no_answer_within_the_budget_is_the_refusal_of_the_count(statistic):
    with pytest.raises(BudgetExceeded):
        answer.answered(asked(statistic, REAL), statistic, budget=TIGHT)


@pytest.mark.parametrize(("statistic", "p"), [("signed-rank", 0.5), ("sign", 1.0)])
def test_classical_statistics_take_the_same_columns(statistic, p):
    result, _stated = answer.answered(asked(statistic), statistic)
    assert float(result.pvalue) == p
    assert asked(statistic).words == f"{statistic} of the differences u - v"


def test_a_record_names_the_data_and_can_be_read_back():
    question = asked()
    record = answer.record(permutation_test(U, V), question, seconds=0.25, mu="1/2")
    assert record["columns"] == ["u", "v"]
    assert (record["seconds"], record["mu"]) == (0.25, "1/2")
    assert PermutationTestResult.from_dict(record) == permutation_test(U, V)
