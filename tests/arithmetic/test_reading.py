"""Exact numbers in and out."""

import math
import struct
from array import array
from decimal import Decimal
from fractions import Fraction
from itertools import count
from numbers import Rational

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaint import complaint
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
from exactperm.arithmetic.writing import parse_exact
from exactperm.errors import ExactPermError, WrongType

HUGE = 7**30000  # 25,353 digits: beyond every interpreter's digits limit

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


def narrowed(value, code):
    """The Python float of a value stored in a narrower type."""
    return struct.unpack(code, struct.pack(code, value))[0]


class TestReading:
    @pytest.mark.parametrize(
        ("value", "meaning"),
        [
            (3, 3),
            (True, 1),
            (2**70, 2**70),
            (Fraction(6, 4), Fraction(3, 2)),
            (Fraction(4, 2), 2),
            (Decimal("0.930"), Fraction(93, 100)),
            (Decimal("1E+2"), 100),
            (Decimal("-0.5"), Fraction(-1, 2)),
            (0.1, Fraction(1, 10)),  # the shortest decimal, not the binary value
            (1e-3, Fraction(1, 1000)),
            (-0.0, 0),
            (1e300, 10**300),
            ("0.930", Fraction(93, 100)),
            ("3/7", Fraction(3, 7)),
            ("-3 / 6", Fraction(-1, 2)),
            ("1e-3", Fraction(1, 1000)),
            (" +.5 ", Fraction(1, 2)),
            ("-5.", -5),
            ("1E2", 100),
            ("-0.25", Fraction(-1, 4)),
        ],
    )
    def test_meaning(self, value, meaning):
        result = exact(value)
        assert result == meaning
        assert type(result) is type(meaning)

    @pytest.mark.parametrize(
        ("values", "reason"),
        [
            (
                (math.nan, math.inf, -math.inf, *map(Decimal, ("NaN", "sNaN", "Infinity"))),
                NOT_FINITE,
            ),
            (
                (
                    "nan",
                    "inf",
                    "",
                    "abc",
                    "1e",
                    "1_000",
                    "0x10",
                    "1,5",
                    "--1",
                    "1/2/3",
                    "/",
                    "1/-2",
                    "٣",
                ),
                NO_NUMBER,
            ),
            (("1" * 4001, Decimal("1" * 4001)), TOO_LONG),
            (
                ("1e3000000", "1e-3000000", "1e99999999999999999999", "1e4001", "0.1e-4000"),
                TOO_LARGE,
            ),
            ((Decimal("1E+5000"), Decimal("1E+4001"), Decimal("1E-4001")), TOO_LARGE),
            (("1/0", "0/0"), "the denominator is zero"),
        ],
    )
    def test_bad_value_names_argument_position_and_value(self, values, reason):
        for value in values:
            told = f"is {short_text(value)}: {MISSING if is_missing(value) else reason}"
            assert (
                complaint(ExactPermError, lambda value=value: exact_column([1, 2, value], "v"))
                == f"v[2] {told}"
            )
            assert complaint(ExactPermError, lambda value=value: exact(value)) == f"value {told}"

    @pytest.mark.parametrize(
        ("value", "meaning"),
        [
            ("1" * 4000, int("1" * 4000)),
            (Decimal("1" * 4000), int("1" * 4000)),
            ("-." + "1" * 3998, Fraction(-int("1" * 3998), 10**3998)),
            ("1e4000", 10**4000),
            ("1e-4000", Fraction(1, 10**4000)),
            (Decimal("1E+4000"), 10**4000),
            (Decimal("1E-4000"), Fraction(1, 10**4000)),
        ],
        ids=range(7),
    )
    def test_the_longest_scores(self, value, meaning):
        assert (exact(value) == meaning) is True

    @pytest.mark.parametrize("value", [1j, object(), [1], b"1", (1, 2)])
    def test_foreign_type_is_a_type_error_that_names_the_place(self, value):
        message = complaint(WrongType, lambda: exact_column([1, value], "u"))
        assert message == f"u[1] is {short_text(value)}: {NO_SCORE}"
        assert issubclass(WrongType, TypeError)
        assert issubclass(WrongType, ExactPermError)

    @pytest.mark.parametrize("column", ["0.5", b"1", {1: 2}, {1, 2}, None, 5])
    def test_not_a_column(self, column):
        message = f"v is {short_text(column)}: it must be a sequence with one entry per pair"
        assert complaint(WrongType, lambda: exact_column(column, "v")) == message

    def test_two_dimensions_are_refused(self):
        assert complaint(
            ExactPermError, lambda: exact_column(Column([[1]], "float64", ndim=2), "u")
        ) == ("u has 2 dimensions: it must have one entry per pair")

    def test_a_signalling_nan_cannot_be_hashed(self):
        with pytest.raises(ExactPermError, match=r"u\[1\] is Decimal\('sNaN'\)"):
            exact_column([Decimal(1), Decimal("sNaN")], "u")


