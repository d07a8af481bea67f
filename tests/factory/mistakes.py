"""Wrong implementations, one small function each: the vectors must tell every one of them from the truth.

A mistake takes a question and returns its answer: a number, two numbers between which it lies, with
the step of its values as a third, or None where it is not simulated. ``MISTAKES`` has them by the
names that the vectors use; the docstring of each is what the runner says of it. ``calls`` of each
are those where it is possible, and where at least three vectors must reveal it.
"""

import math
import random
import struct
from collections import Counter
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations, groupby, permutations, product
from statistics import NormalDist, median

from tests.factory import plain
from tests.factory.recipes import LISTS

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
        return (
            None
            if self.call in ("f1", "ratio", "runs", "two-sample", "mann-whitney", "sum")
            else plain.units(self.call, self.given, self.reading)
        )

    def other(self, alternative):
        """The same question with another alternative; what does not depend on that is kept."""
        question = Question(self.call, self.given, self.reading, alternative)
        kept = ("null", "pairs", "flips", "total", "runs")
        question.__dict__.update(
            {name: self.__dict__[name] for name in kept if name in self.__dict__}
        )
        return question

    @cached_property
    def total(self):
        """The number of all assignments."""
        return sum(self.null[0].values())

    @cached_property
    def runs(self):
        return plain.runs(self.given, self.reading)

    @property
    def small(self):
        """Whether floats of few swap units are added."""
        return (
            self.call in ("paired-permutation", "sign-flip") and len(self.flips) <= MOST_ENUMERATED
        )

    @property
    def plain_sum(self):
        """Whether the statistic is the sum of ungrouped differences."""
        return self.call in ("paired-permutation", "sign-flip") and "groups" not in self.given


SUMS = "paired-permutation sign-flip"
SIGNED = f"{SUMS} wilcoxon sign mcnemar"
"""Calls whose statistic is a sum of one difference for each swap unit."""

RATIOS = "f1 ratio"
COUNTED = f"{SIGNED} {RATIOS}"
TAILS = f"{COUNTED} runs mid-p weighted two-sample mann-whitney sum"
"""Calls whose answers are tails."""


def mistake(name, calls=COUNTED, *, may=False, random=False):
    """Register a wrong implementation of some calls.

    With ``may`` its answers depend on more than the question, such as the order of additions: they
    may be right, too. With ``random`` no answer can be predicted.
    """

    def register(function):
        def answer(question):
            if question.call not in LISTS and question.null[0] is None:
                return None
            try:
                return function(question)
            except ArithmeticError:  # floats that overflow, or a division by 0
                return math.nan

        answer.__doc__ = function.__doc__
        answer.calls, answer.may, answer.random = calls.split(), may, random
        MISTAKES[name] = answer
        return answer

    return register


def share(question, extreme):
    """The probability that ``extreme(value, observed)`` holds."""
    counts, t, _units = question.null
    return Fraction(sum(count for x, count in counts.items() if extreme(x, t)), question.total)


def right(question):
    """The right p-value."""
    counts, t, _units = question.null
    return plain.tail(question.call, counts, t, question.alternative)


def towards(question, x):
    """A value turned so that large is extreme."""
    return {"two-sided": abs(x), "greater": x, "less": -x}[question.alternative]


def recounted(question, flips):
    """The right p-value of other differences."""
    flips = list(map(Fraction, flips))
    counts, t = plain.flipped(flips), sum(flips)
    return None if counts is None else plain.tail(question.call, counts, t, question.alternative)


# -------------------------------------------------------------------------------------------- tails


@mistake("strict", TAILS)
def _(q):
    """Counts T > t in place of T >= t."""
    return share(q, lambda x, t: towards(q, x) > towards(q, t))


@mistake("strict-lower", TAILS)
def _(q):
    """Counts the lower tail strictly."""
    if q.alternative == "two-sided":
        return share(q, lambda x, t: x >= abs(t) or x < -abs(t))
    return share(q, lambda x, t: x >= t if q.alternative == "greater" else x < t)


@mistake("exchanged-tails", TAILS)
def _(q):
    """Exchanges greater and less."""
    return right(q.other({"greater": "less", "less": "greater"}.get(q.alternative, q.alternative)))


@mistake("p-for-mid-p", "mid-p")
def _(q):
    """Answers the p-value, which counts ties in full."""
    return share(q, lambda x, t: towards(q, x) >= towards(q, t))


@mistake("near-atom-halved", "mid-p")
def _(q):
    """Halves the probability of the observed value only, not that of its opposite, in the two-sided mid-p value."""
    return (
        right(q) + share(q, lambda x, t: x == -t != t) / 2
        if q.alternative == "two-sided"
        else right(q)
    )


@mistake("observed-halved", "mid-p")
def _(q):
    """Halves the observed assignment only, not those that tie with it."""
    return MISTAKES["p-for-mid-p"](q) - Fraction(1, 2 * q.total)


@mistake("half-step", "mid-p")
def _(q):
    """Adds the probabilities of the values beyond the observed one, and half of that of the next one."""
    beyond = [towards(q, x) for x in q.null[0] if towards(q, x) > towards(q, q.null[1])]
    strict = share(q, lambda x, t: towards(q, x) > towards(q, t))
    return strict + share(q, lambda x, _t: towards(q, x) == min(beyond)) / 2 if beyond else strict


@mistake("no-abs", TAILS)
def _(q):
    """Answers the upper tail as the two-sided p-value, without taking absolute values."""
    return right(q.other("greater")) if q.alternative == "two-sided" else right(q)


@mistake("twice-greater", TAILS)
def _(q):
    """Answers twice the upper tail as the two-sided p-value."""
    return 2 * right(q.other("greater")) if q.alternative == "two-sided" else right(q)


@mistake("uncapped", TAILS)
def _(q):
    """Doubles the smaller tail without capping at 1."""
    both = [right(q.other(side)) for side in ("greater", "less")]
    return 2 * min(both) if q.alternative == "two-sided" else right(q)


@mistake("far-tail-atom", f"{COUNTED} runs")
def _(q):
    """Leaves the atom of the far tail out of the two-sided p-value."""
    if q.alternative != "two-sided":
        return right(q)
    return share(q, lambda x, t: abs(x) > abs(t) or x == t)


@mistake("no-observed", TAILS)
def _(q):
    """Leaves the observed assignment out of the count."""
    return right(q) - Fraction(1, q.total)


@mistake("no-observed-at-all", TAILS)
def _(q):
    """Leaves the observed assignment out of the count and of the total."""
    return Fraction(right(q) * q.total - 1, q.total - 1)


@mistake("add-one", TAILS)
def _(q):
    """Adds one to count and total of a full enumeration, as if it were Monte Carlo."""
    return Fraction(right(q) * q.total + 1, q.total + 1)


@mistake("mid-p", f"{COUNTED} runs")
def _(q):
    """Answers the mid-p value, which counts ties by half."""
    return (right(q) + share(q, lambda x, t: towards(q, x) > towards(q, t))) / 2


@mistake("half-p", TAILS)
def _(q):
    """Answers half of the p-value."""
    return right(q) / 2


@mistake("double-p", TAILS)
def _(q):
    """Doubles every p-value, the two-sided one, too."""
    return 2 * right(q)


@mistake("complement", TAILS)
def _(q):
    """Answers 1 - p."""
    return 1 - right(q)


@mistake("always-one", TAILS)
def _(_q):
    """Answers 1, whatever the data."""
    return Fraction(1)


@mistake("point-probability", TAILS)
def _(q):
    """Answers the probability of the observed value only."""
    return share(q, lambda x, t: towards(q, x) == towards(q, t))


@mistake("upper-doubled", TAILS)
def _(q):
    """Answers twice the upper tail as the two-sided p-value, capped at 1."""
    return (
        min(Fraction(1), 2 * right(q.other("greater")))
        if q.alternative == "two-sided"
        else right(q)
    )


@mistake("likelihood", SUMS)
def _(q):
    """Adds all values that are at most as probable as the observed one, as for Fisher's exact test."""
    if q.alternative != "two-sided":
        return right(q)
    counts, t, bits = q.null
    return Fraction(sum(count for count in counts.values() if count <= counts[t]), 2**bits)


@mistake("absolute-tolerance", SUMS)
def _(q):
    """Counts values within 1e-8 of the observed one as ties."""
    return share(q, lambda x, t: towards(q, x) >= towards(q, t) - Fraction(1, 10**8))


@mistake("relative-tolerance", SUMS)
def _(q):
    """Counts values within a relative 1e-5 of the observed one as ties."""
    return share(q, lambda x, t: towards(q, x) >= towards(q, t) - abs(t) / 10**5)


