"""The Monte Carlo test: p estimated from K random swaps, for comparison and for statistics that have no exact road.

b of K independent random assignments are at least as extreme as the observed one. The paper's estimate b / K is
unbiased but prints 0 with probability (1 - p)**K, however the true p > 0; a test that rejects for b / K <= alpha
exceeds its level. (b + 1) / (K + 1) counts the observed assignment among the samples: under the null hypothesis it is
at most alpha with probability at most alpha, for every K (Phipson and Smyth 2010), and it is never 0.

Random bits come from ``getrandbits`` alone, whose stream for an int seed is the same on every Python.
"""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import partial

from ..arithmetic.compat import bit_count
from ..arithmetic.quoting import short_text
from ..arithmetic.reading import entries, whole_number
from ..errors import ExactPermError, WrongType
from ..record import Record
from ..swaps.canonical import canonical
from ..swaps.columns import check_paired, unit_numbers
from ..swaps.effects import swap_effects
from ..swaps.statistic import Statistic, exactly_ordered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from concurrent.futures import Executor
    from typing import Any, Union

    from ..budget import Progress
    from ..swaps.statistic import Component

    Seed = Union[int, random.Random, None]
    Statistics = Callable[[list[Any], list[Any]], Any]

_CHUNK = 256
"""Samples of one seed: part of what a seed means, so that results do not depend on who computes which chunk."""

_SEED_BITS = 128


def monte_carlo(
    u: Any, v: Any, g: Component, h: Callable[[Any], Any], K: int, *, rng: Seed = None, adjusted: bool = False
) -> Fraction:
    """The paper's Alg. 1: the share of K random swap assignments with h(S) at least the observed h(S).

    - ``g(u_n, v_n)`` receives raw entries and returns an int or an exact rational; ``h`` receives the exact sum and
      returns anything exactly comparable. A float from h is refused: rounding would break ties.
    - ``rng``: an int seed, a ``random.Random``, which is advanced, or None for a fresh seed.
    - ``adjusted``: (b + 1) / (K + 1) in place of the paper's b / K; see the top of this module.

    Raises ``ExactPermError`` for bad input and ``WrongType`` for values of a foreign type. Cost: O(KN) random bits, but
    only K draws for each distinct |g(u, v) - g(v, u)|: the number of swapped pairs among c alike is the number of ones
    among c random bits. h is called once for each distinct sum. Source: Alg. 1; ids alg-1, draft-fig-1, claim-mc-error,
    course-sampling.

    >>> monte_carlo([3, 1, 2], [1, 0, 2], lambda a, b: a - b, abs, 1000, rng=7)  # exactly 1/2
    Fraction(497, 1000)
    """
    samples = sample_size(K)
    swaps = canonical(swap_effects(u, v, Statistic((g,), h)))
    draws = Counter(_sums(swaps.tally, samples, generator(rng)))
    observed = exactly_ordered(h(swaps.value(swaps.observed)), "h")
    extreme = sum(k for x, k in draws.items() if exactly_ordered(h(swaps.value(x)), "h") >= observed)
    return Fraction(extreme + adjusted, samples + adjusted)


class MonteCarloResult(Record):
    """Outcome of a Monte Carlo test: ``count`` of the ``samples`` random assignments have t at least the observed one.

    ``statistic`` is the observed value as t returned it; ``adjusted`` says which estimate ``pvalue`` is.
    """

    count: int
    samples: int
    statistic: Any
    adjusted: bool

    @property
    def pvalue(self) -> Fraction:
        """(count + 1) / (samples + 1), or count / samples where not ``adjusted``."""
        return Fraction(self.count + self.adjusted, self.samples + self.adjusted)


