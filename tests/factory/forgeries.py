"""Certificates that are honest, and those with one lie from which all other fields follow.

The counts of a forgery are by enumeration, so that a verifier cannot find it by a field that does not fit.
"""

import copy
import math
from collections import Counter
from fractions import Fraction

from exactperm import (
    certify,
    mann_whitney_test,
    permutation_test,
    permutation_test_runs,
    sign_flip_test,
    sum_test,
    two_sample_test,
)
from exactperm.arithmetic.rational import log10
from exactperm.arithmetic.writing import decimal_string
from exactperm.null.alternative import ALTERNATIVES


def small_test(rng):
    """A random test of up to 40 differences with ties and common divisors."""
    reach = rng.choice([1, 3, 20, 10**6, 10**30])
    d = [rng.randint(-reach, reach) * rng.choice([1, 1, 4]) for _ in range(rng.randint(1, 22))]
    return sign_flip_test([Fraction(x, 8) for x in d], alternative=rng.choice(ALTERNATIVES))


def laid_out(swaps):
    """([(step ((value, weight), ...), units), ...], what multiplies all weights) of the swaps of a record."""
    if "tally" in swaps:
        return [(((0, 1), (int(d), 1)), units) for d, units in swaps["tally"]], 2 ** swaps["ties"]
    steps = [([(int(a), int(g)) for a, g in step], units) for step, units in swaps["steps"]]
    return steps, int(swaps["common"])


def enumerated(units):
    """{sum: number of choices} of one (value, weight) of each unit."""
    sums = Counter({0: 1})
    for step in units:
        old, sums = sums, Counter()
        for x, number in old.items():
            for a, g in step:
                sums[x + a] += number * g
    return sums


def recounted(record):
    """(count, total, mean, whether x is a sum) that follow from the swaps of a record, by enumeration."""
    steps, common = laid_out(record["swaps"])
    sums = enumerated([step for step, units in steps for _ in range(units)])
    x, choices = int(record["swaps"]["observed"]), sum(sums.values())
    mean = Fraction(sum(a * g for a, g in sums.items()), choices)
    less = sum(g for y, g in sums.items() if y <= x)
    greater = sum(g for y, g in sums.items() if y >= x)
    both = sum(g for y, g in sums.items() if abs(y - mean) >= abs(x - mean))
    doubled = min(choices, 2 * min(less, greater))
    said = {"less": less, "greater": greater, "two-sided": both, "doubled": doubled}
    return said[record["alternative"]] * common, choices * common, mean, x in sums


def of_count(count, total):
    """The fields of a record that follow from its count."""
    p = Fraction(count, total)
    decimal, logarithm = (decimal_string(p, 17), log10(p)) if p > 0 else ("0.0", 0)
    named = {"count": str(count), "pvalue": str(p)}
    return {**named, "pvalue_decimal": decimal, "log10_pvalue": logarithm}


def followed(record):
    """The record with all fields that depend on its swaps."""
    count, total, mean, _attained = recounted(record)
    swaps, units = record["swaps"], sum(units for _step, units in laid_out(record["swaps"])[0])
    low, all_units = -Fraction(swaps["unit"]) * mean, units + swaps["ties"]
    record.update(
        of_count(count, total),
        total=f"2^{all_units}" if "tally" in swaps else str(total),
        statistic=str(low + Fraction(swaps["unit"]) * int(swaps["observed"])),
        n_nonzero=units,
        n_units=all_units,
    )
    swaps["low"] = str(low)
    return record


def consistent(tally, x, alternative, *, ties=0, unit=2):
    """A record of a tally {d: units} and an observed sum."""
    swaps = {
        "tally": [[str(d), units] for d, units in sorted(tally.items())],
        "ties": ties,
        "unit": str(unit),
        "observed": str(x),
    }
    return followed(
        {
            **{"format": 2, "version": "0.2.0", "claim": "counted", "method": "by hand"},
            **{"statistic_name": "difference", "alternative": alternative},
            **{"n": ties + sum(tally.values()), "swaps": swaps},
        }
    )


def possible(record):
    """Whether some data have such a record: it says what follows from its swaps, in canonical form."""
    swaps = record["swaps"]
    steps = [step for step, _units in laid_out(swaps)[0]]
    plain = steps == sorted(steps) and len({*map(tuple, steps)}) == len(steps)
    for step in steps:
        values, weights = zip(*step)
        plain = plain and values[0] == 0 and len(values) > 1 and list(values) == sorted({*values})
        plain = plain and min(weights) > 0
    plain = plain and all(units > 0 for _step, units in laid_out(swaps)[0])
    if (
        not plain
        or int(swaps["observed"]) < 0
        or laid_out(swaps)[1] < 1
        or not recounted(record)[3]
    ):
        return False
    again = followed(copy.deepcopy(record))
    p, again["pvalue"] = Fraction(again["pvalue"]), record["pvalue"]
    return again == record and p == Fraction(record["pvalue"]) and record["n_units"] <= record["n"]