@mistake("both-tolerances", SUMS)
def _(q):
    """Counts values within 1e-8 and a relative 1e-5 of the observed one as ties, as isclose of NumPy does."""
    return share(
        q, lambda x, t: towards(q, x) >= towards(q, t) - Fraction(1, 10**8) - abs(t) / 10**5
    )


# ------------------------------------------------------------------------------------------- floats


def added_floats(question, values, kind=float):
    """The p-value from float sums of all choices of signs, compared without a tolerance."""
    observed = towards(question, floats_sum(values, kind))
    every = product(*((d, -d) for d in values))
    return Fraction(
        sum(towards(question, floats_sum(ds, kind)) >= observed for ds in every), 2 ** len(values)
    )


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


def exact_in_floats(question):
    """Whether no sum of the scores is rounded."""
    names = [name for name in "uvd" if name in question.given]
    scores = [Fraction(x) for name in names for x in question.given[name]]
    if any(Fraction(float(x)) != x for x in scores):
        return False
    return sum(map(abs, scores)) * math.lcm(*(x.denominator for x in scores)) < 2**53


def float_orders(question):
    """The p-values from float sums, which depend on the order of additions."""
    column = float_differences(question)
    yield added_floats(question, column)
    yield added_floats(question, column[::-1])
    yield added_floats(question, sorted(column, key=abs))
    parts = [(max(d, 0.0), min(d, 0.0)) for d in column]
    above = [floats_sum(each, float) for each in product(*((a, -b) for a, b in parts))]
    turn = {
        "two-sided": lambda w: abs(w - floats_sum(map(abs, column), float) / 2),
        "less": lambda w: -w,
    }
    values = list(map(turn.get(question.alternative, lambda w: w), above))
    observed = turn.get(question.alternative, lambda w: w)(
        floats_sum((a for a, _b in parts), float)
    )
    yield Fraction(sum(x >= observed for x in values), len(values))
    if question.plain_sum and "u" in question.given:
        yield MISTAKES["float-means"](question)
        yield float_columns(question, 1)


def float_columns(question, n):
    """The p-value from float sums of both columns, divided by n."""
    u, v = ([float(Fraction(x)) for x in question.given[name]] for name in "uv")
    every = [zip(*swapped) for swapped in product(*(((a, b), (b, a)) for a, b in zip(u, v)))]
    values = [
        towards(question, floats_sum(a, float) / n - floats_sum(b, float) / n) for a, b in every
    ]
    return Fraction(sum(x >= values[0] for x in values), len(values))


@mistake("float-sums", f"{SUMS} {RATIOS}", may=True)
def _(q):
    """Adds floats and compares the sums with == or >=."""
    if q.call in ("f1", "ratio"):
        counts, t = plain.ratios(q.call, q.given, lambda a, b: float(a) / float(b))
        return Fraction(plain.extreme(counts, t, q.alternative), 2 ** len(q.given["u"]))
    if exact_in_floats(q):
        return right(q)
    if not q.small:
        return None
    answers = [*float_orders(q)]
    return (min(answers), max(answers))


@mistake("float-means", "paired-permutation")
def _(q):
    """Compares float means of the two columns."""
    if not q.plain_sum or exact_in_floats(q):
        return right(q)
    return float_columns(q, len(q.pairs)) if q.small else None


@mistake("float32", f"{SUMS} {RATIOS}")
def _(q):
    """Computes in single precision."""
    if q.call in ("f1", "ratio"):
        counts, t = plain.ratios(q.call, q.given, lambda a, b: single(float(a) / float(b)))
        rounded = Counter()
        for x, count in counts.items():
            rounded[single(x)] += count
        return Fraction(plain.extreme(rounded, single(t), q.alternative), 2 ** len(q.given["u"]))
    return added_floats(q, float_differences(q, single), single) if q.small else None


@mistake("drops-cells", SIGNED)
def _(q):
    """Drops cells of the null distribution below 1e-8."""
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


@mistake("single-precision", TAILS)
def _(q):
    """Rounds the p-value to single precision."""
    return single(float(right(q)))


@mistake("one-minus-cdf", TAILS)
def _(q):
    """Subtracts the distribution function from 1 in doubles, which loses p-values below 1e-16."""
    return right(q) if q.alternative == "less" else Fraction(1.0 - float(1 - right(q)))


@mistake("underflow", "paired-permutation sign-flip sign mcnemar")
def _(q):
    """Multiplies by 0.5**N, which is 0 for N >= 1075."""
    count = right(q) * 2 ** q.null[2]
    return float(count) * 0.5 ** q.null[2] if count < 2**1023 else math.inf * 0.5 ** q.null[2]


@mistake("int64-counts", TAILS)
def _(q):
    """Counts in 64-bit integers, which wrap around."""
    return Fraction(wrapped(int(right(q) * q.total), 64), q.total)


@mistake("rounded-p", TAILS)
def _(q):
    """Rounds p to 4 decimals."""
    return round(float(right(q)), 4)


@mistake("normal-approximation", TAILS)
def _(q):
    """Takes the normal distribution in place of the exact one."""
    counts, t, _units = q.null
    variance = sum(x * x * count for x, count in counts.items()) / q.total
    return normal(q, t, variance)


@mistake("normal-above-20")
def _(q):
    """Takes the normal distribution for more than 20 swap units."""
    return MISTAKES["normal-approximation"](q) if q.null[2] > 20 else right(q)


@mistake("continuity", TAILS)
def _(q):
    """Takes the normal distribution with a correction for continuity, half the distance of two values."""
    counts, t, _units = q.null
    values = sorted(counts)
    step = min((b - a for a, b in zip(values, values[1:])), default=0)
    variance = sum(x * x * count for x, count in counts.items()) / q.total
    nearer = towards(q, t) - step / 2
    return normal(
        q,
        max(nearer, 0)
        if q.alternative == "two-sided"
        else nearer * {"less": -1}.get(q.alternative, 1),
        variance,
    )


def normal(question, t, variance):
    if not variance:
        return math.nan
    z = towards(question, float(t)) / math.sqrt(variance)
    return math.erfc(z / math.sqrt(2)) / (1 if question.alternative == "two-sided" else 2)


@mistake("monte-carlo", SIGNED, random=True)
def _(q):
    """Answers from 99 random assignments and calls it exact."""
    if len(q.flips) > 40:
        return None
    draw, t = random.Random(1).getrandbits, towards(q, sum(q.flips))
    signs = [draw(len(q.flips)) for _ in range(99)]
    sums = (sum(d if bits >> i & 1 else -d for i, d in enumerate(q.flips)) for bits in signs)
    return Fraction(sum(towards(q, x) >= t for x in sums) + 1, 100)


# ------------------------------------------------------------------------------------------- scores


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


@mistake("truncated-scores", SUMS)
def _(q):
    """Cuts the decimals of the differences off."""
    return recounted(q, [int(d) for d in q.pairs]) if q.plain_sum else None


@mistake("signs-only", f"{SUMS} wilcoxon mid-p")
def _(q):
    """Takes the signs of the differences in place of their sizes, as the sign test does."""
    return recounted(q, map(plain.sign, q.flips))


@mistake("absolute-differences", f"{SIGNED} mid-p")
def _(q):
    """Adds the differences without their signs."""
    return recounted(q, map(abs, q.flips))


@mistake("median", SUMS)
def _(q):
    """Compares medians of the differences in place of sums."""
    if len(q.flips) > MOST_ENUMERATED:
        return None
    values = [towards(q, median(ds)) for ds in product(*((d, -d) for d in q.flips))]
    return Fraction(sum(x >= values[0] for x in values), len(values))


@mistake("equal-once", f"{SUMS} wilcoxon mid-p")
def _(q):
    """Counts equal differences once."""
    return recounted(q, dict.fromkeys(q.flips))


@mistake("first-pair", f"{SUMS} sign wilcoxon mid-p")
def _(q):
    """Ignores the first pair."""
    return recounted(q, q.flips[1:])


@mistake("columns-sorted", "paired-permutation")
def _(q):
    """Sorts each column for itself, so that pairs are lost."""
    if not q.plain_sum:
        return None
    u, v = (sorted(plain.number(x, q.reading) for x in q.given[name]) for name in "uv")
    return recounted(q, [a - b for a, b in zip(u, v)])


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
    values = [
        towards(q, 2 * sum(pool[i] for i in chosen) - sum(pool))
        for chosen in combinations(range(2 * n), n)
    ]
    return Fraction(sum(x >= values[0] for x in values), len(values))


