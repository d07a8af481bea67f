"""Leaderboards: the same tests one by one, adjusted, and equal on every executor."""

import json
import multiprocessing
import pickle
import random
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from fractions import Fraction
from functools import partial
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brute import encloses
from complaint import check_refusals, complaint, refused
from exactperm.budget import Budget, Options
from exactperm.compare import compare_all
from exactperm.errors import BudgetExceeded, ExactPermError, WrongType
from exactperm.fast import fast_permutation_test
from exactperm.multiplicity import METHODS, adjust_pvalues
from exactperm.null.alternative import ALTERNATIVES
from exactperm.permutation import expected, permutation_test
from exactperm.samples import permutation_test_runs
from exactperm.swaps.effects import swap_effects
from exactperm.swaps.metrics import f1_difference
from exactperm.swaps.statistic import difference

systems = st.integers(1, 6).flatmap(
    lambda n: st.dictionaries(
        st.sampled_from("abcd"),
        st.lists(st.integers(-3, 3), min_size=n, max_size=n),
        min_size=2,
        max_size=4,
    )
)


def board(seed=1, names=5, n=60):
    rng = random.Random(seed)
    return {f"system {i}": [rng.randint(0, 4 + i) for _ in range(n)] for i in range(names)}


@pytest.mark.slow
@given(
    systems,
    st.data(),
    st.sampled_from([method for method in METHODS if method != "tarone"]),
    st.sampled_from(ALTERNATIVES),
    st.sampled_from(["auto", "certified"]),
)
def test_rows_are_the_single_tests_adjusted(scores, data, adjust, alternative, method):
    """With weights, tasks and groups, or without."""
    n, pairs = len(next(iter(scores.values()))), [*combinations(scores, 2)]
    about = {
        name: data.draw(st.none() | st.lists(entry, min_size=n, max_size=n))
        for name, entry in (
            ("weights", st.fractions(1, 4)),
            ("tasks", st.sampled_from("xyz")),
            ("groups", st.sampled_from("gh")),
        )
    }
    rows = compare_all(scores, method=method, adjust=adjust, alternative=alternative, **about)
    single = permutation_test if method == "auto" else partial(fast_permutation_test, digits=4)
    singles = [single(scores[a], scores[b], alternative=alternative, **about) for a, b in pairs]
    assert [(row.first, row.second) for row in rows] == pairs
    assert [row.result for row in rows] == singles
    assert [row.pvalue for row in rows] == [single.pvalue for single in singles]
    assert [row.statistic for row in rows] == [single.statistic for single in singles]
    if about["weights"] or about["tasks"]:
        assert rows.header[2] == singles[0].statistic_name
    if method == "auto":
        wanted = adjust_pvalues([single.pvalue for single in singles], adjust).adjusted
        assert tuple(row.adjusted for row in rows) == wanted


def processes(workers):
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))


@pytest.mark.slow
@pytest.mark.parametrize("pool", [ThreadPoolExecutor, processes])
def test_the_executor_does_not_matter(pool):
    alone = compare_all(board())
    with pool(2) as executor:
        assert compare_all(board(), executor=executor) == alone


def test_results_of_an_executor_are_rebuilt_as_they_are():
    """What is made when it is asked for, too: records, mid-p values, pickles, the table of a notebook."""
    for groups in (None, [1, 1, 2, 3]):
        scores = {name: column[:4] for name, column in board().items()}
        alone = compare_all(scores, groups=groups)
        with ThreadPoolExecutor(2) as executor:
            shared = compare_all(scores, groups=groups, executor=executor)
        for one, other in zip(alone, pickle.loads(pickle.dumps(shared))):
            assert other.result.to_dict() == one.result.to_dict()
            assert (other.result.midp, other.result.min_attainable) == (
                one.result.midp,
                one.result.min_attainable,
            )
            assert other.result.recount() == one.result


