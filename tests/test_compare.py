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

from complaint import complaint
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
    st.sampled_from([method for method in METHODS if method != "tarone"]),
    st.sampled_from(ALTERNATIVES),
)
def test_rows_are_the_single_tests_adjusted(scores, adjust, alternative):
    rows = list(compare_all(scores, adjust=adjust, alternative=alternative))
    assert [(row.first, row.second) for row in rows] == list(combinations(scores, 2))
    singles = [
        permutation_test(scores[a], scores[b], alternative=alternative)
        for a, b in combinations(scores, 2)
    ]
    assert [row.result for row in rows] == singles
    assert [row.pvalue for row in rows] == [single.pvalue for single in singles]
    assert [row.statistic for row in rows] == [single.statistic for single in singles]
    wanted = adjust_pvalues([single.pvalue for single in singles], adjust).adjusted
    assert tuple(row.adjusted for row in rows) == wanted


@pytest.mark.slow
@given(systems, st.data(), st.booleans(), st.booleans(), st.sampled_from(["auto", "certified"]))
def test_weights_and_tasks_reach_every_test(scores, draws, weighted, grouped, method):
    n = len(next(iter(scores.values())))
    about = {
        "weights": draws.draw(st.lists(st.fractions(1, 4), min_size=n, max_size=n))
        if weighted
        else None,
        "tasks": draws.draw(st.lists(st.sampled_from("xyz"), min_size=n, max_size=n)),
        "groups": draws.draw(st.lists(st.sampled_from("gh"), min_size=n, max_size=n))
        if grouped
        else None,
    }
    rows = compare_all(scores, method=method, **about)
    single = permutation_test if method == "auto" else partial(fast_permutation_test, digits=4)
    assert [row.result for row in rows] == [
        single(scores[a], scores[b], **about) for a, b in combinations(scores, 2)
    ]
    assert rows.header[2] == rows.comparisons[0].result.statistic_name


@pytest.mark.slow
def test_weights_reach_workers_and_may_be_iterators():
    scores = board(n=150)
    weights, tasks = [1 + i % 3 for i in range(150)], [i % 5 for i in range(150)]
    known = compare_all(scores, weights=weights, tasks=tasks)
    with processes(2) as executor:
        assert (
            compare_all(scores, weights=iter(weights), tasks=iter(tasks), executor=executor)
            == known
        )


def test_weights_of_systems_are_refused_with_a_reason():
    pd = pytest.importorskip("pandas")
    scores = {"a": [(1, 2)], "b": [(2, 1)]}
    told = complaint(
        ExactPermError, lambda: compare_all(scores, statistic=f1_difference, tasks=["x"])
    )
    assert told.startswith(
        "tasks takes differences of means and of accuracies: a mean over tasks of 'difference of F1'"
    )
    moved = pd.Series([1, 2], index=[1, 0])
    frame = {"a": pd.Series([1, 2]), "b": pd.Series([2, 2])}
    told = complaint(ExactPermError, lambda: compare_all(frame, weights=moved))
    assert told.startswith("scores['a'] and weights have the same labels in another order")


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


def test_the_executor_has_one_task_for_each_pair():
    class Counting(ThreadPoolExecutor):
        tasks = 0

        def submit(self, *words, **options):
            self.tasks += 1
            return super().submit(*words, **options)

    with Counting(1) as executor:
        compare_all(board(), executor=executor)
        assert executor.tasks == 10


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
    (row,) = compare_all(scores, groups=[0, 0, 1], decimals=1)
    assert row.result == permutation_test(*scores.values(), groups=[0, 0, 1], decimals=1)
    counts = {"a": [(3, 1), (2, 0)], "b": [(1, 1), (2, 2)]}
    (row,) = compare_all(counts, statistic=f1_difference)
    assert row.result == permutation_test(*counts.values(), statistic=f1_difference)


def test_progress_counts_tests():
    seen = []
    compare_all(board(), progress=lambda done, total: seen.append((done, total)))
    assert seen == [(i, 10) for i in range(1, 11)]


