"""Check a printed test statistic beside its data, and beside the p-value that is printed with it.

"t(14) = 2.148, p = .050" has three answers that may differ: the p-value of the data, on which the
verdict is, the statistic of the data, and the p-value of the printed statistic. Each statistic of
flips f, with T = sum f and Q = sum f**2, stands for an interval of T, as wide as the last printed
digit, and so for an interval of p-values:

    V, W, M, a sum or a mean: linear in T        z = (|T| - step) / sqrt(Q)        t**2 = (n - 1) R**2 / (n - R**2)

with R**2 = T**2 / Q. An answer is "no" only where all readings fail that the claim and its data
leave open: the rule for zeros, ties of doubles, scores before rounding, laws, tails, the order of
the columns. Source: spec/10-audit.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, product
from math import ceil, floor, isqrt

from .._types import TYPE_CHECKING, Any
from ..arithmetic.rational import Exact
from ..arithmetic.writing import decimal_string, readable
from ..errors import BudgetExceeded
from ..record import Record, replaced
from ..swaps.canonical import Swaps, canonical
from ..swaps.effects import flip_effects
from .conventions import bounded
from .findings import StatisticCheck
from .laws import normal_tail, t_tail
from .readings import boundaries_of, laws_of, open_unit, statistics_of, tails_of
from .rounding import Box, signed_squares

if TYPE_CHECKING:
    from .case import Case
    from .lines import PrintedStatistic


Ends = tuple[Fraction, Fraction]
_Form = tuple[Fraction, Fraction, bool]
Flips = Mapping[Any, int]
"""Flips with the number of pairs of each."""


_MOST_DF = 10**5
_DIGITS = 12
"""Decimals of square roots."""

_ONE_SIDED = ("greater", "less", "min")
_NAMES = ("v", "v+", "v-", "w", "w+", "w-", "t", "t+", "t-", "s", "m", "b", "c", "mean", "sum")
"""Names, in small letters, of sums: another name may be that of a statistic that is not known
here."""

_FLIPS = {"sum": "sum", "signed-rank": "signed-rank", "sign": "sign", "mcnemar": "sign"}
"""What the tests of the statistics of claims flip: differences, signed ranks or signs."""

_NET: _Form = (Fraction(1), Fraction(-1), False)
_FORMS: dict[str, dict[str, _Form]] = {
    "sum": {
        "the sum": _NET,
        "the mean": (Fraction(1), Fraction(-1), True),
        "the sum of the positive differences": (Fraction(1), Fraction(0), False),
        "the sum of the negative ones": (Fraction(0), Fraction(-1), False),
    },
    "signed-rank": {
        "V = W+": (Fraction(1), Fraction(0), False),
        "W-": (Fraction(0), Fraction(1), False),
        "W+ - W-": _NET,
        "S = (W+ - W-)/2": (Fraction(1, 2), Fraction(-1, 2), False),
    },
    "sign": {
        "b": (Fraction(1), Fraction(0), False),
        "c": (Fraction(0), Fraction(1), False),
        "b - c": _NET,
        "M = (b - c)/2": (Fraction(1, 2), Fraction(-1, 2), False),
    },
}
"""Sums of flips by name: factors of the sums of the positive and of the negative ones' sizes, and whether n divides.

