"""What is written of results, kept in report.txt; to renew it: python tests/files/test_report.py."""

import json
import sys
from fractions import Fraction
from pathlib import Path

import pytest

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from exactperm.arithmetic.enclosure import Enclosure
from exactperm.cli.demo import DARWIN_MAIZE
from exactperm.fast import fast_permutation_test
from exactperm.files import answer
from exactperm.files.json_text import dumped
from exactperm.intervals.confidence import confidence_interval
from exactperm.null.result import PermutationTestResult
from exactperm.permutation import sign_flip_test
from exactperm.record import replaced
from tests.files.questions import question

GOLDEN = Path(__file__).with_name("report.txt")
NEW = ("new", 1), ("old", 2)
BRACKETS = ("base (v1)", 1), ("Ours (large)", 2)
LEVELS = [
    ((("a", 1), ("b", Fraction(2, 3))), ""),
    ((("a", 1), ("b", Fraction(3, 2))), "F1"),
    ((("a", 0), ("b", 1)), "accuracy"),
    ((("a", 2), ("b", 2)), ""),
    ((("d", Fraction(-1, 7000)),), ""),
    (BRACKETS, ""),
    ((), ""),
]
SCORES = 1, 2, 6, 9, 4, 8


def written():
    """Yield the texts of results, in all forms that they have."""

    def text(result, seconds=1, said=(), **options):
        return answer.text(result, question(about=dict(said)), seconds=seconds, **options)

    maize = sign_flip_test(DARWIN_MAIZE)
    tops = [text(maize, said={"levels": some, "level": of}, line="LINE") for some, of in LEVELS]
    yield "\n".join(
        line for top in tops for line in (*top.splitlines()[:2], *top.splitlines()[-2:])
    )
    half = fast_permutation_test(["0.5", 1, 2], [0, 0, 0])
    runs = {"levels": NEW, "design": "within"}
    yield text(half, said=runs, refused="too many")
    yield text(fast_permutation_test(DARWIN_MAIZE, [0] * 15, alternative="greater"), seconds=0.0123)
    yield text(replaced(half, bracket=Enclosure(1, 3, -2), digits=3))
    yield text(fast_permutation_test([1] * 9999, [0] * 9999))
    yield text(sign_flip_test([1, -1, 5, 5], groups=["a", "a", "b", "c"]), digits=4)
    at_most = Fraction(10**21, 3)  # 24 characters
    for values in (["1/3", "2/7"], [Fraction(10**20, 3**30)], [at_most], [10 * at_most]):
        yield text(sign_flip_test(values))
    for pairs in (78, 79):  # the middle of a long count is left out
        yield text(sign_flip_test({1: pairs}, alternative="less"))
    # interpreters refuse the decimal text of such integers
    yield text(sign_flip_test({1: 100_000}))
    yield "\n".join(map(sentence, SENTENCES))
    yield "\n".join(line for about in INTERVALS for line in interval(*about))


SENTENCES = [
    *(("two-sided", "a difference"), ("greater", "a difference of F1"), ("less", "a difference")),
    *(("two-sided", "a sum of ranks"), ("doubled", "a difference")),
]


def sentence(said):
    alternative, noun = said
    result = replaced(sign_flip_test([-1, -2]), alternative=alternative)
    return answer.sentence(result, question(about={"noun": noun}))


INTERVALS = [
    (SCORES, NEW, {}),
    ([-d for d in SCORES], NEW, {}),  # the system that is ahead comes first
    ([-1, -2, -6, -9, -4, 0], NEW, {}),  # no negative zero
    (SCORES, NEW[:1], {}),
    (SCORES, NEW, {"alternative": "greater", "confidence": "0.9"}),
    (SCORES, NEW, {"alternative": "less", "confidence": "0.9"}),
    (SCORES[:4], (), {}),
    (SCORES[:4], (), {"groups": [1, 1, 2, 2]}),
]


def interval(d, levels, options):
    asked = question(about={"levels": levels})
    return answer.interval_lines(confidence_interval(d, **options), asked)


def test_texts_are_those_that_are_kept():
    assert "\n\n".join(written()) + "\n" == GOLDEN.read_text(encoding="utf-8")


def test_why_there_is_no_interval():
    assert answer.interval_lines("because", question()) == ["no interval: because"]
    assert answer.interval_lines("", question()) == []


def test_json_reads_back():
    result = sign_flip_test({1: 40_000, 2: 3})
    text = dumped({**result.to_dict(), "file": "ü"})
    assert PermutationTestResult.from_dict(json.loads(text)) == result
    assert len(text.splitlines()) == len(result.to_dict()) + 3
    with pytest.raises(ValueError, match="JSON compliant"):  # a bare NaN is no JSON
        dumped({"p": float("nan")})


def test_a_p_value_in_a_record_keeps_every_digit():
    assert answer.probability(Fraction(1, 3)) == "1/3"
    ends = [str(10**20), str(10**20 + 1), -70]
    assert answer.probability(Enclosure(10**20, 10**20 + 1, -70)) == ends


if __name__ == "__main__":
    GOLDEN.write_text("\n\n".join(written()) + "\n", encoding="utf-8")
