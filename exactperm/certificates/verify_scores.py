"""Check a certificate against its scores: python3 verify_scores.py CERTIFICATE SCORES [SCORES]

The scores are read by the rules that the certificate states under "data". The units that follow
from them must be those of the certificate, whose count verifier.py, beside this file, checks.
Which rules are the right ones no program knows: the verdict lists them, with what they leave out.
A certificate of two samples has all scores itself, as a "pool".

Exit status as of verifier.py. Rules and proofs: spec/12-certificates.md#own-certificate-file.
"""

import csv, functools, hashlib, io, math, re, sys
from fractions import Fraction

if __package__:  # pragma: no branch
    from . import verifier
else:  # pragma: no cover (run as a file)
    import verifier

MOST_BYTES = 2**24  # of a file
MOST_SCORES = 2**19  # of all files
MOST_KEPT = 2**29  # bits of all scores on their common denominator
DECIMAL = r"([0-9]+\.?[0-9]{0,600}|\.[0-9]+)([eE][+-]?[0-9]{1,2})?"
NUMBER = re.compile("(?!.{601})[+-]?(%s|[0-9]+/0*[1-9][0-9]*)" % DECIMAL)
RULES = ("columns", "header", "ids", "groups", "delimiter")
STATISTICS = ("difference", "difference of means")

require, added, integer = verifier.require, verifier.added, verifier.integer


def read(raw, rules, design, most):
    """Return {item: (label, scores)} of a file, and what its rules leave out, in words."""
    columns = [integer(i) for i in rules["columns"] + []]
    head, ids, groups = [integer(rules[name] or "0") for name in ("header", "ids", "groups")]
    mark, good = rules["delimiter"], min(columns) > 0 <= min(head, ids, groups)
    require(good and mark in [*",;\t|"], "unknown rules of reading", 2)
    items, title, rows, width = {}, None, 0, 0
    for i, line in enumerate(io.StringIO(raw.decode("utf-8-sig"), newline=None), 1):
        if i == head and not items:
            title = line.strip()
        elif not line.strip():
            rows += bool(items)  # a blank line may be a missing score: it holds a place
        else:
            cells, rows = split(line, mark, i), rows + 1
            item, width = cells[ids - 1] if ids else rows, width or len(cells)
            label = cells[groups - 1] if groups else item
            new = items.setdefault(item, (label, [])) == (label, [])
            good = (new or design in ("within", "items")) and "" not in (item, label)
            require(good and len(cells) == width, "line %d: another id, label or width" % i, 2)
            require(rows * len(columns) <= most, "over %d scores" % MOST_SCORES, 3)
            items[item][1].extend(score(cells[j - 1]) for j in columns)
    unread = width - len({*columns, ids, groups} - {0})
    return items, "%d columns and the header %.60a" % (unread, title)


def split(line, mark, i):
    """Return the cells of a line, by the rules of CSV; none holds a line end."""
    require(len(line) <= 2**20, "line %d has over 2^20 characters" % i, 3)
    (cells,) = csv.reader([line], delimiter=mark, skipinitialspace=True, strict=True)
    return [cell.strip() for cell in cells]


def score(cell):
    """Return the number of a cell."""
    text = {"true": "1", "false": "0"}.get(cell.lower(), cell)
    require(NUMBER.fullmatch(text), "no number: %.40a" % cell, 2)
    return Fraction(text)


def multiple(numbers, bits=4096):
    """Return the least common multiple of numbers, of limited length."""
    common = 1
    for number in numbers:
        common *= number // math.gcd(common, number)
        require(common.bit_length() <= bits, "too long a common denominator", 3)
    return common


