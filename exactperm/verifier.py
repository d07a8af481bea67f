#!/usr/bin/env python3
"""Check a certificate of an exact paired-permutation p-value: verifier.py CERTIFICATE [SCORES] [--full] [--seed=N]

Rebuilds the tally {d: number of swap units with |difference| d} from the scores and counts N(k), the subsets of units
with sum <= k: by a recurrence modulo three random primes (--full: in whole integers), by the sorted sums of two halves,
or in one integer with a slot for each sum. Exit status: 0 confirmed, 1 refuted, 2 unreadable, 3 too large to check
here. Python 3.6 or later, standard library only. Each line is explained in spec/12-certificates.md of exactperm."""
import bisect, csv, decimal, functools, hashlib, io, json, math, random, re, sys
from collections import Counter
from fractions import Fraction

MOST_BYTES, MOST_UNITS, MOST_BITS = 2**25, 2**20, 2**28  # of a file; pairs and swap units; of all scores together
MOST_STEPS, MOST_SUM_BITS, MOST_SLOT_BITS = 15 * 10**6, 2**30, 2**37  # of the three ways: some seconds each
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?|[+-]?[0-9]+/[0-9]*[1-9][0-9]*")

class Verdict(Exception):
    """Ends the check with an exit status and a reason."""

def require(holds, reason, status=1):
    if not holds:
        raise Verdict(status, reason)

def integer(text):
    require(re.fullmatch("-?(0x[0-9a-f]{1,262145}|[0-9]{1,4000})", text), "no integer, or too long: %.40a" % text, 2)
    return int(text, 0)

