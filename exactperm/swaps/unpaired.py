"""Read what is tested without pairs: two samples, by strata where there are some, and sums of independent steps.

Observations of one stratum are exchangeable with each other only. A test of two samples has one
stratum with all of them. A step is {value: weight}: its value is drawn with a probability
proportional to its weight. With all values on one lattice, and the weights of each step as integers
without a common divisor, the sum is T = low + unit * X, as that of exchangeable runs is; its mean
need not be 0.

The steps {0: 2/3, 1: 1/3} and {2: 1, 4: 1} have the weights 2, 1 and 1, 1: T = 2 + X, X the sum of
((0, 2), (1, 1)) and ((0, 1), (2, 1)), and six choices.

Source: spec/16-two-samples-and-power.md#own-sums, spec/16-two-samples-and-power.md#own-two-samples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from .._types import Any
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact, common_denominator, scaled
from ..arithmetic.reading import entries, exact, scaled_columns
from ..arithmetic.writing import number_text
from ..errors import ExactPermError, WrongType
from ..record import Record
from .canonical import Swaps, canonical_sum
from .columns import check_alignment, check_same, read_labels


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
    x: Any, y: Any, strata: Any = None, weights: object = None, decimals: int | None = None
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
            raise ExactPermError("weights are of strata: give strata, too")
        return [Stratum(x=first, y=second)], scale
    if not isinstance(strata, (tuple, list)) or len(strata) != 2:
        raise WrongType(
            f"strata is {short_text(strata)}: it must be two columns of labels, of x and of y"
        )
    for side, (name, sample) in enumerate((("x", x), ("y", y))):
        check_alignment((sample, strata[side]), (name, f"strata[{side}]"))
    found: dict[object, tuple[list[int], list[int]]] = {}
    for side, (sample, labels) in enumerate(zip((first, second), strata)):
        of = f"observations of {'xy'[side]}"
        known = read_labels(labels, f"strata[{side}]", len(sample), "observation", of)
        for label, value in zip(known, sample):
            found.setdefault(label, ([], []))[side].append(value)
    if not any(mine and other for mine, other in found.values()):
        raise ExactPermError("strata: none has observations of both samples")
    shares = _weights(weights, found)
    return [
        Stratum(x=mine, y=other, weight=shares.get(label)) for label, (mine, other) in found.items()
    ], scale


def _weights(weights: object, labels: Mapping[object, object]) -> dict[object, Exact]:
    """Return the weight of each label, none where there are no weights."""
    if weights is None:
        return {}
    if not isinstance(weights, Mapping):
        raise WrongType(f"weights is {short_text(weights)}: it must be {{stratum: weight}}")
    check_same(labels, weights, ("strata", "weights"))
    found = {label: exact(weights[label], f"weights[{short_text(label)}]") for label in labels}
    for label, weight in found.items():
        if weight <= 0:
            raise ExactPermError(
                f"weights[{short_text(label)}] is {short_text(weights[label])}: it must be above 0"
            )
    return found


def read_steps(steps: object, observed: object) -> Swaps:
    """Return the canonical form of steps {value: weight} that a user gives, with the ``observed`` sum.

    A step is a mapping, or a sequence of pairs (value, weight); equal values are taken together,
    and weights of 0 are left out. Raises ``ExactPermError`` and ``WrongType`` with the place of
    what is no step. Cost: two microseconds for each value.

    >>> read_steps([{0: "2/3", 1: "1/3"}, [(2, 1), (4, 1)]], 3)
    Swaps(tally={((0, 1), (2, 1)): 1, ((0, 2), (1, 1)): 1}, ties=0, low=2, unit=1, observed=1, tied=1)
    """
    read = [_terms(step, f"steps[{i}]") for i, step in enumerate(entries(steps, "steps", "step"))]
    if not read:
        raise ExactPermError("steps is empty: a sum needs at least one step")
    value = exact(observed, "observed")
    values = [value, *(x for terms in read for x in terms)]
    scale = common_denominator(values, len(values))
    whole = [{scaled(x, scale): weight for x, weight in terms.items()} for terms in read]
    swaps = canonical_sum(whole, scaled(value, scale), scale)
    x = swaps.observed
    if swaps.value(x) != value or not 0 <= x <= swaps.span:
        raise ExactPermError(
            f"observed is {number_text(value)}: no choice of the steps has this sum"
        )
    return swaps


def _terms(step: object, place: str) -> dict[Exact, int]:
    """Return the values of one step with weights as integers, in the unit of their common denominator."""
    if isinstance(step, Mapping):
        pairs: list[object] = list(step.items())
    else:
        pairs = entries(step, place, "value")
    weights: dict[Exact, Exact] = {}
    for i, pair in enumerate(pairs):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise WrongType(
                f"{place}[{i}] is {short_text(pair)}: a step is {{value: weight}}, or pairs (value, weight)"
            )
        value, weight = exact(pair[0], place, i), exact(pair[1], f"the weight in {place}", i)
        if weight < 0:
            raise ExactPermError(
                f"the weight in {place}[{i}] is {short_text(pair[1])}: it must not be negative"
            )
        if weight:
            weights[value] = weights.get(value, 0) + weight
    if not weights:
        raise ExactPermError(f"{place} is {short_text(step)}: it has no value of positive weight")
    scale = common_denominator(weights.values(), len(weights))
    return {value: scaled(weight, scale) for value, weight in weights.items()}
