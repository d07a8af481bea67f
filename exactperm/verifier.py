"""Usage: verifier.py CERTIFICATE [SCORES [SCORES]]. The file spec/12-certificates.md explains it.
Exit status: 0 confirmed, 1 refuted, 2 unreadable, 3 not checked: too large, without a proof, or of other files."""
import bisect, collections, csv, functools, hashlib, io, itertools, json, math, re, sys
from fractions import Fraction
MOST_BYTES, MOST_UNITS, MOST_BITS = (2**22, 2**24, 2**24), 2**20, 2**28  # each file; units, log2(total); all scores
MOST_MOVED, MOST_SUM_BITS, MOST_RUNS = 2**35, 2**30, 2**27  # bits that are moved; of all sums; in all choices
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
def added(entries):  # [(key, number)], ascending, with the numbers of equal keys added; sorted, as hashes can be chosen
    return [(key, sum(n for _, n in same)) for key, same in itertools.groupby(sorted(entries), lambda entry: entry[0])]
product = lambda numbers: functools.reduce(lambda a, b: a * b, numbers, 1)
divisor = lambda numbers: functools.reduce(math.gcd, numbers, 0)
weight = lambda step: sum(g for _, g in step)
choices = lambda types: product(total**c for total, c in added((weight(step), c) for step, c in types))
def read(raw, rules, design, most, limits):  # return {item: (label, scores)} of a file of so many columns, and how
    (bits, lcm), stated = limits, [rules[name] for name in RULES]
    columns, (head, ids, group, places) = [[integer(i) for i in part + []] for part in (stated[0], stated[1:5])]
    (mark, point, comments), items, title, gaps, notes, width = stated[5:], {}, None, 0, 0, 0
    good = mark in [*",;\t| "] and point in [*".,"] and 0 < len(columns) <= most and (places or 0) < 101
    good = good and comments in (True, False) and 0 not in columns + [ids, group] and "-" not in str(stated[:5])
    require(good and not (design and group), "unknown rules of reading", 2)
    code = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    for i, line in enumerate(io.StringIO(raw.decode(code), newline=None), 1):
        if i == head and not items:
            title = line.strip()
        elif not line.strip():
            gaps += len(items) > 0  # a blank line after an item holds a place, so that two files have it in common
        elif comments and line.lstrip()[0] == "#":
            notes += 1
        else:
            require(len(line) <= 2**20, "line %d has over 2^20 characters" % i, 3)
            cells = csv.reader([line], delimiter=mark, skipinitialspace=True, strict=True)
            cells = re.findall("[^ \t\v\f\n]+", line) if mark == " " else [cell.strip() for cell in next(cells)]
            texts = [cells[j - 1].translate({44: ".", 46: ","} if point == "," else {}) for j in columns]
            texts = [{"true": "1", "false": "0"}.get(text.lower(), text) for text in texts]
            item, width = cells[ids - 1] if ids else len(items) + gaps, width or len(cells)
            label = cells[group - 1] if group else item
            new = items.setdefault(item, (label, [])) == (label, []) or design in ("within", "items")
            good = new and "" not in (item, label) and len(cells) == width and all(map(NUMBER.fullmatch, texts))
            require(good, "line %d: no number, no new id, no label, or not %d cells" % (i, width), 2)
            for z in [Fraction(s) if places is None else round(Fraction(s), places) for s in texts]:
                items[item][1].append(z)
                bits, lcm = bits + 200 + z.numerator.bit_length(), lcm * z.denominator // math.gcd(lcm, z.denominator)
            small = lcm < 2**4096 and bits + len(items) * lcm.bit_length() < MOST_BITS
            require(small, "over %d bits of scores, or 4096 of their common denominator" % MOST_BITS, 3)
    require(point == "." or width > 1, "one cell per line: decimal commas, or columns with commas between?", 2)
    units, used, limits[:] = {label for label, _ in items.values()}, {*columns, ids, group} - {None}, (bits, lcm)
    facts = len(items), len(units), rules["sha256"], len(used), width, notes, title
    size = "%d pairs in %d units of %.8s, %d of %d columns, %d lines as comments, header %.60a" % facts
    return items, ", ".join([size] + ["%s %.40a" % rule for rule in zip(RULES, stated)])
