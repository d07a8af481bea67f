"""Words, JSON, CSV and pictures of results."""

import json
from fractions import Fraction

import pytest

from exactperm.arithmetic.enclosure import Enclosure
from exactperm.fast import fast_permutation_test
from exactperm.files import answer
from exactperm.files.json_text import dumped
from exactperm.intervals.confidence import confidence_interval
from exactperm.null.result import PermutationTestResult
from exactperm.permutation import sign_flip_test
from exactperm.record import replaced
from tests.files.questions import question

# ------------------------------------------------------------------------------------------ results


WORDS = {
    ("two-sided", "a difference"): "give a difference of 3 or more in either direction.",
    ("greater", "a difference of F1"): "give a difference of F1 of -3 or more.",
    ("less", "a difference"): "give a difference of -3 or less.",
    ("two-sided", "a sum of ranks"): "give a sum of ranks as far from its mean as -3, or farther.",
}


def test_a_p_value_in_words():
    result = sign_flip_test([-1, -2])
    for (alternative, noun), words in WORDS.items():
        changed = replaced(result, alternative=alternative)
        assert (
            answer.sentence(changed, question(about={"noun": noun}))
            == f"50.0% of all swaps {words}"
        )
    doubled = answer.sentence(replaced(result, alternative="doubled"), question())
    assert (
        doubled == "50.0% is twice the share of swaps at least as far on the side of -3, or 100%."
    )


def told(levels=(), level="", result=None, **options):
    """Return the lines of the text of a result of a question with these levels."""
    asked = question(about={"levels": levels, "level": level})
    result = sign_flip_test(DIFFERENCES) if result is None else result
    return answer.text(result, asked, seconds=1, line="LINE", **options).splitlines()


AHEAD = {
    ((("a", 1), ("b", Fraction(2, 3))), ""): "a is ahead of b by 0.3333 on average (means 1 and 0.666667)",
    ((("a", 1), ("b", Fraction(3, 2))), "F1"): "b is ahead of a by 0.5 in F1 (1.5 and 1)",
    ((("a", 0), ("b", 1)), "accuracy"): "b is ahead of a by 1 in accuracy (1 and 0)",
    ((("a", 2), ("b", 2)), ""): "a and b are equal on average (means 2)",
    ((("d", Fraction(-1, 7000)),), ""): "the mean of the differences is -0.000142857",
}  # fmt: skip


@pytest.mark.parametrize(("levels", "level"), AHEAD)
def test_the_answer_comes_first_and_closes_the_text(levels, level):
    """Who is ahead, p in three digits, then all else; last the sentence for a text and the line that is read back."""
    shown = told(levels, level)
    said = AHEAD[levels, level]
    assert shown[0] == said
    assert shown[1] == "p = 0.0527, two-sided (0.05267333984 = 863/16384, counted exactly)"
    closing = (
        f"{said.partition(' (')[0]} (N = 15, exact paired-permutation test, two-sided, p = .0527)"
    )
    assert shown[-2:] == [closing, "LINE"]


def test_a_name_may_have_brackets():
    said = told((("base (v1)", 1), ("Ours (large)", 2)))
    assert said[-2].startswith("Ours (large) is ahead of base (v1) by 1 on average (N = 15, ")


def test_without_levels_there_is_no_sentence():
    shown = told()
    assert shown[0].startswith("p = 0.0527, two-sided")
    assert shown[-2].startswith("  in words")


def test_runs_and_brackets_are_named_in_the_sentence():
    asked = question(about={"levels": (("a", 1), ("b", 2)), "design": "within"})
    result = fast_permutation_test(["0.5", 1, 2], [0, 0, 0])
    said = answer.text(result, asked, seconds=1, refused="too many").splitlines()
    assert said[1] == "p = 0.250, two-sided (0.25000000000000000, certified)"
    assert "  exact count  too many" in said
    assert said[-1].endswith(
        "(N = 15, certified permutation test of several runs, two-sided, p = .250)"
    )


def interval(words=(("new", 1), ("old", 2)), **more):
    asked = question(about={"levels": words})
    return answer.interval_lines(confidence_interval([1, 2, 6, 9, 4, 8], **more), asked)


