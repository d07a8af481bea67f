"""Certified p-values and decisions: brackets in milliseconds, for any scores and any number of pairs.

The p-value of a difference of means is a tail of the swap sum X, so
:func:`exactperm.certified.bracket.tail_bracket` encloses it. A decision p <= alpha needs a bracket
on one side of alpha only; narrower ones, and at last the exact count, are left for p-values next to
alpha.

Source: spec/09-own-theorems.md#own-decision.
"""

from __future__ import annotations

from contextlib import suppress

from ._types import Any
from .arithmetic.enclosure import Enclosure, compare
from .arithmetic.rational import Exact
from .arithmetic.reading import flag, level
from .arithmetic.writing import number_text
from .budget import Budget, Options, Progress
from .certified.bracket import QUICK
from .errors import BudgetExceeded
from .null.alternative import Alternative, check_alternative
from .null.brackets import pvalue_bracket
from .null.float_result import FloatResult, between, bracketed, checked_digits
from .null.tails import SumTails
from .record import Result
from .swaps.canonical import Swaps, canonical
from .swaps.effects import SwapUnits, flip_effects, swap_effects
from .swaps.statistic import Statistic, Subject, difference

_SHOWN_DIGITS = 6


def fast_permutation_test(
    u: object,
    v: object,
    *,
    statistic: Statistic = difference,
    alternative: Alternative = "two-sided",
    groups: object = None,
    weights: object = None,
    tasks: object = None,
    decimals: int | None = None,
    digits: int | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> FloatResult:
    """Paired-permutation test with a certified bracket of the exact p-value: for any scores, and for F1 of any size.

    Scores, ``statistic``, ``alternative``, ``groups``, ``weights``, ``tasks`` and ``decimals`` as
    in :func:`exactperm.permutation_test`; no score is rounded unless ``decimals`` says so. A
    ``statistic`` of several components must promise to be monotone, as F1, precision, recall and
    ratios do, and its sums must have two free coordinates at most.

    The bracket contains the exact p-value in any case. Its relative width is a target of
    10**-``digits``, 1 to 50, met if the budget allows. None means the correctly rounded float,
    where that is expected within half a second, and otherwise 4 digits. ``budget`` limits the work,
    by default to five seconds; seconds become units of work by fixed constants, so that the same
    call gives the same bits everywhere. ``progress`` is called with (done, total) in units of work;
    the total is a prediction that may grow.

    Raises ``ExactPermError`` and ``WrongType`` for bad input, and ``BudgetExceeded`` where the
    budget buys no certain digit. Cost: reading the scores, and some 0.05 s for 1,000 pairs of real
    numbers and 4 digits, or for 1,000 pairs of counts and 6 digits of F1; see
    :func:`exactperm.certified.bracket.tail_bracket` and
    :func:`exactperm.certified.joint_bracket.region_tail`.
    Source: Eq. 2; spec/note.md#note-bracket, spec/ratio-inversion.md#ratio-results.

    >>> result = fast_permutation_test(["0.9", "0.7", "0.8"], ["0.6", "0.5", "0.9"], alternative="greater")
    >>> result.pvalue, result.lower, result.upper, result.correctly_rounded
    (0.25, 0.25, 0.25, True)
    """
    check_alternative(alternative)
    if weights is None and tasks is None:
        effects = swap_effects(u, v, statistic, groups=groups, decimals=decimals)
    else:
        from .swaps.weights import weighted_effects

        effects, statistic = weighted_effects(
            u, v, statistic, weights=weights, tasks=tasks, groups=groups, decimals=decimals
        )
    return float_result(effects, alternative, digits, budget, progress, statistic=statistic)


def fast_sign_flip_test(
    d: object,
    *,
    alternative: Alternative = "two-sided",
    groups: object = None,
    decimals: int | None = None,
    digits: int | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> FloatResult:
    """Test paired differences by random signs: a certified bracket of the p-value of :func:`exactperm.sign_flip_test`.

    ``d`` is a column of differences, or a mapping {difference: number of pairs}; all else as in
    :func:`fast_permutation_test`. Source: Eq. 2; spec/note.md#note-bracket.

    >>> fast_sign_flip_test({1: 28, -1: 2}).pvalue == 233 / 2**28
    True
    """
    check_alternative(alternative)
    return float_result(
        flip_effects(d, groups=groups, decimals=decimals), alternative, digits, budget, progress
    )


def float_result(
    effects: SwapUnits,
    alternative: Alternative,
    digits: int | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
    *,
    statistic: Statistic = difference,
    about: Subject | None = None,
) -> FloatResult:
    """Return the certified test of swap effects that are already known; ``about`` says what was tested."""
    check_alternative(alternative)
    digits, limit = limits(digits, budget, progress)
    if statistic.combine is not None:
        from .null.joint import JointTails
        from .swaps.lattice import lattice

        swaps: Any = JointTails(swaps=lattice(effects), rule=statistic)
    else:
        swaps = canonical(effects)
    about = Subject(name=str(statistic.name)) if about is None else about
    asked = swaps, effects.n, alternative, digits, limit
    del effects  # not needed while the bracket takes memory of its own
    return bracketed(*asked, progress=progress, about=about)


def limits(
    digits: int | None, budget: Budget | None, progress: Progress | None
) -> tuple[int | None, Budget]:
    """Return the digits and the budget of a certified test, each checked."""
    if progress is not None:
        Options(progress=progress)  # raises where it cannot be called
    limit = QUICK if budget is None else Budget.of(budget)
    return None if digits is None else checked_digits(digits), limit


class Decision(Result):
    """Whether the exact p-value is at most alpha (below it, if ``strict``): true or false in a condition.

    ``method`` is "bracket" where an enclosure of the p-value decided, "exact" where only the count
    could; ``bracket`` is that enclosure, or the exact p-value itself.

    >>> decision = is_significant([3, 1, 2, 5], [1, 0, 2, 1], "0.25")
    >>> bool(decision), decision.method
    (True, 'bracket')
    """

    significant: bool
    alpha: Exact
    strict: bool
    method: str
    bracket: Enclosure

    def __bool__(self) -> bool:
        return self.significant

    @property
    def heading(self) -> str:
        """The decision."""
        test = f"p {'<' if self.strict else '<='} {number_text(self.alpha)}"
        return (
            f"Significant: {test}" if self.significant else f"Not significant: {test} does not hold"
        )

    def rows(self) -> tuple[tuple[str, str], ...]:
        """Return the decision as rows (label, text)."""
        by = "a certified bracket" if self.method == "bracket" else "the exact count"
        return ("p-value", between(self.bracket.decimals(_SHOWN_DIGITS))), ("decided by", by)


def is_significant(
    u: object,
    v: object,
    alpha: object,
    *,
    alternative: Alternative = "two-sided",
    groups: object = None,
    decimals: int | None = None,
    strict: bool = False,
    budget: Budget | None = None,
) -> Decision:
    """Return whether the exact p-value of the difference of means is at most alpha; the answer is never wrong.

    ``alpha`` in (0, 1] is any exact number: 0.05 means 1/20, as does "0.05". ``strict=True`` means
    p < alpha instead. Brackets of falling width decide as soon as one is off alpha; where none is
    (p equal to alpha), the count decides. ``budget`` limits the brackets (five seconds by default)
    and the count. Raises as :func:`fast_permutation_test`, and ``BudgetExceeded``, with the bracket
    reached, where neither decides. Source: the decision rule of section 2;
    spec/01-null-distribution.md#def-reject.

    >>> bool(is_significant([1] * 5, [0] * 5, 0.0625)), bool(is_significant([1] * 5, [0] * 5, 0.0625, strict=True))
    (True, False)
    """
    check_alternative(alternative)
    limit, strict = level(alpha), flag(strict, "strict")
    effects = swap_effects(u, v, difference, groups=groups, decimals=decimals)
    return decision(canonical(effects), limit, alternative, strict=strict, budget=budget)


def decision(
    swaps: Swaps,
    alpha: Exact,
    alternative: Alternative,
    *,
    strict: bool = False,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> Decision:
    """Return the decision p <= alpha for swaps in canonical form; see :func:`is_significant`.

    ``progress`` is called with (done, total) in units of work of the brackets.
    """

    def decided(bracket: Enclosure) -> bool:
        return _verdict(bracket, alpha, strict) is not None

    Budget.of(budget)
    method, bracket = "bracket", Enclosure(0, 1, 0)
    if not decided(bracket):
        with suppress(BudgetExceeded):
            limit = QUICK if budget is None else budget
            bracket = pvalue_bracket(
                swaps, alternative, None, limit, decided=decided, progress=progress
            )
    if not decided(bracket):
        try:
            count, _ = SumTails(swaps=swaps).extreme_count(alternative, Options(budget=budget))
        except BudgetExceeded as refusal:
            refusal.bracket = bracket
            raise
        method, bracket = "exact", Enclosure(count, count, -sum(swaps.tally.values()) - swaps.ties)
    significant = bool(_verdict(bracket, alpha, strict))
    return Decision(
        significant=significant, alpha=alpha, strict=strict, method=method, bracket=bracket
    )


def _verdict(bracket: Enclosure, alpha: Exact, strict: bool) -> bool | None:
    """Whether every number of the bracket is at most alpha (below it, if strict); None where only some are."""
    lower, upper, exponent = bracket
    border = 0 if strict else 1
    if compare(upper, exponent, alpha) < border:
        return True
    return False if compare(lower, exponent, alpha) >= border else None
