"""Answers from the definitions, in plain integers and fractions. Nothing here imports the package under test."""

import decimal
from collections import Counter
from fractions import Fraction
from itertools import product

ALTERNATIVES = ("two-sided", "greater", "less", "doubled")


class Null:
    """A null distribution {value: number of assignments}, every question answered by a walk over all of it."""

    def __init__(self, counts):
        self.counts = {x: c for x, c in counts.items() if c}
        self.total = sum(self.counts.values())
        self.mean = Fraction(sum(x * c for x, c in self.counts.items())) / self.total
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


def number(text):
    """The number that a text means, read sign by sign; None where it means none."""
    text = text.strip()
    above, slash, below = (part.strip(" \t\n") for part in text.partition("/"))
    if slash:
        signed = above[1:] if above[:1] in ("+", "-") else above
        fits = _digits(signed) and _digits(below) and int(below)
        return Fraction(int(above), int(below)) if fits else None
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