def chosen(values, m, parts=1):
    """Return the step of the sums of any m of several integers, `common`, and the least sum.

    Each adds `far`, too, which is more than all their distances: a sum says how many are chosen.
    """
    least, far = min(values), sum(values) - len(values) * min(values) + 1
    units = [((0, 1), (v - least + far, 1)) for v in values]
    sums = [(y - m * far, n) for y, n in verifier.sums(units, parts) if y // far == m]
    common = functools.reduce(math.gcd, [n for _, n in sums])
    step = [(y - sums[0][0], n // common) for y, n in sums]
    return step, common, sums[0][0] + m * least


def exchanged(items, over):
    """Return (ties, types, common, low) where any m of the n runs of an item may be the first ones.

    ``items`` are ((runs, m), number of such items).
    With the sum s of the chosen runs and S of all, the difference of means is s / m - (S - s) /
    (n - m) = (n s - m S) / (m (n - m)), in units of 1 / over. A pair is two runs.
    """
    ties, types, common, low = 0, [], 1, 0
    for (runs, m), c in items:
        step, shared, least = chosen(runs, m, len(items))
        n = len(runs)
        scale = over // (m * (n - m))
        low += c * scale * (n * least - m * sum(runs))
        common *= shared**c
        ties += c * (len(step) == 1)
        types += [(tuple((scale * n * a, g) for a, g in step), c)] * (len(step) > 1)
    return ties, types, common, low


def units_of(files, design, mean):
    """Return the units that {item: (label, scores)} of one file or two have."""
    labels = [{item: label for item, (label, _) in items.items()} for items in files]
    require(labels[0] == labels[-1], "the two files have other pairs or groups")
    scores = [scores for items in files for _, scores in items.values()]
    bits = MOST_KEPT // max(2**17, sum(map(len, scores)))
    common = multiple({x.denominator for each in scores for x in each}, bits)
    blocks, sums = [], {}
    for item, (label, u) in files[0].items():
        v = files[-1][item][1]
        if not files[1:]:  # two columns of one file, or one of differences
            u, v = u[:1], u[1:] or [Fraction(0)]
        u, v = [[x.numerator * (common // x.denominator) for x in side] for side in (u, v)]
        blocks.append((label, u, v))
    pairs = len(blocks)
    if design == "systems":  # whole runs are those of one item with the sums
        u, v = [[sum(runs) for runs in zip(*side)] for side in [*zip(*blocks)][1:]]
        blocks = [(None, u, v)]
    over = multiple({len(u) * len(v) for _, u, v in blocks})
    for label, u, v in blocks:  # differences of means, as multiples of 1 / (common * over)
        z = over // (len(u) * len(v)) * (len(v) * sum(u) - len(u) * sum(v))
        sums[label] = sums.get(label, 0) + z
    if design in ("within", "systems"):
        kinds, scale = added(((sorted(u + v), len(u)), 1) for _, u, v in blocks), over
    else:  # z of a pair, group or item may become -z
        sizes, scale = added((abs(z), 1) for z in sums.values()), 1
        kinds = [(([0, z], 1), c) for z, c in sizes]
    ties, types, choices, low = exchanged(kinds, scale)
    step = functools.reduce(math.gcd, [a for unit, _ in types for a, _ in unit], 0)
    types = added((tuple((a // step, g) for a, g in unit), c) for unit, c in types)
    x = (sum(sums.values()) - low) // (step or 1)
    over *= common * (pairs if mean else 1)
    low, unit = Fraction(low, over), Fraction(step or over, over)
    return verifier.Units(pairs, ties, tuple(types), choices, low, unit, x)


def of_data(record, given):
    """Return the units of a certificate with data, and what was read, one fact a line."""
    data, design, name = record["data"], record.get("design"), record["statistic_name"]
    require(name in STATISTICS, "another name of the statistic")
    files, facts = [], []
    for rules in data:
        most = 2**20 * (len(data) == 2) if design else 3 - len(data)
        good = 0 < len(rules["columns"]) <= most and not (design and rules["groups"])
        require(good, "unknown rules of reading", 2)
        items, left = read(given[rules["sha256"]], rules, design, MOST_SCORES // len(data))
        files.append(items)
        facts += ["file %.8s without %s; read by" % (rules["sha256"], left)]
        facts += ["  %s %.60a" % (name, rules[name]) for name in RULES]
    return units_of(files, design, name != STATISTICS[0]), facts


def of_pool(swaps):
    """Return the swaps of two samples as steps: any of all values may be the first sample."""
    pool = [(integer(v), integer(c)) for v, c in swaps["pool"]]
    m, many = integer(swaps["chosen"]), sum(c for _, c in pool)
    require(0 < m < many < 1000, "no pool of less than 1000 values", 3)
    step, common, _ = chosen([v for v, c in pool for _ in range(c)], m)
    steps = [([(str(a), str(g)) for a, g in step], "1")] * (len(step) > 1)
    places = {name: swaps[name] for name in ("ties", "low", "unit", "observed")}
    return {**places, "steps": steps, "common": str(common)}


def check(record, raws):
    """Return what is confirmed, one fact a line."""
    given = {hashlib.sha256(raw).hexdigest(): raw for raw in raws}
    stated = {rules["sha256"] for rules in record.get("data", [])}
    require(not stated or set(given) <= stated, "not the certified scores: another SHA-256")
    if record["claim"] == "counted" and "pool" in record["swaps"]:
        record = {**record, "swaps": of_pool(record["swaps"])}
    if not raws or record["claim"] != "counted":
        return verifier.check(record)
    require(len(given) == len(stated), "made from %d files: name all, or none" % len(stated), 3)
    units, facts = of_data(record, given)
    return verifier.check(record, units) + facts


def main(names):
    """Check the certificate that is named first against the scores in the other files."""

    def checked():
        require(0 < len(names) < 4, "name a certificate, and its scores in one file or two", 2)
        raws = [verifier.content(name, MOST_BYTES) for name in names[1:]]
        return check(verifier.loaded(names[0]), raws)

    return verifier.verdict(checked)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
