"""Probability that a K-sample Monte Carlo test reaches the wrong decision, computed exactly from p.

Of K random assignments, b are at least as extreme as the observed one; b is binomial with K trials
of probability p. A run rejects where its estimate, (b + 1) / (K + 1) or b / K, is at most alpha. So
once p is known, the probability that a run of K samples decides otherwise than p <= alpha, or
prints 0, is a binomial tail.

Source: the lecture on the error of the estimate, the draft on the number of samples;
spec/07-draft.md#draft-claim-noisy and spec/08-lecture-and-course-page.md#lecture-risk.
"""

from __future__ import annotations

import math
from fractions import Fraction

from ..arithmetic.enclosure import ONE, enclosed
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact, log10
from ..arithmetic.reading import flag, inside, probability
from ..arithmetic.writing import readable
from ..budget import Budget
from ..errors import BudgetExceeded, ExactPermError
from ..record import Record, Result
from .binomial_tail import (
    check_bounds,
    exact_point,
    lower_tail,
    lower_tail_bounds,
    point,
    tail_at_most,
)
from .sampling import least_where, sample_size

_START_BITS = 128

_MOST_STEPS = 10**7
"""Longest walk of samples_needed: about 20 s."""


class MonteCarloEstimate(Result):
    """Exact distribution of the estimate from K = ``samples`` samples where the exact p-value is ``p``.

    The estimate is (b + 1) / (K + 1) where ``adjusted``, else the paper's b / K.
    :func:`monte_carlo_estimate` builds it.
    """

    p: Exact
    samples: int
    adjusted: bool

    @property
    def heading(self) -> str:
        """What it is, in one line."""
        return "Distribution of a Monte Carlo estimate of a p-value, computed exactly"

    def rows(self) -> tuple[tuple[str, str], ...]:
        """Return the p-value, the estimate and its mean as rows (label, text)."""
        return (
            ("exact p", readable(self.p)),
            ("samples", str(self.samples)),
            ("estimate", "(b + 1) / (K + 1)" if self.adjusted else "b / K"),
            ("its mean", readable(self.mean)),
        )

    def value(self, b: int) -> Fraction:
        """Return the estimate from b extreme samples."""
        return Fraction(b + self.adjusted, self.samples + self.adjusted)

    def pmf(self, b: int) -> Fraction:
        """Return the probability of exactly b extreme samples. Cost and limit as for :meth:`cdf`."""
        return exact_point(self.samples, b, self.p)

    def cdf(self, b: int) -> Fraction:
        """Return the probability of at most b extreme samples.

        It has K times the digits of p; ``BudgetExceeded`` beyond 2**25 bits.
        """
        return lower_tail(self.samples, b, self.p)

    @property
    def zero_probability(self) -> Fraction:
        """Probability that the estimate is 0: (1 - p)**K for b / K, and 0 for (b + 1) / (K + 1)."""
        return Fraction(0) if self.adjusted else self.pmf(0)

    @property
    def mean(self) -> Fraction:
        """Mean of the estimate; it is p for b / K."""
        return (self.samples * self.p + self.adjusted) / Fraction(self.samples + self.adjusted)

    @property
    def variance(self) -> Fraction:
        """Variance of the estimate."""
        return self.samples * self.p * (1 - self.p) / Fraction(self.samples + self.adjusted) ** 2

    def interval(self, coverage: object = "0.95") -> tuple[Fraction, Fraction]:
        """Return the central interval of the estimate: each side has probability at most (1 - coverage) / 2 beyond it.

        Cost: about 2 log2(K) tails between bounds; ``BudgetExceeded`` where that is above the
            default budget.
        """
        beyond = (1 - probability(coverage, "coverage")) / Fraction(2)
        # Bisection starts in the middle; most of its steps are close to the mean.
        steps = 2 + math.ceil(4 * self.samples.bit_length() * min(self.p, 1 - self.p))
        check_bounds(self.samples, self.samples // 2, self.p, _START_BITS, None, times=steps)
        lower = least_where(
            lambda b: not tail_at_most(self.samples, b, self.p, beyond), self.samples
        )
        upper = least_where(
            lambda b: tail_at_most(self.samples, self.samples - b - 1, 1 - self.p, beyond),
            self.samples,
        )
        return self.value(lower), self.value(upper)

    def mean_error_bounds(self, bits: int = 64) -> tuple[Fraction, Fraction]:
        """Return bounds (lower, upper) of the mean of |b / K - p|, of relative width about 2**-bits.

        De Moivre: the mean of |b - K p| is 2 m (1 - p) P(b = m) with m = floor(K p) + 1. Cost:
        milliseconds at K = 40,000, whatever the digits of p. Raises ``ExactPermError`` where
        ``adjusted``, and ``BudgetExceeded`` where the estimate is above the default budget. Source:
        Fig. 3 of the draft, without its sampling error; spec/07-draft.md#draft-fig-3.
        """
        if self.adjusted:
            raise ExactPermError(
                "the mean error is known for the estimate b / K only: use adjusted=False"
            )
        m = math.floor(self.samples * self.p) + 1
        factor = 2 * m * (1 - self.p) / Fraction(self.samples)
        width = sample_size(bits, "bits")
        check_bounds(self.samples, m, self.p, width, None)
        low, high = point(self.samples, m, self.p, width).ends()
        return factor * low, factor * high


def monte_carlo_estimate(p: object, K: int, *, adjusted: bool = True) -> MonteCarloEstimate:
    """Return the exact distribution of a Monte Carlo estimate of the p-value ``p`` from K samples.

    - ``p``: the exact p-value, in [0, 1]. ``K``: the number of samples.
    - ``adjusted``: the estimate is (b + 1) / (K + 1); with False it is the paper's b / K.

    Raises ``ExactPermError`` for bad input. Source: Fig. 3 of the draft; spec/07-draft.md#draft-claim-noisy.

    >>> estimate = monte_carlo_estimate("0.001", 1000, adjusted=False)
    >>> estimate.interval(), float(estimate.zero_probability)
    ((Fraction(0, 1), Fraction(3, 1000)), 0.36769542477096406)
    """
    return MonteCarloEstimate(
        p=probability(p, "p"), samples=sample_size(K), adjusted=flag(adjusted, "adjusted")
    )


def monte_carlo_risk(
    p: object, alpha: object, K: int, *, adjusted: bool = True, strict: bool = False
) -> Fraction:
    """Return the probability that a Monte Carlo test of K samples decides differently from the exact test.

    - ``p``, ``alpha``: in [0, 1] and (0, 1). The exact test rejects for p <= alpha, or p < alpha
      where ``strict``, and the Monte Carlo test by the same comparison of its estimate.
    - ``adjusted``: the estimate is (b + 1) / (K + 1); with False it is the paper's b / K.

    Raises ``ExactPermError`` for bad input, and ``BudgetExceeded`` where the fraction is too long
    to write out (K times the bits of p above 2**25); :func:`monte_carlo_risk_bounds` then gives
    bounds. Cost: about 1 s for K = 40,000 and a p of 20 digits. Source: error of the estimate;
    spec/08-lecture-and-course-page.md#lecture-risk.

    >>> monte_carlo_risk("1/32", "0.05", 10, adjusted=False)  # b >= 1 of 10 samples gives 0.1 or more
    Fraction(306271619861823, 1125899906842624)
    """
    samples = sample_size(K)
    c, q = _rule(alpha, adjusted, strict).wrong_tail(probability(p, "p"), samples)
    return lower_tail(samples, c, q)


def monte_carlo_risk_bounds(
    p: object,
    alpha: object,
    K: int,
    *,
    adjusted: bool = True,
    strict: bool = False,
    bits: int = 64,
    budget: Budget | None = None,
) -> tuple[Fraction, Fraction]:
    """Return bounds (lower, upper) of :func:`monte_carlo_risk`, about 2**-bits apart, for any length of p.

    Arguments and errors as for :func:`monte_carlo_risk`; ``BudgetExceeded`` where the estimate is
    above ``budget``.
    Cost: 0.3 microseconds for each sample that rejects, whatever the digits of p.
    Source: error of the estimate; spec/08-lecture-and-course-page.md#lecture-risk.

    >>> lower, upper = monte_carlo_risk_bounds("0.049", "0.05", 20000, adjusted=False)
    >>> float(lower), lower <= upper <= lower + Fraction(1, 2**60)
    (0.2500882739049006, True)
    """
    samples = sample_size(K)
    c, q = _rule(alpha, adjusted, strict).wrong_tail(probability(p, "p"), samples)
    return lower_tail_bounds(samples, c, q, sample_size(bits, "bits"), budget).ends()


def samples_needed(
    p: object, alpha: object, risk: object, *, adjusted: bool = True, strict: bool = False
) -> int | None:
    """Return the least K0 such that every Monte Carlo test of K >= K0 samples errs with probability at most ``risk``.

    "Every K" matters, since the risk is a sawtooth that jumps where floor(alpha K) does. None where
    p = alpha: there the risk stays about 1/2 for any number of samples. ``risk`` lies strictly
    between 0 and 1/2; the other arguments are those of :func:`monte_carlo_risk`.

    Method: with a fixed rational t, P(B <= c) <= t**-c E[t**B] = t**-c (1 - p + p t)**K (Chernoff).
    Once that is at most ``risk`` at one K for c as large as the rule allows, it is so at every
    larger K. From there the exact risk is followed down, sample by sample, between bounds in fixed
    point, to the first K that exceeds it.
    Cost: 2 microseconds for each K between the two, about half of the result. ``BudgetExceeded``,
    with a sufficient K, above ten million. Source: Chernoff's bound; spec/09-own-theorems.md#own-samples-needed.

    >>> samples_needed("0.04", "0.05", "0.01", adjusted=False)
    2280
    """
    rule = _rule(alpha, adjusted, strict)
    exact_p = probability(p, "p")
    limit = inside(risk, "risk", Fraction(1, 2))
    if exact_p == rule.alpha:
        return None
    if exact_p in (0, 1):
        return rule.least_rejecting() if exact_p == 0 else 1
    start = _sufficient(exact_p, rule.alpha, limit)
    if start > _MOST_STEPS:
        raise BudgetExceeded(
            f"{start} samples are enough, but finding the least number would take that many steps"
        )
    return 1 + _last_failure(rule, exact_p, limit, start)


class _Rule(Record):
    """Rule by which a run rejects: its estimate is at most ``alpha``, or below it where ``strict``."""

    alpha: Exact
    adjusted: bool
    strict: bool

    def wrong_tail(self, p: Exact, K: int) -> tuple[int, Exact]:
        """Return (c, q) such that P(B <= c) of K trials of probability q is the risk.

        Where the exact test does not reject, the run errs for b <= its threshold. Where it does,
        for b above it: then at most K - threshold - 1 samples are not extreme.
        """
        c = self._threshold(K)
        rejects = p < self.alpha or (p == self.alpha and not self.strict)
        return (K - c - 1, 1 - p) if rejects else (c, p)

    def _threshold(self, K: int) -> int:
        """Return the greatest b that rejects: b <= alpha K, or b + 1 <= alpha (K + 1); < where strict."""
        over = self.alpha.denominator
        most = self.alpha.numerator * (K + self.adjusted) - over * self.adjusted
        return -(-most // over) - 1 if self.strict else most // over

    def least_rejecting(self) -> int:
        """Return the least K for which b = 0 rejects: 1 for b / K, else from 1 / (K + 1) <= alpha on."""
        most = 1 / Fraction(self.alpha)
        if not self.adjusted:
            return 1
        return max(1, math.floor(most) if self.strict else math.ceil(most) - 1)


def _rule(alpha: object, adjusted: bool, strict: bool) -> _Rule:
    return _Rule(
        alpha=inside(alpha, "alpha"),
        adjusted=flag(adjusted, "adjusted"),
        strict=flag(strict, "strict"),
    )


def _sufficient(p: Exact, alpha: Exact, limit: Exact) -> int:
    """Return a number of samples from which on the risk is at most ``limit``, by Chernoff's bound.

    The tail P(B <= c) of ``wrong_tail`` has c <= share K + 1 under every rule. With t < 1 its bound
    is t**-(share K + 1) (1 - q + q t)**K = base**K / t; where that is below 1, base is, and it
    falls with K. Floats only propose t and K; the bound itself is enclosed.
    """
    share, q = (1 - alpha, 1 - p) if p < alpha else (alpha, p)
    a, x = [min(max(float(y), 1e-300), 1 - 2**-53) for y in (share, q)]
    t = min(a * (1 - x) / (x * (1 - a)), 1 - 2**-53)
    rate = a * math.log(t) - math.log1p(-x * (1 - t)) if t > 0 else 0.0
    if rate < 1e-15:
        raise BudgetExceeded(
            f"p = {short_text(p)} is too close to alpha = {short_text(alpha)}: more than 10**15 samples"
        )
    K = math.ceil((-log10(limit) * math.log(10) - math.log(t)) / rate)
    step = enclosed(1 - q + q * Fraction(t), _START_BITS)
    factor = enclosed(Fraction(t), _START_BITS)
    while True:
        divisor = factor.power(math.ceil(share * K) + 1, _START_BITS)
        if step.power(K, _START_BITS).over(divisor, _START_BITS).ends()[1] <= limit:
            return K
        K += K // 8 + 1


def _last_failure(rule: _Rule, p: Exact, limit: Exact, start: int) -> int:
    """Return the greatest K < start with a risk above ``limit``, or 0.

    Let B count K trials of probability q, f = 1 - q, and c the threshold. One trial less:
    P'(B = c) = P(B = c) (K - c) / (K f), P'(B <= c) = P(B <= c) + q P'(B = c); and where c falls
    with K, P'(B = c - 1) = P(B = c) c / (K q), P'(B <= c - 1) = P(B <= c) - P(B = c) (K - c) / K.
    """
    c, q = rule.wrong_tail(p, start)
    first = point(start, c, q, _START_BITS)
    width = _START_BITS + 2 * start.bit_length()
    scale = width - min(0, first.upper.bit_length() + first.exponent)
    at_low, at_high = first.fixed(scale)
    low, high = lower_tail_bounds(start, c, q, width).fixed(scale)
    q_low, q_high = enclosed(q, width).fixed(width)
    up_low, up_high = ONE.over(enclosed(q, width), width).fixed(width)
    down_low, down_high = ONE.over(enclosed(1 - q, width), width).fixed(width)
    below, above = math.floor(limit * 2**scale), math.ceil(limit * 2**scale)
    for K in range(start, 1, -1):
        before, c = c, rule.wrong_tail(p, K - 1)[0]
        if c == before:
            at_low = at_low * (K - c) * down_low // K >> width
            at_high = -(-at_high * (K - c) * down_high // K >> width)
            low += at_low * q_low >> width
            high -= -at_high * q_high >> width
        else:
            low += -at_high * (K - before) // K
            high -= at_low * (K - before) // K
            at_low = at_low * before * up_low // K >> width
            at_high = -(-at_high * before * up_high // K >> width)
        if low > above or (high > below and not tail_at_most(K - 1, c, q, limit)):
            return K - 1
    return 0
