#!/usr/bin/env python3
"""Check a certificate of an exact paired-permutation p-value: verifier.py CERTIFICATE [SCORES] [--full] [--seed=N]

Exit status: 0 confirmed, 1 refuted, 2 unreadable, 3 too large to check. See spec/12-certificates.md for each line."""
import bisect, csv, functools, hashlib, io, json, math, random, re, sys
from collections import Counter
from fractions import Fraction
MOST_BYTES, MOST_UNITS, MOST_BITS = (2**22, 2**24), 2**20, 2**28  # certificate and scores; pairs, units; all scores
MOST_STEPS, MOST_SUM_BITS, MOST_SLOT_BITS = 15 * 10**6, 2**30, 2**35  # of the three ways: some seconds each
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?|[+-]?[0-9]+/0*[1-9][0-9]*")
P_VALUE = re.compile(r"([0-9])(\.[0-9]{1,4000})?(e-[0-9]{2,6})?")

class Verdict(Exception):
    """Ends the check with an exit status and a reason."""
def require(holds, reason, status=1):
    if not holds:
        raise Verdict(status, reason)
def integer(text, most=4000):
    require(re.fullmatch("-?(0x[1-9a-f][0-9a-f]*|[1-9][0-9]*)|0", text), "no integer: %.40a" % text, 2)
    require(len(text) <= (most if "x" in text else 4000), "an integer of %d digits is too long here" % len(text), 3)
    return int(text, 0)

