"""Exact numbers in and out."""

import math
import struct
from array import array
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import chain, count
from numbers import Rational
from types import SimpleNamespace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from complaint import Several, complaint
from exactperm.arithmetic.quoting import short_text
from exactperm.arithmetic.reading import (
    entries,
    exact,
    exact_column,
    flag,
    is_missing,
    is_rational,
    level,
    probability,
    scaled_column,
    scaled_columns,
    whole_number,
)
from exactperm.errors import ExactPermError, WrongType

TENTH = Fraction(1, 10)
NOT_FINITE = "scores must be finite"
MISSING = "the value is missing"
NO_NUMBER = "not a finite number such as '0.93', '3/7' or '1e-3'"
TOO_LONG = "a score has at most 4000 digits"
TOO_LARGE = "the decimal exponent is beyond 4000"
NO_SCORE = "scores are int, bool, Fraction, Decimal, float or text such as '0.93' or '3/7'"


class Scalar:
    """A 0-d scalar as array libraries make them: known by dtype and item() alone."""

    ndim = 0

    def __init__(self, value, dtype):
        self.value, self.dtype = value, dtype

    def item(self):
        return self.value

    def __bool__(self):
        return bool(self.value)

    def __repr__(self):
        return f"{self.dtype}({self.value})"


class Column(list):
    """A one-dimensional array: tolist() gives plain Python numbers, as NumPy, pandas and torch do."""

    def __init__(self, values, dtype, ndim=1):
        super().__init__(values)
        self.dtype, self.ndim = dtype, ndim

    def tolist(self):
        return list(self)


class Index:
    """An integer of an array library: known by __index__ alone."""

    def __init__(self, value, ndim):
        self.value, self.ndim = value, ndim

    def __index__(self):
        return self.value

    def __repr__(self):
        return f"Index({self.value})"


TYPES = {
    **dict.fromkeys(("float32", "torch.float32", "float[pyarrow]", "Sparse[float32, 0.0]"), "f"),
    **{"float16": "e", "halffloat[pyarrow]": "e", "float64": "d", "double[pyarrow]": "d"},
}


def narrowed(value, code):
    """The Python float of a value stored in a narrower type."""
    return struct.unpack(code, struct.pack(code, value))[0]


floats = st.floats(allow_nan=False, allow_infinity=False)
decimals = st.decimals(allow_nan=False, allow_infinity=False, places=4)
scores = st.one_of(
    st.integers(-(10**20), 10**20),
    st.booleans(),
    floats,
    decimals,
    st.fractions(max_denominator=99),
    st.sampled_from(
        ["0.50", " +.5 ", "-5.", "1e-3", "3/7", "-0", "1E2", "0", "1" * 700, "." + "3" * 700]
    ),
)


def column_of(*values, dtype="float64", ndim=1):
    return exact_column(Column(values, dtype, ndim), "u")


def refused_in_a_column(kind, values, reason):
    """The entry is named wherever it stands."""
    for value in values:
        told = f"is {short_text(value)}: {MISSING if is_missing(value) else reason}"
        assert complaint(kind, partial(exact_column, [1, 2, value], "v")) == f"v[2] {told}"
        assert complaint(kind, partial(exact, value)) == f"value {told}"