@mistake("last-pair", f"{SUMS} sign wilcoxon {RATIOS} mid-p")
def _(q):
    """Ignores the last pair."""
    if q.flips is None:
        fewer = {name: q.given[name][:-1] for name in "uv"}
        return right(Question(q.call, fewer, q.reading, q.alternative))
    return recounted(q, q.flips[:-1])


@mistake("nan-for-zeros", f"{SUMS} wilcoxon sign {RATIOS} runs")
def _(q):
    """Answers NaN where all differences are 0."""
    counts, _t, _bits = q.null
    return math.nan if set(counts) == {0} else right(q)


@mistake("zeros-not-swapped", f"{SUMS} sign wilcoxon")
def _(q):
    """Counts zero differences in the total, but does not swap them."""
    return right(q) / 2 ** q.flips.count(0)


def grouped(question, merged):
    """The p-value where the differences of a group become one by a function of them."""
    groups = {}
    for label, d in zip(question.given.get("groups", range(len(question.pairs))), question.pairs):
        groups.setdefault(label, []).append(d)
    return recounted(question, map(merged, groups.values()))


@mistake("groups-ignored", "paired-permutation")
def _(q):
    """Swaps the pairs of a group one by one."""
    return recounted(q, q.pairs) if "groups" in q.given else right(q)


@mistake("group-means", "paired-permutation")
def _(q):
    """Takes the mean of each group in place of its sum."""
    return grouped(q, lambda ds: sum(ds) / len(ds))


@mistake("group-medians", "paired-permutation")
def _(q):
    """Takes the median of each group in place of its sum."""
    return grouped(q, median)


@mistake("first-of-group", "paired-permutation")
def _(q):
    """Takes the first pair of each group and ignores the others."""
    return grouped(q, lambda ds: ds[0])


@mistake("group-signs", "paired-permutation")
def _(q):
    """Takes the sign of the sum of each group of several pairs."""
    return grouped(q, lambda ds: sum(ds) if len(ds) == 1 else plain.sign(sum(ds)))


@mistake("group-runs", "paired-permutation")
def _(q):
    """Takes pairs of one label for one group only where they follow each other."""
    if "groups" not in q.given:
        return right(q)
    runs = [
        list(run)
        for _label, run in groupby(zip(q.given["groups"], q.pairs), key=lambda pair: pair[0])
    ]
    return recounted(q, [sum(d for _label, d in run) for run in runs])


# -------------------------------------------------------------------------------- weights and tasks


def wrong(name, calls, words, answer):
    """Register a wrong implementation that is one expression."""
    answer.__doc__ = words
    mistake(name, calls)(answer)


def reweighed(change):
    """The p-value where an input with weights and tasks is another one; the function changes a copy of it."""

    def answer(q):
        given = dict(q.given)
        change(given)
        question = Question(q.call, given, q.reading, q.alternative)
        return None if question.null[0] is None else right(question)

    return answer


def by_weights(number):
    """The same where each weight is a function of it."""
    return reweighed(
        lambda g: g.update(
            weights=[str(number(Fraction(w))) for w in g.get("weights", "1" * len(g["u"]))]
        )
    )


def added_shares(share):
    """The p-value where each pair adds its difference times a function of weight, its task's sum and pairs, tasks."""

    def answer(q):
        n = len(q.pairs)
        weights = [Fraction(w) for w in q.given.get("weights", ["1"] * n)]
        tasks = q.given.get("tasks", ["all"] * n)
        sums, pairs = Counter(), Counter(tasks)
        for task, w in zip(tasks, weights):
            sums[task] += w
        each = zip(q.pairs, weights, tasks)
        return recounted(q, [d * share(w, sums[task], pairs[task]) for d, w, task in each])

    return answer


def labels_as_numbers(name):
    """The p-value where labels that are the same number are one label."""

    def change(given):
        if name in given:
            given[name] = [number_or_text(label) for label in given[name]]

    return reweighed(change)


def reweighed_strata(weight):
    """The p-value where the part of a stratum has a further weight, a function of its sizes."""

    def answer(q):
        counts, t = plain.sampled(q.call, q.given, q.reading, weight)
        return plain.tail(q.call, counts, t, q.alternative)

    return answer


def ranks_over_all(q):
    """Both samples as ranks among all observations."""
    u, v = ([plain.number(x, q.reading) for x in q.given[name]] for name in "uv")
    ranks = plain.mid_ranks([*u, *v])
    return [[str(ranks[x]) for x in side] for side in (u, v)]


def number_or_text(label):
    try:
        return str(float(label))
    except ValueError:
        return label


wrong(
    "weights-ignored", "weighted", "Ignores the weights.", reweighed(lambda g: g.pop("weights", 0))
)
wrong("tasks-ignored", "weighted", "Ignores the tasks.", reweighed(lambda g: g.pop("tasks", 0)))
wrong(
    "weights-of-steps-ignored",
    "sum",
    "Takes all values of a step for equally likely.",
    reweighed(lambda g: g.update(steps=[[[x, "1"] for x, _w in step] for step in g["steps"]])),
)
wrong(
    "equal-observations-once",
    "two-sample",
    "Takes equal observations of a sample once.",
    reweighed(lambda g: g.update(u=[*dict.fromkeys(g["u"])])),
)
wrong(
    "strata-ignored",
    "two-sample mann-whitney",
    "Exchanges observations across strata.",
    reweighed(lambda g: g.pop("strata", 0)),
)
wrong(
    "strata-as-numbers",
    "two-sample mann-whitney",
    "Takes labels of strata for numbers: 1 and 1.0 are one stratum.",
    reweighed(
        lambda g: (
            "strata" in g
            and g.update(strata=[[number_or_text(x) for x in column] for column in g["strata"]])
        )
    ),
)
wrong(
    "equal-strata",
    "two-sample",
    "Adds the differences of means of the strata, whatever their sizes.",
    reweighed_strata(lambda m, n: Fraction(m + n, m * n)),
)
wrong(
    "strata-by-size",
    "two-sample",
    "Weighs the differences of means of the strata by their numbers of observations.",
    reweighed_strata(lambda m, n: Fraction((m + n) ** 2, m * n)),
)
wrong(
    "unweighted-strata",
    "mann-whitney",
    "Adds the U of the strata, whatever their sizes.",
    reweighed_strata(lambda m, n: m + n + 1),
)
wrong(
    "ranks-over-all",
    "mann-whitney",
    "Ranks all observations together, and exchanges them within strata.",
    lambda q: reweighed(lambda g: "strata" in g and g.update(zip("uv", ranks_over_all(q))))(
        Question("two-sample", q.given, q.reading, q.alternative)
    ),
)
wrong("weights-squared", "weighted", "Squares the weights.", by_weights(lambda w: w * w))
wrong("inverse-weights", "weighted", "Divides by the weights.", by_weights(lambda w: 1 / w))
wrong("whole-weights", "weighted", "Rounds weights up to integers.", by_weights(math.ceil))
wrong(
    "task-sums",
    "weighted",
    "Adds over the pairs of a task, not their mean.",
    added_shares(lambda w, _s, _n: w),
)
wrong(
    "divided-by-pairs",
    "weighted",
    "Divides by the number of pairs of a task in place of the sum of their weights.",
    added_shares(lambda w, _s, n: w / n),
)
wrong(
    "weights-by-tasks",
    "weighted",
    "Weighs tasks by the sums of their weights.",
    added_shares(lambda w, s, n: w * s / n),
)
wrong(
    "groups-as-numbers",
    "paired-permutation",
    "Takes labels of groups for numbers: 1 and 1.0 are one group.",
    labels_as_numbers("groups"),
)
wrong(
    "groups-lowercase",
    "paired-permutation",
    "Takes labels that differ in capital letters for one.",
    reweighed(lambda g: "groups" in g and g.update(groups=[x.lower() for x in g["groups"]])),
)
wrong(
    "texts-compared",
    "sign",
    "Compares the texts of scores: 10 is less than 9.",
    lambda q: recounted(q, [(a > b) - (a < b) for a, b in zip(q.given["u"], q.given["v"])]),
)
wrong(
    "columns-sorted-as-texts",
    "sign",
    "Compares numbers of different lengths as texts, equal lengths as numbers.",
    lambda q: recounted(
        q,
        [
            plain.sign(Fraction(a) - Fraction(b)) if len(a) == len(b) else (a > b) - (a < b)
            for a, b in zip(q.given["u"], q.given["v"])
        ],
    ),
)
wrong(
    "ratio-0-is-1",
    "ratio",
    "Takes 0/0 for 1.",
    lambda q: by_score(q, lambda x, y: over(x, y, 1)),
)
wrong(
    "denominator-at-least-1",
    "ratio",
    "Takes 1 for a denominator below 1, and leaves systems of no denominator with the numerator of 1/2.",
    lambda q: by_score(q, lambda x, y: over(x, y, Fraction(1, 2))),
)
wrong(
    "nan-for-0-over-0",
    "ratio",
    "Answers NaN where an assignment has no denominator.",
    lambda q: (
        math.nan
        if any(
            y == 0 or y == plain.sums_of_first(q.given)[1][1]
            for _x, y in plain.sums_of_first(q.given)[0]
        )
        else right(q)
    ),
)
wrong(
    "rounded-scores-4",
    RATIOS,
    "Rounds the scores to four decimals.",
    lambda q: by_score(q, lambda x, y: round(plain.share(q.call, x, y), 4)),
)


