"""Dynamic programming over a dictionary {sum: number of swap assignments}: the paper's Alg. 3 in integers.

Theorem 3 with Lemma 1, as counts: with F_0 = {0: 1} and f_n the counts of pair n, F_n[x] = sum_z
f_n[z] F_{n-1}[x-z] is the number of assignments of the first n pairs with sum x. Nothing is rounded
and nothing is dropped, so the counts of F_N add up to exactly the number of assignments. The cost
is one dictionary access for every pair and every sum that the pairs before it reach. It depends on
the number of different sums, not on their size.

For {1: 2, 3: 1}: F_1 = {0: 1, 1: 1}, F_2 = {0: 1, 1: 2, 2: 1}, F_3 = {0: 1, 1: 2, 2: 1, 3: 1, 4: 2,
5: 1}. For two units of 1 + 2x: {0: 1, 1: 2}, then {0: 1, 1: 2 + 2, 2: 4}.

Source: Alg. 3, Theorem 3, Lemma 1, Eq. 10 and 11; spec/04-convolution.md#lemma-1, spec/15-runs.md#own-step-recurrence.

Source: spec/09-own-theorems.md#own-mass.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from ..budget import Estimate, Progress, Unfit
from ..swaps.units import Units, degree, pairs_of, steps_of
from .pmfs import convolved
from .tally import bits_of, kept_logarithms, seconds_of_weights, ticker, with_unit

# Measured on CPython 3.11; a cell is one sum reached by one pair, a digit is 30 bits of its sum and
# its count.
_SECONDS_START = 1.5e-6
_SECONDS_PAIR = 4e-7
_SECONDS_CELL = 9e-8
_SECONDS_DIGIT = 2.5e-9
_SECONDS_SORTED = 4e-8  # a comparison
_CACHED_CELLS = 3e5  # beyond, a cell costs about twice as much
_BYTES_START = 2_000
_BYTES_CELL = 200
_MOST_CELLS = 1e11


def convolve_dp(pmfs: Iterable[Mapping[int, int]]) -> dict[int, int]:
    """Return the distribution of a sum of independent integers, by dynamic programming (``convolve_DP``).

    ``pmfs`` holds one mapping {value: number of swaps} per pair: ``{3: 1, -3: 1}`` for a pair whose
    effect is 3 as observed and -3 swapped, ``{0: 2}`` for a tie. Values are any ints, counts are
    ints >= 0, mappings have any size. Returns {sum: number of swap assignments}, ascending, zeros
    left out; of no pairs ``{0: 1}``.

    Raises ``WrongType`` or ``ExactPermError`` naming the mapping and the entry that is wrong, and
    ``BudgetExceeded`` where about the number of sums is more than the default budget allows. Cost:
    for each pair the number of its values times the number of sums so far, each one addition and
    one product of counts.
    Source: Alg. 3, Thm. 3, Lemma 1, with numbers of swaps in place of probabilities;
        spec/04-convolution.md#lemma-1.

    >>> convolve_dp([{3: 1, -3: 1}, {1: 1, -1: 1}, {0: 2}])
    {-4: 2, -2: 2, 2: 2, 4: 2}
    """
    return convolved(pmfs, estimate, counts, "convolve_ntt for dense sums, or rounded values")


def estimate(units: Units, k: int | None) -> Estimate | Unfit:
    """Estimate seconds and bytes from the approximate number of distinct sums before each unit is added."""
    number = sum(units.values())
    # n distinct differences have n^2 / 2 sums or more, which takes n^3 / 6 visits.
    many = k is None and pairs_of(units) is not None and len(units) ** 3 > 6 * _MOST_CELLS
    work, most = (math.inf, math.inf) if many or number > _MOST_CELLS else _cells(units, k)
    if work > _MOST_CELLS:
        return Unfit(reason=f"would visit more than {_MOST_CELLS:.0e} sums in a dictionary")
    bits = bits_of(units) + degree(units).bit_length()
    cell = _SECONDS_CELL * (1 + min(1.0, most / _CACHED_CELLS)) + bits / 30 * _SECONDS_DIGIT
    cell += bits * seconds_of_weights(units)
    seconds = _SECONDS_START + number * _SECONDS_PAIR + work * cell
    if k is None:
        seconds += most * math.log2(most + 1) * _SECONDS_SORTED
    return Estimate(seconds=seconds, bytes=_BYTES_START + int(most * (_BYTES_CELL + bits / 4)))


def _cells(units: Units, k: int | None) -> tuple[float, float]:
    """Estimate the numbers of sums visited in all and kept at once; stop beyond the engine's limit."""
    work = cells = 1.0
    reach = 0
    for (step, c), logarithm in zip(steps_of(units).items(), kept_logarithms(units, k)):
        before = cells
        reach += step[-1][0] * c
        integers = math.log((reach if k is None else min(reach, k)) + 1)
        cells = math.exp(min(logarithm, integers, 99.0))
        work += c * (len(step) - 1) * (before + cells) / 2
        if work > _MOST_CELLS:
            break
    return work, cells


def count_at_most(units: Units, k: int, *, progress: Progress | None = None) -> int:
    """Count the choices whose values sum to at most k; larger sums are never kept.

    >>> count_at_most({1: 2, 3: 1}, 1), count_at_most({((0, 1), (1, 2)): 2}, 1)
    (3, 5)
    """
    return sum(_choice_counts(units, k, progress).values())


def counts(units: Units, *, progress: Progress | None = None) -> dict[int, int]:
    """Return the whole distribution {sum: number of choices}, ascending.

    >>> counts({1: 2, 3: 1}), counts({((0, 1), (1, 2)): 2})
    ({0: 1, 1: 2, 2: 1, 3: 1, 4: 2, 5: 1}, {0: 1, 1: 4, 2: 4})
    """
    found = _choice_counts(units, degree(units), progress)
    return {x: found[x] for x in sorted(found)}


def _choice_counts(units: Units, most: int, progress: Progress | None) -> dict[int, int]:
    """Return {sum: number of choices} for the sums up to ``most``, unit by unit."""
    tick = ticker(progress, sum(units.values()))
    done = {0: 1}
    for step, c in steps_of(units).items():
        for _ in range(c):
            done = with_unit(done, step, most)
            tick(1)
    return done
