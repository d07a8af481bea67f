"""Check a printed test statistic beside its data, and beside the p-value that is printed with it.

"t(14) = 2.148, p = .050" has three answers that may differ: the p-value of the data, on which the
verdict is, the statistic of the data, and the p-value of the printed statistic. With T = sum f of
what is flipped and Q = sum f**2, a printed statistic is an interval of T:

    V, W, b, a sum or a mean: linear in T        z = (|T| - step) / sqrt(Q)        t**2 = (n - 1) R**2 / (n - R**2)

with R**2 = T**2 / Q, and so one of p-values. An answer is "no" only where each reading says so that
the claim and its data leave open. Source: spec/10-audit.md#audit-statistic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, product
from math import ceil, floor, isqrt

from .._types import TYPE_CHECKING
from ..arithmetic.rational import Exact
from ..arithmetic.writing import decimal_string, readable
from ..errors import BudgetExceeded, ExactPermError
from ..record import replaced
from .axes import DIFFERENCES, ROUNDED, Way
from .facts import Ends, Flipping, hull, moved, rest
from .finding import StatisticCheck
from .laws import normal_tail, t_tail
from .rounding import box, two_sides
from .text import unit_words

if TYPE_CHECKING:
    from .case import Case
    from .text import PrintedPValue

Sum = tuple[str, Exact, Exact]
"""A sum of flips: its name, and the factors of the sums of the positive and of the negative ones' sizes."""
_NET: Sum = ("the sum", 1, -1)
_COUNTS: tuple[Sum, ...] = (
    ("b", 1, 0),
    ("c", 0, 1),
    ("b - c", 1, -1),
    ("M = (b - c)/2", Fraction(1, 2), Fraction(-1, 2)),
)
_SUMS: Mapping[str, tuple[Sum, ...]] = {
    "difference": (
        _NET,
        ("the sum of the positive differences", 1, 0),
        ("the sum of the negative ones", 0, -1),
    ),
    "wilcoxon": (
        ("V = W+", 1, 0),
        ("W-", 0, 1),
        ("W+ - W-", 1, -1),
        ("S = (W+ - W-)/2", Fraction(1, 2), Fraction(-1, 2)),
    ),
    "sign": _COUNTS,
    "mcnemar": _COUNTS,
}
"""Sums of what each test flips; other tests swap other things."""
_NAMES = {"v", "v+", "v-", "w", "w+", "w-", "t", "t+", "t-", "s", "m", "b", "c", "mean", "sum"}
"""Names, in small letters, of sums: another name may be that of a statistic that is not known here."""
_TITLES = {"t": "t", "z": "z", "chi2": "chi-squared"}
_MOST_DF = 10**5
_DIGITS = 12
_STEPS: Mapping[str, Sequence[Exact]] = {"t": (), "z": (0, 1), "chi2": (0, 1, Fraction(1, 2))}
"""Continuity corrections of statistics of ranks and signs; none has a t."""
_SHOWN = 4
"""Statistics of the data that are named at most."""

Flipped = tuple[str, str, Flipping, Flipping]
"""(statistic, what is supposed of the data, least flips, greatest flips)."""
Candidate = tuple[str, str, Ends]
"""(name, what is supposed, least and greatest square)."""


def checked_statistic(case: Case, heap: str) -> StatisticCheck | None:
    """Return the answers on the printed statistic of a claim; None where it has none.

    ``heap`` is that of the p-value: where both numbers are those of the data by some reading, there
    is nothing to accuse.
    """
    text, number = case.claim.printed_statistic, case.claim.test_statistic
    if text is None:
        return None
    if number is None:
        return StatisticCheck(text=text, data="it is no number")
    of_data, data = _of_data(case, number)
    settled = heap == "fine" and of_data is True
    of_statistic, pvalue = _of_statistic(case, number, by_laws_alone=settled)
    if of_statistic is False and of_data and heap != "wrong":
        of_statistic, pvalue = None, ""
    if of_data is False and case.claim.mu and not number.kind:
        of_data = None  # a sum may be given before the shift
    return StatisticCheck(
        text=text, of_data=of_data, of_statistic=of_statistic, data=data, pvalue=pvalue
    )


