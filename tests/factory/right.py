"""A right program with decimals, written from the page of the vectors alone."""

from collections import Counter
from decimal import Context, Decimal, InvalidOperation
from fractions import Fraction

ABOUT = {
    "implementation": {"name": "right", "version": "1.0", "language": "Python"},
    "numbers": "decimal",
}
EXACT = Context(prec=2000, Emin=-9999, Emax=9999)


def score(text):
    try:
        number = EXACT.create_decimal(text)
    except InvalidOperation:
        raise ValueError(f"{text} is no number") from None
    if not number.is_finite():
        raise ValueError(f"{text} is no score")
    return number


def differences(call, given):
    if call == "mcnemar":
        b, c = int(given["b"]), int(given["c"])
        if min(b, c) < 0:
            raise ValueError("a negative number of items")
        return [Decimal(1)] * b + [Decimal(-1)] * c
    if "d" in given:
        return [score(d) for d in given["d"]]
    if len(given["u"]) != len(given["v"]):
        raise ValueError("columns of different lengths")
    return [EXACT.subtract(score(u), score(v)) for u, v in zip(given["u"], given["v"])]


def sign(d):
    return (d > 0) - (d < 0)


def ranks(ds, method):
    """Twice the mean rank of each |d|, with the sign of d."""
    sizes = [abs(d) for d in ds if d or method != "wilcox"]
    return [sign(d) * (2 * sum(x < abs(d) for x in sizes) + sizes.count(abs(d)) + 1) for d in ds]


def groups(ds, labels):
    sums = {}
    for label, d in zip(labels, ds):
        sums[label] = EXACT.add(sums.get(label, Decimal(0)), d)
    return list(sums.values())


def signed_sums(steps):
    sums = Counter([0])
    for d in steps:
        after = Counter()
        for x, count in sums.items():
            after[x + d] += count
            after[x - d] += count
        sums = after
    return sums


def interval(given, alternative):
    """The k-th mean of subsets from below and from above."""
    units = {}
    for label, d in zip(given.get("groups", range(len(given["d"]))), map(score, given["d"])):
        total, pairs = units.get(label, (0, 0))
        units[label] = total + Fraction(d), pairs + 1
    if not units:
        raise ValueError("no data")
    subsets = [(Fraction(0), 0)]
    for total, pairs in units.values():
        subsets += [(x + total, n + pairs) for x, n in subsets]
    means = sorted(x / n for x, n in subsets[1:])
    alpha = 1 - Fraction(given["confidence"])
    k = int(alpha * len(subsets) / (2 if alternative == "two-sided" else 1))
    low, high = ("-Infinity", "Infinity") if not k else (means[k - 1], means[-k])
    return [
        "-Infinity" if alternative == "less" else low,
        "Infinity" if alternative == "greater" else high,
    ]


def distribution(given):
    """Rows of the sum of differences, or of the ranks of positive ones, which is (signed ranks + all ranks) / 2."""
    ds = [score(d) for d in given["d"]]
    if not ds:
        raise ValueError("no data")
    if given["test"] == "sign-flip":
        return sorted(signed_sums(map(Fraction, ds)).items())
    twice = [abs(rank) for rank in ranks(ds, "wilcox")]
    return sorted((Fraction(x + sum(twice), 4), count) for x, count in signed_sums(twice).items())


def answer(call, given, alternative):
    if call == "interval":
        return interval(given, alternative)
    if call == "null-distribution":
        return distribution(given)
    if call in ("f1", "ratio", "adjust"):
        return None
    units = differences(call, given)
    if call == "wilcoxon":
        units = ranks(units, given["zero_method"])
    if call == "sign":
        units = list(map(sign, units))
    if "groups" in given:
        units = groups(units, given["groups"])
    if not units and call != "mcnemar":
        raise ValueError("no data")
    units = list(map(Decimal, units))
    least = min((d.as_tuple().exponent for d in units), default=0)
    steps = [int(EXACT.scaleb(d, -least)) for d in units]  # integers, in units of the last decimal
    sums, observed = signed_sums(steps), sum(steps)
    extreme = {
        "greater": lambda x: x >= observed,
        "less": lambda x: x <= observed,
        "two-sided": lambda x: abs(x) >= abs(observed),
    }[alternative]
    count = sum(count for x, count in sums.items() if extreme(x))
    return f"{count}/2^{len(units)}"
