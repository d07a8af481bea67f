"""Wrong implementations, one small function each: the vectors must tell every one of them from the truth.

A mistake takes a question and returns its answer, or None where it does not apply. ``MISTAKES`` has them by the names
that the vectors use; the docstring of each is what the runner says of it.
"""

import math
import random
import struct
from collections import Counter
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations, product

from tests.testing import plain

MOST_ENUMERATED = 9
"""Units up to which the wrong programs that add floats go through all assignments."""

MISTAKES = {}


class Question:
    """One call, with its input, its reading and one alternative."""

    def __init__(self, call, given, reading, alternative):
        self.call, self.given, self.reading, self.alternative = call, given, reading, alternative

    @cached_property
    def null(self):
        return plain.null(self.call, self.given, self.reading)

    @cached_property
    def pairs(self):
        return plain.differences(self.call, self.given, self.reading)

    @cached_property
    def flips(self):
        return None if self.call in ("f1", "ratio") else plain.units(self.call, self.given, self.reading)

    def other(self, alternative):
        """The same question with another alternative."""
        return Question(self.call, self.given, self.reading, alternative)

    @property
    def small(self):
        """Whether floats of few swap units are added."""
        return self.call in ("paired-permutation", "sign-flip") and len(self.flips) <= MOST_ENUMERATED

    @property
    def plain_sum(self):
        """Whether the statistic is the sum of ungrouped differences."""
        return self.call in ("paired-permutation", "sign-flip") and "groups" not in self.given


def mistake(name, calls=None):
    """Register a wrong implementation, for some calls only."""

    def register(function):
        def answer(question):
            if calls is not None and question.call not in calls.split():
                return None
            if calls is None and (question.call == "adjust" or question.null[0] is None):
                return None
            try:
                return function(question)
            except ArithmeticError:  # floats that overflow, or a division by 0
                return math.nan

        answer.__doc__ = function.__doc__
        MISTAKES[name] = answer
        return answer

    return register


SUMS = "paired-permutation sign-flip"


def share(question, extreme):
    """The probability that ``extreme(value, observed)`` holds."""
    counts, t, bits = question.null
    return Fraction(sum(count for x, count in counts.items() if extreme(x, t)), 2**bits)


def right(question):
    """The right p-value."""
    counts, t, bits = question.null
    return Fraction(plain.extreme(counts, t, question.alternative), 2**bits)


def towards(question, x):
    """A value turned so that large is extreme."""
    return {"two-sided": abs(x), "greater": x, "less": -x}[question.alternative]


def recounted(question, flips):
    """The right p-value of other differences."""
    flips = list(map(Fraction, flips))
    counts, t, bits = plain.flipped(flips), sum(flips), len(flips)
    return None if counts is None else Fraction(plain.extreme(counts, t, question.alternative), 2**bits)


# ---------------------------------------------------------------------------------------------- tails


@mistake("strict")
def _(q):
    """Counts T > t in place of T >= t."""
    return share(q, lambda x, t: towards(q, x) > towards(q, t))


@mistake("strict-lower")
def _(q):
    """Counts the lower tail strictly."""
    if q.alternative == "two-sided":
        return share(q, lambda x, t: x >= abs(t) or x < -abs(t))
    return share(q, lambda x, t: x >= t if q.alternative == "greater" else x < t)


@mistake("exchanged-tails")
def _(q):
    """Exchanges greater and less."""
    return right(q.other({"greater": "less", "less": "greater"}.get(q.alternative, q.alternative)))


@mistake("no-abs")
def _(q):
    """Answers the upper tail as the two-sided p-value, without taking absolute values."""
    return right(q.other("greater")) if q.alternative == "two-sided" else right(q)


@mistake("twice-greater")
def _(q):
    """Answers twice the upper tail as the two-sided p-value."""
    return 2 * right(q.other("greater")) if q.alternative == "two-sided" else right(q)


@mistake("uncapped")
def _(q):
    """Doubles the smaller tail without capping at 1."""
    both = [right(q.other(side)) for side in ("greater", "less")]
    return 2 * min(both) if q.alternative == "two-sided" else right(q)


@mistake("far-tail-atom")
def _(q):
    """Leaves the atom of the far tail out of the two-sided p-value."""
    if q.alternative != "two-sided":
        return right(q)
    return share(q, lambda x, t: abs(x) > abs(t) or x == t)


