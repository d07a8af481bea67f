"""Weights of items and means over tasks: the definition, by enumeration and by what must not change a p-value."""

from collections import Counter
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

import brute
from complaint import check_refusals, complaint
from exactperm.errors import BudgetExceeded, ExactPermError
from exactperm.fast import fast_permutation_test
from exactperm.null.alternative import ALTERNATIVES
from exactperm.null.float_result import FloatResult
from exactperm.null.result import PermutationTestResult
from exactperm.permutation import permutation_test
from exactperm.swaps.metrics import accuracy, f1_difference, mean_difference
from exactperm.swaps.statistic import Statistic, difference
from exactperm.swaps.weights import item_weights

score = st.one_of(st.integers(-3, 3), st.fractions(-2, 2, max_denominator=6))
weight = st.one_of(st.integers(1, 5), st.fractions(Fraction(1, 5), 3, max_denominator=7))


@st.composite
def data(draw, most=7):
    """Columns u and v, weights, task labels and groups of as many items."""
    n = draw(st.integers(1, most))
    lists = [draw(st.lists(x, min_size=n, max_size=n)) for x in (score, score, weight)]
    return (
        *lists,
        *[draw(st.lists(st.sampled_from("abc"), min_size=n, max_size=n)) for _ in range(2)],
    )


def weighted_mean(weights, tasks):
    """The statistic by definition: the mean over tasks of the weighted means over their items."""

    def statistic(u, v):
        means = []
        for task in dict.fromkeys(tasks):
            here = [i for i, other in enumerate(tasks) if other == task]
            total = sum(Fraction(weights[i]) * (Fraction(u[i]) - Fraction(v[i])) for i in here)
            means.append(total / sum(Fraction(weights[i]) for i in here))
        return sum(means) / len(means)

    return statistic


def content(result):
    """All that a result says of the count and of the distribution, but for the name of its statistic."""
    record = result.to_dict()
    return {name: value for name, value in record.items() if name != "statistic_name"}


@pytest.mark.slow
@given(data(), st.booleans(), st.booleans(), st.booleans(), st.sampled_from(ALTERNATIVES))
def test_the_definition_by_enumeration(case, weighted, by_task, grouped, alternative):
    u, v, weights, tasks, groups = case
    given_weights, given_tasks = weights if weighted else None, tasks if by_task else None
    groups = groups if grouped else None
    if not weighted and not by_task:
        return
    oracle = weighted_mean(given_weights or [1] * len(u), given_tasks or ["all"] * len(u))
    about = {
        "weights": given_weights,
        "tasks": given_tasks,
        "groups": groups,
        "alternative": alternative,
    }
    result = permutation_test(u, v, **about)
    assert result.pvalue == brute.pvalue(u, v, oracle, alternative, groups)
    assert result.statistic == oracle(u, v)
    every = Counter(brute.values(u, v, oracle, groups))
    null = result.null_distribution
    assert dict(zip(null.support, null.counts)) == every
    bracket = fast_permutation_test(u, v, **about)
    assert bracket.bracket.ends()[0] <= result.pvalue <= bracket.bracket.ends()[1]
    assert (bracket.statistic, bracket.statistic_name) == (result.statistic, result.statistic_name)


@pytest.mark.slow
@given(data(14), weight, st.sampled_from(ALTERNATIVES))
def test_equal_weights_give_the_test_of_the_mean(case, w, alternative):
    u, v = case[:2]
    known = permutation_test(u, v, statistic=mean_difference, alternative=alternative)
    for statistic in (difference, mean_difference):
        about = {"statistic": statistic, "alternative": alternative}
        result = permutation_test(u, v, weights=[w] * len(u), **about)
        assert content(result) == content(known)
    plain = permutation_test(u, v, alternative=alternative)
    tests = [
        (x.count, x.n_nonzero, x.tails.swaps.tally, x.tails.swaps.observed) for x in (result, plain)
    ]
    assert tests[0] == tests[1]


