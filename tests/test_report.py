"""Words, JSON, CSV and pictures of results."""

import json
import re
import xml.etree.ElementTree as ET
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm import picture, report
from exactperm.distribution import ALTERNATIVES, NullDistribution
from exactperm.enclosure import Enclosure
from exactperm.exact import exact, parse_exact
from exactperm.fast import FloatResult, fast_permutation_test
from exactperm.permutation import permutation_test, sign_flip_test
from exactperm.result import PermutationTestResult

# ---------------------------------------------------------------------------------------------- numbers


@given(st.fractions(min_value=-(10**12), max_value=10**12, max_denominator=10**9))
def test_number_text_reads_back(value):
    assert exact(report.number_text(value)) == value


@given(st.integers(-(10**9), 10**9), st.integers(0, 30))
def test_terminating_numbers_are_decimals(digits, places):
    text = report.number_text(Fraction(digits, 10**places))
    assert re.fullmatch(r"-?\d+(\.\d*[1-9])?", text)


def test_numbers_for_people():
    assert report.readable(Fraction(-157, 50)) == "-3.14"
    assert report.readable(Fraction(1, 3)) == "0.3333333333"
    assert report.readable(Fraction(10**30, 7 * 10**15 + 1)) == "1.428571429e+14"
    assert report.number_text(Fraction(10**80 + 1, 10)) == f"{10**80 + 1}/10"


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (Fraction(1), "1"),
        (Fraction(1, 2), "1/2"),
        (Fraction(863, 32768), "863/32768"),
        (Fraction(10701, 2**39), "10701/2^39"),
        (Fraction(2**100 + 1, 2**200), "126765...205377 (31 digits)/2^200"),
    ],
)
def test_fraction_text(p, text):
    assert report.fraction_text(p) == text


# ---------------------------------------------------------------------------------------------- results

DIFFERENCES = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def lines_of(result, **options):
    text = report.text(result, source="maize.csv: d", statistic="sum of the differences", seconds=0.0123, **options)
    return dict(line.strip().split(None, 1) for line in text.replace("log10 p", "log10-p").splitlines()[1:])


def test_text():
    assert lines_of(sign_flip_test(DIFFERENCES, method="enumeration"), digits=4) == {
        "data": "maize.csv: d",
        "pairs": "15, 0 tied",
        "statistic": "314 (sum of the differences)",
        "p-value": "0.05267",
        "exactly": "863/16384",
        "assignments": "1726 of 2^15 at least as extreme",
        "log10-p": "-1.278409144",
        "engine": "enumeration, 12.3 ms",
    }


def test_statistics_that_do_not_terminate_are_shown_both_ways():
    assert lines_of(sign_flip_test(["1/3", "2/7"]))["statistic"] == "0.6190476190 = 13/21 (sum of the differences)"
    assert lines_of(sign_flip_test([Fraction(10**20, 3**30)]))["statistic"] == "485693.5750 (sum of the differences)"


def test_text_counts_groups_and_their_ties():
    result = sign_flip_test([1, -1, 5, 5], groups=["a", "a", "b", "c"])
    assert lines_of(result)["pairs"] == "4 in 3 groups, 1 tied"


def test_text_of_a_p_value_with_thirty_thousand_digits():
    """Interpreters refuse the decimal text of such integers. 2^100000 is 9.990020930e30102, and 2 over it this."""
    lines = lines_of(sign_flip_test({1: 100_000}))
    assert lines["exactly"] == "1/2^99999"
    assert lines["p-value"] == "2.001997808e-30103"
    assert lines["assignments"] == "2 of 2^100000 at least as extreme"


def float_lines(result):
    return report.float_text(result, source="f: u", statistic="s", seconds=2).splitlines()


def test_text_of_the_float_path():
    assert float_lines(fast_permutation_test(DIFFERENCES, [0] * 15, alternative="greater")) == [
        "Paired-permutation test with a certified bracket, greater",
        "  data         f: u",
        "  pairs        15",
        "  statistic    314 (s)",
        "  p-value      2.6336669921875000e-02",
        "  as a float   0.026336669921875, correctly rounded",
        "  log10 p      -1.579439139",
        "  engine       float, 2.00 s",
    ]


def test_text_of_a_wide_bracket_and_of_a_p_value_below_all_floats():
    wide = FloatResult(bracket=Enclosure(1, 3, -2), digits=3, statistic=1, alternative="less", n=3)
    assert "  p-value      between 2.50e-01 and 7.50e-01" in float_lines(wide)
    assert "  as a float   0.5" in float_lines(wide)
    assert "  as a float   too small for one" in float_lines(fast_permutation_test([1] * 9999, [0] * 9999))