# -------------------------------------------------------------------------------------------- ranks


def upper_sum(question):
    """(W+, n): half of the ranks of zeros belong to it in zsplit."""
    pairs, method = question.pairs, question.given["zero_method"]
    ranks = plain.mid_ranks([abs(d) for d in pairs if d or method != "wilcox"])
    above = sum(ranks[d] for d in pairs if d > 0)
    zeros = pairs.count(0)
    return above + (zeros * ranks[0] / 2 if zeros and method == "zsplit" else 0), sum(
        ranks[abs(d)] > 0 for d in pairs
    )


def untied(question, w, n):
    """The p-value of the rank sum w from the table for the ranks 1, ..., n."""
    counts = plain.flipped(tuple(Fraction(rank) for rank in range(1, n + 1)))
    t = 2 * w - Fraction(n * (n + 1), 2)
    greater, less = (Fraction(plain.extreme(counts, t, side), 2**n) for side in ("greater", "less"))
    return {
        "greater": greater,
        "less": less,
        "two-sided": min(Fraction(1), 2 * min(greater, less)),
    }[question.alternative]


def ranked(question, rank):
    """The p-value where the rank of each |d| is a function of it and of all sizes that are ranked."""
    method = question.given["zero_method"]
    sizes = [abs(d) for d in question.pairs if d or method != "wilcox"]
    return recounted(
        question, [plain.sign(d) * rank(abs(d), sizes) if d else 0 for d in question.pairs]
    )


@mistake("minimum-ranks", "wilcoxon")
def _(q):
    """Gives tied differences the least of their ranks."""
    return ranked(q, lambda x, sizes: sum(y < x for y in sizes) + 1)


@mistake("maximum-ranks", "wilcoxon")
def _(q):
    """Gives tied differences the greatest of their ranks."""
    return ranked(q, lambda x, sizes: sum(y <= x for y in sizes))


@mistake("dense-ranks", "wilcoxon")
def _(q):
    """Gives tied differences one rank without leaving out others (dense ranks)."""
    return ranked(q, lambda x, sizes: len({y for y in sizes if y <= x}))


@mistake("ranks-in-order", "wilcoxon")
def _(q):
    """Breaks ties of ranks by the order of the pairs."""
    method = q.given["zero_method"]
    order = sorted(
        (i for i, d in enumerate(q.pairs) if d or method != "wilcox"), key=lambda i: abs(q.pairs[i])
    )
    ranks = {i: rank for rank, i in enumerate(order, 1)}
    return recounted(q, [plain.sign(d) * ranks[i] if d else 0 for i, d in enumerate(q.pairs)])


@mistake("reversed-ranks", "wilcoxon")
def _(q):
    """Gives the rank 1 to the greatest difference."""
    return ranked(q, lambda x, sizes: len(sizes) + 1 - plain.mid_ranks(sizes)[x])


@mistake("scores-for-ranks", "wilcoxon")
def _(q):
    """Adds the differences in place of their ranks."""
    return recounted(q, q.pairs)


@mistake("signed-before-ranking", "wilcoxon")
def _(q):
    """Ranks the differences with their signs in place of their sizes."""
    ranks = plain.mid_ranks([d for d in q.pairs if d or q.given["zero_method"] != "wilcox"])
    return recounted(q, [plain.sign(d) * ranks[d] if d else 0 for d in q.pairs])


def by_method(question, **methods):
    """The p-value with another zero_method in place of those named."""
    method = question.given["zero_method"]
    return recounted(question, plain.signed_ranks(question.pairs, methods.get(method, method)))


@mistake("pratt-for-wilcox", "wilcoxon")
def _(q):
    """Ranks zeros and drops their ranks (pratt) where they must be left out before (wilcox)."""
    return by_method(q, wilcox="pratt")


@mistake("wilcox-for-pratt", "wilcoxon")
def _(q):
    """Leaves zeros out (wilcox) where they must be ranked first (pratt)."""
    return by_method(q, pratt="wilcox")


@mistake("wilcox-for-zsplit", "wilcoxon")
def _(q):
    """Leaves zeros out (wilcox) where their ranks must be split (zsplit)."""
    return by_method(q, zsplit="wilcox")


@mistake("wilcox-always", "wilcoxon")
def _(q):
    """Leaves zeros out, whatever zero_method says."""
    return by_method(q, pratt="wilcox", zsplit="wilcox")


@mistake("zeros-positive", "wilcoxon")
def _(q):
    """Counts the ranks of zeros as positive, where they are ranked."""
    if q.given["zero_method"] == "wilcox":
        return right(q)
    ranks = plain.mid_ranks(list(map(abs, q.pairs)))
    return recounted(q, [(plain.sign(d) or 1) * ranks[abs(d)] for d in q.pairs])


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
        return right(q)
    w, _n = upper_sum(q)
    return untied(q, w, len(q.pairs))


@mistake("float-ranks", "wilcoxon")
def _(q):
    """Ranks rounded differences of floats."""
    pairs = [
        Fraction(float(Fraction(a)) - float(Fraction(b)))
        for a, b in zip(q.given["u"], q.given["v"])
    ]
    return recounted(q, plain.signed_ranks(pairs, q.given["zero_method"]))


@mistake("no-tie-correction", "wilcoxon")
def _(q):
    """Takes the normal approximation with the variance of untied ranks."""
    n = sum(x != 0 for x in q.flips)
    return normal(q, sum(q.flips), n * (n + 1) * (2 * n + 1) / 6)


# ----------------------------------------------------------------------------------- counts of wins


@mistake("zeros-as-wins", "sign")
def _(q):
    """Counts equal scores as wins of the first system."""
    return recounted(q, [plain.sign(d) or 1 for d in q.pairs])


@mistake("zeros-as-losses", "sign")
def _(q):
    """Counts equal scores as wins of the second system."""
    return recounted(q, [plain.sign(d) or -1 for d in q.pairs])


@mistake("scores-for-signs", "sign")
def _(q):
    """Adds the differences in place of their signs."""
    return recounted(q, q.pairs)


@mistake("chi-squared-corrected", "mcnemar sign")
def _(q):
    """Takes chi-squared with the correction of Edwards in place of the exact test."""
    z = (abs(sum(q.flips)) - 1) / math.sqrt(sum(map(abs, q.flips)))
    p = math.erfc(max(z, 0) / math.sqrt(2))
    one = p / 2 if (sum(q.flips) > 0) == (q.alternative == "greater") else 1 - p / 2
    return p if q.alternative == "two-sided" else one


@mistake("one-more", "mcnemar sign")
def _(q):
    """Counts the observed number of wins as one more on the side of the larger."""
    return recounted(q, [*q.flips, plain.sign(sum(q.flips)) or 1])


@mistake("one-less", "mcnemar")
def _(q):
    """Leaves one discordant item of the first system out."""
    return recounted(q, q.flips[1:])


# ------------------------------------------------------------------------------------------- ratios


def by_score(question, score):
    """The p-value with another score of a system with the sums x and y."""
    sums, (all_x, all_y), observed = plain.sums_of_first(question.given)
    counts = Counter()
    for (x, y), count in sums.items():
        counts[score(x, y) - score(all_x - x, all_y - y)] += count
    t = score(*observed) - score(all_x - observed[0], all_y - observed[1])
    return Fraction(plain.extreme(counts, t, question.alternative), 2 ** len(question.given["u"]))


def over(x, y, zero=0):
    """x / y, or another number where y is 0."""
    return x / y if y else Fraction(zero)


@mistake("numerators-only", RATIOS)
def _(q):
    """Compares sums of the first entries only."""
    return by_score(q, lambda x, _y: x)


@mistake("macro-average", RATIOS)
def _(q):
    """Averages the scores of single pairs in place of the score of the sums."""
    each = [[plain.share(q.call, *map(Fraction, row)) for row in q.given[name]] for name in "uv"]
    return recounted(q, [a - b for a, b in zip(*each)])