def forged_fact(d, alternative, rng):
    """The record of other differences, or with another observed sum, count, unit or number of pairs."""
    kind = rng.randrange(6)
    if kind == 0:
        d = [*d, 0]
    if kind == 1:
        d = [x + rng.choice([-1, 1]) * (i == 0) for i, x in enumerate(d)]
    step = math.gcd(*(2 * x for x in d))
    tally = Counter(2 * abs(x) // step for x in d if x) if step else Counter()
    x = sum(2 * y // step for y in d if y > 0) if step else 0
    ties, unit, more, pairs = d.count(0), step or 1, 0, 0
    if kind == 2:
        x = rng.randint(0, sum(tally.elements()))
    if kind == 3:
        more = rng.choice([-1, 1])
    if kind == 4:
        unit *= rng.choice([2, Fraction(1, 3)])
    if kind == 5:
        pairs = rng.choice([-1, 1])
    record = consistent(dict(tally), x, alternative, ties=ties, unit=unit)
    if more:
        both = alternative == "two-sided" and 2 * x != sum(tally.elements())
        count = int(record["count"]) + more * 2 ** (ties + both)
        record.update(of_count(count, 2 ** record["n"]))
    record["n"] += pairs
    return record


def random_runs(rng):
    """Runs of two systems on some items, the same numbers on all items or not, with ties; and a design."""
    design = rng.choice(["within", "items", "systems"])
    value = rng.choice(
        [lambda: rng.randint(0, 1), lambda: rng.randint(1, 5), lambda: f"{rng.randint(-4, 4)}/3"]
    )
    m, n, even = rng.randint(1, 4), rng.randint(1, 4), design == "systems" or rng.random() < 0.5
    sides = [
        [[value() for _ in range(size if even else rng.randint(1, 4))] for _ in range(1, 6)]
        for size in (m, n)
    ]
    items = rng.randint(1, 5)
    return sides[0][:items], sides[1][:items], design, even


def rows_of_runs(side):
    """The file of one system, with a row for each run."""
    return "item,score\n" + "".join(
        f"q{i},{score}\n" for i, runs in enumerate(side) for score in runs
    )


def columns_of_runs(u, v):
    """The file of both systems, with a row for each item and a column for each run."""
    names = ["id", *(f"a{j}" for j in range(len(u[0]))), *(f"b{j}" for j in range(len(v[0])))]
    rows = [[f"q{i}", *a, *b] for i, (a, b) in enumerate(zip(u, v))]
    return "".join(",".join(map(str, row)) + "\n" for row in [names, *rows])


def forged_runs(record, rng):
    """Change one fact of a record of steps, and what depends on it; or one field alone."""
    record = copy.deepcopy(record)
    if rng.random() < 0.35:
        return one_field(record, rng)
    swaps, kind = record["swaps"], rng.randrange(8)
    step = rng.choice(swaps["steps"])[0] if swaps["steps"] else [["0", "1"]]
    if kind < 2:  # another value or weight
        term = rng.choice(step)
        term[kind] = str(int(term[kind]) + 1)
    elif kind < 4:  # all values or all weights of a step multiplied: not canonical
        for each in step:
            each[kind - 2] = str(2 * int(each[kind - 2]))
    elif kind == 4:  # more units of a step
        rng.choice(swaps["steps"] or [[0, 0]])[1] += 1
    elif kind == 5:
        name = rng.choice(["observed", "common"])
        swaps[name] = str(int(swaps[name]) + rng.choice([-1, 1]))
    elif kind == 6:
        swaps["unit"] = str(Fraction(swaps["unit"]) * 2)
    else:
        record["alternative"] = rng.choice(ALTERNATIVES)
    return followed(record) if recounted(record)[0] else record


def one_field(record, rng):
    """Change one field of a record of any kind; where it is the count, the p-value follows."""
    record = copy.deepcopy(record)
    name = rng.choice(["count", "count", "statistic", "n_units", "observed", "total", "decimal"])
    if name == "count":
        total = record["total"]
        whole = 2 ** int(total[2:]) if total.startswith("2^") else int(total, 0)
        record.update(of_count(int(record["count"], 0) + rng.choice([-1, 1]), whole))
    elif name == "observed":
        record["swaps"][name] = str(int(record["swaps"][name]) + rng.choice([-1, 1]))
    elif name == "statistic":
        record[name] = str(Fraction(record[name]) + 1)
    elif name == "total":
        record[name] = "2^70" if record[name] != "2^70" else "2^71"
    elif name == "decimal":
        record["pvalue_decimal"] = decimal_string(Fraction(record["pvalue"]) / 2, 17)
    else:
        record[name] += 1
    return record


def certificates(rng):
    """Endless honest certificates: (certificate, scores, ...)."""
    while True:
        side = rng.choice(ALTERNATIVES)
        yield (small_test(rng).to_dict(),)
        u, v = ([rng.randint(-30, 30) for _ in range(12)] for _ in "uv")
        labels = [rng.choice("abcde") for _ in u] if rng.random() < 0.5 else None
        rows = "".join(f"{a / 4},{b / 4},{c}\n" for a, b, c in zip(u, v, labels or "x" * 12))
        scores = f"u,v,g\n{rows}".encode()
        values = ([x / 4 for x in column] for column in (u, v))
        result = permutation_test(*values, groups=labels, alternative=side)
        choice = {"columns": "u,v", "groups": "g"} if labels else {"columns": "u,v"}
        yield certify(result, scores, **choice), scores
        a, b, design, even = random_runs(rng)
        result = permutation_test_runs(a, b, design=design, alternative=side)
        if result.design is not None and even:
            m, n = len(a[0]), len(b[0])
            table = columns_of_runs(a, b).encode()
            names = [*map(str, range(2, m + n + 2))]
            blocks = f"{'+'.join(names[:m])},{'+'.join(names[m:])}"
            yield certify(result, table, columns=blocks), table
        else:
            yield (result.to_dict(),)
        x, y = ([rng.randint(0, 9) for _ in range(rng.randint(1, 9))] for _ in "xy")
        test = rng.choice([two_sample_test, mann_whitney_test])
        yield (test(x, y, alternative=side).to_dict(),)
        steps = [dict(zip(rng.sample(range(9), 3), (1, 2, 3))) for _ in range(rng.randint(1, 6))]
        t = sum(rng.choice([*step]) for step in steps)
        yield (sum_test(steps, t, alternative=side).to_dict(),)
