"""Verdicts in words: what is not known is not said."""

import random

import pytest

from exactperm import audit_claim
from exactperm.budget import Budget
from exactperm.record import replaced

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


def test_details_say_bounds_and_where_the_claim_stands():
    rng = random.Random(4)
    data = [repr(rng.gauss(0.1, 1)) for _ in range(120)]
    finding = audit_claim(
        {"p": "p = .5", "data": data, "note": "of table 3"}, budget=Budget(seconds=1)
    )
    details = [*replaced(finding, place="claims.csv, line 3").details()]
    assert "exact p-value: between 0.0453889 and 0.0453923" in details
    assert details[-2:] == ["claim: claims.csv, line 3", "note of the claim: of table 3"]
    assert "Other readings that were tried give other numbers:" in details
    (student,) = [line for line in details if line.startswith("- paired t-test: ")]
    assert student.count("two-sided: 0.0456") == 1
