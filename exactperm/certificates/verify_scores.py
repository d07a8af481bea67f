"""Check a certificate against its scores: python3 verify_scores.py CERTIFICATE SCORES [SCORES]

The scores are read by the rules that the certificate states under "data". The units that follow
from them must be those of the certificate, whose count verifier.py, beside this file, checks.
Which rules are the right ones no program knows: the verdict lists them, with what they leave out.

Exit status as of verifier.py. Rules and proofs: spec/12-certificates.md#own-certificate-file.
"""

import collections, csv, functools, hashlib, io, math, re, sys
from fractions import Fraction

if __package__:  # pragma: no branch
    from . import verifier
else:  # pragma: no cover (run as a file)
    import verifier

MOST_BYTES = 2**24  # of a file
MOST_SCORES = 2**19  # of all files
MOST_KEPT = 2**29  # bits of all scores on their common denominator
NUMBER = re.compile(
    r"(?!.{601})[+-]?(([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,2})?|[0-9]+/0*[1-9][0-9]*)"
)
RULES = ("columns", "header", "ids", "groups", "decimals", "delimiter", "decimal", "comments")

require, added, integer = verifier.require, verifier.added, verifier.integer


def divisor(numbers):
    return functools.reduce(math.gcd, numbers, 0)


def rules_of(stated, design, most):
    """Return the rules of a file, with integers or None for numbers."""
    rules = [stated[name] for name in RULES]
    columns, places = [integer(i) for i in rules[0] + []], []
    for place in rules[1:5]:
        places.append(None if place is None else integer(place))
    mark, point, comments = rules[5:]
    good = 0 < len(columns) <= most and min(columns) > 0 and (places[3] or 0) < 101
    good = good and 0 not in places[:3] and min(i or 0 for i in places) >= 0
    good = good and mark in [*",;\t| "] and point in [*".,"] and comments in (True, False)
    require(good and not (design and places[2]), "unknown rules of reading", 2)
    return (columns, *places, mark, point, comments)


def read(raw, stated, design, columns, most):
    """Return {item: (label, scores)} of a file, and what its rules leave out, in words."""
    columns, head, ids, groups, decimals, mark, point, comments = rules_of(stated, design, columns)
    items, title, notes, place, width = {}, None, 0, 0, 0
    code = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    for i, line in enumerate(io.StringIO(raw.decode(code), newline=None), 1):
        if i == head and not items:
            title = line.strip()
        elif not line.strip():
            place += bool(items)  # a blank line may be a missing score: it holds a place
        elif comments and line.lstrip()[0] == "#":
            notes += 1
        else:
            cells = split(line, mark, i)
            item, width = cells[ids - 1] if ids else place, width or len(cells)
            place, most = place + 1, most - len(columns)
            require(most >= 0, "over %d scores" % MOST_SCORES, 3)
            label = cells[groups - 1] if groups else item
            new = items.setdefault(item, (label, [])) == (label, [])
            good = (new or design in ("within", "items")) and "" not in (item, label)
            require(good and len(cells) == width, "line %d: another id, label or width" % i, 2)
            items[item][1].extend(score(cells[j - 1], point, decimals, i) for j in columns)
    require(point == "." or width > 1, "one cell a line: is a comma decimal?", 2)
    facts = ["%s %.60a" % rule for rule in zip(RULES, (stated[name] for name in RULES))]
    facts[0] += ", %d of %d columns used" % (len({*columns, ids, groups} - {None}), width)
    facts[1] += ", which is %.60a" % title
    facts[-1] += ", %d lines left out" % notes
    return items, facts


def score(cell, point, decimals, i):
    """Return the number of a cell; with a decimal comma, commas and points change places."""
    text = cell.translate({44: ".", 46: ","}) if point == "," else cell
    text = {"true": "1", "false": "0"}.get(text.lower(), text)
    require(NUMBER.fullmatch(text), "line %d: no number: %.40a" % (i, cell), 2)
    return Fraction(text) if decimals is None else round(Fraction(text), decimals)