def test_rows_and_json():
    result = compare_all(
        {"a": [1, 2, 3, 4], "b": [0, 1, 1, 2], "c": [1, 2, 3, 5]}, adjust="bonferroni"
    )
    assert len(result) == 3
    data = json.loads(json.dumps(result.to_dict()))
    rows = data.pop("rows")
    assert data == {"adjust": "bonferroni", "alternative": "two-sided"}
    assert len(rows) == 3
    assert rows[0] == {
        "first": "a",
        "second": "b",
        "statistic": "6",
        "pvalue": "1/8",
        "pvalue_decimal": "0.12500000000000000",
        "adjusted": "3/8",
        "adjusted_decimal": "0.37500000000000000",
    }
    assert result.comparisons[0].adjusted == Fraction(3, 8)


@pytest.mark.parametrize(
    ("scores", "options", "kind", "message"),
    [
        (
            [1, 2],
            {},
            WrongType,
            r"scores is \[1, 2\]: it must map names of systems to columns of scores",
        ),
        ({"a": [1]}, {}, ExactPermError, "scores has 1 systems: a comparison needs at least two"),
        (
            {"a": [1], "b": [1, 2]},
            {},
            ExactPermError,
            r"scores\['a'\] has 1 entries and scores\['b'\] has 2",
        ),
        ({"a": [1], "b": ["x"]}, {}, ExactPermError, r"scores\['b'\]\[0\] is 'x'"),
        (
            {"a": [1], "b": [2]},
            {"adjust": "holmes"},
            ExactPermError,
            f"adjust is 'holmes': it must be one of {', '.join(METHODS)}",
        ),
        ({"a": [1], "b": [2]}, {"statistic": abs}, WrongType, "statistic is"),
        ({"a": [1], "b": [2]}, {"alternative": "both"}, ExactPermError, "alternative is 'both'"),
        ({"a": [1], "b": [2]}, {"method": "fft"}, ExactPermError, "method is 'fft'"),
    ],
)
def test_bad_input(scores, options, kind, message):
    with pytest.raises(kind, match=f"^{message}"):
        compare_all(scores, **options)


def test_an_adjustment_by_another_name():
    scores = {"a": [1, 2], "b": [3, 1]}
    assert compare_all(scores, adjust="BH") == compare_all(scores, adjust="fdr_bh")


def test_data_dependent_minima_are_refused():
    message = complaint(ExactPermError, lambda: compare_all({"a": [1], "b": [2]}, adjust="tarone"))
    assert message.startswith(
        "adjust is 'tarone', which needs least attainable p-values that do not depend on the data"
    )


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


def test_groups_may_be_an_iterator():
    """It is read once, for all pairs of systems."""
    scores, groups = {"a": [1, 2, 5], "b": [2, 3, 1], "c": [4, 4, 4]}, ["x", "y", "x"]
    assert compare_all(scores, groups=iter(groups)) == compare_all(scores, groups=groups)
    message = complaint(ExactPermError, lambda: compare_all(scores, groups=iter("xy")))
    assert message == "groups has 2 labels for 3 pairs"


