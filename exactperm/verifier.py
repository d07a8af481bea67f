#!/usr/bin/env python3
"""Check a certificate of an exact paired-permutation p-value: verifier.py CERTIFICATE [SCORES] [--full] [--seed=N]

Standard library only (Python 3.6 or later). Reads the scores by the rules that the certificate states, rebuilds the
tally {d: number of swap units with |difference| d}, and checks the number of subsets with sum at most k,

    N(k) = P[0] + ... + P[k],    P(x) = prod_d (1 + x^d)^c_d = (1 + x^d) Q_d(x),    n P[n] = sum_d c_d d Q_d[n - d],

by this recurrence modulo random primes (--full: in whole integers), from the sorted subset sums of two halves, or in
one integer that holds P[0..k] in slots. Exit status: 0 confirmed, 1 refuted, 2 unreadable, 3 too large to check here.
"""

import csv
import hashlib
import json
import math
import random
import re
import sys
from bisect import bisect_right
from fractions import Fraction

MOST_BYTES, MOST_UNITS = 2**28, 2**27  # bytes of a file; swap units, since the number of assignments has as many bits
MOST_STEPS, MOST_LISTED, MOST_SLOTS, MOST_SHIFTED = 5 * 10**6, 40, 2**26, 2**36  # of the three ways: see check_count
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?|[+-]?\d+/\d*[1-9]\d*")


class Verdict(Exception):
    """Ends the check: exit status and reason."""


def require(holds, reason, status=1):
    if not holds:
        raise Verdict(status, reason)


def exact(text):
    """Read -3, "0x1f", "3/8" or "0x3/0x8"."""
    above, _, below = str(text).partition("/")
    return Fraction(int(above, 0), int(below or "1", 0))


def read(raw, rules):
    """Tally the scores: ({d: units}, units without a difference, unit, observed X, its greatest value)."""
    require(hashlib.sha256(raw).hexdigest() == rules["sha256"], "this is another file of scores: its SHA-256 differs")
    sums, scale, step = {}, 1, 0  # the sum of u - v over the pairs of each swap unit
    for i, line in enumerate(re.split("\r\n|\r|\n", raw.decode(rules["encoding"])), 1):
        if i not in rules["skipped_lines"] and line.strip():
            mark = rules["delimiter"]
            cells = line.split() if mark == " " else next(csv.reader([line], delimiter=mark, skipinitialspace=True))
            scores = [cells[j - 1].strip().replace(rules["decimal"], ".") for j in rules["columns"]]
            if any(len(score) > 4000 or not NUMBER.fullmatch(score) for score in scores):
                raise ValueError("line %d: no number in %.60r" % (i, scores))
            if rules["decimals"] is not None:
                scores = [round(Fraction(score), rules["decimals"]) for score in scores]
            unit = i if rules["groups"] is None else cells[rules["groups"] - 1].strip()
            sums[unit] = sums.get(unit, 0) + Fraction(scores[0]) - Fraction((scores + [0])[1])
    for z in sums.values():
        scale = scale * z.denominator // math.gcd(scale, z.denominator)
    for z in sums.values():
        step = math.gcd(step, int(2 * z * scale))  # a swap changes the sum by 2 z
    tally, x = {}, 0
    for z in filter(None, sums.values()):
        d = int(abs(2 * z * scale)) // step
        tally[d], x = tally.get(d, 0) + 1, x + d * (z > 0)
    span = sum(d * c for d, c in tally.items())
    return tally, len(sums) - sum(tally.values()), Fraction(step or 1, scale), x, span


def random_primes(bits, source):
    """Draw primes from 2^60 to 2^61 until a wrong number of so many bits survives with probability below 2^-100."""
    chance, found = 1.0, []
    while chance > 2.0**-100:
        n = source.randrange(2**60 + 1, 2**61, 2)
        twos = ((n - 1) & (1 - n)).bit_length() - 1
        powers = [pow(base, n >> twos, n) for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)]
        if all(y == 1 or n - 1 in [pow(y, 2**i, n) for i in range(twos)] for y in powers):  # Miller and Rabin
            chance *= max(1, bits / 60) / 2.7e16  # the difference has bits / 60 such factors; 2.7e16 primes to draw
            found.append(n)
    return found


