"""Ready statistics: exact values by their definitions, and entries that mean nothing are refused by name."""

import pickle
from array import array
from fractions import Fraction
from functools import partial
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import brute
from complaint import Several, complaint
from exactperm.errors import ExactPermError, WrongType
from exactperm.swaps import metrics
from exactperm.swaps.effects import swap_effects

PAIRS = (
    metrics.f1_difference,
    metrics.precision_difference,
    metrics.recall_difference,
    metrics.ratio_difference,
)
counts = st.integers(0, 5)
entry = st.tuples(counts, counts)
entries = st.lists(st.tuples(entry, entry), min_size=1, max_size=6)


def value(statistic, u, v, **options):
    sums = brute.observed(swap_effects(u, v, statistic, **options))
    return statistic.combine(*sums) if statistic.combine else sums[0]


def f1(items):
    tp, incorrect = (sum(column) for column in zip(*items))
    return Fraction(tp) / (tp + Fraction(incorrect, 2)) if tp or incorrect else Fraction(0)


def share(items):
    first, second = (sum(column) for column in zip(*items))
    return Fraction(first, first + second) if first or second else Fraction(0)


class TestValues:
    @pytest.mark.slow
    @given(entries)
    def test_f1_by_equation_15(self, rows):
        u, v = zip(*rows)
        assert value(metrics.f1_difference, u, v) == f1(u) - f1(v)

    @pytest.mark.slow
    @given(entries)
    def test_precision_and_recall_are_shares(self, rows):
        u, v = zip(*rows)
        for statistic in (metrics.precision_difference, metrics.recall_difference):
            assert value(statistic, u, v) == share(u) - share(v)

    def test_nothing_found_counts_as_zero(self):
        for statistic in PAIRS:
            assert value(statistic, [(0, 0)], [(0, 0)]) == 0

    def test_ratio_of_sums_not_mean_of_ratios(self):
        """3/10 and 0/2: the ratio of the sums is 1/4, the mean of the ratios 3/20."""
        assert value(metrics.ratio_difference, [(3, 10), (0, 2)], [(0, 1), (0, 1)]) == Fraction(
            1, 4
        )

    def test_a_positive_sum_over_zero_has_no_value(self):
        for u, v in ([(3, 0)], [(1, 1)]), ([(1, 1)], [(3, 0)]):
            told = complaint(ExactPermError, partial(value, metrics.ratio_difference, u, v))
            assert told == "some swaps give a system the ratio 3 / 0, which has no value"

    def test_mean(self):
        mean = metrics.mean_difference
        assert value(mean, ["0.5", 1, 0], [0.1, "1/3", 0]) == Fraction(16, 45)
        # halves go to even
        assert value(mean, ["0.55"], ["0.25"], decimals=1) == Fraction(2, 5)

    def test_accuracy(self):
        gold = metrics.accuracy(["N", "V", "N", "D"])
        assert value(gold, ["N", "V", "N", "D"], ["N", "N", "V", "D"]) == Fraction(1, 2)
        # Equal labels need not be one object.
        assert value(metrics.accuracy([1000, 7]), [int("1000"), 7.0], [int("1001"), 8]) == 1
        missing = complaint(ExactPermError, lambda: value(gold, ["N", "V", "N", None], ["N"] * 4))
        assert missing == "u[3] is None: the label is missing"

    @pytest.mark.parametrize(
        ("statistic", "column"),
        [
            (metrics.mean_difference, [1, 2]),
            (metrics.accuracy(["a", "b"]), ["a", "c"]),
            *[(statistic, [(1, 2), (3, 4)]) for statistic in PAIRS],
        ],
    )
    def test_picklable(self, statistic, column):
        again = pickle.loads(pickle.dumps(statistic))
        assert again == statistic
        assert again.read(column, "u", None) == statistic.read(column, "u", None)


