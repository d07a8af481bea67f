"""Words, JSON, CSV and pictures of results."""

import json
from fractions import Fraction

import pytest

from exactperm.arithmetic.enclosure import Enclosure
from exactperm.fast import fast_permutation_test
from exactperm.files import report
from exactperm.files.checks import Note
from exactperm.files.columns import File, Question, Source
from exactperm.montecarlo.sampling import MonteCarloResult
from exactperm.null.result import PermutationTestResult
from exactperm.permutation import sign_flip_test
from exactperm.record import replaced
from exactperm.swaps.statistic import difference


def source(**changes):
    file = File(**{"name": "maize.csv", "sha256": "ab", "header": None, "first": 3, **changes})
    return Source(files=(file,), names=("d",), pairs=15)


def question(words="sum of the differences", **changes):
    return Question(
        statistic=difference, u=[], v=[], groups=None, words=words, source=source(**changes)
    )


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.00123, "1.2 ms"), (0.9994, "999.4 ms"), (1, "1.00 s")]
)
def test_elapsed(seconds, text):
    assert report.elapsed(seconds) == text


# ------------------------------------------------------------------------------------------ results


@pytest.mark.parametrize(
    ("alternative", "noun", "words"),
    [
        (
            "two-sided",
            "a difference",
            "5.00% of all swaps give a difference of 3 or more in either direction.",
        ),
        (
            "greater",
            "a difference of F1",
            "5.00% of all swaps give a difference of F1 of -3 or more.",
        ),
        ("less", "a difference", "5.00% of all swaps give a difference of -3 or less."),
        (
            "doubled",
            "a difference",
            "5.00% is twice the share of swaps at least as far on the side of -3, or 100%.",
        ),
        (
            "two-sided",
            report.RANKS,
            "5.00% of all swaps give a sum of ranks as far from its mean as -3, or farther.",
        ),
    ],
)
def test_a_p_value_in_words(alternative, noun, words):
    assert report.in_words("5.00%", -3, alternative, noun) == words


def test_a_line_closes_the_text():
    result = sign_flip_test(DIFFERENCES)
    assert report.text(result, question(), seconds=1, line="exactperm | x").endswith(
        ".\nexactperm | x"
    )


def test_doubts_follow_the_line_for_a_paper():
    asked = replaced(
        question(), source=replaced(source(), warnings=(Note(code="x", text="is it\x1b meant?"),))
    )
    assert report.text(sign_flip_test([1]), asked, seconds=1, line="line").endswith(
        "\nline\nnote: is it\\x1b meant?"
    )


def test_levels_of_both_systems():
    for noun, title in (("a difference", "means"), ("a difference of F1", "systems")):
        asked = Question(
            **{**vars(question()), "noun": noun, "levels": (("a", 1), ("b", Fraction(2, 3)))}
        )
        told = report.text(sign_flip_test(DIFFERENCES), asked, seconds=1)
        assert f"  {title:<12} a 1, b 0.666667\n" in told


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_text_of_an_estimate(alternative):
    result = MonteCarloResult(count=210, samples=9999, statistic=314, adjusted=True)
    told = report.estimate_text(result, question(), alternative=alternative, seed=7, seconds=2)
    assert told.splitlines() == [
        f"Monte Carlo ESTIMATE of a p-value, not exact: paired-permutation test, {alternative}",
        "  data         maize.csv: d",
        "  header       none; header yes makes line 3 one",
        "  estimate     0.02110 = (210 + 1) / (9999 + 1)",
        "  95% interval 0.01828 to 0.02401 for the exact p-value (Clopper-Pearson)",
        "  samples      9999 random swaps from seed 7, 210 at least as extreme",
        "  statistic    314 (sum of the differences)",
        "  pairs        15",
        "  time         2.00 s",
    ]


DIFFERENCES = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def lines_of(result, **options):
    text = report.text(result, question(), seconds=0.0123, **options)
    return dict(
        line.strip().split(None, 1) for line in text.replace("log10 p", "log10-p").splitlines()[1:]
    )


def test_text():
    words = {
        "in": "words     5.27% of all swaps give a difference of 314 or more in either direction."
    }
    assert lines_of(sign_flip_test(DIFFERENCES, method="enumeration"), digits=4) == {
        "data": "maize.csv: d",
        "header": "none; header yes makes line 3 one",
        "pairs": "15, 0 tied",
        "statistic": "314 (sum of the differences)",
        "p-value": "0.05267, exactly 863/16384",
        "assignments": "1726 of 2^15 at least as extreme",
        "log10-p": "-1.278409144",
        "time": "12.3 ms",
        **words,
    }