# ----------------------------------------------------------------------------- the data's statistic


def _of_data(case: Case, number: PrintedPValue) -> tuple[bool | None, str]:
    """Return whether the text is a statistic of the data, and which it is, or which there are."""
    known = list(_candidates(case, number))
    least, most = [end * max(Fraction(0), end) for end in number.hull()]
    fitting = [one for one in known if one[2][0] <= most and least <= one[2][1]]
    n = case.sample.n
    if known and not _has_freedom(case, number):
        other = ", as of an unpaired test" if number.df == 2 * n - 2 else ""
        printed = f"{readable(number.df or 0)} degrees of freedom are printed{other}"
        has = 1 if number.kind == "chi2" else n - 1
        return False, f"{_shown((fitting or known)[0])}; {printed}, the data have {has}"
    supposed = min((one[1] for one in fitting or known), default="")
    surest = [one for one in fitting or known if one[1] == supposed]
    named = fitting and not number.kind
    shown = list(dict.fromkeys(one[0] if named else _shown(one) for one in surest))
    told = shown[: 1 if number.kind else _SHOWN]
    if fitting:
        return True, ", ".join([" or ".join(told), *filter(None, [supposed])])
    wide = [f"{_shown(one)} {one[1]}" for one in known if one[1] and one[2][0] < one[2][1]]
    recognised = number.kind or number.name.lower() in _NAMES
    return (False if recognised and known else None), ", ".join([*told, *wide[:1]])


def _has_freedom(case: Case, number: PrintedPValue) -> bool:
    """Whether the printed degrees of freedom, if any, are those of the data."""
    freedom = {"t": case.sample.n - 1, "chi2": 1}.get(number.kind)
    return freedom is None or number.df in (None, freedom)


def _candidates(case: Case, number: PrintedPValue) -> Iterator[Candidate]:
    """Yield the statistics that a printed one may be, those of the stated test first."""
    n = case.sample.n
    for statistic, supposed, low, high in _columns(case, number):
        for name, up, down in _sums(case, number, statistic):
            ends = _linear(low, up, down), _linear(high, up, down)
            least = Fraction(0) if min(ends) < 0 < max(ends) else min(map(abs, ends))
            yield name, supposed, (least**2, max(map(abs, ends)) ** 2)
        for kind, step in _kinds(number, statistic):
            beside = [statistic] if statistic != case.claim.statistic else []
            beside += ["continuity correction"] if step else []
            told = f" ({', '.join(beside)})" if beside else ""
            for a, b in _squares(low, high, step):
                if kind == "t" and a < n > 1:
                    top = min(b, n - Fraction(1, 10**_DIGITS))
                    sizes = (n - 1) * a / (n - a), (n - 1) * top / (n - top)
                    yield f"t({n - 1}){told}", supposed, sizes
                elif kind != "t":
                    sizes = (a, b) if kind == "z" else (a * a, b * b)
                    yield f"{_TITLES[kind]}{told}", supposed, sizes


def _columns(case: Case, number: PrintedPValue) -> Iterator[Flipped]:
    """Yield what the tests flip that a claim and its data leave open; of no test that swaps other things."""
    sample, tests = case.sample, dict[tuple[object, ...], Way]()
    for way in case.known():
        if way.statistic in _SUMS and way.source == "itself":
            if number.kind == "t":
                way = replaced(way, statistic="difference", zeros="")
            tests.setdefault((way.statistic, way.zeros, way.data, way.unit), way)
    if tests and not number.kind and sample.labels is None:
        named = {_SUMS[way.statistic] for way in tests.values()}
        for name in DIFFERENCES:
            if _SUMS[name] not in named:
                zeros = case.claim.zeros if name == "wilcoxon" else ""
                tests[name,] = Way(statistic=name, zeros=zeros, law="exact", tail="less")
    for way in tests.values():
        if way.unit is None:
            flips = sample.flips(way.statistic, way.zeros, way.data)
            supposed = "by differences of doubles" * (way.data == "doubles")
            yield way.statistic, supposed, flips, flips
        else:
            supposed = f"if the scores were rounded to {unit_words(way.unit)}"
            yield (way.statistic, supposed, *box(way, sample))


