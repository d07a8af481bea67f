"""Usage: verifier.py CERTIFICATE [SCORES [SCORES]] [--full] [--seed=N]. The file spec/12-certificates.md explains it.
Exit status: 0 confirmed, 1 refuted, 2 unreadable, 3 not checked: too large, without a proof, or of other files."""
import bisect, collections, csv, functools, hashlib, io, itertools, json, math, random, re, sys
from fractions import Fraction
MOST_BYTES, MOST_UNITS, MOST_BITS = (2**22, 2**24, 2**24), 2**20, 2**28  # each file; swap units; all scores
MOST_STEPS, MOST_SUM_BITS, MOST_SLOT_BITS = 15 * 10**6, 2**30, 2**35  # of the three ways: some seconds each
NUMBER = re.compile(r"(?!.{601})[+-]?(([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,2})?|[0-9]+/0*[1-9][0-9]*)")
RULES = ("columns", "header", "ids", "groups", "decimals", "delimiter", "decimal", "comments")  # of reading scores
P_VALUE = re.compile(r"([0-9])\.([0-9]{1,4000})(?:e-([0-9]{2,6}))?")
class Verdict(Exception):
    """Ends the check with an exit status and a reason."""
def require(holds, reason, status=1):
    if not holds:
        raise Verdict(status, reason)
def integer(text, most=4000):
    form = "-?(0x[1-9a-f][0-9a-f]{0,%d}|[1-9][0-9]{0,3999})|0" % most
    require(text is None or re.fullmatch(form, text), "no integer, or one of too many digits: %.40a" % text, 2)
    return None if text is None else int(text, 0)
