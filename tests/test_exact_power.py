"""Exact power equals the sum over all tables of gains, losses and ties; the items needed keep it."""

import re
from fractions import Fraction
from functools import partial
from math import comb

import pytest

from complaint import complaint
from exactperm import Budget, BudgetExceeded, ExactPermError, items_needed, mcnemar_test, power
from exactperm.arithmetic.writing import decimal_string
from exactperm.classical.power import picture
from exactperm.null.alternative import ALTERNATIVES

RATES = (("0.6", "0.1"), ("0", "0.3"), ("0.5", "0.5"), ("1", "0"), ("1/7", "2/7"))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("alpha", ["0.05", "0.5"])
def test_power_by_definition(alternative, alpha):
    for n in (0, 1, 6, 9):
        rejects = {
            (b, c): mcnemar_test(b, c, alternative=alternative).pvalue <= Fraction(alpha)
            for b in range(n + 1)
            for c in range(n + 1 - b)
        }
        for gain, loss in RATES:
            g, h = Fraction(gain), Fraction(loss)
            expected = sum(
                comb(n, b) * comb(n - b, c) * g**b * h**c * (1 - g - h) ** (n - b - c)
                for (b, c), rejected in rejects.items()
                if rejected
            )
            assert power(n, gain, loss, alpha=alpha, alternative=alternative) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rates", "about", "most"),
    [
        (("0.25", "0.1"), {}, 200),
        (("0.9", "0.1"), {"power": "0.75", "alternative": "greater"}, 60),
        (("0.1", "0.9"), {"power": "0.75", "alternative": "less"}, 60),
        ((1, 0), {"alternative": "greater"}, 30),
        (("0.2", 0), {"alpha": "0.9", "power": "0.01", "alternative": "greater"}, 30),
    ],
)
def test_the_power_stays(rates, about, most):
    """Up to a number by which the power is far above, one by one."""
    target = Fraction(about.get("power", "0.8"))
    level = {name: value for name, value in about.items() if name != "power"}
    short = [n for n in range(most) if power(n, *rates, **level) < target]
    assert items_needed(*rates, **about) == short[-1] + 1
    assert power(most, *rates, **level) > target


def test_what_has_no_power():
    wins, small = partial(items_needed, alternative="greater"), Budget(seconds=1e-6)
    for words, kind, call in (
        ("do not favour", ExactPermError, lambda: wins("0.1", "0.1")),
        ("do not favour", ExactPermError, lambda: wins("0.1", "0.2")),
        ("above 1", ExactPermError, lambda: power(5, "0.6", "0.6")),
        ("ties", ExactPermError, lambda: power(5, 0, 0)),
        ("10000000 items", BudgetExceeded, lambda: power(10**7, "0.2", "0.1")),
        ("greater lead", BudgetExceeded, lambda: items_needed("0.21", "0.2", budget=small)),
    ):
        assert words in complaint(kind, call)


def test_a_picture_of_few_items():
    assert "enough: 1.00 with 5 items" in picture(5, 1, 0, alternative="greater")


@pytest.mark.slow
def test_the_picture_has_the_heights_of_all_powers():
    """Without ties it is a sawtooth: the heights fall where the critical number of gains jumps."""
    n = items_needed("0.7", "0.3")
    drawn = picture(n, "0.7", "0.3", alternative="two-sided")
    y = list(map(float, re.findall(r"V([\d.]+)H", drawn)))
    powers = [power(m, "0.7", "0.3") for m in range(max(1, n - 80), n + 40)]
    y, top = y[: len(powers)], max(powers)
    assert [246 - round(float(p / top) * 220, 2) for p in powers] == pytest.approx(y, abs=0.011)
    assert any(a < b for a, b in zip(y, y[1:]))
    assert f"enough: {decimal_string(powers[n - max(1, n - 80)], 3)} with {n} items" in drawn
