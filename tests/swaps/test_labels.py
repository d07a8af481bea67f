"""Columns with labels of their own are paired by them, in every public function that takes several columns."""

import inspect
from functools import partial

import pytest

import exactperm
from complaint import refused
from exactperm.errors import ExactPermError, WrongType
from exactperm.swaps.columns import check_alignment
from peers import peer


class Labelled(list):
    """A column with labels, as a pandas Series has them."""

    def __init__(self, values, labels):
        super().__init__(values)
        self.index = Index(labels)


class Index(list):
    """Labels that compare as a whole."""

    def equals(self, other):
        return list(self) == list(other)


FIRST = Labelled([3, 1, 2, 5], "abcd")
MOVED = Labelled([3, 1, 2, 5], "bacd")
OTHER = Labelled([3, 1, 2, 5], "abce")
SHORT = Labelled([3, 1, 2], "abc")
PLAIN = [1, 0, 3, 2]


def total(u, v):
    return sum(u) - sum(v)


def runs(column):
    """The same column with one run on each item."""
    rows = [[x] for x in column]
    return Labelled(rows, column.index) if isinstance(column, Labelled) else rows


CALLS = {
    "bootstrap_interval": None,
    "compare_all": lambda u, v: exactperm.compare_all({"u": u, "v": v}),
    "exact_perm_test": lambda u, v: exactperm.exact_perm_test(u, v, lambda a, b: a - b, abs),
    "exact_perm_test_m": lambda u, v: exactperm.exact_perm_test_m(u, v, [lambda a, b: a - b], abs),
    "is_significant": lambda u, v: exactperm.is_significant(u, v, "0.05"),
    "monte_carlo": lambda u, v: exactperm.monte_carlo(u, v, lambda a, b: a - b, abs, 9, rng=1),
    "monte_carlo_test": lambda u, v: exactperm.monte_carlo_test(u, v, total, 9, rng=1),
    "sequential_monte_carlo": lambda u, v: exactperm.sequential_monte_carlo(
        u, v, total, max_samples=9, rng=1
    ),
    "fast_permutation_test_runs": lambda u, v: exactperm.fast_permutation_test_runs(
        runs(u), runs(v), design="items"
    ),
    "permutation_test_runs": lambda u, v: exactperm.permutation_test_runs(
        runs(u), runs(v), design="items"
    ),
    "paired_bootstrap": lambda u, v: exactperm.paired_bootstrap(u, v, 9, rng=1),
    "simultaneous_intervals": lambda u, v: exactperm.simultaneous_intervals({"u": u, "v": v}),
}


def of_two_columns(name):
    """A call of a public function with two columns; None where it takes no two."""
    function = getattr(exactperm, name, None)
    if name in CALLS or not inspect.isroutine(function):
        return CALLS.get(name)
    return function if {"u", "v"} <= {*inspect.signature(function).parameters} else None


FUNCTIONS = {name: call for name in exactperm.__all__ if (call := of_two_columns(name))}
of_each = pytest.mark.parametrize("call", FUNCTIONS.values(), ids=FUNCTIONS)


@of_each
def test_every_function_of_two_columns_refuses_labels_that_differ(call):
    for other, words in (
        (MOVED, "the same labels in another order"),
        (OTHER, "other labels"),
        (SHORT, "3"),
    ):
        with pytest.raises(ExactPermError) as caught:
            call(FIRST, other)
        assert (caught.value.code, words in str(caught.value)) == ("labels-differ", True)
        assert "reindex" in caught.value.cure.words
    call(FIRST, Labelled(PLAIN, "abcd"))
    call(FIRST, PLAIN)


@of_each
def test_every_function_of_two_columns_refuses_what_is_no_test(call):
    for u, v, words in (([], [], "empty"), ([1, 2], [1], "has 1")):
        with pytest.raises(ExactPermError, match=words):
            call(u, v)
    if call not in CALLS.values():
        refused(ExactPermError, {"u[1] is 'x'": partial(call, [1, "x"], [1, 2])})
    if "alternative" in inspect.signature(call).parameters:
        refused(ExactPermError, {"alternative is 'x'": partial(call, [1], [2], alternative="x")})
    if "budget" in inspect.signature(call).parameters:
        refused(WrongType, {"budget is 'x'": partial(call, [1, 2], [2, 4], budget="x")})


