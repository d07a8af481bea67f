"""Check the count of an exact paired test again: python3 verifier.py CERTIFICATE

Under the null hypothesis each of several units adds one of its values, by chance, to a sum X. A
certificate states the units, the observed sum x, and the number of choices for which X is at
least as extreme. This program counts them again and derives the p-value. It needs Python 3.6 and
no other file; verify_scores.py, beside it, derives the units from the scores, too.

Exit status: 0 confirmed, 1 refuted, 2 unreadable, 3 not checked (too large, or without a proof).
Fields and proofs: spec/12-certificates.md.
"""

import bisect, collections, functools, itertools, json, math, re, sys
from fractions import Fraction

MOST_BYTES, MOST_UNITS = 2**22, 2**20  # of a certificate; of units, and bits of all choices
MOST_MOVED, MOST_KEPT = 3 * 2**33, 2**31  # bits that are moved, and bits in memory
NAMES = ("difference", "difference of means")  # statistics with the mean 0, which scores can prove
FIELDS = """format claim pvalue pvalue_decimal log10_pvalue count total statistic statistic_name
alternative n n_units n_nonzero threshold factor region design swaps data"""
DECIMAL = re.compile(r"([0-9])\.([0-9]{1,4000})(?:e-([0-9]{2,6}))?")

# types: ((step, number of units), ...), a step: ((value, weight), ...) from the value 0 upwards;
# the statistic is low + unit * X, the observed one low + unit * x
Units = collections.namedtuple("Units", "pairs ties types total x low unit")


class Verdict(Exception):
    """Ends a check with a status and a reason."""


def require(holds, reason, status=1):
    """Refute, or end with another status, unless something holds."""
    if not holds:
        raise Verdict(status, reason)


def integer(text, most=4000):
    """Return the integer in a text; it has one spelling, and at most so many hexadecimal digits."""
    form = "-?(0x[1-9a-f][0-9a-f]{0,%d}|[1-9][0-9]{0,3999})|0" % most
    require(re.fullmatch(form, text), "no integer, or of too many digits: %.40a" % text, 2)
    return int(text, 0)


def fraction(text, most=4000):
    """Return numerator and denominator of the fraction in a text."""
    numerator, slash, denominator = text.partition("/")
    return integer(numerator, most), integer(denominator, most) if slash else 1


def entries(value):
    """Return a list of lists; adding a list fails for anything else."""
    return [entry + [] for entry in value + []]


def added(pairs):
    """Return [(key, number)], ascending, with the numbers of equal keys added.

    It sorts, since integers of equal hashes can be forged.
    """
    groups = itertools.groupby(sorted(pairs), lambda pair: pair[0])
    return [(key, sum(number for _, number in same)) for key, same in groups]


def product(numbers):
    return functools.reduce(lambda a, b: a * b, numbers, 1)


def weight(step):
    return sum(g for _, g in step)


def bits_of(types):
    return int(sum(c * math.log2(weight(step)) for step, c in types))


def choices(types):
    return product(w**c for w, c in added((weight(step), c) for step, c in types))


def span(types):
    return sum(step[-1][0] * c for step, c in types)


def pooled(swaps):
    """Return [(sum above the least, number of choices)] of the chosen values of a pool."""
    pool = [(integer(v), integer(c)) for v, c in entries(swaps["pool"])]
    require(sum(c for _, c in pool) < 1000, "a pool of 1000 values or more", 3)
    values = [v for v, c in pool for _ in range(c)]
    m, rows = integer(swaps["chosen"]), [((0, 1),)]
    require(values == sorted(values) and 0 < m < len(values), "no pool")
    work = len(values) * m * min(2 ** len(values), 1 + m * values[-1]) * len(values)
    require(work < 2**30, "the choices of a pool take %d bits" % work, 3)
    rows += [()] * m
    for v in values:
        for j in range(m, 0, -1):
            rows[j] = added([*rows[j], *((x + v, n) for x, n in rows[j - 1])])
    return [(x - sum(values[:m]), n) for x, n in rows[m]]