def whole(files):
    """Make all scores integers, and return the denominator that they have in common."""
    columns = [scores for items in files for _, scores in items.values()]
    common, many = 1, max(2**17, sum(map(len, columns)))
    for each in columns:
        for x in each:
            common *= x.denominator // math.gcd(common, x.denominator)
            require(common.bit_length() * many < MOST_KEPT, "too long a common denominator", 3)
    for each in columns:
        each[:] = [x.numerator * (common // x.denominator) for x in each]
    return common


def split(line, mark, i):
    """Return the cells of a line, by the rules of CSV or between blanks; none holds a line end."""
    require(len(line) <= 2**20, "line %d has over 2^20 characters" % i, 3)
    if mark == " ":
        return re.findall("[^ \t\v\f\n]+", line)
    (cells,) = csv.reader([line], delimiter=mark, skipinitialspace=True, strict=True)
    return [cell.strip() for cell in cells]


def swapped(sums):
    """Return (ties, types, total, low) where the sum z of a unit may become -z."""
    sizes = added((2 * abs(z), 1) for z in sums)
    ties = sum(c for d, c in sizes if not d)
    types = [(((0, 1), (d, 1)), c) for d, c in sizes if d]
    return ties, types, 2 ** len(sums), -sum(map(abs, sums))


def exchanged(blocks, over):
    """Return the same where any m of all n runs of an item may be those of the first system.

    With the sum s of the chosen runs and S of all, the difference of means is s / m - (S - s) /
    (n - m) = (n s - m S) / (m (n - m)), in units of 1 / over.
    """
    ties, types, total, low, spent = 0, [], 1, 0, 0
    for (runs, m), c in added(((sorted(u + v), len(u)), 1) for u, v in blocks):
        ways, spent = verifier.drawn(runs, m, spent)
        n, least, shared = len(runs), ways[0][0], divisor(g for _, g in ways)
        scale = over // (m * (n - m))
        step = tuple((scale * n * (s - least), g // shared) for s, g in ways)
        ties, types = ties + c * (not step[1:]), types + [(step, c)] * (len(step) > 1)
        low += c * scale * (n * least - m * sum(runs))
        total *= sum(g for _, g in ways) ** c
    return ties, types, total, low


def units_of(raws, data, design, mean):
    """Return the units that scores have, and what was read, in words."""
    columns = 2**20 * (len(data) == 2) if design else 3 - len(data)
    most = MOST_SCORES // len(data)
    found = [read(raw, rules, design, columns, most) for raw, rules in zip(raws, data)]
    files = [items for items, _ in found]
    common = whole(files)
    labels = [{item: label for item, (label, _) in items.items()} for items in files]
    require(labels[0] == labels[-1], "the two files have other pairs or groups")
    blocks = [(label, u, files[-1][item][1]) for item, (label, u) in files[0].items()]
    if not data[1:]:  # two columns of one file, or one of differences
        blocks = [(label, u[:1], u[1:] or [0]) for label, u, _ in blocks]
    pairs = len(blocks)
    if design == "systems":  # whole runs, as those of one item with their sums
        blocks = [(None, *[[*map(sum, zip(*runs))] for runs in [*zip(*blocks)][1:]])]
    over = 1  # a common multiple of the products of both numbers of runs
    for m in {len(u) * len(v) for _, u, v in blocks}:
        over *= m // math.gcd(over, m)
    sums = collections.Counter()
    for label, u, v in blocks:  # differences of means, as multiples of 1 / (common * over)
        sums[label] += over // (len(u) * len(v)) * (len(v) * sum(u) - len(u) * sum(v))
    runs = design in ("within", "systems")
    null = exchanged([(u, v) for _, u, v in blocks], over) if runs else swapped(sums.values())
    ties, types, total, low = null
    step = divisor(a for unit, _ in types for a, _ in unit)
    over *= common * (pairs if mean else 1)
    types = added((tuple((a // step, g) for a, g in unit), c) for unit, c in types)
    x = (sum(sums.values()) - low) // (step or 1)
    unit, low = Fraction(step or over, over), Fraction(low, over)
    facts = ["scores: %d pairs in %d units" % (pairs, len(sums))]
    for place, (_, rules), stated in zip(("first", "second"), found, data):
        facts += ["%s file: %.8s" % (place, stated["sha256"]), *["  " + rule for rule in rules]]
    return verifier.Units(pairs, ties, tuple(types), total, x, low, unit), facts


def check(record, raws):
    """Return what is confirmed, one fact a line."""
    data = record.get("data", []) + []
    given = {hashlib.sha256(raw).hexdigest(): raw for raw in raws}
    stated = [rules["sha256"] for rules in data]
    require(not data or set(given) <= set(stated), "not the certified scores: another SHA-256")
    if not raws or record["claim"] != "counted":
        return verifier.check(record)
    many = len(set(stated))
    require(len(given) == many, "made from %d files: name all, or none" % many, 3)
    mean = record["statistic_name"] != verifier.NAMES[0]
    design = record.get("design")
    units, facts = units_of([given[sha256] for sha256 in stated], data, design, mean)
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