class TestReading:
    @given(scores)
    @example(True)
    @example(-0.0)
    @example(1e300)
    @example(Decimal("1E+2"))
    @example("3/7")
    @example("-5.")
    def test_meaning(self, value):
        """That of Python's own fractions; a float is the shortest decimal, not the binary value."""
        meaning = Fraction(repr(value) if isinstance(value, float) else value)
        assert (exact(value) == meaning) is True
        assert type(exact(value)) is (int if meaning.denominator == 1 else Fraction)

    def test_rarer_kinds(self):
        # not a Fraction itself: known by numerator and denominator, as gmpy2's rationals are
        class Ratio(Fraction):
            pass

        found = [exact(x) for x in (Ratio(4, 6), "-3 / 6", Ratio(4, 2), Index(41, ndim=0))]
        assert found == [Fraction(2, 3), Fraction(-1, 2), 2, 41]
        assert [type(x) for x in found] == [Fraction, Fraction, int, int]

    @pytest.mark.parametrize(
        ("values", "reason"),
        [
            ([math.nan, math.inf, -math.inf, Decimal("NaN"), Decimal("sNaN")], NOT_FINITE),
            (["nan", "inf", "", "abc", "1e", "1_000", "0x10", "1,5"], NO_NUMBER),
            (["--1", "1/2/3", "/", "1/-2", "٣"], NO_NUMBER),
            (["1" * 4001, Decimal("1" * 4001)], TOO_LONG),
            (["1e3000000", "1e-3000000", "1e" + "9" * 20, "1e4001", "0.1e-4000"], TOO_LARGE),
            ([Decimal("1E+5000"), Decimal("1E+4001"), Decimal("1E-4001")], TOO_LARGE),
            (["1/0", "0/0"], "the denominator is zero"),
        ],
    )
    def test_bad_value_names_argument_position_and_value(self, values, reason):
        refused_in_a_column(ExactPermError, values, reason)

    @pytest.mark.parametrize(
        "text", ["1" * 4000, "-." + "1" * 3998, "1e4000", "1e-4000"], ids=short_text
    )
    def test_the_longest_scores(self, text):
        for value in (text, Decimal(text)):
            assert (exact(value) == Fraction(text)) is True

    def test_foreign_types(self):
        class Array(Scalar, Index):
            """Arrays of one number have item() and __index__ as scalars have them."""

            ndim = 1

        class Endless(Scalar):
            """Its item() is itself."""

            def item(self):
                return self

        class Broken(Index):
            def __index__(self):
                raise RuntimeError

        foreign = [1j, object(), [1], b"1", (1, 2), Column([1], "int64")]
        named = SimpleNamespace(item=lambda: 1)  # of no array library
        made = [named, Array(1, "int64"), Endless(1, "float32"), Broken(1, 0)]
        refused_in_a_column(WrongType, foreign + made, NO_SCORE)
        assert issubclass(WrongType, TypeError)
        assert issubclass(WrongType, ExactPermError)

    @pytest.mark.parametrize("column", ["0.5", b"1", {1: 2}, {1, 2}, None, 5])
    def test_not_a_column(self, column):
        message = f"v is {short_text(column)}: it must be a sequence with one entry per pair"
        assert complaint(WrongType, lambda: exact_column(column, "v")) == message


class TestOptions:
    """Numbers that are no scores."""

    @pytest.mark.parametrize("read", [scaled_column, exact_column])
    def test_decimals_are_checked(self, read):
        for value in (True, 1.0, "2", -1, 4001):
            kind = ExactPermError if type(value) is int else WrongType
            message = complaint(kind, partial(read, [1, 2], "u", value))
            assert message.startswith(f"decimals is {value!r}: it must be ")

    def test_whole_numbers(self):
        assert [whole_number(n, "n") for n in (0, 10**30)] == [0, 10**30]
        assert [whole_number(n, "n", 2, 4) for n in (2, 3, 4)] == [2, 3, 4]
        assert type(whole_number(Index(3, ndim=0), "n")) is int
        for told, n, *limits in (("at least 0", -1), ("between 2 and 4", 1, 2, 4)):
            message = complaint(ExactPermError, partial(whole_number, n, "n", *limits))
            assert message == f"n is {n}: it must be {told}"
        for n in (True, 1.0, "1", None, Index(3, ndim=1)):
            message = complaint(WrongType, partial(whole_number, n, "n"))
            assert message == f"n is {n!r}: it must be an int"

    def test_flags(self):
        for value in (True, False):
            assert flag(value, "strict") is value
            assert flag(Scalar(value, "bool"), "strict") is value
        for value in (5, 0, None, "no", 1.0, Scalar(1, "int64"), Column([True], "bool")):
            told = f"strict is {value!r}: it must be True or False"
            assert complaint(WrongType, partial(flag, value, "strict")) == told

    def test_probabilities_and_levels(self):
        assert [probability(q, "q") for q in (0, "0.25", True)] == [0, Fraction(1, 4), 1]
        assert [level(q) for q in ("1e-9", 1)] == [Fraction(1, 10**9), 1]
        for read in (probability, level):
            for value in (-0.5, "3/2", 2, "x", None):
                kind = WrongType if value is None else ExactPermError
                assert complaint(kind, partial(read, value, "q")).startswith(f"q is {value!r}: ")
        told = complaint(ExactPermError, lambda: level("0.0"))
        assert told == "alpha is '0.0': it must be above 0"


