"""Words, JSON, CSV and pictures of results."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from fractions import Fraction
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm import svg
from exactperm.arithmetic.enclosure import Enclosure
from exactperm.arithmetic.reading import exact, parse_exact
from exactperm.compare import compare_all
from exactperm.fast import FloatResult, fast_permutation_test
from exactperm.files import report
from exactperm.null.alternative import ALTERNATIVES
from exactperm.null.distribution import NullDistribution
from exactperm.null.result import PermutationTestResult
from exactperm.permutation import permutation_test, sign_flip_test

# ---------------------------------------------------------------------------------------------- numbers


@given(st.fractions(min_value=-(10**12), max_value=10**12, max_denominator=10**9))
def test_number_text_reads_back(value):
    assert exact(report.number_text(value)) == value


@given(st.integers(-(10**9), 10**9), st.integers(0, 30))
def test_terminating_numbers_are_decimals(digits, places):
    text = report.number_text(Fraction(digits, 10**places))
    assert re.fullmatch(r"-?\d+(\.\d*[1-9])?", text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-7, "-7"),
        (Fraction(-1, 2), "-0.5"),
        (Fraction(1, 10**30), f"0.{'0' * 29}1"),
        (Fraction(1, 10**31), f"1/{10**31}"),
        (Fraction(2**200 - 1, 2), f"{2**199 - 1}.5"),
        (Fraction(2**200 + 1, 2), f"{2**200 + 1}/2"),
    ],
)
def test_number_text(value, text):
    """Decimals have at most 30 places, and their numerators 200 bits."""
    assert report.number_text(value) == text


def test_numbers_for_people():
    assert report.readable(Fraction(-157, 50)) == "-3.14"
    assert report.readable(10**23) == f"{10**23}"
    assert report.readable(10**24) == "1.000000000e+24"
    assert report.readable(Fraction(1, 3)) == "0.3333333333"
    assert report.readable(Fraction(10**30, 7 * 10**15 + 1)) == "1.428571429e+14"
    assert report.number_text(Fraction(10**80 + 1, 10)) == f"{10**80 + 1}/10"


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (Fraction(1), "1"),
        (Fraction(1, 2), "1/2"),
        (Fraction(863, 32768), "863/32768"),
        (Fraction(1, 2**29), "1/536870912"),
        (Fraction(1, 2**30), "1/2^30"),
        (Fraction(10701, 2**39), "10701/2^39"),
        (Fraction(2**79 - 1, 2**90), f"{2**79 - 1}/2^90"),
        (Fraction(2**79 + 1, 2**90), "604462...353089 (24 digits)/2^90"),
        (Fraction(2**100 + 1, 2**200), "126765...205377 (31 digits)/2^200"),
    ],
)
def test_fraction_text(p, text):
    assert report.fraction_text(p) == text


@pytest.mark.parametrize(("seconds", "text"), [(0.00123, "1.2 ms"), (0.9994, "999.4 ms"), (1, "1.00 s")])
def test_elapsed(seconds, text):
    assert report.elapsed(seconds) == text


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
    at_most = Fraction(10**21, 3)  # 24 characters
    shown = {lines_of(sign_flip_test([value]))["statistic"].split(" (")[0] for value in (at_most, 10 * at_most)}
    assert shown == {f"3.333333333e+20 = {10**21}/3", "3.333333333e+21"}


def test_text_counts_groups_and_their_ties():
    result = sign_flip_test([1, -1, 5, 5], groups=["a", "a", "b", "c"])
    assert lines_of(result)["pairs"] == "4 in 3 groups, 1 tied"


def test_text_of_a_p_value_with_thirty_thousand_digits():
    """Interpreters refuse the decimal text of such integers. 2^100000 is 9.990020930e30102, and 2 over it this."""
    lines = lines_of(sign_flip_test({1: 100_000}))
    assert lines["exactly"] == "1/2^99999"
    assert lines["p-value"] == "2.001997808e-30103"
    assert lines["assignments"] == "2 of 2^100000 at least as extreme"


def test_text_leaves_out_the_middle_of_long_counts():
    """All signs are as extreme: the count is 2^N itself."""
    counts = [lines_of(sign_flip_test({1: pairs}, alternative="less"))["assignments"] for pairs in (78, 79)]
    assert counts == [
        f"{2**78} of 2^78 at least as extreme",
        "604462...353088 (24 digits) of 2^79 at least as extreme",
    ]


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
    with pytest.raises(ValueError, match="JSON compliant"):  # a bare NaN is no JSON
        report.json_text({"p": float("nan")})


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


# ---------------------------------------------------------------------------------------------- leaderboards


def board(**more):
    return compare_all({"baseline": [1, 2, 3, 4, 5], "b": [0, 1, 1, 2, -1], **more})


def test_leaderboard_in_full():
    """An adjusted p-value of exactly the level is significant. Two of 2^5 signs are as extreme as all of one sign."""
    compared = board(c=[1, 2, 3, 5, 4])
    assert report.leaderboard_text(compared, Fraction(3, 16), "f.csv") == [
        "f.csv: 3 exact paired-permutation tests, two-sided; * adjusted p <= 0.1875",
        "first     second  difference  p        adjusted (holm)",
        "baseline  b       12          0.06250  0.1875           *",
        "baseline  c       0           1.000    1.000",
        "b         c       -12         0.06250  0.1875           *",
    ]
    assert list(report.leaderboard_csv(compared, Fraction(3, 16))) == [
        "first,second,statistic,pvalue,pvalue_decimal,adjusted,adjusted_decimal,significant",
        "baseline,b,12,1/16,0.062500000000000000,3/16,0.18750000000000000,True",
        "baseline,c,0,1,1.0000000000000000,1,1.0000000000000000,False",
        "b,c,-12,1/16,0.062500000000000000,3/16,0.18750000000000000,True",
    ]
    rows = report.leaderboard_rows(compared, Fraction(3, 16))
    assert [row.pop("significant") for row in rows] == [True, False, True]
    assert rows == compared.to_dict()["rows"]


def test_leaderboard_of_one_pair():
    (only,) = list(report.leaderboard_csv(board(), Fraction(1, 20)))[1:]
    assert only == "baseline,b,12,1/16,0.062500000000000000,1/16,0.062500000000000000,False"


@pytest.mark.parametrize("name", ["a\x0bb", "a\u2028b", 'a, "b"', "a\n\nb"])
def test_names_in_csv_read_back(name):
    """Some characters that end a line elsewhere do not end one in CSV."""
    text = "\n".join(report.leaderboard_csv(compare_all({name: [1], "b": [2]}), Fraction(1, 20)))
    (row,) = csv.DictReader(io.StringIO(text, newline=""))
    assert (row["first"], row["second"]) == (name, "b")


# ---------------------------------------------------------------------------------------------- pictures

SVG = "{http://www.w3.org/2000/svg}"


def drawn(null, observed, alternative="two-sided", title="t", label="l"):
    return ET.fromstring(svg.svg(null, observed, alternative, title=title, label=label))


def mass(root):
    return next(path for path in root.iter(f"{SVG}path") if path.get("class") == "mass").get("d")


def spread(pairs, scale=1):
    """A symmetric support of many values with binomial-like probabilities."""
    return NullDistribution.of({scale * k: (pairs + 1 - abs(k)) ** 3 for k in range(-pairs, pairs + 1)})


def words(root):
    return [text.text for text in root.iter(f"{SVG}text")]


IN_FULL = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 430" width="860" height="430" role="img" aria-label="a &lt; b">
<title>a &lt; b</title>
<style>STYLE</style>
<rect width="860" height="430" fill="#ffffff"/>
<text class="title" x="84" y="32">a &lt; b</text>
<rect class="tail" x="84" y="45" width="12" height="12" rx="2"/>
<text class="note" x="103" y="56">two-sided p = 0.625000 = 5/8</text>
<line class="grid" x1="84" y1="364.00" x2="836" y2="364.00"/>
<text class="tick" x="76" y="364.00" dy="4" text-anchor="end">0</text>
<line class="grid" x1="84" y1="292.53" x2="836" y2="292.53"/>
<text class="tick" x="76" y="292.53" dy="4" text-anchor="end">0.1</text>
<line class="grid" x1="84" y1="221.07" x2="836" y2="221.07"/>
<text class="tick" x="76" y="221.07" dy="4" text-anchor="end">0.2</text>
<line class="grid" x1="84" y1="149.60" x2="836" y2="149.60"/>
<text class="tick" x="76" y="149.60" dy="4" text-anchor="end">0.3</text>
<line class="axis" x1="161.04" y1="364" x2="161.04" y2="369"/>
<text class="tick" x="161.04" y="384" text-anchor="middle">\N{MINUS SIGN}2</text>
<line class="axis" x1="331.88" y1="364" x2="331.88" y2="369"/>
<text class="tick" x="331.88" y="384" text-anchor="middle">0</text>
<line class="axis" x1="502.71" y1="364" x2="502.71" y2="369"/>
<text class="tick" x="502.71" y="384" text-anchor="middle">2</text>
<line class="axis" x1="673.54" y1="364" x2="673.54" y2="369"/>
<text class="tick" x="673.54" y="384" text-anchor="middle">4</text>
<line class="axis" x1="84" y1="364" x2="836" y2="364"/>
<text class="note" x="460.0" y="410" text-anchor="middle">the sum</text>
<text class="note" transform="translate(22 230.0) rotate(-90)" text-anchor="middle">probability</text>
<clipPath id="tails"><rect x="84" width="162.46" y="96" height="268"/><rect x="545.42" width="290.58" y="96" \
height="268"/></clipPath>
<path class="mass" d="M96.13 364V185.33H225.96V364ZM266.96 364V96.00H396.79V364ZM694.04 364V96.00H823.87V364Z"/>
<path class="tail" d="M96.13 364V185.33H225.96V364ZM266.96 364V96.00H396.79V364ZM694.04 364V96.00H823.87V364Z" \
clip-path="url(#tails)"/>
<line class="observed" x1="161.04" y1="88" x2="161.04" y2="364"/>
<text class="name" x="161.04" y="82" text-anchor="start">observed -2</text>
</svg>
"""


