"""Check a printed test statistic beside its data, and beside the p-value that is printed with it.

"t(14) = 2.148, p = .050" has three answers that may differ: the p-value of the data, on which the
verdict is, the statistic of the data, and the p-value of the printed statistic. With T = sum f of
what is flipped and Q = sum f**2, a printed statistic is an interval of T:

    V, W, b, a sum or a mean: linear in T        z = (|T| - step) / sqrt(Q)        t**2 = (n - 1) R**2 / (n - R**2)

with R**2 = T**2 / Q, and so one of p-values. An answer is "no" only where each reading says so that
the claim and its data leave open. Source: spec/10-audit.md#audit-statistic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from math import ceil, floor, isqrt

from .._types import TYPE_CHECKING, Any
from ..arithmetic.rational import Exact
from ..arithmetic.writing import decimal_string, readable
from ..errors import BudgetExceeded, ExactPermError
from .axes import ROUNDED, Way
from .facts import Ends, ends_of, moved
from .finding import StatisticCheck
from .laws import normal_tail, t_tail
from .rounding import box, signed_squares
from .text import unit_words

if TYPE_CHECKING:
    from .case import Case
    from .text import PrintedPValue

_NET = ("the sum", 1, -1)
_SUMS: Mapping[str, tuple[tuple[str, Exact, Exact], ...]] = {
    "difference": (
        _NET,
        ("the mean", 0, 0),
        ("the sum of the positive differences", 1, 0),
        ("the sum of the negative ones", 0, -1),
    ),
    "wilcoxon": (
        ("V = W+", 1, 0),
        ("W-", 0, 1),
        ("W+ - W-", 1, -1),
        ("S = (W+ - W-)/2", Fraction(1, 2), Fraction(-1, 2)),
    ),
    "sign": (
        ("b", 1, 0),
        ("c", 0, 1),
        ("b - c", 1, -1),
        ("M = (b - c)/2", Fraction(1, 2), Fraction(-1, 2)),
    ),
}
"""Sums of flips by name: factors of the sums of the positive and of the negative ones' sizes; the mean has its own."""
_FLIPS = {"difference": "difference", "wilcoxon": "wilcoxon", "sign": "sign", "mcnemar": "sign"}
_NAMES = {"v", "v+", "v-", "w", "w+", "w-", "t", "t+", "t-", "s", "m", "b", "c", "mean", "sum"}
"""Names, in small letters, of sums: another name may be that of a statistic that is not known here."""
_TITLES = {"t": "t", "z": "z", "chi2": "chi-squared"}
_MOST_DF = 10**5
_DIGITS = 12
_SHOWN = 4
"""Statistics of the data that are named at most."""

Flipped = tuple[str, str, Any, Any]
"""(statistic, what is supposed of the data, least flips, greatest flips)."""


def checked_statistic(case: Case, heap: str) -> StatisticCheck | None:
    """Return the answers on the printed statistic of a claim; None where it has none.

    ``heap`` is that of the p-value: where both numbers are those of the data, nothing more is said.
    """
    text, number = case.claim.printed_statistic, case.claim.test_statistic
    if text is None:
        return None
    if number is None:
        return StatisticCheck(text=text, data="it is no number")
    of_data, data = _of_data(case, number)
    settled = heap == "fine" and of_data is True
    of_statistic, pvalue = _of_statistic(case, number, settled=settled)
    if of_statistic is False and of_data and heap in ("question", "undecided"):
        of_statistic = None  # both are those of the data by some reading
    if of_data is False and case.claim.mu and not number.kind:
        of_data = None  # a sum may be given before the shift
    answers: dict[str, Any] = {"of_data": of_data, "of_statistic": of_statistic}
    return StatisticCheck(text=text, data=data, pvalue=pvalue, **answers)


# ----------------------------------------------------------------------------- the data's statistic


def _of_data(case: Case, number: PrintedPValue) -> tuple[bool | None, str]:
    """Return whether the text is a statistic of the data, and which it is, or which there are."""
    known = list(_candidates(case, number))
    fitting = [one for one in known if _prints(number, one[2], one[3])]
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


Candidate = tuple[str, str, Ends, bool]
"""(name, what is supposed, least and greatest size, whether these are squares)."""


def _candidates(case: Case, number: PrintedPValue) -> Iterator[Candidate]:
    """Yield the statistics that a printed one may be, those of the stated test first."""
    n = case.sample.n
    for column in _columns(case, number):
        statistic, supposed, *corners = column
        for name, up, down in _sums(case, number, statistic):
            low, high = sorted(_linear(one, up, down) for one in corners)
            least = Fraction(0) if low < 0 < high else min(abs(low), abs(high))
            yield name, supposed, (least, max(abs(low), abs(high))), False
        for kind, step in _kinds(case, number, statistic):
            beside = [statistic] if statistic != case.claim.statistic else []
            beside += ["continuity correction"] if step else []
            told = f" ({', '.join(beside)})" if beside else ""
            for low, high in _squares(corners, step):
                if kind != "t":
                    yield f"{_TITLES[kind]}{told}", supposed, (low, high), kind == "z"
                elif low < n > 1:
                    top = min(high, n - Fraction(1, 10**_DIGITS))
                    sizes = (n - 1) * low / (n - low), (n - 1) * top / (n - top)
                    yield f"t({n - 1}){told}", supposed, sizes, True


