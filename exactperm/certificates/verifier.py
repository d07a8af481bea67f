"""Check the certificate of an exact test again: python3 verifier.py CERTIFICATE

Under the null hypothesis each of several units adds one of its values, by chance, to a sum X. A
certificate states the units, the observed sum x, and the number of choices for which X is at
least as extreme. This program counts them again and derives the p-value. It needs Python 3.6 and
no other file; verify_scores.py, beside it, derives the units from the scores, too.

A unit is a step ((0, weight), (value, weight), ...) with ascending values, each of which has so
many choices. A pair with the difference d is the step ((0, 1), (d, 1)).

Exit status: 0 confirmed, 1 refuted, 2 unreadable, 3 not checked (too large, or without a proof).
Fields and proofs: spec/12-certificates.md#own-certificates.
"""

import bisect
import decimal
import functools
import itertools
import json
import math
import operator
import re
import sys
from collections import namedtuple
from fractions import Fraction

MOST_BYTES = 2**22  # of a certificate
MOST_UNITS = 2**20
MOST_MOVED = 2**39  # bits that a count moves
MOST_KEPT = 2**30  # bits that it keeps
ENTRY = 2000  # bits that Python needs for a sum with its number of choices
LONG = 2**18  # hexadecimal digits of a count

# types: ((step, number of units), ...); the statistic is low + unit * X; a choice for all units
# stands for `common` assignments
Units = namedtuple("Units", "pairs ties types common low unit x")


class Ended(Exception):
    """Ends a check with a status and a reason."""


def require(holds, reason, status=1):
    """Refute, or end with another status, unless something holds."""
    if not holds:
        raise Ended(status, reason)


def integer(text, digits=4000):
    """Return the integer in a text, which has one spelling, decimal or hexadecimal."""
    form = "0|-?([1-9][0-9]{0,3999}|0x[1-9a-f][0-9a-f]{0,%d})" % digits
    good = re.fullmatch(form, text)
    require(good, "no integer, or of too many digits: %.40a" % text, 2)
    return int(text, 0)


def fraction(text, digits=4000):
    """Return the fraction in a text: an integer, or two with a slash between."""
    above, slash, below = text.partition("/")
    dividend = integer(above, digits)
    divisor = integer(below, digits) if slash else 1
    require(divisor > 0, "no fraction: %.40a" % text, 2)
    return Fraction(dividend, divisor)


def form(record):
    """Return the units of a record, whose numbers must fit each other."""
    swaps = record["swaps"]
    pairs = integer(record["n"])
    units = integer(record["n_units"])
    moved = integer(record["n_nonzero"])
    ties = integer(swaps["ties"])
    x = integer(swaps["observed"])
    fits = pairs >= units == ties + moved
    require(fits and min(ties, moved) >= 0, "the units do not fit")
    require(units <= MOST_UNITS, "over 2^20 units", 3)
    require("pool" not in swaps, "two samples are checked by verify_scores.py", 3)
    if "tally" in swaps:
        rows = [([("0", "1"), (d, "1")], c) for d, c in swaps["tally"]]
        common = 2**ties
    else:
        rows = swaps["steps"]
        common = integer(swaps["common"])
    types = []
    for terms, c in rows:
        step = tuple((integer(a), integer(g)) for a, g in terms)
        types.append((step, integer(c)))
    for step, c in types:
        values, weights = zip(*step)
        rising = all(map(operator.lt, values, values[1:]))
        proper = rising and values[0] == 0 and values[1:]
        positive = min(weights) > 0 and c > 0
        require(proper and positive, "a step without ascending values or without choices")
    fits = types == added(types) and moved == sum(c for _, c in types)
    require(fits, "the units do not fit, or stand in another order")
    low = fraction(swaps["low"])
    unit = fraction(swaps["unit"])
    t = fraction(record["statistic"])
    fits = common > 0 and unit > 0 and t == low + unit * x
    require(fits, "another statistic")
    return Units(pairs, ties, tuple(types), common, low, unit, x)


def region(x, mean):
    """Return (a, b): as far from the mean as x are the choices with X <= a and with X >= b."""
    near, far = sorted([x, 2 * mean - x])
    return math.floor(near), math.ceil(far)


def count(units, x, alternative):
    """Return the number of choices that are at least as extreme as x, and that of all.

    A choice is one of half of the units, and one of the others.
    """
    first = sums(units[::2])
    second = sums(units[1::2])
    keys = [y for y, _ in second]
    upto = [0, *itertools.accumulate(n for _, n in second)]

    def below(y):
        """Return the number of choices with X < y."""
        return sum(n * upto[bisect.bisect_left(keys, y - z)] for z, n in first)

    total = upto[-1] * sum(n for _, n in first)
    less = below(x + 1)
    greater = total - below(x)
    require(less + greater > total, "no units add up to the observed sum")
    a, b = region(x, mean_of(first) + mean_of(second))
    counts = {
        "less": less,
        "greater": greater,
        "doubled": 2 * min(less, greater),
        "two-sided": below(a + 1) + total - below(b),
    }
    return min(counts[alternative], total), total


def mean_of(sums):
    """Return the mean of [(sum, number of choices)]."""
    whole = sum(n for _, n in sums)
    return Fraction(sum(y * n for y, n in sums), whole)


