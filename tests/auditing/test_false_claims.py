"""Sentences about audits that come to mind, and that are false: each counterexample runs."""

import math
from fractions import Fraction as F

import pytest

from exactperm.auditing.attainable import attainable
from exactperm.auditing.audit import audit_claim
from exactperm.cli.demo import DARWIN_MAIZE


@pytest.mark.slow
@pytest.mark.parametrize(("n", "zero"), [(8, ".00"), (11, ".000"), (15, ".0000")])
def test_a_printed_zero_needs_one_pair_more(n, zero):
    # audit-lattice: every text above 0 is printed by some multiple of 2/2**n from n on; the text 0
    # is not.
    places = len(zero) - 1
    numbers = range(1, 10**places + 1) if places < 4 else (1, 2, 3, 4999, 5000, 9999, 10000)
    assert all(attainable(n).contains(f"{number / 10**places:.{places}f}") for number in numbers)
    assert not attainable(n).contains(zero)
    assert attainable(n + 1).contains(zero)


def test_texts_of_two_decimals_near_a_value():
    # audit-chance: at most 94 texts lie in [p/4, min(4p, 1)], so no share of texts that are met is
    # below 1/94.
    def texts(p):
        return math.floor(min(4 * p, F(1)) * 100) - math.ceil(p / 4 * 100) + 1

    assert max(texts(F(q, 10_000)) for q in range(1, 10_001)) == 94
    shares = [
        audit_claim({"p": f".{text}", "data": [*DARWIN_MAIZE], "stated": "all"}).share
        for text in ("01", "02", "03", "06")
    ]
    assert any(shares)
    assert all(not share or share >= F(1, 94) for share in shares)
