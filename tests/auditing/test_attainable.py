"""The data-free checks against every p-value that small data give."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm import sign_flip_test, sign_test, wilcoxon_signed_rank_test
from exactperm.auditing.attainable import attainable
from exactperm.auditing.conventions import BOUNDARIES, TAILS, facts
from exactperm.errors import ExactPermError

F = Fraction


def text(p):
    """A fraction as it is printed: exact."""
    return f"{p.numerator}/{p.denominator}"


def all_sums(n, most):
    for sizes in product(range(1, most + 1), repeat=n):
        if sizes == tuple(sorted(sizes)):
            for signs in product((1, -1), repeat=n):
                yield [sign * size for sign, size in zip(signs, sizes)]


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_every_pvalue_of_small_sums_is_attainable_and_every_multiple_occurs(n):
    seen = {(tail, boundary): set() for tail in TAILS for boundary in BOUNDARIES}
    for d in all_sums(n, 2 ** min(n, 3)):
        known = facts(sign_flip_test(d))
        for (tail, boundary), values in seen.items():
            values.add(known.value("exact", tail, boundary))
    for (tail, boundary), values in seen.items():
        found = attainable(n, alternative=tail, boundary=boundary)
        assert all(found.contains(text(p)) for p in values), (tail, boundary)
    assert seen["greater", ">="] == {F(m, 2**n) for m in range(1, 2**n + 1)}
    assert seen["two-sided", ">="] == {F(2 * m, 2**n) for m in range(1, 2 ** (n - 1) + 1)}


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8])
@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_ranks_without_ties_and_signs_are_listed_exactly(n, tail, boundary):
    ranks, signs = set(), set()
    for pattern in product((1, -1), repeat=n):
        d = [sign * (i + 1) for i, sign in enumerate(pattern)]
        ranks.add(facts(wilcoxon_signed_rank_test(d, [0] * n), 1).value("exact", tail, boundary))
        signs.add(facts(sign_test(d, [0] * n)).value("exact", tail, boundary))
    for test, values in (("signed-rank", ranks), ("sign", signs)):
        assert attainable(n, test, alternative=tail, boundary=boundary).values == tuple(sorted(values))


def test_known_impossibilities_name_tail_boundary_and_assumption():
    assert not attainable(5).contains("p = .03")
    assert attainable(5, alternative="greater").contains("p = .03")  # 1/32
    assert attainable(5, boundary="mid").contains("p = .03")  # 1/32 for (1, 2, 3, 4, 5)
    assert not attainable(4, "signed-rank").contains("1/2")
    assert attainable(4).contains("1/2")
    assert attainable(5).verdict("p = .03") == (
        "'p = .03' is impossible as stated: sum, two-sided; 5 pairs have a difference"
    )
    assert "attainable: signed-rank" in attainable(4, "signed-rank").verdict("p = .25")
    assert "no two of the same size" in attainable(4, "signed-rank").verdict("1/2")


@given(st.integers(1, 16), st.integers(2, 4), st.integers(0, 10**4))
def test_a_fine_lattice_says_nothing(n, places, number):
    """Vacuous for texts above 0 once 2**(1 - n) is at most the unit: from n = 8, 11, 15 on for 2, 3, 4 decimals."""
    text = number % 10**places
    found = attainable(n).contains(f"{text / 10**places:.{places}f}")
    assert found or F(2, 2**n) > F(1, 10**places) or (text == 0 and F(2, 2**n) >= F(1, 2 * 10**places))


def test_without_its_boundary_no_pvalue_is_one():
    # The observed assignment is not beyond itself: p is at most 1 - 2/2**n. From n = 9 on the text fits, rounded.
    assert not attainable(5, boundary=">").contains("p = 1.00")
    assert attainable(9, boundary=">").contains("p = 1.00")
    assert attainable(5).contains("p = 1.00")


def test_share_of_three_decimal_texts_that_a_sign_test_of_100_prints():
    found = attainable(100, "sign")
    share = sum(found.contains(f"0.{m:03d}") for m in range(1, 1001 - 1)) / 999
    assert share == pytest.approx(0.019, abs=0.02)


def test_monte_carlo_estimates():
    assert attainable(9, samples=3).contains("0.33")
    assert not attainable(9, samples=1000, estimate="(b+1)/(K+1)").contains("0.0000")
    assert attainable(9, samples=1000, estimate="b/K").contains("1/500")
    assert not attainable(9, samples=1000, estimate="(b+1)/(K+1)").contains("1/500")
    assert attainable(9, samples=1000).contains("2/1001")


def test_inequalities_and_zeros():
    assert not attainable(3).contains("p < .05")
    assert attainable(6).contains("p < .05")
    assert attainable(3).contains("p > .05")
    assert not attainable(3).contains("p > 1")
    assert attainable(3).contains("n.s.")
    assert not attainable(5).contains("0.00")
    assert attainable(20).contains("0.00")
    assert attainable(5, "sign").contains("p >= 1")


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((0,), {}, "n is 0"),
        ((5, "median"), {}, "test is 'median'"),
        ((5,), {"alternative": "both"}, "alternative is 'both'"),
        ((5,), {"boundary": "="}, "boundary is '='"),
        ((5,), {"estimate": "b/K"}, "samples is None"),
        ((5,), {"samples": 10, "estimate": "b"}, "estimate is 'b'"),
        ((500, "signed-rank"), {}, "up to 400 pairs"),
    ],
)
def test_bad_input(arguments, options, message):
    with pytest.raises(ExactPermError, match=message):
        attainable(*arguments, **options)


def test_the_samples_are_bounded():
    with pytest.raises(ExactPermError, match=r"samples is 1000.* it must be between 1 and 1000000000000000000"):
        attainable(5, samples=10**5000)
