"""Exponentials of one slope, and products of many powers, enclosed.

Source: spec/tilted-inversion.md.
"""

from __future__ import annotations

from ..arithmetic.enclosure import ONE, Enclosure
from ..arithmetic.exponential import Exponential
from ..arithmetic.fixedpoint import ladder


class Powers:
    """exp(-s x) for one slope s = m * 2**-scale >= 0 and any integer x, enclosed."""

    def __init__(self, exponential: Exponential, slope: tuple[int, int]) -> None:
        self._exponential, (self._m, self._scale) = exponential, slope

    def __call__(self, x: int, places: int = 0) -> Enclosure:
        """Enclose the exponential of -s x * 2**-places."""
        argument = self._exponential.argument(self._m * abs(x), self._scale + places)
        value = self._exponential(argument)
        return value if x >= 0 else ONE.over(value, self._exponential.places)

    def nats(self, x: int) -> float:
        """Return about s x."""
        return self._m * x / (1 << self._scale)


def growth_of(counts: list[int], powers: list[Enclosure], bits: int) -> Enclosure:
    """Enclose G = prod_d (1 + exp(-lambda d))**c_d from the powers exp(-lambda d)."""
    return power_of(counts, [power.plus_one(bits) for power in powers], bits)


def power_of(counts: list[int], factors: list[Enclosure], bits: int) -> Enclosure:
    """Enclose the product of factors**counts, by one chain of squarings."""
    product = ONE
    for rung in ladder(counts):
        product = product.times(product, bits)
        for i in rung:
            product = product.times(factors[i], bits)
    return product