@pytest.mark.slow
@given(data())
def test_accuracies_are_means_of_right_answers(case):
    first, second, weights, tasks, groups = case
    gold = [0] * len(first)
    right = [[int(x == 0) for x in column] for column in (first, second)]
    about = {"weights": weights, "tasks": tasks, "groups": groups}
    result = permutation_test(first, second, statistic=accuracy(gold), **about)
    assert content(result) == content(permutation_test(*right, **about))
    assert result.statistic_name.startswith("difference of accuracies, mean over ")


@pytest.mark.slow
@given(data(10))
def test_records_and_lines_keep_the_mean(case):
    u, v, weights, tasks, _groups = case
    result = permutation_test(u, v, weights=weights, tasks=tasks)
    assert PermutationTestResult.from_dict(result.to_dict()).recount() == result
    bracket = fast_permutation_test(u, v, weights=weights, tasks=tasks)
    assert FloatResult.from_dict(bracket.to_dict()).recount() == bracket
    number = len(set(tasks))
    words = f"difference of means, mean over {number} task{'s' * (number > 1)} of the weighted means over items"
    assert result.statistic_name == bracket.statistic_name == words
    for text in (str(result.sentence()), str(bracket.sentence()), str(result), str(bracket)):
        assert words in text


def test_numbers_of_every_kind_are_weights():
    pd = pytest.importorskip("pandas")
    np = pytest.importorskip("numpy")
    u, v, known = [3, 1, 2], [1, 2, 0], permutation_test([3, 1, 2], [1, 2, 0], weights=[1, 2, 4])
    for weights in (
        ("0.5", "1", 2),
        np.array([0.25, 0.5, 1.0], dtype="float32"),
        pd.Series([1, 2, 4]),
        iter([Fraction(1, 7), Fraction(2, 7), Fraction(4, 7)]),
    ):
        assert permutation_test(u, v, weights=weights) == known
    assert known.statistic_name == "difference of means, items weighted"
    assert known.statistic == Fraction(8, 7)


BAD = """
"weights", [1, 2] | weights has 2 entries for 3 pairs
"weights", [1, 2, -0.5] | weights[2] is -0.5: it must be above 0
"weights", [1, 0, 2] | weights[1] is 0: it must be above 0; leave such
"tasks", ["a", "b"] | tasks has 2 labels for 3 pairs
"tasks", ["a", [], "b"] | tasks[1] is []: labels must be hashable | WrongType
"""


def test_bad_weights_and_tasks_are_named():
    def test(name, value):
        permutation_test([1, 2, 3], [0, 1, 5], **{name: value})

    check_refusals(test, BAD)
    told = complaint(ExactPermError, lambda: permutation_test([1, 2], [1], weights=[1]))
    assert told == "u has 2 entries and v has 1: they must be paired"


DISTANCE = Statistic((lambda a, b: a - b,), abs, "distance", read=difference.read)
PRODUCT = Statistic((lambda a, b: a * b - b,), name="product")


@pytest.mark.parametrize(
    ("test", "argument"), [(permutation_test, "weights"), (fast_permutation_test, "tasks")]
)
def test_statistics_that_are_no_means_are_refused_with_the_reason(test, argument):
    counts, numbers = ([(1, 2), (3, 0)], [(1, 1), (2, 2)]), ([1, 2], [3, 4])
    for statistic, columns in ((f1_difference, counts), (DISTANCE, numbers), (PRODUCT, numbers)):
        call = partial(test, *columns, statistic=statistic, **{argument: [1, 2]})
        told = complaint(ExactPermError, call)
        assert told.startswith(f"{argument} takes differences of means and of accuracies: ")
        assert repr(statistic.name) in told


@pytest.mark.slow
def test_factors_without_a_bearable_denominator_are_refused():
    tasks = [task for task in range(2000) for _ in range(task)]
    with pytest.raises(BudgetExceeded):
        item_weights(None, tasks, len(tasks))
