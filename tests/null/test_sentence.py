"""The line that reports a test: writing and reading are inverse, and nothing else is read."""

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import exactperm
from exactperm.errors import ExactPermError
from exactperm.null.alternative import ALTERNATIVES
from exactperm.null.sentence import (
    STATISTICS,
    ZEROS,
    Sentence,
    is_sentence,
    is_weighted,
    read_sentence,
)

LINE = (
    "exactperm 0.2.0 | paired permutation, swaps of 60 pairs | sum of differences | two-sided "
    "| p = 0.0213 (exact 697/32768) | sha256:1a2b3c4d"
)


digests = st.text("0123456789abcdef", min_size=8, max_size=8)


def test_the_agreed_form():
    sentence = Sentence(
        version="0.2.0", n=60, p=Fraction(697, 32768), sha256=("1a2b3c4d" + "0" * 56,)
    )
    assert str(sentence) == repr(sentence) == LINE
    assert read_sentence(LINE) == Sentence(
        version="0.2.0", n=60, p=Fraction(697, 32768), sha256=("1a2b3c4d",)
    )
    assert is_sentence(f" {LINE}")
    assert not is_sentence("p = 697/32768")


sentences = st.builds(
    Sentence,
    version=st.just("0.2.0"),
    statistic=st.sampled_from(sorted(set(STATISTICS) - {"wilcoxon"})),
    alternative=st.sampled_from(ALTERNATIVES),
    n=st.integers(1, 10**6),
    units=st.sampled_from(["pairs", "groups", "differences"]),
    p=st.fractions(0, 1, max_denominator=2**60).filter(bool),
    sha256=st.lists(digests, max_size=3).map(tuple),
    swapped_order=st.booleans(),
    mu=st.fractions(max_denominator=1000),
    decimals=st.none() | st.integers(0, 4000),
)
ranked = st.builds(
    Sentence,
    version=st.just("1"),
    statistic=st.just("wilcoxon"),
    zeros=st.sampled_from(sorted(ZEROS)),
    n=st.just(3),
    p=st.just(Fraction(1, 4)),
)


weighted = st.builds(
    Sentence,
    version=st.just("1"),
    statistic=st.sampled_from(["difference", "accuracy"]),
    n=st.just(3),
    p=st.just(Fraction(1, 4)),
    swapped_order=st.booleans(),
    decimals=st.none() | st.integers(0, 3),
    weights=st.just("items weighted")
    | st.builds(
        "mean over {} tasks of the {}means over items".format,
        st.integers(2, 10**9),
        st.sampled_from(["", "weighted "]),
    ),
)


@pytest.mark.slow
@given(sentences | ranked | weighted)
def test_reading_is_the_inverse_of_writing(sentence):
    assert "\n" not in str(sentence)
    assert read_sentence(str(sentence)) == sentence


@pytest.mark.slow
@given(st.integers(1, 2**400), st.integers(1, 2**400))
@example(1, 2**400)
def test_long_fractions_and_brackets_are_written_outward(a, b):
    low, high = sorted(Fraction(2 * x + 1, 2**402) for x in (a, b))
    for p in ((low, high), (high, high), high):
        sentence = Sentence(version="1", n=400, p=p)
        lower, upper = read_sentence(str(sentence)).p
        if p != (low, high):
            assert str(read_sentence(str(sentence))) == str(sentence), (
                "rounded decimals are read as such"
            )
        least = low if p == (low, high) else high
        # at most the width itself, or the 17th digit
        rounding = max(Fraction(1, 10**16), (high - least) / least)
        rounding = rounding if p == (low, high) != (high, high) else Fraction(1, 10**9)
        assert lower <= least < lower * (1 + rounding)
        assert upper * (1 - rounding) < high <= upper


OTHERS = """
exactperm => othertool
two-sided => two-sided | more
60 pairs => many pairs
60 pairs => 60 differences
two-sided => sideways
sum of differences => median
paired permutation => McNemar
sum of differences => sum of differences, zeros dropped
sum of differences => sum of differences, shift x
sum of differences => sum of differences, of all
0.0213 => 0.0113
0.0213 (exact 697/32768) => 2.00 (exact 2)
0.0213 (exact 697/32768) => 0.00 (exact 0)
= 0.0213 (exact 697/32768) => = .03
= 0.0213 (exact 697/32768) => in [0.3, 0.2]
= 0.0213 (exact 697/32768) => in [0.3, 1.2]
= 0.0213 (exact 697/32768) => in [0.3, 1..2]
(exact 697/32768) => (exact 697/32768...)
sha256:1a2b3c4d => sha256:1a2b
697/32768 => 1/0
differences | => differences, items weighted |
sum of differences => difference of means
swaps of 60 pairs => runs exchanged within 60 items
swaps of 60 pairs => sign flips of 60 pairs
sum of differences => difference of F1, items weighted
sum of differences => difference of accuracies, rounded to 1 decimal, items weighted
sum of differences => difference of means, mean over two tasks of the means over items
"""


