"""Monte Carlo test: p estimated from K random swaps, for comparison and for statistics without an exact algorithm.

b of K independent random assignments are at least as extreme as the observed one. The paper's
estimate b / K is unbiased, but it is 0 with probability (1 - p)**K although p > 0, and a test that
rejects for b / K <= alpha exceeds its level. (b + 1) / (K + 1) counts the observed assignment among
the samples. Under the null hypothesis it is at most alpha with probability at most alpha, for every
K (Phipson and Smyth 2010), and it is never 0.

Random bits come from ``getrandbits`` alone, whose stream for an int seed is the same on every
Python.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from fractions import Fraction
from functools import partial

from .._types import Any, Executor, Literal, Union
from ..arithmetic.compat import bit_count
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact, ratio
from ..arithmetic.reading import (
    choice,
    entries,
    flag,
    probability,
    scaled_columns,
    whole_number,
)
from ..budget import Budget, Estimate, Options, Progress, answers
from ..errors import ExactPermError, WrongType
from ..record import Record, Result
from ..swaps.canonical import canonical
from ..swaps.columns import check_alignment, check_paired, unit_numbers
from ..swaps.effects import swap_effects
from ..swaps.runs import Design, read_runs
from ..swaps.statistic import Component, Statistic, at_least, exactly_ordered
from .labelings import DEALS, difference_of_means, swapped

OneCount = Literal["two-sided", "greater", "less"]
Seed = Union[int, random.Random, None]
Statistics = Callable[[list[Any], list[Any]], object]
Deal = Callable[[Any, Any, random.Random], tuple[list[object], list[object]]]
"""From the entries of both systems to those of a random assignment."""


_CHUNK = 256
"""Samples of one seed. The size is part of what a seed means: results do not depend on who computes
which chunk."""

_SEED_BITS = 128

_NANOSECONDS = 100
"""Expected time of one pair in one random assignment."""

EXTREME = {"two-sided": "", "greater": "high", "less": "low"}
"""Values that are extreme; those of two sides depend on the statistic."""


def monte_carlo(
    u: object,
    v: object,
    g: Component,
    h: Callable[[Any], object],
    K: int,
    *,
    rng: Seed = None,
    adjusted: bool = False,
    budget: Budget | None = None,
) -> Fraction:
    """Estimate the p-value by the paper's Alg. 1: the share of K random swap assignments with h(S) >= the observed one.

    - ``g(u_n, v_n)`` receives raw entries and returns an int or an exact rational; ``h`` receives
      the exact sum and returns anything exactly comparable. A float from h is refused: rounding
      would break ties.
    - ``rng``: an int seed, a ``random.Random``, which is advanced, or None for a fresh seed.
    - ``adjusted``: (b + 1) / (K + 1) in place of b / K. The default is b / K here only, as in the
      paper: that estimate can be 0, and its test exceeds its level.
    - ``budget``: limit on the estimated work, a :class:`~exactperm.Budget`.

    Raises ``ExactPermError`` for bad input, ``WrongType`` for values of a foreign type, and
    ``BudgetExceeded`` above the budget. Cost: O(KN) random bits, but only K draws for each distinct
    |g(u, v) - g(v, u)|: the number of swapped pairs among c alike is the number of ones among c random bits. h is called once per distinct sum.
    Source: Alg. 1; spec/02-structured-statistics.md#alg-1.

    >>> monte_carlo([3, 1, 2], [1, 0, 2], lambda a, b: a - b, abs, 1000, rng=7)  # exactly 1/2
    Fraction(497, 1000)
    """
    samples, added = sample_size(K), flag(adjusted, "adjusted")
    swaps = canonical(swap_effects(u, v, Statistic((g,), h)))
    nanoseconds = samples * (700 + 250 * len(swaps.tally) + sum(swaps.tally.values()) // 20)
    check_samples(samples, nanoseconds, 250 * min(samples, 1 + swaps.span), budget)
    draws = Counter(_sums(swaps.tally, samples, generator(rng)))
    observed = exactly_ordered(h(swaps.value(swaps.observed)), "h")
    extreme = sum(
        k
        for x, k in draws.items()
        if at_least(exactly_ordered(h(swaps.value(x)), "h"), observed, "h")
    )
    return Fraction(extreme + added, samples + added)


class MonteCarloResult(Result):
    """Outcome of a Monte Carlo test.

    ``count`` of the ``samples`` random assignments are at least as extreme as the observed one,
    whose value of t is ``statistic``, in the sense of ``alternative``. ``adjusted`` says which
    estimate ``pvalue`` is.
    """

    count: int
    samples: int
    statistic: Any
    adjusted: bool
    alternative: str = "two-sided"

    @property
    def pvalue(self) -> Fraction:
        """(count + 1) / (samples + 1), or count / samples where not ``adjusted``."""
        return Fraction(self.count + self.adjusted, self.samples + self.adjusted)

    @property
    def heading(self) -> str:
        """What was done: no exact test."""
        return "Monte Carlo ESTIMATE of a p-value, not exact: paired-permutation test"

    def rows(self, *, words: str = "", seed: int | None = None) -> tuple[tuple[str, str], ...]:
        """Return the result as rows (label, text); ``words`` say what the statistic is, ``seed`` is that of samples."""
        from ..arithmetic.writing import decimal_string

        low, high = [decimal_string(end, 4) for end in self.interval()]
        shares = f"{self.count} / {self.samples}"
        if self.adjusted:
            shares = f"({self.count} + 1) / ({self.samples} + 1)"
        source = "" if seed is None else f" from seed {seed}"
        estimate = decimal_string(self.pvalue, 4) if self.pvalue else "0"
        return (
            ("estimate", f"{estimate} = {shares}"),
            ("95% interval", f"{low} to {high} for the exact p-value (Clopper-Pearson)"),
            ("samples", f"{self.samples} random swaps{source}, {self.count} at least as extreme"),
            ("statistic", told(self.statistic) + f" ({words})" * bool(words)),
        )

    def interval(self, confidence: object = "0.95") -> tuple[Fraction, Fraction]:
        """Return the Clopper-Pearson interval of the exact p-value, its ends rounded outward by less than 2**-16 / K.

        Whatever the exact p-value is, the intervals of at least a share ``confidence`` of all seeds
        contain it.
        Cost: some 60 tails of the binomial distribution, between bounds; ``BudgetExceeded`` where
            one takes too long.
        Source: Clopper and Pearson 1934; spec/09-own-theorems.md#own-interval-of-estimate.

        >>> low, high = MonteCarloResult(count=210, samples=9999, statistic=10, adjusted=True).interval()
        >>> round(float(low), 6), round(float(high), 6)
        (0.018282, 0.024006)
        """
        from .binomial_tail import tail_at_most

        beyond = (1 - probability(confidence, "confidence")) / Fraction(2)
        scale = 1 << self.samples.bit_length() + 16

        # P(B <= count) is small where each sample has probability q / scale
        def above(q: int) -> bool:
            return tail_at_most(self.samples, self.count, Fraction(q, scale), beyond)

        def within(q: int) -> bool:  # P(B >= count) is not
            return not tail_at_most(
                self.samples, self.samples - self.count, 1 - Fraction(q, scale), beyond
            )

        low = 0 if self.count == 0 else least_where(within, scale) - 1
        high = scale if self.count == self.samples else least_where(above, scale)
        return Fraction(low, scale), Fraction(high, scale)

    def __repr__(self) -> str:
        return f"MonteCarloResult(pvalue={short_text(self.pvalue)}, {super().__repr__().partition('(')[2]}"


def told(value: object) -> str:
    """Return the text of a value of t, whatever its type."""
    from ..arithmetic.writing import value_text

    return value_text(value) if isinstance(value, (int, Fraction)) else short_text(value)


def _scaled_difference(first: list[int], second: list[int], *, scale: int) -> Exact:
    """Return the sum of u - v, both in units of 1/``scale``."""
    return ratio(sum(first) - sum(second), scale)


def monte_carlo_test(
    u: object,
    v: object,
    t: Statistics | None = None,
    K: int = 9999,
    *,
    alternative: OneCount = "two-sided",
    rng: Seed = None,
    adjusted: bool = True,
    groups: object = None,
    design: Design | None = None,
    allow_floats: bool = False,
    executor: Executor | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> MonteCarloResult:
    """Estimate the p-value of any statistic t(u', v') of two whole columns, decomposable or not.

    The estimated probability is P(t(U, V) >= t(u, v)) under random swaps for "greater", P(t(U, V)
    <= t(u, v)) for "less", and P(|t(U, V)| >= |t(u, v)|) for "two-sided", the default.

    - ``t`` receives two new lists with one entry per pair and returns anything exactly comparable.
      It is called K + 1 times, and once more for "two-sided". By default it is the difference of
      the sums of scores.
    - ``alternative``: "two-sided" is for a t whose sign turns where all pairs are swapped, t(v, u)
      = -t(u, v), as that of a difference does: its mean under swaps is 0. A t that does not tell
      the systems apart, t(v, u) = t(u, v), has a test for large values. Any other t is refused: its
      two tails are "greater" and "less".
    - ``K``: number of random assignments.
    - ``rng``: as for :func:`monte_carlo`. ``adjusted``: (b + 1) / (K + 1), whose test holds its
      level; False for b / K.
    - ``groups``: labels; pairs with the same label are swapped together.
    - ``design``: what is exchanged where ``u[i]`` and ``v[i]`` are several runs of item i, as for
      :func:`~exactperm.samples.permutation_test_runs`. Then t receives a list of exact scores for each
      item, and is by default the mean over the items of the differences of the means of their runs.
    - ``allow_floats``: accept a t that returns floats. Two assignments that tie exactly can then
      differ in the last bit, and the p-value lose the probability of the tie (known to turn 1 into
      0.875).
    - ``executor``: any ``concurrent.futures.Executor``; for processes t must be a module-level
      function. The result does not depend on it: samples are cut into chunks of fixed size, each
      with its own seed.
    - ``budget``: limit on the estimated work, a :class:`~exactperm.Budget`; calls of t are not in
      the estimate.
    - ``progress``: called with (samples done, K).

    Raises ``ExactPermError`` for bad input, ``WrongType`` for values of a foreign type, and
    ``BudgetExceeded`` above the budget. Cost: K calls of t, and K random assignments at about 0.1
    microseconds per pair.
    Source: Alg. 1, and the random permutation test of the lecture;
        spec/08-lecture-and-course-page.md#lecture-model-comparison.

    >>> from statistics import median_high
    >>> gap = lambda a, b: median_high(a) - median_high(b)
    >>> result = monte_carlo_test([5, 7, 9, 8], [4, 5, 9, 5], gap, 999, alternative="greater", rng=1)
    >>> result.count, result.pvalue  # exactly 1/4
    (258, Fraction(259, 1000))
    """
    samples, added = sample_size(K), flag(adjusted, "adjusted")
    options = Options(budget=budget, progress=progress)
    choice(alternative, "alternative", tuple(EXTREME))
    if design is None:
        # a million entries are read in seconds, or not at all
        check_samples(samples, samples * (1500 + _NANOSECONDS * length(u)), samples, options.budget)
        first, second, deal = paired(u, v, groups)
        nanoseconds = _NANOSECONDS * len(first)
        if (
            t is None
        ):  # scores are read once and not for each sample, which takes fifty times as long
            (first, second), scale = scaled_columns((first, second), ("u", "v"))
            t = partial(_scaled_difference, scale=scale)
    else:
        if groups is not None:
            raise ExactPermError(
                "groups and design exclude each other: the runs of an item belong together"
            )
        runs = read_runs(u, v, design)
        sides = runs.first, runs.second
        first, second = [[[ratio(x, runs.scale) for x in item] for item in side] for side in sides]
        deal = DEALS[design]
        nanoseconds = 700 * sum(map(len, (*first, *second)))
        t = difference_of_means if t is None else t
    floats = flag(allow_floats, "allow_floats")
    check_samples(samples, samples * (1500 + nanoseconds), samples, options.budget)
    experiment = Experiment.of((first, second), deal, t, alternative, floats)
    seeds = list(chunk_seeds(samples, generator(rng)))
    return MonteCarloResult(
        count=_extreme_count(experiment, seeds, executor, progress),
        samples=samples,
        statistic=experiment.observed,
        adjusted=added,
        alternative=alternative,
    )


def paired(u: object, v: object, labels: object) -> tuple[list[Any], list[Any], Deal]:
    """Return the entries of two columns, and how pairs of the same label are swapped together."""
    check_alignment((u, v, labels))
    first, second = entries(u, "u"), entries(v, "v")
    check_paired(first, second)
    return first, second, partial(swapped, unit_numbers(labels, len(first)))


# --------------------------------------------------------------------------- swaps of whole columns


class Experiment(Record):
    """Columns, how they are dealt again, t and its observed value: all that a chunk of samples needs, picklable.

    ``extreme`` says which values are: "high", "low", or "far" from 0.
    """

    u: list[object]
    v: list[object]
    deal: Deal
    t: Statistics
    observed: Any
    extreme: str
    allow_floats: bool

    @classmethod
    def of(
        cls,
        columns: tuple[list[object], list[object]],
        deal: Deal,
        t: Statistics,
        alternative: str,
        allow_floats: bool,
    ) -> Experiment:
        """Compute the observed value of t, and that with all entries swapped where two sides are extreme."""
        u, v = columns
        observed = _value(t, u[:], v[:], allow_floats)
        extreme = EXTREME[alternative]
        if not extreme:
            extreme = _of_two_sides(observed, _value(t, v[:], u[:], allow_floats))
        return cls(
            u=u,
            v=v,
            deal=deal,
            t=t,
            observed=observed,
            extreme=extreme,
            allow_floats=allow_floats,
        )

    def sample(self, source: random.Random) -> bool:
        """Return whether t of one random assignment is at least as extreme as the observed one."""
        first, second = self.deal(self.u, self.v, source)
        value = _value(self.t, first, second, self.allow_floats)
        observed = self.observed
        if self.extreme == "low":
            value, observed = observed, value
        elif self.extreme == "far":
            value, observed = abs(value), abs(observed)
        return at_least(value, observed, "t")


def _extreme_count(
    experiment: Experiment,
    chunks: list[tuple[int, int]],
    executor: Executor | None,
    progress: Progress | None,
) -> int:
    """Return the number of extreme samples of all chunks; ``progress`` is called after each."""
    samples, count, done = sum([size for _seed, size in chunks]), 0, 0
    found = answers(partial(extreme_flags, experiment), chunks, executor)
    for flags, (_seed, size) in zip(found, chunks):
        count += sum(flags)
        done += size
        if progress is not None:
            progress(done, samples)
    return count


def extreme_flags(experiment: Experiment, chunk: tuple[int, int]) -> bytes:
    """Return for each sample of a chunk (seed, size) 1 where it is at least as extreme as the observed assignment."""
    seed, size = chunk
    source = random.Random(seed)
    return bytes(experiment.sample(source) for _ in range(size))


def chunk_seeds(samples: int, source: random.Random) -> Iterator[tuple[int, int]]:
    """Yield (seed, size) of each chunk of the samples; the distinct seeds come from 128 random bits."""
    master = source.getrandbits(_SEED_BITS)
    for i in range(0, samples, _CHUNK):
        yield (i << _SEED_BITS) | master, min(_CHUNK, samples - i)


def _of_two_sides(observed: Any, swapped: object) -> str:
    """Return which values are extreme on both sides, from those of t for (u, v) and for (v, u)."""
    try:
        signed = swapped == -observed
    except TypeError:  # a tuple, for example, is ordered but has no opposite
        signed = False
    if not signed and swapped != observed:
        raise ExactPermError(
            f"t is {short_text(observed)} for (u, v) and {short_text(swapped)} for (v, u): alternative 'two-sided' "
            "needs a statistic that stays, or only changes its sign, when u and v are exchanged; use 'greater' or 'less'",
            code="alternative",
        )
    return "far" if signed else "high"


def _value(t: Statistics, first: list[object], second: list[object], allow_floats: bool) -> Any:
    value = t(first, second)
    if not allow_floats:
        return exactly_ordered(value, "t", "; return int or Fraction, or set allow_floats=True")
    if value != value:  # noqa: PLR0124 - nan, of whatever type
        raise ExactPermError(f"t returned {short_text(value)}, which has no order")
    return value


# ------------------------------------------------------------------------------------ shared pieces


def _sums(tally: Mapping[int, int], samples: int, source: random.Random) -> Iterable[int]:
    """Draw X = sum of B_n d_n for random bits B_n, ``samples`` times."""
    draw, groups = source.getrandbits, list(tally.items())
    return (sum(d * bit_count(draw(count)) for d, count in groups) for _ in range(samples))


def least_where(holds: Callable[[int], bool], most: int) -> int:
    """Return the least integer of 0..most from which on ``holds`` is true, or ``most`` where it is nowhere.

    >>> least_where(lambda k: k * k > 50, 100)
    8
    """
    low, high = 0, most
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def generator(rng: Seed) -> random.Random:
    """Return the source of random bits: ``rng`` is an int seed, a ``random.Random``, or None for a fresh seed."""
    if isinstance(rng, random.Random):
        return rng
    if rng is None or (isinstance(rng, int) and not isinstance(rng, bool)):
        return random.Random(rng)
    raise WrongType(f"rng is {short_text(rng)}: it must be an int seed, a random.Random or None")


def sample_size(K: object, argument: str = "K") -> int:
    """Return ``K`` as a number of samples; ``ExactPermError`` unless it is an int of at least 1."""
    return whole_number(K, argument, 1)


def length(column: object) -> int:
    """Return the number of entries of a column, 0 where that is known only once it is read.

    >>> length([3, 1]), length(iter([3, 1]))
    (2, 0)
    """
    return len(column) if isinstance(column, Sized) else 0


def check_samples(samples: int, nanoseconds: int, size: int, budget: Budget | None) -> None:
    """Raise ``BudgetExceeded`` where drawing ``samples`` takes more time or memory than the budget has."""
    Budget.of(budget).check(
        Estimate(seconds=min(nanoseconds, 10**30) / 1e9, bytes=size),
        f"{short_text(samples)} samples",
        "use fewer samples, or allow more with budget=Budget(seconds=, bytes=)",
    )
