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

import bisect, decimal, functools, itertools, json, math, operator, re, sys
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
    require(re.fullmatch(form, text), "no integer, or of too many digits: %.40a" % text, 2)
    return int(text, 0)


def fraction(text, digits=4000):
    """Return the fraction in a text: an integer, or two with a slash between."""
    above, slash, below = text.partition("/")
    divisor = integer(below, digits) if slash else 1
    require(divisor > 0, "no fraction: %.40a" % text, 2)
    return Fraction(integer(above, digits), divisor)


def form(record):
    """Return the units of a record, whose numbers must fit each other."""
    swaps = record["swaps"]
    pairs, units, moved = [integer(record[name]) for name in ("n", "n_units", "n_nonzero")]
    ties, x = integer(swaps["ties"]), integer(swaps["observed"])
    require(pairs >= units == ties + moved and min(ties, moved) >= 0, "the units do not fit")
    require(units <= MOST_UNITS, "over 2^20 units", 3)
    require("pool" not in swaps, "two samples are checked by verify_scores.py", 3)
    if "tally" in swaps:
        types, common = [([("0", "1"), (d, "1")], c) for d, c in swaps["tally"]], 2**ties
    else:
        types, common = swaps["steps"], integer(swaps["common"])
    types = [(tuple((integer(a), integer(g)) for a, g in step), integer(c)) for step, c in types]
    for step, c in types:
        values, weights = zip(*step)
        rising = all(low < high for low, high in zip(values, values[1:]))
        proper = rising and values[0] == 0 and values[1:] and min(weights) > 0 and c > 0
        require(proper, "a step without ascending values or without choices")
    fits = types == added(types) and moved == sum(c for _, c in types)
    require(fits, "the units do not fit, or stand in another order")
    low, unit, t = map(fraction, (swaps["low"], swaps["unit"], record["statistic"]))
    require(common > 0 and unit > 0 and t == low + unit * x, "another statistic")
    return Units(pairs, ties, tuple(types), common, low, unit, x)


def region(x, mean):
    """Return (a, b): as far from the mean as x are the choices with X <= a and with X >= b."""
    near, far = sorted([x, 2 * mean - x])
    return math.floor(near), math.ceil(far)


def count(units, x, alternative):
    """Return the number of choices that are at least as extreme as x, and that of all.

    A choice is one of half of the units, and one of the others.
    """
    halves = first, second = sums(units[::2]), sums(units[1::2])
    keys, upto = [y for y, _ in second], [0, *itertools.accumulate(n for _, n in second)]

    def below(y):
        """Return the number of choices with X < y."""
        return sum(n * upto[bisect.bisect_left(keys, y - z)] for z, n in first)

    total = upto[-1] * sum(n for _, n in first)
    less, greater = below(x + 1), total - below(x)
    require(less + greater > total, "no units add up to the observed sum")
    mean = sum(Fraction(sum(y * n for y, n in half), sum(n for _, n in half)) for half in halves)
    a, b = region(x, mean)
    counts = {"less": less, "greater": greater, "doubled": 2 * min(less, greater)}
    counts["two-sided"] = below(a + 1) + total - below(b)
    return min(counts[alternative], total), total


def sums(units, parts=1):
    """Return [(sum, number of choices)], ascending, of all choices for some units.

    Small sums are counted the fast way. The plain one has no limit but the number of sums: each
    value of a unit is added to each sum of the units before.
    """
    slots = sum(step[-1][0] for step in units) + 1
    bits = sum((sum(g for _, g in step) - 1).bit_length() for step in units)  # of all choices
    bits += ENTRY + bits * bits // 2**13 + slots.bit_length()  # what one of them takes
    costs = [sum(1 + g.bit_length() // 64 for _, g in step) * bits * parts for step in units]
    if slots <= min(2 ** len(units), MOST_KEPT // bits, MOST_MOVED // (sum(costs) + 1)):
        return table(units)
    found, moved = [(0, 1)], 0
    for step, cost in zip(units, costs):
        moved += 64 * cost * len(found)
        kept = len(found) * len(step) * bits
        require(kept <= MOST_KEPT and moved <= MOST_MOVED, "too many sums", 3)
        found = added((y + a, n * g) for a, g in step for y, n in found)
    return found


def added(pairs):
    """Return [(key, number)], ascending, with the numbers of equal keys added."""
    groups = itertools.groupby(sorted(pairs), lambda pair: pair[0])  # hashes can be forged
    return [(key, sum(number for _, number in same)) for key, same in groups]


def table(units):
    """Return the same for small sums: P[y] choices of the units so far have the sum y."""
    P = [1]
    for step in units:
        rest = [0] * step[-1][0]
        terms = [rest[:a] + (P if g == 1 else [g * n for n in P]) + rest[a:] for a, g in step]
        P = list(functools.reduce(lambda p, q: map(operator.add, p, q), terms))
    return [(y, n) for y, n in enumerate(P) if n]


def decimals(record, count, total):
    """Require that p-value, decimal and logarithm are those of count / total."""
    require(fraction(record["pvalue"], LONG) == Fraction(count, total), "another p-value")
    text = record["pvalue_decimal"]
    good = re.fullmatch("[0-9][.][0-9]{1,4000}(e-[0-9]{2,6})?", text)
    require(good, "no decimal to 4000 places: %.40a" % text, 2)
    said = decimal.Decimal(text)
    context = decimal.Context(prec=len(said.as_tuple().digits))  # it rounds half to even
    require(context.divide(count, total) == said, "pvalue_decimal is not the p-value")
    log10 = math.log10(count) - math.log10(total)
    require(abs(float(record["log10_pvalue"]) - log10) < 1e-6, "another log10_pvalue")


def check(record, derived=None):
    """Return what is confirmed, one fact a line; ``derived`` are the units that scores give."""
    require(record["format"] == "2", "no format 2", 2)
    require(record["claim"] == "counted", "no count is claimed: %.40a" % record["claim"], 3)
    units, n = form(record), integer(record["n_units"])
    require(derived in (None, units), "the scores have other units, sums or numbers")
    steps = [step for step, c in units.types for _ in range(c)]
    extreme, every = count(steps, units.x, record["alternative"])
    said = record["total"]
    total = 2**n if said == "2^%d" % n else integer(said, LONG)
    require(total == every * units.common, "another total")
    require(integer(record["count"], LONG) == extreme * units.common, "the count is wrong")
    decimals(record, extreme, every)
    facts = ["the count, of these scores" if derived else "the count only"]
    facts += ["p = " + record["pvalue_decimal"], "alternative: " + record["alternative"]]
    missing = "without scores nothing proves the units, the statistic, the pairs, the design"
    return facts + [missing] * (derived is None) + ["other fields prove nothing"]


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
    try:
        status, facts = 0, checked()
    except Ended as found:
        status, facts = found.args[0], [found.args[1]]
    except Exception as error:  # whatever a hostile file may cause
        status, facts = 2, ["%s: %.300a" % (type(error).__name__, str(error))]
    words = ("confirmed", "REFUTED", "unreadable", "not checked")
    print("%s: %s" % (words[status], "\n  ".join(facts)))
    return status


if __name__ == "__main__":
    sys.exit(verdict(lambda: check(loaded(*sys.argv[1:]))))