@mistake("nothing-is-one", "f1")
def _(q):
    """Gives the score 1 where there is nothing to find, 0/0."""
    return by_score(q, lambda x, y: over(2 * x, 2 * x + y, 1))


@mistake("nan-for-nothing", "f1")
def _(q):
    """Answers NaN where the score of an assignment is 0/0."""
    sums, (all_x, all_y), _observed = plain.sums_of_first(q.given)
    return math.nan if (0, 0) in sums or (all_x, all_y) in sums else right(q)


@mistake("not-halved", "f1")
def _(q):
    """Does not halve the incorrect ones: tp / (tp + incorrect)."""
    return by_score(q, lambda x, y: over(x, x + y))


@mistake("doubled-incorrect", "f1")
def _(q):
    """Doubles the incorrect ones in place of halving them: tp / (tp + 2 incorrect)."""
    return by_score(q, lambda x, y: over(x, x + 2 * y))


@mistake("difference-of-entries", RATIOS)
def _(q):
    """Compares the sums of first minus second entries."""
    return by_score(q, lambda x, y: x - y)


@mistake("inverse-ratio", "ratio")
def _(q):
    """Divides the second entries by the first."""
    return by_score(q, lambda x, y: over(-y, x))


@mistake("share-of-sum", "ratio")
def _(q):
    """Divides the first entries by the sum of both."""
    return by_score(q, lambda x, y: over(x, x + y))


@mistake("ratio-of-ratios", RATIOS)
def _(q):
    """Compares the ratio of the two scores with 1, as differences of logarithms do."""
    return by_score(
        q,
        lambda x, y: (
            Fraction(math.log(score)) if (score := plain.share(q.call, x, y)) > 0 else -1000
        ),
    )


# ------------------------------------------------------------------------------------- several runs


def extreme_share(question, counts, t):
    """The p-value of an observed value of another statistic or another exchange; None where it is not laid out."""
    if counts is None:
        return None
    return Fraction(plain.extreme(counts, t, question.alternative), sum(counts.values()))


def exchanging(question, u, v, statistic=plain.advantage, design=None):
    """The p-value where other runs, or another statistic of them, are exchanged; NaN where no item is left."""
    if not u:
        return math.nan
    return extreme_share(
        question, *plain.exchanged(design or question.given["design"], u, v, statistic)
    )


def flipping(question, values):
    """The p-value of pairs: numbers whose signs change."""
    values = list(values)
    return extreme_share(question, plain.flipped(values), sum(values)) if values else math.nan


def widths(question):
    """The numbers of runs of each item, of both systems."""
    return [[len(runs) for runs in rows] for rows in question.runs]


def weighted(question, weight):
    """The p-value where the difference of each item counts by a weight of its runs."""
    return exchanging(question, *question.runs, lambda a, b: weight(a, b) * plain.advantage(a, b))


def other_design(done, meant):
    """Register the mistake that exchanges as another design does."""

    def answer(q):
        u, v = q.runs
        if q.given["design"] != meant:
            return right(q)
        if done == "systems" and any(len(set(row)) > 1 for row in widths(q)):
            return None
        return exchanging(q, u, v, design=done)

    words = {
        "within": "all runs of each item",
        "items": "the two blocks of runs",
        "systems": "whole runs",
    }
    answer.__doc__ = f"Exchanges {words[done]} where {words[meant]} are exchangeable."
    mistake(f"{done}-for-{meant}", "runs")(answer)


for done, meant in permutations(("within", "items", "systems"), 2):
    other_design(done, meant)


@mistake("pooled-runs", "runs")
def _(q):
    """Shuffles the runs of all items in one pool, whatever the design."""
    a, b = ([x for row in rows for x in row] for rows in q.runs)
    values, scale = plain.in_steps([*a, *b])
    sums = {(0, 0): 1}
    for value in values:
        after = Counter(sums)
        for (taken, x), count in sums.items():
            if taken < len(a):
                after[taken + 1, x + value] += count
        sums = after
        if len(sums) > plain.MOST_CELLS:
            return None
    every, m, n = sum(values), len(a), len(b)
    means = {
        Fraction(x, m) - Fraction(every - x, n): count
        for (taken, x), count in sums.items()
        if taken == m
    }
    return extreme_share(q, means, plain.advantage(a, b) * scale)


@mistake("epochs-paired", "runs")
def _(q):
    """Swaps the run of one system with the run of the same number of the other, as pairs, whatever the design."""
    return flipping(q, [x - y for a, b in zip(*q.runs) for x, y in zip(a, b)])


def of_each_item(name, words, reduce):
    """Register the mistake that reduces the runs of an item to one number, whatever the design."""

    def answer(q):
        return flipping(q, [reduce(a) - reduce(b) for a, b in zip(*q.runs)])

    answer.__doc__ = f"Takes {words} of each item and swaps these, whatever the design."
    mistake(name, "runs")(answer)


of_each_item("first-run", "the first run", lambda runs: runs[0])
of_each_item("last-run", "the last run", lambda runs: runs[-1])
of_each_item("best-run", "the best run", max)
of_each_item("median-run", "the median of the runs", median)


@mistake("unpaired-means", "runs")
def _(q):
    """Permutes the means of the items between the systems, without the items."""
    a, b = ([plain.mean(runs) for runs in rows] for rows in q.runs)
    return extreme_share(q, plain.shuffled(a, b), plain.advantage(a, b)) if len(a) <= 6 else None


@mistake("sum-for-mean", "runs")
def _(q):
    """Adds the runs of an item in place of taking their mean."""
    return exchanging(q, *q.runs, lambda a, b: sum(a) - sum(b))


@mistake("weighted-by-runs", "runs")
def _(q):
    """Weights items by their number of runs."""
    return weighted(q, lambda a, b: len(a) + len(b))


@mistake("mean-of-all-runs", "runs")
def _(q):
    """Compares the means of all runs of a system in place of the means of the items."""
    m, n = map(sum, widths(q))
    return exchanging(q, *q.runs, lambda a, b: Fraction(sum(a), m) - Fraction(sum(b), n))


@mistake("median-of-runs", "runs")
def _(q):
    """Takes the median of the runs of an item in place of their mean."""
    return exchanging(q, *q.runs, lambda a, b: median(a) - median(b))


@mistake("absolute-items", "runs")
def _(q):
    """Adds the differences of the items without their signs."""
    return exchanging(q, *q.runs, lambda a, b: abs(plain.advantage(a, b)))


@mistake("won-items", "runs")
def _(q):
    """Counts the items that a system wins in place of their differences."""
    return exchanging(q, *q.runs, lambda a, b: plain.sign(plain.advantage(a, b)))


@mistake("two-to-the-items", "runs")
def _(q):
    """Divides the number of labelings by 2^N of N items."""
    return right(q) * Fraction(q.total, 2 ** len(q.given["u"]))


@mistake("equal-runs-once", "runs")
def _(q):
    """Counts choices of equal runs once."""
    if q.given["design"] == "items":
        return right(q)
    u, v = (
        q.runs if q.given["design"] == "within" else ([runs] for runs in plain.over_items(*q.runs))
    )
    parts = [dict.fromkeys(plain.shuffled(a, b), 1) for a, b in zip(u, v)]
    return extreme_share(q, plain.added(parts), q.null[1])


@mistake("doubled-tail", "runs")
def _(q):
    """Doubles the smaller tail, capped at 1, where the two tails differ."""
    both = [right(q.other(side)) for side in ("greater", "less")]
    return min(Fraction(1), 2 * min(both)) if q.alternative == "two-sided" else right(q)


@mistake("drops-unequal", "runs")
def _(q):
    """Leaves out items of which the systems have different numbers of runs."""
    kept = [(a, b) for a, b in zip(*q.runs) if len(a) == len(b)]
    return exchanging(q, *zip(*kept)) if kept else math.nan


def of_equal_width(q, width, filler=()):
    """The p-value where every item has so many runs; missing ones are filled up."""
    rows = [[(runs + [*filler] * width)[:width] for runs in rows] for rows in q.runs]
    return exchanging(q, *rows)


@mistake("cut-to-least", "runs")
def _(q):
    """Cuts the runs of all items to the least number of runs."""
    return of_equal_width(q, min(map(min, widths(q))))


@mistake("missing-as-zero", "runs")
def _(q):
    """Counts missing runs as 0."""
    return of_equal_width(q, max(map(max, widths(q))), [Fraction(0)])


@mistake("first-item", "runs")
def _(q):
    """Ignores the first item."""
    return exchanging(q, *(rows[1:] for rows in q.runs))