def test_one_budget_for_the_whole_table():
    """The sum is estimated from a few tests, and refused before the first; one test alone is within the budget."""
    rng = random.Random(3)
    scores = {f"s{i}": [rng.randint(0, 10**4) for _ in range(120)] for i in range(12)}
    budget = Budget(seconds=1.5)
    with pytest.raises(BudgetExceeded) as refused:
        compare_all(scores, budget=budget)
    assert refused.value.what == "the counts of 66 tests"
    assert 1.5 < refused.value.needs.seconds < 100
    assert refused.value.limit == budget
    two = {name: scores[name] for name in ("s0", "s1")}
    assert (
        expected(
            swap_effects(*two.values(), difference), "two-sided", Options(budget=budget)
        ).seconds
        < 1.5
    )


@pytest.mark.parametrize("pool", [nullcontext, ThreadPoolExecutor])
def test_method_and_budget_reach_the_tests(pool):
    scores = {"a": [1, 2, 5, 7, 2], "b": [2, 3, 1, 3, 1], "c": [4, 4, 4, 4, 4]}
    with pool() as executor:
        for method in ("packed", "dp"):
            assert {
                row.result.method for row in compare_all(scores, method=method, executor=executor)
            } == {method}
        with pytest.raises(BudgetExceeded, match="the budget is 1e-12 s"):
            compare_all(scores, budget=Budget(seconds=1e-12), executor=executor)


def test_groups_decimals_and_statistic_reach_the_tests():
    scores = {"a": ["0.14", "0.26", "0.9"], "b": ["0.1", "0.2", "0.3"]}
    (row,) = compare_all(scores, groups=iter([0, 0, 1]), decimals=1)
    assert row.result == permutation_test(*scores.values(), groups=[0, 0, 1], decimals=1)
    counts = {"a": [(3, 1), (2, 0)], "b": [(1, 1), (2, 2)]}
    (row,) = compare_all(counts, statistic=f1_difference)
    assert row.result == permutation_test(*counts.values(), statistic=f1_difference)


def test_progress_counts_tests():
    seen = []
    compare_all(board(), progress=lambda done, total: seen.append((done, total)))
    assert seen == [(i, 10) for i in range(1, 11)]


def test_rows_and_json():
    columns = {"a": [1, 2, 3, 4], "b": [0, 1, 1, 2], "c": [1, 2, 3, 5]}
    result = compare_all(columns, adjust="bonferroni")
    data = json.loads(json.dumps(result.to_dict()))
    assert (data["adjust"], data["alternative"]) == ("bonferroni", "two-sided")
    assert len(data["rows"]) == len(result) == 3
    row = {"first": "a", "second": "b", "statistic": "6", "pvalue": "1/8", "adjusted": "3/8"}
    decimals = {"pvalue_decimal": "0.12500000000000000", "adjusted_decimal": "0.37500000000000000"}
    assert data["rows"][0] == {**row, **decimals}
    assert result.comparisons[0].adjusted == Fraction(3, 8)


REFUSED = """
{'a': [1]}, {} | scores has 1 systems
{'a': [1], 'b': ['x']}, {} | scores['b'][0] is 'x'
{'a': [1], 'b': [2]}, {'adjust': 'holmes'} | adjust is 'holmes'
{'a': [1], 'b': [2]}, {'method': 'fft'} | method is 'fft'
{'a': [1], 'b': [2]}, {'groups': [1, 2]} | groups has 2 labels for 1
{'a': [[1]], 'b': [[2]]}, {'design': 'within', 'groups': [1]} | groups and design
{'a': [[1]], 'b': [[2]]}, {'design': 'within', 'tasks': [1]} | tasks and design
{'a': [[1]], 'b': [[2]]}, {'design': 'nested'} | design is 'nested'
[1, 2], {} | scores is [1, 2] | WrongType
"""


def test_bad_input():
    check_refusals(lambda scores, about: compare_all(scores, **about), REFUSED)
    counts, about = {"a": [(1, 2)], "b": [(2, 1)]}, {"statistic": f1_difference}
    calls = {
        "tasks takes": lambda: compare_all(counts, tasks=["x"], **about),
        "statistic is 'difference of F1'": lambda: compare_all(RUNS, design="within", **about),
    }
    refused(ExactPermError, calls)
    refused(WrongType, {"statistic is <built-in": lambda: compare_all(RUNS, statistic=abs)})
    with pytest.raises(ExactPermError, match=r"; u is scores\['a'\] and v is scores\['b'\]$"):
        compare_all({**RUNS, "b": [[1]]}, design="within")


