"""Check the count of an exact paired test again: python3 verifier.py CERTIFICATE

Under the null hypothesis each of several units adds one of its values, by chance, to a sum X. A
certificate states the units, the observed sum x, and the number of choices for which X is at
least as extreme. This program counts them again and derives the p-value. It needs Python 3.6 and
no other file; verify_scores.py, beside it, derives the units from the scores, too.

Exit status: 0 confirmed, 1 refuted, 2 unreadable, 3 not checked (too large, or without a proof).
Fields and proofs: spec/12-certificates.md#own-certificates.
"""

import bisect, collections, functools, itertools, json, math, re, sys
from fractions import Fraction

MOST_BYTES = 2**22  # of a certificate
MOST_UNITS = 2**20  # units, and bits of the number of choices
MOST_MOVED = 3 * 2**33  # bits that one count moves
MOST_KEPT = 2**30  # bits that it keeps
ENTRY = 2000  # bits that Python needs for a sum with its number of choices
NAMES = ("difference", "difference of means")  # statistics with the mean 0, which scores can prove
DESIGNS = (None, "within", "items", "systems", "samples", "steps")
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


def weights(types):
    """Return [(weight of a step, number of units)]."""
    return added((sum(g for _, g in step), c) for step, c in types)


def choices(types):
    return product(w**c for w, c in weights(types))


def bits_of(types):
    """Return the bits of the number of choices."""
    return int(sum(c * math.log2(w) for w, c in weights(types)))


def span(types):
    return sum(step[-1][0] * c for step, c in types)


def drawn(values, m, spent=0):
    """Return [(sum, number of choices)] of m of several values, and the work, added to what is spent.

    Value by value: a choice of j has the value, and j - 1 others, or has it not.
    """
    rows, bits = [[(0, 1)]] + [[] for _ in range(m)], ENTRY + len(values)
    bits += sum(values).bit_length() + max(map(abs, values)).bit_length()
    for v in values:
        for j in range(m, 0, -1):
            rows[j] = added(rows[j] + [(x + v, n) for x, n in rows[j - 1]])
        kept = sum(map(len, rows)) * bits
        spent += (kept + m * ENTRY) * 4
        require(kept < MOST_KEPT and spent < MOST_MOVED, "too many choices of runs or samples", 3)
    return rows[m], spent


def pooled(swaps):
    """Return (types, common) of two samples: any of the values of a pool may be those of the first."""
    pool = [(integer(v), integer(c)) for v, c in entries(swaps["pool"])]
    require(sum(c for _, c in pool) < 1000, "a pool of 1000 values or more", 3)
    values, m = [v for v, c in pool for _ in range(c)], integer(swaps["chosen"])
    require(values == sorted(values) and 0 < m < len(values), "no pool")
    step = [(x - sum(values[:m]), n) for x, n in drawn(values, m)[0]]
    return ([(tuple(step), 1)], 1) if step[1:] else ([], step[0][1])  # or all values are equal


def types_of(swaps):
    """Return the types of a record, and by how much its choices outnumber theirs."""
    if "pool" in swaps:
        return pooled(swaps)
    if "tally" in swaps:
        pairs = entries(swaps["tally"])
        return [(((0, 1), (integer(d), 1)), integer(c)) for d, c in pairs], 2 ** integer(
            swaps["ties"]
        )
    types = []
    for step, c in entries(swaps["steps"]):
        types.append((tuple((integer(a), integer(g)) for a, g in entries(step)), integer(c)))
    return types, integer(swaps["common"], 2**19)


def is_proper(step, c):
    """Return whether a step has several values, ascending from 0, and positive weights."""
    positive = min([c] + [g for _, g in step]) > 0
    return positive and len(step) > 1 and step[0][0] == 0 and list(step) == added(step)


def is_pair(step):
    return [g for _, g in step] == [1, 1]