class TestArrayLibraries:
    """Read by duck typing; the real libraries are used in test_arrays.py where they are installed."""

    @pytest.mark.parametrize(
        ("value", "dtype", "meaning"),
        [
            *[(narrowed(0.1, code), kind, TENTH) for kind, code in TYPES.items()],
            (0.10009765625, "torch.bfloat16", TENTH),
            (3.4028234663852886e38, "float32", Fraction("3.4028235e38")),
            # twice the least number: the steps are that wide
            (2.0**-23, "float16", Fraction(1, 10**7)),
            (2.0**-148, "float32", Fraction(3, 10**45)),
            (2.0**-133, "torch.bfloat16", Fraction(9, 10**41)),  # the least number
            (5.0 * 2**-133, "torch.bfloat16", Fraction(5, 10**40)),
            (3.3895313892515355e38, "torch.bfloat16", 339 * 10**36),  # the greatest one
            # the shortest decimal that float16 reads back as its greatest number
            (65504.0, "float16", 65500),
            (-100, "int8", -100),
            (True, "bool", 1),
            ("0.1", "float96", TENTH),  # a wider float speaks for itself
            (0.1, "float128", TENTH),
        ],
    )
    def test_scalar(self, value, dtype, meaning):
        assert exact(Scalar(value, dtype)) == meaning
        assert exact_column([Scalar(value, dtype)], "u") == [meaning]
        assert column_of(value, dtype=dtype) == [meaning]

    @pytest.mark.parametrize("kind", ["float96", "float128"])
    def test_wider_floats_of_arrays(self, kind):
        class LongDouble(Scalar):
            """What its own arrays hold: item() gives no Python number."""

            def item(self):
                return self

            def __str__(self):
                return self.value

        wide = LongDouble("0.1", kind)
        assert exact(wide) == TENTH
        assert column_of(0.3, wide, dtype=kind) == [3 * TENTH, TENTH]

    def test_entries_are_plain_python_objects(self):
        """As tolist() gives them: those of an iteration may be equal and still differ as labels, as in torch."""

        class Labels(Column):
            def __iter__(self):
                return iter([object() for _ in self.tolist()])

            def tolist(self):
                return ["a", "b"]

        assert entries(Labels([], "str"), "groups") == ["a", "b"]
        assert entries(iter("ab"), "groups") == ["a", "b"]

    def test_a_scalar_needs_no_dimensions(self):
        bare = SimpleNamespace(dtype="float32", item=lambda: narrowed(0.1, "f"))
        assert exact(bare) == TENTH

    def test_types_that_are_no_scores(self):
        for dtype in ("datetime64[ns]", "timedelta64[D]", "torch.float8_e4m3fn"):
            name = dtype.lower()
            told = f"values of the type {name} are no scores: convert them to float64 or text"
            assert complaint(WrongType, partial(column_of, 0.5, dtype=dtype)) == f"u: {told}"
        message = complaint(WrongType, partial(exact, Scalar(0.5, dtype)))
        assert message == f"value is {dtype}(0.5): {told}"
        message = complaint(ExactPermError, partial(column_of, [1], ndim=2))
        assert message == "u has 2 dimensions: it must have one entry per pair"

    @pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
    def test_what_a_narrow_type_cannot_hold(self, dtype):
        for bad, reason in ((math.nan, MISSING), (math.inf, NOT_FINITE), (None, MISSING)):
            kind = WrongType if bad is None else ExactPermError
            message = complaint(kind, partial(column_of, 1.0, bad, dtype=dtype))
            assert message == f"u[1] is {bad}: {reason}"
        large, third, tenth = column_of(1e300, 1 / 3, 0.1, dtype=dtype)
        assert (large, tenth) == (10**300, TENTH)
        assert abs(third - Fraction(1, 3)) * 2**8 < 1

    @pytest.mark.parametrize(
        ("dtype", "name", "code"), [(">f4", "float32", "f"), ("<f2", "float16", "e")]
    )
    def test_the_name_of_a_type_tells_its_width(self, dtype, name, code):
        """The text of NumPy's types of foreign byte order does not."""
        kind = type("Type", (), {"__str__": lambda self: dtype})()
        kind.name = name
        assert column_of(narrowed(0.1, code), dtype=kind) == [TENTH]

    def test_categories_have_the_type_of_their_values(self):
        """As in pandas: the type of the column says "category"."""

        class Category(Scalar):
            categories = Scalar(0, "float32")

        assert column_of(narrowed(0.1, "f"), dtype=Category(0, "x")) == [TENTH]

    @pytest.mark.parametrize(
        ("kind", "code"), [("float", "f"), ("halffloat", "e"), ("double", "d")]
    )
    def test_columns_that_call_their_type_type(self, kind, code):
        """As in pyarrow."""

        class Chunked:
            type = kind

            def __iter__(self):
                return iter([narrowed(0.1, code)])

        assert exact_column(Chunked(), "u") == [TENTH]

    def test_buffers(self):
        for values, meaning in (
            (array("f", [0.1, 0.25]), [TENTH, Fraction(1, 4)]),
            (array("d", [0.1]), [TENTH]),
            (array("i", [3]), [3]),
        ):
            assert exact_column(values, "u") == exact_column(memoryview(values), "u") == meaning
        assert len(exact_column(memoryview(struct.pack(">f", 0.1)).cast("B"), "u")) == 4

    def test_buffers_of_unusual_formats(self):
        class View(Column):
            """What memoryview does with a foreign byte order."""

            def tolist(self):
                raise NotImplementedError("memoryview: unsupported format >f")

        message = complaint(WrongType, lambda: exact_column(View([7], None), "u"))
        assert message == "u is [7]: memoryview: unsupported format >f"

    def test_a_masked_scalar_is_missing(self):
        """Its item() is the number below the mask, its tolist() None."""

        class MaskedConstant(Scalar):
            def tolist(self):
                return None

        refused_in_a_column(WrongType, [MaskedConstant(0.0, "float64")], MISSING)