def test_picture_in_full():
    """The mean is 11/8: at least as far from it as -2 are -2 and 5; the tails begin half-way between them and 0."""
    null = NullDistribution.of({-2: 2, 0: 3, 5: 3})
    drawing = svg.svg(null, -2, "two-sided", title="a < b", label="the sum")
    assert drawing.replace(svg._STYLE, "STYLE") == IN_FULL


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


@pytest.mark.parametrize(("values", "bars"), [(2, 2), (120, 120), (121, 1)])
def test_up_to_120_values_are_bars(values, bars):
    path = mass(drawn(NullDistribution.of(dict.fromkeys(range(values), 1)), 0))
    assert (path.count("Z"), path.count("H")) == (bars, values)


WIDE = NullDistribution.of({-1000: 1, **dict.fromkeys(range(-50, 51), 2**30), 1000: 1})


@pytest.mark.parametrize(
    ("observed", "alternative", "bars"),
    [
        (0, "greater", 101),
        (50, "greater", 101),
        (-50, "less", 101),
        (50, "less", 102),
        (-50, "greater", 102),
        (1000, "greater", 102),
        (-1000, "less", 102),
        (1000, "less", 102),
        (-1000, "greater", 102),
        (1000, "two-sided", 103),
        (-1000, "two-sided", 103),
    ],
)
def test_far_ends_without_mass_are_left_out_but_never_those_beside_the_edge_of_a_tail(observed, alternative, bars):
    assert mass(drawn(WIDE, observed, alternative)).count("Z") == bars


