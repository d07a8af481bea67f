"""Answers from the definitions, in plain integers and fractions. Nothing here imports the package under test."""

import decimal
from collections import Counter
from fractions import Fraction
from itertools import accumulate, combinations, product
from math import comb

ALTERNATIVES = ("two-sided", "greater", "less", "doubled")


class Null:
    """A null distribution {value: number of assignments}, every question answered by a walk over all of it."""

    def __init__(self, counts):
        self.counts = {x: c for x, c in counts.items() if c}
        self.total = sum(self.counts.values())
        self.mean = Fraction(sum(x * c for x, c in self.counts.items())) / self.total
        self.variance = (
            Fraction(sum((x - self.mean) ** 2 * c for x, c in self.counts.items())) / self.total
        )
        self.support = sorted(self.counts)

    def number(self, condition):
        return sum(c for x, c in self.counts.items() if condition(x))

    def extreme(self, t, alternative):
        if alternative == "greater":
            return self.number(lambda x: x >= t)
        if alternative == "less":
            return self.number(lambda x: x <= t)
        if alternative == "doubled":
            return min(self.total, 2 * min(self.extreme(t, "greater"), self.extreme(t, "less")))
        return self.number(lambda x: abs(x - self.mean) >= abs(t - self.mean))

    def tied(self, t, alternative):
        if alternative == "two-sided":
            return self.number(lambda x: abs(x - self.mean) == abs(t - self.mean))
        return (2 if alternative == "doubled" else 1) * self.counts.get(t, 0)

    def midp(self, t, alternative):
        if alternative == "doubled":
            return 2 * min(self.midp(t, "greater"), self.midp(t, "less"))
        return Fraction(
            2 * self.extreme(t, alternative) - self.tied(t, alternative), 2 * self.total
        )

    def pvalue(self, t, alternative):
        return Fraction(self.extreme(t, alternative), self.total)

    def least(self, alternative):
        return min(self.pvalue(x, alternative) for x in (self.support[0], self.support[-1]))

    def quantile(self, q):
        return next(x for x in self.support if self.extreme(x, "less") >= q * self.total)

    def rejected(self, alpha, alternative):
        return [x for x in self.support if self.pvalue(x, alternative) <= alpha]


def assignments(rows, labels=None):
    """The columns u', v' of every assignment of swaps; rows with one label are swapped together. The observed first."""
    labels = list(range(len(rows))) if labels is None else labels
    units = list(dict.fromkeys(labels))
    for swaps in product((False, True), repeat=len(units)):
        swapped = {unit for unit, swap in zip(units, swaps) if swap}
        chosen = [(b, a) if label in swapped else (a, b) for (a, b), label in zip(rows, labels)]
        yield [a for a, _ in chosen], [b for _, b in chosen]


def enumerated(rows, statistic, labels=None):
    """(observed value, Null) of a statistic of two columns, by carrying out every assignment."""
    values = [statistic(u, v) for u, v in assignments(rows, labels)]
    return values[0], Null(Counter(values))


def total_difference(u, v):
    return sum(u) - sum(v)


def signed_sums(differences):
    """{sum: number of sign patterns}, one difference after the other."""
    sums = {Fraction(0): 1}
    for d in differences:
        after = {}
        for x, c in sums.items():
            after[x + d] = after.get(x + d, 0) + c
            after[x - d] = after.get(x - d, 0) + c
        sums = after
    return sums


def convolved(pmfs):
    """{sum: product of counts summed}, by going through every choice of one entry from each mapping."""
    sums = Counter()
    for choice in product(*(pmf.items() for pmf in pmfs)):
        times = 1
        for _, count in choice:
            times *= count
        sums[sum(x for x, _ in choice)] += times
    return {x: c for x, c in sums.items() if c}


def grouped(differences, labels):
    """The sum of each swap unit's differences."""
    if labels is None:
        return list(differences)
    sums = {}
    for d, label in zip(differences, labels):
        sums[label] = sums.get(label, 0) + d
    return list(sums.values())


def log10(p, digits=80):
    """Base-10 logarithm of a fraction in (0, 1] as a Decimal, right to about ``digits`` digits, also next to 1."""
    with decimal.localcontext() as context:
        context.prec = digits + 2 + p.denominator.bit_length() // 3
        context.Emin, context.Emax = decimal.MIN_EMIN, decimal.MAX_EMAX
        return (decimal.Decimal(p.numerator) / p.denominator).log10()


def significant(x, digits):
    """x as a Decimal of so many significant digits, half to even."""
    with decimal.localcontext() as context:
        context.prec, context.rounding = digits, decimal.ROUND_HALF_EVEN
        return decimal.Decimal(x.numerator) / x.denominator


def number(text):
    """The number that a text means, read sign by sign; None where it means none."""
    text = text.strip()
    above, slash, below = text.partition("/")
    if slash:
        above, below = above.rstrip(" \t\n"), below.lstrip(" \t\n")
        fits = _digits(
            above.lstrip("+-") if above[:2] not in ("++", "+-", "-+", "--") else ""
        ) and _digits(below)
        return Fraction(int(above), int(below)) if fits and int(below) else None
    negative, text = text[:1] == "-", text[1:] if text[:1] in ("+", "-") else text
    mantissa, mark, power = text.replace("E", "e").partition("e")
    whole, _point, after = mantissa.partition(".")
    exponent = power[1:] if power[:1] in ("+", "-") else power
    if not (_digits(whole + after) and (_digits(exponent) if mark else True)):
        return None
    if abs(int(power or 0) - len(after)) > 4000:  # the documented limit
        return None
    value = Fraction(int(whole + after), 10 ** len(after)) * Fraction(10) ** int(power or 0)
    return -value if negative else value