def form(record):
    """Return the units of a record, whose numbers must fit each other."""
    swaps, runs = record["swaps"], "tally" not in record["swaps"]
    pairs, units, moved = [integer(record[name]) for name in ("n", "n_units", "n_nonzero")]
    low, unit = [Fraction(*fraction(swaps[name])) for name in ("low", "unit")]
    ties, x, types = integer(swaps["ties"]), integer(swaps["observed"]), []
    pool = pooled(swaps) if "pool" in swaps else []
    steps = entries([] if pool else swaps["steps" if runs else "tally"])
    for step, c in steps if runs else [([["0", "1"], [d, "1"]], c) for d, c in steps]:
        types.append((tuple((integer(a), integer(g)) for a, g in entries(step)), integer(c)))
    types += [(tuple(pool), 1)] if pool[1:] else []
    good = all(a < b for (a, _), (b, _) in zip(types, types[1:])) and unit > 0
    for step, c in types:
        good = good and step[0][0] == 0 and len(step) > 1 and min([c] + [g for _, g in step]) > 0
        good = good and all(a < b for (a, _), (b, _) in zip(step, step[1:]))
    good = good and moved == sum(c for _, c in types) and 0 <= ties == units - moved
    require(good and 0 <= x <= span(types) and pairs >= units > 0, "the units do not fit")
    weights = sum(map(math.log2, {weight(step) for step, _ in types}))
    small = max(units, bits_of(types), 64 * weights) <= MOST_UNITS
    require(small, "over 2^20 units, or bits of the number of choices", 3)
    alike = pool[0][1] if len(pool) == 1 else 1  # choices of a pool of equal values
    common = alike if pool else integer(swaps["common"], 2**19) if runs else 2**ties
    total = choices(types) * common
    good = record["total"] == "2^%d" % units and total == 2**units
    require(good or total == integer(record["total"], 2**19) > 0, "another total")
    return Units(pairs, ties, tuple(types), total, x, low, unit)


def mean_of(types):
    """Return the mean of X."""
    moments = added((weight(step), c * sum(a * g for a, g in step)) for step, c in types)
    return sum(Fraction(moment, w) for w, moment in moments)


def statistic(record, units):
    """Require that the statistic is that of x; of those that scores prove the mean is 0."""
    name, mean = record["statistic_name"], units.low + units.unit * mean_of(units.types)
    scores = record.get("data") or record.get("design") not in (None, "samples", "steps")
    require(name in NAMES or not scores, "another name")
    require(mean == 0 or name not in NAMES, "another mean than 0")
    t = Fraction(*fraction(record["statistic"]))
    require(t == units.low + units.unit * units.x, "another statistic")


def region(record, units):
    """Return (a, b, twice): choices with X <= a or X >= b count, those of a smaller tail twice."""
    said, x, steps = record["alternative"], units.x, "tally" not in record["swaps"]
    top, mean = span(units.types), mean_of(units.types)
    a, b = math.floor(mean - abs(x - mean)), math.ceil(mean + abs(x - mean))  # as far away as x
    both = (top, None) if b - a <= steps else (a if a >= 0 else None, b if b <= top else None)
    doubled = (x, x) if steps else both
    a, b = {"less": (x, None), "greater": (None, x), "two-sided": both, "doubled": doubled}[said]
    twice = said == "doubled" if steps else None not in (a, b)
    ends = [a, b] if steps else [top - b if a is None else a]  # pairs have equal tails: one end
    stated = record["region"] + [] if steps else [record["threshold"]]
    good = ends == [None if y is None else integer(y) for y in stated]
    require(good and integer(record["factor"]) == 1 + twice, "another threshold, region or factor")
    return a, b, steps and twice


