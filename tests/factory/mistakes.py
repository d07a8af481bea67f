"""Wrong implementations: the vectors must tell every one of them from the truth.

A mistake takes a question and returns its answer, or None where it is not simulated. ``MISTAKES``
has them by name, with a sentence as docstring; ``calls`` of each are those where it is possible, and
where at least three vectors must reveal it. What half of all vectors would show is not listed.
"""

import math
import struct
from collections import Counter
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import groupby, permutations, product
from statistics import median

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
        return plain.units(self.call, self.given, self.reading)

    @cached_property
    def total(self):
        """The number of all assignments."""
        return sum(self.null[0].values())

    @cached_property
    def runs(self):
        return plain.runs(self.given, self.reading)

    def other(self, alternative):
        """The same question with another alternative; what does not depend on that is kept."""
        question = Question(self.call, self.given, self.reading, alternative)
        question.__dict__.update({**self.__dict__, "alternative": alternative})
        return question

    def with_input(self, **changed):
        """The same question about another input."""
        return Question(self.call, {**self.given, **changed}, self.reading, self.alternative)

    @property
    def sized(self):
        """The sizes that are ranked."""
        kept = self.given.get("zero_method") != "wilcox"
        return [abs(d) for d in self.pairs if d or kept]

    @property
    def plain_sum(self):
        """Whether the statistic is the sum of ungrouped differences."""
        return self.call in SUMS.split() and "groups" not in self.given


SUMS = "paired-permutation sign-flip"
SIGNED = f"{SUMS} wilcoxon sign mcnemar"
"""Calls whose statistic is a sum of one difference for each swap unit."""

RATIOS = "f1 ratio"
COUNTED = f"{SIGNED} {RATIOS}"
TAILS = f"{COUNTED} runs mid-p weighted two-sample mann-whitney sum"
"""Calls whose answers are tails."""


def family(calls, answered, rows):
    """Register wrong implementations of some calls: {name: (sentence, part)}; they return answered(question, part)."""
    for name, (words, part) in rows.items():

        def answer(question, part=part):
            if question.call not in LISTS and question.null[0] is None:
                return None
            try:
                return answered(question, part)
            except ArithmeticError:  # floats that overflow, or a division by 0
                return math.nan

        answer.__doc__, answer.calls = words, calls.split()
        MISTAKES[name] = answer


def whole(question, part):
    """Answer with a function of the question."""
    return part(question)


def share(question, extreme):
    """The probability that ``extreme(value, observed)`` holds."""
    counts, t, _units = question.null
    return Fraction(sum(count for x, count in counts.items() if extreme(x, t)), question.total)


def right(question):
    """The right p-value."""
    counts, t, _units = question.null
    return counts and plain.tail(question.call, counts, t, question.alternative)


def towards(question, x):
    """A value turned so that large is extreme."""
    return {"two-sided": abs(x), "greater": x, "less": -x}[question.alternative]


def recounted(question, flips):
    """The right p-value of other differences."""
    flips = list(map(Fraction, flips))
    counts, t = plain.flipped(flips), sum(flips)
    return counts and plain.tail(question.call, counts, t, question.alternative)


# -------------------------------------------------------------------------------------------- tails


def of_p(question, part):
    """Answer with a function of the right p-value and the number of all assignments."""
    return part(right(question), question.total)


def of_tails(question, part):
    """Answer the two-sided question with a function of both tails."""
    tails = (right(question.other(side)) for side in ("greater", "less"))
    return part(*tails) if question.alternative == "two-sided" else right(question)


def strict(q):
    return share(q, lambda x, t: towards(q, x) > towards(q, t))


def exchanged(q):
    return right(q.other({"greater": "less", "less": "greater"}.get(q.alternative, q.alternative)))


def wrapped(n, bits):
    """The integer in two's complement of so many bits."""
    return (n + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)