class TestPromises:
    """The signs of ``monotone`` and the change of sign under exchange, on a grid of sums."""

    @pytest.mark.parametrize("statistic", PAIRS)
    def test_monotone_and_antisymmetric(self, statistic):
        low = 1 if statistic is metrics.ratio_difference else 0
        sums, sizes = range(4), range(low, 4)
        grid = list(product(sums, sizes, sums, sizes))
        for point in grid:
            t = statistic.combine(*point)
            assert statistic.combine(*point[2:], *point[:2]) == -t
            for i, sign in enumerate(statistic.monotone):
                larger = statistic.combine(*(x + (i == j) for j, x in enumerate(point)))
                assert sign * (larger - t) >= 0


class Matrix:
    """An array of two dimensions, as array libraries present it."""

    ndim = 2
    dtype = "int64"

    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        return iter(self.rows)


class Cube(Matrix):
    """One of three."""

    ndim = 3


class Table(Matrix):
    """A table of pandas iterates over the names of its columns, and has no dtype."""

    dtype = property()


UNORDERED = ({3, 1}, frozenset((3, 1)), {3: 1, 1: 3}, {3: 1, 1: 3}.keys())


class TestEntries:
    def test_texts_fractions_and_rows_of_arrays(self):
        read = metrics.f1_difference.read
        assert read([("3", Fraction(1, 2)), [1, True]], "u", None) == [(3, Fraction(1, 2)), (1, 1)]
        assert read(Matrix([array("i", [3, 1]), array("i", [0, 2])]), "u", None) == [(3, 1), (0, 2)]

    def test_what_is_no_pair_of_counts(self):
        pair = "it must be a pair (true positives, incorrect)"
        for column, error, text in (
            ([(1, 2), (1, 2, 3)], ExactPermError, f"u[1] is (1, 2, 3): {pair}"),
            ([(1,)], ExactPermError, f"u[0] is (1,): {pair}"),
            *[([x], WrongType, f"u[0] is {x!r}: {pair}") for x in (3, "12", b"12", *UNORDERED)],
            ([(1, 2), (0, -1)], ExactPermError, "u[1][1] is -1: incorrect must not be negative"),
            ([(1, None)], WrongType, "u[0][1] is None: the value is missing"),
            (Cube([]), ExactPermError, "u has 3 dimensions: it must have one entry per pair"),
            (Table([1]), ExactPermError, "u has 2 dimensions: it must have one entry per pair"),
        ):
            read = partial(metrics.f1_difference.read, column, "u", None)
            assert complaint(error, read) == text

    @pytest.mark.parametrize("statistic", [metrics.f1_difference, metrics.accuracy(["a"])])
    def test_decimals_are_for_scores(self, statistic):
        told = complaint(ExactPermError, lambda: statistic.read([(1, 2)], "u", 2))
        assert told == "decimals is 2: it applies to scores, not to labels or counts"

    def test_labels_are_paired_with_gold(self):
        two, none = metrics.accuracy(["a", "b"]), metrics.accuracy([])
        paired = "has 1 entries and gold has 2: they must be paired"
        for u, v, statistic, told in (
            (["a", "b"], ["a"], two, f"v {paired}"),
            (["a"], ["a", "b"], two, f"u {paired}"),
            ([], [], none, "u and gold are empty: a test needs"),
        ):
            call = partial(swap_effects, u, v, statistic)
            assert complaint(ExactPermError, call).startswith(told)
        assert complaint(WrongType, partial(metrics.accuracy, "ab")).startswith("gold is 'ab': ")

    def test_an_array_of_pairs_is_read_row_by_row(self):
        """tolist() would forget the type of its numbers."""

        class Rows(Matrix):
            def tolist(self):
                raise AssertionError

        for dimensions in (1, 2):
            rows = Rows([array("f", [0.1, 2])])
            rows.ndim = dimensions
            assert metrics.f1_difference.read(rows, "u", None) == [(Fraction(1, 10), 2)]

    def test_labels_are_compared_by_truth(self):
        """Of an array, for example, which has no single truth value."""
        two, u = metrics.accuracy(["a", "b"]), ["a", Several()]
        told = complaint(WrongType, lambda: value(two, u, ["a", "b"]))
        assert told == "u[1] is several: it cannot be compared"