def test_record_of_the_float_path():
    data = json.loads(report.json_text(fast_permutation_test(["0.5"], [0], digits=3).to_dict()))
    assert (data["pvalue"], data["decimal_bracket"], data["statistic"]) == (1, ["1.00e+00", "1.00e+00"], "1/2")
    assert (data["method"], data["n"], data["alternative"]) == ("float", 1, "two-sided")


def test_json_reads_back():
    result = sign_flip_test({1: 40_000, 2: 3})
    text = report.json_text({**result.to_dict(), "file": "ü"})
    assert PermutationTestResult.from_dict(json.loads(text)) == result
    assert len(text.splitlines()) == len(result.to_dict()) + 3


# ---------------------------------------------------------------------------------------------- distributions


def test_csv():
    null = permutation_test(["0.5", "0.25"], ["0", "0"]).null_distribution
    assert list(report.csv_lines(null)) == [
        "value,count,probability,value_decimal,probability_decimal",
        "-0.75,1,1/4,-0.75000000000000000,0.25000000000000000",
        "-0.25,1,1/4,-0.25000000000000000,0.25000000000000000",
        "0.25,1,1/4,0.25000000000000000,0.25000000000000000",
        "0.75,1,1/4,0.75000000000000000,0.25000000000000000",
    ]


@pytest.mark.parametrize("pairs", [3, 20_000])
def test_csv_and_json_read_back_at_any_length(pairs):
    """The least probability at 20,000 pairs has 6,021 digits below the line: hexadecimal."""
    counts = {-1: 1, 0: (1 << pairs) - 2, 1: 1}
    null = NullDistribution.of(counts)
    rows = [line.split(",") for line in list(report.csv_lines(null))[1:]]
    assert {exact(value): parse_exact(count) for value, count, *_ in rows} == counts
    assert sum(Fraction(parse_exact(p)) for _value, _count, p, *_ in rows) == 1
    data = json.loads(report.json_text(report.distribution_dict(null)))
    assert NullDistribution.from_dict(data) == null
    assert [parse_exact(p) * null.total for p in data["probabilities"]] == list(counts.values())
    assert (parse_exact(data["mean"]), parse_exact(data["variance"]) == null.variance) == (0, True)


# ---------------------------------------------------------------------------------------------- pictures

SVG = "{http://www.w3.org/2000/svg}"


def drawn(null, observed, alternative="two-sided", title="t", label="l"):
    return ET.fromstring(picture.svg(null, observed, alternative, title=title, label=label))


def mass(root):
    return next(path for path in root.iter(f"{SVG}path") if path.get("class") == "mass").get("d")


def spread(pairs, scale=1):
    """A symmetric support of many values with binomial-like probabilities."""
    return NullDistribution.of({scale * k: (pairs + 1 - abs(k)) ** 3 for k in range(-pairs, pairs + 1)})


def words(root):
    return [text.text for text in root.iter(f"{SVG}text")]


def test_picture_says_what_it_shows():
    result = sign_flip_test(DIFFERENCES)
    root = drawn(result.null_distribution, result.statistic, title='a < "b" & c\x07\ud800', label="sum")
    assert words(root)[:2] == ['a < "b" & c??', "two-sided p = 0.0526733 = 863/16384"]
    assert {"sum", "probability", "observed 314", "0", "200", "\N{MINUS SIGN}400", "0.004"} <= set(words(root))


@pytest.mark.parametrize(
    ("alternative", "note"),
    [
        ("greater", "one-sided (greater) p = 0.250000 = 1/4"),
        ("less", "one-sided (less) p = 1.00000"),
        ("doubled", "doubled p = 0.500000 = 1/2"),
    ],
)
def test_note(alternative, note):
    assert words(drawn(NullDistribution.of({-3: 1, -1: 1, 1: 1, 3: 1}), 3, alternative))[1] == note


def test_few_values_are_bars_of_the_right_height():
    null = NullDistribution.of({0: 1, 1: 2, 4: 1})
    bars = re.findall(r"M([\d.]+) (\d+)V([\d.]+)H([\d.]+)V(\d+)Z", mass(drawn(null, 1)))
    heights = [int(bar[1]) - float(bar[2]) for bar in bars]
    assert len(bars) == 3
    assert heights == [134.0, 268.0, 134.0]
    assert len({round(float(bar[3]) - float(bar[0]), 1) for bar in bars}) == 1