@mistake("no-observed")
def _(q):
    """Leaves the observed assignment out of the count."""
    return right(q) - Fraction(1, 2 ** q.null[2])


@mistake("no-observed-at-all")
def _(q):
    """Leaves the observed assignment out of the count and of the total."""
    total = 2 ** q.null[2]
    return Fraction(right(q) * total - 1, total - 1)


@mistake("add-one")
def _(q):
    """Adds one to count and total of a full enumeration, as if it were Monte Carlo."""
    total = 2 ** q.null[2]
    return Fraction(right(q) * total + 1, total + 1)


@mistake("absolute-tolerance")
def _(q):
    """Counts values within 1e-8 of the observed one as ties."""
    return share(q, lambda x, t: towards(q, x) >= towards(q, t) - Fraction(1, 10**8))


@mistake("relative-tolerance")
def _(q):
    """Counts values within a relative 1e-5 of the observed one as ties."""
    return share(q, lambda x, t: towards(q, x) >= towards(q, t) - abs(t) / 10**5)


# ---------------------------------------------------------------------------------------------- floats


def added_floats(question, values, kind=float):
    """The p-value from float sums of all choices of signs, compared without a tolerance."""
    observed = towards(question, floats_sum(values, kind))
    every = product(*((d, -d) for d in values))
    return Fraction(sum(towards(question, floats_sum(ds, kind)) >= observed for ds in every), 2 ** len(values))


def floats_sum(values, kind):
    """Add one by one; ``sum`` corrects its rounding errors from Python 3.12 on."""
    total = 0.0
    for x in values:
        total = kind(total + x)
    return total


