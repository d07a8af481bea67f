"""The same test by other means: each takes two columns of integer scores and returns its two-sided p-value.

``AVAILABLE`` holds those whose library can be imported, by name. "float FFT" is a re-implementation
of the method of the paper's published code (a balanced product of probability vectors by SciPy's
FFT convolution, entries below 1e-8 dropped from the ends), for machines where the published package
itself, ``pairedpermtest``, is not installed.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush

Scores = Sequence[int]


def _threshold(u: Scores, v: Scores) -> tuple[Counter[int], int, int | None]:
    """Pairs by their difference, ties apart, and k: p is twice P(sum of swapped differences <= k); none for p = 1."""
    tally = Counter(abs(a - b) for a, b in zip(u, v))
    tied = tally.pop(0, 0)
    observed = abs(sum(u) - sum(v))
    return tally, tied, (sum(d * c for d, c in tally.items()) - observed) // 2 if observed else None


def plain_recurrence(u: Scores, v: Scores) -> Fraction:
    """The twenty lines that the package is held against: the leave-one-out recurrence, and nothing else."""
    tally, tied, k = _threshold(u, v)
    if k is None:
        return Fraction(1)
    prefix, terms = [1], [(d, c * d, [0] * d) for d, c in tally.items()]
    for _d, _w, q in terms:
        q[0] = 1
    below = 1
    for n in range(1, k + 1):
        count = 0
        for d, w, q in terms:
            count += w * q[n % d]
        count //= n
        prefix.append(count)
        below += count
        for d, _w, q in terms:
            q[n % d] = count - q[n % d]
    return Fraction(2 * below << tied, 1 << len(u))


def shifted_integer(u: Scores, v: Scores, scale: int = 1) -> Fraction:
    """Ten lines that shift one integer, with a slot for each sum; decimals are rounded to 1/``scale``."""
    pairs = (
        zip(u, v) if scale == 1 else [(round(a * scale), round(b * scale)) for a, b in zip(u, v)]
    )
    d = [a - b for a, b in pairs if a != b]
    width = len(d) + 1
    k = (sum(map(abs, d)) - abs(sum(d))) // 2
    slots = (1 << width * (k + 1)) - 1
    packed = 1
    for x in d:
        packed = packed + (packed << width * abs(x)) & slots
    tail = packed % ((1 << width) - 1) if d else 1
    return min(Fraction(2 * tail, 1 << len(d)), Fraction(1))


def flint_product(u: Scores, v: Scores) -> Fraction:
    """The coefficients of prod (1 + x^d)^c by python-flint, integer polynomials in C; half of them summed.

    The two factors of least degree are multiplied first: eight times faster than one after the
    other.
    """
    from flint import fmpz_poly

    tally, tied, k = _threshold(u, v)
    if k is None:
        return Fraction(1)
    factors = [(d * c, d, fmpz_poly([1] + [0] * (d - 1) + [1]) ** c) for d, c in tally.items()]
    heapify(factors)
    while len(factors) > 1:
        (x, i, f), (y, _j, g) = heappop(factors), heappop(factors)
        heappush(factors, (x + y, i, f * g))
    product = factors[0][2]
    below = sum(int(product[i]) for i in range(k + 1))
    return Fraction(2 * below << tied, 1 << len(u))


def float_fft(u: Scores, v: Scores) -> float:
    """A balanced product of probability vectors by FFT, dropping entries below 1e-8 from both ends."""
    import numpy as np
    from scipy.signal import fftconvolve

    def trimmed(low: int, pmf: np.ndarray) -> tuple[int, np.ndarray]:
        kept = np.nonzero(pmf > 1e-8)[0]
        return low + int(kept[0]), pmf[kept[0] : kept[-1] + 1]

    vectors = []
    for a, b in zip(u, v):
        pmf = np.zeros(2 * abs(a - b) + 1)
        pmf[0] += 0.5
        pmf[-1] += 0.5
        vectors.append((-abs(a - b), pmf))
    while len(vectors) > 1:
        paired = [
            trimmed(x + y, fftconvolve(f, g) if len(f) + len(g) > 128 else np.convolve(f, g))
            for (x, f), (y, g) in zip(vectors[::2], vectors[1::2])
        ]
        vectors = paired + vectors[2 * len(paired) :]
    low, pmf = vectors[0]
    observed = abs(sum(u) - sum(v))
    return float(sum(pmf[np.abs(np.arange(low, low + len(pmf))) >= observed]))


def authors_fft(u: Scores, v: Scores) -> float:
    """The published package, where it is installed."""
    from pairedpermtest.structured_tests import ExactPairedPermutationTestFFT

    return float(
        ExactPairedPermutationTestFFT(effect=lambda x: x, structured=True).test(list(u), list(v))
    )


def scipy_resampling(u: Scores, v: Scores, resamples: int = 9999) -> float:
    """scipy.stats.permutation_test with its default number of resamples."""
    import numpy as np
    from scipy.stats import permutation_test

    def statistic(x: np.ndarray, y: np.ndarray, axis: int) -> np.ndarray:
        return np.sum(x - y, axis=axis)

    result = permutation_test(
        (np.array(u), np.array(v)),
        statistic,
        permutation_type="samples",
        n_resamples=resamples,
        vectorized=True,
        batch=100,
        rng=np.random.default_rng(0),
    )
    return float(result.pvalue)


def mlxtend_resampling(u: Scores, v: Scores, rounds: int = 1000) -> float:
    """mlxtend.evaluate.permutation_test, paired, with its default number of rounds."""
    from mlxtend.evaluate import permutation_test

    return float(
        permutation_test(
            list(u), list(v), paired=True, method="approximate", num_rounds=rounds, seed=0
        )
    )


def plain_monte_carlo(u: Scores, v: Scores, samples: int = 20_000) -> float:
    """The paper's Alg. 1 as it is usually written: random signs for every pair, in plain Python."""
    rng = random.Random(0)
    d = [abs(a - b) for a, b in zip(u, v) if a != b]
    observed, total = abs(sum(u) - sum(v)), sum(d)
    hits = 0
    for _ in range(samples):
        bits = rng.getrandbits(len(d) or 1)
        moved = (
            sum(x for i, x in enumerate(d) if bits >> i & 1) if len(d) < 64 else _picked(d, bits)
        )
        hits += abs(total - 2 * moved) >= observed
    return hits / samples


def _picked(d: Sequence[int], bits: int) -> int:
    text = f"{bits:0{len(d)}b}"
    return sum(x for x, bit in zip(d, text) if bit == "1")


_NEEDS: dict[str, tuple[str, Callable[[Scores, Scores], object]]] = {
    "python-flint, integer polynomials in C": ("flint", flint_product),
    "published package, FFT (floats)": ("pairedpermtest", authors_fft),
    "float FFT, SciPy": ("scipy", float_fft),
    "SciPy permutation_test, 9,999 resamples": ("scipy", scipy_resampling),
    "mlxtend, 1,000 rounds": ("mlxtend", mlxtend_resampling),
}


def available() -> dict[str, Callable[[Scores, Scores], object]]:
    """The peers whose library can be imported, by name."""
    from importlib.util import find_spec

    return {name: run for name, (module, run) in _NEEDS.items() if find_spec(module)}