def test_data_dependent_minima_are_refused():
    calls = {"adjust is 'tarone'": lambda: compare_all({"a": [1], "b": [2]}, adjust="tarone")}
    refused(ExactPermError, calls)


def test_budgets_of_runs():
    """Also where there is no estimate to multiply."""
    big = {name: [[i * k, i**2 + k, k] for i in range(99)] for k, name in enumerate("abc", 1)}
    wide = {name: [[0, k * 10**80 + 3**i] for i in range(99)] for k, name in enumerate("abc", 1)}
    for scores, budget in ((big, Budget(seconds=1e-3)), (wide, Budget())):
        with pytest.raises(BudgetExceeded):
            compare_all(scores, design="within", budget=budget)


def test_too_many_systems_are_refused_at_once():
    """By their number, before any column is read; and by the length of the columns."""

    class Unread:
        def __iter__(self):
            raise AssertionError

    scores = dict.fromkeys(map(str, range(20_000)), Unread())
    message = complaint(BudgetExceeded, lambda: compare_all(scores))
    assert message.startswith("the 199990000 tests of 20000 systems would take about ")
    many = {str(i): [i] * 1000 for i in range(100)}
    message = complaint(BudgetExceeded, lambda: compare_all(many, budget=Budget(seconds=2.5)))
    assert message.startswith("the 4950 tests of 100 systems would take about ")


def real_scores(systems, n):
    rng = random.Random(n)
    return {str(i): [rng.random() for _ in range(n)] for i in range(systems)}


def test_few_real_numbers_are_counted_together():
    """Each of the 15 counts of 35 pairs takes some 0.06 s: within the budget, but not all of them."""
    message = complaint(
        BudgetExceeded, lambda: compare_all(real_scores(6, 35), budget=Budget(seconds=0.3))
    )
    assert message.startswith("the counts of 15 tests would take about ")


def test_few_pairs_need_no_estimate(monkeypatch):
    """Whatever their scores; otherwise some of the tests are estimated."""
    few, many = real_scores(3, 12), {"a": ["1/2"] * 60, "b": [1.5] * 60}
    known = compare_all(few)
    monkeypatch.setattr("exactperm.compare.expected", lambda *_: pytest.fail("an estimate"))
    assert compare_all(few, budget=Budget(seconds=9.0)) == known
    for table, options in ((many, {}), (few, {"method": "dp"})):
        with pytest.raises(pytest.fail.Exception):
            compare_all(table, budget=Budget(seconds=9.0), **options)