def _columns(case: Case, number: PrintedPValue) -> Iterator[Flipped]:
    """Yield what the tests flip that a claim and its data leave open; of no test that swaps other things."""
    sample, seen = case.sample, set()
    ways = [way for _, way in case.known() if way.statistic in _FLIPS and way.source == "itself"]
    tests = [(way.statistic, way.zeros, way.data, way.unit) for way in ways]
    if number.kind == "t":
        tests = [("difference", None, *test[2:]) for test in tests]
    elif not number.kind and sample.labels is None:
        named = {_FLIPS[test[0]] for test in tests}
        others = [name for name in _SUMS if name not in named]
        rule = case.claim.zeros
        tests += [
            (name, rule if name == "wilcoxon" else None, "given", None)
            for name in (others if tests else ())
        ]
    for statistic, zeros, data, unit in tests:
        family = _FLIPS[statistic]
        if (family, zeros, data) in seen:
            continue
        seen.add((family, zeros, data))
        if data in ROUNDED:
            supposed = f"if the scores were rounded to {unit_words(unit or 0)}"
            way = Way(statistic=family, zeros=None, law="exact", tail="less", data=data, unit=unit)
            yield statistic, supposed, *box(way, sample)
        else:
            flips = sample.flips(family, zeros, data)
            supposed = "by differences of doubles" if data == "doubles" else ""
            yield statistic, supposed, flips, flips


def _counted(flips: Any) -> Iterator[tuple[Any, int]]:
    yield from flips.items() if isinstance(flips, Mapping) else ((one, 1) for one in flips)


def _linear(flips: Any, up: Exact, down: Exact) -> Fraction:
    """Return a sum of flips; the mean where it has no factors."""
    if not up and not down:
        return _linear(flips, 1, -1) / max(1, sum(count for _, count in _counted(flips)))
    found = (f * count * (up if f > 0 else -down) for f, count in _counted(flips))
    return Fraction(sum(found))


def _squares(corners: Sequence[Any], step: Exact) -> Iterator[Ends]:
    """Yield the least and the greatest square of (|T| - step) / sqrt(Q), in both orders of the columns."""
    low, high = corners
    if low is high:
        total = sum(f * f * count for f, count in _counted(low))
        if total:
            size = Fraction((abs(_linear(low, 1, -1)) - step) ** 2) / total
            yield size, size
        return
    for a, b in ((low, high), ([-x for x in high], [-x for x in low])):
        least, most = signed_squares(a, b, step)
        yield max(Fraction(0), least, -most), max(most, -least)


def _prints(number: PrintedPValue, sizes: Ends, squared: bool) -> bool:
    """Whether the text is that of a statistic between two sizes."""
    low, high = sizes
    if low == high and not squared:
        return bool(number.fit(low))
    least, most = [max(Fraction(0), end) for end in number.hull()]
    if squared:
        least, most = least * least, most * most
    return low <= most and least <= high


def _shown(one: Candidate) -> str:
    """Return the name of a statistic of the data, and the decimals of its size."""
    name, _, sizes, squared = one
    told = [_root(x, floor) if squared else x for x in sizes]
    low, high = [readable(x) if x.denominator == 1 else decimal_string(x, 6) for x in told]
    return f"{name} = {low if low == high else f'{low} to {high}'}"


def _sums(case: Case, number: PrintedPValue, statistic: str) -> Sequence[tuple[str, Exact, Exact]]:
    """Return the sums that a number may be; of groups only the whole one."""
    if number.kind:
        return ()
    return _SUMS[_FLIPS[statistic]] if case.sample.labels is None else (_NET,)


def _kinds(case: Case, number: PrintedPValue, statistic: str) -> Iterator[tuple[str, Exact]]:
    """Yield (kind, continuity correction) of the standardised statistics that a number may be.

    McNemar's chi-squared has Edwards' correction or Yates'; half a rank of W+ is one of W+ - W-.
    """
    bare = {"T": ("t",), "": ("t", "z")}.get(number.name, ())
    for kind in (number.kind,) if number.kind else bare:
        steps: tuple[Exact, ...] = (0,)
        if kind == "t" and statistic != "difference":
            steps = ()
        elif kind != "t" and statistic != "difference":
            steps = (0, 1, Fraction(1, 2)) if kind == "chi2" else (0, 1)
        yield from ((kind, step) for step in steps)