def said_by(raws, data, design, mean):  # what the scores say: (ties, types, total, unit, X, items, least T), and how
    limits, most = [0, 1], 2**20 * (len(data) == 2) if design else 3 - len(data)  # bits of scores, common denominator
    files, how = zip(*[read(raw, rules, design, most, limits) for raw, rules in zip(raws, data)])
    labels = [{item: label for item, (label, _) in items.items()} for items in files]
    require(labels[0] == labels[-1], "the two files have other pairs or groups")
    whole = lambda scores: [z.numerator * (limits[1] // z.denominator) for z in scores]
    blocks = [(label, whole(u), whole(files[-1][item][1])) for item, (label, u) in files[0].items()]
    blocks = blocks if data[1:] else [(label, u[:1], u[1:] or [0]) for label, u, _ in blocks]  # or differences
    items, sums, found, low, total, tried = len(blocks), collections.Counter(), [], 0, 1, 0
    if design == "systems":  # whole runs are exchanged: with their sums, as the runs of one item
        blocks = [(None, *[list(map(sum, zip(*runs))) for runs in list(zip(*blocks))[1:]])]
    over = functools.reduce(lambda a, b: a * b // math.gcd(a, b), {len(u) * len(v) for _, u, v in blocks}, 1)
    for label, u, v in blocks:  # differences of means, as multiples of 1 / (common denominator * over)
        sums[label] += over // (len(u) * len(v)) * (len(v) * sum(u) - len(u) * sum(v))
    if design in (None, "items"):  # a swap makes -z of z
        total, low, sizes = 1 << len(sums), -sum(map(abs, sums.values())), sorted(map(abs, sums.values()))
        found = [(((0, 1), (2 * z, 1))[: 1 + (z > 0)], len([*same])) for z, same in itertools.groupby(sizes)]
    else:  # any m of the n runs of an item may be those of A
        for (runs, m, n), c in added(((sorted(u + v), len(u), len(u + v)), 1) for _, u, v in blocks):
            tried += n * product(Fraction(n - i, i + 1) for i in range(m)) if n < 999 else MOST_RUNS
            require(tried < MOST_RUNS, "more than %d runs in all choices" % MOST_RUNS, 3)
            ways = added((sum(chosen), 1) for chosen in itertools.combinations(runs, m))
            shared, least, scale = divisor(g for _, g in ways), ways[0][0], over // (m * (n - m))
            low, total = low + c * scale * (n * least - m * sum(runs)), total * weight(ways) ** c
            found.append((tuple((scale * n * (s - least), g // shared) for s, g in ways), c))
    step, over = divisor(a for move, _ in found for a, _ in move), limits[1] * over * (items if mean else 1)
    types = added((tuple((a // step, g) for a, g in move), c) for move, c in found if move[1:])
    ties, x = sum(c for move, c in found if not move[1:]), (sum(sums.values()) - low) // (step or 1)
    return (ties, types, total, Fraction(step or over, over), x, items, Fraction(low, over)), "; minus ".join(how)
def by_recurrence(types, k):  # N(k), the choices with a sum up to k, and P[k], those with the sum k
    total = count = product(step[0][1] ** c for step, c in types)
    left, more = [], []
    for step, c in types:  # q holds Q, by n % d, where d is the greatest value; that of a pair needs no division
        (d, g), pair = step[-1], step == ((0, 1), (step[-1][0], 1))
        left.append((c * d * g, d, [count // step[0][1]] + [0] * (d - 1), () if pair else step))
        more += [(c * a * g, a, d, left[-1][2]) for a, g in step[1:-1]]
    for n in range(1, k + 1):
        count = (sum([w * q[n % d] for w, d, q, _ in left]) + sum([w * q[(n - a) % d] for w, a, d, q in more])) // n
        for _, d, q, s in left:
            q[n % d] = (count - sum([g * q[(n - a) % d] for a, g in s[1:]])) // s[0][1] if s else count - q[n % d]
        total += count
    return total, count
def by_halves(types, k):  # for each sum of one half, the number of the other's up to the rest, or at it
    grown = lambda sums, step: sorted(x + a for a, g in step for _ in range(g) for x in sums)
    halves = [functools.reduce(grown, [s for s, c in types for _ in range(c)][i::2], [0]) for i in (0, 1)]
    upto, below = [sum(cut(halves[0], k - y) for y in halves[1]) for cut in (bisect.bisect_right, bisect.bisect_left)]
    return upto, upto - below
def by_slots(types, k):  # the sum of all slots of an integer, its remainder modulo 2^width - 1; and the last slot
    width, packed = choices(types).bit_length() + 1, 1
    kept = (1 << width * (k + 1)) - 1
    for step in [step for step, c in types for _ in range(c)]:
        packed = sum((packed if g == 1 else packed * g) << a * width for a, g in step) & kept
    return packed % ((1 << width) - 1), packed >> width * k
def at_most(types, j):  # N(j) and P[j], by the way that takes the least part of its limit, and its name
    cut = [(tuple(term for term in step if term[0] <= j), c) for step, c in types]  # others are in no sum up to j
    rest, first = [each for each in cut if each[0][1:]], product(step[0][1] ** c for step, c in cut if not step[1:])
    bits = int(sum(c * math.log2(weight(step)) for step, c in rest))
    logs = [*itertools.islice((math.log2(weight(step)) for step, c in rest for _ in range(c)), 999)]
    ends, units = sum(len(step[1:]) for step, _ in rest), sum(len(step[1:]) * c for step, c in rest)
    moved = (j + 1) * (ends + 1) * max(1000, bits), MOST_MOVED, by_recurrence
    sums = (j.bit_length() + 256) * int(2 ** min(max(sum(logs[::2]), sum(logs[1::2])), 500)), MOST_SUM_BITS, by_halves
    slots = (j + 1) * (units + 1) * max(256, bits), MOST_MOVED, by_slots
    cost, limit, way = min(moved, sums, slots, key=lambda each: Fraction(*each[:2]))
    require(cost <= limit, "%s takes %.3g bits, at most %d" % (way.__name__, min(cost, 1e99), limit), 3)
    return [first * n for n in way(rest, j)] + [way.__name__[3:]]
def check_count(types, x, region, twice, claimed):  # the choices in a region of X, and that x is the sum of one
    mirrored = added((tuple((step[-1][0] - a, g) for a, g in step[::-1]), c) for step, c in types)  # of span - X
    span, total = sum(step[-1][0] * c for step, c in types), choices(types)
    tail = functools.lru_cache(None)(lambda j, mirror: at_most(mirrored if mirror else types, j))
    near = lambda y: tail(min(y, span - y), 2 * y > span and types != mirrored)  # X <= y, or X >= y
    require(near(x)[1], "no units of the tally have the observed sum, by " + near(x)[2])
    tails = [near(y)[:2] + [(2 * y > span) == upper] for upper, y in enumerate(region) if y is not None]
    tails = [n if whole else total - n + at for n, at, whole in tails]
    count = min(total, 2 * min(tails)) if twice else sum(tails)
    require(count == claimed, "the count is wrong, by " + near(x)[2])
    return "count checked by " + near(x)[2]
def check(record, raws):  # the claims against each other, the units against the scores, and the count
    require(record["format"] == "2" and record.get("design") in (None, "within", "items", "systems"), "no format 2", 2)
    data, given = record.get("data", []) + [], {hashlib.sha256(raw).hexdigest(): raw for raw in raws}
    stated = [rules["sha256"] for rules in data]
    require(not data or set(given) <= set(stated), "not the certified scores: another SHA-256")
    require(record["claim"] == "counted", "no proof of a count: the p-value is %.40a" % record["claim"], 3)
    require(len(given) in (0, len(set(stated))), "made from %d files: name all, or none" % len(set(stated)), 3)
    sub, name, said, design = record["swaps"], record["statistic_name"], record["alternative"], record.get("design")
    pairs, units, moved, factor = [integer(record[s]) for s in ("n", "n_units", "n_nonzero", "factor")]
    t, low, unit = [Fraction(*map(integer, s.split("/"))) for s in (record["statistic"], sub["low"], sub["unit"])]
    ties, x, runs = integer(sub["ties"]), integer(sub["observed"]), "steps" in sub
    steps = sub["steps"] if runs else [[[["0", "1"], [d, "1"]], c] for d, c in [entry + [] for entry in sub["tally"]]]
    types = [(tuple((integer(a), integer(g)) for a, g in step), integer(c)) for step, c in steps]  # a pair: 0 or d
    sums = added((weight(s), c * sum(a * g for a, g in s)) for s, c in types)  # by the number of choices of a unit
    small = units <= MOST_UNITS >= sum(c * math.log2(weight(s)) for s, c in types)
    require(small and sum(math.log2(w) for w, _ in sums) < 2**14, "over 2^20 swap units, or bits of the total", 3)
    shapes, span = [step for step, _ in types], sum(step[-1][0] * c for step, c in types)
    good = all(a < b for a, b in zip(shapes, shapes[1:])) and divisor(a for step in shapes for a, _ in step) < 2
    good = good and all(step[0][0] == 0 < len(step[1:]) and divisor(g for _, g in step) == 1 for step in shapes)
    good = good and all(a < b and g > 0 < h for step in shapes for (a, g), (b, h) in zip(step, step[1:]))
    good = good and min([units] + [c for _, c in types]) > 0 <= x <= span and moved == units - ties <= units <= pairs
    require(good and sum(c for _, c in types) == moved and unit > 0 and (types or unit == 1), "no canonical tally")
    common, count = integer(sub["common"], 2**19) if runs else 1 << ties, integer(record["count"], 2**19)
    total, mean = choices(types) * common, sum(Fraction(moment, w) for w, moment in sums)
    require(record["total"] == "2^%d" % units * (not runs) or integer(record["total"], 2**19) == total, "another total")
    centred = runs or name in ("difference", "difference of means")  # scores prove no other statistic
    require(t == low + unit * x and (low == -unit * mean if centred else not data), "another statistic or name")
    p, q = [integer(s, 2**19) for s in record["pvalue"].split("/") + ["1"] * ("/" not in record["pvalue"])]
    good = 0 < count <= total and p * total == count * q and (q > 1) == ("/" in record["pvalue"]) and (p | q) & 1
    require(good and divisor(n // (n & -n) for n in (p, q)) == 1, "the p-value is not count / total in lowest terms")
    m = P_VALUE.fullmatch(record["pvalue_decimal"]) or require(False, "pvalue_decimal is no number to 4000 places", 2)
    digits, places, log10 = int(m[1] + m[2]), len(m[2]) + int(m[3] or 0), math.log10(count) - math.log10(total)
    error = abs(digits * total - count * 10 ** min(places, total.bit_length() + 4000))  # of the last digit, times total
    good = digits > 0 and 2 * error + digits % 2 <= total and abs(float(record["log10_pvalue"]) - log10) < 1e-6
    require(good, "decimal or logarithm is not that of the p-value")
    a, b = math.floor(min(x, 2 * mean - x)), math.ceil(max(x, 2 * mean - x))  # as far from the mean as x
    both = [y if 0 <= y <= span else None for y in ((a, b) if b - a > runs else (span, span + 1))]
    a, b = {"less": (x, None), "greater": (None, x), "two-sided": both, "doubled": (x, x) if runs else both}[said]
    ends = [a, b, 1 + (said == "doubled")] if runs else [span - b, 1] if a is None else [a, 2 - (b is None)]
    good = ends == [*map(integer, record["region"] if runs else [record["threshold"]]), factor] and count % common == 0
    require(good, "threshold, region, factor or count do not fit")
    how, test = "tally, statistic and pairs not checked without the scores", said + ", %s" % design * bool(design)
    if raws:
        found, how = said_by([given[sha256] for sha256 in stated], data, design, name != "difference")
        require(found == (ties, types, total, unit, x, pairs, low), "scores of another tally: " + how)
    way = check_count(types, x, (a, b), runs and said == "doubled", count // common)
    return "p = %s, about %.6ge%d (%s), %s; %s" % (m[0], 10 ** (log10 % 1), log10 // 1, test, way, how)
def main(names):
    try:
        require(0 < len(names) < 4, __doc__, 2)
        contents = []
        for name, most in zip(names, MOST_BYTES):
            with open(name, "rb") as file:
                contents.append(file.read(most + 1))
            require(len(contents[-1]) <= most, "%a has over %d bytes" % (name, most), 3)
        hook = lambda pairs: require(len(dict(pairs)) == len(pairs), "a name is repeated", 2) or dict(pairs)
        record = json.loads(contents[0].decode("utf-8"), parse_int=str, parse_float=str, object_pairs_hook=hook)
        status, text = 0, check(record, contents[1:])
    except Exception as e:  # whatever a hostile file may cause
        status, text = e.args if isinstance(e, Verdict) else (2, "%s: %.300a" % (type(e).__name__, str(e)))
    print("%s: %s" % (("confirmed", "REFUTED", "unreadable", "not checked")[status], text))
    return status
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