@of_each
def test_every_function_of_two_columns_rounds_where_asked(call):
    """To one decimal the second pair is a tie, and in both columns there is a score that says so."""
    u, v = ["0.3", "0.18", "0.7", "0.6"], ["0.1", "0.24", "0.22", "0.2"]
    if "decimals" in inspect.signature(call).parameters:
        rounded = call(["0.3", "0.2", "0.7", "0.6"], ["0.1", "0.2", "0.2", "0.2"])
        assert call(u, v, decimals=1) == rounded != call(u, v)


def test_columns_without_labels_are_paired_by_position():
    check_alignment(([1], (2,), None))
    check_alignment((iter([1]), ["text"], b"x"))


@pytest.mark.slow
def test_pandas():
    pandas = peer("pandas")
    base, new = [pandas.Series(x, index=list("abcd")) for x in ([3, 1, 2, 5], [1, 1, 4, 4])]
    moved = new[list("badc")]
    call = exactperm.wilcoxon_signed_rank_test
    with pytest.raises(ExactPermError, match="u and v have the same labels in another order"):
        call(base, moved)
    assert call(base, moved.reindex(base.index)).pvalue == call(base, new).pvalue
    table = pandas.DataFrame({"base": base, "new": new, "third": new})
    columns = {name: list(table[name]) for name in table}
    for call in (exactperm.compare_all, exactperm.simultaneous_intervals):
        assert call(table) == call(columns)


def test_a_table_of_polars():
    """Without labels: by position."""

    class Series(list):
        def __init__(self, name, values):
            super().__init__(values)
            self.name = name

    class Table:
        def get_columns(self):
            return [Series("a", [3, 1, 2]), Series("b", [1, 1, 0])]

    assert exactperm.compare_all(Table()) == exactperm.compare_all({"a": [3, 1, 2], "b": [1, 1, 0]})


GROUPS = Labelled(["x", "x", "y", "z"], "bacd")
LABELLED_BESIDE = {
    "accuracy": lambda: exactperm.permutation_test(
        Labelled("pqrp", "abcd"), Labelled("ppps", "abcd"), statistic=exactperm.accuracy(GROUPS)
    ),
    "compare accuracy": lambda: exactperm.compare_all(
        {"a": Labelled("pqrp", "abcd"), "b": PLAIN}, statistic=exactperm.accuracy(GROUPS)
    ),
    "sign flips": lambda: exactperm.sign_flip_test(FIRST, groups=GROUPS),
    "fast sign flips": lambda: exactperm.fast_sign_flip_test(FIRST, groups=GROUPS),
    "interval of differences": lambda: exactperm.confidence_interval(FIRST, groups=GROUPS),
    "strata": lambda: exactperm.two_sample_test(FIRST, PLAIN, strata=(GROUPS, PLAIN)),
    "interval": lambda: exactperm.confidence_interval(FIRST, PLAIN, groups=GROUPS),
    "groups": lambda: exactperm.permutation_test(FIRST, PLAIN, groups=GROUPS),
    "weights": lambda: exactperm.permutation_test(FIRST, PLAIN, weights=Labelled([1] * 4, "bacd")),
    "tasks": lambda: exactperm.fast_permutation_test(FIRST, PLAIN, tasks=GROUPS),
}


@pytest.mark.parametrize("call", LABELLED_BESIDE.values(), ids=LABELLED_BESIDE)
def test_labels_of_what_describes_the_pairs_are_compared(call):
    with pytest.raises(ExactPermError) as caught:
        call()
    assert caught.value.code == "labels-differ"


def test_labels_in_one_order_are_taken():
    gold = Labelled("pqrs", "abcd")
    plain = exactperm.permutation_test([*"pqrp"], [*"ppps"], statistic=exactperm.accuracy([*gold]))
    labelled = [Labelled("pqrp", "abcd"), Labelled("ppps", "abcd")]
    assert exactperm.permutation_test(*labelled, statistic=exactperm.accuracy(gold)) == plain


def test_counts_of_a_data_frame():
    pandas = peer("pandas")
    first = pandas.DataFrame({"tp": [3, 2, 5], "incorrect": [1, 2, 0]})
    second = pandas.DataFrame({"tp": [2, 1, 4], "incorrect": [3, 4, 1]})
    rows = [list(frame.itertuples(index=False, name=None)) for frame in (first, second)]
    test = partial(exactperm.permutation_test, statistic=exactperm.f1_difference)
    named = second.rename(columns={"tp": "right", "incorrect": "wrong"})
    assert test(*rows) == test(first, second) == test(first, named)
    for other in (second[::-1], second[["incorrect", "tp"]]):
        with pytest.raises(ExactPermError) as caught:
            test(first, other)
        assert caught.value.code == "labels-differ"
