"""Time the own products of integers and polynomials beside the alternatives: ``python benchmarks/multiplication.py``.

Prints two Markdown tables of medians in milliseconds. ``--quick`` leaves out everything that takes more than a second
or so. Operands are random with a fixed seed, so only the clock differs between runs. ``decimal`` is timed on Decimals
of the same number of bits that are there already: converting integers to Decimals and back would cost far more.
"""

from __future__ import annotations

import argparse
import decimal
import importlib
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from exactperm.counting import kronecker, schoenhage
from exactperm.counting.ring import Transform, granule

BITS = (20_000, 50_000, 100_000, 150_000, 200_000, 500_000, 10**6, 3 * 10**6, 10**7, 3 * 10**7)
POLYNOMIALS = ((1000, 1000), (3000, 200), (12_000, 5000), (100_000, 200))
LONGEST_DIRECT = 60.0
"""Estimated seconds beyond which coefficients are not transformed directly."""


def milliseconds(run: Callable[[], object], seconds: float = 1.0) -> float:
    """Median over about so many seconds of runs, of one run at least."""
    times: list[float] = []
    while not times or (sum(times) + times[-1] < seconds and len(times) < 25):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


def cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def print_table(heads: list[str], rows: list[list[str]]) -> None:
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    for row in rows:
        print("| " + " | ".join(row) + " |", flush=True)


def decimal_time(bits: int, rng: random.Random) -> float:
    digits = int(bits * 0.30103)
    x, y = (decimal.Decimal((0, tuple(rng.choices(range(10), k=digits)), 0)) for _ in range(2))
    context = decimal.Context(prec=decimal.MAX_PREC, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)
    return milliseconds(lambda: context.multiply(x, y))


def flint_time(x: int, y: int) -> float | None:
    try:
        fmpz = importlib.import_module("flint").fmpz
    except ImportError:
        return None
    # Through hexadecimal text, which no digits limit refuses.
    a, b = fmpz(x), fmpz(y)
    return milliseconds(lambda: a * b)


def integers(quick: bool) -> None:
    rng = random.Random(20220705)
    rows = []
    for bits in BITS:
        if quick and bits > 10**6:
            break
        x, y = (rng.getrandbits(bits) | 1 << (bits - 1) for _ in range(2))
        native = milliseconds(lambda: x * y)  # noqa: B023 (called at once)
        own = milliseconds(lambda: schoenhage.multiply(x, y))  # noqa: B023
        square = milliseconds(lambda: schoenhage.square(x))  # noqa: B023
        others = (decimal_time(bits, rng), flint_time(x, y))
        ratio = f"{native / own:.1f}"
        rows.append([f"{bits:,}", cell(native), cell(own), ratio, cell(square), *map(cell, others)])
    heads = ["bits each", "int * int", "multiply", "ratio", "square", "decimal.Decimal", "python-flint"]
    print_table(heads, rows)


def direct(a: list[int], b: list[int], bits: int) -> Callable[[], object] | None:
    """The product by the cheapest transform of the coefficients as they are, if that is bearable."""
    length = len(a) + len(b) - 1
    layouts = [
        (schoenhage.round_up(bits, granule(half)), half, tail)
        for half, tail in kronecker.shapes(length.bit_length() - 1, length.bit_length())
        if half + tail >= length
    ]
    layout = min(layouts, key=lambda layout: schoenhage.transform_seconds(layout, 1, False))
    if schoenhage.transform_seconds(layout, 1, False) > LONGEST_DIRECT:
        return None
    return lambda: Transform(*layout).product(a, b, schoenhage.multiply)


def polynomials(quick: bool) -> None:
    rng = random.Random(20220706)
    rows = []
    for count, width in POLYNOMIALS:
        if quick and count * width > 2 * 10**6:
            continue
        a, b = ([rng.getrandbits(width) for _ in range(count)] for _ in range(2))
        mirrored = [half + half[::-1] for half in (a[: count // 2], b[: count // 2])]
        bits = 2 * width + count.bit_length()
        by_transform = direct(a, b, bits)
        slot = -(-bits // 8)
        times = (
            milliseconds(by_transform) if by_transform else None,
            milliseconds(lambda: packed_product(a, b, slot)),  # noqa: B023 (called at once)
            milliseconds(lambda: kronecker.convolve(a, b)),  # noqa: B023
            milliseconds(lambda: kronecker.convolve(*mirrored)),  # noqa: B023
        )
        rows.append([f"{count:,}", f"{width:,}", *map(cell, times)])
    print_table(["coefficients each", "bits", "direct", "packed", "convolve", "convolve, palindromes"], rows)


def packed_product(a: list[int], b: list[int], slot: int) -> list[int]:
    product = schoenhage.multiply(schoenhage.packed(a, slot), schoenhage.packed(b, slot))
    return schoenhage.unpacked(product, slot)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out what takes more than a second or so")
    quick = parser.parse_args().quick
    print(f"{platform.python_implementation()} {platform.python_version()}, medians in milliseconds\n")
    integers(quick)
    print()
    polynomials(quick)


if __name__ == "__main__":
    main()