def by_recurrence(tally, k, p):
    """Return N(k) modulo the prime p, or N(k) itself where p is 0."""
    left_out = [(d, d * c, [1] + [0] * (d - 1)) for d, c in tally.items()]  # slot n % d holds Q_d[n - d]
    inverse, total = [0, 1], 1
    for n in range(1, k + 1):
        count = sum(weight * last[n % d] for d, weight, last in left_out)
        if p and n > 1:
            inverse.append(-(p // n) * inverse[p % n] % p)  # of n, from p = (p // n) n + p % n
        count = count * inverse[n] % p if p else count // n
        for d, _, last in left_out:
            last[n % d] = count - last[n % d]
        total += count
    return total


def by_halves(units, k):
    """Return N(k): for each subset sum of one half, the number of those of the other that leave at most k."""
    sums = ([0], [0])
    for i, d in enumerate(units):
        sums[i % 2].extend([x + d for x in sums[i % 2]])
    ascending = sorted(sums[0])
    return sum(bisect_right(ascending, k - y) for y in sums[1])


def by_slots(units, k):
    """Return N(k): slots of units + 1 bits hold every count; modulo 2^width - 1 an integer is the sum of its slots."""
    width, packed = len(units) + 1, 1
    mask = (1 << width * (k + 1)) - 1
    for d in units:
        packed = (packed + (packed << d * width)) & mask
    return packed % ((1 << width) - 1) if units else 1


def check_count(tally, k, claimed, full, source):
    """Compare N(k) with the claimed number by the cheapest way within its limit; return the way in words."""
    bits, span = sum(tally.values()), sum(d * c for d, c in tally.items())
    if 2 * k >= span:  # the complement is shorter
        k, claimed = span - k - 1, 2**bits - claimed
    if k < 0:
        return require(claimed == 0, "the count of all assignments is wrong") or "all assignments"
    tally = {d: c for d, c in tally.items() if d <= k}  # other units are in no subset with sum up to k
    few, steps = sum(tally.values()), (k + 1) * max(1, len(tally)) * (1 + bits // 600 if full else 3)
    slots = (k + 1) * (few + 1) // 8
    ways = [(steps * 2e-7, "recurrence")] if steps <= 3 * MOST_STEPS else []
    ways += [(2 ** (few / 2) * 4e-7, "two sorted halves")] if few <= MOST_LISTED else []
    ways += [(few * slots * 2e-10, "one packed integer")] if max(slots * few / 1024, slots) <= MOST_SLOTS else []
    require(ways, "%.2g steps, %d units and %.2g bytes of slots (see the limits)" % (steps, few, slots), 3)
    way, primes = min(ways)[1], [0] if full else random_primes(bits, source)
    if way == "recurrence":
        way += " in whole integers" if full else " modulo %s" % ", ".join(map(str, primes))
        wrong = [p for p in primes if (by_recurrence(tally, k, p) - claimed) % (p or 4**bits)]
    else:
        units = [d for d, c in tally.items() for _ in range(c)]
        wrong = (by_halves if few <= MOST_LISTED and way[0] == "t" else by_slots)(units, k) != claimed
    return require(not wrong, "the count is wrong, by " + way) or way


def check(record, raw, full, source):
    """Check every field of a record against the others, its tally against the scores, and its count."""
    swaps, count, said = record["swaps"], int(exact(record["count"])), record["alternative"]
    tally = {int(exact(d)): int(c) for d, c in swaps["tally"]}
    ties, x, unit = int(swaps["ties"]), int(exact(swaps["observed"])), exact(swaps["unit"])
    units, span = sum(tally.values()) + ties, sum(d * c for d, c in tally.items())
    require(units <= MOST_UNITS, "%d swap units (limit %d)" % (units, MOST_UNITS), 3)
    require(min([1, *tally, *tally.values()]) > 0 and min(ties, x, span - x) >= 0 < unit, "the tally is no tally")
    require(units == record["n_units"] and record["total"] == "2^%d" % units, "the total is not 2^(swap units)")
    require(exact(record["statistic"]) == exact(swaps["low"]) + unit * x, "the statistic is not that of the tally")
    require(exact(record["pvalue"]) == Fraction(count, 2**units), "the p-value is not count / total")
    if raw is not None:
        require(read(raw, record["data"]) == (tally, ties, unit, x, span), "the tally is not that of the scores")
        require(2 * exact(swaps["low"]) == -unit * span, "the least sum is not that of the scores")
    both = said in ("two-sided", "doubled")  # X and span - X have the same distribution: p counts factor * N(k)
    k, factor = (min(x, span - x), 2) if both else ({"less": x, "greater": span - x}[said], 1)
    if both and 2 * x == span:
        k, factor = span, 1
    require((exact(record["threshold"]), record["factor"]) == (k, factor), "threshold and alternative do not agree")
    require(count % (factor << ties) == 0, "the count is no multiple of factor * 2^ties")
    return check_count(tally, k, count // (factor << ties), full, source)


def main(words):
    """Print the verdict and return the exit status."""
    files, seeds = [w for w in words if w[:2] != "--"], [int(w[7:]) for w in words if w[:7] == "--seed="]
    try:
        contents = [open(name, "rb").read(MOST_BYTES + 1) for name in files]
        require(len(files) in (1, 2), "needs a certificate and perhaps its scores", 2)
        require(max(map(len, contents)) <= MOST_BYTES, "a file has more than %d bytes" % MOST_BYTES, 3)
        source = random.Random(seeds[0]) if seeds else random.SystemRandom()
        way = check(json.loads(contents[0].decode("utf-8")), (contents + [None])[1], "--full" in words, source)
        status, text = 0, way + (", the tally from the scores" if len(files) == 2 else "; no scores were given")
    except Verdict as verdict:
        status, text = verdict.args
    except Exception as error:  # whatever a hostile file may cause
        status, text = 2, "%s: %.200s" % (type(error).__name__, error)
    print("%s: %s" % (("confirmed", "REFUTED", "unreadable", "too large to check here")[status], text))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