def read(raws, data):  # return what the scores say: (ties, tally, unit, observed X, pairs, least sum), and how they did
    bits, lcm, sums, files, how = 0, 1, collections.Counter(), [], []
    for raw, rules in zip(raws, data):  # one file with one or two columns, or two files with one each
        stated = [rules[name] for name in RULES]
        columns, (head, ids, group, places) = [[integer(i) for i in part + []] for part in (stated[0], stated[1:5])]
        (mark, point, comments), units, title, gaps, notes, width = stated[5:], {}, None, 0, 0, 0
        good = mark in [*",;\t| "] and point in [*".,"] and 0 < len(columns) < 4 - len(data) and (places or 0) < 101
        good = good and comments in (True, False) and 0 not in columns + [ids, group] and "-" not in str(stated[:5])
        require(good, "unknown rules of reading", 2)
        code = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
        for i, line in enumerate(io.StringIO(raw.decode(code), newline=None), 1):
            if i == head and not units:
                title = line.strip()
            elif not line.strip():
                gaps += len(units) > 0  # a blank line after a pair holds a place, so that two files have it in common
            elif comments and line.lstrip()[0] == "#":
                notes += 1
            else:
                require(len(line) <= 2**20, "line %d has over 2^20 characters" % i, 3)
                cells = csv.reader([line], delimiter=mark, skipinitialspace=True, strict=True)
                cells = re.findall("[^ \t\v\f\n]+", line) if mark == " " else [cell.strip() for cell in next(cells)]
                texts = [cells[j - 1].translate({44: ".", 46: ","} if point == "," else {}) for j in columns]
                pair, unit = cells[ids - 1] if ids else len(units) + gaps, cells[group - 1] if group else None
                width, good = width or len(cells), pair not in units and "" not in (pair, unit)
                good = good and len(cells) == width and all(map(NUMBER.fullmatch, texts))
                require(good, "line %d: no number, no new id, no label, or not %d cells" % (i, width), 2)
                scores = [Fraction(s) if places is None else round(Fraction(s), places) for s in texts]
                z = (scores[0] - sum(scores[1:])) * (-1) ** len(files)  # the second file is subtracted
                bits, lcm = bits + 200 + z.numerator.bit_length(), lcm * z.denominator // math.gcd(lcm, z.denominator)
                small = lcm < 2**4096 and bits + len(units) * lcm.bit_length() < MOST_BITS
                require(small, "over %d bits of scores, or 4096 of their common denominator" % MOST_BITS, 3)
                units[pair] = unit if group else pair
                sums[units[pair]] += z
        require(point == "." or width > 1, "one cell per line: decimal commas, or columns with commas between?", 2)
        facts = len(units), len(sums), rules["sha256"], len({*columns, ids, group} - {None}), width, notes, title
        size = "%d pairs in %d units of %.8s, %d of %d columns, %d lines as comments, header %.60a" % facts
        files, how = files + [units], how + [", ".join([size] + ["%s %.40a" % rule for rule in zip(RULES, stated)])]
    require(files[0] == files[-1], "the two files have other pairs or groups")
    swings = [2 * z.numerator * (lcm // z.denominator) for z in sums.values()]  # a swap changes the statistic by 2 z
    step = functools.reduce(math.gcd, swings, 0)
    tally = [[d, len(list(same))] for d, same in itertools.groupby(sorted(abs(z) // step for z in swings if z))]
    x, low = sum(z // step for z in swings if z > 0), Fraction(-sum(map(abs, swings)), 2 * lcm)
    return (swings.count(0), tally, Fraction(step or lcm, lcm), x, len(units), low), "; minus ".join(how)
def random_prime(source):  # one of the more than 2.6e16 primes between 2^60 and 2^61, each with the same probability
    n = source.randrange(2**60 + 1, 2**61, 2)
    powers = [(n - 1) >> i for i in range(1, 61) if (n - 1) % 2**i == 0]  # Miller and Rabin, certain below 3e23
    rests = [[pow(b, e, n) for e in powers] for b in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)]
    return n if all(row[-1] == 1 or n - 1 in row for row in rests) else random_prime(source)
def by_recurrence(units, k, p):  # N(k) and P[k], the subsets with sum k, modulo the prime p, or exactly where p is 0
    left_out = [(d, d * c, [1] + [0] * (d - 1)) for d, c in collections.Counter(units).items()]  # Q_d, by n % d
    inverse, total, count = [0, 1], 1, 1
    for n in range(1, k + 1):
        count = sum(weight * last[n % d] for d, weight, last in left_out)
        inverse += [-(p // n) * inverse[p % n] % p] if p and n > 1 else []  # of n, from p = (p // n) n + p % n
        count = count * inverse[n] % p if p else count // n
        for d, _, last in left_out:
            last[n % d] = count - last[n % d]
        total += count
    return (total % p, count % p) if p else (total, count)
def by_halves(units, k, _):  # for each subset sum of one half, the number of the other's up to the rest, or at it
    halves = [sorted(functools.reduce(lambda sums, d: sums + [x + d for x in sums], units[i::2], [0])) for i in (0, 1)]
    upto, below = [sum(cut(halves[0], k - y) for y in halves[1]) for cut in (bisect.bisect_right, bisect.bisect_left)]
    return upto, upto - below
def by_slots(units, k, _):  # the sum of all slots of an integer, its remainder modulo 2^width - 1; and the last slot
    width, packed = len(units) + 2, 1
    for d in units:
        packed = (packed + (packed << d * width)) & ((1 << width * (k + 1)) - 1)
    return packed % ((1 << width) - 1), packed >> width * k
def check_count(tally, span, x, k, claimed, full, source):  # N(k), and that x is a sum, by the way of the least cost
    j, total = min(x, span - x), 2 ** sum(c for _, c in tally)  # X and span - X have the same distribution
    units = [d for d, c in tally if d <= j for _ in range(c)]  # others are in no subset with sum up to j
    steps = (j + 1) * (sum(d <= j for d, _ in tally) + 1) * (3 + len(units) // 200 * full), MOST_STEPS, by_recurrence
    sums = (j.bit_length() + 256) << min(len(units) + 1, 999) // 2, MOST_SUM_BITS, by_halves
    slots = (j + 1) * (len(units) + 1) * max(256, len(units)), MOST_SLOT_BITS, by_slots
    cost, limit, way = min(steps, sums, slots, key=lambda each: Fraction(*each[:2]))
    require(cost <= limit, "%s takes %.3g steps or bits, at most %d" % (way.__name__, min(cost, 1e99), limit), 3)
    primes = [random_prime(source) for _ in range(3)] if way is by_recurrence and not full else [0]
    how = way.__name__[3:] + (" modulo %s" % primes if primes[0] else "")
    found = [way(units, j, p) + (p or 2 * total,) for p in primes]
    require(any(at for _, at, _ in found), "no units of the tally have the observed sum, by " + how)
    good = all(({span - j: total - n + at, j: n}.get(k, total) - claimed) % p == 0 for n, at, p in found)
    require(good, "the count is wrong, by " + how)
    return "count checked by " + how
def check(record, raws, full, source):  # the claims against each other, the tally against the scores, and the count
    require(record["format"] == "2", "the format is not 2", 2)
    data, given = record.get("data", []) + [], {hashlib.sha256(raw).hexdigest(): raw for raw in raws}
    stated, signed = [rules["sha256"] for rules in data], [rules.get("signed", True) for rules in data]
    require(set(signed) <= {True, False}, "signed is neither true nor false", 2)
    certified = all([data] + signed)  # of files of scores, not a text of differences without their signs
    require(not certified or set(given) <= set(stated), "not the certified scores: another SHA-256")
    require(record["claim"] == "counted", "no proof of a count: the p-value is %.40a" % record["claim"], 3)
    require(certified or not given, "made from the differences: name no file (note: %.200a)" % record.get("note"), 3)
    require(len(given) in (0, len(set(stated))), "made from two files: name both", 3)
    said, sub, total, count = record["alternative"], record["swaps"], record["total"], integer(record["count"], 2**19)
    pairs, units, moved, k, factor = [integer(record[s]) for s in ("n", "n_units", "n_nonzero", "threshold", "factor")]
    require(units <= MOST_UNITS and "steps" not in sub, "more than %d swap units, or several runs" % MOST_UNITS, 3)
    t, low, unit = [Fraction(*map(integer, s.split("/"))) for s in (record["statistic"], sub["low"], sub["unit"])]
    ties, x, tally = integer(sub["ties"]), integer(sub["observed"]), [list(map(integer, r + [])) for r in sub["tally"]]
    span, sizes, numbers = sum(d * c for d, c in tally), [d for d, _ in tally], [c for _, c in tally]
    good = all(a < b for a, b in zip([0] + sizes, sizes)) and min([units] + numbers) > 0 <= x <= span
    good = good and sum(numbers) == moved == units - ties <= units <= pairs and functools.reduce(math.gcd, sizes, 0) < 2
    good = good and (total == "2^%d" % units or integer(total, 2**19) == 1 << units)
    require(good and (unit > 0 if tally else unit == 1), "no canonical tally of so many units")
    named = record["statistic_name"] == "difference"  # scores prove no other statistic
    require(t == low + unit * x and (2 * low == -unit * span if named else not certified), "another statistic or name")
    twos, parts = (count & -count).bit_length() - 1, [integer(s, 2**19) for s in record["pvalue"].split("/")]
    good = 0 < count <= 1 << units and parts == [count >> twos, 1 << (units - twos)][:1 + (twos < units)]
    require(good, "the p-value is not count / total in lowest terms")
    p = P_VALUE.fullmatch(record["pvalue_decimal"]) or require(False, "pvalue_decimal is no number to 4000 places", 2)
    digits, places, log10 = int(p[1] + p[2]), len(p[2]) + int(p[3] or 0), math.log10(count) - units * math.log10(2)
    error = abs((digits << units) - count * 10 ** min(places, units + 4001))  # of the last digit, times 2^units
    good = digits > 0 and 2 * error + digits % 2 <= 1 << units and abs(float(record["log10_pvalue"]) - log10) < 1e-6
    require(good, "decimal or logarithm is not that of the p-value")
    twice = (span, 1) if 2 * x == span else (min(x, span - x), 2)  # X and span - X have the same distribution
    folded = {"less": (x, 1), "greater": (span - x, 1), "two-sided": twice, "doubled": twice}[said]
    require((k, factor) == folded and count % (factor << ties) == 0, "threshold, factor or count do not fit")
    how = "tally, statistic and pairs not checked without the scores"
    if raws:
        found, how = read([given[sha256] for sha256 in stated], data)
        require(found == (ties, tally, unit, x, pairs, low), "scores of another tally: " + how)
    way = check_count(tally, span, x, k, count // (factor << ties), full, source)
    return "p = %s, about %.6ge%d (%s), %s; %s" % (p[0], 10 ** (log10 % 1), log10 // 1, said, way, how)
def main(words):
    names, seeds = [w for w in words if w[:2] != "--"], [w[7:] for w in words if w[:7] == "--seed="]
    try:
        require(0 < len(names) < 4 and len(names + seeds) + ("--full" in words) == len(words), __doc__, 2)
        source, contents = random.Random(int(seeds[0])) if seeds else random.SystemRandom(), []
        for name, most in zip(names, MOST_BYTES):
            with open(name, "rb") as file:
                contents.append(file.read(most + 1))
            require(len(contents[-1]) <= most, "%a has over %d bytes" % (name, most), 3)
        hook = lambda pairs: require(len(dict(pairs)) == len(pairs), "a name is repeated", 2) or dict(pairs)
        record = json.loads(contents[0].decode("utf-8"), parse_int=str, parse_float=str, object_pairs_hook=hook)
        status, text = 0, check(record, contents[1:], "--full" in words, source) + "; primes of --seed" * len(seeds)
    except Exception as e:  # whatever a hostile file may cause
        status, text = e.args if isinstance(e, Verdict) else (2, "%s: %.300a" % (type(e).__name__, str(e)))
    print("%s: %s" % (("confirmed", "REFUTED", "unreadable", "not checked")[status], text))
    return status
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
