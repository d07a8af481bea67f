"""The tests in plain Python, without the package: what the vectors are checked with and the wrong programs start from.

Every call reduces to a null distribution {value of the statistic: number of assignments}; but for
runs it is symmetric about 0.
"""

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb, inf, lcm

MOST_CELLS = 21_000
"""Values of a null distribution up to which it is laid out here."""


def number(text, reading):
    """What a text of the vectors means: its decimal, or the double that is nearest to it."""
    return Fraction(text) if reading == "decimal" else Fraction(float(Fraction(text)))


def minus(a, b, reading):
    """The difference of two scores; for doubles, rounded to a double."""
    if reading == "decimal":
        return Fraction(a) - Fraction(b)
    return Fraction(float(Fraction(a)) - float(Fraction(b)))


def differences(call, given, reading):
    """The difference of each pair."""
    if "d" in given:
        return [number(d, reading) for d in given["d"]]
    if "b" in given:
        return [Fraction(1)] * int(given["b"]) + [Fraction(-1)] * int(given["c"])
    return [minus(a, b, reading) for a, b in zip(given["u"], given["v"])]


def sign(d):
    return (d > 0) - (d < 0)


def mid_ranks(sizes):
    """The rank of each size; equal sizes share the mean of theirs."""
    return {x: Fraction(2 * sum(y < x for y in sizes) + sizes.count(x) + 1, 2) for x in set(sizes)}


def signed_ranks(pairs, zero_method):
    """The rank of |d| with the sign of d; a zero has the rank 0 after ranking, or none at all."""
    ranks = mid_ranks([abs(d) for d in pairs if d or zero_method != "wilcox"])
    return [sign(d) * ranks[abs(d)] if d else Fraction(0) for d in pairs]


def units(call, given, reading):
    """The difference of each swap unit: what changes its sign when the unit is swapped."""
    pairs = differences(call, given, reading)
    if call == "wilcoxon":
        return signed_ranks(pairs, given["zero_method"])
    if call == "sign":
        return [Fraction(sign(d)) for d in pairs]
    if call == "weighted":
        return shares(pairs, given)
    sums = {}
    for label, d in zip(given.get("groups", range(len(pairs))), pairs):
        sums[label] = sums.get(label, 0) + d
    return list(sums.values())


def shares(pairs, given):
    """What each pair adds to the mean over tasks of the weighted means over their pairs."""
    weights = [Fraction(w) for w in given.get("weights", ["1"] * len(pairs))]
    tasks = given.get("tasks", ["all"] * len(pairs))
    sums = Counter()
    for task, w in zip(tasks, weights):
        sums[task] += w
    return [d * w / sums[task] / len(sums) for d, w, task in zip(pairs, weights, tasks)]