def read(raw, rules):  # return what the scores say: (ties, tally, unit, observed X, pairs, least sum), and how they did
    require(hashlib.sha256(raw).hexdigest() == rules["sha256"], "not the certified file or text: its SHA-256 differs")
    columns, skipped = [[integer(i) for i in rules[name] + []] for name in ("columns", "skipped")]
    group, places = [None if rules[name] is None else integer(rules[name]) for name in ("groups", "decimals")]
    mark, point, utf16 = rules["delimiter"], rules["decimal"], raw[:2] in (b"\xff\xfe", b"\xfe\xff")
    known = mark in list(",;\t| ") and point in list(".,") and rules["encoding"] == ("utf-16" if utf16 else "utf-8-sig")
    known = known and len(columns) in (1, 2) and min(columns + [1 if group is None else group]) > 0
    require(known and 0 <= (places or 0) <= 600, "unknown rules of reading", 2)
    left_out, header, hashes, pairs, bits, scale, sums = set(skipped), None, [0, 0], 0, 0, 1, Counter()
    for i, line in enumerate(io.StringIO(raw.decode(rules["encoding"]), newline=None), 1):
        out, hashed = i in left_out, line.lstrip()[:1] == "#"
        header = line.strip() if out and not hashed and pairs == 0 else header
        hashes[out] += hashed
        if line.strip() and not out:
            cells = csv.reader([line], delimiter=mark, skipinitialspace=True, strict=True)
            cells = re.findall("[^ \t\v\f\n]+", line) if mark == " " else [cell.strip() for cell in next(cells)]
            texts = [cells[j - 1].translate({44: ".", 46: ","} if point == "," else {}) for j in columns]
            require(all(len(s) <= 600 and NUMBER.fullmatch(s) for s in texts), "line %d: no number read" % i, 2)
            scores = [Fraction(s) if places is None else round(Fraction(s), places) for s in texts]
            pairs, z = pairs + 1, scores[0] - sum(scores[1:])
            bits, scale = bits + z.numerator.bit_length(), scale * z.denominator // math.gcd(scale, z.denominator)
            small = pairs <= MOST_UNITS and scale < 2**4096 and bits + pairs * scale.bit_length() <= MOST_BITS
            require(small, "over %d pairs, %d bits, or 4096 bits of one denominator" % (MOST_UNITS, MOST_BITS), 3)
            sums[cells[group - 1] if group else i] += z
    require(len(skipped) == hashes[1] + (header is not None) and 0 in hashes, "left out are other lines")
    swings = [2 * z.numerator * (scale // z.denominator) for z in sums.values()]  # a swap changes the statistic by 2 z
    step = functools.reduce(math.gcd, swings, 0)
    tally = Counter(abs(z) // (step or 1) for z in swings)
    x, low = sum(z // step for z in swings if z > 0), Fraction(-sum(map(abs, swings)), 2 * scale)
    how = "%d pairs, columns %s, groups %s, decimals %s, delimiter %a, decimal mark %a, header %.60a, %d comments"
    how %= pairs, columns, group, places, mark, point, header, hashes[1]
    return (tally.pop(0, 0), dict(tally), Fraction(step or scale, scale), x, pairs, low), how

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
    halves = [functools.reduce(lambda sums, d: sums + [x + d for x in sums], units[i::2], [0]) for i in (0, 1)]
    halves[0].sort()
    return sum(bisect.bisect_right(halves[0], k - y) for y in halves[1])
def by_slots(units, k, _):  # N(k): the sum of all slots of an integer, its remainder modulo 2^width - 1
    width, packed = len(units) + 2, int(k >= 0)
    for d in units:
        packed = (packed + (packed << d * width)) & ((1 << width * (k + 1)) - 1)
    return packed % ((1 << width) - 1)

def check_count(tally, span, k, claimed, full, source):  # N(k) by the way with the least part of its limit
    k, claimed = (k, claimed) if 2 * k < span else (span - k - 1, 2 ** sum(tally.values()) - claimed)  # complement
    units = [d for d, c in tally.items() if d <= k for _ in range(c)]  # others are in no subset with sum up to k
    steps = (k + 1) * (len(set(units)) + 1) * (3 + (len(units) // 200 if full else 0)), MOST_STEPS, by_recurrence
    sums = (k.bit_length() + 256) << min(len(units) + 1, 999) // 2, MOST_SUM_BITS, by_halves
    slots = (k + 1) * (len(units) + 1) * max(256, len(units)), MOST_SLOT_BITS, by_slots
    cost, limit, way = min(steps, sums, slots, key=lambda each: Fraction(*each[:2]))
    require(cost <= limit, "%s takes %.3g steps or bits, at most %d" % (way.__name__, min(cost, 1e99), limit), 3)
    primes = [random_prime(source) for _ in range(3)] if way is by_recurrence and not full else [0]
    how = way.__name__[3:] + (" modulo %s" % primes if primes[0] else "")
    require(all(way(units, k, p) == (claimed % p if p else claimed) for p in primes), "the count is wrong, by " + how)
    return "count checked by " + how
def check(record, raw, full, source):  # the claims against each other, the tally against the scores, and the count
    require(record["format"] == "1", "the format is not 1", 2)
    require({"swaps", "count"} <= set(record), "without a tally and a count it can only be computed again", 3)
    said, swaps, count = record["alternative"], record["swaps"], integer(record["count"], 2**19)
    pairs, units, moved, k, factor = [integer(record[s]) for s in ("n", "n_units", "n_nonzero", "threshold", "factor")]
    require(units <= MOST_UNITS, "more than %d swap units" % MOST_UNITS, 3)
    ties, x = integer(swaps["ties"]), integer(swaps["observed"])
    t, low, unit = [Fraction(*map(integer, s.split("/"))) for s in (record["statistic"], swaps["low"], swaps["unit"])]
    rows = [tuple(map(integer, row + [])) for row in swaps["tally"] + []]
    tally, span = dict(rows), sum(d * c for d, c in rows)
    good = sorted(tally.items()) == rows and min([units] + [min(row) for row in rows]) > 0 <= min(ties, x, span - x)
    good = good and sum(tally.values()) == moved == units - ties <= pairs - ties and record["total"] == "2^%d" % units
    good = good and functools.reduce(math.gcd, tally, 0) < 2 and (unit > 0 if tally else unit == 1)
    require(good, "no canonical tally of so many units")
    good = t == low + unit * x and (record["statistic_name"] != "difference" or 2 * low == -unit * span)
    require(good, "the statistic or the least sum is not that of the tally")
    twos, parts = (count & -count).bit_length() - 1, [integer(s, 2**19) for s in record["pvalue"].split("/")]
    good = 0 < count <= 1 << units and parts == [count >> twos, 1 << (units - twos)][:1 + (twos < units)]
    require(good, "the p-value is not count / total in lowest terms")
    log10, p = math.log10(count) - units * math.log10(2), P_VALUE.fullmatch(record["pvalue_decimal"])
    require(p, "pvalue_decimal is no number from 0 to 1 of at most 4001 digits", 2)
    digits, places = int(p[1] + (p[2] or "")[1:]), len((p[2] or ".")[1:]) + int((p[3] or "e-0")[2:])
    error = abs((digits << units) - count * 10 ** min(places, units + 4000))  # of the last digit, times 2^units
    good = digits > 0 and 2 * error + digits % 2 <= 1 << units and abs(float(record["log10_pvalue"]) - log10) < 1e-6
    require(good, "decimal or logarithm is not that of the p-value")
    twice = (span, 1) if 2 * x == span else (min(x, span - x), 2)  # X and span - X have the same distribution
    folded = {"less": (x, 1), "greater": (span - x, 1), "two-sided": twice, "doubled": twice}[said]
    require((k, factor) == folded and count % (factor << ties) == 0, "threshold, factor or count do not fit")
    how = "tally, statistic and pairs not checked without the scores"
    if raw is not None:
        (found, how), signed = read(raw, record["data"]), record["data"]["signed"] is True
        want = (ties, tally, unit) + ((x, pairs, low) if signed else (span,))  # of absolute differences X is the span
        require(found[:len(want)] == want, "scores of another tally: " + how)
        how = ("" if signed else "statistic and pairs not checked without the scores; of differences: ") + how
    way = check_count(tally, span, k, count // (factor << ties), full, source)
    return "p = %s (%s), %s; %s" % (p[0], said, way, how)

def main(words):
    names, seeds = [w for w in words if w[:2] != "--"], [w[7:] for w in words if w[:7] == "--seed="]
    try:
        require(0 < len(names) < 3 and len(names + seeds) + ("--full" in words) == len(words), "bad arguments", 2)
        source, contents = random.Random(int(seeds[0])) if seeds else random.SystemRandom(), [None, None]
        for i, name in enumerate(names):
            with open(name, "rb") as file:
                contents[i] = file.read(MOST_BYTES[i] + 1)
            require(len(contents[i]) <= MOST_BYTES[i], "over %d bytes: file %d" % (MOST_BYTES[i], i + 1), 3)
        hook = lambda pairs: require(len(dict(pairs)) == len(pairs), "a name is repeated", 2) or dict(pairs)
        record = json.loads(contents[0].decode("utf-8"), parse_int=str, parse_float=str, object_pairs_hook=hook)
        status, text = 0, check(record, contents[1], "--full" in words, source) + "; primes of --seed" * len(seeds)
    except Exception as e:  # whatever a hostile file may cause
        status, text = e.args if isinstance(e, Verdict) else (2, "%s: %.300a" % (type(e).__name__, str(e)))
    print("%s: %s" % (("confirmed", "REFUTED", "unreadable", "too large to check here")[status], text))
    return status
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