def _root(square: Exact, towards: Callable[[Fraction], int]) -> Fraction:
    """Return a bound of a square root: from below with ``floor``, from above with ``ceil``."""
    scale = 10**_DIGITS
    whole = isqrt(floor(square * scale * scale))
    return Fraction(whole + (towards is ceil), scale)


# -------------------------------------------------------------------------- the statistic's p-value


def _of_statistic(case: Case, number: PrintedPValue, *, settled: bool) -> tuple[bool | None, str]:
    """Return whether the printed p-value is that of the printed statistic, and that in words.

    ``settled`` wants no other answer than yes, by the laws alone.
    """
    claim = case.claim
    if claim.adjustment is not None or claim.samples:  # no p-value of one test
        return None, ""
    ways = [way for _, way in case.known() if way.source == "itself"]
    known = all(way.statistic in _FLIPS and way.data not in ROUNDED for way in ways)
    known = known and not settled and _has_freedom(case, number)
    closed = not claim.leaves_open("law") and claim.law in ("t", "normal")
    decided = known or (number.kind and (closed or not _has_freedom(case, number)))
    nearest: Ends | None = None
    try:
        places = _by_places(case, number, ways) if known else ()
        for tail, ends in chain(_by_laws(case, number), places):
            assumed = tail != "two-sided" and claim.leaves_open("alternative")
            if assumed and case.text.relation in (">", ">="):
                continue
            if case.text.encloses(*ends, case.alpha) is not False and not (assumed and settled):
                told = " if it is one-sided" if assumed else ""
                return True, f"agrees with that statistic{told}"
            nearest = nearest or ends
    except BudgetExceeded:
        return None, ""
    if nearest is None or not decided or settled:
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
    ends = [max(Fraction(0), end) for end in number.hull()]
    low, high = ends if kind == "chi2" else [end * end for end in ends]
    tails = [
        t_tail(end / (df + end), int(df)) if kind == "t" else normal_tail(end)
        for end in (high, low)
    ]
    upper = tails[0].ends()[0], tails[1].ends()[1]
    tail = case.claim.alternative
    one_sided = tail in ("greater", "less", "min")
    if not one_sided or kind == "chi2":
        yield "two-sided", (2 * upper[0], 2 * upper[1])
    if one_sided or case.claim.leaves_open("alternative"):
        yield "min", upper
    if tail in ("greater", "less"):  # the order of the columns may be the other one
        yield tail, (1 - upper[1], 1 - upper[0])


def _by_places(
    case: Case, number: PrintedPValue, ways: Sequence[Way]
) -> Iterator[tuple[str, Ends]]:
    """Yield (tail, p-values) of the readings of a claim wherever T has the printed statistic."""
    for way in ways:
        try:
            sample = case.sample.under(way.design)
        except ExactPermError:
            continue
        about = way.statistic, way.zeros, way.data
        flips = sample.flips(*about)
        if flips is None or sample.steps is not None or not any(f for f, _ in _counted(flips)):
            continue
        for ends in _net_sums(case, number, way.statistic, flips):
            step = 2 if way.statistic == "wilcoxon" else None
            facts = moved(flips, ends, sample.n, step, case.allowance, counted=way.law == "exact")
            values = [one.value(way.law, way.side, way.boundary) for one in facts]
            pairs = [ends_of(p) for p in values if p is not None]
            if pairs and len(pairs) == len(facts):
                middle = facts[0].side * facts[-1].side <= 0 and way.side == "two-sided"
                top = Fraction(1) if middle else max(high for _, high in pairs)
                yield way.tail, (min(low for low, _ in pairs), top)


def _net_sums(case: Case, number: PrintedPValue, statistic: str, flips: Any) -> Iterator[Ends]:
    """Yield the intervals of T in which the statistic of these flips is the printed one, on either side."""
    least, most = [max(Fraction(0), end) for end in number.hull()]
    n = case.sample.n
    reach = Fraction(sum(abs(f) * count for f, count in _counted(flips)))
    found: set[Ends] = set()
    for _name, up, down in _sums(case, number, statistic):
        times = 1 if up or down else n
        up, down = (up, down) if up or down else (1, -1)
        middle, slope = (up + down) * reach / 2, Fraction(up - down) / 2
        a, b = [(end * times - middle) / slope for end in (least, most)]
        found.add((min(a, b), max(a, b)))
    squares = Fraction(sum(f * f * count for f, count in _counted(flips)))
    for kind, step in _kinds(case, number, statistic):
        ends = [end if kind == "chi2" else end * end for end in (least, most)]
        if kind == "t":
            ends = [n * end / (n - 1 + end) for end in ends if n > 1]
        if ends:
            found.add(
                (_root(ends[0] * squares, floor) + step, _root(ends[1] * squares, ceil) + step)
            )
    yield from sorted({*found, *((-high, -low) for low, high in found)})
