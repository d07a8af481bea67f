"""Verdicts in words: what is not known is not said."""

import pytest

from exactperm import audit_claim
from exactperm.budget import Budget

REAL = [f"{(7 * i * i) % 101 - 50}.{i % 10}" for i in range(60)]


def judged(p, seconds):
    return audit_claim({"p": p, "data": REAL}, budget=Budget(seconds=seconds))


@pytest.mark.parametrize("p", ["p = .5", "p = 1.2"])
def test_a_sentence_gives_the_exact_p_value_where_it_is_known(p):
    known, unknown = judged(p, 5.0), judged(p, 1e-9)
    assert f"The document prints '{p}'; the exact p-value of these 60 pairs is" in known.sentence
    assert unknown.exact is None
    assert unknown.sentence.startswith(f"The document prints '{p}': ")


def test_a_letter_gives_the_right_number_where_it_is_known():
    known, unknown = [[*judged("p = 1.2", seconds).letter()] for seconds in (5.0, 1e-9)]
    right = "With as many decimals as are printed, the p-value of the data is "
    assert [line.startswith(right) for line in known] == [False, True, False]
    assert not any(line.startswith(right) for line in unknown)