def single(x):
    """The nearest number of single precision."""
    try:
        return struct.unpack("f", struct.pack("f", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def float_differences(question, kind=float):
    """The differences of the swap units, in floats."""
    column = [kind(float(Fraction(x))) for x in question.given.get("d", ())]
    if "u" in question.given:
        u, v = ([kind(float(Fraction(x))) for x in question.given[name]] for name in "uv")
        column = [kind(a - b) for a, b in zip(u, v)]
    sums = {}
    for label, d in zip(question.given.get("groups", range(len(column))), column):
        sums[label] = kind(sums.get(label, 0.0) + d)
    return list(sums.values())


@mistake("float-sums", f"{SUMS} f1 ratio")
def _(q):
    """Adds floats and compares the sums with == or >=."""
    if q.call in ("f1", "ratio"):
        counts, t = plain.ratios(q.call, q.given, lambda a, b: float(a) / float(b))
        return Fraction(plain.extreme(counts, t, q.alternative), 2 ** len(q.given["u"]))
    return added_floats(q, float_differences(q)) if q.small else None


@mistake("float-means", "paired-permutation")
def _(q):
    """Compares float means of the two columns."""
    if not q.small or not q.plain_sum:
        return None
    u, v = ([float(Fraction(x)) for x in q.given[name]] for name in "uv")
    every = [zip(*swapped) for swapped in product(*(((a, b), (b, a)) for a, b in zip(u, v)))]
    values = [towards(q, floats_sum(a, float) / len(u) - floats_sum(b, float) / len(u)) for a, b in every]
    return Fraction(sum(x >= values[0] for x in values), len(values))


@mistake("float32", f"{SUMS} f1 ratio")
def _(q):
    """Computes in single precision."""
    if q.call in ("f1", "ratio"):
        counts, t = plain.ratios(q.call, q.given, lambda a, b: single(float(a) / float(b)))
        rounded = Counter()
        for x, count in counts.items():
            rounded[single(x)] += count
        return Fraction(plain.extreme(rounded, single(t), q.alternative), 2 ** len(q.given["u"]))
    return added_floats(q, float_differences(q, single), single) if q.small else None


@mistake("drops-cells")
def _(q):
    """Drops cells of the null distribution below 1e-8."""
    if q.flips is None:
        return None
    steps, _scale = plain.in_steps(q.flips)
    t = towards(q, sum(steps))
    return math.fsum(p for x, p in large_cells(steps).items() if towards(q, x) >= t)


@lru_cache(maxsize=1)
def large_cells(steps):
    """The null distribution in floats, without cells below 1e-8."""
    cells = {0: 1.0}
    for d in steps:
        after = {}
        for x, p in cells.items():
            after[x + d] = after.get(x + d, 0) + p / 2
            after[x - d] = after.get(x - d, 0) + p / 2
        cells = {x: p for x, p in after.items() if p >= 1e-8}
    return cells


@mistake("underflow")
def _(q):
    """Multiplies by 0.5**N, which is 0 for N >= 1075."""
    count = right(q) * 2 ** q.null[2]
    return float(count) * 0.5 ** q.null[2] if count < 2**1023 else math.inf * 0.5 ** q.null[2]


@mistake("int64-counts")
def _(q):
    """Counts in 64-bit integers, which wrap around."""
    return Fraction(wrapped(int(right(q) * 2 ** q.null[2]), 64), 2 ** q.null[2])


@mistake("rounded-p")
def _(q):
    """Rounds p to 4 decimals."""
    return round(float(right(q)), 4)


@mistake("normal-approximation")
def _(q):
    """Takes the normal distribution in place of the exact one."""
    counts, t, bits = q.null
    variance = sum(x * x * count for x, count in counts.items()) / 2**bits
    return normal(q, t, variance)


def normal(question, t, variance):
    if not variance:
        return math.nan
    z = towards(question, float(t)) / math.sqrt(variance)
    return math.erfc(z / math.sqrt(2)) / (1 if question.alternative == "two-sided" else 2)


@mistake("monte-carlo")
def _(q):
    """Answers from 99 random assignments and calls it exact."""
    if q.flips is None or len(q.flips) > 40:
        return None
    draw, t = random.Random(1).getrandbits, towards(q, sum(q.flips))
    signs = [draw(len(q.flips)) for _ in range(99)]
    sums = (sum(d if bits >> i & 1 else -d for i, d in enumerate(q.flips)) for bits in signs)
    return Fraction(sum(towards(q, x) >= t for x in sums) + 1, 100)


# ---------------------------------------------------------------------------------------------- scores


def wrapped(n, bits):
    """The integer in two's complement of so many bits."""
    return (n + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)


def wrapped_scores(question, bits):
    names = ("u", "v") if "u" in question.given else ("d",)
    columns = [[Fraction(x) for x in question.given[name]] for name in names]
    if not question.plain_sum or any(x.denominator > 1 for column in columns for x in column):
        return None
    if "d" in question.given:
        return recounted(question, [wrapped(int(x), bits) for x in columns[0]])
    u, v = ([wrapped(int(x), bits) for x in column] for column in columns)
    return recounted(question, [wrapped(a - b, bits) for a, b in zip(u, v)])


@mistake("int8-scores", SUMS)
def _(q):
    """Keeps scores in 8-bit integers, which wrap around."""
    return wrapped_scores(q, 8)


@mistake("int32-scores", SUMS)
def _(q):
    """Keeps scores in 32-bit integers, which wrap around."""
    return wrapped_scores(q, 32)


@mistake("rounded-scores", SUMS)
def _(q):
    """Rounds the differences to integers."""
    return recounted(q, [round(d) for d in q.pairs]) if q.plain_sum else None


@mistake("ordinal-ranks", SUMS)
def _(q):
    """Takes ordinal ranks of the differences in place of the scores."""
    if not q.plain_sum:
        return None
    order = sorted(range(len(q.pairs)), key=lambda i: abs(q.pairs[i]))
    return recounted(q, [plain.sign(q.pairs[i]) * (rank + 1) for rank, i in enumerate(order)])


@mistake("unpaired", "paired-permutation")
def _(q):
    """Permutes all scores between the systems, without the pairs."""
    if not q.plain_sum or len(q.pairs) > 6:
        return None
    u, v = ([plain.number(x, q.reading) for x in q.given[name]] for name in "uv")
    pool, n = u + v, len(u)
    values = [towards(q, 2 * sum(pool[i] for i in chosen) - sum(pool)) for chosen in combinations(range(2 * n), n)]
    return Fraction(sum(x >= values[0] for x in values), len(values))


@mistake("last-pair", "paired-permutation sign-flip sign wilcoxon")
def _(q):
    """Ignores the last pair."""
    return recounted(q, q.flips[:-1])


@mistake("nan-for-zeros")
def _(q):
    """Answers NaN where all differences are 0."""
    counts, _t, _bits = q.null
    return math.nan if set(counts) == {0} else right(q)


@mistake("zeros-not-swapped")
def _(q):
    """Counts zero differences in the total, but does not swap them."""
    return None if q.flips is None else right(q) / 2 ** q.flips.count(0)


@mistake("groups-ignored", "paired-permutation")
def _(q):
    """Swaps the pairs of a group one by one."""
    return recounted(q, q.pairs) if "groups" in q.given else None


# ---------------------------------------------------------------------------------------------- ranks


def upper_sum(question):
    """(W+, n): half of the ranks of zeros belong to it in zsplit."""
    pairs, method = question.pairs, question.given["zero_method"]
    ranks = plain.mid_ranks([abs(d) for d in pairs if d or method != "wilcox"])
    above = sum(ranks[d] for d in pairs if d > 0)
    zeros = pairs.count(0)
    return above + (zeros * ranks[0] / 2 if zeros and method == "zsplit" else 0), sum(ranks[abs(d)] > 0 for d in pairs)


def untied(question, w, n):
    """The p-value of the rank sum w from the table for the ranks 1, ..., n."""
    counts = plain.flipped(tuple(Fraction(rank) for rank in range(1, n + 1)))
    t = 2 * w - Fraction(n * (n + 1), 2)
    greater, less = (Fraction(plain.extreme(counts, t, side), 2**n) for side in ("greater", "less"))
    return {"greater": greater, "less": less, "two-sided": min(Fraction(1), 2 * min(greater, less))}[
        question.alternative
    ]


@mistake("untied-table", "wilcoxon")
def _(q):
    """Takes the Wilcoxon table without ties where ranks are tied."""
    used = [d for d in q.pairs if d]
    ranks = plain.mid_ranks([abs(d) for d in used])
    return untied(q, sum(ranks[d] for d in used if d > 0), len(used))


@mistake("zeros-in-table", "wilcoxon")
def _(q):
    """Takes the table of all n ranks where zeros are ranked too (Pratt, zsplit)."""
    if q.given["zero_method"] == "wilcox":
        return None
    w, _n = upper_sum(q)
    return untied(q, w, len(q.pairs))


@mistake("float-ranks", "wilcoxon")
def _(q):
    """Ranks rounded differences of floats."""
    pairs = [Fraction(float(Fraction(a)) - float(Fraction(b))) for a, b in zip(q.given["u"], q.given["v"])]
    return recounted(q, plain.signed_ranks(pairs, q.given["zero_method"]))


@mistake("no-tie-correction", "wilcoxon")
def _(q):
    """Takes the normal approximation with the variance of untied ranks."""
    n = sum(x != 0 for x in q.flips)
    return normal(q, sum(q.flips), n * (n + 1) * (2 * n + 1) / 6)


# ---------------------------------------------------------------------------------------------- several tests


def adjusting(name, method):
    """Register a wrong adjustment of sorted p-values, for one method."""

    def register(function):
        def answer(q):
            if q.given["method"] != method:
                return None
            ps = [Fraction(p) for p in q.given["pvalues"]]
            order = sorted(range(len(ps)), key=ps.__getitem__)
            values = dict(zip(order, function([ps[i] for i in order], len(ps))))
            return [min(1, values[i]) for i in range(len(ps))]

        answer.__doc__ = function.__doc__
        return mistake(name, "adjust")(answer)

    return register


@adjusting("hommel-index", "hommel")
def _(ps, n):
    """Hommel with an index from 0 where it must be from 1."""
    adjusted = list(ps)
    for s in range(n, 1, -1):
        others = min((s * ps[n - s + k] / (k + 1) for k in range(1, s)), default=1)
        for i in range(n):
            own = min(s * ps[i], others) if i < n - s else others
            adjusted[i] = max(adjusted[i], own if i else ps[i])
    return adjusted


@adjusting("holm-no-maximum", "holm")
def _(ps, n):
    """Holm without the running maximum."""
    return [(n - j) * p for j, p in enumerate(ps)]


@adjusting("bh-maximum", "fdr_bh")
def _(ps, n):
    """Benjamini-Hochberg with a running maximum in place of the minimum."""
    steps = [n * p / (j + 1) for j, p in enumerate(ps)]
    return [max(steps[: j + 1]) for j in range(n)]


@adjusting("float-sidak", "sidak")
def _(ps, n):
    """Sidak as 1 - (1 - p)**m in floats."""
    return [1 - (1 - float(p)) ** n for p in ps]