@pytest.mark.parametrize(("end", "ends"), [(10, (1, 4)), (11, (0, 5))])
def test_ends_are_left_out_by_their_exact_mass(end, ends):
    """At most 2^-20 of the assignments on each side; here there are more of them than any float can say."""
    counts = [end, 2**20, 8 * 2**20 - 2 * end, 2**20, end]
    null = NullDistribution.of({x: count << 2000 for x, count in enumerate(counts)})
    assert svg._visible(null, None) == slice(*ends)


@pytest.mark.parametrize(
    ("values", "many"),
    [
        (sorted({-300, *(Fraction(k * k % 1009, 1 + k % 60) - 123 for k in range(300))}), None),
        *(
            ([Fraction(7, 3) + k * Fraction(2, 7) for k in range(values)], many)
            for values, many in [(200, 1), (480, 1), (481, 2), (960, 2), (961, 4), (1999, 6)]
        ),
    ],
)
def test_columns_hold_all_the_mass(values, many):
    """Uneven values go into round intervals, even ones into cells of one width; no assignment is lost or moved.

    A cell has one value in its middle, or the mean of an even number of them, half a step from its edges.
    """
    counts = [1 + i % 5 for i in range(len(values))]
    columns, height = svg._histogram(values, counts, sum(counts))
    if many is None:
        assert height == "probability of an interval of 10"
        assert {right - left for left, right, _height in columns} == {10}
        assert all(left % 10 == 0 for left, _right, _height in columns)
    else:
        assert height == "probability"
        assert {right - left for left, right, _height in columns} == {many * Fraction(2, 7)}
        assert values[0] - columns[0][0] == Fraction(1, 7)
    assert sum(height for *_edges, height in columns) * (many or 1) == 1
    assert len(columns) <= 480
    assert all(left <= x < right for x, (left, right, _height) in ((values[0], columns[0]), (values[-1], columns[-1])))
    for left, right, height in columns[:: len(columns) // 5]:
        inside = sum(count for x, count in zip(values, counts) if left <= x < right)
        assert height * (many or 1) * sum(counts) == inside


def test_an_outline_touches_every_column_once():
    scale = SimpleNamespace(x=lambda value: 10 * value, y=lambda height: 364 - height)
    assert svg._outline([(0, 1, 3), (1, 2, 5)], scale) == "M0.00 364V361.00H10.00V359.00H20.00V364Z"


@pytest.mark.parametrize(
    ("support", "edges"),
    [
        ((3,), [Fraction(5, 2), Fraction(7, 2)]),
        ((-1, 0, 4, Fraction(9, 2), 6), [Fraction(x, 4) for x in (-6, -2, 8, 17, 21, 27)]),
    ],
)
def test_edges_are_half_way(support, edges):
    """Outside the first and the last value, as far as half-way to their neighbours."""
    assert [svg._edge(support, i) for i in range(len(support) + 1)] == edges


@pytest.mark.parametrize("values", [range(-5, 6), [-3, -1, Fraction(1, 2), 40], [-1000, 0, Fraction(1, 1000)]])
def test_bars_stand_over_their_values(values):
    """Apart from each other, unless they would be too thin to see; the height is the probability."""
    columns, height = svg._bars(values, range(1, len(values) + 1), 100)
    least = Fraction(values[-1] - values[0], 450)
    (width,) = {right - left for left, right, _height in columns}
    assert (len(columns), height) == (len(values), "probability")
    assert [(left + right) / 2 for left, right, _height in columns] == list(values)
    assert width >= least
    assert width == least or width < min(b - a for a, b in zip(values, values[1:]))
    assert [100 * height for *_edges, height in columns] == list(range(1, len(values) + 1))


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
    low, high = svg._tails(null, observed, alternative)
    shaded = sum(count for x, count in null.items() if (low is not None and x < low) or (high is not None and x > high))
    expected = null.extreme_count(observed, alternative)
    assert (min(2 * shaded, null.total) if alternative == "doubled" else shaded) == expected


@given(
    st.fractions(min_value=-(10**6), max_value=10**6, max_denominator=1000),
    st.fractions(min_value=Fraction(1, 10**9), max_value=10**9),
    st.integers(2, 9),
)
def test_ticks_are_round_inside_and_neither_few_nor_many(low, span, most):
    ticks = svg._ticks(low, low + span, most)
    assert all(low <= tick <= low + span for tick in ticks)
    assert len(ticks) <= most + 1
    assert len(ticks) >= most / 2.5 - 1
    steps = {b - a for a, b in zip(ticks, ticks[1:])}
    assert len(steps) <= 1
    assert all(re.fullmatch(r"0*[125]0*", report.number_text(step).replace(".", "")) for step in steps)


@pytest.mark.parametrize("ten", [Fraction(10) ** k for k in (-300, -28, -7, -1, 0, 1, 2, 30)])
@pytest.mark.parametrize(("step", "next_step"), [(1, 2), (2, 5), (5, 10)])
def test_round_steps(ten, step, next_step):
    """The float logarithm of 10^-7 is below -7, that of 10^2 is exact: both sides of a power of ten are right."""
    most = 7
    assert svg._round_step(most * step * ten, most) == step * ten
    assert svg._round_step(most * step * ten * (1 + Fraction(1, 10**40)), most) == next_step * ten


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-5, "_5"),
        (Fraction(-1, 20), "_0.05"),
        (123456789, "123456789"),
        (1234567890, "1.23e+09"),
        (Fraction(1, 10**10), "1.00e_10"),
    ],
)
def test_tick_text(value, text):
    assert svg._tick_text(value) == text.replace("_", "\N{MINUS SIGN}")