def in_steps(flips):
    """The differences as integers, and how many of them are 1."""
    scale = lcm(*(d.denominator for d in flips))
    return tuple(d.numerator * (scale // d.denominator) for d in flips), scale


def flipped(flips):
    """{sum: number of the 2^n choices of signs}, or None where there are too many sums."""
    steps, scale = in_steps(flips)
    sums = flipped_steps(tuple(sorted(map(abs, steps))))
    if sums is None or scale == 1:
        return sums
    return {Fraction(x, scale): count for x, count in sums.items()}


@lru_cache(maxsize=4096)
def flipped_steps(steps):
    """The same for integers; the order of the differences and their signs do not matter."""
    kinds = len(set(steps) - {0})
    if kinds * (kinds + 1) // 2 >= MOST_CELLS:
        return None  # so many different sums has any such number of different steps
    sums = {0: 1}
    for d, times in Counter(steps).items():
        ways = [((2 * k - times) * d, comb(times, k)) for k in range(times + 1)]
        after = Counter()
        for x, count in sums.items():
            for shift, choices in ways:
                after[x + shift] += count * choices
        sums = after
        if len(sums) > MOST_CELLS:
            return None
    return sums


def share(call, x, y, divide=Fraction):
    """The score of a system with the sums x and y: F1 of (tp, incorrect), or the ratio x / y."""
    numerator, denominator = (2 * x, 2 * x + y) if call == "f1" else (x, y)
    return divide(numerator, denominator) if denominator else 0


def sums_of_first(given):
    """{(sum of first entries, sum of second entries) of the first system: number of assignments}, and the totals."""
    pairs = [[tuple(map(Fraction, row)) for row in given[name]] for name in "uv"]
    sums = {(0, 0): 1}
    for a, b in zip(*pairs):
        after = Counter()
        for (x, y), count in sums.items():
            after[x + a[0], y + a[1]] += count
            after[x + b[0], y + b[1]] += count
        sums = after
    totals = [sum(row[i] for column in pairs for row in column) for i in (0, 1)]
    return sums, totals, tuple(sum(row[i] for row in pairs[0]) for i in (0, 1))


def ratios(call, given, divide=Fraction):
    """{difference of the scores: number of assignments} and the observed difference."""
    sums, (all_x, all_y), observed = sums_of_first(given)

    def statistic(x, y):
        return share(call, x, y, divide) - share(call, all_x - x, all_y - y, divide)

    counts = Counter()
    for (x, y), count in sums.items():
        counts[statistic(x, y)] += count
    return counts, statistic(*observed)


def runs(given, reading):
    """The runs of each item, of both systems."""
    return [[[number(x, reading) for x in item] for item in given[name]] for name in "uv"]


def mean(values):
    return Fraction(sum(values), len(values))


def advantage(a, b):
    """The difference of the means of the runs of two systems."""
    return mean(a) - mean(b)


def shuffled(a, b, statistic=advantage):
    """{value of the statistic: number of the choices of len(a) of all runs}"""
    pool = [*a, *b]
    counts = Counter()
    for chosen in combinations(range(len(pool)), len(a)):
        rest = [x for i, x in enumerate(pool) if i not in chosen]
        counts[statistic([pool[i] for i in chosen], rest)] += 1
    return counts


def swapped(a, b, statistic=advantage):
    """The same where only the two blocks of runs are exchanged."""
    return Counter([statistic(a, b), statistic(b, a)])


def added(parts):
    """{sum: number of choices} of independent parts, each {value: number of choices}, or None where it is too long."""
    sums = {0: 1}
    for values in parts:
        after = Counter()
        for x, count in sums.items():
            for y, choices in values.items():
                after[x + y] += count * choices
        sums = after
        if len(sums) > MOST_CELLS:
            return None
    return sums


def over_items(u, v):
    """The mean over the items of each run, of both systems."""
    return [[mean(run) for run in zip(*rows)] for rows in (u, v)]


def exchanged(design, u, v, statistic=advantage):
    """(null distribution of the sum of the statistics of the items, observed value) of a design."""
    if design == "systems":
        a, b = over_items(u, v)
        return shuffled(a, b, statistic), statistic(a, b)
    exchange = {"within": shuffled, "items": swapped}[design]
    items = [*zip(u, v)]
    return added(exchange(a, b, statistic) for a, b in items), sum(
        statistic(a, b) for a, b in items
    )


def drawn(a, b):
    """{difference of means: number of the choices of len(a) of all observations}, of two samples."""
    pool, scale = in_steps([*map(Fraction, (*a, *b))])
    every = sum(pool)
    return {
        (Fraction(total, len(a)) - Fraction(every - total, len(b))) / scale: count
        for total, count in chosen(tuple(sorted(pool)), len(a)).items()
    }


@lru_cache(maxsize=256)
def chosen(pool, m):
    """{sum: number of choices} of m of several integers."""
    rows = [Counter([0]), *(Counter() for _ in range(m))]
    for x in pool:
        for n in range(m, 0, -1):
            for total, count in rows[n - 1].items():
                rows[n][total + x] += count
    return rows[m]


def strata(given, reading):
    """The observations of both samples in each stratum that has some of both."""
    labels = given.get("strata") or [["all"] * len(given[name]) for name in "uv"]
    parts = {label: ([], []) for column in labels for label in column}
    for i, name in enumerate("uv"):
        for label, x in zip(labels[i], given[name]):
            parts[label][i].append(number(x, reading))
    return [(a, b) for a, b in parts.values() if a and b]


def sampled(call, given, reading, weight=None):
    """(null distribution, observed value) of the sum over strata of weight * m n / (m + n) * difference of means.

    Of ranks that is weight * (U - E U), and the weights are those of van Elteren, 1 / (N + 1).
    """
    counts, observed = {Fraction(0): 1}, Fraction(0)
    for a, b in strata(given, reading):
        ranks, n = mid_ranks([*a, *b]), len(a) + len(b)
        share = Fraction(len(a) * len(b), n)
        if call == "mann-whitney":
            a, b = ([ranks[x] for x in side] for side in (a, b))
            share /= n + 1
        share *= weight(len(a), len(b)) if weight else 1
        counts = added([counts, {share * d: count for d, count in drawn(a, b).items()}])
        observed += share * advantage(a, b)
    return counts, observed


def stepped(given):
    """({sum above its mean: number of choices}, the observed sum above it)"""
    steps = [{Fraction(x): int(w) for x, w in step} for step in given["steps"]]
    mean = sum(Fraction(sum(x * w for x, w in step.items()), sum(step.values())) for step in steps)
    counts = added(steps)
    observed = Fraction(given["observed"]) - mean
    return counts and {x - mean: count for x, count in counts.items()}, observed


def null(call, given, reading):
    """(null distribution or None, observed value, number of swap units or of items with runs) of a question."""
    if call == "runs":
        return (*exchanged(given["design"], *runs(given, reading)), len(given["u"]))
    if call in ("two-sample", "mann-whitney"):
        return (*sampled(call, given, reading), 1)
    if call == "sum":
        return (*stepped(given), len(given["steps"]))
    if call in ("f1", "ratio"):
        counts, observed = ratios(call, given)
        return counts, observed, len(given["u"])
    flips = units(call, given, reading)
    t = sum(flips)
    return flipped(flips), t.numerator if t == int(t) else t, len(flips)


def extreme(counts, t, alternative):
    """The number of assignments that are at least as extreme as t."""
    if alternative == "two-sided":
        return sum(count for x, count in counts.items() if abs(x) >= abs(t))
    return sum(
        count for x, count in counts.items() if (x >= t if alternative == "greater" else x <= t)
    )


def tail(call, counts, t, alternative):
    """The p-value, or the mid-p value, which counts values as extreme as t by half."""
    p = Fraction(extreme(counts, t, alternative), sum(counts.values()))
    if call != "mid-p":
        return p
    tied = [
        count
        for x, count in counts.items()
        if (abs(x) == abs(t) if alternative == "two-sided" else x == t)
    ]
    return p - Fraction(sum(tied), 2 * sum(counts.values()))


def subset_means(d, weights):
    """The means of all subsets but the empty one, in order: sums of d divided by sums of weights."""
    scale = lcm(*(x.denominator for x in d))
    sums = [(0, 0)]
    for x, w in zip(d, weights):
        sums += [(total + int(x * scale), n + w) for total, n in sums]
    return sorted(Fraction(total, n * scale) for total, n in sums[1:])


def swap_units(given, reading):
    """(sums, numbers of pairs) of the groups of differences."""
    d = differences("interval", given, reading)
    sums, pairs = {}, Counter()
    for label, x in zip(given.get("groups", range(len(d))), d):
        sums[label] = sums.get(label, 0) + x
        pairs[label] += 1
    return [*sums.values()], [pairs[label] for label in sums]


def rank_of_ends(confidence, alternative, n):
    """The k of the k-th mean from below and from above: the shifts with a p-value above 1 - confidence."""
    return (1 - Fraction(confidence)) * 2**n // (2 if alternative == "two-sided" else 1)


def ends(means, k, alternative):
    """[k-th mean, k-th mean from above of 2^N - 1]; an end that the alternative or k = 0 leaves open is infinite."""
    low = -inf if alternative == "less" or k < 1 else means[min(k, len(means)) - 1]
    return [low, inf if alternative == "greater" or k < 1 else means[-min(k, len(means))]]


def interval(given, reading, alternative):
    """The ends of the confidence interval of a shift, by all means of subsets."""
    d, weights = swap_units(given, reading)
    return ends(
        subset_means(d, weights),
        rank_of_ends(given["confidence"], alternative, len(d)),
        alternative,
    )


def rows(counts):
    """A null distribution as a list of [value, number of assignments], ascending."""
    return [[x, counts[x]] for x in sorted(counts)]


def distribution(given, reading):
    """The null distribution of the sum of differences, or of the ranks of those that are positive."""
    d = differences("null-distribution", given, reading)
    return rows(
        flipped(d) if given["test"] == "sign-flip" else positive_sums(mid_ranks([*map(abs, d)]), d)
    )


def positive_sums(ranks, d):
    """{sum of the ranks of a subset: number of subsets}"""
    sums = Counter([0])
    for x in d:
        for y, count in [*sums.items()]:
            sums[y + ranks[abs(x)]] += count
    return sums


def listed(call, given, reading, alternative):
    """The answer to a question whose answer is a list."""
    if call == "interval":
        return interval(given, reading, alternative)
    if call == "null-distribution":
        return distribution(given, reading)
    return adjusted(given["method"], [*map(Fraction, given["pvalues"])])


def adjusted(method, ps):
    """The adjusted p-values in the order of the input, by the definition of each method."""
    order = sorted(range(len(ps)), key=ps.__getitem__)
    values = dict(zip(order, adjusted_sorted(method, [ps[i] for i in order])))
    return [values[i] for i in range(len(ps))]


def adjusted_sorted(method, ps):
    """The same for ascending p-values."""
    n = len(ps)
    harmonic = sum(Fraction(1, k) for k in range(1, n + 1)) if method == "fdr_by" else 1
    steps = {
        "bonferroni": lambda j: n * ps[j],
        "holm": lambda j: max((n - i) * ps[i] for i in range(j + 1)),
        "hochberg": lambda j: min((n - i) * ps[i] for i in range(j, n)),
        "hommel": lambda j: max(simes([ps[j], *largest(ps, j, size)]) for size in range(n)),
        "sidak": lambda j: 1 - (1 - ps[j]) ** n,
        "holm-sidak": lambda j: max(1 - (1 - ps[i]) ** (n - i) for i in range(j + 1)),
    }
    step = steps.get(method, lambda j: harmonic * min(n * ps[i] / (i + 1) for i in range(j, n)))
    return [min(Fraction(1), step(j)) for j in range(n)]


def largest(ps, j, size):
    """The largest p-values but the j-th, so many: with it they are the hypotheses that Simes rejects last."""
    others = ps[:j] + ps[j + 1 :]
    return others[len(others) - size :]


def simes(ps):
    """The p-value of Simes's test that all of the hypotheses are true."""
    return min(len(ps) * p / k for k, p in enumerate(sorted(ps), 1))
