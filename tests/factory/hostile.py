"""Certificates that try the limits of the verifiers: each fits itself up to the count, so that the work is begun."""

import hashlib
import math
from fractions import Fraction

from exactperm import certify, permutation_test_runs, sign_flip_test
from exactperm.arithmetic.rational import log10
from exactperm.arithmetic.writing import decimal_string


def claimed(swaps, x, units, total):
    """A record of "less" that counts one choice: all its fields fit the swaps."""
    p = Fraction(1, total)
    return {
        **{"format": 2, "claim": "counted", "version": "0", "method": "none"},
        **{"pvalue": f"1/{total:#x}", "count": "1", "total": f"{total:#x}", "statistic": str(x)},
        **{"pvalue_decimal": decimal_string(p, 17), "log10_pvalue": log10(p)},
        **{"statistic_name": "weights", "alternative": "less"},
        **{"n": units, "n_units": units, "n_nonzero": units},
        "swaps": {"ties": 0, "low": "0", "unit": "1", "observed": str(x), **swaps},
    }


def tally(pairs):
    """A record of a tally, observed in its centre."""
    listed, units = [[str(d), c] for d, c in sorted(pairs.items())], sum(pairs.values())
    x = sum(d * c for d, c in pairs.items()) // 2
    return claimed({"tally": listed}, x, units, 2**units)


def steps(each):
    """A record of steps ((value, weight), ...), observed in the centre."""
    listed = [[[[str(a), str(g)] for a, g in step], c] for step, c in sorted(each)]
    total = math.prod(sum(g for _, g in step) ** c for step, c in each)
    x = sum(step[-1][0] * c for step, c in each) // 2
    return claimed({"steps": listed, "common": "1"}, x, sum(c for _, c in each), total)


def pool(values, m):
    """A record of two samples."""
    listed = [[str(v), values.count(v)] for v in sorted(set(values))]
    x = (sum(sorted(values)[-m:]) - sum(sorted(values)[:m])) // 2
    return claimed({"pool": listed, "chosen": str(m)}, x, 1, math.comb(len(values), m))


def scored(scores, d=(1, 2), **rules):
    """A certificate of differences with the SHA-256 of other scores."""
    record = certify(sign_flip_test([*d]), "".join(f"{x}\n" for x in d).encode())
    record["data"][0].update(sha256=hashlib.sha256(scores).hexdigest(), **rules)
    return record, scores


def run_scores(rows):
    """A certificate of two blocks of runs with the scores of other ones."""
    few = permutation_test_runs([[1, 2]], [[3]], design="within")
    record = certify(few, b"id,a,b,c\n1,1,2,3\n", columns="2+3,4")
    width = len(rows[0])
    head = ",".join(["id", *(f"r{i}" for i in range(width))])
    lines = [",".join(map(str, [i, *row])) for i, row in enumerate(rows)]
    scores = "\n".join([head, *lines, ""]).encode()
    for rules, columns in zip(
        record["data"], (range(2, width // 2 + 2), range(width // 2 + 2, width + 2))
    ):
        rules.update(sha256=hashlib.sha256(scores).hexdigest(), columns=[*columns])
    return record, scores


def certificates():
    """(name, (certificate, scores, ...)) of each."""
    for many in (60_000, 100_000, 400_000):
        yield f"{many} equal differences", (tally({1: many}),)
    for many, c in ((100, 30), (300, 10), (1000, 1)):
        yield f"{many} differences, {c} units each", (tally(dict.fromkeys(range(1, many + 1), c)),)
    for many in (34, 38, 40):
        yield f"{many} differences of 60 digits", (tally({10**60 + 3**i: 1 for i in range(many)}),)
    yield "24 differences of 4000 digits", (tally({10**3990 + 3**i: 1 for i in range(24)}),)
    yield "36 differences of 4000 digits", (tally({10**3990 + 3**i: 1 for i in range(36)}),)
    yield "30,000 multiples of 2^61 - 1", (tally({i * (2**61 - 1): 1 for i in range(1, 20_000)}),)
    wide = tuple((i * i, 1) for i in range(20_000))
    yield "a step of 20,000 values", (steps([(wide, 1)]),)
    yield (
        "60 steps of long weights",
        (steps([(((0, 1), (1, 2**13000 + i)), 1) for i in range(60)]),),
    )
    yield "22 units of long weights", (steps([(((0, 1), (3**i, 2**13000)), 1) for i in range(22)]),)
    yield "6,000 equal differences", (tally({1: 6000}),)
    yield "3,000 differences of 1 to 60", (tally(dict.fromkeys(range(1, 61), 50)),)
    wide = tuple((i * i * i, 1) for i in range(700))
    yield "four steps of 700 values", (steps([(wide, 4)]),)
    yield "two steps of 12,000 values", (steps([(tuple((i * i, 1) for i in range(12_000)), 2)]),)
    few = tuple((i, i * i + 1) for i in range(30))
    yield "2,000 units of 30 values", (steps([(few, 2000)]),)
    long = tuple((i, 10**300 + i) for i in range(40))
    yield "900 units of 40 values with long weights", (steps([(long, 900)]),)
    yield "a pool of 40 values of 40 digits", (pool([10**40 + 3**i for i in range(40)], 20),)
    yield "a pool of 990 values", (pool([i * i for i in range(990)], 495),)
    yield "a pool of 200 small values", (pool([i % 40 for i in range(200)], 100),)
    yield "500,000 scores", scored(b"1\n" * 500_000)
    yield "250,000 scores with decimals", scored(b"1.5\n" * 260_000)
    fractions = "".join(f"1/{10**200 + i}\n" for i in range(5000)).encode()
    yield "fractions of long denominators", scored(fractions)
    words = "".join(f"{i}\n" for i in range(150_000)).encode()
    yield "150,000 different scores", scored(words)
    products = "".join(f"{'7' * 300}.{'3' * 290}\n" for _ in range(1700)).encode()
    yield "1,700 scores of 590 digits", scored(products)
    many = "".join(f"1e-99,{i}\n" for i in range(80_000)).encode()
    yield "80,000 scores of 1e-99", scored(many, columns=[1, 2])
    yield (
        "a line of 1,000,000 digits",
        scored(b"1," + b"9" * 10**6 + b"\n", columns=[2]),
    )
    yield "30 runs of 570 digits", run_scores([[2 ** (1890 + i) for i in range(30)]])
    yield (
        "18 runs on each of 500 items",
        run_scores([[3**i + j for i in range(18)] for j in range(500)]),
    )
    yield (
        "10 runs on each of 9,000 items",
        run_scores([[3**i % 97 + j for i in range(10)] for j in range(9000)]),
    )
    yield "10,000 runs", run_scores([[i * i for i in range(10_000)]])
    yield "1,000 runs of 0 and 1", run_scores([[i % 2 for i in range(1000)]])
    yield (
        "a decimal of 4,000 places",
        ({**tally({1: 400_000}), "pvalue_decimal": "5." + "0" * 3999 + "e-999999"},),
    )
    half = math.comb(900, 450)
    yield "half of 900 pairs", ({**tally({1: 900}), "count": str(half)},)
