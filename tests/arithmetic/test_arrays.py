"""Columns of NumPy, pandas and torch, where they are installed: by duck typing, nothing is imported by the package."""

from fractions import Fraction

import pytest

from exactperm.arithmetic.reading import exact, exact_column, is_missing
from exactperm.errors import ExactPermError, WrongType
from exactperm.permutation import exact_perm_test, permutation_test, sign_flip_test
from exactperm.swaps.metrics import accuracy, f1_difference
from exactperm.swaps.statistic import difference
from peers import peer


def check_missing(label):
    assert is_missing(label)
    with pytest.raises(ExactPermError, match=r"groups\[1\] is .*: the label is missing"):
        permutation_test([1, 2], [3, 4], groups=[1, label])


class TestNumpy:
    @pytest.fixture
    def np(self):
        return peer("numpy")

    @pytest.mark.parametrize(
        "kind",
        [
            *("float16", "float32", "float64", "longdouble", ">f2", ">f4", ">f8", "<f4"),
            *("int8", "uint8", "int64", ">i8", "uint64", "bool"),
        ],
    )
    def test_a_number_is_the_shortest_decimal_which_numpy_prints(self, np, kind):
        column = np.array([0.1, 0, 100, *np.random.default_rng(0).normal(0, 30, size=200)])
        column = (abs(column) if kind[0] == "u" else column).astype(kind)
        meaning = [exact(str(x + 0)) for x in column]  # + 0 for booleans
        assert exact_column(column, "u") == exact_column(list(column), "u") == meaning
        assert [exact(x) for x in column] == meaning

    def test_buffers(self, np):
        assert exact_column(memoryview(np.array([0.1], dtype="f4")), "u") == [Fraction(1, 10)]
        with pytest.raises(WrongType, match="u is <memory"):
            exact_column(memoryview(np.array([0.1], dtype=">f4")), "u")

    def test_missing(self, np):
        masked = np.ma.array([1.0, 2.0], mask=[False, True])
        for value in (np.ma.masked, np.datetime64("NaT"), np.float32("nan"), np.complex64("nan")):
            check_missing(value)
        with pytest.raises(ExactPermError, match=r"u\[1\] is None: the value is missing"):
            permutation_test(masked, [1, 2])
        with pytest.raises(ExactPermError, match=r"u\[1\] is masked: the value is missing"):
            permutation_test(list(masked), [1, 2])

    def test_pairs(self, np):
        rows = [(Fraction(1, 10), Fraction(1, 4))]
        assert f1_difference.read(np.array([[0.1, 0.25]], dtype="f4"), "u", None) == rows
        with pytest.raises(WrongType, match=r"u\[0\] is .*: it must be a pair"):
            f1_difference.read(np.array([(1, 0.1)], dtype=[("tp", "i4"), ("in", "f4")]), "u", None)

    @pytest.mark.parametrize("h", [abs, lambda s: s > 0])
    def test_integers_and_booleans_have_an_order(self, np, h):
        data = [1, 2, 5], [3, 4, 2], lambda a, b: a - b
        assert exact_perm_test(*data, lambda s: h(np.int64(s))) == exact_perm_test(*data, h)

    def test_small_integers_do_not_wrap_around(self, np):
        u, v = np.array([100, 100, 100], dtype="int8"), np.array([-100, 0, 0], dtype="int8")
        assert permutation_test(u, v).pvalue == Fraction(1, 4)
        assert permutation_test(list(u), list(v)).pvalue == Fraction(1, 4)

    def test_correctness_of_predictions(self, np):
        gold = np.array(["N", "V", "N", "D"])
        u, v = np.array(["N", "V", "N", "N"]), np.array(["N", "N", "D", "D"])
        assert permutation_test(u == gold, v == gold).statistic == 1

    def test_differences_and_groups_may_be_arrays(self, np):
        d = np.array([0.1, 0.2, -0.3])
        assert sign_flip_test(d, groups=np.array([0, 0, 1])).pvalue == 1

    def test_bad_arrays(self, np):
        with pytest.raises(ExactPermError, match=r"u\[1\] is nan"):
            permutation_test(np.array([0.0, np.nan]), np.array([1.0, 2.0]))
        with pytest.raises(ExactPermError, match="2 dimensions"):
            permutation_test(np.ones((2, 2)), np.ones(4))
        with pytest.raises(WrongType, match=r"u\[0\] is"):
            permutation_test(np.array([1j]), np.array([0]))
        with pytest.raises(WrongType, match="u is"):
            permutation_test(np.float64(1), np.float64(2))


class TestPandas:
    @pytest.fixture
    def pd(self):
        return peer("pandas")

    @pytest.mark.slow
    def test_series_with_any_index(self, pd):
        u, v = [0.1, 0.2, 0.3], [0.3, 0.2, 0.1]
        series = [pd.Series(column, index=[7, 9, 8]) for column in (u, v)]
        assert permutation_test(*series) == permutation_test(u, v)

    @pytest.mark.slow
    def test_nullable_integers(self, pd):
        assert exact_column(pd.Series([1, 2], dtype="Int64"), "u") == [1, 2]
        assert exact_column(pd.Series([0.1], dtype="Float32"), "u") == [Fraction(1, 10)]
        with pytest.raises(WrongType, match=r"u\[1\] is"):
            exact_column(pd.Series([1, None], dtype="Int64"), "u")

    def test_categories_of_narrow_floats(self, pd):
        column = pd.Series([0.1, 0.2], dtype="float32").astype("category")
        assert exact_column(column, "u") == [Fraction(1, 10), Fraction(1, 5)]

    def test_missing(self, pd):
        for value in (pd.NA, pd.NaT):
            check_missing(value)
            with pytest.raises(ExactPermError, match=r"gold\[0\] is .*: the label is missing"):
                accuracy([value])
            with pytest.raises(ExactPermError, match=r"u\[0\] is .*: the value is missing"):
                permutation_test([value], [1])

    def test_tables_are_no_columns(self, pd):
        """Iteration would give the names of their columns, which may be pairs of numbers."""
        table = pd.DataFrame({(1, 2): [3], (3, 4): [5]})
        with pytest.raises(ExactPermError, match="u has 2 dimensions"):
            difference.read(table, "u", None)
        assert f1_difference.read(table, "u", None) == [(3, 5)]


class TestTorch:
    @pytest.fixture
    def torch(self):
        return peer("torch")

    @pytest.mark.parametrize("kind", ["float16", "bfloat16", "float32", "float64"])
    def test_floats(self, torch, kind):
        column = torch.tensor([0.1, 0.25], dtype=getattr(torch, kind))
        assert exact_column(column, "u") == [Fraction(1, 10), Fraction(1, 4)]
        assert [exact(x) for x in column] == [Fraction(1, 10), Fraction(1, 4)]

    def test_integers_and_booleans(self, torch):
        assert exact_column(torch.tensor([1, 2]), "u") == [1, 2]
        assert exact_column(torch.tensor([1, 2]) == 1, "u") == [1, 0]