def test_statistics_that_do_not_terminate_are_shown_both_ways():
    assert (
        lines_of(sign_flip_test(["1/3", "2/7"]))["statistic"]
        == "0.6190476190 = 13/21 (sum of the differences)"
    )
    assert (
        lines_of(sign_flip_test([Fraction(10**20, 3**30)]))["statistic"]
        == "485693.5750 (sum of the differences)"
    )
    at_most = Fraction(10**21, 3)  # 24 characters
    shown = {
        lines_of(sign_flip_test([value]))["statistic"].split(" (")[0]
        for value in (at_most, 10 * at_most)
    }
    assert shown == {f"3.333333333e+20 = {10**21}/3", "3.333333333e+21"}


def test_text_counts_groups_and_their_ties():
    result = sign_flip_test([1, -1, 5, 5], groups=["a", "a", "b", "c"])
    assert lines_of(result)["pairs"] == "4 in 3 groups, 1 tied"


def test_text_of_a_p_value_with_thirty_thousand_digits():
    """Interpreters refuse the decimal text of such integers. 2^100000 is 9.990020930e30102, and 2 over it this."""
    lines = lines_of(sign_flip_test({1: 100_000}))
    assert lines["p-value"] == "2.001997808e-30103, exactly 1/2^99999"
    assert lines["assignments"] == "2 of 2^100000 at least as extreme"


def test_text_leaves_out_the_middle_of_long_counts():
    """All signs are as extreme: the count is 2^N itself."""
    counts = [
        lines_of(sign_flip_test({1: pairs}, alternative="less"))["assignments"]
        for pairs in (78, 79)
    ]
    assert counts == [
        f"{2**78} of 2^78 at least as extreme",
        "604462...353088 (24 digits) of 2^79 at least as extreme",
    ]


def float_lines(result):
    return report.text(result, question("s"), seconds=2).splitlines()


def test_text_of_the_float_path():
    assert float_lines(fast_permutation_test(DIFFERENCES, [0] * 15, alternative="greater")) == [
        "Paired-permutation test, greater: the exact p-value is between two certain bounds",
        "  data         maize.csv: d",
        "  header       none; header yes makes line 3 one",
        "  p-value      0.026336669921875000",
        "  as a float   0.026336669921875, correctly rounded",
        "  log10 p      -1.579439139",
        "  statistic    314 (s)",
        "  pairs        15",
        "  time         2.00 s",
        "  in words     2.63% of all swaps give a difference of 314 or more.",
    ]


def test_text_of_a_wide_bracket_and_of_a_p_value_below_all_floats():
    wide = replaced(
        fast_permutation_test([1, 2, 3], [0, 0, 0]), bracket=Enclosure(1, 3, -2), digits=3
    )
    assert "  p-value      between 0.250 and 0.750" in float_lines(wide)
    assert "  as a float   0.5" in float_lines(wide)
    assert "  as a float   too small for one" in float_lines(
        fast_permutation_test([1] * 9999, [0] * 9999)
    )


def test_record_of_the_float_path():
    data = json.loads(report.json_text(fast_permutation_test(["0.5"], [0], digits=3).to_dict()))
    assert (data["pvalue"], data["decimal_bracket"], data["statistic"]) == (
        1,
        ["1.00e+00", "1.00e+00"],
        "1/2",
    )
    assert (data["method"], data["n"], data["alternative"]) == ("certified", 1, "two-sided")


def test_json_reads_back():
    result = sign_flip_test({1: 40_000, 2: 3})
    text = report.json_text({**result.to_dict(), "file": "ü"})
    assert PermutationTestResult.from_dict(json.loads(text)) == result
    assert len(text.splitlines()) == len(result.to_dict()) + 3
    with pytest.raises(ValueError, match="JSON compliant"):  # a bare NaN is no JSON
        report.json_text({"p": float("nan")})


def test_a_bracket_in_a_record_keeps_every_digit():
    assert report.bracket_text(Enclosure(10**20, 10**20 + 1, -70)) == [
        "100000000000000000000",
        "100000000000000000001",
        -70,
    ]
