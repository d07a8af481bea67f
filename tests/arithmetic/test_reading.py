"""Exact numbers in and out."""

import json
import math
import pickle
import random
import struct
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.arithmetic.compat import bit_count, dyadic
from exactperm.arithmetic.quoting import short_integer, short_text
from exactperm.arithmetic.rational import log10
from exactperm.arithmetic.reading import (
    entries,
    exact,
    exact_column,
    flag,
    level,
    parse_exact,
    probability,
    whole_number,
)
from exactperm.arithmetic.writing import decimal_string, exact_text, integer_text
from exactperm.errors import BudgetExceeded, ExactPermError, WrongType

HUGE = 7**30000  # 25,353 digits: beyond every interpreter's digits limit

NOT_FINITE = "scores must be finite"
NO_NUMBER = "not a finite number such as '0.93', '3/7' or '1e-3'"
TOO_LONG = "a score has at most 4000 digits"
TOO_LARGE = "the decimal exponent is beyond 4000"
NO_SCORE = "scores are int, bool, Fraction, Decimal, float or text such as '0.93' or '3/7'"


def complaint(kind, call):
    """The whole text of the error that a call raises."""
    with pytest.raises(kind) as caught:
        call()
    assert type(caught.value) is kind
    return str(caught.value)


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
            ((math.nan, math.inf, -math.inf, *map(Decimal, ("NaN", "sNaN", "Infinity"))), NOT_FINITE),
            (("nan", "inf", "", "abc", "1e", "1_000", "0x10", "1,5", "--1", "1/2/3", "/", "1/-2", "٣"), NO_NUMBER),
            (("1" * 4001, Decimal("1" * 4001)), TOO_LONG),
            (("1e3000000", "1e-3000000", "1e99999999999999999999", "1e4001", "0.1e-4000"), TOO_LARGE),
            ((Decimal("1E+5000"), Decimal("1E+4001"), Decimal("1E-4001")), TOO_LARGE),
            (("1/0", "0/0"), "the denominator is zero"),
        ],
    )
    def test_bad_value_names_argument_position_and_value(self, values, reason):
        for value in values:
            told = f"is {short_text(value)}: {reason}"
            assert complaint(ExactPermError, lambda value=value: exact_column([1, 2, value], "v")) == f"v[2] {told}"
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

    @pytest.mark.parametrize("value", [None, 1j, object(), [1], b"1", (1, 2)])
    def test_foreign_type_is_a_type_error_that_names_the_place(self, value):
        message = complaint(WrongType, lambda: exact_column([1, value], "u"))
        assert message == f"u[1] is {short_text(value)}: {NO_SCORE}"
        assert issubclass(WrongType, TypeError)
        assert issubclass(WrongType, ExactPermError)

    @pytest.mark.parametrize("column", ["0.5", b"1", {1: 2}, {1, 2}, None, 5])
    def test_not_a_column(self, column):
        message = f"v is {short_text(column)}: it must be a sequence with one entry a pair"
        assert complaint(WrongType, lambda: exact_column(column, "v")) == message

    def test_two_dimensions_are_refused(self):
        assert complaint(ExactPermError, lambda: exact_column(Column([[1]], "float64", ndim=2), "u")) == (
            "u has 2 dimensions: it must have one entry a pair"
        )

    def test_a_signalling_nan_cannot_be_hashed(self):
        with pytest.raises(ExactPermError, match=r"u\[1\] is Decimal\('sNaN'\)"):
            exact_column([Decimal(1), Decimal("sNaN")], "u")

    def test_first_bad_place_is_named_also_where_values_repeat(self):
        with pytest.raises(ExactPermError, match=r"u\[1\]"):
            exact_column(["0.5", "x", "0.5", "x"], "u")

    def test_mixed_types_keep_their_own_meaning(self):
        # An equal Fraction is the binary value of the float: a cache across types would confuse the two.
        assert exact_column([0.1, Fraction(0.1)], "u") == [Fraction(1, 10), Fraction(0.1)]

    def test_any_iterable_is_a_column(self):
        assert exact_column((str(k) for k in range(3)), "u") == [0, 1, 2]

    def test_booleans_become_integers(self):
        assert [type(x) for x in exact_column([True, False, 2], "u")] == [int, int, int]


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
        assert exact_column(["0.125", 0.25, 3, "1/3"], "u", 1) == [Fraction(1, 10), Fraction(1, 5), 3, Fraction(3, 10)]

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
        assert complaint(ExactPermError, lambda: whole_number(-1, "n")) == "n is -1: it must be at least 0"
        for n in (1, 5):
            message = f"n is {n}: it must be between 2 and 4"
            assert complaint(ExactPermError, lambda n=n: whole_number(n, "n", 2, 4)) == message

    @pytest.mark.parametrize("value", [True, 1.0, "1", None])
    def test_no_whole_numbers(self, value):
        assert complaint(WrongType, lambda: whole_number(value, "n")) == f"n is {value!r}: it must be an int"

    def test_integers_of_array_libraries(self):
        assert type(whole_number(Index(3, ndim=0), "n")) is int
        assert complaint(WrongType, lambda: whole_number(Index(3, ndim=1), "n")) == "n is Index(3): it must be an int"

    @pytest.mark.parametrize("value", [True, False])
    def test_flags(self, value):
        assert flag(value, "strict") is value
        assert flag(Scalar(value, "bool"), "strict") is value

    @pytest.mark.parametrize("value", [5, 0, None, "no", 1.0, Scalar(1, "int64"), Column([True], "bool")])
    def test_no_flags(self, value):
        told = f"strict is {value!r}: it must be True or False"
        assert complaint(WrongType, lambda: flag(value, "strict")) == told

    def test_probabilities_and_levels(self):
        assert [probability(q, "q") for q in (0, "0.25", True)] == [0, Fraction(1, 4), 1]
        assert [level(q) for q in ("1e-9", 1)] == [Fraction(1, 10**9), 1]
        for value in (-0.5, "3/2", 2):
            told = f"is {value!r}: it must lie between 0 and 1"
            assert complaint(ExactPermError, lambda value=value: probability(value, "q")) == f"q {told}"
            assert complaint(ExactPermError, lambda value=value: level(value)) == f"alpha {told}"
        assert complaint(ExactPermError, lambda: level("0.0", "beta")) == "beta is '0.0': it must be above 0"
        assert complaint(WrongType, lambda: probability(None, "q")) == f"q is None: {NO_SCORE}"
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
            (2.0**-23, "float16", Fraction(1, 10**7)),  # twice the least number: the steps are that wide
            (2.0**-148, "float32", Fraction(3, 10**45)),
            (2.0**-133, "torch.bfloat16", Fraction(9, 10**41)),  # the least number
            (3.0 * 2**-133, "torch.bfloat16", Fraction(3, 10**40)),
            (3.3895313892515355e38, "torch.bfloat16", 339 * 10**36),  # the greatest one
            (65504.0, "float16", 65500),  # the shortest decimal that float16 reads back as its greatest number
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
        assert exact_column(Column([0.1, LongDouble("0.3", kind)], kind), "u") == [Fraction(1, 10), Fraction(3, 10)]

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
            f"values of the type {dtype.lower()} are no scores: convert them to float64 or text"
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

        for entry, text in ((Named(), "Named()"), (Array(1, "int64"), "int64(1)"), (Column([1], "int64"), "[1]")):
            message = complaint(WrongType, lambda entry=entry: exact_column([0, entry], "u"))
            assert message == f"u[1] is {text}: {NO_SCORE}"

    def test_a_float_type_that_is_not_known_is_refused(self):
        told = "values of the type torch.float8_e4m3fn are no scores: convert them to float64 or text"
        assert complaint(WrongType, lambda: exact_column(Column([0.5], "torch.float8_e4m3fn"), "u")) == told
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
            message = complaint(ExactPermError, lambda bad=bad: exact_column(Column([1.0, bad], dtype), "u"))
            assert message == f"u[1] is {bad}: {NOT_FINITE}"

    @pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
    def test_missing_value_in_an_array(self, dtype):
        message = complaint(WrongType, lambda: exact_column(Column([1.0, None], dtype), "u"))
        assert message == f"u[1] is None: {NO_SCORE}"

    @pytest.mark.parametrize(
        ("dtype", "bits", "least"), [("float16", 11, -24), ("bfloat16", 8, -133), ("float32", 24, -149)]
    )
    def test_no_shorter_decimal_is_stored_as_that_number(self, dtype, bits, least):
        """By the distance: a decimal is stored as the nearest multiple of the step at that size."""
        rng = random.Random(bits)
        for _ in range(300):
            power = rng.randint(least, 5)
            mantissa = rng.randint(1, 2**bits - 1) if power == least else rng.randint(2 ** (bits - 1), 2**bits - 1)
            value = math.ldexp(mantissa, power)
            read = exact(Scalar(value, dtype))
            assert abs(read - Fraction(value)) * 2 <= Fraction(2) ** power
            digits = len(str(read.numerator * 10**50 // read.denominator).rstrip("0"))
            if digits > 1:
                shorter = Fraction(f"{value:.{digits - 2}e}")
                assert abs(shorter - Fraction(value)) * 2 >= Fraction(2) ** power

    @pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
    def test_a_number_that_its_type_cannot_hold_is_read_all_the_same(self, dtype):
        large, third, tenth = exact_column(Column([1e300, 1 / 3, 0.1], dtype), "u")
        assert (large, tenth) == (10**300, Fraction(1, 10))
        assert abs(third - Fraction(1, 3)) * 2**8 < 1


class TestWriting:
    @given(st.integers(), st.integers(0, 3000))
    def test_integer_text(self, n, power):
        n = n * 10**power + 1
        digits = integer_text(n)
        value = 0
        for start in range(0, len(digits.lstrip("-")), 1000):
            piece = digits.lstrip("-")[start : start + 1000]
            value = value * 10 ** len(piece) + int(piece)
        assert (value if n >= 0 else -value) == n

    @pytest.mark.parametrize(
        "n", [0, 9, 10**511, 10**512 - 1, 10**512, 10**1024 - 1, 10**1024, 10**2048 + 7, -(10**600)]
    )
    def test_integer_text_at_the_edges_of_the_pieces(self, n):
        assert integer_text(n) == str(n)

    @pytest.mark.parametrize(
        ("value", "digits", "text"),
        [
            (Fraction(863, 32768), 6, "0.0263367"),
            (Fraction(1, 2**199), 6, "1.24460e-60"),
            (1, 4, "1.000"),
            (0, 3, "0.00"),
            (Fraction(1, 3), 1, "0.3"),
            (Fraction(-2, 3), 3, "-0.667"),
            (Fraction(25, 1000), 1, "0.02"),  # a tie: to even
            (Fraction(35, 1000), 1, "0.04"),
            (Fraction(9996, 10000), 3, "1.00"),  # carries into a new digit
            (123456, 6, "123456"),
            (123456, 3, "1.23e+05"),
            (1234567, 6, "1.23457e+06"),
            (1, 1, "1"),
            (10, 1, "1e+01"),
            (Fraction(123456, 100), 5, "1234.6"),
            (Fraction(1, 10**5), 2, "0.000010"),
            (Fraction(1, 10**6), 2, "1.0e-06"),
            (Fraction(1, 10**100), 1, "1e-100"),
            ("0.5", 2, "0.50"),
        ],
    )
    def test_decimal_string(self, value, digits, text):
        assert decimal_string(value, digits) == text

    @given(st.fractions(), st.integers(1, 40))
    def test_decimal_string_is_correctly_rounded(self, value, digits):
        text = decimal_string(value, digits)
        written = exact(text)
        if value == 0:
            assert written == 0
            return
        exponent = math.floor(log10(abs(Fraction(written))) + 1e-9)
        assert abs(written - value) * 2 <= Fraction(10) ** (exponent - digits + 1)

    @given(st.integers(1, 10**30), st.integers(0, 400))
    def test_decimal_string_agrees_with_decimal(self, numerator, power):
        value = Fraction(numerator, 2**power)
        wanted = f"{Decimal(numerator) / 2 ** Decimal(power):.16e}"  # 28 digits, then rounded: agrees unless at a tie
        assert exact(decimal_string(value, 17)) == exact(wanted)

    @pytest.mark.parametrize("digits", [0, -1])
    def test_decimal_string_needs_a_digit(self, digits):
        message = f"digits is {digits}: it must be at least 1"
        assert complaint(ExactPermError, lambda: decimal_string(1, digits)) == message

    @pytest.mark.parametrize("digits", [True, 1.5, None])
    def test_decimal_string_needs_an_int(self, digits):
        assert complaint(WrongType, lambda: decimal_string(1, digits)) == f"digits is {digits}: it must be an int"

    def test_decimal_string_of_a_huge_fraction(self):
        assert decimal_string(Fraction(1, HUGE), 5) == "1.1450e-25353"

    @given(st.fractions())
    def test_text_goes_both_ways(self, value):
        assert parse_exact(exact_text(value)) == value
        assert parse_exact(exact_text(value.numerator)) == value.numerator

    def test_text_of_huge_numbers_goes_both_ways(self):
        for value in (HUGE, -HUGE, Fraction(HUGE, 2**9), Fraction(1, HUGE), Fraction(HUGE, HUGE + 1)):
            assert (parse_exact(json.loads(json.dumps(exact_text(value)))) == value) is True

    def test_text_is_decimal_up_to_four_thousand_digits(self):
        assert exact_text(10**3990) == str(10**3990)
        for n in (10**4001, -HUGE):
            assert exact_text(n) == hex(n)
            assert exact_text(Fraction(n, 3)) == f"{n:#x}/0x3"
        assert exact_text(Fraction(3, HUGE)) == f"0x3/{HUGE:#x}"
        assert (parse_exact(exact_text(Fraction(HUGE, 2))) == Fraction(HUGE, 2)) is True
        assert type(parse_exact("6/3")) is int

    @pytest.mark.parametrize("text", ["", "/", "1/0", "x", "1/2/3", "0.5", "0x", "-"])
    def test_parse_refuses_anything_else(self, text):
        message = f"{text!r} is not the text of an exact number"
        assert complaint(ExactPermError, lambda: parse_exact(text)) == message

    def test_short_text_never_fails(self):
        class Broken:
            def __repr__(self):
                raise RuntimeError("no")

        assert short_text(Broken()) == "<Broken whose repr raises RuntimeError>"
        assert short_text(True) == "True"
        assert short_text("x" * 58) == repr("x" * 58)
        assert short_text("x" * 59) == f"'{'x' * 39}...{'x' * 11}' (61 characters)"
        assert short_text("x" * 59, 61) == repr("x" * 59)
        assert short_text(10**59) == short_text(Fraction(10**59, 3))[9:-4] == str(10**59)
        assert short_text(-(10**59)) == str(-(10**59))
        assert short_text(10**60) == "100000...000000 (61 digits)"
        assert short_text(10**59, 59) == "100000...000000 (60 digits)"
        assert short_integer(10**39) == str(10**39)
        assert short_integer(10**40) == "100000...000000 (41 digits)"
        assert short_text("x" * 100) == f"'{'x' * 39}...{'x' * 11}' (102 characters)"
        assert short_text(Fraction(HUGE)) == "Fraction(873374...000001 (25353 digits), 1)"
        assert short_integer(-(10**50)) == "-100000...000000 (51 digits)"
        for n in (10**300, 10**300 - 1, 10**300 + 1, 123456 * 10**300, 123456 * 10**300 - 1, 7**400):
            assert short_integer(n) == f"{str(n)[:6]}...{str(n)[-6:]} ({len(str(n))} digits)"
        assert short_integer(1 << 10**8) == "368466...109376 (30103000 digits)"
        assert short_text([HUGE]).startswith("<list whose repr raises")


class TestLogarithm:
    @pytest.mark.parametrize(
        ("value", "logarithm"),
        [
            (1, 0.0),
            (10, 1.0),
            pytest.param(Fraction(1, 10**5000), -5000.0, id="far below the smallest float"),
            pytest.param(10**5000, 5000.0, id="far above the largest float"),
            (Fraction(10**20 - 1, 10**20), -4.342944819032518e-21),
            (Fraction(1, 2), -0.3010299956639812),
        ],
    )
    def test_known_values(self, value, logarithm):
        assert math.isclose(log10(value), logarithm, rel_tol=4e-16)

    @pytest.mark.parametrize("value", [2, Fraction(1, 2)])
    def test_at_the_ends_of_what_is_next_to_one(self, value):
        assert log10(value) == math.log10(value)

    @given(st.integers(-20000, 20000))
    def test_powers_of_two(self, power):
        assert math.isclose(log10(Fraction(2) ** power), power * 0.30102999566398119521, rel_tol=4e-16)

    @pytest.mark.parametrize("value", [0, -1, Fraction(-1, 3)])
    def test_needs_a_positive_number(self, value):
        assert complaint(ExactPermError, lambda: log10(value)) == f"log10 needs a positive number, not {value!r}"


class TestCompat:
    @given(st.integers())
    def test_bit_count(self, n):
        assert bit_count(n) == bin(n).count("1")

    @given(st.integers(1, 2**200), st.integers(0, 220))
    def test_dyadic(self, numerator, power):
        made, wanted = dyadic(numerator, power), Fraction(numerator, 2**power)
        assert (made.numerator, made.denominator) == (wanted.numerator, wanted.denominator)
        assert hash(made) == hash(wanted)
        assert made + 1 == wanted + 1
        assert pickle.loads(pickle.dumps(made)) == wanted

    def test_a_large_one(self):
        rng = random.Random(1)
        numerator = rng.getrandbits(5000) << 17
        assert (dyadic(numerator, 6000) == Fraction(numerator, 2**6000)) is True


class TestErrors:
    def test_budget_error_carries_the_estimate_and_pickles(self):
        error = pickle.loads(pickle.dumps(BudgetExceeded("too long", 5.0, 7)))
        assert (str(error), error.seconds, error.bytes) == ("too long", 5.0, 7)
        assert isinstance(error, ValueError)
        error = pickle.loads(pickle.dumps(BudgetExceeded("too long")))
        assert (str(error), error.seconds, error.bytes) == ("too long", None, None)