@mistake("last-item", "runs")
def _(q):
    """Ignores the last item."""
    return exchanging(q, *(rows[:-1] for rows in q.runs))


@mistake("float-run-means", "runs", may=True)
def _(q):
    """Adds means of runs in floats and compares the sums with == or >=."""
    answers = [right_in_floats(q, mean) for mean in (float_mean, float_parts)]
    return (
        None
        if None in answers
        else right(q)
        if {*answers} == {right(q)}
        else (min(answers), max(answers))
    )


def float_mean(runs):
    return floats_sum(runs, float) / len(runs)


def float_parts(runs):
    return floats_sum([x / len(runs) for x in runs], float)


def right_in_floats(question, mean):
    """The p-value from all labelings, whose sums of differences of means are added one by one."""
    u, v = ([[float(Fraction(x)) for x in runs] for runs in question.given[name]] for name in "uv")
    design = question.given["design"]
    if design == "systems":
        u, v = ([[mean(run) for run in zip(*rows)]] for rows in (u, v))
    exchange = plain.swapped if design == "items" else plain.shuffled
    parts = [exchange(a, b, lambda a, b: mean(a) - mean(b)) for a, b in zip(u, v)]
    sums = Counter({0.0: 1})
    for values in parts:
        after = Counter()
        for x, count in sums.items():
            for y, choices in values.items():
                after[x + y] += count * choices
        sums = after
        if len(sums) > plain.MOST_CELLS:
            return None
    t = floats_sum([mean(a) - mean(b) for a, b in zip(u, v)], float)
    return extreme_share(question, sums, t)


# ---------------------------------------------------------------------------------------- intervals


def listed(question):
    """The right list."""
    return plain.listed(question.call, question.given, question.reading, question.alternative)


@lru_cache(maxsize=64)
def all_means(d, weights):
    """The means of all subsets in order, kept for the mistakes that take others of them."""
    return plain.subset_means(d, weights)


def inverted(q, units=None, *, rank=lambda k, _n: k, means=lambda means: means, alternative=None):
    """The interval of other units (sums, numbers of pairs), with another rank, or of other means."""
    d, weights = units or plain.swap_units(q.given, q.reading)
    alternative = alternative or q.alternative
    k = rank(plain.rank_of_ends(q.given["confidence"], alternative, len(d)), len(d))
    return plain.ends(means(all_means(tuple(d), tuple(weights))), k, alternative)


def bounded(q, low, high):
    """Two ends, of which the alternative leaves one open."""
    return [
        -math.inf if q.alternative == "less" else low,
        math.inf if q.alternative == "greater" else high,
    ]


def alpha_of_tail(q):
    """The level of each tail."""
    return (1 - Fraction(q.given["confidence"])) / (2 if q.alternative == "two-sided" else 1)


def by_order(q, values, counts):
    """The interval whose ends are order statistics of values: the rank is the quantile of a null distribution."""
    total, below, rank = sum(counts.values()), 0, 0
    for rank in sorted(counts):
        below += counts[rank]
        if below > alpha_of_tail(q) * total:
            break
    return plain.ends(sorted(values), int(rank), q.alternative)


@mistake("rank-further-out", "interval")
def _(q):
    """Takes the means one rank too far out, the (k - 1)-th."""
    return inverted(q, rank=lambda k, _n: k - 1)


@mistake("rank-further-in", "interval")
def _(q):
    """Takes the means one rank too far in, the (k + 1)-th."""
    return inverted(q, rank=lambda k, _n: k + 1)


@mistake("p-at-level-kept", "interval")
def _(q):
    """Keeps shifts whose p-value is the level itself, which the test rejects."""
    return inverted(q, rank=lambda _k, n: math.ceil(alpha_of_tail(q) * 2**n) - 1)


@mistake("alpha-not-halved", "interval")
def _(q):
    """Takes the whole level for each end of a two-sided interval."""
    return bounded(
        q, *(inverted(q, alternative=side)[i] for i, side in enumerate(("greater", "less")))
    )


@mistake("alpha-always-halved", "interval")
def _(q):
    """Takes half of the level for a one-sided limit, too."""
    return bounded(q, *inverted(q, alternative="two-sided"))


@mistake("level-for-alpha", "interval")
def _(q):
    """Takes the confidence for the level of the test."""
    return inverted(
        q,
        rank=lambda _k, n: (
            (2**n * Fraction(q.given["confidence"])) // (2 - (q.alternative != "two-sided"))
        ),
    )


@mistake("sides-exchanged", "interval")
def _(q):
    """Exchanges the lower limit of greater and the upper limit of less."""
    return inverted(q, alternative={"greater": "less", "less": "greater"}.get(q.alternative))


@mistake("always-two-ends", "interval")
def _(q):
    """Answers the two-sided interval, whatever the alternative."""
    return inverted(q, alternative="two-sided")


@mistake("never-open", "interval")
def _(q):
    """Answers the least or the largest mean where no p-value is small enough for an end."""
    return inverted(q, rank=lambda k, _n: max(k, 1))


@mistake("range", "interval")
def _(q):
    """Answers the least and the largest difference."""
    return bounded(
        q,
        *(end(x / w for x, w in zip(*plain.swap_units(q.given, q.reading))) for end in (min, max)),
    )


@mistake("second-minus-first", "interval")
def _(q):
    """Answers the interval of the negated differences, with the sides exchanged back."""
    low, high = inverted(q, alternative={"greater": "less", "less": "greater"}.get(q.alternative))
    return [-high, -low]


@mistake("interval-of-sum", "interval")
def _(q):
    """Multiplies both ends by the number of pairs."""
    return [end * len(q.given["d"]) for end in listed(q)]


@mistake("divided-by-all", "interval")
def _(q):
    """Divides the sum of each subset by the number of all pairs in place of its own."""
    d, weights = plain.swap_units(q.given, q.reading)
    sums = [Fraction(0)]
    for x in d:
        sums += [x + y for y in sums]
    return inverted(q, means=lambda _means: sorted(x / sum(weights) for x in sums[1:]))


@mistake("full-mean-left-out", "interval")
def _(q):
    """Leaves the mean of all differences out of the means of subsets."""
    d, weights = plain.swap_units(q.given, q.reading)
    mean = sum(d) / sum(weights)
    return inverted(q, means=lambda means: without_first(means, mean))


def without_first(values, value):
    i = values.index(value)
    return values[:i] + values[i + 1 :] or [math.nan]


@mistake("distinct-means", "interval")
def _(q):
    """Counts equal means once."""
    return inverted(q, means=lambda means: sorted(set(means)))


@mistake("walsh-averages", "interval")
def _(q):
    """Takes the means of two differences, the interval of Wilcoxon's test."""
    d, _weights = plain.swap_units(q.given, q.reading)
    averages = [(d[i] + d[j]) / 2 for i in range(len(d)) for j in range(i + 1)]
    return by_order(
        q, averages, plain.positive_sums({i: i for i in range(len(d) + 1)}, range(1, len(d) + 1))
    )


@mistake("order-of-differences", "interval")
def _(q):
    """Takes the differences themselves, the interval of the sign test for a median."""
    d, _weights = plain.swap_units(q.given, q.reading)
    return by_order(q, d, {k: math.comb(len(d), k) for k in range(len(d) + 1)})


@mistake("null-quantiles", "interval")
def _(q):
    """Adds quantiles of the null distribution to the observed mean in place of inverting the test."""
    d, weights = plain.swap_units(q.given, q.reading)
    counts, below, n = plain.flipped(d), 0, sum(weights)
    for x in sorted(counts):
        below += counts[x]
        if below > alpha_of_tail(q) * 2 ** len(d):
            return bounded(q, (sum(d) + x) / n, (sum(d) - x) / n)
    return None


@mistake("normal-interval", "interval")
def _(q):
    """Answers mean and standard error times the normal quantile."""
    d, weights = plain.swap_units(q.given, q.reading)
    n = sum(weights)
    centre, size = sum(d) / n, len(d)
    variance = sum((x - centre * w) ** 2 for x, w in zip(d, weights)) / max(size - 1, 1) * size
    width = NormalDist().inv_cdf(float(1 - alpha_of_tail(q))) * math.sqrt(variance) / n
    return bounded(q, float(centre) - width, float(centre) + width)