class TestDecimals:
    @pytest.mark.parametrize(
        ("value", "decimals", "rounded"),
        [
            ("0.125", 2, "0.12"),
            ("0.135", 2, "0.14"),
            ("-0.125", 2, "-0.12"),
            (0.15, 1, "0.2"),
            ("2.5", 0, "2"),
            (7, 3, "7"),
        ],
    )
    def test_half_to_even(self, value, decimals, rounded):
        assert exact_column([value], "u", decimals) == [exact(rounded)]

    def test_scores_of_several_types(self):
        assert exact_column(["0.125", 0.25, 3, "1/3"], "u", 1) == [
            Fraction(1, 10),
            Fraction(1, 5),
            3,
            Fraction(3, 10),
        ]

    @pytest.mark.parametrize("decimals", [True, 1.0, "2"])
    def test_must_be_an_int(self, decimals):
        message = f"decimals is {decimals!r}: it must be an int"
        assert complaint(WrongType, lambda: exact_column([1], "u", decimals)) == message

    @pytest.mark.parametrize("decimals", [-1, 4001])
    def test_must_lie_in_range(self, decimals):
        message = f"decimals is {decimals}: it must be between 0 and 4000"
        assert complaint(ExactPermError, lambda: exact_column([1], "u", decimals)) == message

    def test_may_be_as_many_as_a_score_has(self):
        (rounded,) = exact_column(["2/3"], "u", 4000)
        assert (rounded == Fraction(2 * 10**4000 // 3 + 1, 10**4000)) is True


class TestOptions:
    """Numbers that are no scores."""

    def test_whole_numbers(self):
        assert whole_number(0, "n") == 0
        assert whole_number(10**30, "n") == 10**30
        assert [whole_number(n, "n", 2, 4) for n in (2, 3, 4)] == [2, 3, 4]
        assert (
            complaint(ExactPermError, lambda: whole_number(-1, "n"))
            == "n is -1: it must be at least 0"
        )
        for n in (1, 5):
            message = f"n is {n}: it must be between 2 and 4"
            assert complaint(ExactPermError, lambda n=n: whole_number(n, "n", 2, 4)) == message

    @pytest.mark.parametrize("value", [True, 1.0, "1", None])
    def test_no_whole_numbers(self, value):
        assert (
            complaint(WrongType, lambda: whole_number(value, "n"))
            == f"n is {value!r}: it must be an int"
        )

    def test_integers_of_array_libraries(self):
        assert type(whole_number(Index(3, ndim=0), "n")) is int
        assert (
            complaint(WrongType, lambda: whole_number(Index(3, ndim=1), "n"))
            == "n is Index(3): it must be an int"
        )

    @pytest.mark.parametrize("value", [True, False])
    def test_flags(self, value):
        assert flag(value, "strict") is value
        assert flag(Scalar(value, "bool"), "strict") is value

    @pytest.mark.parametrize(
        "value", [5, 0, None, "no", 1.0, Scalar(1, "int64"), Column([True], "bool")]
    )
    def test_no_flags(self, value):
        told = f"strict is {value!r}: it must be True or False"
        assert complaint(WrongType, lambda: flag(value, "strict")) == told

    def test_probabilities_and_levels(self):
        assert [probability(q, "q") for q in (0, "0.25", True)] == [0, Fraction(1, 4), 1]
        assert [level(q) for q in ("1e-9", 1)] == [Fraction(1, 10**9), 1]
        for value in (-0.5, "3/2", 2):
            told = f"is {value!r}: it must lie between 0 and 1"
            assert (
                complaint(ExactPermError, lambda value=value: probability(value, "q"))
                == f"q {told}"
            )
            assert complaint(ExactPermError, lambda value=value: level(value)) == f"alpha {told}"
        assert (
            complaint(ExactPermError, lambda: level("0.0", "beta"))
            == "beta is '0.0': it must be above 0"
        )
        assert complaint(WrongType, lambda: probability(None, "q")) == f"q is None: {MISSING}"
        assert complaint(ExactPermError, lambda: level("x", "beta")) == f"beta is 'x': {NO_NUMBER}"


class TestArrayLibraries:
    """Read by duck typing; the real libraries are used in test_arrays.py where they are installed."""

    @pytest.mark.parametrize(
        ("value", "dtype", "meaning"),
        [
            (narrowed(0.1, "f"), "float32", Fraction(1, 10)),
            (narrowed(0.1, "f"), "torch.float32", Fraction(1, 10)),
            (narrowed(0.1, "e"), "float16", Fraction(1, 10)),
            (0.10009765625, "torch.bfloat16", Fraction(1, 10)),
            (0.1, "float64", Fraction(1, 10)),
            (3.4028234663852886e38, "float32", Fraction("3.4028235e38")),
            (narrowed(0.1, "f"), "float[pyarrow]", Fraction(1, 10)),
            (narrowed(0.1, "e"), "halffloat[pyarrow]", Fraction(1, 10)),
            (0.1, "double[pyarrow]", Fraction(1, 10)),
            (narrowed(0.1, "f"), "Sparse[float32, 0.0]", Fraction(1, 10)),
            # twice the least number: the steps are that wide
            (2.0**-23, "float16", Fraction(1, 10**7)),
            (2.0**-148, "float32", Fraction(3, 10**45)),
            (2.0**-133, "torch.bfloat16", Fraction(9, 10**41)),  # the least number
            (3.0 * 2**-133, "torch.bfloat16", Fraction(3, 10**40)),
            (3.3895313892515355e38, "torch.bfloat16", 339 * 10**36),  # the greatest one
            # the shortest decimal that float16 reads back as its greatest number
            (65504.0, "float16", 65500),
            (-100, "int8", -100),
            (True, "bool", 1),
        ],
    )
    def test_scalar(self, value, dtype, meaning):
        assert exact(Scalar(value, dtype)) == meaning
        assert exact_column([Scalar(value, dtype)], "u") == [meaning]
        assert exact_column(Column([value], dtype), "u") == [meaning]

    @pytest.mark.parametrize("kind", ["float96", "float128"])
    def test_wider_float_speaks_for_itself(self, kind):
        class LongDouble(Scalar):
            """What its own arrays hold: item() gives no Python number."""

            def item(self):
                return self

            def __str__(self):
                return self.value

        for wide in (LongDouble("0.1", kind), Scalar("0.1", kind), Scalar(0.1, kind)):
            assert exact(wide) == Fraction(1, 10)
        assert exact_column(Column([0.1, LongDouble("0.3", kind)], kind), "u") == [
            Fraction(1, 10),
            Fraction(3, 10),
        ]

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
        class Bare:
            dtype = "float32"

            def item(self):
                return narrowed(0.1, "f")

        assert exact(Bare()) == Fraction(1, 10)

    @pytest.mark.parametrize("dtype", ["datetime64[ns]", "timedelta64[D]"])
    def test_times_are_no_scores(self, dtype):
        assert complaint(WrongType, lambda: exact_column(Column([5], dtype), "u")) == (
            f"u: values of the type {dtype.lower()} are no scores: convert them to float64 or text"
        )

    def test_what_is_no_scalar_is_no_entry(self):
        class Named:
            """It has an item(), but is of no array library."""

            def item(self):
                return 1

            def __repr__(self):
                return "Named()"

        class Array(Scalar, Index):
            """Arrays of one number have item() and __index__ as scalars have them."""

            ndim = 1

        for entry, text in (
            (Named(), "Named()"),
            (Array(1, "int64"), "int64(1)"),
            (Column([1], "int64"), "[1]"),
        ):
            message = complaint(WrongType, lambda entry=entry: exact_column([0, entry], "u"))
            assert message == f"u[1] is {text}: {NO_SCORE}"

    def test_a_float_type_that_is_not_known_is_refused(self):
        told = (
            "values of the type torch.float8_e4m3fn are no scores: convert them to float64 or text"
        )
        assert (
            complaint(WrongType, lambda: exact_column(Column([0.5], "torch.float8_e4m3fn"), "u"))
            == f"u: {told}"
        )
        assert complaint(WrongType, lambda: exact(Scalar(0.5, "torch.float8_e4m3fn"))) == (
            f"value is torch.float8_e4m3fn(0.5): {told}"
        )

    def test_rationals_of_other_libraries(self):
        class Rational(Fraction):
            """Not a Fraction itself: known by numerator and denominator, as gmpy2's rationals are."""

        assert exact(Rational(4, 6)) == Fraction(2, 3)
        assert type(exact(Rational(4, 2))) is int

    def test_index_types(self):
        class Bare:
            def __index__(self):
                return 41

        assert exact(Bare()) == 41
        assert exact(Index(41, ndim=0)) == 41

    @pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
    def test_not_finite(self, dtype):
        for bad in (math.nan, math.inf):
            message = complaint(
                ExactPermError, lambda bad=bad: exact_column(Column([1.0, bad], dtype), "u")
            )
            assert message == f"u[1] is {bad}: {NOT_FINITE if bad == math.inf else MISSING}"

    @pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
    def test_missing_value_in_an_array(self, dtype):
        message = complaint(WrongType, lambda: exact_column(Column([1.0, None], dtype), "u"))
        assert message == f"u[1] is None: {MISSING}"

    @pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
    def test_a_number_that_its_type_cannot_hold_is_read_all_the_same(self, dtype):
        large, third, tenth = exact_column(Column([1e300, 1 / 3, 0.1], dtype), "u")
        assert (large, tenth) == (10**300, Fraction(1, 10))
        assert abs(third - Fraction(1, 3)) * 2**8 < 1

    @pytest.mark.parametrize(("dtype", "name"), [(">f4", "float32"), ("<f2", "float16")])
    def test_the_name_of_a_type_tells_its_width(self, dtype, name):
        """The text of NumPy's types of foreign byte order does not."""

        class Type:
            def __str__(self):
                return dtype

        kind = Type()
        kind.name = name
        code = {"float32": "f", "float16": "e"}[name]
        assert exact_column(Column([narrowed(0.1, code)], kind), "u") == [Fraction(1, 10)]

    def test_categories_have_the_type_of_their_values(self):
        """As in pandas: the type of the column says "category"."""

        class Category(Scalar):
            categories = Scalar(0, "float32")

        assert exact_column(Column([narrowed(0.1, "f")], Category(0, "x")), "u") == [
            Fraction(1, 10)
        ]

    @pytest.mark.parametrize(
        ("kind", "code"), [("float", "f"), ("halffloat", "e"), ("double", "d")]
    )
    def test_columns_that_call_their_type_type(self, kind, code):
        """As in pyarrow."""

        class Arrow(Column):
            def __init__(self, values):
                list.__init__(self, values)
                self.type = kind

        class Chunked:
            type = kind

            def __iter__(self):
                return iter([narrowed(0.1, code)])

        assert exact_column(Chunked(), "u") == [Fraction(1, 10)]

    def test_buffers_of_narrow_floats(self):
        narrow = array("f", [0.1, 0.25])
        assert (
            exact_column(narrow, "u")
            == exact_column(memoryview(narrow), "u")
            == [Fraction(1, 10), Fraction(1, 4)]
        )
        assert exact_column(array("d", [0.1]), "u") == exact_column(
            memoryview(array("d", [0.1])), "u"
        )
        assert exact_column(array("i", [3]), "u") == [3]

    def test_buffers_of_unusual_formats(self):
        odd = memoryview(struct.pack(">f", 0.1)).cast("B")

        class View:
            """What memoryview does with a foreign byte order."""

            def __iter__(self):
                raise AssertionError

            def tolist(self):
                raise NotImplementedError("memoryview: unsupported format >f")

            def __repr__(self):
                return "View()"

        assert len(exact_column(odd, "u")) == 4
        assert complaint(WrongType, lambda: exact_column(View(), "u")) == (
            "u is View(): memoryview: unsupported format >f"
        )

    def test_a_scalar_whose_item_is_itself(self):
        class Endless(Scalar):
            def item(self):
                return self

        told = f"value is float32(1): {NO_SCORE}"
        assert complaint(WrongType, lambda: exact(Endless(1, "float32"))) == told

    def test_a_masked_scalar_is_missing(self):
        """Its item() is the number below the mask, its tolist() None."""

        class MaskedConstant(Scalar):
            def tolist(self):
                return None

        masked = MaskedConstant(0.0, "float64")
        assert is_missing(masked)
        assert complaint(WrongType, lambda: exact(masked)) == f"value is float64(0.0): {MISSING}"


class TestMissing:
    class NAType:
        """pandas' NA: a comparison is NA again, which is neither true nor false."""

        def __ne__(self, other):
            return self

        def __bool__(self):
            raise TypeError("boolean value of NA is ambiguous")

    class NaTType:
        """NaT differs from itself."""

        def __ne__(self, other):
            return True

    class Ambiguous(NAType):
        """An array: its comparison has no truth value, but it is not missing."""

    @pytest.mark.parametrize(
        "value",
        [
            None,
            math.nan,
            complex("nan"),
            Decimal("NaN"),
            Decimal("sNaN"),
            NAType(),
            NaTType(),
            (1, math.nan),
            ("a", ("b", None)),
        ],
    )
    def test_missing(self, value):
        assert is_missing(value) is True

    @pytest.mark.parametrize(
        "value",
        [0, "", "nan", False, math.inf, Decimal(0), (), ("a", 1), [None], object(), Ambiguous()],
    )
    def test_not_missing(self, value):
        assert is_missing(value) is False


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
        assert complaint(kind, lambda: exact(Ratio())) == f"value is Ratio(): {reason}"

    def test_an_index_that_fails(self):
        class Broken(Index):
            def __index__(self):
                raise RuntimeError

        assert complaint(WrongType, lambda: exact(Broken(1, 0))) == f"value is Index(1): {NO_SCORE}"

    @pytest.mark.parametrize("value", [True, 3, Fraction(1, 2), Index(3, 0), Scalar(True, "bool")])
    def test_rational(self, value):
        assert is_rational(value)

    @pytest.mark.parametrize(
        "value", [0.5, Decimal(1), "3", None, Index(3, 1), Column([True], "bool")]
    )
    def test_not_rational(self, value):
        assert not is_rational(value)


class TestEntries:
    def test_iterators_that_do_not_end(self, monkeypatch):
        monkeypatch.setattr("exactperm.arithmetic.reading.MOST_ENTRIES", 3)
        told = "u yields more than 3 entries: give a longer column as a list"
        assert complaint(ExactPermError, lambda: entries(count(), "u")) == told
        assert entries(iter([1, 2, 3]), "u") == [1, 2, 3]
        assert entries([1, 2, 3, 4], "u") == [1, 2, 3, 4]
        assert entries(range(4), "u") == [0, 1, 2, 3]

    @pytest.mark.parametrize("length", [2, 2**31 - 2])
    def test_a_length_that_is_none(self, length):
        class Liar:
            def __len__(self):
                return length

            def __iter__(self):
                return iter([1, 2, 3])

        if length == 2:
            told = "u yields more than 2 entries: give a longer column as a list"
            assert complaint(ExactPermError, lambda: entries(Liar(), "u")) == told
        else:
            assert entries(Liar(), "u") == [1, 2, 3]

    def test_tables_are_no_columns(self):
        class Table(list):
            """Iterates over its columns, as polars' tables do."""

            columns = ("a", "b")

        assert complaint(ExactPermError, lambda: entries(Table([[1, 2], [3, 4]]), "u")) == (
            "u has 2 dimensions: it must have one entry per pair"
        )


decimals_of_any_kind = st.one_of(
    st.integers(-(10**20), 10**20),
    st.booleans(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.decimals(allow_nan=False, allow_infinity=False, places=4),
    st.fractions(max_denominator=99),
    st.sampled_from(
        ["0.50", " +.5 ", "-5.", "1e-3", "3/7", "-0", "1E2", "0", "1" * 700, "." + "3" * 700]
    ),
)


class TestScaledColumns:
    """The integers of a whole column against the exact number of each entry."""

    @staticmethod
    def check(column, decimals=None):
        numbers, scale = scaled_column(column, "u", decimals)
        meaning = [
            round(Fraction(x), decimals) if decimals is not None else x for x in map(exact, column)
        ]
        assert [type(x) for x in numbers] == [int] * len(column)
        assert ([Fraction(x, scale) for x in numbers] == meaning) is True
        assert scale == math.lcm(*[x.denominator for x in meaning])

    @pytest.mark.slow
    @given(st.lists(decimals_of_any_kind, max_size=6), st.sampled_from([None, None, 0, 3]))
    def test_any_scores(self, column, decimals):
        self.check(column, decimals)

    @given(
        st.lists(
            st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.integers(-9, 9)),
            min_size=1,
        )
    )
    def test_floats_and_integers(self, column):
        self.check(column)

    @pytest.mark.slow
    @given(
        st.lists(st.decimals(allow_nan=False, allow_infinity=False, places=5).map(str), min_size=1)
    )
    def test_texts(self, column):
        self.check(column)

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
        ],
        ids=range(10),
    )
    def test_lengths_and_notations(self, column):
        self.check(column)

    @pytest.mark.parametrize("bad", [math.inf, math.nan, "1_0", "٣", "x", "", None])
    def test_the_place_is_named(self, bad):
        good = "0.5" if isinstance(bad, str) else 0.5
        kind = WrongType if bad is None else ExactPermError
        assert complaint(kind, lambda: scaled_column([good, bad], "u")).startswith(
            f"u[1] is {bad!r}: "
        )

    @pytest.mark.slow
    @given(st.data(), st.integers(0, 14), st.integers(0, 10**15))
    def test_floats_of_few_decimals(self, data, places, most):
        """Beside each other: decimals that arithmetic finds, and floats an ulp away from them, which have 17 digits."""
        whole = data.draw(st.lists(st.integers(-most, most), min_size=1, max_size=12))
        column = [m / 10**places for m in whole]
        self.check(column)
        i = data.draw(st.integers(0, len(column) - 1))
        column[i] = (
            math.nextafter(column[i], math.inf)
            if hasattr(math, "nextafter")
            else column[i] * (1 + 2**-52)
        )
        self.check(column)

    @pytest.mark.parametrize(
        "x", [0.1 + 0.2, 999999999999999.9, 99999999999999.95, 1e15, 123456789012345.6, 1e300]
    )
    def test_digits_at_the_limit_of_arithmetic(self, x):
        self.check([x, 0.5])
        self.check([0.25, 1.5, -x, 2, 0.125, 0.5, x])

    @pytest.mark.parametrize(
        "bad", [".-5", ".+5", ".", "-", "+.", "1.2.3", "1\n2", "1.5\n", "1_0", "0x1", "1.٣", "5-"]
    )
    def test_what_only_resembles_a_decimal(self, bad):
        """Filled up with zeros, some of these are texts of integers."""
        if bad.strip() == "1.5":
            return self.check([bad, "2.25"])
        for column in ([bad, "0.25", "1"], [bad, "x"], [bad, "1\n2"]):
            told = complaint(ExactPermError, lambda column=column: scaled_column(column, "u"))
            assert told.startswith(f"u[0] is {bad!r}: ")
        return None

    @pytest.mark.slow
    @given(
        st.lists(st.lists(decimals_of_any_kind, max_size=5), min_size=1, max_size=3),
        st.sampled_from([None, None, 0, 3]),
    )
    def test_several_columns_share_the_denominator(self, columns, decimals):
        names = [f"u{i}" for i in range(len(columns))]
        lists, scale = scaled_columns(columns, names, decimals)
        for column, numbers, name in zip(columns, lists, names):
            alone, own = scaled_column(column, name, decimals)
            assert [x * (scale // own) for x in alone] == numbers
        assert scale == math.lcm(*[scaled_column(column, "u", decimals)[1] for column in columns])

    def test_the_column_of_a_bad_score_is_named(self):
        for good in ([1], [0.5], ["0.5"], [Fraction(1, 3)]):
            told = complaint(
                ExactPermError, lambda good=good: scaled_columns((good, [1, math.nan]), ("u", "v"))
            )
            assert told == "v[1] is nan: the value is missing"

    def test_decimals_are_checked_for_integers_too(self):
        for read in (scaled_column, exact_column):
            told = "decimals is -1: it must be between 0 and 4000"
            assert complaint(ExactPermError, lambda read=read: read([1, 2], "u", -1)) == told


class TestParsing:
    @pytest.mark.parametrize(
        "text", ["+1", " 1", "1_0", "0b1", "0X1", "1/-2", "1/0x0", "0x1F", "1" * 4001, "٣"]
    )
    def test_only_what_is_written(self, text):
        told = f"{short_text(text)} is not the text of an exact number"
        assert complaint(ExactPermError, lambda: parse_exact(text)) == told

    @pytest.mark.parametrize("value", [1, None, b"1", 0.5])
    def test_only_text(self, value):
        told = f"{value!r} is not the text of an exact number"
        assert complaint(WrongType, lambda: parse_exact(value)) == told

    @given(st.integers(-(10**3999), 10**3999))
    def test_long_decimals(self, n):
        assert (parse_exact(str(n)) == n) is True