def value(record, count, total):
    """Require that p-value, decimal and logarithm are those of count / total; say them in words."""
    p, q = fraction(record["pvalue"], 2**19)
    good = 0 < count <= total and q > 0 and p * total == count * q
    require(good, "the p-value is not count / total")
    match = DECIMAL.fullmatch(record["pvalue_decimal"])
    require(match, "pvalue_decimal is no number to 4000 places", 2)
    digits, places = int(match.group(1) + match.group(2)), len(match.group(2))
    power = min(places + int(match.group(3) or 0), total.bit_length() + 4000)
    error = abs(digits * total - count * 10**power)  # at most half a unit of the last digit
    log10 = math.log10(count) - math.log10(total)
    good = digits > 0 and 2 * error + digits % 2 <= total
    good = good and abs(float(record["log10_pvalue"]) - log10) < 1e-6
    require(good, "decimal or logarithm is not that of the p-value")
    return "p = %s, about %.6ge%d" % (match.group(0), 10 ** (log10 % 1), log10 // 1)


def sums(units, k):
    """Return [(sum, number of choices)] of units, up to k: the plain way, unit by unit."""
    found = [(0, 1)]
    for step in units:
        found = added((x + a, n * g) for a, g in step for x, n in found if x + a <= k)
    return found


def by_halves(types, k):
    """Return the number of choices with sums up to k, and of those with the sum k.

    Each sum of one half of the units goes with the sums of the other half up to the rest.
    """
    units = [step for step, c in types for _ in range(c)]
    first, second = sums(units[::2], k), sums(units[1::2], k)
    keys, upto = [x for x, _ in second], [0, *itertools.accumulate(n for _, n in second)]
    most = sum(n * upto[bisect.bisect_right(keys, k - x)] for x, n in first)
    return most, most - sum(n * upto[bisect.bisect_left(keys, k - x)] for x, n in first)


def by_recurrence(types, k):
    """Return the same, the fast way: P[n] choices have the sum n, Q[n] where one unit is left out.

    P[n] is the sum of g Q[n - a] over the step of any type, which gives Q[n]; and n P[n] is the
    sum of c a g Q[n - a] over all types. A queue of length a begins with Q[n - a].
    """
    count = total = product(step[0][1] ** c for step, c in types)
    terms, pairs, others = [], [], []
    for step, c in types:
        first = count // step[0][1]  # Q[0]; before it, Q is 0
        queues = [collections.deque([0] * (a - 1) + [first], a) for a, _ in step[1:]]
        terms += [(c * a * g, queue) for (a, g), queue in zip(step[1:], queues)]
        if [g for _, g in step] == [1, 1]:
            pairs += queues
        else:
            others.append((step[0][1], [(g, queue) for (_, g), queue in zip(step[1:], queues)]))
    for n in range(1, k + 1):
        count = sum([w * queue[0] for w, queue in terms]) // n
        for queue in pairs:
            queue.append(count - queue[0])
        for least, parts in others:
            q = (count - sum([g * queue[0] for g, queue in parts])) // least
            for _, queue in parts:
                queue.append(q)
        total += count
    return total, count


def at_most(types, k, share):
    """Return the number of choices with sums up to k, of those with the sum k, and the way.

    Work beyond its share of a limit is not begun.
    """
    cut = [(tuple(term for term in step if term[0] <= k), c) for step, c in types]
    first = product(step[0][1] ** c for step, c in cut if not step[1:])  # one value is left
    rest = [(step, c) for step, c in cut if step[1:]]
    bits = bits_of(rest) + k.bit_length()
    logs = [math.log2(len(step)) for step, c in rest for _ in range(min(c, 99))][:999]
    half = 2 ** min(99, max(sum(logs[::2]), sum(logs[1::2])))  # sums of a half of the units
    way = by_halves
    if half * (2500 + bits) > MOST_KEPT:
        values = [(a, g) for step, _ in rest for a, g in step[1:]]
        moved = share * (k + 1) * (len(values) + 1) * max(1000, bits)
        moved *= 1 + max(a * g for a, g in values).bit_length() // 100
        kept = (400 + bits) * sum(a for a, _ in values)
        small = moved < MOST_MOVED and kept < MOST_KEPT
        require(small, "the count moves %d bits, and keeps %d" % (moved, kept), 3)
        way = by_recurrence
    upto, at = way(rest, k)
    return first * upto, first * at, way.__name__.replace("_", " ")


def counted(types, x, a, b, twice):
    """Return the number of choices with X <= a or X >= b, and the way; some must have X = x."""
    turned = added((tuple((step[-1][0] - v, g) for v, g in step[::-1]), c) for step, c in types)
    top, total, sides = span(types), choices(types), {False: types, True: tuple(turned)}

    def near(y):  # X <= y is counted, or from above X >= y, which for pairs has the same number
        return min(y, top - y), 2 * y > top and sides[True] != sides[False]

    needed = {near(y) for y in (x, a, b) if y is not None}
    found = {(k, above): at_most(sides[above], k, len(needed)) for k, above in needed}
    require(found[near(x)][1], "no units add up to the observed sum, " + found[near(x)][2])
    tails = []
    for y, upper in ((a, False), (b, True)):
        if y is not None:
            n, at, _ = found[near(y)]
            tails.append(n if (2 * y > top) == upper else total - n + at)
    return min(total, 2 * min(tails)) if twice else sum(tails), found[near(x)][2]


def check(record, derived=None):
    """Return what is confirmed, one fact a line; ``derived`` are the units that scores give."""
    design = record.get("design")
    designs = None, "within", "items", "systems", "samples", "steps"
    require(record["format"] == "2" and design in designs, "no format 2", 2)
    require(record["claim"] == "counted", "no count is claimed: %.40a" % record["claim"], 3)
    units, stated = form(record), integer(record["count"], 2**19)
    statistic(record, units)
    ends = region(record, units)
    words = value(record, stated, units.total)
    require(derived in (None, units), "the scores have other units, sums or numbers")
    count, way = counted(units.types, units.x, *ends)
    require(stated * choices(units.types) == count * units.total, "the count is wrong, " + way)
    facts = ["the count only" if derived is None else "the count, of these scores", words]
    facts += ["alternative: " + record["alternative"], "counted " + way]
    facts += ["exchanged: %s" % design] * bool(design)
    unproved = "not checked without scores: the units, the statistic, the pairs"
    facts += [unproved] * (derived is None)
    others = ", ".join(sorted(set(record) - set(FIELDS.split())))
    return facts + (["proves nothing: %.300a" % others] if others else [])


def content(name, most):
    """Return the bytes of a file of limited size."""
    with open(name, "rb") as file:
        raw = file.read(most + 1)
    require(len(raw) <= most, "%a has over %d bytes" % (name, most), 3)
    return raw


def loaded(name):
    """Return the record in a file; its numbers stay text, and no name is given twice."""

    def once(pairs):
        require(len(dict(pairs)) == len(pairs), "a name is repeated", 2)
        return dict(pairs)

    text = content(name, MOST_BYTES).decode("utf-8")
    return json.loads(text, parse_int=str, parse_float=str, object_pairs_hook=once)


def verdict(checked):
    """Print what a check finds, one fact a line, and return the exit status."""
    try:
        status, facts = 0, checked()
    except Verdict as found:
        status, facts = found.args[0], [found.args[1]]
    except Exception as error:  # whatever a hostile file may cause
        status, facts = 2, ["%s: %.300a" % (type(error).__name__, str(error))]
    words = ("confirmed", "REFUTED", "unreadable", "not checked")
    print("\n  ".join(["%s: %s" % (words[status], facts[0]), *facts[1:]]))
    return status


def main(names):
    """Check the certificate that is named."""
    return verdict(lambda: check(loaded(*names)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
