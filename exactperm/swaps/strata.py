"""Read two unpaired samples, by strata where there are some, and turn them into ranks.

Observations of one stratum are exchangeable with each other only. A test of two samples has one
stratum with all of them.

Source: spec/16-two-samples-and-power.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from .._types import Any
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact
from ..arithmetic.reading import entries, exact, is_missing, scaled_columns
from ..errors import ExactPermError, WrongType
from ..record import Record


class Stratum(Record):
    """Observations of both samples in one stratum, as integers in a unit of all strata, and its weight.

    ``weight`` is None where the user gave none.
    """

    x: list[int]
    y: list[int]
    weight: Exact | None = None

    @property
    def n(self) -> int:
        """Number of observations."""
        return len(self.x) + len(self.y)

    def ranked(self) -> Stratum:
        """Return twice the ranks of the observations, 2 for the least; equal ones share the mean of their ranks.

        >>> Stratum(x=[5, 9], y=[7, 5]).ranked()
        Stratum(x=[3, 8], y=[6, 3], weight=None)
        """
        ranks, below = {}, 0
        for value, count in sorted(Counter([*self.x, *self.y]).items()):
            ranks[value] = 2 * below + count + 1
            below += count
        x, y = [[ranks[value] for value in side] for side in (self.x, self.y)]
        return Stratum(x=x, y=y, weight=self.weight)


def read_samples(
    x: Any, y: Any, strata: Any = None, weights: Any = None, decimals: int | None = None
) -> tuple[list[Stratum], int]:
    """Return (strata, scale): two samples as integers in units of 1/scale.

    ``strata`` is None for a single one, or two columns of labels, of x and of y; ``weights`` are
    None or {label: weight above 0}. Raises ``ExactPermError`` and ``WrongType`` with argument,
    position and value.

    >>> read_samples([1, 2, "0.5"], [3, 0], (["a", "b", "a"], ["b", "a"]))
    ([Stratum(x=[2, 1], y=[0], weight=None), Stratum(x=[4], y=[6], weight=None)], 2)
    """
    (first, second), scale = scaled_columns((x, y), ("x", "y"), decimals)
    for name, sample in (("x", first), ("y", second)):
        if not sample:
            raise ExactPermError(f"{name} is empty: a test needs an observation of each sample")
    if strata is None:
        if weights is not None:
            raise ExactPermError("weights are those of strata: say strata, too")
        return [Stratum(x=first, y=second)], scale
    if not isinstance(strata, (tuple, list)) or len(strata) != 2:
        raise WrongType(
            f"strata is {short_text(strata)}: it must be two columns of labels, of x and of y"
        )
    found: dict[Any, tuple[list[int], list[int]]] = {}
    for side, (sample, labels) in enumerate(zip((first, second), strata)):
        for label, value in zip(_labels(labels, side, len(sample)), sample):
            found.setdefault(label, ([], []))[side].append(value)
    if not any(mine and other for mine, other in found.values()):
        raise ExactPermError("strata: none has observations of both samples")
    shares = _weights(weights, found)
    return [
        Stratum(x=mine, y=other, weight=shares.get(label)) for label, (mine, other) in found.items()
    ], scale


def _labels(labels: Any, side: int, n: int) -> list[Any]:
    """Return the labels of one sample."""
    name = f"strata[{side}]"
    found = entries(labels, name, "observation")
    if len(found) != n:
        raise ExactPermError(f"{name} has {len(found)} labels for {n} observations of {'xy'[side]}")
    for i, label in enumerate(found):
        if is_missing(label):
            raise ExactPermError(f"{name}[{i}] is {short_text(label)}: the label is missing")
        try:
            hash(label)
        except TypeError:
            raise WrongType(
                f"{name}[{i}] is {short_text(label)}: labels must be hashable"
            ) from None
    return found


def _weights(weights: Any, labels: Mapping[Any, object]) -> dict[Any, Exact]:
    """Return the weight of each label, none where there are no weights."""
    if weights is None:
        return {}
    if not isinstance(weights, Mapping):
        raise WrongType(f"weights is {short_text(weights)}: it must be {{stratum: weight}}")
    for mine, other, names in (
        (labels, weights, ("strata", "weights")),
        (weights, labels, ("weights", "strata")),
    ):
        lone = next((label for label in mine if label not in other), None)
        if lone is not None:
            raise ExactPermError(f"{names[0]} has {short_text(lone)} and {names[1]} has not")
    found = {label: exact(weights[label], f"weights[{short_text(label)}]") for label in labels}
    for label, weight in found.items():
        if weight <= 0:
            raise ExactPermError(
                f"weights[{short_text(label)}] is {short_text(weights[label])}: it must be above 0"
            )
    return found


def van_elteren(strata: Sequence[Stratum]) -> list[Exact]:
    """Return the weights of strata of a rank test: those given, or 1 / (N + 1), or 1 for a single stratum.

    >>> van_elteren([Stratum(x=[1], y=[2, 3]), Stratum(x=[1], y=[2])])
    [Fraction(1, 4), Fraction(1, 3)]
    """
    if len(strata) == 1 and strata[0].weight is None:
        return [1]
    return [Fraction(1, one.n + 1) if one.weight is None else one.weight for one in strata]