def test_intervals():
    """The system that is ahead comes first; without ends it is said how many pairs would have some."""
    assert interval() == ["95% interval of new - old: 1.00 to 9.00 (exact)"]
    flipped = answer.interval_lines(
        confidence_interval([-1, -2, -6, -9, -4, -8]),
        question("s a - b", about={"levels": (("a", 1), ("b", 2))}),
    )
    assert flipped == ["95% interval of b - a: 1.00 to 9.00 (exact)"]
    assert interval((("d", 1),)) == ["95% interval of the differences: 1.00 to 9.00 (exact)"]
    assert interval(alternative="greater", confidence="0.9") == [
        "90% interval of new - old: at least 3.00 (exact)"
    ]
    assert interval(alternative="less", confidence="0.9") == [
        "90% interval of new - old: at most 7.00 (exact)"
    ]
    few = answer.interval_lines(confidence_interval([1, 2, 6, 9]), question())
    assert few == ["no interval: 4 pairs cannot exclude any difference at 95%; 6 can"]
    groups = answer.interval_lines(
        confidence_interval([1, 2, 6, 9], groups=[1, 1, 2, 2]), question()
    )
    assert groups == ["no interval: 2 groups cannot exclude any difference at 95%; 6 can"]
    assert answer.interval_lines("because", question()) == ["no interval: because"]
    assert answer.interval_lines("", question()) == []


def test_an_interval_around_zero_has_no_negative_zero():
    lines = answer.interval_lines(
        confidence_interval([-1, -2, -6, -9, -4, 0]),
        question("s a - b", about={"levels": (("a", 1), ("b", 2))}),
    )
    assert lines == ["95% interval of b - a: 0.00 to 9.00 (exact)"]


DIFFERENCES = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def lines_of(result, **options):
    text = answer.text(result, question(), seconds=0.0123, **options)
    rows = [line for line in text.replace("log10 p", "log10-p").splitlines() if line[:2] == "  "]
    return dict(line.strip().split(None, 1) for line in rows)


def test_text():
    words = {
        "in": "words     5.27% of all swaps give a difference of 314 or more in either direction."
    }
    assert lines_of(sign_flip_test(DIFFERENCES, method="enumeration"), digits=4) == {
        "data": "maize.csv: d",
        "header": "none",
        "pairs": "15, 0 tied",
        "statistic": "314 (sum of the differences)",
        "assignments": "1726 of 2^15 at least as extreme",
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
    first = answer.text(sign_flip_test({1: 100_000}), question(), seconds=1).splitlines()[0]
    assert first == "p = 2.00e-30103, two-sided (2.001997808e-30103 = 1/2^99999, counted exactly)"
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
    return answer.text(result, question("s"), seconds=2).splitlines()


def test_text_of_the_float_path():
    assert float_lines(fast_permutation_test(DIFFERENCES, [0] * 15, alternative="greater")) == [
        "p = 0.0263, greater (0.026336669921875000, certified)",
        "Paired-permutation test, greater: the exact p-value is between two certain bounds",
        "  data         maize.csv: d",
        "  header       none",
        "  as a float   0.026336669921875, correctly rounded",
        "  statistic    314 (s)",
        "  pairs        15",
        "  time         2.00 s",
        "  in words     2.63% of all swaps give a difference of 314 or more.",
    ]


def test_text_of_a_wide_bracket_and_of_a_p_value_below_all_floats():
    wide = replaced(
        fast_permutation_test([1, 2, 3], [0, 0, 0]), bracket=Enclosure(1, 3, -2), digits=3
    )
    assert (
        float_lines(wide)[0] == "p = 0.250 to 0.750, two-sided (between 0.250 and 0.750, certified)"
    )
    assert "  as a float   0.5" in float_lines(wide)
    assert "  as a float   too small for one" in float_lines(
        fast_permutation_test([1] * 9999, [0] * 9999)
    )


def test_json_reads_back():
    result = sign_flip_test({1: 40_000, 2: 3})
    text = dumped({**result.to_dict(), "file": "ü"})
    assert PermutationTestResult.from_dict(json.loads(text)) == result
    assert len(text.splitlines()) == len(result.to_dict()) + 3
    with pytest.raises(ValueError, match="JSON compliant"):  # a bare NaN is no JSON
        dumped({"p": float("nan")})


def test_a_bracket_in_a_record_keeps_every_digit():
    assert answer.probability(Fraction(1, 3)) == "1/3"
    assert answer.probability(Enclosure(10**20, 10**20 + 1, -70)) == [
        "100000000000000000000",
        "100000000000000000001",
        -70,
    ]