@mistake("interpolated", "interval")
def _(q):
    """Interpolates between means for a quantile of all means of subsets."""
    means, part = (
        inverted(
            q,
            means=lambda means: [means] * len(means),
            rank=lambda _k, _n: 1,
            alternative="two-sided",
        )[0],
        alpha_of_tail(q),
    )
    found = []
    for share in (part, 1 - part):
        i, rest = divmod(share * (len(means) - 1), 1)
        found.append(
            means[int(i)] + rest * (means[min(int(i) + 1, len(means) - 1)] - means[int(i)])
        )
    return bounded(q, *found)


@mistake("estimate-only", "interval")
def _(q):
    """Answers the mean for both ends."""
    d, weights = plain.swap_units(q.given, q.reading)
    return bounded(q, *[sum(d) / sum(weights)] * 2)


@mistake("zeros-left-out", "interval null-distribution")
def _(q):
    """Leaves differences of 0 out."""
    return without(q, [i for i, x in enumerate(q.given["d"]) if not Fraction(x)])


def without(question, dropped):
    """The right list without some differences."""
    kept = [i for i in range(len(question.given["d"])) if i not in dropped]
    if not kept:
        return [math.nan] * 2
    names = [name for name in ("d", "groups") if name in question.given]
    given = {**question.given, **{name: [question.given[name][i] for i in kept] for name in names}}
    return listed(Question(question.call, given, question.reading, question.alternative))


@mistake("first-difference", "interval null-distribution")
def _(q):
    """Ignores the first difference."""
    return without(q, [0])


@mistake("last-difference", "interval null-distribution")
def _(q):
    """Ignores the last difference."""
    return without(q, [len(q.given["d"]) - 1])


def each(entry, change):
    """A list with its finite numbers changed."""
    if isinstance(entry, list):
        return [each(x, change) for x in entry]
    return change(entry) if math.isfinite(entry) else entry


@mistake("rounded-ends", "interval")
def _(q):
    """Rounds the ends to 3 decimals."""
    return each(listed(q), lambda x: round(float(x), 3))


@mistake("single-precision-ends", "interval")
def _(q):
    """Rounds the ends to single precision."""
    return each(listed(q), lambda x: single(float(x)))


@mistake("groups-one-by-one", "interval")
def _(q):
    """Swaps the pairs of a group one by one."""
    given = {name: value for name, value in q.given.items() if name != "groups"}
    return listed(Question(q.call, given, q.reading, q.alternative))


@mistake("groups-for-pairs", "interval")
def _(q):
    """Divides sums of groups by the number of groups in place of pairs."""
    d, weights = plain.swap_units(q.given, q.reading)
    return inverted(q, (d, [1] * len(weights)))


@mistake("means-of-groups", "interval")
def _(q):
    """Takes the mean of each group as one pair."""
    d, weights = plain.swap_units(q.given, q.reading)
    return inverted(q, ([x / w for x, w in zip(d, weights)], [1] * len(weights)))


# ------------------------------------------------------------------------------- null distributions


def null_rows(name, test=None, *, may=False):
    """Register a wrong list of rows, for one test or for both: a function of a question and its right rows."""

    def register(function):
        def answer(q):
            return (
                function(q, listed(q))
                if q.given["test"] == (test or q.given["test"])
                else listed(q)
            )

        answer.__doc__ = function.__doc__
        return mistake(name, "null-distribution", may=may)(answer)

    return register


def column(q):
    """The differences."""
    return plain.differences(q.call, q.given, q.reading)


def flipped_rows(d):
    """The rows of other differences."""
    return plain.rows(plain.flipped([*map(Fraction, d)]))


def ranked_rows(q, rank):
    """The rows where the rank of each size is a function of it and of all sizes."""
    sizes = [*map(abs, column(q))]
    return plain.rows(plain.positive_sums({x: Fraction(rank(x, sizes)) for x in sizes}, sizes))


@null_rows("probabilities")
def _(q, rows):
    """Answers probabilities in place of numbers of assignments."""
    return [[x, Fraction(count, sum(n for _x, n in rows))] for x, count in rows]


@null_rows("cumulative-counts")
def _(_q, rows):
    """Answers the number of assignments up to each value."""
    return [[x, sum(n for y, n in rows if y <= x)] for x, _count in rows]


@null_rows("upper-counts")
def _(_q, rows):
    """Answers the number of assignments with each value or a larger one."""
    return [[x, sum(n for y, n in rows if y >= x)] for x, _count in rows]


@null_rows("every-assignment")
def _(_q, rows):
    """Answers a row for each assignment."""
    return (
        [[x, 1] for x, count in rows for _ in range(count)]
        if sum(n for _x, n in rows) <= 64
        else None
    )


@null_rows("distinct-values")
def _(_q, rows):
    """Counts each value once."""
    return [[x, 1] for x, _count in rows]


@null_rows("merged-within-1e-3")
def _(_q, rows):
    """Merges values within 1e-3 of the one before."""
    found = []
    for x, count in rows:
        if found and x - found[-1][0] < Fraction(1, 1000):
            found[-1][1] += count
        else:
            found.append([x, count])
    return found


@null_rows("8-bit-counts")
def _(_q, rows):
    """Counts in 8-bit integers."""
    return [[x, wrapped(count, 8)] for x, count in rows]


@null_rows("descending")
def _(_q, rows):
    """Gives the values in descending order."""
    return rows[::-1]


@null_rows("observed-left-out")
def _(q, rows):
    """Leaves the observed assignment out."""
    t = (
        sum(column(q))
        if q.given["test"] == "sign-flip"
        else sum(plain.mid_ranks([*map(abs, column(q))])[d] for d in column(q) if d > 0)
    )
    return [[x, count - (x == t)] for x, count in rows if count > (x == t)]


@null_rows("ends-left-out")
def _(_q, rows):
    """Leaves the least and the largest value out."""
    return rows[1:-1]


@null_rows("first-sign-kept")
def _(q, _rows):
    """Never swaps the first pair."""
    first, *others = column(q)
    if q.given["test"] == "sign-flip":
        return plain.rows(
            {x + first: n for x, n in plain.flipped(others).items()} if others else {first: 1}
        )
    ranks = plain.mid_ranks([*map(abs, column(q))])
    shift = ranks[abs(first)] if first > 0 else 0
    return plain.rows({x + shift: n for x, n in plain.positive_sums(ranks, others).items()})


@null_rows("gaps-filled")
def _(_q, rows):
    """Answers a row for each step between the values, with a count of 0 where no assignment has it."""
    steps, scale = plain.in_steps([Fraction(x) for x, _count in rows])
    counts = dict(zip(steps, (count for _x, count in rows)))
    step = math.gcd(*(x - steps[0] for x in steps)) or 1
    if (steps[-1] - steps[0]) // step > 64:
        return None
    return [[Fraction(x, scale), counts.get(x, 0)] for x in range(steps[0], steps[-1] + 1, step)]


@null_rows("means-for-sums")
def _(q, rows):
    """Divides the values by the number of differences."""
    return [[Fraction(x) / len(q.given["d"]), count] for x, count in rows]


@null_rows("shifted-to-observed", "sign-flip")
def _(q, rows):
    """Adds the observed sum to each value."""
    return [[x + sum(column(q)), count] for x, count in rows]


@null_rows("absolute-sums", "sign-flip")
def _(_q, rows):
    """Answers the distribution of the absolute value of the sum."""
    sums = Counter()
    for x, count in rows:
        sums[abs(x)] += count
    return plain.rows(sums)


@null_rows("upper-half", "sign-flip")
def _(_q, rows):
    """Answers the values from 0 on only."""
    return [[x, count] for x, count in rows if x >= 0]


@null_rows("positive-sums", "sign-flip")
def _(q, _rows):
    """Adds the sizes of the positive differences in place of all differences with their signs."""
    return plain.rows(plain.positive_sums({abs(d): abs(d) for d in column(q)}, column(q)))


@null_rows("equal-sizes-once", "sign-flip")
def _(q, _rows):
    """Takes differences of equal size once."""
    return flipped_rows({*map(abs, column(q))})


@null_rows("ranks-for-differences", "sign-flip")
def _(q, _rows):
    """Takes signed ranks in place of the differences."""
    return flipped_rows(plain.signed_ranks(column(q), "wilcox"))


@null_rows("signs-for-differences", "sign-flip")
def _(q, _rows):
    """Takes the signs of the differences in place of their sizes."""
    return flipped_rows(map(plain.sign, column(q)))


@null_rows("float-cells", "sign-flip", may=True)
def _(q, _rows):
    """Adds floats one by one and takes sums that differ in the last digit for different values."""
    cells = {0.0: 1}
    for d in map(float, column(q)):
        after = {}
        for x, count in cells.items():
            for y in (x + d, x - d):
                after[y] = after.get(y, 0) + count
        cells = after
    return plain.rows(cells)


