"""Sequential Monte Carlo with a uniformly bounded risk, for statistics that have no exact road (Gandy 2009).

S_n of the first n random assignments are as extreme as the observed one. Sampling stops when S_n reaches an upper
boundary U_n (then p > alpha is decided) or falls to a lower boundary L_n (p <= alpha). They are laid so that a walk
with p = alpha itself has crossed the upper one by time n with probability at most e_n = epsilon n / (n + k), and the
lower one likewise:

    U_n = min {j : P(crossed above before n) + P(not stopped before n, S_n >= j) <= e_n},
    L_n = max {j : P(crossed below before n) + P(not stopped before n, S_n <= j) <= e_n}.

A walk with a smaller p lies below a walk with p = alpha on the same random numbers, so it crosses above no more often:
for EVERY p the wrong decision has probability at most epsilon, however long it takes. Source: ids lecture-gandy,
own-sequential.
"""

from __future__ import annotations

from fractions import Fraction

from ..arithmetic.quoting import short_text
from ..arithmetic.reading import probability
from ..errors import ExactPermError
from ..record import Record
from .sampling import Experiment, generator, sample_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ..arithmetic.rational import Exact
    from ..budget import Progress
    from .sampling import Seed, Statistics

_BITS = 128
"""Fixed point of the boundaries: a unit is 2**-128, every probability rounded up."""


class SequentialResult(Record):
    """Outcome of a sequential test: the decision, and what it rests on.

    ``significant`` is True where p <= alpha was decided, False where p > alpha was, None where ``max_samples`` came
    first. ``count`` of the ``samples`` drawn were at least as extreme as ``statistic``, the observed value. Each
    decision is wrong with probability at most ``epsilon``, whatever p is.
    """

    significant: bool | None
    count: int
    samples: int
    statistic: Any
    alpha: Exact
    epsilon: Exact

    @property
    def estimate(self) -> Fraction:
        """The share of extreme samples, an estimate of p that the stopping rule biases: only the decision is sure."""
        return Fraction(self.count, self.samples)


def sequential_monte_carlo(
    u: Any,
    v: Any,
    t: Statistics,
    alpha: Any = "0.05",
    *,
    epsilon: Any = "0.001",
    k: int = 1000,
    max_samples: int = 100_000,
    rng: Seed = None,
    groups: Any = None,
    allow_floats: bool = False,
    progress: Progress | None = None,
) -> SequentialResult:
    """Decide whether P(t(U, V) >= t(u, v)) <= alpha under random swaps, drawing no more samples than that takes.

    - ``t``, ``rng``, ``groups``, ``allow_floats``: as for :func:`exactperm.montecarlo.sampling.monte_carlo_test`.
    - ``epsilon``: bound on the probability of either wrong decision, in (0, 1/2); ``k`` paces how it is spent: half of
      it on the first k samples.
    - ``max_samples``: where to give up undecided. A p next to alpha takes about 1 / (p - alpha)**2 samples.
    - ``progress``: called with (samples, max_samples) now and then.

    Raises ``ExactPermError`` for bad input and ``WrongType`` for values of a foreign type. Cost: one call of t a
    sample, and the boundaries: 0.1 s for 5,000 samples, 1 s for 20,000. Source: the sequential test that the lecture
    names (Gandy 2009, math/0612488); ids lecture-gandy, lecture-risk.

    >>> result = sequential_monte_carlo([5, 7, 9, 8], [4, 5, 9, 5], lambda a, b: sum(a) - sum(b), rng=1)
    >>> result.significant, result.samples, result.estimate  # exactly p = 1/8
    (False, 264, Fraction(5, 44))
    """
    level, error = _inside(alpha, "alpha", 1), _inside(epsilon, "epsilon", 2)
    most, pace = sample_size(max_samples, "max_samples"), sample_size(k, "k")
    experiment = Experiment.of(u, v, t, groups=groups, allow_floats=allow_floats)
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
        significant=significant, count=count, samples=n, statistic=experiment.observed, alpha=level, epsilon=error
    )


def boundaries(alpha: Exact, epsilon: Exact, k: int) -> Iterator[tuple[int, int]]:
    """(L_n, U_n) for n = 1, 2, ...: the walk goes on while L_n < S_n < U_n.

    Follows the distribution of a walk with p = alpha that has not stopped, every probability rounded up: what is spent
    is never more than e_n, and the boundaries are the definition's unless a sum meets e_n to within some 2**-100.
    """
    stay, move = [-(-_scaled(p) // p.denominator) for p in (1 - alpha, alpha)]
    spent_above = spent_below = 0
    first, weights = 0, [1 << _BITS]  # weights[i]: of S_n = first + i
    n = 0
    while True:
        n += 1
        weights = [(w * stay + before * move >> _BITS) + 1 for w, before in zip((*weights, 0), (0, *weights))]
        allowed = n * _scaled(epsilon) // (epsilon.denominator * (n + k))
        while spent_above + weights[-1] <= allowed:
            spent_above += weights.pop()
        while spent_below + weights[0] <= allowed:
            spent_below += weights.pop(0)
            first += 1
        yield first - 1, first + len(weights)


def _scaled(p: Exact) -> int:
    return p.numerator << _BITS


def _inside(value: Any, argument: str, parts: int) -> Exact:
    number = probability(value, argument)
    if not 0 < parts * number < 1:
        raise ExactPermError(
            f"{argument} is {short_text(value)}: it must lie strictly between 0 and {Fraction(1, parts)}"
        )
    return number
