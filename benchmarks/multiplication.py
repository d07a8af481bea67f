"""Time the own products of integers and polynomials beside the alternatives: ``python benchmarks/multiplication.py``.

Prints two Markdown tables of medians of interleaved runs. ``--quick`` leaves out everything that
takes more than a second or so. Operands are random with a fixed seed, so only the clock differs
between runs. ``decimal`` is timed on Decimals of the same length that are there already: converting
integers to Decimals and back would cost far more.
"""

from __future__ import annotations

import argparse
import decimal
import importlib
import random
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from exactperm.arithmetic import multiply, polynomial
from exactperm.arithmetic.transform import Transform, granule
from measure import environment, median_seconds, shown_seconds, table

BITS = (20_000, 50_000, 100_000, 150_000, 200_000, 500_000, 10**6, 3 * 10**6, 10**7, 3 * 10**7)
POLYNOMIALS = ((1000, 1000), (3000, 200), (12_000, 5000), (100_000, 200))
LONGEST_DIRECT = 60.0
"""Estimated seconds beyond which coefficients are not transformed as they are."""
_EXACT = decimal.Context(prec=decimal.MAX_PREC, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)


def random_decimal(bits: int, rng: random.Random) -> decimal.Decimal:
    return decimal.Decimal((0, tuple(rng.choices(range(10), k=int(bits * 0.30103))), 0))


def flint_task(x: int, y: int) -> dict[str, Callable[[], object]]:
    try:
        fmpz = importlib.import_module("flint").fmpz
    except ImportError:
        return {}
    a, b = fmpz(x), fmpz(y)
    return {"python-flint": lambda: a * b}


def integers(quick: bool) -> Iterator[list[str]]:
    rng = random.Random(20220705)
    for bits in BITS:
        if quick and bits > 10**6:
            break
        x, y = (rng.getrandbits(bits) | 1 << (bits - 1) for _ in range(2))
        tasks: dict[str, Callable[[], object]] = {
            "int * int": partial(int.__mul__, x, y),
            "multiply": partial(multiply.multiply, x, y),
            "square": partial(multiply.square, x),
            "decimal": partial(
                _EXACT.multiply, random_decimal(bits, rng), random_decimal(bits, rng)
            ),
            **flint_task(x, y),
        }
        times = median_seconds(tasks)
        ratio = times["int * int"] / times["multiply"]
        names = ("int * int", "multiply", "square", "decimal", "python-flint")
        yield [f"{bits:,}", f"{ratio:.1f}", *(shown_seconds(times.get(name)) for name in names)]


def polynomials(quick: bool) -> Iterator[list[str]]:
    rng = random.Random(20220706)
    for count, width in POLYNOMIALS:
        if quick and count * width > 2 * 10**6:
            continue
        a, b = ([rng.getrandbits(width) for _ in range(count)] for _ in range(2))
        mirrored = (half + half[::-1] for half in (a[: count // 2], b[: count // 2]))
        bits = 2 * width + count.bit_length()
        tasks: dict[str, Callable[[], object]] = {
            **direct_task(a, b, bits),
            "packed": partial(packed_product, a, b, -(-bits // 8)),
            "convolve": partial(polynomial.convolve, a, b),
            "palindromes": partial(polynomial.convolve, *mirrored),
        }
        times = median_seconds(tasks)
        names = ("direct", "packed", "convolve", "palindromes")
        yield [f"{count:,}", f"{width:,}", *(shown_seconds(times.get(name)) for name in names)]


def direct_task(a: list[int], b: list[int], bits: int) -> dict[str, Callable[[], object]]:
    """The product by the cheapest transform of the coefficients as they are, if that is bearable."""
    length = len(a) + len(b) - 1
    layouts = [
        (multiply.round_up(bits, granule(half)), half, tail)
        for half, tail in multiply.shapes(length.bit_length() - 1, length.bit_length())
        if half + tail >= length
    ]
    seconds, layout = min(
        (multiply.transform_seconds(layout, 1, False), layout) for layout in layouts
    )
    if seconds > LONGEST_DIRECT:
        return {}
    return {"direct": lambda: Transform(*layout).product(a, b, multiply.multiply)}


def packed_product(a: list[int], b: list[int], width: int) -> list[int]:
    product = multiply.multiply(multiply.packed(a, width), multiply.packed(b, width))
    return multiply.unpacked(product, width)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="leave out what takes more than a second or so"
    )
    quick = parser.parse_args().quick
    print(environment("python-flint"), "\n")
    heads = [
        "bits each",
        "ratio",
        "int * int",
        "multiply",
        "square",
        "decimal.Decimal",
        "python-flint",
    ]
    print(table(heads, integers(quick)), "\n")
    heads = ["coefficients each", "bits", "direct", "packed", "convolve", "convolve, palindromes"]
    print(table(heads, polynomials(quick)))


if __name__ == "__main__":
    main()