def _digits(text):
    return text != "" and all(character in "0123456789" for character in text)


def rounded(x, places):
    """x rounded to a number of decimal places, half to even."""
    scaled = x * 10**places
    below = scaled // 1
    rest = scaled - below
    up = rest > Fraction(1, 2) or (rest == Fraction(1, 2) and below % 2)
    return Fraction(below + up) / 10**places


# --------------------------------------------------------------------------------- ready statistics


def ratio(numerator, denominator):
    return Fraction(numerator) / denominator if denominator else Fraction(0)


def of_ratios(share):
    """The difference of share(sum of first entries, sum of second entries)."""

    def statistic(u, v):
        return share(*map(sum, zip(*u))) - share(*map(sum, zip(*v)))

    return statistic


PAIRED = {
    "ratio_difference": of_ratios(ratio),
    "precision_difference": of_ratios(lambda tp, fp: ratio(tp, tp + fp)),
    "recall_difference": of_ratios(lambda tp, fn: ratio(tp, tp + fn)),
    "f1_difference": of_ratios(lambda tp, wrong: ratio(2 * tp, 2 * tp + wrong)),
}


def signs(rows):
    return [((a > b) - (a < b)) for a, b in rows]


def wilcoxon_units(rows, zero_method):
    """(stay, swap) of each pair that has a rank: what it adds to the sum of the ranks of positive differences."""
    differences = [a - b for a, b in rows if a != b or zero_method != "wilcox"]
    sizes = [abs(d) for d in differences]
    units = []
    for d in differences:
        below, same = sum(s < abs(d) for s in sizes), sum(s == abs(d) for s in sizes)
        rank = Fraction(2 * below + same + 1, 2)
        half = rank / 2 if zero_method == "zsplit" else 0
        units.append((rank, 0) if d > 0 else (0, rank) if d < 0 else (half, half))
    return units + [(0, 0)] * (len(rows) - len(differences))


# -------------------------------------------------------------------------------- adjusted p-values


def _closed(pvalues, local):
    """Closed testing: the greatest local p-value of the sets of hypotheses that hold i."""
    hypotheses = range(len(pvalues))
    sets = [s for size in range(1, len(pvalues) + 1) for s in combinations(hypotheses, size)]
    tested = [(set(s), local([pvalues[i] for i in s])) for s in sets]
    return [max(p for s, p in tested if i in s) for i in hypotheses]


def _simes(ps):
    return min(Fraction(len(ps) * p, k) for k, p in enumerate(sorted(ps), 1))


def _step_up(pvalues, factor):
    """Reject i where some p_(k) >= p_i meets its level alpha / factor(k): the least such alpha."""
    ranked = sorted(pvalues)
    return [min(factor(k) * q for k, q in enumerate(ranked, 1) if q >= p) for p in pvalues]


def adjusted(pvalues, method, least=None):
    """Adjusted p-values: by closed testing (at most some seven hypotheses), or the levels of the step-up rule."""
    m = len(pvalues)
    answers = {
        "bonferroni": lambda: [m * p for p in pvalues],
        "sidak": lambda: [1 - (1 - p) ** m for p in pvalues],
        "holm": lambda: _closed(pvalues, lambda ps: len(ps) * min(ps)),
        "holm-sidak": lambda: _closed(pvalues, lambda ps: 1 - (1 - min(ps)) ** len(ps)),
        "hommel": lambda: _closed(pvalues, _simes),
        "hochberg": lambda: _step_up(pvalues, lambda k: m - k + 1),
        "fdr_bh": lambda: _step_up(pvalues, lambda k: Fraction(m, k)),
        "fdr_by": lambda: _step_up(
            pvalues, lambda k: Fraction(m, k) * sum(Fraction(1, j) for j in range(1, m + 1))
        ),
        "tarone": lambda: [p * sum(floor <= p for floor in least) for p in pvalues],
    }
    return [Fraction(min(p, 1)) for p in answers[method]()]


# -------------------------------------------------------------------------------------- Monte Carlo


def binomial(K, p):
    """P(B = b) for b = 0..K."""
    p = Fraction(p)
    return [comb(K, b) * p**b * (1 - p) ** (K - b) for b in range(K + 1)]


def risk(p, alpha, K, adjusted, strict):
    """The probability that a run of K samples decides otherwise than the exact p."""

    def rejects(x):
        return x < alpha if strict else x <= alpha

    estimates = (Fraction(b + adjusted, K + adjusted) for b in range(K + 1))
    return sum(w for w, x in zip(binomial(K, p), estimates) if rejects(x) != rejects(p))


def central_interval(p, K, adjusted, coverage):
    """The least b with P(B <= b) > q and the greatest with P(B >= b) > q, q = (1 - coverage) / 2, as estimates."""
    weights, q = binomial(K, p), (1 - coverage) / Fraction(2)
    below = list(accumulate(weights))
    above = list(accumulate(reversed(weights)))[::-1]
    lower = next(b for b in range(K + 1) if below[b] > q)
    upper = next(b for b in range(K, -1, -1) if above[b] > q)
    return tuple(Fraction(b + adjusted, K + adjusted) for b in (lower, upper))