@pytest.mark.parametrize("row", OTHERS.strip().splitlines())
def test_what_no_test_writes_is_refused(row):
    with pytest.raises(ExactPermError) as raised:
        read_sentence(LINE.replace(*row.split(" => ")))
    assert raised.value.code == "sentence"


def test_one_pair_and_two_files():
    sentence = Sentence(
        version="1",
        n=1,
        p=Fraction(1),
        statistic="wilcoxon",
        zeros="pratt",
        sha256=("a" * 8, "b" * 8),
    )
    assert str(sentence) == (
        "exactperm 1 | Wilcoxon signed-rank, swaps of 1 pair | sum of signed ranks, zeros by Pratt's rule | "
        "two-sided | p = 1.00 (exact 1) | sha256:aaaaaaaa+bbbbbbbb"
    )
    assert read_sentence(str(sentence)) == sentence


RESULTS = """
paired permutation, swaps of 3 pairs | sum of differences | sign_flip_test([3, 1, 2])
paired permutation, swaps of 2 groups | sum of differences | sign_flip_test([3, 1, 2], groups=[1, 1, 2])
paired permutation, swaps of 1 pair | sum of differences | permutation_test([1], [0], statistic=mean_difference)
paired permutation, swaps of 1 pair | difference of accuracies | permutation_test(["a"], ["b"], statistic=accuracy(["a"]))
paired permutation, swaps of 2 pairs | difference of means, items weighted | permutation_test([3, 1], [1, 2], weights=[1, 2])
paired permutation, swaps of 1 pair | difference of means, mean over 1 task of the means over items | permutation_test([3], [1], tasks=[0])
paired permutation, swaps of 1 pair | difference of F1 | permutation_test([(2, 1)], [(1, 2)], statistic=f1_difference)
paired permutation, swaps of 1 pair | difference of precision | permutation_test([(2, 1)], [(1, 2)], statistic=precision_difference)
paired permutation, swaps of 1 pair | difference of recall | permutation_test([(2, 1)], [(1, 2)], statistic=recall_difference)
paired permutation, swaps of 1 pair | difference of ratios of sums | permutation_test([(2, 1)], [(1, 2)], statistic=ratio_difference)
sign test, swaps of 2 pairs | number of positive differences | sign_test([3, 1])
McNemar, swaps of 3 pairs | number of discordant items | mcnemar_test(2, 1)
Wilcoxon signed-rank, swaps of 2 pairs | sum of signed ranks, zeros dropped | wilcoxon_signed_rank_test([3, 0], zero_method="wilcox")
Wilcoxon signed-rank, swaps of 2 pairs | sum of signed ranks, zeros by Pratt's rule | wilcoxon_signed_rank_test([3, 0], zero_method="pratt")
Wilcoxon signed-rank, swaps of 2 pairs | sum of signed ranks, zeros split | wilcoxon_signed_rank_test([3, 0], zero_method="zsplit")
"""


@pytest.mark.parametrize("row", RESULTS.strip().splitlines())
def test_lines_of_results(row):
    """The library's own line, also of a result that was read from its record."""
    words, call = row.rsplit(" | ", 1)
    result = eval(call, {name: getattr(exactperm, name) for name in exactperm.__all__})  # noqa: S307
    line = str(result.sentence(sha256=("1a2b3c4d",)))
    assert line.startswith(f"exactperm {exactperm.__version__} | {words} | two-sided | p = ")
    assert read_sentence(line) == result.sentence(sha256=("1a2b3c4d",))
    assert (
        exactperm.PermutationTestResult.from_dict(result.to_dict()).sentence() == result.sentence()
    )


def test_a_statistic_of_the_user_has_no_line():
    statistic = exactperm.Statistic((lambda a, b: a - b,), abs, "absolute difference")
    with pytest.raises(
        ExactPermError, match="cannot name the statistic 'absolute difference': only built-in ones"
    ):
        exactperm.permutation_test([2], [1], statistic=statistic).sentence()


def test_lines_of_certified_results():
    """As those of the exact results, also for signed ranks and from a record."""
    for exact, certified in (
        (exactperm.sign_flip_test([3, 1, 2]), exactperm.fast_sign_flip_test([3, 1, 2])),
        (
            exactperm.wilcoxon_signed_rank_test([3, 1, 0, 2], zero_method="pratt"),
            exactperm.fast_wilcoxon_signed_rank_test([3, 1, 0, 2], zero_method="pratt"),
        ),
    ):
        assert certified.sentence(mu=1) == exact.sentence(mu=1)
        assert exactperm.FloatResult.from_dict(certified.to_dict()).sentence() == exact.sentence()
        assert certified.recount().sentence() == exact.sentence()


def test_details_and_bounds():
    bounds = Fraction(1, 3), Fraction(334, 1000)
    sentence = Sentence(version="0.2.0", n=3, p=bounds, swapped_order=True, mu=Fraction(1, 2))
    line = str(sentence)
    assert line.endswith(
        "sum of differences, second minus first, shift 0.5 | two-sided | p in [3.333e-01, 3.341e-01]"
    )
    assert read_sentence(line).swapped_order
    assert is_weighted("difference of means, items weighted")
