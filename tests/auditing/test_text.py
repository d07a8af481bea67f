"""Reading printed p-values: every form, its interval, and what it refuses."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.auditing.claim import Claim
from exactperm.auditing.text import read_pvalue
from exactperm.errors import ExactPermError, WrongType
from exactperm.null.sentence import Sentence
from exactperm.record import replaced

F = Fraction

# text | relation | value | unit | form
FORMS = """
p < .001 | < | 1/1000 | 1/1000 | decimal
P=0.030 | = | 0.03 | 1/1000 | decimal
p-value = 0.0312 | = | 0.0312 | 1/10000 | decimal
p value: .03 | = | 0.03 | 1/100 | decimal
p.value 0.04 | = | 0.04 | 1/100 | decimal
\u201c$p \\leq .05$\u201d | <= | 0.05 | 1/100 | decimal
\ufeffp\u200b = .04 | = | 0.04 | 1/100 | decimal
.05 < p < .10 | in | 0.05 | 0.05 | bounds
0,031 | = | 0.031 | 1/1000 | decimal
0\u00b7031 | = | 0.031 | 1/1000 | decimal
3.10e-4 | = | 0.00031 | 1/1000000 | decimal
3.1E-04 | = | 0.00031 | 1/100000 | decimal
3.1 x 10^-4 | = | 0.00031 | 1/100000 | decimal
3.1\u00d710\u22124 | = | 0.00031 | 1/100000 | decimal
3.1 * 10**-4 | = | 0.00031 | 1/100000 | decimal
3.1\u00b710^{-4} | = | 0.00031 | 1/100000 | decimal
3 \u00d7 10\u207b\u2074 | = | 0.0003 | 1/10000 | decimal
< 10^-5 | < | 1/100000 | 1/100000 | decimal
p \u2264 .05 | <= | 0.05 | 1/100 | decimal
p =< .05 | <= | 0.05 | 1/100 | decimal
p >= .05 | >= | 0.05 | 1/100 | decimal
p > .05 | > | 0.05 | 1/100 | decimal
p \u2248 .05 | = | 0.05 | 1/100 | decimal
= .05. | = | 0.05 | 1/100 | decimal
1/32 | = | 1/32 | 0 | fraction
p = 697 / 2^15 | = | 697/32768 | 0 | fraction
p < 1/1000 | < | 1/1000 | 0 | fraction
0.000 | = | 0 | 1/1000 | zero
p < 0.000 | < | 0 | 1/1000 | decimal
1 | = | 1 | 1/10 | decimal
-0.10 | = | -0.1 | 1/100 | decimal
0.30000000000000004 | = | 0.30000000000000004 | 0 | double
0.052673339843750 | = | 863/16384 | 1/1000000000000000 | decimal
p in [.01, .02] | in | 0.01 | 0.01 | bounds
p in [1e-5; 0,5]. | in | 0.00001 | 0.49999 | bounds
[0.3, 0.3] | in | 0.3 | 0 | bounds
"""


def test_forms():
    for row in FORMS.strip().splitlines():
        text, relation, value, unit, form = row.split(" | ")
        printed = read_pvalue(text)
        assert (printed.text, printed.relation, printed.form) == (text, relation, form)
        assert (printed.value, printed.unit) == (F(value), F(unit))


def test_what_has_no_number():
    for text in ("n.s.", "p = n. s.", "NS", "not significant", "non-significant"):
        printed = read_pvalue(text)
        assert (printed.relation, printed.value, printed.form) == (">", None, "not-significant")
        assert [printed.fit(F(p, 100), F(1, 20)) for p in (6, 5)] == ["rounded", ""]
        assert (printed.fit(F(1)), printed.hull(F(1, 20))) == ("", (F(1, 20), 2))
        assert not printed.impossible


NONE = """
|p|*|**|p = .03*|5%|abc|.|1e|0.03 (one-sided)|10-5|p <|p (one-tailed) = .03|1/0|< < .05
|1.2.3|nan|p in [.1]|p in [.2, .1]|p in [.1, x]|1e-9999|1/2^99999|3 x 104
"""


def test_what_cannot_be_read_is_refused():
    for text in (*NONE.replace("\n", "").split("|"), "Pr(>|z|) = 0.02", "0." + "1" * 500):
        with pytest.raises(ExactPermError) as caught:
            read_pvalue(text)
        assert caught.value.code == "printed", text


def test_numbers_are_refused_since_trailing_zeros_count():
    for value in (0.03, 1, None, b"0.03"):
        with pytest.raises(WrongType):
            read_pvalue(value)


@given(st.integers(0, 10**6), st.integers(1, 8))
def test_the_interval_holds_every_rounding(number, places):
    low, high = read_pvalue(f"{number / 10**places:.{places}f}").interval
    assert (high - low, (low + high) / 2) == (0, F(number, 10**places)) or high - low == F(
        1, 10**places
    )


@given(st.fractions(0, 1), st.integers(1, 6))
def test_a_rounded_or_cut_number_fits_its_text(p, places):
    rounded = read_pvalue(f"{float(round(p, places)):.{places}f}")
    assert rounded.form == "zero" or rounded.fit(p) == "rounded"
    figures = p.numerator * 10**places // p.denominator
    cut = read_pvalue(f"{figures // 10**places}.{figures % 10**places:0{places}d}")
    assert cut.fit(p) or figures == 0


FITS = """
1/32 | 1/32 | rounded
1/32 | 1/31 |
.03 | 1/32 | rounded
.03 | 0.025 | rounded
.03 | 0.035 | rounded
.03 | 0.039 | cut
.03 | 0.04 |
.03 | 0.024999 |
0.03125000000000001 | 1/32 | rounded
0.0312500000000100 | 1/32 | rounded
0.0312500001000000 | 1/32 |
0.000 | 1/2001 | rounded
0.000 | 1/2000 |
p < .05 | 0.04999 | rounded
p < .05 | 0.05 |
p <= .05 | 0.05 | rounded
p >= .05 | 0.05 | rounded
p > .05 | 0.05 |
p in [.01, .02] | 0.01 | rounded
p in [.01, .02] | 0.02 | rounded
p in [.01, .02] | 0.0201 |
"""


def test_fits():
    for row in FITS.strip().splitlines():
        text, p, word = [part.strip() for part in row.split("|")]
        printed = read_pvalue(text)
        p = F(p)
        assert printed.fit(p) == word, text
        assert printed.encloses(p, p) is (word == "rounded"), text
        assert printed.encloses(p, p, cut=True) is (word != ""), text
        low, high = printed.span(cut=True)[:2]
        assert not word or low <= p <= high


INSIDE = """
0.031 | 0.0309 0.0311 | True
0.031 | 0.5 0.6 | False
0.031 | 0.020 0.029 | False
0.031 | 0.030 0.031 | None
0.031 | 0.030 0.033 | None
p < .05 | 0.01 0.02 | True
p < .05 | 0.04 0.06 | None
0.00 | 1e-6 1e-5 | True
n.s. | 0.06 0.07 | True
p in [.01, .02] | 0.001 0.03 | None
p in [.01, .02] | 0.021 0.03 | False
"""


def test_brackets_are_inside_outside_or_across():
    for row in INSIDE.strip().splitlines():
        text, ends, inside = row.split(" | ")
        found = read_pvalue(text).encloses(*map(F, ends.split()), F(1, 20))
        assert str(found) == inside, row


def test_stated_digits_make_the_unit_finer_and_never_coarser():
    assert read_pvalue("0.5", digits=3).unit == F(1, 1000)
    assert read_pvalue("0.5123", digits=3).unit == F(1, 10000)
    assert read_pvalue("5e-1", digits=2).interval == (F(495, 1000), F(505, 1000))
    with pytest.raises(ExactPermError, match="digits"):
        read_pvalue("0.5", digits=0)


def test_impossible_texts():
    for text in ("1.25", "1.004", "-0.1", "p < 0", "p > 1", "1.5", "p in [1.1, 2]"):
        assert read_pvalue(text).impossible, text
    for text in ("1.00", "p < .05", "p >= 1", "p > .05", "0.000", "1", "p in [.1, .2]"):
        assert not read_pvalue(text).impossible, text
    assert [read_pvalue(text).bare_zero for text in ("0", "0.0", "0.00")] == [True, True, False]


def test_a_number_is_written_in_the_manner_of_the_text():
    p = F(863, 16384)
    for text, written in (
        ("p = .04", ".0527"),
        ("p = 0.0400", "0.0527"),
        ("p = .04970", ".05267"),
        ("1.25", "0.0527"),
        ("V = 3.5, p = .05", ".0527"),
        ("n.s.", ".0527"),
        ("0.0526733398437512345", "0.0527"),
        ("p = .05267333984375", ".0526733398438"),
    ):
        printed = replaced(read_pvalue(text.rpartition(", ")[2]), text=text)
        assert printed.written(p) == written, text
    assert read_pvalue(".04").written((p, F(1, 2))) == ".0527 to .500"


def test_slips_of_a_writer():
    found = list(read_pvalue("p = .053").slips())
    assert len(found) == 2 + 4 + 27
    of = {told: [float(x) for said, x, _ in found if said == told] for told, *_ in found}
    assert of["perhaps two digits are swapped"] == [0.503, 0.035]
    assert of["perhaps the decimal point slipped"] == [0.0053, 0.53, 0.00053, 5.3]
    assert 0.553 in of["perhaps one digit is mistyped"]
    assert {unit for told, _, unit in found if told == "perhaps the decimal point slipped"} == {
        F(1, 10**k) for k in (1, 2, 4, 5)
    }
    assert "perhaps two digits are swapped" not in {
        told for told, *_ in read_pvalue("p = .55").slips()
    }
    for text in ("p < .05", "n.s.", "1/3", "0.000", "0.30000000000000004"):
        assert not list(read_pvalue(text).slips()), text


def test_an_exact_number_reads_as_people_print_it():
    for p, text in (
        (F(2**100 - 1, 2**100), "p = 1.000000000"),
        (F(3**100, 2**300), "p = 2.530036419e-43"),
        (F(10**30 + 1, 10**32), "p = 0.01000000000"),
        (F(1), "p = 1.00 (exact 1)"),
    ):
        line = str(Sentence(version="1", n=400, p=p))
        assert f" | {text}" in line
        low, high = Claim(p=line, data=[[1], [0]]).printed.interval
        assert low <= p <= high
