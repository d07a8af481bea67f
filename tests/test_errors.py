"""Errors of the package."""

import pickle

import pytest

from exactperm.budget import Budget, Estimate
from exactperm.errors import BudgetExceeded, Cure, ExactPermError, WrongType

CURE = Cure({"columns": "A,B"}, "compare", "write 1 for right answers")


def again(error):
    return pickle.loads(pickle.dumps(error))


@pytest.mark.parametrize("kind", [ExactPermError, WrongType])
def test_errors_carry_code_and_cure_through_pickling(kind):
    error = again(kind("3 columns", code="columns", cure=CURE))
    assert (str(error), error.code, error.cure) == ("3 columns", "columns", CURE)
    assert isinstance(error, ValueError)
    assert (again(kind("x")).code, again(kind("x")).cure) == ("", None)


def test_budget_error_carries_all_fields_through_pickling():
    needs, limit = Estimate(seconds=5.0, bytes=2**20), Budget(seconds=1)
    first = BudgetExceeded(
        "counting", needs, limit, detail="by packed", cure=Cure(words="wait"), bracket=(0, 1, 2)
    )
    for error in (first, again(first)):
        assert str(error) == (
            "counting would take about 5 s and 1 MiB; the budget is 1 s and 2 GiB: by packed. Instead: wait"
        )
        assert error.brief == "counting would take about 5 s and 1 MiB; the budget is 1 s and 2 GiB"
        assert (error.what, error.needs, error.limit) == ("counting", needs, limit)
        assert (error.detail, error.cure, error.bracket) == (
            "by packed",
            Cure(words="wait"),
            (0, 1, 2),
        )
        assert (error.seconds, error.bytes, error.code) == (5.0, 2**20, "budget")
    error = again(BudgetExceeded("too long"))
    assert (str(error), error.seconds, error.bytes) == ("too long", None, None)


def _raises(_number):
    raise ExactPermError("3 columns", code="columns", cure=CURE)


def test_a_process_pool_keeps_them_too():
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(1) as pool:
        error = pool.submit(_raises, 0).exception()
    assert (error.code, error.cure) == ("columns", CURE)


def test_cures_compare_and_hash_by_their_values():
    assert Cure({"id": "q"}) == Cure({"id": "q"}) != Cure({"id": "q"}, "compare")
    assert len({Cure({"id": "q"}), Cure({"id": "q"})}) == 1
    assert Cure() != "" and Cure().settings == {}
    assert Cure(choose="runs") != Cure() and repr(Cure(choose="runs")) == "Cure({}, choose='runs')"
    assert (
        repr(CURE)
        == "Cure({'columns': 'A,B'}, command='compare', words='write 1 for right answers')"
    )


@pytest.mark.parametrize(
    ("needs", "words"),
    [
        (Estimate(seconds=0, bytes=2**31), "about 2 GiB"),
        (Estimate(seconds=3.0, bytes=0), "about 3 s"),
        (Estimate(seconds=0, bytes=2**31, least=True), "more than 2 GiB"),
    ],
)
def test_estimates_say_only_what_was_estimated(needs, words):
    assert needs.words() == words