@null_rows("whole-numbers", "sign-flip")
def _(q, _rows):
    """Rounds the differences to integers."""
    return flipped_rows(map(round, column(q)))


@null_rows("signed-ranks", "wilcoxon")
def _(q, _rows):
    """Adds ranks with their signs in place of those of the positive differences."""
    return flipped_rows(plain.signed_ranks(column(q), "wilcox"))


@null_rows("table-without-ties", "wilcoxon")
def _(q, _rows):
    """Takes the ranks 1 to n, whatever the ties."""
    n = len(column(q))
    return plain.rows(plain.positive_sums({i: i for i in range(n + 1)}, range(1, n + 1)))


@null_rows("least-ranks", "wilcoxon")
def _(q, _rows):
    """Gives tied differences the least of their ranks."""
    return ranked_rows(q, lambda x, sizes: sum(y < x for y in sizes) + 1)


@null_rows("largest-ranks", "wilcoxon")
def _(q, _rows):
    """Gives tied differences the largest of their ranks."""
    return ranked_rows(q, lambda x, sizes: sum(y <= x for y in sizes))


@null_rows("ranks-without-gaps", "wilcoxon")
def _(q, _rows):
    """Gives tied differences one rank without leaving out others."""
    return ranked_rows(q, lambda x, sizes: len({y for y in sizes if y <= x}))


@null_rows("truncated-ranks", "wilcoxon")
def _(q, _rows):
    """Cuts the halves of mean ranks off."""
    return ranked_rows(q, lambda x, sizes: int(plain.mid_ranks(sizes)[x]))


@null_rows("doubled-ranks", "wilcoxon")
def _(q, rows):
    """Doubles mean ranks to have integers, and does not halve the values."""
    return [[2 * x, count] for x, count in rows]


@null_rows("differences-for-ranks", "wilcoxon")
def _(q, _rows):
    """Takes the sizes of the differences in place of their ranks."""
    return ranked_rows(q, lambda x, _sizes: x)


# ------------------------------------------------------------------------------------ several tests


def adjusting(name, *methods):
    """Register a wrong adjustment of sorted p-values, for some methods: a function of them and of the method."""

    def register(function):
        def answer(q):
            ps, method = [Fraction(p) for p in q.given["pvalues"]], q.given["method"]
            if method not in methods:
                return plain.adjusted(method, ps)
            order = sorted(range(len(ps)), key=ps.__getitem__)
            values = dict(zip(order, function([ps[i] for i in order], method)))
            return [values[i] for i in range(len(ps))]

        answer.__doc__ = function.__doc__
        return mistake(name, "adjust")(answer)

    return register


def capped(values):
    """No value above 1."""
    return [min(Fraction(1), x) for x in values]


@adjusting("hommel-index", "hommel")
def _(ps, _method):
    """Hommel with an index from 0 where it must be from 1."""
    n = len(ps)
    adjusted = list(ps)
    for s in range(n, 1, -1):
        others = min((s * ps[n - s + k] / (k + 1) for k in range(1, s)), default=1)
        for i in range(n):
            own = min(s * ps[i], others) if i < n - s else others
            adjusted[i] = max(adjusted[i], own if i else ps[i])
    return capped(adjusted)


@adjusting("holm-no-maximum", "holm")
def _(ps, _method):
    """Holm without the running maximum."""
    return capped((len(ps) - j) * p for j, p in enumerate(ps))


@adjusting("step-off-by-one", "holm", "hochberg")
def _(ps, method):
    """Multiplies by n - j - 1 in place of n - j in Holm and Hochberg, but for the last one."""
    steps = [max(len(ps) - j - 1, 1) * p for j, p in enumerate(ps)]
    if method == "holm":
        return capped(max(steps[: j + 1]) for j in range(len(ps)))
    return capped(min(steps[j:]) for j in range(len(ps)))


@adjusting("hochberg-no-minimum", "hochberg")
def _(ps, _method):
    """Hochberg without the running minimum."""
    return capped((len(ps) - j) * p for j, p in enumerate(ps))


@adjusting("hochberg-for-holm", "holm")
def _(ps, _method):
    """Hochberg in place of Holm."""
    return plain.adjusted("hochberg", ps)


@adjusting("holm-for-hochberg", "hochberg")
def _(ps, _method):
    """Holm in place of Hochberg."""
    return plain.adjusted("holm", ps)


@adjusting("hochberg-for-hommel", "hommel")
def _(ps, _method):
    """Hochberg in place of Hommel."""
    return plain.adjusted("hochberg", ps)


@adjusting("bonferroni-for-all", "holm", "hochberg", "hommel")
def _(ps, _method):
    """Bonferroni in place of Holm, Hochberg and Hommel."""
    return plain.adjusted("bonferroni", ps)


@adjusting("bh-maximum", "fdr_bh")
def _(ps, _method):
    """Benjamini-Hochberg with a running maximum in place of the minimum."""
    steps = [len(ps) * p / (j + 1) for j, p in enumerate(ps)]
    return capped(max(steps[: j + 1]) for j in range(len(ps)))


@adjusting("bh-no-minimum", "fdr_bh")
def _(ps, _method):
    """Benjamini-Hochberg without the running minimum."""
    return capped(len(ps) * p / (j + 1) for j, p in enumerate(ps))


@adjusting("bh-for-by", "fdr_by")
def _(ps, _method):
    """Benjamini-Hochberg in place of Benjamini-Yekutieli: without the harmonic number."""
    return plain.adjusted("fdr_bh", ps)


@adjusting("by-short", "fdr_by")
def _(ps, _method):
    """Benjamini-Yekutieli with one term of the harmonic number too few."""
    n = len(ps)
    harmonic = sum(Fraction(1, k) for k in range(1, n)) or 1
    return capped(
        harmonic * min(n * p / (k + 1) for k, p in list(enumerate(ps))[j:]) for j in range(n)
    )


@adjusting("float-sidak", "sidak")
def _(ps, _method):
    """Sidak as 1 - (1 - p)**m in floats."""
    return [1 - (1 - float(p)) ** len(ps) for p in ps]


@adjusting("bonferroni-for-sidak", "sidak")
def _(ps, _method):
    """Bonferroni in place of Sidak."""
    return plain.adjusted("bonferroni", ps)


@adjusting("holm-for-holm-sidak", "holm-sidak")
def _(ps, _method):
    """Holm in place of Holm-Sidak."""
    return plain.adjusted("holm", ps)


@adjusting("holm-sidak-no-maximum", "holm-sidak")
def _(ps, _method):
    """Holm-Sidak without the running maximum."""
    return [1 - (1 - p) ** (len(ps) - j) for j, p in enumerate(ps)]


@adjusting("uncapped-adjustment", "bonferroni", "holm", "hochberg", "hommel", "fdr_bh", "fdr_by")
def _(ps, method):
    """Does not cap adjusted p-values at 1."""
    return [x * 10**6 for x in plain.adjusted(method, [p / 10**6 for p in ps])]


@adjusting("float-holm-sidak", "holm-sidak")
def _(ps, _method):
    """Holm-Sidak as 1 - (1 - p)**k in floats."""
    steps = [1 - (1 - float(p)) ** (len(ps) - j) for j, p in enumerate(ps)]
    return [max(steps[: j + 1]) for j in range(len(ps))]


@adjusting("bonferroni-one-less", "bonferroni")
def _(ps, _method):
    """Bonferroni with one test less."""
    return capped((len(ps) - 1) * p for p in ps)


@adjusting("holm-ties-lowered", "holm")
def _(ps, _method):
    """Gives tied p-values the factor of the last of them in Holm."""
    steps = [(len(ps) - (len(ps) - 1 - ps[::-1].index(p))) * p for p in ps]
    return capped(max(steps[: j + 1]) for j in range(len(ps)))


@mistake("given-order", "adjust")
def _(q):
    """Returns the adjusted p-values in ascending order, not in that of the input."""
    return sorted(plain.adjusted(q.given["method"], list(map(Fraction, q.given["pvalues"]))))


@mistake("taken-as-sorted", "adjust")
def _(q):
    """Takes the input for sorted."""
    return plain.adjusted_sorted(q.given["method"], list(map(Fraction, q.given["pvalues"])))


@mistake("rounded-adjustment", "adjust")
def _(q):
    """Rounds adjusted p-values to 4 decimals."""
    return [
        round(float(p), 4)
        for p in plain.adjusted(q.given["method"], list(map(Fraction, q.given["pvalues"])))
    ]


@mistake("not-adjusted", "adjust")
def _(q):
    """Returns the p-values as they are."""
    return list(map(Fraction, q.given["pvalues"]))