def sums(units, parts=1):
    """Return [(sum, number of choices)], ascending, of all choices for some units.

    Small sums are counted the fast way. The plain one has no limit but the number of sums: each
    value of a unit is added to each sum of the units before.
    """
    slots = 1
    bits = 0  # of all choices
    for step in units:
        slots += step[-1][0]
        bits += (sum(g for _, g in step) - 1).bit_length()
    bits += ENTRY + bits * bits // 2**13 + slots.bit_length()  # what one of them takes
    costs = []
    for step in units:
        words = sum(1 + g.bit_length() // 64 for _, g in step)
        costs.append(words * bits * parts)
    most = min(MOST_KEPT // bits, MOST_MOVED // (sum(costs) + 1))
    if slots <= min(2 ** len(units), most):
        return table(units)
    found = [(0, 1)]
    moved = 0
    for step, cost in zip(units, costs):
        moved += 64 * cost * len(found)
        kept = len(found) * len(step) * bits
        few = kept <= MOST_KEPT and moved <= MOST_MOVED
        require(few, "too many sums", 3)
        found = added((y + a, n * g) for a, g in step for y, n in found)
    return found


def added(pairs):
    """Return [(key, number)], ascending, with the numbers of equal keys added."""
    found = []
    ascending = sorted(pairs)  # hashes can be forged
    for key, same in itertools.groupby(ascending, operator.itemgetter(0)):
        number = sum(n for _, n in same)
        found.append((key, number))
    return found


def table(units):
    """Return the same for small sums: P[y] choices of the units so far have the sum y."""
    P = [1]
    for step in units:
        rest = [0] * step[-1][0]
        terms = []
        for a, g in step:
            term = P if g == 1 else [g * n for n in P]
            terms.append(rest[:a] + term + rest[a:])
        P = list(functools.reduce(lambda p, q: map(operator.add, p, q), terms))
    return [(y, n) for y, n in enumerate(P) if n]


def decimals(record, count, total):
    """Require that p-value, decimal and logarithm are those of count / total."""
    p = fraction(record["pvalue"], LONG)
    require(p == Fraction(count, total), "another p-value")
    text = record["pvalue_decimal"]
    good = re.fullmatch("[0-9][.][0-9]{1,4000}(e-[0-9]{2,6})?", text)
    require(good, "no decimal to 4000 places: %.40a" % text, 2)
    said = decimal.Decimal(text)
    context = decimal.Context(prec=len(said.as_tuple().digits))  # it rounds half to even
    require(context.divide(count, total) == said, "pvalue_decimal is not the p-value")
    log10 = math.log10(count) - math.log10(total)
    error = float(record["log10_pvalue"]) - log10
    require(abs(error) < 1e-6, "another log10_pvalue")


def check(record, derived=None):
    """Return what is confirmed, one fact a line; ``derived`` are the units that scores give."""
    require(record["format"] == "2", "no format 2", 2)
    claim = record["claim"]
    require(claim == "counted", "no count is claimed: %.40a" % claim, 3)
    units = form(record)
    n = integer(record["n_units"])
    require(derived in (None, units), "the scores have other units, sums or numbers")
    steps = [step for step, c in units.types for _ in range(c)]
    alternative = record["alternative"]
    extreme, every = count(steps, units.x, alternative)
    said = record["total"]
    total = 2**n if said == "2^%d" % n else integer(said, LONG)
    require(total == every * units.common, "another total")
    counted = integer(record["count"], LONG)
    require(counted == extreme * units.common, "the count is wrong")
    decimals(record, extreme, every)
    facts = [
        "the count, of these scores" if derived else "the count only",
        "p = " + record["pvalue_decimal"],
        "alternative: " + alternative,
    ]
    if derived is None:
        facts.append(
            "without scores nothing proves the units, the statistic, the pairs, the design"
        )
    return facts + ["other fields prove nothing"]


def content(name, most):
    """Return the bytes of a file of limited size."""
    with open(name, "rb") as file:
        raw = file.read(most + 1)
    require(len(raw) <= most, "%a has over %d bytes" % (name, most), 3)
    return raw


def once(pairs):
    """Return the fields of an object, none of which is named twice."""
    require(len(dict(pairs)) == len(pairs), "a name is repeated", 2)
    return dict(pairs)


def loaded(name):
    """Return the record in a file; its numbers stay text."""
    text = content(name, MOST_BYTES).decode("utf-8")
    return json.loads(text, parse_int=str, parse_float=str, object_pairs_hook=once)


def verdict(checked):
    """Print what a check finds, one fact a line, and return the exit status."""
    status = 0
    try:
        facts = checked()
    except Ended as found:
        status, reason = found.args
        facts = [reason]
    except Exception as error:  # whatever a hostile file may cause
        status = 2
        facts = ["%s: %.300a" % (type(error).__name__, str(error))]
    words = ("confirmed", "REFUTED", "unreadable", "not checked")
    print("%s: %s" % (words[status], "\n  ".join(facts)))
    return status


if __name__ == "__main__":
    sys.exit(verdict(lambda: check(loaded(*sys.argv[1:]))))