def _counted(flips: Flipping) -> Iterable[tuple[Exact, int]]:
    return flips.items() if isinstance(flips, Mapping) else [(one, 1) for one in flips]


def _linear(flips: Flipping, up: Exact, down: Exact) -> Fraction:
    """Return a sum of flips."""
    return Fraction(sum(f * count * (up if f > 0 else -down) for f, count in _counted(flips)))


def _of_squares(flips: Flipping) -> Fraction:
    """Return the sum of the squares of flips."""
    return Fraction(sum(f * f * count for f, count in _counted(flips)))


def _squares(low: Flipping, high: Flipping, step: Exact) -> Iterator[Ends]:
    """Yield the least and the greatest square of (|T| - step) / sqrt(Q), in both orders of the columns."""
    if low is high:
        total = _of_squares(low)
        if total:
            yield ((abs(_linear(low, 1, -1)) - step) ** 2 / total,) * 2
        return
    for least, most in two_sides([*low], [*high], step)[::-1]:
        yield max(Fraction(0), least, -most), max(most, -least)


def _shown(one: Candidate) -> str:
    """Return the name of a statistic of the data, and the decimals of its size."""
    told = [_root(x, floor) for x in one[2]]
    low, high = [readable(x) if x.denominator == 1 else decimal_string(x, 6) for x in told]
    return f"{one[0]} = {low if low == high else f'{low} to {high}'}"


def _sums(case: Case, number: PrintedPValue, statistic: str) -> Sequence[Sum]:
    """Return the sums that a number may be; of groups only the whole one."""
    if number.kind:
        return ()
    if case.sample.labels is not None:
        return (_NET,)
    each = Fraction(1, max(1, case.sample.n))
    mean: Sequence[Sum] = [("the mean", each, -each)] if statistic == "difference" else []
    return (*_SUMS[statistic], *mean)


def _kinds(number: PrintedPValue, statistic: str) -> Iterator[tuple[str, Exact]]:
    """Yield (kind, continuity correction) of the standardised statistics that a number may be.

    McNemar's chi-squared has Edwards' correction or Yates'; half a rank of W+ is one of W+ - W-.
    """
    bare = {"T": ("t",), "": ("t", "z")}.get(number.name, ())
    for kind in (number.kind,) if number.kind else bare:
        steps: Sequence[Exact] = (0,) if statistic == "difference" else _STEPS[kind]
        yield from product([kind], steps)


def _root(square: Exact, towards: Callable[[Fraction], int]) -> Fraction:
    """Return a bound of a square root: from below with ``floor``, from above with ``ceil``."""
    scale = 10**_DIGITS
    whole = isqrt(floor(square * scale * scale))
    return Fraction(whole + (towards is ceil), scale)


# -------------------------------------------------------------------------- the statistic's p-value


def _of_statistic(
    case: Case, number: PrintedPValue, *, by_laws_alone: bool
) -> tuple[bool | None, str]:
    """Return whether the printed p-value is that of the printed statistic, and that in words."""
    claim = case.claim
    if claim.adjustment is not None or claim.samples:  # no p-value of one test
        return None, ""
    ways = [way for way in case.known() if way.source == "itself"]
    freedom = _has_freedom(case, number)
    known = all(way.statistic in _SUMS and way.data not in ROUNDED for way in ways)
    known = known and freedom and not by_laws_alone
    closed = not claim.leaves_open("law") and claim.law in ("t", "normal")
    nearest: Ends | None = None
    try:
        places = _by_places(case, number, ways) if known else ()
        for tail, ends in chain(_by_laws(case, number), places):
            assumed = tail != "two-sided" and claim.leaves_open("alternative")
            if assumed and case.text.relation in (">", ">="):
                continue
            if case.text.encloses(*ends, case.alpha) is not False:
                return True, "agrees with that statistic" + " if it is one-sided" * assumed
            nearest = nearest or ends
    except BudgetExceeded:
        return None, ""
    if nearest is None or not (known or (number.kind and (closed or not freedom))):
        return None, ""
    low, high = [decimal_string(end, 3) for end in nearest]
    given = f"p = {low}" if low == high else f"p from {low} to {high}"
    return False, f"disagrees with that statistic, which gives {given}"


