"""Check a certificate against its scores: python3 verify_scores.py CERTIFICATE SCORES [SCORES]

The scores are read by the rules that the certificate states under "data". The units that follow
from them must be those of the certificate, whose count verifier.py, beside this file, checks.
Which rules are the right ones no program knows: the verdict lists them, with what they leave out.
A certificate of two samples has all scores itself, as a "pool".

Exit status as of verifier.py. Rules and proofs: spec/12-certificates.md#own-certificate-file.
"""

import csv
import functools
import hashlib
import io
import math
import re
import sys
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

require = verifier.require
added = verifier.added
integer = verifier.integer


def read(raw, rules, design, most):
    """Return {item: (label, scores)} of a file, and what its rules leave out, in words."""
    columns = [integer(i) for i in rules["columns"] + []]
    head = integer(rules["header"] or "0")
    ids = integer(rules["ids"] or "0")
    groups = integer(rules["groups"] or "0")
    mark = rules["delimiter"]
    good = min(columns) > 0 <= min(head, ids, groups)
    require(good and mark in [*",;\t|"], "unknown rules of reading", 2)
    items = {}
    title = None
    rows = width = 0
    lines = io.StringIO(raw.decode("utf-8-sig"), newline=None)
    for i, line in enumerate(lines, 1):
        if i == head and not items:
            title = line.strip()
        elif not line.strip():
            rows += bool(items)  # a blank line may be a missing score: it holds a place
        else:
            cells = split(line, mark, i)
            rows += 1
            width = width or len(cells)
            item = cells[ids - 1] if ids else rows
            label = cells[groups - 1] if groups else item
            new = items.setdefault(item, (label, [])) == (label, [])
            once = new or design in ("within", "items")
            good = once and "" not in (item, label)
            fits = good and len(cells) == width
            require(fits, "line %d: another id, label or width" % i, 2)
            few = rows * len(columns) <= most
            require(few, "over %d scores" % MOST_SCORES, 3)
            items[item][1].extend(score(cells[j - 1]) for j in columns)
    named = {*columns, ids, groups} - {0}
    unread = width - len(named)
    return items, "%d columns and the header %.60a" % (unread, title)


def split(line, mark, i):
    """Return the cells of a line, by the rules of CSV; none holds a line end."""
    require(len(line) <= 2**20, "line %d has over 2^20 characters" % i, 3)
    rows = csv.reader(
        [line],
        delimiter=mark,
        skipinitialspace=True,
        strict=True,
    )
    (cells,) = rows
    return [cell.strip() for cell in cells]


def score(cell):
    """Return the number of a cell."""
    words = {"true": "1", "false": "0"}
    text = words.get(cell.lower(), cell)
    require(NUMBER.fullmatch(text), "no number: %.40a" % cell, 2)
    return Fraction(text)


def multiple(numbers, bits=4096):
    """Return the least common multiple of numbers, of limited length."""
    common = 1
    for number in numbers:
        common *= number // math.gcd(common, number)
        short = common.bit_length() <= bits
        require(short, "too long a common denominator", 3)
    return common