The least of W+ and W- is one of them.
"""

_FREEDOM: dict[str, Callable[[int], int]] = {"t": lambda n: n - 1, "chi2": lambda _n: 1}
"""Degrees of freedom of n pairs."""

_TITLES = {"z": "z", "chi2": "chi-squared"}
_SHOWN = 4
"""Statistics of the data that are named at most."""


def checked_statistic(case: Case, level: str, *, doubtful: bool) -> StatisticCheck | None:
    """Return the answers on the printed statistic of a claim; None where it has none.

    ``level`` is that of the p-value; ``doubtful``: whether the data may be others.
    R calls the sum of positive ranks V, and that of positive differences T (exactRankTests); T and
    W are used for W+, W- and their minimum, S and M by SAS. Source: spec/10-audit.md.
    """
    text, number = case.claim.printed_statistic, case.claim.test_statistic
    if text is None:
        return None
    if number is None:
        return StatisticCheck(text=text, data="it is no number")
    of_data, data = _of_data(case, number)
    of_statistic, pvalue = _of_statistic(
        case, number, settled=doubtful or (level == "consistent" and of_data is True)
    )
    # both are those of the data by some reading
    if of_statistic is False and level == "undecided" and of_data:
        of_statistic = None
    # a sum may be given before the shift
    if of_data is False and (doubtful or (case.claim.mu and not number.kind)):
        of_data = None
    return StatisticCheck(
        text=text, of_data=of_data, of_statistic=of_statistic, data=data, pvalue=pvalue
    )


# ----------------------------------------------------------------------------- the data's statistic


class _Column(Record):
    """What a test flips: a tally, or the corners of a box if the scores were rounded; ``supposed`` says of the scores.

    ``zeros`` is the rule for zeros that signed ranks have.
    """

    statistic: str
    zeros: str | None
    supposed: str
    tally: Flips
    corners: tuple[list[Exact], list[Exact]] | None = None

    def linear(self, form: _Form, n: int) -> Ends:
        """Return the least and the greatest size of a sum."""
        flips = (
            [self.tally, self.tally]
            if self.corners is None
            else [Counter(corner) for corner in self.corners]
        )
        low, high = sorted(_linear(form, one, n) for one in flips)
        least = Fraction(0) if low < 0 < high else min(abs(low), abs(high))
        return least, max(abs(low), abs(high))

    def squares(self, step: Fraction) -> Iterator[tuple[str, Ends]]:
        """Yield (words, least and greatest square) of (|T| - step) / sqrt(Q), in both orders of the columns."""
        if self.corners is None:
            size = (abs(_linear(_NET, self.tally, 1)) - step) ** 2
            ranked = sum(self.tally.values()) - self.tally.get(0, 0)
            untied = Fraction(ranked * (ranked + 1) * (2 * ranked + 1), 6)
            for words, Q in (
                ("", _sum_of_squares(self.tally)),
                ("without the correction for ties", untied),
            ):
                if Q and (
                    not words
                    or (self.statistic == "signed-rank" and _sum_of_squares(self.tally) != Q)
                ):
                    yield words, (size / Q, size / Q)
            return
        low, high = self.corners
        for a, b in ((low, high), ([-x for x in high], [-x for x in low])):
            least, most = signed_squares(a, b, step)
            yield "", (max(Fraction(0), least, -most), max(most, -least))


def _linear(form: _Form, flips: Flips, n: int) -> Fraction:
    up, down, shared = form
    value = sum((f * count * (up if f > 0 else -down) for f, count in flips.items()), Fraction(0))
    return value / n if shared else value


def _sum_of_squares(tally: Flips) -> Fraction:
    return sum((Fraction(f * f * count) for f, count in tally.items()), Fraction(0))


class _Candidate(Record):
    """A statistic of the data: its name, and the least and the greatest size, or with ``squared`` their squares."""

    name: str
    supposed: str
    sizes: Ends
    squared: bool = False

    @property
    def shown(self) -> str:
        """The name, and the decimals of the size."""
        low, high = [_shown(_root(x, floor) if self.squared else x) for x in self.sizes]
        return f"{self.name} = {low if low == high else f'{low} to {high}'}"

    def prints(self, number: PrintedStatistic) -> bool:
        """Return whether the text is that of this statistic."""
        low, high = self.sizes
        if low == high and not self.squared:
            return number.size.fit(low) is not None
        least, most = [max(Fraction(0), end) for end in number.size.hull()]
        return (
            low <= (most * most if self.squared else most)
            and (least * least if self.squared else least) <= high
        )


def _of_data(case: Case, number: PrintedStatistic) -> tuple[bool | None, str]:
    """Return whether the text is a statistic of the data, and which it is, or which there are."""
    known = list(_candidates(case, number))
    fitting = [one for one in known if one.prints(number)]
    if known and not _has_freedom(case, number):
        other = (
            ", as of an unpaired test"
            if number.kind == "t" and number.df == 2 * case.sample.n - 2
            else ""
        )
        printed = f"{readable(number.df or 0)} degrees of freedom are printed{other}"
        return (
            False,
            f"{(fitting or known)[0].shown}; {printed}, the data have {_FREEDOM[number.kind](case.sample.n)}",
        )
    supposed = min((one.supposed for one in fitting or known), default="")
    surest = [one for one in fitting or known if one.supposed == supposed]
    shown = list(
        dict.fromkeys(one.name if fitting and not number.kind else one.shown for one in surest)
    )
    shown = shown[: 1 if number.kind else _SHOWN]
    if fitting:
        return True, ", ".join([" or ".join(shown), *([supposed] if supposed else [])])
    rounded = [
        f"{one.shown} {one.supposed}"
        for one in known
        if one.supposed and one.sizes[0] < one.sizes[1]
    ]
    recognised = number.kind or number.name.lower() in _NAMES
    return (False if recognised and known else None), ", ".join([*shown, *rounded[:1]])


def _has_freedom(case: Case, number: PrintedStatistic) -> bool:
    """Return whether the printed degrees of freedom, if any, are those of the data."""
    return (
        number.df is None
        or number.kind not in _FREEDOM
        or number.df == _FREEDOM[number.kind](case.sample.n)
    )


def _candidates(case: Case, number: PrintedStatistic) -> Iterator[_Candidate]:
    """Yield the statistics that a printed one may be, those of the stated test first."""
    n = case.sample.n
    for column in _columns(case, number):
        supposed = column.supposed
        for name, form in _forms(case, number, column):
            yield _Candidate(name=name, supposed=supposed, sizes=column.linear(form, n))
        for kind, step in _kinds(case, number, column):
            for words, squares in column.squares(step):
                other = [column.statistic] if column.statistic != case.claim.statistic else []
                told = [
                    *other,
                    *(["continuity correction"] if step else []),
                    *([words] if words else []),
                ]
                beside = f" ({', '.join(told)})" if told else ""
                if kind == "t" and squares[0] < n > 1:
                    most = min(squares[1], n - Fraction(1, 10**_DIGITS))
                    sizes = (n - 1) * squares[0] / (n - squares[0]), (n - 1) * most / (n - most)
                    yield _Candidate(
                        name=f"t({n - 1}){beside}", supposed=supposed, sizes=sizes, squared=True
                    )
                elif kind != "t":
                    yield _Candidate(
                        name=f"{_TITLES[kind]}{beside}",
                        supposed=supposed,
                        sizes=squares,
                        squared=kind == "z",
                    )


def _columns(case: Case, number: PrintedStatistic) -> Iterator[_Column]:
    """Yield what the tests flip that a claim and its data leave open."""
    tests = [(name, zeros) for name, zeros, _sure in statistics_of(case) if name in _FLIPS]
    if number.kind == "t":
        tests = [test for test in (("sum", None),) if case.claim.statistic in _FLIPS]
    elif not number.kind and tests:
        others = [
            (name, case.claim.zeros)
            for name in _FORMS
            if name not in {_FLIPS[test] for test, _ in tests}
        ]
        tests += [] if case.sample.labels is not None else others
    unit = open_unit(case)
    for statistic, zeros in tests:
        about: Any = {"statistic": statistic, "zeros": zeros}
        family = _FLIPS[statistic]
        for supposed, sample in (
            ("", case.sample),
            ("by differences of doubles", case.sample.in_doubles()),
        ):
            tally = None if sample is None else sample.tally(family, zeros)
            if tally is not None:
                yield _Column(supposed=supposed, tally=tally, **about)
        box = None if unit is None else case.counted.box(case.sample, family, unit, case.allowance)
        if isinstance(box, Box):
            supposed = f"if the scores were rounded to {readable(unit or 0)}"
            yield _Column(
                supposed=supposed, tally={}, corners=(list(box.low), list(box.high)), **about
            )


def _forms(case: Case, number: PrintedStatistic, column: _Column) -> Iterable[tuple[str, _Form]]:
    """Return the sums of a column that a number may be; of groups only the whole one."""
    if number.kind:
        return ()
    forms = _FORMS[_FLIPS[column.statistic]]
    return forms.items() if case.sample.labels is None else [("the sum", _NET)]


def _kinds(case: Case, number: PrintedStatistic, column: _Column) -> Iterator[tuple[str, Fraction]]:
    """Yield (kind, continuity correction) of the standardised statistics that a number may be."""
    kinds = (
        (number.kind,)
        if number.kind
        else ("t",)
        if number.name == "T"
        else ("t", "z")
        if not number.name
        else ()
    )
    for kind in kinds:
        if kind == "t" or column.statistic == "sum":
            steps = [Fraction(0)] if kind != "t" or column.statistic == "sum" else []
        # Edwards' correction and Yates' of McNemar's chi-squared; half a rank of W+ is one of W+ -
        # W-
        else:
            steps = [Fraction(0), Fraction(1), *([Fraction(1, 2)] if kind == "chi2" else [])]
        yield from (
            (kind, step) for step in (reversed(steps) if case.claim.law == "normal-cc" else steps)
        )


def _shown(x: Fraction) -> str:
    return readable(x) if x.denominator == 1 else decimal_string(x, 6)


def _root(square: Fraction, towards: Callable[[Fraction], int]) -> Fraction:
    """Return a bound of a square root: from below with ``floor``, from above with ``ceil``."""
    scale = 10**_DIGITS
    whole = isqrt(floor(square * scale * scale))
    return Fraction(whole + (towards is ceil), scale)


# -------------------------------------------------------------------------- the statistic's p-value


def _of_statistic(
    case: Case, number: PrintedStatistic, *, settled: bool
) -> tuple[bool | None, str]:
    """Return whether the printed p-value is that of the printed statistic, and that in words.

    With ``settled`` no other answer than yes is wanted, and only laws are tried, which cost
    nothing.
    """
    claim = case.claim
    if claim.adjustment is not None or claim.law == "monte-carlo":  # no p-value of one test
        return None, ""
    nearest: Ends | None = None
    # Scores before rounding have other ties and sums: only the laws are known then.
    tests = {name for name, _zeros, _sure in statistics_of(case)}
    known = (
        not settled
        and open_unit(case) is None
        and _has_freedom(case, number)
        and tests <= _FLIPS.keys()
    )
    closed = not claim.leaves_open("law") and claim.law in ("t", "normal")
    decided = known or (not settled and number.kind and (closed or not _has_freedom(case, number)))
    try:
        for tail, ends in chain(_by_laws(case, number), _by_places(case, number) if known else ()):
            assumed = tail in _ONE_SIDED and claim.leaves_open("alternative")
            if case.printed.encloses(*ends, case.alpha) is not False and not (assumed and settled):
                return True, "agrees with that statistic" + (
                    " if it is one-sided" if assumed else ""
                )
            nearest = nearest or ends
    except BudgetExceeded:
        return None, ""
    if nearest is None or not decided:
        return None, ""
    low, high = [decimal_string(end, 3) for end in nearest]
    given = f"p = {low}" if low == high else f"p from {low} to {high}"
    return False, f"disagrees with that statistic, which gives {given}"


def _by_laws(case: Case, number: PrintedStatistic) -> Iterator[tuple[str, Ends]]:
    """Yield (tail, p-values) of a t, z or chi-squared by its law, whatever the data are."""
    kind = number.kind or ("t" if number.name == "T" else "")
    df = number.df if number.df is not None else Fraction({"chi2": 1}.get(kind, case.sample.n - 1))
    if not kind or df.denominator > 1 or not 1 <= df <= (1 if kind == "chi2" else _MOST_DF):
        return
    ends = [max(Fraction(0), end) for end in number.size.hull()]
    low, high = ends if kind == "chi2" else [end * end for end in ends]
    tails = [
        t_tail(square, int(df)) if kind == "t" else normal_tail(square) for square in (high, low)
    ]
    upper = tails[0].ends()[0], tails[1].ends()[1]
    both = 2 * upper[0], min(Fraction(1), 2 * upper[1])
    for tail in _tails(case):
        if tail not in _ONE_SIDED or kind == "chi2":
            yield tail, both
        if tail in _ONE_SIDED:
            yield tail, upper
        if tail in ("greater", "less"):  # the order of the columns may be the other one
            yield tail, (1 - upper[1], 1 - upper[0])


def _tails(case: Case) -> list[str]:
    """Return the tails that a claim leaves open: where none is stated, two sides and the smaller one."""
    return (
        ["two-sided", "min"]
        if case.claim.leaves_open("alternative")
        else [tail for tail, _sure in tails_of(case)]
    )


def _by_places(case: Case, number: PrintedStatistic) -> Iterator[tuple[str, Ends]]:
    """Yield (tail, p-values) of the tests of these flips wherever T has the printed statistic."""
    for column in _columns(case, number):
        if column.statistic in {name for name, _, _ in statistics_of(case)} and any(column.tally):
            swaps = canonical(flip_effects(column.tally))
            seen: set[tuple[int, int]] = set()
            for low, high in _net_sums(case, number, column):
                reach = sum((abs(f) * count for f, count in column.tally.items()), Fraction(0))
                first, last = [(T / reach + 1) * swaps.span / 2 for T in (low, high)]
                places = max(0, ceil(first)), min(swaps.span, floor(last))
                if places[0] <= places[1] and places not in seen:
                    seen.add(places)
                    yield from _at(case, column, swaps, places)


def _net_sums(case: Case, number: PrintedStatistic, column: _Column) -> Iterator[Ends]:
    """Yield the intervals of T = sum f of a column in which its statistic is the printed one."""
    least, most = [max(Fraction(0), end) for end in number.size.hull()]
    reach = sum((abs(f) * count for f, count in column.tally.items()), Fraction(0))
    for _name, (up, down, shared) in _forms(case, number, column):
        middle, slope = (up + down) * reach / 2, (up - down) / 2
        times = case.sample.n if shared else 1
        for ends in ((least, most), (-most, -least)):
            low, high = sorted((end * times - middle) / slope for end in ends)
            yield low, high
    Q, n = _sum_of_squares(column.tally), case.sample.n
    for kind, step in _kinds(case, number, column):
        squares = [least, most] if kind == "chi2" else [least * least, most * most]
        if kind == "t":
            squares = [n * square / (n - 1 + square) for square in squares if n > 1]
        if squares:
            yield _root(squares[0] * Q, floor) + step, _root(squares[1] * Q, ceil) + step


def _at(
    case: Case, column: _Column, swaps: Swaps, places: tuple[int, int]
) -> Iterator[tuple[str, Ends]]:
    """Yield (tail, p-values) of a test whose observed place on its lattice 0, ..., D is between two."""
    low, high = places
    step = 2 if column.statistic == "signed-rank" else None
    moved = [
        bounded(replaced(swaps, observed=x), case.sample.n, step, case.allowance)
        for x in {low, high}
    ]
    if any(facts.refusal for facts in moved):
        raise BudgetExceeded("the p-value of the printed statistic")
    centre = 2 * low <= swaps.span <= 2 * high
    laws, boundaries = laws_of(case, column.statistic), boundaries_of(case, column.statistic)
    for (law, _), tail, (boundary, _) in product(laws, _tails(case), boundaries):
        # The order of the columns may be the other one, and W- is the W+ of that.
        for side in {"greater": ("greater", "less"), "less": ("less", "greater")}.get(
            tail, (tail,)
        ):
            values = [facts.value(law, side, boundary) for facts in moved]
            pairs = [
                value if isinstance(value, tuple) else (value, value)
                for value in values
                if value is not None
            ]
            if len(pairs) == len(moved):
                top = (
                    Fraction(1)
                    if centre and side not in ("greater", "less")
                    else max(high for _, high in pairs)
                )
                yield tail, (min(low for low, _ in pairs), top)