class TestMissing:
    class NAType(Several):
        """pandas' NA: a comparison is NA again, which is neither true nor false."""

    class NaTType:
        """NaT differs from itself."""

        def __ne__(self, other):
            return True

    def test_what_is_missing(self):
        missing = [None, math.nan, complex("nan"), Decimal("NaN"), Decimal("sNaN")]
        missing += [self.NAType(), self.NaTType(), (1, math.nan), ("a", ("b", None))]
        others = [0, "", "nan", False, math.inf, Decimal(0), (), ("a", 1), [None]]
        others += [object(), Several()]
        assert [x for x in missing + others if is_missing(x)] == missing


class TestForeignNumbers:
    @pytest.mark.parametrize(
        ("numerator", "denominator", "kind", "reason"),
        [
            (1, 0, ExactPermError, "the denominator is zero"),
            (0.5, 1, WrongType, "a rational number needs an integer numerator and denominator"),
            (1, None, WrongType, "a rational number needs an integer numerator and denominator"),
        ],
    )
    def test_rationals_that_are_none(self, numerator, denominator, kind, reason):
        class Ratio:
            def __repr__(self):
                return "Ratio()"

        Ratio.numerator, Ratio.denominator = numerator, denominator
        Rational.register(Ratio)
        refused_in_a_column(kind, [Ratio()], reason)

    def test_rational(self):
        assert all(map(is_rational, (True, 3, Fraction(1, 2), Index(3, 0), Scalar(True, "bool"))))
        others = (0.5, Decimal(1), "3", None, Index(3, 1), Column([True], "bool"))
        assert not any(map(is_rational, others))


class TestEntries:
    def test_iterators_that_do_not_end(self, monkeypatch):
        monkeypatch.setattr("exactperm.arithmetic.reading.MOST_ENTRIES", 3)
        told = "u yields more than 3 entries: give a longer column as a list"
        assert complaint(ExactPermError, lambda: entries(count(), "u")) == told
        assert entries(iter([1, 2, 3]), "u") == [1, 2, 3]
        assert entries(range(4), "u") == entries([0, 1, 2, 3], "u") == [0, 1, 2, 3]

    def test_a_length_that_is_none(self):
        class Liar(list):
            length = 2

            def __len__(self):
                return self.length

        liar = Liar([1, 2, 3])
        told = "u yields more than 2 entries: give a longer column as a list"
        assert complaint(ExactPermError, lambda: entries(liar, "u")) == told
        liar.length = 2**31 - 2
        assert entries(liar, "u") == [1, 2, 3]

    def test_tables_are_no_columns(self):
        class Table(list):
            """Iterates over its columns, as polars' tables do."""

            columns = ("a", "b")

        message = complaint(ExactPermError, lambda: entries(Table([[1, 2], [3, 4]]), "u"))
        assert message == "u has 2 dimensions: it must have one entry per pair"