def chosen(values, m, parts=1):
    """Return the step of the sums of any m of several integers, `common`, and the least sum.

    Each adds `far`, too, which is more than all their distances: a sum says how many are chosen.
    """
    least = min(values)
    far = sum(values) - len(values) * least + 1
    units = [((0, 1), (v - least + far, 1)) for v in values]
    sums = []
    for y, n in verifier.sums(units, parts):
        if y // far == m:
            sums.append((y - m * far, n))
    first = sums[0][0]
    common = functools.reduce(math.gcd, [n for _, n in sums])
    step = [(y - first, n // common) for y, n in sums]
    return step, common, first + m * least


def exchanged(items, over):
    """Return (ties, types, common, low) where any m of the n runs of an item may be the first ones.

    ``items`` are ((runs, m), number of such items).
    With the sum s of the chosen runs and S of all, the difference of means is s / m - (S - s) /
    (n - m) = (n s - m S) / (m (n - m)), in units of 1 / over. A pair is two runs.
    """
    ties = low = 0
    common = 1
    types = []
    for (runs, m), c in items:
        step, shared, least = chosen(runs, m, len(items))
        n = len(runs)
        scale = over // (m * (n - m))
        low += c * scale * (n * least - m * sum(runs))
        common *= shared**c
        if len(step) == 1:
            ties += c
        else:
            terms = tuple((scale * n * a, g) for a, g in step)
            types.append((terms, c))
    return ties, types, common, low


def units_of(files, design, mean):
    """Return the units that {item: (label, scores)} of one file or two have."""
    blocks, common = blocks_of(files)
    pairs = len(blocks)
    if design == "systems":  # whole runs are those of one item with the sums
        _, *sides = zip(*blocks)
        u, v = [[sum(runs) for runs in zip(*side)] for side in sides]
        blocks = [(None, u, v)]
    over = multiple({len(u) * len(v) for _, u, v in blocks})
    sums = {}
    for label, u, v in blocks:  # differences of means, as multiples of 1 / (common * over)
        share = over // (len(u) * len(v))
        z = share * (len(v) * sum(u) - len(u) * sum(v))
        sums[label] = sums.get(label, 0) + z
    if design in ("within", "systems"):
        scale = over
        kinds = added(((sorted(u + v), len(u)), 1) for _, u, v in blocks)
    else:  # z of a pair, group or item may become -z
        scale = 1
        sizes = added((abs(z), 1) for z in sums.values())
        kinds = [(([0, z], 1), c) for z, c in sizes]
    ties, types, choices, low = exchanged(kinds, scale)
    values = [a for terms, _ in types for a, _ in terms]
    step = functools.reduce(math.gcd, values, 0)
    divided = []
    for terms, c in types:
        terms = tuple((a // step, g) for a, g in terms)
        divided.append((terms, c))
    x = (sum(sums.values()) - low) // (step or 1)
    over *= common * (pairs if mean else 1)
    return verifier.Units(
        pairs=pairs,
        ties=ties,
        types=tuple(added(divided)),
        common=choices,
        low=Fraction(low, over),
        unit=Fraction(step or over, over),
        x=x,
    )


def blocks_of(files):
    """Return [(label, scores of u, scores of v)] as integers, and their common denominator."""
    labels = []
    scores = []
    for items in files:
        labels.append({item: label for item, (label, _) in items.items()})
        scores += [each for _, each in items.values()]
    require(labels[0] == labels[-1], "the two files have other pairs or groups")
    bits = MOST_KEPT // max(2**17, sum(map(len, scores)))
    common = multiple({x.denominator for each in scores for x in each}, bits)

    def whole(side):
        return [x.numerator * (common // x.denominator) for x in side]

    blocks = []
    for item, (label, u) in files[0].items():
        v = files[-1][item][1]
        if not files[1:]:  # two columns of one file, or one of differences
            v = u[1:] or [Fraction(0)]
            u = u[:1]
        blocks.append((label, whole(u), whole(v)))
    return blocks, common


def of_data(record, given):
    """Return the units of a certificate with data, and what was read, one fact a line."""
    data = record["data"]
    design = record.get("design")
    name = record["statistic_name"]
    require(name in STATISTICS, "another name of the statistic")
    most = MOST_SCORES // len(data)
    if design:
        width = 2**20 * (len(data) == 2)
    else:
        width = 3 - len(data)
    files = []
    facts = []
    for rules in data:
        good = 0 < len(rules["columns"]) <= width
        grouped = design and rules["groups"]
        require(good and not grouped, "unknown rules of reading", 2)
        digest = rules["sha256"]
        items, left = read(given[digest], rules, design, most)
        files.append(items)
        facts.append("file %.8s without %s; read by" % (digest, left))
        facts += ["  %s %.60a" % (rule, rules[rule]) for rule in RULES]
    mean = name != STATISTICS[0]
    return units_of(files, design, mean), facts


def of_pool(swaps):
    """Return the swaps of two samples as steps: any of all values may be the first sample."""
    pool = [(integer(v), integer(c)) for v, c in swaps["pool"]]
    m = integer(swaps["chosen"])
    many = sum(c for _, c in pool)
    require(0 < m < many < 1000, "no pool of less than 1000 values", 3)
    values = [v for v, c in pool for _ in range(c)]
    step, common, _ = chosen(values, m)
    terms = [(str(a), str(g)) for a, g in step]
    found = {name: swaps[name] for name in ("ties", "low", "unit", "observed")}
    found["steps"] = [(terms, "1")] * (len(step) > 1)
    found["common"] = str(common)
    return found


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
