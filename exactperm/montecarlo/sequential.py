"""Sequential Monte Carlo test with a uniformly bounded risk, for statistics without an exact algorithm (Gandy 2009).

S_n of the first n random assignments are at least as extreme as the observed one. Sampling stops
when S_n reaches an upper boundary U_n (then p > alpha is decided) or falls to a lower boundary L_n
(p <= alpha). The boundaries are such that a walk with p = alpha itself has crossed the upper one by
time n with probability at most e_n = epsilon n / (n + k), and the lower one likewise:

    U_n = min {j : P(crossed above before n) + P(not stopped before n, S_n >= j) <= e_n},
    L_n = max {j : P(crossed below before n) + P(not stopped before n, S_n <= j) <= e_n}.

A walk with a smaller p lies below a walk with p = alpha on the same random numbers, so it crosses
above no more often: for EVERY p the wrong decision has probability at most epsilon, however long it
takes. Source: the sequential test that the lecture names; spec/08-lecture-and-course-page.md#lecture-risk.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from .._types import Any
from ..arithmetic.rational import Exact
from ..arithmetic.reading import choice, flag, inside
from ..arithmetic.writing import number_text
from ..budget import Options, Progress
from ..record import Result
from .sampling import (
    EXTREME,
    Experiment,
    OneCount,
    Seed,
    Statistics,
    generator,
    paired,
    sample_size,
    told,
)

_BITS = 128
"""Precision of the boundaries: probabilities are multiples of 2**-128, rounded up."""


class SequentialResult(Result):
    """Outcome of a sequential test: the decision with its count.

    ``significant`` is True where p <= alpha was decided, False where p > alpha was, None where
    ``max_samples`` came first. ``count`` of the ``samples`` drawn were at least as extreme as
    ``statistic``, the observed value.

    ``epsilon`` holds for each p, unconditionally: before sampling, a wrong decision has probability
    at most ``epsilon``. It is no statement about the runs that decided, or decided in one way:
    among them the share of wrong decisions can be larger.
    """

    significant: bool | None
    count: int
    samples: int
    statistic: Any
    alpha: Exact
    epsilon: Exact

    @property
    def estimate(self) -> Fraction:
        """The share of extreme samples; as an estimate of p it is biased by the stopping rule."""
        return Fraction(self.count, self.samples)

    @property
    def heading(self) -> str:
        """The test and its decision."""
        alpha = number_text(self.alpha)
        decision = {
            True: f"p <= {alpha}",
            False: f"p > {alpha}",
            None: f"undecided whether p <= {alpha}",
        }
        return f"Sequential Monte Carlo test, not exact: {decision[self.significant]}"

    def rows(self) -> tuple[tuple[str, str], ...]:
        """Return the result as rows (label, text)."""
        return (
            ("samples", f"{self.samples} random swaps, {self.count} at least as extreme"),
            ("statistic", told(self.statistic)),
            (
                "error",
                f"before sampling, a wrong decision has probability at most {number_text(self.epsilon)}",
            ),
        )


def sequential_monte_carlo(
    u: object,
    v: object,
    t: Statistics,
    alpha: object = "0.05",
    *,
    alternative: OneCount = "two-sided",
    epsilon: object = "0.001",
    k: int = 1000,
    max_samples: int = 100_000,
    rng: Seed = None,
    groups: object = None,
    allow_floats: bool = False,
    progress: Progress | None = None,
) -> SequentialResult:
    """Decide whether the p-value of a statistic is at most alpha, drawing no more random swaps than that takes.

    - ``t``, ``alternative``, ``rng``, ``groups``, ``allow_floats``: as for
      :func:`exactperm.montecarlo.sampling.monte_carlo_test`.
    - ``epsilon``: bound on the probability of either wrong decision, in (0, 1/2). ``k`` sets its
      pace: half of it is spent on the first k samples.
    - ``max_samples``: the number of samples after which to stop undecided. A p close to alpha takes
      about 1 / (p - alpha)**2 samples.
    - ``progress``: called with (samples, max_samples) now and then.

    Raises ``ExactPermError`` for bad input and ``WrongType`` for values of a foreign type. Cost:
    one call of t per sample, and the boundaries: 0.1 s for 5,000 samples, 1 s for 20,000. Source:
    the sequential test that the lecture names (Gandy 2009, math/0612488);
    spec/08-lecture-and-course-page.md#lecture-risk.

    >>> result = sequential_monte_carlo([5, 7, 9, 8], [4, 5, 9, 5], lambda a, b: sum(a) - sum(b), rng=1)
    >>> result.significant, result.samples, result.estimate  # exactly p = 1/4
    (False, 45, Fraction(11, 45))
    """
    level, error = inside(alpha, "alpha"), inside(epsilon, "epsilon", Fraction(1, 2))
    most, pace = sample_size(max_samples, "max_samples"), sample_size(k, "k")
    Options(progress=progress)
    choice(alternative, "alternative", tuple(EXTREME))
    first, second, deal = paired(u, v, groups)
    floats = flag(allow_floats, "allow_floats")
    experiment = Experiment.of((first, second), deal, t, alternative, floats)
    source = generator(rng)
    count = 0
    significant = None
    for n, (lower, upper) in zip(range(1, most + 1), boundaries(level, error, pace)):
        count += experiment.sample(source)
        if not lower < count < upper:
            significant = count <= lower
            break
        if progress is not None and (n % 100 == 0 or n == most):
            progress(n, most)
    return SequentialResult(
        significant=significant,
        count=count,
        samples=n,
        statistic=experiment.observed,
        alpha=level,
        epsilon=error,
    )


def boundaries(alpha: Exact, epsilon: Exact, k: int) -> Iterator[tuple[int, int]]:
    """Yield (L_n, U_n) for n = 1, 2, ...: sampling goes on while L_n < S_n < U_n.

    The loop follows the distribution of a walk with p = alpha that has not stopped. Every
    probability is rounded up, so the spent probability is never above e_n. The boundaries are those
    of the definition unless a sum agrees with e_n to within about 2**-100.
    """
    stay, move = [-(-_scaled(p) // p.denominator) for p in (1 - alpha, alpha)]
    spent_above = spent_below = 0
    first, weights = 0, [1 << _BITS]  # weights[i]: of S_n = first + i
    n = 0
    while True:
        n += 1
        weights = [
            (w * stay + before * move >> _BITS) + 1
            for w, before in zip((*weights, 0), (0, *weights))
        ]
        allowed = n * _scaled(epsilon) // (epsilon.denominator * (n + k))
        while spent_above + weights[-1] <= allowed:
            spent_above += weights.pop()
        while spent_below + weights[0] <= allowed:
            spent_below += weights.pop(0)
            first += 1
        yield first - 1, first + len(weights)


def _scaled(p: Exact) -> int:
    return p.numerator << _BITS