class TestScaledColumns:
    """The integers of a whole column against the exact number of each entry."""

    @staticmethod
    def check(column, decimals=None):
        numbers, scale = scaled_column(column, "u", decimals)
        meaning = [exact(x) for x in column]
        if decimals is not None:
            meaning = [exact(round(Fraction(x), decimals)) for x in meaning]
        found = exact_column(column, "u", decimals)
        assert (found == meaning) is True
        assert [*map(type, found)] == [*map(type, meaning)]
        assert [type(x) for x in numbers] == [int] * len(column)
        assert ([Fraction(x, scale) for x in numbers] == meaning) is True
        assert scale == math.lcm(*[x.denominator for x in meaning])

    @pytest.mark.slow
    @pytest.mark.parametrize("entry", [st.one_of(floats, st.integers(-9, 9)), decimals.map(str)])
    @given(st.data(), st.lists(scores, max_size=6), st.sampled_from([None, None, 0, 3]))
    def test_any_scores(self, entry, data, mixed, places):
        self.check(mixed, places)
        self.check(data.draw(st.lists(entry, min_size=1)), places)

    @pytest.mark.parametrize("decimals", [0, 1, 2, 3, 4000])
    def test_half_to_even(self, decimals):
        self.check(["0.125", "0.135", "-0.125", 0.15, 0.25, "2/3", "2.5", 7], decimals)

    @pytest.mark.parametrize(
        "column",
        [
            [1e-05, 1e22, 0.1],
            [5e-324, 1.7976931348623157e308],
            [0.0, -0.0],
            [0.5, 2**3000],
            ["0.500", "1.5"],
            ["." + "0" * 390 + "1", "2"],
            ["." + "0" * 420 + "1", "2"],
            ["1" * 4000, "0.1"],
            ["1/3", "0.5"],
            ["1e2", "0.5"],
            ["1.5\n", "2.25"],
            [0.25, 7, 0.25, 7, 7],  # each is read once
        ],
        ids=range(12),
    )
    def test_lengths_and_notations(self, column):
        self.check(column)

    @pytest.mark.parametrize(
        "bad",
        [
            *(math.inf, math.nan, None, "x", "", ".-5", ".+5", ".", "-", "+.", "1.2.3", "1\n2"),
            *("1_0", "٣", "0x1", "1.٣", "5-"),
        ],
    )
    def test_the_place_is_named(self, bad):
        """Filled up with zeros, some of these are texts of integers."""
        good = "0.5" if isinstance(bad, str) else 0.5
        kind = WrongType if bad is None else ExactPermError
        for column in ([good, bad], [bad, good, "1"], [bad, "x"], [bad, "1\n2"]):
            told = complaint(kind, partial(scaled_column, column, "u"))
            assert told.startswith(f"u[{column.index(bad)}] is {bad!r}: ")

    @pytest.mark.slow
    @given(st.data(), st.integers(0, 14), st.integers(0, 10**15))
    def test_floats_of_few_decimals(self, data, places, most):
        """Beside each other: decimals that arithmetic finds, and floats an ulp away from them, which have 17 digits."""
        whole = data.draw(st.lists(st.integers(-most, most), min_size=1, max_size=12))
        column = [m / 10**places for m in whole]
        self.check(column)
        i = data.draw(st.integers(0, len(column) - 1))
        column[i] = math.nextafter(column[i], math.inf)
        self.check(column)

    @pytest.mark.parametrize(
        "x", [0.1 + 0.2, 999999999999999.9, 99999999999999.95, 1e15, 123456789012345.6, 1e300]
    )
    def test_digits_at_the_limit_of_arithmetic(self, x):
        self.check([x, 0.5])
        self.check([0.25, 1.5, -x, 2, 0.125, 0.5, x])

    @pytest.mark.slow
    @given(
        st.sampled_from([scores, floats, decimals.map(str)]).flatmap(
            lambda entry: st.lists(st.lists(entry, max_size=5), min_size=1, max_size=3)
        ),
        st.sampled_from([None, None, 0, 3]),
    )
    def test_several_columns_share_the_denominator(self, columns, decimals):
        """As if they were one column."""
        lists, scale = scaled_columns(columns, "uvw"[: len(columns)], decimals)
        assert [*map(len, lists)] == [*map(len, columns)]
        one = scaled_column([*chain(*columns)], "u", decimals)
        assert ([*chain(*lists)], scale) == one

    def test_the_column_of_a_bad_score_is_named(self):
        for good in ([1], [0.5], ["0.5"], [Fraction(1, 3)]):
            columns = (good, [1, math.nan])
            told = complaint(ExactPermError, partial(scaled_columns, columns, ("u", "v")))
            assert told == "v[1] is nan: the value is missing"
