"""The meaning of ``alternative``: which values of the statistic count as extreme. No other module decodes the words.

For the observed value t of a statistic T with mean c under the null hypothesis the p-value is

- "greater": P(T >= t)
- "less": P(T <= t)
- "two-sided": P(|T - c| >= |t - c|), so both T <= min(t, 2c - t) and T >= max(t, 2c - t) are
  extreme
- "doubled": twice the smaller one-sided p-value, but at most 1. SciPy and R call this one
  "two-sided".

Each is min(1, P(more extreme) + P(exactly as extreme)), and the mid-p value is P(more extreme) +
P(exactly as extreme) / 2. "doubled" counts every assignment of its tail twice, also those exactly
as extreme as the observed one.

Where T is symmetric about c, both tails are equally large. The p-values of "two-sided" and
"doubled" then agree, and so do their mid-p values except at the centre: for t = c "two-sided" has 1
- P(T = c) / 2, "doubled" has 1. Both conventions are in use. With T = low + X and X in 0..D
symmetric about D/2, every p-value is a multiple of one count #{X <= k}; see :func:`fold`. For X in
{0: 1, 1: 2, 2: 1} and x = 2, "greater" and "two-sided" count #{X <= 0} = 1 once and twice, and p =
1/4 and 1/2.

Source: Eq. 2; spec/08-lecture-and-course-page.md#lecture-right-tail.
"""

from __future__ import annotations

from collections.abc import Callable

from .._types import Literal, Union
from ..arithmetic.rational import Exact
from ..arithmetic.reading import choice
from ..record import Record

Alternative = Literal["two-sided", "greater", "less", "doubled"]
TailEnds = tuple[Union[Exact, None], Union[Exact, None]]
"""(low, high): the values T <= low and T >= high; None for a tail that does not count."""


_SIDES = {
    "two-sided": (True, True),
    "greater": (False, True),
    "less": (True, False),
    "doubled": (True, True),
}
ALTERNATIVES = tuple(_SIDES)


def check_alternative(alternative: object) -> None:
    """Raise ``ExactPermError`` unless ``alternative`` is one of the four words."""
    if type(alternative) is not str or alternative not in ALTERNATIVES:
        choice(alternative, "alternative", ALTERNATIVES)


def sides(alternative: Alternative) -> tuple[bool, bool]:
    """Return whether low values of T count as extreme, and whether high values do.

    >>> sides("less"), sides("doubled")
    ((True, False), (True, True))
    """
    if type(alternative) is not str or alternative not in _SIDES:
        check_alternative(alternative)
    return _SIDES[alternative]


def tail_words(alternative: Alternative) -> str:
    """Return the words of a picture for the tail that is shaded.

    >>> tail_words("two-sided"), tail_words("less")
    ('two-sided', 'one-sided (less)')
    """
    return alternative if len({*sides(alternative)}) == 1 else f"one-sided ({alternative})"


def centred(alternative: Alternative) -> bool:
    """Return whether the distance from the mean decides what is extreme, so that the mean must be known."""
    return alternative == "two-sided"


def fold(alternative: Alternative, x: int, span: int, *, strict: bool = False) -> tuple[int, int]:
    """Return (k, factor): factor * #{X <= k} assignments are at least as extreme as x; with k >= span all of them.

    X is symmetric about span/2, and 0 <= x <= span. ``strict`` leaves out those exactly as extreme
    as x; without them and with k + 1 in place of k, :func:`extremes` has both parts of a p-value.
    Source: X and span - X have the same distribution (exchange every subset for its complement);
    spec/01-null-distribution.md#eq-2.

    >>> fold("greater", 5, 7), fold("two-sided", 5, 7), fold("two-sided", 3, 6), fold("two-sided", 3, 6, strict=True)
    ((2, 1), (2, 2), (6, 1), (2, 2))
    """
    low, high = sides(alternative)
    k = span - x if not low or (high and 2 * x > span) else x
    if strict:
        return k - 1, low + high
    return (span, 1) if low and high and 2 * k == span else (k, low + high)


def tail_ends(
    alternative: Alternative, t: Exact, mirror: Callable[[], Exact], *, symmetric: bool = False
) -> tuple[int, TailEnds]:
    """Return (factor, (low, high)): a p-value counts T <= low and T >= high, or twice the smaller of these two tails.

    The factor is 2 where one tail is doubled, else 1. ``mirror`` returns 2c - t, and is called
    where it matters only. ``symmetric`` promises that T is symmetric about c, where one tail is
    enough. Source: Eq. 2; spec/08-lecture-and-course-page.md#lecture-right-tail.

    >>> [tail_ends(word, 3, lambda: -1) for word in ("greater", "two-sided", "doubled")]
    [(1, (None, 3)), (1, (-1, 3)), (2, (3, 3))]
    """
    low, high = sides(alternative)
    if not (low and high):
        return 1, (t if low else None, t if high else None)
    if symmetric:
        return 2, (None, max(t, mirror()))
    if alternative == "doubled":
        return 2, (t, t)
    return 1, (min(t, mirror()), max(t, mirror()))


class Extremes(Record):
    """Numbers of assignments more extreme than the observed one and exactly as extreme, of ``total``.

    Each p-value has these two parts: min(total, more + tied) / total with the boundary included,
    more / total without, (more + tied / 2) / total as a mid-p value. "doubled" counts each
    assignment twice, so that ``more + tied`` may be above ``total``.
    """

    more: int
    tied: int
    total: int

    @property
    def count(self) -> int:
        """The number of assignments at least as extreme as the observed one."""
        return min(self.total, self.more + self.tied)

    @property
    def halves(self) -> int:
        """Twice the numerator of the mid-p value over ``total``: 2 * more + tied."""
        return 2 * self.more + self.tied


def extremes(alternative: Alternative, total: int, factor: int, weak: int, strict: int) -> Extremes:
    """Return the numbers of more extreme and of exactly as extreme assignments, the two parts of a p-value.

    ``weak`` and ``strict`` count the region with the fewest assignments, with its boundary and
    without. ``factor`` is that of :func:`tail_ends` or :func:`fold`. The two tails of "two-sided"
    meet in the centre, where a value is counted once.

    >>> extremes("doubled", 8, 2, 7, 1)
    Extremes(more=2, tied=12, total=8)
    >>> extremes("two-sided", 8, 2, 7, 1)
    Extremes(more=2, tied=6, total=8)
    """
    both = factor * weak
    return Extremes(
        more=factor * strict,
        tied=(both if alternative == "doubled" else min(total, both)) - factor * strict,
        total=total,
    )