class TestCertified:
    """Leaderboards of sums between certified bounds, adjusted outward."""

    def check(self, scores, **about):
        """The brackets hold the exact p-values, whose adjustment is monotone."""
        exact = compare_all(scores, **about)
        for row, true in zip(compare_all(scores, method="certified", **about), exact):
            assert row.adjusted_lower <= true.adjusted <= row.adjusted
            encloses(row.result, true.result)
            assert row.pvalue == row.result.pvalue
            assert row.statistic == true.statistic
            assert row.significant("0.05") in (true.significant("0.05"), None)

    @pytest.mark.parametrize("adjust", [method for method in METHODS if method != "tarone"])
    def test_the_bounds_hold_the_exact_adjusted_pvalues(self, adjust):
        self.check(board(), adjust=adjust)

    def test_the_bounds_of_runs(self):
        self.check(RUNS, design="within")
        heading = compare_all(RUNS, design="within", method="certified").heading
        assert heading == "3 certified permutation tests of several runs (within), two-sided"

    @pytest.mark.slow
    def test_the_bounds_of_f1(self):
        rng = random.Random(1)
        counts = [[(rng.randint(0, 3), rng.randint(0, 2)) for _ in range(60)] for _ in "abc"]
        self.check(dict(zip("abc", counts)), statistic=f1_difference)

    @pytest.mark.slow
    def test_both_ends_are_adjusted(self):
        rows = list(compare_all(real(), method="certified", adjust="hommel"))
        ends = zip(*(row.result.bracket.ends() for row in rows))
        lower, upper = [adjust_pvalues(column, "hommel").adjusted for column in ends]
        assert [(row.adjusted_lower, row.adjusted) for row in rows] == list(zip(lower, upper))
        assert any(a < b for a, b in zip(lower, upper))

    @pytest.mark.slow
    def test_decisions_have_three_values(self):
        first, *_ = compare_all(real(), method="certified")
        assert first.adjusted_lower < first.adjusted
        assert first.significant(first.adjusted) is True
        assert first.significant(first.adjusted_lower) is None
        assert first.significant(first.adjusted_lower / 2) is False

    def test_rows_of_few_pairs_have_bounds(self):
        board = compare_all(real(12), method="certified")
        for row in board:
            written = row.to_dict()
            assert Fraction(written["adjusted_lower"]) <= row.adjusted_lower <= row.adjusted
            assert row.adjusted <= Fraction(written["adjusted_upper"])
        assert board._repr_html_().count("at most") == len(board)

    @pytest.mark.slow
    def test_all_tests_share_one_budget(self):
        """An equal part for each: of ten seconds for ten tests one second, as the test alone has it."""
        scores = {f"{name}{i}": column for i in range(2) for name, column in real().items()}
        tests = len(scores) * (len(scores) - 1) // 2
        first, second, *_ = scores.values()
        alone = fast_permutation_test(first, second, digits=4, budget=Budget(seconds=1))
        together = compare_all(scores, method="certified", budget=Budget(seconds=tests))
        assert next(iter(together)).result == alone
        with pytest.raises(BudgetExceeded):
            compare_all(scores, method="certified", budget=Budget(seconds=1e-6 * tests))

    def test_the_refusal_is_of_all_tests(self):
        """One test has its part of the budget; the estimate is that of all of them, and above the budget."""
        budget = Budget(seconds=0.1)
        with pytest.raises(BudgetExceeded) as refused:
            compare_all(real_scores(6, 300), method="certified", budget=budget)
        assert refused.value.what.startswith(
            "15 tests, of which one is a certified bracket for 300 pairs with 300"
        )
        assert refused.value.limit == budget
        assert refused.value.needs.seconds > budget.seconds


def real(n=80):
    """Scores of 16 digits, which no exact engine counts."""
    rng = random.Random(3)
    return {
        name: [rng.gauss(shift, 1) for _ in range(n)]
        for name, shift in (("a", 0.3), ("b", 0), ("c", 0))
    }


RUNS = {"a": [[1, 1, 0], [1, 1]], "b": [[0, 1, 0], [0, 1]], "c": [[0, 0, 0], [1, 0]]}


@pytest.mark.parametrize("design", ["within", "items"])
def test_runs_of_systems_are_compared_under_a_design(design):
    board = compare_all(RUNS, design=design)
    sides = [(RUNS[row.first], RUNS[row.second]) for row in board]
    singles = [permutation_test_runs(u, v, design=design).pvalue for u, v in sides]
    assert [row.pvalue for row in board] == singles
    assert [row.adjusted for row in board] == [*adjust_pvalues(singles).adjusted]
    assert board.heading == f"3 exact permutation tests of several runs ({design}), two-sided"
    assert board.header[2] == "difference of means"
    assert board.to_dict()["design"] == design
    with ThreadPoolExecutor(2) as executor:
        assert compare_all(RUNS, design=design, executor=executor) == board
    weighted = compare_all(RUNS, design=design, weights=[2, 1]).comparisons[0]
    about = {"design": design, "weights": [2, 1]}
    assert weighted.pvalue == permutation_test_runs(RUNS["a"], RUNS["b"], **about).pvalue


def test_what_people_see_of_one_comparison():
    shown = str(compare_all({"a": [3, 1, 2], "b": [1, 1, 1]}).comparisons[0])
    assert shown.startswith("a against b: Exact paired-permutation test, two-sided\n  p-value ")
    assert shown.endswith("\n  adjusted p   0.5000")