def _by_laws(case: Case, number: PrintedPValue) -> Iterator[tuple[str, Ends]]:
    """Yield (tail, p-values) of a t, z or chi-squared by its law, whatever the data are."""
    kind = number.kind or {"T": "t"}.get(number.name, "")
    df = Fraction(1 if kind == "chi2" else case.sample.n - 1) if number.df is None else number.df
    if not kind or df.denominator > 1 or not 1 <= df <= (1 if kind == "chi2" else _MOST_DF):
        return
    ends = []
    for size in number.hull():
        square = max(Fraction(0), size) ** (1 if kind == "chi2" else 2)
        tail = t_tail(square / (df + square), int(df)) if kind == "t" else normal_tail(square)
        ends.append(tail.ends())
    upper = ends[1][0], ends[0][1]
    asked = case.claim.alternative
    one_sided = asked in ("greater", "less", "min")
    if not one_sided or kind == "chi2":
        yield "two-sided", (2 * upper[0], 2 * upper[1])
    if one_sided or case.claim.leaves_open("alternative"):
        yield "min", upper
    if asked in ("greater", "less"):  # the order of the columns may be the other one
        yield asked, rest(upper)


def _by_places(
    case: Case, number: PrintedPValue, ways: Sequence[Way]
) -> Iterator[tuple[str, Ends]]:
    """Yield (tail, p-values) of the readings of a claim wherever T has the printed statistic."""
    for way in ways:
        try:
            sample = case.sample.under(way.design)
        except ExactPermError:
            continue
        flips = sample.flips(way.statistic, way.zeros, way.data)
        if not _linear(flips, 1, 1):  # of single runs there are none
            continue
        step = 2 if way.statistic == "wilcoxon" else None
        for ends in _net_sums(case, number, way.statistic, flips):
            found = moved(flips, ends, sample.n, step, case.allowance, counted=way.law == "exact")
            values = [one.value(way.law, way.side, way.boundary) for one in found]
            pairs = [p for p in values if p is not None]
            if pairs and len(pairs) == len(found):
                low, high = hull(pairs)
                middle = found[0].side * found[-1].side <= 0 and way.side == "two-sided"
                yield way.tail, (low, Fraction(1) if middle else high)


def _net_sums(case: Case, number: PrintedPValue, statistic: str, flips: Flipping) -> Iterator[Ends]:
    """Yield the intervals of T in which the statistic of these flips is the printed one, on either side."""
    least, most = [max(Fraction(0), end) for end in number.hull()]
    n, found = case.sample.n, set[Ends]()
    reach, squares = _linear(flips, 1, 1), _of_squares(flips)
    for _name, up, down in _sums(case, number, statistic):
        middle, slope = (up + down) * reach / 2, Fraction(up - down) / 2
        a, b = [(end - middle) / slope for end in (least, most)]
        found.add((min(a, b), max(a, b)))
    for kind, step in _kinds(number, statistic):
        if kind == "t" and n < 2:
            continue
        a, b = (least, most) if kind == "chi2" else (least * least, most * most)
        if kind == "t":
            a, b = n * a / (n - 1 + a), n * b / (n - 1 + b)
        found.add((_root(a * squares, floor) + step, _root(b * squares, ceil) + step))
    yield from sorted({*found, *((-high, -low) for low, high in found)})