def test_one_value_and_numbers_of_any_size():
    root = drawn(NullDistribution.of({0: 8}), 0)
    assert words(root)[:2] == ["t", "two-sided p = 1.00000"]
    assert words(root)[-8:-3] == ["\N{MINUS SIGN}4", "\N{MINUS SIGN}2", "0", "2", "4"]
    assert mass(root) == "M431.08 364V96.00H488.92V364Z"
    huge = drawn(NullDistribution.of({-(10**3000): 1, 10**3000: 1}), 10**3000)
    assert "observed 1.000000000e+3000" in words(huge)
    assert "5.00e+2999" in words(huge)


@pytest.mark.parametrize("x", [84, 163.9, 164, 164.5, 460, 755.5, 756, 756.1, 836])
def test_the_label_of_the_observed_value_stays_inside(x):
    """It is about 160 wide: in the middle where that fits between 84 and 836, else towards the other side."""
    line, label = map(ET.fromstring, svg._marked(SimpleNamespace(x=lambda value: value * x), 1))
    side = label.get("text-anchor")
    left = x - 160 * ["start", "middle", "end"].index(side) / 2
    assert 84 <= left <= left + 160 <= 836
    assert (side == "middle") is (x - 80 >= 84 and x + 80 <= 836)
    assert (label.text, line.get("x1"), line.get("x2"), label.get("x")) == ("observed 1", *[f"{x:.2f}"] * 3)


def test_long_words_are_cut():
    for title, label in [("x" * 70, "y" * 100), ("x" * 71, "y" * 101), ("x" * 200, "y" * 200)]:
        shown = words(drawn(spread(3), 1, title=title, label=label))
        assert shown[0] == (title if len(title) == 70 else "x" * 69 + "\N{HORIZONTAL ELLIPSIS}")
        assert (label if len(label) == 100 else "y" * 99 + "\N{HORIZONTAL ELLIPSIS}") in shown


def test_what_xml_does_not_allow_becomes_a_question_mark():
    allowed = " ~\x7f\ud7ff\ue000\ufffd\U0001f600"
    assert svg._escaped(allowed) == allowed
    assert svg._escaped("\x00\x1f\t\n\ud800\udbff\udfff\ufffe\uffff") == "?" * 9
    assert svg._escaped("<&\">'") == "&lt;&amp;&quot;&gt;'"
