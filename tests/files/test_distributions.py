"""CSV, JSON and pictures of null distributions."""

import xml.etree.ElementTree as ET
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.arithmetic.reading import exact
from exactperm.arithmetic.writing import parse_exact
from exactperm.budget import Budget
from exactperm.errors import BudgetExceeded
from exactperm.fast import fast_sign_flip_test
from exactperm.files import distributions
from exactperm.null.alternative import ALTERNATIVES
from exactperm.null.distribution import NullDistribution
from exactperm.permutation import permutation_test, sign_flip_test
from exactperm.samples import fast_permutation_test_runs
from exactperm.swaps.metrics import f1_difference
from tests.files.questions import question


def test_csv():
    null = permutation_test(["0.5", "0.25"], ["0", "0"]).null_distribution
    assert list(distributions.csv_lines(null)) == [
        "value,count,probability,value_decimal,probability_decimal",
        "-0.75,1,1/4,-0.75000000000000000,0.25000000000000000",
        "-0.25,1,1/4,-0.25000000000000000,0.25000000000000000",
        "0.25,1,1/4,0.25000000000000000,0.25000000000000000",
        "0.75,1,1/4,0.75000000000000000,0.25000000000000000",
    ]


def test_csv_is_read_back_at_any_length():
    """The least probability at 20,000 pairs has 6,021 digits below the line: hexadecimal."""
    for pairs in (3, 20_000):
        counts = {-1: 1, 0: (1 << pairs) - 2, 1: 1}
        lines = distributions.csv_lines(NullDistribution.of(counts))
        rows = [line.split(",") for line in [*lines][1:]]
        assert {exact(value): parse_exact(count) for value, count, *_ in rows} == counts
        assert sum(Fraction(parse_exact(p)) for _value, _count, p, *_ in rows) == 1


@pytest.mark.parametrize(("pairs", "seconds"), [(1, 0.0015), (20_000, 0.057)])
def test_writing_has_its_part_of_the_budget(pairs, seconds):
    """Long numbers take longer to write: 100 values of one bit and of 20,000."""
    null = NullDistribution(support=tuple(range(100)), counts=(1 << pairs,) * 100)
    distributions.check_size(null, Budget(seconds=seconds + 0.03))
    with pytest.raises(BudgetExceeded):
        distributions.check_size(null, Budget(seconds=seconds - 0.001))


SVG = "{http://www.w3.org/2000/svg}"


def test_words_of_a_picture():
    for alternative, note in (
        ("greater", "one-sided (greater) p = 0.250 (1/4)"),
        ("less", "one-sided (less) p = 1.00"),
        ("two-sided", "two-sided p = 0.500 (1/2)"),
        ("doubled", "doubled p = 0.500 (1/2)"),
    ):
        result = sign_flip_test([2, 1, 0], alternative=alternative)
        drawing = distributions.found(result, question(), budget=Budget()).picture()
        shown = [text.text for text in ET.fromstring(drawing).iter(f"{SVG}text")]
        assert shown[:2] == [note, "Null distribution, 3 pairs of maize.csv"]
        assert {"sum of the differences: d", "observed 3"} <= {*shown}


@given(
    st.dictionaries(st.integers(-30, 30), st.integers(1, 9), min_size=1, max_size=12),
    st.integers(0, 11),
    st.sampled_from(ALTERNATIVES),
)
def test_what_is_shaded_is_what_the_p_value_counts(counts, position, alternative):
    """Values up to ``low`` and from ``high`` on make up the p-value; doubled counts its side twice."""
    null = NullDistribution.of(counts)
    observed = null.support[position % len(null.support)]
    low, high = null.extreme_region(observed, alternative)
    ends = [(x, n) for x, n in null.items() if low is not None and x <= low]
    ends += [(x, n) for x, n in null.items() if high is not None and x >= high]
    shaded = sum(dict(ends).values())
    expected = null.pvalue(observed, alternative) * null.total
    assert (min(2 * shaded, null.total) if alternative == "doubled" else shaded) == expected


REAL = [0.31, -0.12, 0.558, 0.2201, -0.4, 0.19003, 0.05, 0.61, -0.33, 0.127, 0.288, 0.09]


def too_many(*_words):
    raise BudgetExceeded("laying out")


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_bins_hold_what_they_say_where_sums_are_not_counted(alternative, monkeypatch):
    """Of a certified bracket, and of a count whose sums are too many."""
    monkeypatch.setattr(distributions, "_STEPS", 1)
    null = sign_flip_test(REAL).null_distribution
    for test in (fast_sign_flip_test, sign_flip_test):
        result = test(REAL, alternative=alternative)
        monkeypatch.setattr("exactperm.counting.plan.counts", too_many)
        drawing = distributions.found(result, question(), budget=Budget())
        inside = 0
        for left, right, mass in drawing.columns:
            exactly = sum(n for x, n in null.items() if left <= x < right)
            edge = sum(n for x, n in null.items() if x in (left, right))
            off = abs(mass - Fraction(exactly, null.total))
            assert off <= drawing.error + Fraction(edge, null.total)
            inside += mass
        assert abs(inside - 1) <= Fraction(1, 1000)
        assert drawing.region == null.extreme_region(result.statistic, alternative)
        assert "probability of a bin" in drawing.picture()
        with pytest.raises(BudgetExceeded, match="listing all sums"):
            drawing.csv()


def test_runs_that_cannot_be_counted_have_no_picture():
    scores = [[0.1 * i, 0.37 * i * i, i / 7] for i in range(1, 9)]
    result = fast_permutation_test_runs(scores, scores[::-1], design="within")
    with pytest.raises(BudgetExceeded, match="a picture of runs or ratios"):
        distributions.found(result, question(), budget=Budget())
    ratio = permutation_test([(1, 2), (3, 1)], [(2, 2), (1, 1)], statistic=f1_difference)
    with pytest.raises(BudgetExceeded):
        distributions.found(ratio, question(), budget=Budget(seconds=1e-9))
