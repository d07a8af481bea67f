"""Bring a sum of independent steps to canonical form: steps with any rational values and weights.

A step is {value: weight}: its value is drawn with a probability proportional to its weight. With
all values on one lattice, and the weights of each step as integers without a common divisor, the
sum is T = low + unit * X, as that of exchangeable runs is; its mean need not be 0.

The steps {0: 2/3, 1: 1/3} and {2: 1, 4: 1} have the weights 2, 1 and 1, 1: T = 2 + X, X the sum of
((0, 2), (1, 1)) and ((0, 1), (2, 1)), and six choices.

Source: spec/16-two-samples-and-power.md#own-sums.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact, common_denominator, ratio, scaled
from ..arithmetic.reading import entries, exact
from ..arithmetic.writing import number_text
from ..errors import ExactPermError, WrongType
from .canonical import Swaps
from .units import Step


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
    return canonical_sum(whole, scaled(value, scale), scale)


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


def canonical_sum(steps: Iterable[Mapping[int, int]], observed: int, scale: int) -> Swaps:
    """Return the canonical form of integer steps; ``observed`` and all values are in units of 1/``scale``.

    Raises ``ExactPermError`` where the observed sum is off the lattice of the sums, or outside.

    >>> canonical_sum([{0: 1, 3: 1}] * 2 + [{5: 2}], 8, 1)
    Swaps(tally={((0, 1), (1, 1)): 2}, ties=1, low=5, unit=3, observed=1, tied=2)
    """
    found: Counter[tuple[tuple[int, int], ...]] = Counter()
    for terms in steps:
        found[tuple(sorted(terms.items()))] += 1
    shapes: Counter[Step] = Counter()
    low = ties = 0
    common = 1
    for terms_of_one, count in found.items():
        least = terms_of_one[0][0]
        low += least * count
        weights = [weight for _value, weight in terms_of_one]
        shared = math.gcd(*weights)
        common *= shared**count
        if len(weights) == 1:
            ties += count
        else:
            shapes[tuple([(value - least, g // shared) for value, g in terms_of_one])] += count
    unit = math.gcd(*(value for step in shapes for value, _weight in step)) or 1
    types = {
        tuple([(value // unit, weight) for value, weight in step]): count
        for step, count in sorted(shapes.items())
    }
    x, off = divmod(observed - low, unit)
    span = sum(step[-1][0] * count for step, count in types.items())
    if off or not 0 <= x <= span:
        shown = number_text(ratio(observed, scale))
        raise ExactPermError(f"observed is {shown}: no choice of the steps has this sum")
    return Swaps(
        tally=types,
        ties=ties,
        low=ratio(low, scale),
        unit=ratio(unit, scale) if types else 1,
        observed=x,
        tied=common,
    )