def monte_carlo_test(
    u: Any,
    v: Any,
    t: Statistics,
    K: int,
    *,
    rng: Seed = None,
    adjusted: bool = True,
    groups: Any = None,
    allow_floats: bool = False,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> MonteCarloResult:
    """Monte Carlo test of any statistic t(u', v') of two whole columns: for statistics that are no h(sum of g).

    Estimates P(t(U, V) >= t(u, v)) under random swaps; for a two-sided test let t return an absolute value.

    - ``t`` receives two new lists with one entry a pair and returns anything exactly comparable. It is called K + 1
      times.
    - ``rng``: as for :func:`monte_carlo`. ``adjusted``: (b + 1) / (K + 1), whose test holds its level; False for b / K.
    - ``groups``: labels; pairs with one label are swapped together.
    - ``allow_floats``: accept a t that returns floats. Two assignments that tie exactly can then differ in the last
      bit, and the p-value lose the probability of the tie (known to turn 1 into 0.875), so it must be asked for.
    - ``executor``: any ``concurrent.futures.Executor``; for processes t must be a module-level function. The result
      does not depend on it: samples are cut into chunks of fixed size, each with its own seed.
    - ``progress``: called with (samples done, K).

    Raises ``ExactPermError`` for bad input and ``WrongType`` for values of a foreign type. Cost: K calls of t, and K
    random assignments at some 50 ns a pair. Source: Alg. 1, the random permutation test of the lecture; ids alg-1,
    lecture-random-permutation-test.

    >>> from statistics import median_high
    >>> gap = lambda a, b: median_high(a) - median_high(b)
    >>> result = monte_carlo_test([5, 7, 9, 8], [4, 5, 9, 5], gap, 999, rng=1)
    >>> result.count, result.pvalue  # exactly 1/4
    (258, Fraction(259, 1000))
    """
    samples = sample_size(K)
    experiment = Experiment.of(u, v, t, groups=groups, allow_floats=allow_floats)
    chunks = list(chunk_seeds(samples, generator(rng)))
    mapped = map if executor is None else executor.map
    count = done = 0
    for flags, (_seed, size) in zip(mapped(partial(extreme_flags, experiment), chunks), chunks):
        count += sum(flags)
        done += size
        if progress is not None:
            progress(done, samples)
    return MonteCarloResult(count=count, samples=samples, statistic=experiment.observed, adjusted=adjusted)


# ------------------------------------------------------------------------------------- swaps of whole columns


class Experiment(Record):
    """What a chunk of samples needs, in a form that any executor can send: columns, units, t and its observed value.

    ``units[n]`` is the swap unit of pair n, 0 <= units[n] < n_units.
    """

    u: tuple[Any, ...]
    v: tuple[Any, ...]
    units: tuple[int, ...]
    n_units: int
    t: Statistics
    observed: Any
    allow_floats: bool

    @classmethod
    def of(cls, u: Any, v: Any, t: Statistics, *, groups: Any, allow_floats: bool) -> Experiment:
        """The checked input with the observed value of t."""
        first, second = entries(u, "u"), entries(v, "v")
        check_paired(first, second)
        units = tuple(unit_numbers(groups, len(first)))
        observed = _value(t, first[:], second[:], allow_floats)
        return cls(
            u=tuple(first),
            v=tuple(second),
            units=units,
            n_units=max(units) + 1,
            t=t,
            observed=observed,
            allow_floats=allow_floats,
        )

    def sample(self, source: random.Random) -> bool:
        """Whether t of one random assignment is at least the observed one."""
        # One character "0" or "1" for each unit, the highest bit first.
        bits = format(source.getrandbits(self.n_units), f"0{self.n_units}b")
        swap = [bits[unit] == "1" for unit in self.units]
        first = [b if s else a for a, b, s in zip(self.u, self.v, swap)]
        second = [a if s else b for a, b, s in zip(self.u, self.v, swap)]
        return bool(_value(self.t, first, second, self.allow_floats) >= self.observed)


def extreme_flags(experiment: Experiment, chunk: tuple[int, int]) -> bytes:
    """For each sample of a chunk (seed, size): 1 where it is at least as extreme as the observed assignment."""
    seed, size = chunk
    source = random.Random(seed)
    return bytes(experiment.sample(source) for _ in range(size))


def chunk_seeds(samples: int, source: random.Random) -> Iterator[tuple[int, int]]:
    """(seed, size) of each chunk of the samples: distinct seeds, drawn together from 128 random bits."""
    master = source.getrandbits(_SEED_BITS)
    for i in range(0, samples, _CHUNK):
        yield (i << _SEED_BITS) | master, min(_CHUNK, samples - i)


def _value(t: Statistics, first: list[Any], second: list[Any], allow_floats: bool) -> Any:
    value = t(first, second)
    if not allow_floats:
        return exactly_ordered(value, "t", "; return int or Fraction, or set allow_floats=True")
    if value != value:  # noqa: PLR0124 - nan, of whatever type
        raise ExactPermError(f"t returned {short_text(value)}, which has no order")
    return value


# ------------------------------------------------------------------------------------------------- shared pieces


def _sums(tally: Mapping[int, int], samples: int, source: random.Random) -> Iterable[int]:
    """X = sum of B_n d_n for random bits B_n, ``samples`` times."""
    draw, groups = source.getrandbits, list(tally.items())
    return (sum(d * bit_count(draw(count)) for d, count in groups) for _ in range(samples))


def generator(rng: Seed) -> random.Random:
    """The source of random bits that ``rng`` means: an int seed, a ``random.Random``, or None for a fresh seed."""
    if isinstance(rng, random.Random):
        return rng
    if rng is None or (isinstance(rng, int) and not isinstance(rng, bool)):
        return random.Random(rng)
    raise WrongType(f"rng is {short_text(rng)}: it must be an int seed, a random.Random or None")


def sample_size(K: Any, argument: str = "K") -> int:
    """``K`` as a number of samples; ``ExactPermError`` unless it is an int of at least 1."""
    return whole_number(K, argument, 1)
