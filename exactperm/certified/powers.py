"""Exponentials of one slope, and products of many powers, enclosed.

Source: spec/note-appendix.md#own-draw-brackets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from .._types import Any
from ..arithmetic.enclosure import ONE, Enclosure
from ..arithmetic.exponential import Exponential
from ..arithmetic.fixedpoint import ladder


class Powers:
    """exp(-s x) for one slope s = m * 2**-scale >= 0 and any integer x, enclosed."""

    def __init__(self, exponential: Exponential, slope: tuple[int, int]) -> None:
        self.exponential = exponential
        self.slope = slope
        self._m, self._scale = slope

    def __call__(self, x: int, places: int = 0) -> Enclosure:
        """Enclose the exponential of -s x * 2**-places."""
        argument = self.exponential.argument(self._m * abs(x), self._scale + places)
        value = self.exponential(argument)
        return value if x >= 0 else ONE.over(value, self.exponential.places)

    def argument(self, x: int) -> int:
        """Return s x >= 0 in the units of the exponential, rounded down."""
        return self.exponential.argument(self._m * x, self._scale)

    def fixed(self, x: int, width: int) -> tuple[int, int]:
        """Return integers around exp(-s x) * 2**width, for x >= 0."""
        return self.exponential.fixed(self.argument(x), width)

    def mean(self, x: int) -> Enclosure:
        """Enclose (1 - exp(-z)) / z for z = s x >= 0."""
        return self.exponential.mean(self.argument(x))

    def nats(self, x: int) -> float:
        """Return about s x."""
        return self._m * x / (1 << self._scale)


class Kept(Sequence[Enclosure]):
    """Many enclosures, in a third of their memory."""

    def __init__(self, values: Iterable[Enclosure]) -> None:
        self._lower = list[int]()
        self._gaps = list[int]()
        self._places = list[int]()
        known = dict[int, int]()  # most gaps are one of few numbers
        for lower, upper, exponent in values:
            self._lower.append(lower)
            self._gaps.append(known.setdefault(upper - lower, upper - lower))
            self._places.append(-exponent)

    def __len__(self) -> int:
        return len(self._lower)

    def __getitem__(self, i: Any) -> Any:
        lower = self._lower[i]
        return Enclosure(lower, lower + self._gaps[i], -self._places[i])


def power_of(counts: list[int], factor: Callable[[int], Enclosure], bits: int) -> Enclosure:
    """Enclose the product of factor(i)**counts[i], by one chain of squarings."""
    product = ONE
    for rung in ladder(counts):
        product = product.times(product, bits)
        for i in rung:
            product = product.times(factor(i), bits)
    return product