def single(x):
    """The nearest number of single precision."""
    try:
        return struct.unpack("f", struct.pack("f", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def normal(q):
    """The normal approximation."""
    counts, t, _units = q.null
    variance = sum(x * x * count for x, count in counts.items()) / q.total
    if not variance:
        return math.nan
    z = towards(q, float(t)) / math.sqrt(variance)
    return math.erfc(z / math.sqrt(2)) / (1 if q.alternative == "two-sided" else 2)


family(
    TAILS,
    whole,
    {
        "strict": ("Counts T > t in place of T >= t.", strict),
        "exchanged-tails": ("Exchanges greater and less.", exchanged),
        "one-minus-cdf": (
            "Subtracts the distribution function from 1 in doubles, which loses p-values below 1e-16.",
            lambda q: right(q) if q.alternative == "less" else Fraction(1 - float(1 - right(q))),
        ),
    },
)
family(
    TAILS,
    of_p,
    {
        "no-observed": (
            "Leaves the observed assignment out of the count.",
            lambda p, n: p - Fraction(1, n),
        ),
        "add-one": (
            "Adds one to count and total of a full enumeration, as if it were Monte Carlo.",
            lambda p, n: Fraction(p * n + 1, n + 1),
        ),
        "half-p": ("Answers half of the p-value.", lambda p, _n: p / 2),
        "double-p": ("Doubles every p-value, the two-sided one, too.", lambda p, _n: 2 * p),
        "complement": ("Answers 1 - p.", lambda p, _n: 1 - p),
        "single-precision": (
            "Rounds the p-value to single precision.",
            lambda p, _n: single(float(p)),
        ),
        "int64-counts": (
            "Counts in 64-bit integers, which wrap around.",
            lambda p, n: Fraction(wrapped(int(p * n), 64), n),
        ),
        "rounded-p": ("Rounds p to 4 decimals.", lambda p, _n: round(float(p), 4)),
    },
)
family(
    f"{SUMS} sign mcnemar",
    of_p,
    {
        "underflow": (
            "Divides by 2.0**N, which no double holds for N >= 1024.",
            lambda p, n: float(p * n) / 2.0 ** (n.bit_length() - 1),
        ),
    },
)
family(
    TAILS,
    of_tails,
    {
        "no-abs": (
            "Answers the upper tail as the two-sided p-value, without taking absolute values.",
            lambda upper, _lower: upper,
        ),
        "twice-greater": (
            "Answers twice the upper tail as the two-sided p-value.",
            lambda upper, _lower: 2 * upper,
        ),
        "uncapped": (
            "Doubles the smaller tail without capping at 1.",
            lambda *tails: 2 * min(tails),
        ),
        "upper-doubled": (
            "Answers twice the upper tail as the two-sided p-value, capped at 1.",
            lambda upper, _lower: min(1, 2 * upper),
        ),
    },
)
family(
    "runs",
    of_tails,
    {
        "doubled-tail": (
            "Doubles the smaller tail, capped at 1, where the two tails differ.",
            lambda *tails: min(1, 2 * min(tails)),
        ),
    },
)
family(
    f"{COUNTED} runs",
    whole,
    {
        "mid-p": (
            "Answers the mid-p value, which counts ties by half.",
            lambda q: (right(q) + strict(q)) / 2,
        )
    },
)
family(
    COUNTED,
    whole,
    {
        "normal-above-20": (
            "Takes the normal distribution for more than 20 swap units.",
            lambda q: normal(q) if q.null[2] > 20 else right(q),
        )
    },
)
family(
    f"{SUMS} wilcoxon sign {RATIOS} runs",
    whole,
    {
        "nan-for-zeros": (
            "Answers NaN where all differences are 0.",
            lambda q: math.nan if {*q.null[0]} == {0} else right(q),
        )
    },
)
family(
    f"{SUMS} sign wilcoxon",
    whole,
    {
        "zeros-not-swapped": (
            "Counts zero differences in the total, but does not swap them.",
            lambda q: right(q) / 2 ** q.flips.count(0),
        )
    },
)


def likelihood(q):
    """All values at most as probable as the observed one."""
    counts, t, _units = q.null
    return share(q, lambda x, _t: counts[x] <= counts[t])


family(
    SUMS,
    whole,
    {
        "likelihood": (
            "Adds all values that are at most as probable as the observed one, as for Fisher's exact test.",
            lambda q: likelihood(q) if q.alternative == "two-sided" else right(q),
        )
    },
)
family(
    SUMS,
    lambda q, near: share(q, lambda x, t: towards(q, x) >= towards(q, t) - near(abs(t))),
    {
        "absolute-tolerance": (
            "Counts values within 1e-8 of the observed one as ties.",
            lambda _t: Fraction(1, 10**8),
        ),
        "relative-tolerance": (
            "Counts values within a relative 1e-5 of the observed one as ties.",
            lambda t: t / 10**5,
        ),
        "both-tolerances": (
            "Counts values within 1e-8 and a relative 1e-5 of the observed one as ties, as isclose of NumPy does.",
            lambda t: Fraction(1, 10**8) + t / 10**5,
        ),
    },
)

# ------------------------------------------------------------------------------------------- floats


def floats_sum(values, kind=float):
    """Add one by one; ``sum`` corrects its rounding errors from Python 3.12 on."""
    total = 0.0
    for x in values:
        total = kind(total + x)
    return total


def of_floats(q, kind):
    """The p-value from sums or ratios of rounded numbers, compared without a tolerance."""
    if q.call in RATIOS.split():
        counts, t = plain.ratios(q.call, q.given, lambda a, b: kind(float(a) / float(b)))
        rounded = Counter()
        for x, count in counts.items():
            rounded[kind(x)] += count
        return extreme_share(q, rounded, kind(t))
    if len(q.flips) > MOST_ENUMERATED:
        return None
    first, *second = [[kind(float(Fraction(x))) for x in q.given[n]] for n in "duv" if n in q.given]
    column = [kind(a - b) for a, b in zip(first, *second)] if second else first
    sums = {}
    for label, d in zip(q.given.get("groups", range(len(column))), column):
        sums[label] = kind(sums.get(label, 0.0) + d)
    every = [towards(q, floats_sum(ds, kind)) for ds in product(*((d, -d) for d in sums.values()))]
    return Fraction(sum(x >= every[0] for x in every), len(every))


def float_means(q):
    """The p-value from float means of both columns."""
    if not q.plain_sum or len(q.flips) > MOST_ENUMERATED:
        return None
    u, v = ([float(Fraction(x)) for x in q.given[name]] for name in "uv")
    every = [zip(*swapped) for swapped in product(*(((a, b), (b, a)) for a, b in zip(u, v)))]
    values = [towards(q, float_mean(a) - float_mean(b)) for a, b in every]
    return Fraction(sum(x >= values[0] for x in values), len(values))


def float_mean(values):
    return floats_sum(values) / len(values)


@lru_cache(maxsize=1)
def large_cells(steps):
    """The null distribution in floats, without cells below 1e-8."""
    cells = {0: 1.0}
    for d in steps:
        after = Counter()
        for x, p in cells.items():
            after[x + d] += p / 2
            after[x - d] += p / 2
        cells = {x: p for x, p in after.items() if p >= 1e-8}
    return cells


def drops_cells(q):
    steps, _scale = plain.in_steps(q.flips)
    t = towards(q, sum(steps))
    return math.fsum(p for x, p in large_cells(steps).items() if towards(q, x) >= t)


family(
    f"{SUMS} {RATIOS}",
    of_floats,
    {
        "float-sums": ("Adds floats and compares the sums with == or >=.", float),
        "float32": ("Computes in single precision.", single),
    },
)
family(
    "paired-permutation",
    whole,
    {"float-means": ("Compares float means of the two columns.", float_means)},
)
family(
    SIGNED,
    whole,
    {"drops-cells": ("Drops cells of the null distribution below 1e-8.", drops_cells)},
)

# ------------------------------------------------------------------------------------------- scores


def wrapped_scores(q, bits):
    columns = [[Fraction(x) for x in q.given[name]] for name in "duv" if name in q.given]
    if not q.plain_sum or any(x.denominator > 1 for column in columns for x in column):
        return None
    first, *second = [[wrapped(int(x), bits) for x in column] for column in columns]
    d = [wrapped(a - b, bits) for a, b in zip(first, *second)] if second else first
    return recounted(q, d)


def of_pairs(q, part):
    """The p-value of other differences, of pairs without groups."""
    return recounted(q, part(q.pairs)) if q.plain_sum else None


def ordinal(pairs):
    """Signed ranks in the order of the pairs where sizes are equal."""
    order = sorted(range(len(pairs)), key=lambda i: abs(pairs[i]))
    return [plain.sign(pairs[i]) * rank for rank, i in enumerate(order, 1)]


def columns_sorted(q):
    u, v = (sorted(plain.number(x, q.reading) for x in q.given[name]) for name in "uv")
    return of_pairs(q, lambda _pairs: [a - b for a, b in zip(u, v)])


family(
    SUMS,
    wrapped_scores,
    {
        "int8-scores": ("Keeps scores in 8-bit integers, which wrap around.", 8),
        "int32-scores": ("Keeps scores in 32-bit integers, which wrap around.", 32),
    },
)
family(
    SUMS,
    of_pairs,
    {
        "rounded-scores": ("Rounds the differences to integers.", lambda ds: map(round, ds)),
        "truncated-scores": ("Cuts the decimals of the differences off.", lambda ds: map(int, ds)),
        "ordinal-ranks": (
            "Takes ordinal ranks of the differences in place of the scores.",
            ordinal,
        ),
    },
)
family(
    "paired-permutation",
    whole,
    {"columns-sorted": ("Sorts each column for itself, so that pairs are lost.", columns_sorted)},
)
family(
    f"{SUMS} wilcoxon mid-p",
    lambda q, part: recounted(q, part(q.flips)),
    {
        "signs-only": (
            "Takes the signs of the differences in place of their sizes, as the sign test does.",
            lambda ds: map(plain.sign, ds),
        ),
        "equal-once": ("Counts equal differences once.", dict.fromkeys),
    },
)


def grouped(q, merged):
    """The p-value where the differences of a group become one by a function of them."""
    groups = {}
    for label, d in zip(q.given.get("groups", range(len(q.pairs))), q.pairs):
        groups.setdefault(label, []).append(d)
    return recounted(q, map(merged, groups.values()))


def group_runs(q):
    labels = q.given.get("groups", range(len(q.pairs)))
    runs = groupby(zip(labels, q.pairs), key=lambda pair: pair[0])
    return recounted(q, [sum(d for _label, d in run) for _, run in runs])


family(
    "paired-permutation",
    grouped,
    {
        "group-means": (
            "Takes the mean of each group in place of its sum.",
            lambda ds: sum(ds) / len(ds),
        ),
        "group-medians": ("Takes the median of each group in place of its sum.", median),
        "first-of-group": (
            "Takes the first pair of each group and ignores the others.",
            lambda ds: ds[0],
        ),
        "group-signs": (
            "Takes the sign of the sum of each group of several pairs.",
            lambda ds: sum(ds) if len(ds) == 1 else plain.sign(sum(ds)),
        ),
    },
)
family(
    "paired-permutation",
    whole,
    {
        "groups-ignored": (
            "Swaps the pairs of a group one by one.",
            lambda q: recounted(q, q.pairs),
        ),
        "group-runs": (
            "Takes pairs of one label for one group only where they follow each other.",
            group_runs,
        ),
    },
)

# -------------------------------------------------------------------------- labels, weights, strata


def relabelled(name, change):
    """The p-value where each label of a setting is another one."""

    def answer(q):
        labels = q.given.get(name)
        nested = labels and isinstance(labels[0], list)
        changed = [[*map(change, x)] for x in labels] if nested else [*map(change, labels or ())]
        return right(q.with_input(**({name: changed} if labels else {})))

    return answer


def without_setting(name):
    """The p-value where a setting is ignored."""
    return lambda q: right(Question(q.call, {**q.given, name: None}, q.reading, q.alternative))


def number_or_text(label):
    try:
        return str(float(label))
    except ValueError:
        return label


def by_weights(q, number):
    """The p-value where each weight is a function of it."""
    weights = q.given.get("weights", "1" * len(q.pairs))
    return right(q.with_input(weights=[str(number(Fraction(w))) for w in weights]))


def added_shares(q, share):
    """The p-value where each pair adds its difference times a function of weight, its task's sum and pairs."""
    weights = [Fraction(w) for w in q.given.get("weights", "1" * len(q.pairs))]
    tasks = q.given.get("tasks", ["all"] * len(q.pairs))
    sums, pairs = Counter(), Counter(tasks)
    for task, w in zip(tasks, weights):
        sums[task] += w
    each = zip(q.pairs, weights, tasks)
    return recounted(q, [d * share(w, sums[task], pairs[task]) for d, w, task in each])


def reweighed_strata(q, weight):
    """The p-value where the part of a stratum has a further weight, a function of its sizes."""
    return extreme_share(q, *plain.sampled(q.call, q.given, q.reading, weight))


family(
    "weighted",
    by_weights,
    {
        "weights-ignored": ("Ignores the weights.", lambda _w: 1),
        "weights-squared": ("Squares the weights.", lambda w: w * w),
        "inverse-weights": ("Divides by the weights.", lambda w: 1 / w),
        "whole-weights": ("Rounds weights up to integers.", math.ceil),
    },
)
family(
    "weighted",
    added_shares,
    {
        "task-sums": ("Adds over the pairs of a task, not their mean.", lambda w, _s, _n: w),
        "divided-by-pairs": (
            "Divides by the number of pairs of a task in place of the sum of their weights.",
            lambda w, _s, n: w / n,
        ),
        "weights-by-tasks": (
            "Weighs tasks by the sums of their weights.",
            lambda w, s, n: w * s / n,
        ),
    },
)
family(
    "weighted",
    whole,
    {"tasks-ignored": ("Ignores the tasks.", relabelled("tasks", lambda _label: "all"))},
)
family(
    "two-sample mann-whitney",
    whole,
    {
        "strata-ignored": (
            "Exchanges observations across strata.",
            relabelled("strata", lambda _label: "all"),
        ),
        "strata-as-numbers": (
            "Takes labels of strata for numbers: 1 and 1.0 are one stratum.",
            relabelled("strata", number_or_text),
        ),
    },
)
family(
    "two-sample",
    reweighed_strata,
    {
        "equal-strata": (
            "Adds the differences of means of the strata, whatever their sizes.",
            lambda m, n: Fraction(m + n, m * n),
        ),
        "strata-by-size": (
            "Weighs the differences of means of the strata by their numbers of observations.",
            lambda m, n: Fraction((m + n) ** 2, m * n),
        ),
    },
)
family(
    "mann-whitney",
    reweighed_strata,
    {
        "unweighted-strata": (
            "Adds the U of the strata, whatever their sizes.",
            lambda m, n: m + n + 1,
        )
    },
)
family(
    "two-sample",
    whole,
    {
        "equal-observations-once": (
            "Takes equal observations of a sample once.",
            lambda q: right(q.with_input(u=[*dict.fromkeys(q.given["u"])])),
        )
    },
)
family(
    "paired-permutation",
    whole,
    {
        "groups-as-numbers": (
            "Takes labels of groups for numbers: 1 and 1.0 are one group.",
            relabelled("groups", number_or_text),
        ),
        "groups-lowercase": (
            "Takes labels that differ in capital letters for one.",
            relabelled("groups", str.lower),
        ),
    },
)

# ----------------------------------------------------------------------------------- counts of wins


def of_texts(q, part):
    """The p-value of a function of the texts of each pair."""
    return recounted(q, map(part, q.given["u"], q.given["v"]))


def by_text(a, b):
    return (a > b) - (a < b)


family(
    "sign",
    of_texts,
    {
        "texts-compared": ("Compares the texts of scores: 10 is less than 9.", by_text),
        "columns-sorted-as-texts": (
            "Compares numbers of different lengths as texts, equal lengths as numbers.",
            lambda a, b: (
                plain.sign(Fraction(a) - Fraction(b)) if len(a) == len(b) else by_text(a, b)
            ),
        ),
    },
)
family(
    "sign",
    lambda q, part: recounted(q, map(part, q.pairs)),
    {
        "zeros-as-wins": (
            "Counts equal scores as wins of the first system.",
            lambda d: plain.sign(d) or 1,
        ),
        "zeros-as-losses": (
            "Counts equal scores as wins of the second system.",
            lambda d: plain.sign(d) or -1,
        ),
        "scores-for-signs": ("Adds the differences in place of their signs.", Fraction),
    },
)

# ------------------------------------------------------------------------------------------- ratios


def by_score(q, score):
    """The p-value with another score of a system: a function of its sums x and y, and of its right score."""
    sums, (all_x, all_y), (first_x, first_y) = plain.sums_of_first(q.given)

    def difference(x, y):
        pairs = (x, y), (all_x - x, all_y - y)
        a, b = (score(x, y, plain.share(q.call, x, y)) for x, y in pairs)
        return a - b

    counts = Counter()
    for (x, y), count in sums.items():
        counts[difference(x, y)] += count
    return extreme_share(q, counts, difference(first_x, first_y))


def over(x, y, zero=0):
    """x / y, or another number where y is 0."""
    return x / y if y else Fraction(zero)


family(
    RATIOS,
    by_score,
    {
        "numerators-only": ("Compares sums of the first entries only.", lambda x, _y, _s: x),
        "rounded-scores-4": ("Rounds the scores to four decimals.", lambda _x, _y, s: round(s, 4)),
        "ratio-of-ratios": (
            "Compares the ratio of the two scores with 1, as differences of logarithms do.",
            lambda _x, _y, s: Fraction(math.log(s)) if s > 0 else -1000,
        ),
    },
)
family(
    "f1",
    by_score,
    {
        "nothing-is-one": (
            "Gives the score 1 where there is nothing to find, 0/0.",
            lambda x, y, _s: over(2 * x, 2 * x + y, 1),
        ),
        "nan-for-nothing": (
            "Answers NaN where the score of an assignment is 0/0.",
            lambda x, y, s: s if x or y else math.nan,
        ),
        "not-halved": (
            "Does not halve the incorrect ones: tp / (tp + incorrect).",
            lambda x, y, _s: over(x, x + y),
        ),
        "doubled-incorrect": (
            "Doubles the incorrect ones in place of halving them: tp / (tp + 2 incorrect).",
            lambda x, y, _s: over(x, x + 2 * y),
        ),
    },
)
family(
    "ratio",
    by_score,
    {
        "inverse-ratio": ("Divides the second entries by the first.", lambda x, y, _s: over(-y, x)),
        "share-of-sum": (
            "Divides the first entries by the sum of both.",
            lambda x, y, _s: over(x, x + y),
        ),
        "ratio-0-is-1": ("Takes 0/0 for 1.", lambda x, y, _s: over(x, y, 1)),
        "denominator-at-least-1": (
            "Takes 1 for a denominator below 1, and leaves systems of no denominator with the numerator of 1/2.",
            lambda x, y, _s: over(x, y, Fraction(1, 2)),
        ),
        "nan-for-0-over-0": (
            "Answers NaN where an assignment has no denominator.",
            lambda _x, y, s: s if y else math.nan,
        ),
    },
)

# -------------------------------------------------------------------------------------------- ranks


def ranked(q, rank):
    """The answer where the rank of each size is a function of it and of all sizes that are ranked."""
    if q.call == "wilcoxon":
        flips = [plain.sign(d) * rank(abs(d), q.sized) if d else 0 for d in q.pairs]
        return recounted(q, flips)
    if q.given["test"] != "wilcoxon":
        return listed(q)
    ranks = {x: Fraction(rank(x, q.sized)) for x in q.sized}
    return plain.rows(plain.positive_sums(ranks, q.sized))


def with_method(q, methods):
    """The p-value with another zero_method in place of those named."""
    method = q.given["zero_method"]
    return right(q.with_input(zero_method=methods.get(method, method)))


def from_table(q, kept):
    """The p-value of the rank sum of some differences, from the table for the ranks 1, ..., n."""
    ranks = plain.mid_ranks([abs(d) for d in kept])
    t = sum(plain.sign(d) * ranks[abs(d)] for d in kept)
    return extreme_share(q, plain.flipped([*map(Fraction, range(1, len(kept) + 1))]), t)


def zeros_positive(q):
    ranks = plain.mid_ranks([*map(abs, q.pairs)])
    return recounted(q, [(plain.sign(d) or 1) * ranks[abs(d)] for d in q.pairs])


def ranks_in_order(q):
    return recounted(q, ordinal([d for d in q.pairs if d or q.given["zero_method"] != "wilcox"]))


def float_ranks(q):
    pairs = [float(Fraction(a)) - float(Fraction(b)) for a, b in zip(q.given["u"], q.given["v"])]
    return recounted(q, plain.signed_ranks([*map(Fraction, pairs)], q.given["zero_method"]))


family(
    "wilcoxon null-distribution",
    ranked,
    {
        "minimum-ranks": (
            "Gives tied differences the least of their ranks.",
            lambda x, sizes: sum(y < x for y in sizes) + 1,
        ),
        "maximum-ranks": (
            "Gives tied differences the greatest of their ranks.",
            lambda x, sizes: sum(y <= x for y in sizes),
        ),
        "dense-ranks": (
            "Gives tied differences one rank without leaving out others (dense ranks).",
            lambda x, sizes: len({y for y in sizes if y <= x}),
        ),
        "truncated-ranks": (
            "Cuts the halves of mean ranks off.",
            lambda x, sizes: int(plain.mid_ranks(sizes)[x]),
        ),
        "scores-for-ranks": (
            "Adds the differences in place of their ranks.",
            lambda x, _sizes: x,
        ),
    },
)
family(
    "wilcoxon",
    with_method,
    {
        "pratt-for-wilcox": (
            "Ranks zeros and drops their ranks (pratt) where they must be left out before (wilcox).",
            {"wilcox": "pratt"},
        ),
        "wilcox-for-pratt": (
            "Leaves zeros out (wilcox) where they must be ranked first (pratt).",
            {"pratt": "wilcox"},
        ),
        "wilcox-for-zsplit": (
            "Leaves zeros out (wilcox) where their ranks must be split (zsplit).",
            {"zsplit": "wilcox"},
        ),
        "wilcox-always": (
            "Leaves zeros out, whatever zero_method says.",
            {"pratt": "wilcox", "zsplit": "wilcox"},
        ),
    },
)
family(
    "wilcoxon",
    whole,
    {
        "ranks-in-order": ("Breaks ties of ranks by the order of the pairs.", ranks_in_order),
        "untied-table": (
            "Takes the Wilcoxon table without ties where ranks are tied.",
            lambda q: from_table(q, [d for d in q.pairs if d]),
        ),
        "float-ranks": ("Ranks rounded differences of floats.", float_ranks),
    },
)
family(
    "wilcoxon",
    lambda q, part: right(q) if q.given["zero_method"] == "wilcox" else part(q),
    {
        "zeros-positive": (
            "Counts the ranks of zeros as positive, where they are ranked.",
            zeros_positive,
        ),
        "zeros-in-table": (
            "Takes the table of all n ranks where zeros are ranked too (Pratt, zsplit).",
            lambda q: from_table(q, q.pairs),
        ),
    },
)

# ------------------------------------------------------------------------------------- several runs


def extreme_share(q, counts, t):
    """The p-value of an observed value of another statistic or another exchange; None where it is not laid out."""
    return counts and Fraction(plain.extreme(counts, t, q.alternative), sum(counts.values()))


def exchanging(q, statistic, runs=None, design=None):
    """The p-value where other runs, or another statistic of them, are exchanged; NaN where no item is left."""
    u, v = runs or q.runs
    if not u:
        return math.nan
    return extreme_share(q, *plain.exchanged(design or q.given["design"], u, v, statistic))


def widths(q):
    """The numbers of runs of each item, of both systems."""
    return [[len(runs) for runs in rows] for rows in q.runs]


def as_design(q, designs):
    """The p-value where another design is taken for the one that is meant."""
    done, meant = designs
    if q.given["design"] != meant:
        return right(q)
    uneven = any(len(set(row)) > 1 for row in widths(q))
    return None if done == "systems" and uneven else exchanging(q, plain.advantage, design=done)


WORDS = {
    "within": "all runs of each item",
    "items": "the two blocks of runs",
    "systems": "whole runs",
}
family(
    "runs",
    as_design,
    {
        f"{done}-for-{meant}": (
            f"Exchanges {WORDS[done]} where {WORDS[meant]} are exchangeable.",
            (done, meant),
        )
        for done, meant in permutations(WORDS, 2)
    },
)
family(
    "runs",
    exchanging,
    {
        "sum-for-mean": (
            "Adds the runs of an item in place of taking their mean.",
            lambda a, b: sum(a) - sum(b),
        ),
        "weighted-by-runs": (
            "Weights items by their number of runs.",
            lambda a, b: (len(a) + len(b)) * plain.advantage(a, b),
        ),
        "median-of-runs": (
            "Takes the median of the runs of an item in place of their mean.",
            lambda a, b: median(a) - median(b),
        ),
    },
)


def mean_of_all_runs(q):
    m, n = map(sum, widths(q))
    return exchanging(q, lambda a, b: Fraction(sum(a), m) - Fraction(sum(b), n))


def of_even_runs(q):
    kept = [(a, b) for a, b in zip(*q.runs) if len(a) == len(b)]
    return exchanging(q, plain.advantage, [*zip(*kept)] or ((), ()))


def of_equal_width(q, width, filler=()):
    """The p-value where every item has so many runs; missing ones are filled up."""
    rows = [[(runs + [*filler] * width)[:width] for runs in rows] for rows in q.runs]
    return exchanging(q, plain.advantage, rows)


def float_run_means(q):
    """The p-value from all labelings, whose sums of differences of float means are added one by one."""
    u, v = ([[float(Fraction(x)) for x in runs] for runs in q.given[name]] for name in "uv")
    design = q.given["design"]
    if design == "systems":
        u, v = ([[float_mean(run) for run in zip(*rows)]] for rows in (u, v))
    exchange = plain.swapped if design == "items" else plain.shuffled

    def difference(a, b):
        return float_mean(a) - float_mean(b)

    sums = plain.added(exchange(a, b, difference) for a, b in zip(u, v))
    return extreme_share(q, sums, floats_sum(map(difference, u, v)))


family(
    "runs",
    whole,
    {
        "mean-of-all-runs": (
            "Compares the means of all runs of a system in place of the means of the items.",
            mean_of_all_runs,
        ),
        "drops-unequal": (
            "Leaves out items of which the systems have different numbers of runs.",
            of_even_runs,
        ),
        "cut-to-least": (
            "Cuts the runs of all items to the least number of runs.",
            lambda q: of_equal_width(q, min(map(min, widths(q)))),
        ),
        "missing-as-zero": (
            "Counts missing runs as 0.",
            lambda q: of_equal_width(q, max(map(max, widths(q))), [Fraction(0)]),
        ),
        "float-run-means": (
            "Adds means of runs in floats and compares the sums with == or >=.",
            float_run_means,
        ),
    },
)

# -------------------------------------------------------------------- intervals, null distributions


def listed(q):
    """The right list."""
    return plain.listed(q.call, q.given, q.reading, q.alternative)


def inverted(q, units=None, *, least=0, means=list):
    """The interval of other units (sums, numbers of pairs), with a least rank, or of other means."""
    d, weights = units or plain.swap_units(q.given, q.reading)
    k = max(plain.rank_of_ends(q.given["confidence"], q.alternative, len(d)), least)
    return plain.ends(means(plain.subset_means(d, weights)), k, q.alternative)


def full_mean_left_out(q):
    d, weights = plain.swap_units(q.given, q.reading)

    def others(means):
        means.remove(sum(d) / sum(weights))
        return means or [math.nan]

    return inverted(q, means=others)


def walsh_averages(q):
    d, _weights = plain.swap_units(q.given, q.reading)
    n, below = len(d), 0
    averages = [(d[i] + d[j]) / 2 for i in range(n) for j in range(i + 1)]
    counts = plain.positive_sums({i: i for i in range(n + 1)}, range(1, n + 1))
    alpha = (1 - Fraction(q.given["confidence"])) / (2 if q.alternative == "two-sided" else 1)
    for rank in sorted(counts):
        below += counts[rank]
        if below > alpha * 2**n:
            return plain.ends(sorted(averages), rank, q.alternative)
    return None


def of_units(q, part):
    """The interval of units that are functions of the sums and numbers of pairs."""
    return inverted(q, part(*plain.swap_units(q.given, q.reading)))


def of_ends(q, part):
    """The interval with its finite ends changed."""
    return [part(float(x)) if math.isfinite(x) else x for x in listed(q)]


def zeros_left_out(q):
    kept = [i for i, x in enumerate(q.given["d"]) if Fraction(x)]
    names = [name for name in ("d", "groups") if name in q.given]
    some = {name: [q.given[name][i] for i in kept] for name in names}
    return listed(q.with_input(**some)) if kept else [math.nan] * 2


family(
    "interval",
    whole,
    {
        "never-open": (
            "Answers the least or the largest mean where no p-value is small enough for an end.",
            lambda q: inverted(q, least=1),
        ),
        "full-mean-left-out": (
            "Leaves the mean of all differences out of the means of subsets.",
            full_mean_left_out,
        ),
        "distinct-means": (
            "Counts equal means once.",
            lambda q: inverted(q, means=lambda means: sorted({*means})),
        ),
        "walsh-averages": (
            "Takes the means of two differences, the interval of Wilcoxon's test.",
            walsh_averages,
        ),
        "groups-one-by-one": (
            "Swaps the pairs of a group one by one.",
            lambda q: listed(q.with_input(groups=range(len(q.given["d"])))),
        ),
    },
)
family(
    "interval",
    of_units,
    {
        "groups-for-pairs": (
            "Divides sums of groups by the number of groups in place of pairs.",
            lambda d, weights: (d, [1] * len(weights)),
        ),
        "means-of-groups": (
            "Takes the mean of each group as one pair.",
            lambda d, weights: ([x / w for x, w in zip(d, weights)], [1] * len(weights)),
        ),
    },
)
family(
    "interval",
    of_ends,
    {
        "rounded-ends": ("Rounds the ends to 3 decimals.", lambda x: round(x, 3)),
        "single-precision-ends": ("Rounds the ends to single precision.", single),
    },
)
family(
    "interval null-distribution",
    whole,
    {"zeros-left-out": ("Leaves differences of 0 out.", zeros_left_out)},
)


def merged(rows):
    found = []
    for x, count in rows:
        if found and x - found[-1][0] < Fraction(1, 1000):
            found[-1][1] += count
        else:
            found.append([x, count])
    return found


def gaps_filled(rows):
    steps, scale = plain.in_steps([Fraction(x) for x, _count in rows])
    counts = dict(zip(steps, (count for _x, count in rows)))
    step = math.gcd(*(x - steps[0] for x in steps)) or 1
    if (steps[-1] - steps[0]) // step > 64:
        return None
    return [[Fraction(x, scale), counts.get(x, 0)] for x in range(steps[0], steps[-1] + 1, step)]


def flipped_rows(q, part):
    """The rows of other differences."""
    if q.given["test"] != "sign-flip":
        return listed(q)
    return plain.rows(plain.flipped([*map(Fraction, part(q.pairs))]))


def float_cells(q):
    if q.given["test"] != "sign-flip":
        return listed(q)
    cells = {0.0: 1}
    for d in map(float, q.pairs):
        after = Counter()
        for x, count in cells.items():
            after[x + d] += count
            after[x - d] += count
        cells = after
    return plain.rows(cells)


family(
    "null-distribution",
    lambda q, part: part(listed(q)),
    {
        "merged-within-1e-3": ("Merges values within 1e-3 of the one before.", merged),
        "8-bit-counts": (
            "Counts in 8-bit integers.",
            lambda rows: [[x, wrapped(count, 8)] for x, count in rows],
        ),
        "gaps-filled": (
            "Answers a row for each step between the values, with a count of 0 where no assignment has it.",
            gaps_filled,
        ),
    },
)
family(
    "null-distribution",
    flipped_rows,
    {
        "equal-sizes-once": (
            "Takes differences of equal size once.",
            lambda ds: {*map(abs, ds)},
        ),
        "whole-numbers": ("Rounds the differences to integers.", lambda ds: map(round, ds)),
    },
)
family(
    "null-distribution",
    whole,
    {
        "float-cells": (
            "Adds floats one by one and takes sums that differ in the last digit for different values.",
            float_cells,
        ),
    },
)


def of_ranks(q, part):
    """Other rows of the rank sum: a function of the differences and the right rows."""
    return listed(q) if q.given["test"] == "sign-flip" else part(q.pairs, listed(q))


def table_without_ties(d, _rows):
    return plain.rows(plain.positive_sums({i: i for i in range(len(d) + 1)}, range(1, len(d) + 1)))


family(
    "null-distribution",
    of_ranks,
    {
        "signed-ranks": (
            "Adds ranks with their signs in place of those of the positive differences.",
            lambda d, _rows: plain.rows(plain.flipped(plain.signed_ranks(d, "wilcox"))),
        ),
        "table-without-ties": ("Takes the ranks 1 to n, whatever the ties.", table_without_ties),
        "doubled-ranks": (
            "Doubles mean ranks to have integers, and does not halve the values.",
            lambda _d, rows: [[2 * x, count] for x, count in rows],
        ),
    },
)

# ------------------------------------------------------------------------------------ several tests


def adjusting(methods, rows):
    """Register wrong adjustments of sorted p-values, for some methods: functions of the p-values and their number."""

    def answered(q, part):
        ps, method = [*map(Fraction, q.given["pvalues"])], q.given["method"]
        if method not in methods.split():
            return plain.adjusted(method, ps)
        order = sorted(range(len(ps)), key=ps.__getitem__)
        values = dict(zip(order, part([ps[i] for i in order], len(ps))))
        return [values[i] for i in range(len(ps))]

    family("adjust", answered, rows)


def capped(values):
    """No value above 1."""
    return [min(Fraction(1), x) for x in values]


def steps(ps, n):
    """Each p-value times the number of those that are not before it."""
    return [(n - j) * p for j, p in enumerate(ps)]


def hommel_index(ps, n):
    adjusted = list(ps)
    for s in range(n, 1, -1):
        others = min((s * ps[n - s + k] / (k + 1) for k in range(1, s)), default=1)
        for i in range(n):
            own = min(s * ps[i], others) if i < n - s else others
            adjusted[i] = max(adjusted[i], own if i else ps[i])
    return capped(adjusted)


def rising(values):
    """Running maxima."""
    return [max(values[: j + 1]) for j in range(len(values))]


for done, meant in (
    *(("hochberg", "holm"), ("holm", "hochberg"), ("hochberg", "hommel"), ("fdr_bh", "fdr_by")),
    *(("bonferroni", "sidak"), ("holm", "holm-sidak"), ("bonferroni", "holm hochberg hommel")),
):
    adjusting(
        meant,
        {
            f"{done}-for-{meant}": (
                f"Adjusts by {done} in place of {meant}.",
                lambda ps, _n, done=done: plain.adjusted(done, ps),
            )
        },
    )
adjusting(
    "holm",
    {
        "holm-no-maximum": (
            "Holm without the running maximum.",
            lambda ps, n: capped(steps(ps, n)),
        ),
        "holm-off-by-one": (
            "Multiplies by n - j - 1 in place of n - j in Holm, but for the last one.",
            lambda ps, n: capped(rising([max(n - j - 1, 1) * p for j, p in enumerate(ps)])),
        ),
        "holm-ties-lowered": (
            "Gives tied p-values the factor of the last of them in Holm.",
            lambda ps, _n: capped(rising([(ps[::-1].index(p) + 1) * p for p in ps])),
        ),
    },
)
adjusting(
    "hochberg",
    {
        "hochberg-no-minimum": (
            "Hochberg without the running minimum.",
            lambda ps, n: capped(steps(ps, n)),
        )
    },
)
adjusting("hommel", {"hommel-index": ("Hommel with an index from 0, not from 1.", hommel_index)})
adjusting(
    "fdr_bh",
    {
        "bh-maximum": (
            "Benjamini-Hochberg with a running maximum in place of the minimum.",
            lambda ps, n: capped(rising([n * p / j for j, p in enumerate(ps, 1)])),
        ),
        "bh-no-minimum": (
            "Benjamini-Hochberg without the running minimum.",
            lambda ps, n: capped(n * p / j for j, p in enumerate(ps, 1)),
        ),
    },
)


def by_short(ps, n):
    harmonic = sum(Fraction(1, k) for k in range(1, n)) or 1
    values = [n * p / k for k, p in enumerate(ps, 1)]
    return capped(harmonic * min(values[j:]) for j in range(n))


adjusting(
    "fdr_by",
    {
        "by-short": (
            "Benjamini-Yekutieli with one term of the harmonic number too few.",
            by_short,
        )
    },
)
adjusting(
    "sidak",
    {
        "float-sidak": (
            "Sidak as 1 - (1 - p)**m in floats.",
            lambda ps, n: [1 - (1 - float(p)) ** n for p in ps],
        )
    },
)
adjusting(
    "holm-sidak",
    {
        "holm-sidak-no-maximum": (
            "Holm-Sidak without the running maximum.",
            lambda ps, n: [1 - (1 - p) ** (n - j) for j, p in enumerate(ps)],
        ),
        "float-holm-sidak": (
            "Holm-Sidak as 1 - (1 - p)**k in floats.",
            lambda ps, n: rising([1 - (1 - float(p)) ** (n - j) for j, p in enumerate(ps)]),
        ),
    },
)
adjusting(
    "bonferroni",
    {
        "bonferroni-one-less": (
            "Bonferroni with one test less.",
            lambda ps, n: capped((n - 1) * p for p in ps),
        )
    },
)


def adjusted(q, values):
    return plain.adjusted(q.given["method"], values)


family(
    "adjust",
    lambda q, part: part(q, [*map(Fraction, q.given["pvalues"])]),
    {
        "uncapped-adjustment": (
            "Does not cap adjusted p-values at 1.",
            lambda q, ps: (
                adjusted(q, ps)
                if "sidak" in q.given["method"]
                else [x * 10**6 for x in adjusted(q, [p / 10**6 for p in ps])]
            ),
        ),
        "given-order": (
            "Returns the adjusted p-values in ascending order, not in that of the input.",
            lambda q, ps: sorted(adjusted(q, ps)),
        ),
        "taken-as-sorted": (
            "Takes the input for sorted.",
            lambda q, ps: plain.adjusted_sorted(q.given["method"], ps),
        ),
        "rounded-adjustment": (
            "Rounds adjusted p-values to 4 decimals.",
            lambda q, ps: [round(float(p), 4) for p in adjusted(q, ps)],
        ),
    },
)