class TestCertified:
    """Leaderboards of sums between certified bounds, adjusted outward."""

    @pytest.mark.parametrize("adjust", [method for method in METHODS if method != "tarone"])
    def test_the_bounds_hold_the_exact_adjusted_pvalues(self, adjust):
        exact = compare_all(board(), adjust=adjust)
        rows = list(compare_all(board(), adjust=adjust, method="certified"))
        for row, true in zip(rows, exact):
            assert row.adjusted_lower <= true.adjusted <= row.adjusted
            assert row.result.bracket.ends()[0] <= true.pvalue <= row.result.bracket.ends()[1]
            assert row.pvalue == row.result.pvalue
            assert row.statistic == true.statistic
            assert row.significant("0.05") in (true.significant("0.05"), None)

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
        rng = random.Random(3)
        board = compare_all(
            {name: [rng.gauss(0, 1) for _ in range(12)] for name in "ab"}, method="certified"
        )
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
        rng = random.Random(1)
        scores = {name: [rng.random() for _ in range(300)] for name in "abcdef"}
        budget = Budget(seconds=0.1)
        with pytest.raises(BudgetExceeded) as refused:
            compare_all(scores, method="certified", budget=budget)
        assert refused.value.what.startswith(
            "15 tests, of which one is a certified bracket for 300 pairs with 300"
        )
        assert refused.value.limit == budget
        assert refused.value.needs.seconds > budget.seconds

    @pytest.mark.slow
    def test_rows_are_json_ready_with_bounds_rounded_outward(self):
        row = next(iter(compare_all(real(), method="certified"))).to_dict()
        json.dumps(row)
        assert Fraction(row["adjusted_lower"]) < Fraction(row["adjusted_upper"])
        assert Fraction(row["pvalue_lower"]) < Fraction(row["pvalue_upper"])
        assert "pvalue" not in row

    @pytest.mark.slow
    def test_executors_do_not_matter(self):
        with ThreadPoolExecutor(2) as executor:
            assert compare_all(real(), method="certified", executor=executor) == compare_all(
                real(), method="certified"
            )

    def test_f1(self):
        # The brackets hold the exact p-values, whose adjustment is monotone.
        rng = random.Random(1)
        scores = {
            name: [(rng.randint(0, 3), rng.randint(0, 2)) for _ in range(60)] for name in "abc"
        }
        exact = compare_all(scores, statistic=f1_difference)
        for row, known in zip(
            compare_all(scores, statistic=f1_difference, method="certified"), exact
        ):
            low, high = row.result.bracket.ends()
            assert low <= known.pvalue <= high
            assert row.adjusted_lower <= known.adjusted <= row.adjusted


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
    for row in board:
        assert (
            row.pvalue
            == permutation_test_runs(RUNS[row.first], RUNS[row.second], design=design).pvalue
        )
    assert [row.adjusted for row in board] == list(
        adjust_pvalues([row.pvalue for row in board]).adjusted
    )
    assert board.heading == f"3 exact permutation tests of several runs ({design}), two-sided"
    assert board.header[2] == "difference of means"
    assert board.to_dict()["design"] == design
    with ThreadPoolExecutor(2) as executor:
        assert compare_all(RUNS, design=design, executor=executor) == board
    weighted = compare_all(RUNS, design=design, weights=[2, 1]).comparisons[0]
    about = {"design": design, "weights": [2, 1]}
    assert weighted.pvalue == permutation_test_runs(RUNS["a"], RUNS["b"], **about).pvalue


def test_wrong_runs_of_systems():
    with pytest.raises(ExactPermError, match=r"; u is scores\['a'\] and v is scores\['b'\]$"):
        compare_all({**RUNS, "b": [[1]]}, design="within")
    with pytest.raises(ExactPermError, match="both random"):
        compare_all(RUNS, design="nested")
    with pytest.raises(
        ExactPermError, match="statistic is 'difference of F1': with a design, means of runs"
    ):
        compare_all(RUNS, design="within", statistic=f1_difference)
    for name in ("groups", "tasks"):
        with pytest.raises(ExactPermError, match=f"{name} and design exclude each other"):
            compare_all(RUNS, design="within", **{name: [1, 2]})
    with pytest.raises(BudgetExceeded, match="counting"):
        big = {name: [[i * k, i**2 + k, k] for i in range(99)] for k, name in enumerate("abc", 1)}
        compare_all(big, design="within", budget=Budget(seconds=1e-3))
    # there is no estimate to multiply
    with pytest.raises(BudgetExceeded, match="too many sums for an exact"):
        wide = {
            name: [[0, k * 10**80 + 3**i] for i in range(99)] for k, name in enumerate("abc", 1)
        }
        compare_all(wide, design="within")


def test_certified_brackets_of_runs():
    board = compare_all(RUNS, design="within", method="certified")
    for row in board:
        exact = permutation_test_runs(RUNS[row.first], RUNS[row.second], design="within").pvalue
        low, high = row.result.bracket.ends()
        assert low <= exact <= high
    assert board.heading == "3 certified permutation tests of several runs (within), two-sided"


def test_what_people_see_of_one_comparison():
    shown = str(compare_all({"a": [3, 1, 2], "b": [1, 1, 1]}).comparisons[0])
    assert shown.startswith("a against b: Exact paired-permutation test, two-sided\n  p-value ")
    assert shown.endswith("\n  adjusted p   0.5000")