def read(raw, rules):  # return what the scores say: ties, tally, unit, observed X, number of pairs, least sum
    require(hashlib.sha256(raw).hexdigest() == rules["sha256"], "not the certified file or text: its SHA-256 differs")
    columns, skipped = list(map(integer, rules["columns"])), set(map(integer, rules["skipped"]))
    group, places = [None if rules[name] is None else integer(rules[name]) for name in ("groups", "decimals")]
    known = rules["encoding"] in ("utf-8-sig", "utf-16") and rules["decimal"] in (".", ",") and 1 <= len(columns) <= 2
    require(known and min(columns + [1 if group is None else group]) > 0 <= (places or 0) <= 600, "unknown rules", 2)
    mark, pairs, bits, scale, sums = rules["delimiter"], 0, 0, 1, Counter()
    for i, line in enumerate(io.StringIO(raw.decode(rules["encoding"]), newline=None), 1):
        if i not in skipped and line.strip():
            cells = csv.reader([line], delimiter=mark, skipinitialspace=True, strict=True)
            cells = re.findall("[^ \t\v\f\n]+", line) if mark == " " else [cell.strip() for cell in next(cells)]
            texts = [cells[j - 1].replace(rules["decimal"], ".") for j in columns]
            require(all(NUMBER.fullmatch(s) and len(s) <= 600 for s in texts), "line %d: no number read" % i, 2)
            scores = [Fraction(s) if places is None else round(Fraction(s), places) for s in texts]
            pairs, z = pairs + 1, scores[0] - sum(scores[1:])
            bits, scale = bits + z.numerator.bit_length(), scale * z.denominator // math.gcd(scale, z.denominator)
            small = pairs <= MOST_UNITS and scale < 2**4096 and bits + pairs * scale.bit_length() <= MOST_BITS
            require(small, "over %d pairs, %d bits, or 4096 bits of one denominator" % (MOST_UNITS, MOST_BITS), 3)
            sums[cells[group - 1] if group else i] += z
    swings = [int(2 * z * scale) for z in sums.values()]  # a swap changes the statistic by 2 z
    step = functools.reduce(math.gcd, swings, 0)
    tally = Counter(abs(z) // (step or 1) for z in swings)
    x, low = sum(z // step for z in swings if z > 0), Fraction(-sum(map(abs, swings)), 2 * scale)
    return tally.pop(0, 0), dict(tally), Fraction(step or scale, scale), x, pairs, low

def random_prime(source):  # one of the more than 2.6e16 primes between 2^60 and 2^61, each with the same probability
    while True:
        n = source.randrange(2**60 + 1, 2**61, 2)
        powers = [(n - 1) >> i for i in range(1, 61) if (n - 1) % 2**i == 0]  # Miller and Rabin, certain below 3e23
        rests = [[pow(b, e, n) for e in powers] for b in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)]
        if all(row[-1] == 1 or n - 1 in row for row in rests):
            return n

def by_recurrence(units, k, p):  # N(k) modulo the prime p, or N(k) itself where p is 0
    left_out = [(d, d * c, [1] + [0] * (d - 1)) for d, c in Counter(units).items()]  # slot n % d holds Q_d[n - d]
    inverse, total = [0, 1], int(k >= 0)
    for n in range(1, k + 1):
        count = sum(weight * last[n % d] for d, weight, last in left_out)
        inverse += [-(p // n) * inverse[p % n] % p] if p and n > 1 else []  # of n, from p = (p // n) n + p % n
        count = count * inverse[n] % p if p else count // n
        for d, _, last in left_out:
            last[n % d] = count - last[n % d]
        total += count
    return total % p if p else total

def by_halves(units, k, _):  # N(k): for each subset sum of one half, the number of those of the other up to the rest
    sums = [0], [0]
    for i, d in enumerate(units):
        sums[i % 2].extend([x + d for x in sums[i % 2]])
    sums[0].sort()
    return sum(bisect.bisect_right(sums[0], k - y) for y in sums[1])

def by_slots(units, k, _):  # N(k): the sum of all slots of an integer, its remainder modulo 2^width - 1
    width, packed = len(units) + 2, int(k >= 0)
    for d in units:
        packed = (packed + (packed << d * width)) & ((1 << width * (k + 1)) - 1)
    return packed % ((1 << width) - 1)

def check_count(tally, span, k, claimed, full, source):  # N(k) by the way with the least part of its limit
    if 2 * k >= span:  # the complement is shorter
        k, claimed = span - k - 1, 2 ** sum(tally.values()) - claimed
    units = [d for d, c in tally.items() if d <= k for _ in range(c)]  # others are in no subset with sum up to k
    steps = (k + 1) * (len(set(units)) + 1) * (3 + (len(units) // 200 if full else 0)), MOST_STEPS
    sums = (k.bit_length() + 256) << min(len(units) + 1, 999) // 2, MOST_SUM_BITS
    slots = (k + 1) * (len(units) + 1) * max(256, len(units)), MOST_SLOT_BITS
    ways = (steps, "recurrence", by_recurrence), (sums, "sorted halves", by_halves), (slots, "slots", by_slots)
    (cost, limit), way, count = min(ways, key=lambda each: Fraction(*each[0]))
    reason = "%.3g of at most %.3g steps, %.3g of %.3g bits of sums, %.3g of %.3g bits of slots"
    require(cost <= limit, reason % tuple(min(size, 1e99) for size in steps + sums + slots), 3)
    primes = [0] if full or way != "recurrence" else [random_prime(source) for _ in range(3)]
    way += " modulo %s" % primes if primes[0] else ""
    require(all(count(units, k, p) == (claimed % p if p else claimed) for p in primes), "the count is wrong, by " + way)
    return "count checked by " + way

def check(record, raw, full, source):  # the claims against each other, the tally against the scores, and the count
    require(record["format"] == "1", "the format is not 1", 2)
    require({"swaps", "count"} <= set(record), "without a tally and a count it can only be computed again", 3)
    said, swaps = record["alternative"], dict(record, **record["swaps"])
    names = "n", "n_units", "n_nonzero", "count", "threshold", "factor", "ties", "observed"
    pairs, units, nonzero, count, k, factor, ties, x = [integer(swaps[name]) for name in names]
    statistic, low, unit = [Fraction(*map(integer, swaps[name].split("/"))) for name in ("statistic", "low", "unit")]
    tally = {integer(d): integer(c) for d, c in swaps["tally"]}
    span, once = sum(d * c for d, c in tally.items()), len(tally) == len(swaps["tally"])
    require(units <= MOST_UNITS, "more than %d swap units" % MOST_UNITS, 3)
    good = min([1] + list(tally) + list(tally.values())) > 0 and min(ties, x, span - x) >= 0 < unit and once
    good = good and sum(tally.values()) == nonzero == units - ties <= pairs - ties and record["total"] == "2^%d" % units
    require(good and len(swaps) == len(record) + len(record["swaps"]), "no tally of so many units, or a field twice")
    require(statistic == low + unit * x, "the statistic is not that of the tally")
    above, below = map(integer, (record["pvalue"] + "/1" * ("/" not in record["pvalue"])).split("/"))
    require(0 < count <= 1 << units and above << units == count * below > 0, "the p-value is not count / total")
    wide, near = decimal.Context(prec=4100), decimal.Decimal(record["pvalue_decimal"][:4000])
    p, digit = wide.divide(count, wide.power(2, units)), decimal.Decimal(1).scaleb(near.as_tuple().exponent)
    good = abs(float(record["log10_pvalue"]) - float(p.log10())) < 1e-6 and abs(wide.subtract(near, p)) < digit
    require(good, "decimal or logarithm is not that of the p-value")
    twice = (span, 1) if 2 * x == span else (min(x, span - x), 2)  # X and span - X have the same distribution
    folded = {"less": (x, 1), "greater": (span - x, 1), "two-sided": twice, "doubled": twice}[said]
    require((k, factor) == folded, "the threshold is not that of the alternative")
    require(count % (factor << ties) == 0, "the count is no multiple of factor * 2^ties")
    if raw is not None:
        want = (ties, tally, unit) + ((x, pairs, low) if record["data"]["signed"] else (span,))  # absolute: all >= 0
        require(read(raw, record["data"])[:len(want)] == want, "scores of another tally")
    way = check_count(tally, span, k, count // (factor << ties), full, source)
    return "p = {:.9e} ({}), {}, {} scores".format(p, said, way, "without" if raw is None else "tally from the")

def main(words):
    try:
        names, options = [w for w in words if w[:2] != "--"], [w for w in words if w[:2] == "--"]
        seeds, contents = [int(w[7:]) for w in options if w[:7] == "--seed="], []
        require(1 <= len(names) <= 2 and len(seeds) + ("--full" in options) == len(options), "bad arguments", 2)
        for name in names:
            with open(name, "rb") as file:
                contents.append(file.read(MOST_BYTES + 1))
        require(max(map(len, contents)) <= MOST_BYTES, "a file has more than %d bytes" % MOST_BYTES, 3)
        hook = lambda pairs: require(len(dict(pairs)) == len(pairs), "a name is repeated", 2) or dict(pairs)
        record = json.loads(contents[0].decode("utf-8"), parse_int=str, parse_float=str, object_pairs_hook=hook)
        source = random.Random(seeds[0]) if seeds else random.SystemRandom()
        status, text = 0, check(record, (contents + [None])[1], "--full" in options, source)
    except Exception as error:  # whatever a hostile file may cause
        status, text = error.args if isinstance(error, Verdict) else (2, "%s: %a" % (type(error).__name__, str(error)))
    print("%s: %.400s" % (("confirmed", "REFUTED", "unreadable", "too large to check here")[status], text))
    return status

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