def form(record):
    """Return the units of a record, whose numbers must fit each other."""
    swaps = record["swaps"]
    pairs, units, moved = [integer(record[name]) for name in ("n", "n_units", "n_nonzero")]
    ties, x = integer(swaps["ties"]), integer(swaps["observed"])
    require(pairs >= units > 0 and 0 <= ties == units - moved, "the units do not fit")
    require(units <= MOST_UNITS, "over 2^20 units", 3)
    types, common = types_of(swaps)
    good = types == added(types) and all(is_proper(step, c) for step, c in types)
    good = good and moved == sum(c for _, c in types) and 0 <= x <= span(types)
    low, unit = [Fraction(*fraction(swaps[name])) for name in ("low", "unit")]
    require(good and unit > 0, "the units do not fit")
    bits = max(bits_of(types), 64 * sum(math.log2(w) for w, _ in weights(types)))
    require(bits <= MOST_UNITS, "over 2^20 bits of the number of choices", 3)
    said, total = record["total"], choices(types) * common
    stated = 2**units if said == "2^%d" % units else integer(said, 2**19)
    require(stated == total > 0, "another total")
    return Units(pairs, ties, tuple(types), total, x, low, unit)


def mean_of(types):
    """Return the mean of X."""
    moments = added((sum(g for _, g in step), c * sum(a * g for a, g in step)) for step, c in types)
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
    found, spent = [(0, 1)], 0
    bits = ENTRY + k.bit_length() + bits_of((step, 1) for step in units)
    for step in units:
        kept = len(found) * len(step) * bits
        spent += 4 * kept
        require(kept < MOST_KEPT and spent < MOST_MOVED, "too many sums", 3)
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
        if is_pair(step):
            pairs += queues
        else:
            others.append((step[0][1], [(g, queue) for (_, g), queue in zip(step[1:], queues)]))
    for n in range(1, k + 1):
        count = sum([w * queue[0] for w, queue in terms]) // n
        for queue in pairs:
            queue.append(count - queue[0])
        for least, queues in others:
            q = (count - sum([g * queue[0] for g, queue in queues])) // least
            for _, queue in queues:
                queue.append(q)
        total += count
    return total, count


def at_most(types, k):
    """Return the number of choices with sums up to k, of those with the sum k, and the way.

    Few units are counted the plain way, and where the fast one takes too long, it is tried, too.
    """
    cut = [(tuple(term for term in step if term[0] <= k), c) for step, c in types]
    first = product(step[0][1] ** c for step, c in cut if not step[1:])  # one value is left
    rest = [(step, c) for step, c in cut if step[1:]]
    values, bits = [term for step, _ in rest for term in step[1:]], bits_of(rest)
    each = bits // 2 + (1000 if all(is_pair(step) for step, _ in rest) else 3000)
    moved = (k + 1) * (len(values) + 1) * each
    moved *= 1 + max([a * g for a, g in values] + [1]).bit_length() // 100
    kept = (400 + bits) * sum(a for a, _ in values)
    few = sum(c * math.log2(len(step)) for step, c in rest) < 24
    way = by_halves if few or moved > MOST_MOVED or kept > MOST_KEPT else by_recurrence
    upto, at = way(rest, k)
    return first * upto, first * at, way.__name__.replace("_", " ")


def counted(types, x, a, b, twice):
    """Return the number of choices with X <= a or X >= b, and the way; some must have X = x."""
    turned = added((tuple((step[-1][0] - v, g) for v, g in step[::-1]), c) for step, c in types)
    top, total, once = span(types), choices(types), functools.lru_cache(None)(at_most)

    def below(y):
        """Return how many choices have X <= y, and X = y, counted from the nearer end."""
        if 2 * y <= top:
            return once(types, y)
        upper, at, way = once(tuple(turned), top - y)
        return total - upper + at, at, way

    _, at, way = below(x)
    require(at, "no units add up to the observed sum, " + way)
    tails = [] if a is None else [below(a)[0]]
    if b is not None:
        upto, at, _ = below(b)
        tails.append(total - upto + at)
    return min(total, 2 * min(tails)) if twice else sum(tails), way


def check(record, derived=None):
    """Return what is confirmed, one fact a line; ``derived`` are the units that scores give."""
    design = record.get("design")
    require(record["format"] == "2" and design in DESIGNS, "no format 2", 2)
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