@pytest.mark.parametrize(("pairs", "columns"), [(59, 119), (60, 121), (230, 461), (300, 301), (9999, 480)])
def test_long_supports_are_thinned(pairs, columns):
    """One horizontal line for each column; only the far ends may be missing."""
    path = mass(drawn(spread(pairs), 1))
    assert 0.9 * columns <= path.count("H") <= columns
    assert path.count("V") <= 2 * columns


def test_far_ends_without_mass_are_left_out_but_never_the_observed_value():
    wide = NullDistribution.of({-1000: 1, **dict.fromkeys(range(-50, 51), 2**30), 1000: 1})
    assert picture._visible(wide, 0, None, None) == (1, 101)
    assert picture._visible(wide, 1000, None, None) == (1, 102)
    assert picture._visible(wide, -1000, None, None) == (0, 101)


@pytest.mark.parametrize(
    "values",
    [
        sorted({Fraction(k * k % 1009, 1 + k % 60) for k in range(300)}),
        [Fraction(7, 3) + k * Fraction(2, 7) for k in range(200)],
        [Fraction(7, 3) + k * Fraction(2, 7) for k in range(1999)],
    ],
    ids=["uneven", "even", "even and too many"],
)
def test_columns_hold_all_the_mass(values):
    """Uneven values go into round intervals, even ones into cells of one width; no assignment is lost or moved."""
    counts = [1 + i % 5 for i in range(len(values))]
    columns, height = picture._histogram(values, counts, sum(counts))
    left, right, _height = columns[0]
    many = 1 if "interval" in height else round((right - left) / Fraction(2, 7))
    assert sum(height for *_edges, height in columns) * many == 1
    assert len(columns) <= 480
    for left, right, height in columns[:: len(columns) // 5]:
        inside = sum(count for x, count in zip(values, counts) if left <= x < right)
        assert height * many * sum(counts) == inside


def test_uneven_supports_are_drawn_as_a_histogram():
    null = NullDistribution.of({Fraction(1, k): 1 for k in range(1, 200)})
    assert "probability of an interval of 0.01" in words(drawn(null, 1))


@given(
    st.dictionaries(st.integers(-30, 30), st.integers(1, 9), min_size=1, max_size=12),
    st.integers(0, 11),
    st.sampled_from(ALTERNATIVES),
)
def test_what_is_shaded_is_what_the_p_value_counts(counts, position, alternative):
    """Values below the lower border or above the upper one make up the p-value; doubled counts its side twice."""
    null = NullDistribution.of(counts)
    observed = null.support[position % len(null.support)]
    low, high = picture._tails(null, observed, alternative)
    shaded = sum(count for x, count in null.items() if (low is not None and x < low) or (high is not None and x > high))
    expected = null.extreme_count(observed, alternative)
    assert (min(2 * shaded, null.total) if alternative == "doubled" else shaded) == expected


@given(
    st.fractions(min_value=-(10**6), max_value=10**6, max_denominator=1000),
    st.fractions(min_value=Fraction(1, 10**9), max_value=10**9),
    st.integers(2, 9),
)
def test_ticks_are_round_inside_and_neither_few_nor_many(low, span, most):
    ticks = picture._ticks(low, low + span, most)
    assert all(low <= tick <= low + span for tick in ticks)
    assert len(ticks) <= most + 1
    assert len(ticks) >= most / 2.5 - 1
    steps = {b - a for a, b in zip(ticks, ticks[1:])}
    assert len(steps) <= 1
    assert all(re.fullmatch(r"0*[125]0*", report.number_text(step).replace(".", "")) for step in steps)


def test_one_value_and_numbers_of_any_size():
    assert words(drawn(NullDistribution.of({0: 8}), 0))[1] == "two-sided p = 1.00000"
    huge = drawn(NullDistribution.of({-(10**3000): 1, 10**3000: 1}), 10**3000)
    assert "observed 1.000000000e+3000" in words(huge)
    assert "5.00e+2999" in words(huge)


@pytest.mark.parametrize(("observed", "side"), [(-9, "start"), (0, "middle"), (9, "end")])
def test_the_label_of_the_observed_value_stays_inside(observed, side):
    root = drawn(spread(9), observed)
    label = next(text for text in root.iter(f"{SVG}text") if text.get("class") == "name")
    assert label.get("text-anchor") == side


def test_long_titles_are_cut():
    assert words(drawn(spread(3), 1, title="x" * 200))[0] == "x" * 69 + "\N{HORIZONTAL ELLIPSIS}"
