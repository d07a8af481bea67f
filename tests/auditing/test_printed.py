"""Reading printed p-values: every form, its interval, and what it refuses."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.auditing.printed import read_pvalue
from exactperm.errors import ExactPermError, WrongType

F = Fraction


@pytest.mark.parametrize(
    ("text", "relation", "value", "unit", "form"),
    [
        ("p < .001", "<", F(1, 1000), F(1, 1000), "decimal"),
        ("P=0.030", "=", F(3, 100), F(1, 1000), "decimal"),
        ("p-value = 0.0312", "=", F(39, 1250), F(1, 10000), "decimal"),
        ("p value: .03", "=", F(3, 100), F(1, 100), "decimal"),
        ("p.value 0.04", "=", F(4, 100), F(1, 100), "decimal"),
        (
            "\N{LEFT DOUBLE QUOTATION MARK}$p \\leq .05$\N{RIGHT DOUBLE QUOTATION MARK}",
            "<=",
            F(5, 100),
            F(1, 100),
            "decimal",
        ),
        ("\ufeffp\u200b = .04", "=", F(4, 100), F(1, 100), "decimal"),
        (".05 < p < .10", "in", F(5, 100), F(5, 100), "bounds"),
        ("0,031", "=", F(31, 1000), F(1, 1000), "decimal"),
        ("0\N{MIDDLE DOT}031", "=", F(31, 1000), F(1, 1000), "decimal"),
        ("3.10e-4", "=", F(31, 100000), F(1, 1000000), "decimal"),
        ("3.1E-04", "=", F(31, 100000), F(1, 100000), "decimal"),
        ("3.1 x 10^-4", "=", F(31, 100000), F(1, 100000), "decimal"),
        (
            "3.1\N{MULTIPLICATION SIGN}10\N{MINUS SIGN}4",
            "=",
            F(31, 100000),
            F(1, 100000),
            "decimal",
        ),
        ("3.1 * 10**-4", "=", F(31, 100000), F(1, 100000), "decimal"),
        ("3.1\N{MIDDLE DOT}10^{-4}", "=", F(31, 100000), F(1, 100000), "decimal"),
        (
            "3 \N{MULTIPLICATION SIGN} 10\N{SUPERSCRIPT MINUS}\N{SUPERSCRIPT FOUR}",
            "=",
            F(3, 10000),
            F(1, 10000),
            "decimal",
        ),
        ("< 10^-5", "<", F(1, 100000), F(1, 100000), "decimal"),
        ("p \N{LESS-THAN OR EQUAL TO} .05", "<=", F(5, 100), F(1, 100), "decimal"),
        ("p =< .05", "<=", F(5, 100), F(1, 100), "decimal"),
        ("p >= .05", ">=", F(5, 100), F(1, 100), "decimal"),
        ("p > .05", ">", F(5, 100), F(1, 100), "decimal"),
        ("p \N{ALMOST EQUAL TO} .05", "=", F(5, 100), F(1, 100), "decimal"),
        ("= .05.", "=", F(5, 100), F(1, 100), "decimal"),
        ("1/32", "=", F(1, 32), F(0), "fraction"),
        ("p = 697 / 2^15", "=", F(697, 32768), F(0), "fraction"),
        ("p < 1/1000", "<", F(1, 1000), F(0), "fraction"),
        ("0.000", "=", F(0), F(1, 1000), "zero"),
        ("p < 0.000", "<", F(0), F(1, 1000), "decimal"),
        ("1", "=", F(1), F(1, 10), "decimal"),  # nobody prints p without decimals
        ("-0.10", "=", F(-1, 10), F(1, 100), "decimal"),
        ("0.30000000000000004", "=", F("0.30000000000000004"), F(0), "double"),
        ("0.052673339843750", "=", F(863, 16384), F(1, 10**15), "decimal"),  # 14 significant digits
        ("p in [.01, .02]", "in", F(1, 100), F(1, 100), "bounds"),
        ("p in [1e-5; 0,5].", "in", F(1, 10**5), F(49999, 10**5), "bounds"),
        ("[0.3, 0.3]", "in", F(3, 10), F(0), "bounds"),
        ("n.s.", ">", None, F(0), "not-significant"),
        ("p = n. s.", ">", None, F(0), "not-significant"),
        ("NS", ">", None, F(0), "not-significant"),
        ("not significant", ">", None, F(0), "not-significant"),
    ],
)
def test_forms(text, relation, value, unit, form):
    printed = read_pvalue(text)
    assert (printed.relation, printed.value, printed.unit, printed.form) == (
        relation,
        value,
        unit,
        form,
    )
    assert printed.text == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "p",
        "*",
        "**",
        "p = .03*",
        "5%",
        "abc",
        ".",
        "1e",
        "0.03 (one-sided)",
        "p (one-tailed) = .03",
        "Pr(>|z|) = 0.02",
        "10-5",
        "p <",
        "1/0",
        "< < .05",
        "1.2.3",
        "nan",
        "p in [.2, .1]",
        "p in [.1, x]",
        "p in [.1]",
    ],
)
def test_what_cannot_be_read_is_quoted(text):
    with pytest.raises(ExactPermError, match="cannot be read") as caught:
        read_pvalue(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("text", ["1e-9999", "1/2^99999", "0." + "1" * 500])
def test_bombs_are_refused(text):
    with pytest.raises(ExactPermError, match="cannot be read"):
        read_pvalue(text)


@pytest.mark.parametrize("value", [0.03, 1, None, b"0.03"])
def test_numbers_are_refused_since_trailing_zeros_count(value):
    with pytest.raises(WrongType, match="trailing zeros count"):
        read_pvalue(value)


@given(st.integers(0, 10**6), st.integers(1, 8))
def test_the_interval_holds_every_rounding(number, places):
    text = f"{number / 10**places:.{places}f}"
    printed = read_pvalue(text)
    low, high = printed.interval
    assert (high - low, (low + high) / 2) == (0, F(number, 10**places)) or high - low == F(
        1, 10**places
    )


@given(st.fractions(0, 1), st.integers(1, 6))
def test_a_rounded_or_truncated_number_fits_its_text(p, places):
    rounded = read_pvalue(f"{float(round(p, places)):.{places}f}")
    if rounded.form != "zero":
        assert rounded.fit(p) in ("rounds", "equal")
    truncated = p.numerator * 10**places // p.denominator
    text = f"{truncated // 10**places}.{truncated % 10**places:0{places}d}"
    assert (
        read_pvalue(text).fit(p) in ("rounds", "truncates", "equal", "printed-zero")
        or truncated == 0
    )


def test_fits_in_words():
    assert read_pvalue("1/32").fit(F(1, 32)) == "equal"
    assert read_pvalue("1/32").fit(F(1, 31)) is None
    assert read_pvalue(".03").fit(F(1, 32)) == "rounds"
    assert read_pvalue(".03").fit(F(3, 100)) == "equal"
    assert read_pvalue(".03").fit(F(25, 1000)) == read_pvalue(".03").fit(F(35, 1000)) == "rounds"
    assert read_pvalue(".03").fit(F(39, 1000)) == "truncates"
    assert read_pvalue(".03").fit(F(4, 100)) is read_pvalue(".03").fit(F(24999, 10**6)) is None
    assert read_pvalue("0.03125000000000001").fit(F(1, 32)) == "same-double"
    assert read_pvalue("0.0312500000000100").fit(F(1, 32)) == "float-noise"
    assert read_pvalue("0.0312500001000000").fit(F(1, 32)) is None
    assert read_pvalue("0.000").fit(F(1, 2001)) == "printed-zero"
    assert read_pvalue("0.000").fit(F(1, 2000)) is None
    assert read_pvalue("p < .05").fit(F(4999, 100000)) == "claim-true"
    assert read_pvalue("p < .05").fit(F(1, 20)) is None
    assert (
        read_pvalue("p <= .05").fit(F(1, 20))
        == read_pvalue("p >= .05").fit(F(1, 20))
        == "claim-true"
    )
    assert read_pvalue("p > .05").fit(F(1, 20)) is None
    assert read_pvalue("n.s.").fit(F(6, 100), F(5, 100)) == "claim-true"
    assert read_pvalue("n.s.").fit(F(5, 100), F(5, 100)) is read_pvalue("n.s.").fit(F(1)) is None


def test_stated_digits_make_the_unit_finer_and_never_coarser():
    assert read_pvalue("0.5", digits=3).unit == F(1, 1000)
    assert read_pvalue("0.5123", digits=3).unit == F(1, 10000)
    assert read_pvalue("5e-1", digits=2).interval == (F(495, 1000), F(505, 1000))
    with pytest.raises(ExactPermError, match="digits"):
        read_pvalue("0.5", digits=0)


@pytest.mark.parametrize(
    ("text", "impossible"),
    [
        ("1.25", True), ("1.004", True), ("1.00", False), ("-0.1", True), ("p < 0", True), ("p < .05", False),
      ("p > 1", True),
     ("p >= 1", False), ("p > .05", False), ("n.s.", False), ("0.000", False), ("1.5", True), ("1", False)],
)  # fmt: skip
def test_impossible_texts(text, impossible):
    assert read_pvalue(text).impossible is impossible


def test_brackets_are_inside_outside_or_across():
    reading = read_pvalue("0.031")
    assert reading.encloses(F(309, 10000), F(311, 10000)) is True
    assert reading.encloses(F(1, 2), F(6, 10)) is False
    assert reading.encloses(F(20, 1000), F(29, 1000)) is False
    assert reading.encloses(F(30, 1000), F(31, 1000)) is None
    assert read_pvalue("p < .05").encloses(F(1, 100), F(2, 100)) is True
    assert read_pvalue("p < .05").encloses(F(4, 100), F(6, 100)) is None
    assert read_pvalue("n.s.").encloses(F(6, 100), F(7, 100), F(5, 100)) is True
    assert read_pvalue("0.00").encloses(F(1, 10**6), F(1, 10**5)) is True
    with pytest.raises(ExactPermError, match="above alpha"):
        _ = read_pvalue("n.s.").interval


def test_bounds_fit_what_is_between_them():
    reading = read_pvalue("p in [.01, .02]")
    assert [reading.fit(p) for p in (F(1, 100), F(2, 100), F(201, 10**4))] == [
        "claim-true",
        "claim-true",
        None,
    ]
    assert reading.encloses(F(1, 100), F(2, 100)) is True
    # both ends are outside, but not all between them
    assert reading.encloses(F(1, 1000), F(3, 100)) is None
    assert reading.encloses(F(21, 1000), F(3, 100)) is False
    assert (read_pvalue("p in [1.1, 2]").impossible, reading.impossible) == (True, False)
