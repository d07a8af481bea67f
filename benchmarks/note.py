"""All figures and tables of spec/note.md: majorants, width against nodes, rivals, time, where it is slow.

    python benchmarks/note.py [--quick]    all of it, printed
    python benchmarks/note.py --paste      the tables of the note, from benchmarks/results/note.md

Theorem 1, the gap of Theorem 7 and all rivals are computed here from their formulas, in floats and
without the certified arithmetic of the package; errors are measured against middles of brackets of
17 digits. Times are CPU seconds of one process, the better of two runs. Seeds are fixed. Importance
sampling and the transforms need numpy. Writes ``note-1.svg`` to ``note-4.svg`` beside the results.
"""

from __future__ import annotations

import cmath
import math
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

import measure
from exactperm.arithmetic.enclosure import Enclosure
from exactperm.budget import Budget, Options
from exactperm.certified.bracket import tail_bracket
from exactperm.counting import plan
from exactperm.errors import BudgetExceeded
from plots import line_plot
from real_scores import scores, timed

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]

sys.path.insert(0, str(measure.ROOT))
from spec import wrong_programs

Tally = Mapping[int, int]
SEED = 11
HARD = Budget(seconds=5.0)
SAMPLED, DRAWN = 100_000, 1_000_000
TARGETS = (1e-1, 1e-3, 1e-6, 1e-12, 1e-25, 1e-50, 1e-100, 1e-200, 1e-300)


class Tilt:
    """The tilted law q of a tally with mean k, or with lambda = 0 where k is near the middle; floats."""

    def __init__(self, tally: Tally, k: int, slope: float | None = None) -> None:
        self.tally, self.k = tally, k
        self.slope = self._saddle() if slope is None else slope

    def _saddle(self) -> float:
        low, high = 0.0, 60.0 / min(self.tally)
        if self.mean(0.0) - self.k < math.sqrt(self.variance(0.0)):
            return 0.0
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if self.mean(middle) > self.k else (low, middle)
        return low

    def share(self, slope: float, d: int) -> float:
        """p_d, the probability under q that a pair of difference d counts."""
        x = math.exp(-min(700.0, slope * d))
        return x / (1 + x)

    def mean(self, slope: float) -> float:
        """Mean of X under a slope."""
        return math.fsum(c * d * self.share(slope, d) for d, c in self.tally.items())

    def variance(self, slope: float) -> float:
        """Variance of X under a slope."""
        return math.fsum(
            c * d * d * self.share(slope, d) * (1 - self.share(slope, d))
            for d, c in self.tally.items()
        )

    def log_growth(self, slope: float) -> float:
        """Logarithm of G."""
        return math.fsum(
            c * math.log1p(math.exp(-min(700.0, slope * d))) for d, c in self.tally.items()
        )

    @cached_property
    def log_factor(self) -> float:
        """Logarithm of F."""
        return (
            self.log_growth(self.slope)
            + self.slope * self.k
            - sum(self.tally.values()) * math.log(2)
        )

    @cached_property
    def deviation(self) -> float:
        """Standard deviation of q."""
        return math.sqrt(self.variance(self.slope))

    def phi(self, t: float) -> complex:
        """Characteristic function of q."""
        value = 1 + 0j
        for d, c in self.tally.items():
            p = self.share(self.slope, d)
            value *= (1 - p + p * cmath.exp(1j * t * d)) ** c
        return value


class Polynomials:
    """Coefficients of majorant and minorant of the window with n nodes, by Theorem 1."""

    def __init__(self, slope: float, period: float, window: float, n: int) -> None:
        self.slope, self.period, self.window, self.n = slope, period, window, n
        x = slope * period / n
        rho = math.exp(-x)
        gain = rho / (2 * math.pi) * (x / -math.expm1(-x) if x else 1.0)
        damp = math.exp(-slope * window)
        zero = (-math.expm1(-slope * window)) / (n * -math.expm1(-x)) if x else window / period
        self.above, self.below = [complex(zero + damp / n)], [complex(zero - 1 / n)]
        for j in range(1, n):
            node = cmath.exp(-2j * math.pi * j / n)
            c = (1 - j / n + gain * (1 - node) / 1j) / (1 - rho * node) / n
            other = c - (1 - j / n) / n
            turn = damp * cmath.exp(-2j * math.pi * j * window / period)
            self.above.append(c - turn * other)
            self.below.append(other - turn * c)

    def at(self, y: float) -> tuple[float, float]:
        """Values of minorant and majorant."""
        phases = [cmath.exp(2j * math.pi * j * y / self.period) for j in range(1, self.n)]
        low, high = (
            c[0].real + 2 * math.fsum((a * b).real for a, b in zip(c[1:], phases))
            for c in (self.below, self.above)
        )
        return low, high

    def expected(self, tilt: Tilt) -> tuple[float, float]:
        """Means under q of minorant and majorant at k - X, with all frequencies."""
        values = []
        for j in range(1, self.n):
            t = 2 * math.pi * j / self.period
            values.append(tilt.phi(-t) * cmath.exp(1j * t * tilt.k))
        low, high = (
            c[0].real + 2 * math.fsum((a * b).real for a, b in zip(c[1:], values))
            for c in (self.below, self.above)
        )
        return low, high


def tallied(column: Sequence[float]) -> tuple[dict[int, int], int]:
    """The tally of decimal differences, and the threshold of the lower tail."""
    numbers = [Fraction(repr(x)) for x in column]
    scale = math.lcm(*(x.denominator for x in numbers))
    whole = [int(x * scale) for x in numbers]
    tally = dict(sorted(Counter(abs(x) for x in whole if x).items()))
    return tally, min(sum(x for x in whole if x > 0), -sum(x for x in whole if x < 0))


def figure_1() -> None:
    """f_w with its polynomials for n = 5 and 20."""
    slope, period, window = 0.15, 40.0, 20.0
    grid = [i / 4 for i in range(-40, 121)]
    curves = {
        "window": [
            (y, math.exp(-slope * (y % period)) if 0 <= y % period < window else 0.0) for y in grid
        ]
    }
    for n in (5, 20):
        polynomials = Polynomials(slope, period, window, n)
        values = [(y, *polynomials.at(y)) for y in grid]
        curves[f"majorant, n = {n}"] = [(y, high) for y, _, high in values]
        curves[f"minorant, n = {n}"] = [(y, low) for y, low, _ in values]
    picture(1, curves, "A damped window between trigonometric polynomials", "y", "value")


def picture(
    number: int,
    curves: Mapping[str, Sequence[tuple[float, float]]],
    title: str,
    x: str,
    y: str,
    **logs: bool,
) -> None:
    """Write one figure."""
    text = line_plot(curves, title=title, x_label=x, y_label=y, **logs)
    (measure.RESULTS / f"note-{number}.svg").write_text(text + "\n", encoding="utf-8")


def worked() -> None:
    """The worked example: ranks 1 to 10, k = 8."""
    tally, k, period, window = dict.fromkeys(range(1, 11), 1), 8, 60, 20
    tilt = Tilt(tally, k)
    counts = [1]
    for d in tally:
        counts = [a + b for a, b in zip(counts + [0] * d, [0] * d + counts)]
    q = [c * math.exp(-tilt.slope * x - tilt.log_growth(tilt.slope)) for x, c in enumerate(counts)]
    factor = math.exp(tilt.log_factor)
    below = sum(q[k + period - window + 1 :]) + sum(q[: max(0, k - period + 1)])
    above = math.exp(-tilt.slope * window) * sum(q[: max(0, k - window + 1)])
    exact = Fraction(sum(counts[: k + 1]), 2 ** len(tally))
    print(
        f"## Worked example\n\nDifferences 1, ..., 10 and k = {k}: P(X <= k) = {exact} = {float(exact):.6f}. "
        f"lambda = {tilt.slope:.4f}, G = {math.exp(tilt.log_growth(tilt.slope)):.4f}, F = {factor:.5f}, "
        f"S = {float(exact) / factor:.5f}, L = {period}, w = {window}, |phi(t_1)| = "
        f"{abs(tilt.phi(2 * math.pi / period)):.4f}, |phi(t_5)| = {abs(tilt.phi(10 * math.pi / period)):.5f}; "
        f"tails of q: below {below:.2e}, above {above:.2e}.\n"
    )
    rows = []
    for n in (5, 10, 20, 40, period):
        low, high = Polynomials(tilt.slope, period, window, n).expected(tilt)
        if n == period:
            low = high = on_lattice(tilt, period, window)
        lower, upper = factor * (low - below), factor * (high + above)
        assert lower <= exact <= upper
        rows.append(
            (n, f"{low:.5f}", f"{high:.5f}", f"{lower:.6f}", f"{upper:.6f}", f"{upper - lower:.6f}")
        )
    print(
        measure.table(
            ("n", "mean of minorant", "mean of majorant", "lower", "upper", "width"), rows
        )
    )


def on_lattice(tilt: Tilt, period: int, window: int) -> float:
    """Mean of the window under q by Lemma 3."""
    r = math.exp(-tilt.slope)
    total = 0j
    for j in range(period):
        z = cmath.exp(-2j * math.pi * j / period)
        phase = tilt.phi(-2 * math.pi * j / period) * z**-tilt.k
        total += phase * sum((r * z) ** y for y in range(window))
    return total.real / period


def figure_2() -> Iterator[tuple[str, ...]]:
    """Width against nodes, with the bound of Theorem 7: rows, and the picture."""
    tally, k = tallied(scores("Gauss", 60, 0.05))
    tilt = Tilt(tally, k)
    window = reach = 8 * tilt.deviation
    period = window + reach
    exact = middle(tail_bracket(tally, k, 5, budget=HARD))
    total = exact / math.exp(tilt.log_factor)
    sizes = [abs(tilt.phi(2 * math.pi * j / period)) for j in range(1, 2001)]
    gaps, bounds = [], []
    for n in (10, 20, 50, 100, 200, 500, 1000, 2000):
        low, high = Polynomials(tilt.slope, period, window, n).expected(tilt)
        gap = (high - low) / total
        bound = (
            (1 + math.exp(-tilt.slope * window)) * (1 + 2 * math.fsum(sizes[: n - 1])) / n / total
        )
        gaps.append((n, gap))
        bounds.append((n, bound))
        yield (
            str(n),
            f"{gap:.2e}",
            f"{bound:.2e}",
            f"{bound / gap:.2f}",
            f"{1 + 2 * math.fsum(sizes[: n - 1]):.2f}",
        )
    curves = {"gap of the polynomials": gaps, "bound of Theorem 7": bounds}
    picture(
        2,
        curves,
        "Relative width against nodes",
        "nodes n",
        "relative width",
        log_x=True,
        log_y=True,
    )
    seen = [(j, max(size, 1e-30)) for j, size in enumerate(sizes, 1) if j <= 400]
    small = [(j, size) for j, size in seen if size < 1e-6]
    large = [(j, size) for j, size in seen if size >= 1e-6]
    curves = {"evaluated": large, "shown to be small": small}
    picture(
        3, curves, "Modulus of the characteristic function", "frequency j", "modulus", log_y=True
    )
    print(
        f"\nOf the frequencies 1 to 2,000 {sum(size >= 1e-6 for size in sizes)} have |phi| of at least 1e-6; the last "
        f"of them is {max(j for j, size in enumerate(sizes, 1) if size >= 1e-6)}.\n"
    )


def middle(bracket: Enclosure) -> float:
    """The float in the middle, where it is one."""
    low, high = bracket.ends()
    return float((low + high) / 2)


def log_middle(bracket: Enclosure) -> float:
    """The natural logarithm of the middle."""
    low, high = bracket.ends()
    value = (low + high) / 2
    shift = value.numerator.bit_length() - value.denominator.bit_length()
    return math.log(float(value / Fraction(2) ** shift)) + shift * math.log(2)


def saddlepoint(tally: Tally, k: int, *, lattice: bool) -> float:
    """Logarithm of P(X <= k) by Lugannani and Rice, on a lattice with Daniels' second continuity correction."""
    tilt = Tilt(tally, k, 0.0)
    x = k + 0.5 if lattice else float(k)
    low, high = 0.0, 60.0 / min(tally)
    for _ in range(200):
        s = (low + high) / 2
        low, high = (s, high) if tilt.mean(s) > x else (low, s)
    log_growth = tilt.log_growth(s) - sum(tally.values()) * math.log(2)
    w = math.sqrt(max(0.0, -2 * (log_growth + s * x)))
    u = (2 * math.sinh(s / 2) if lattice else s) * math.sqrt(tilt.variance(s))
    # P = Q(w) + phi(w) (1/u - 1/w), with Mills' ratio where Q underflows.
    ratio = mills(w) + 1 / u - 1 / w
    return -w * w / 2 - math.log(2 * math.pi) / 2 + math.log(ratio)


def mills(w: float) -> float:
    """Q(w) / phi(w) for w > 0."""
    if w < 25:
        return math.erfc(w / math.sqrt(2)) / 2 / math.exp(-w * w / 2) * math.sqrt(2 * math.pi)
    return 1 / w * (1 - 1 / w**2 + 3 / w**4 - 15 / w**6 + 105 / w**8)


def transform(tally: Tally, k: int, slope: float) -> float:
    """Logarithm of P(X <= k) by a discrete Fourier transform of all D + 1 points in floats, tilted by the slope."""
    tilt = Tilt(tally, k, slope)
    points = sum(d * c for d, c in tally.items()) + 1
    t = 2j * numpy.pi * numpy.arange(points // 2 + 1) / points
    phi = numpy.ones(len(t), complex)
    for d, c in tally.items():
        p = tilt.share(slope, d)
        phi *= (1 - p + p * numpy.exp(-t * d)) ** c
    q = numpy.fft.irfft(phi, points)
    total = float((q[: k + 1] * numpy.exp(-slope * (k - numpy.arange(k + 1)))).sum())
    return math.log(total) + tilt.log_factor if total > 0 else -math.inf


def importance(tally: Tally, k: int, rng: numpy.random.Generator) -> float:
    """Logarithm of the mean of the weights of samples from q."""
    tilt = Tilt(tally, k)
    total = numpy.zeros(SAMPLED)
    for d, c in tally.items():
        total += d * rng.binomial(c, tilt.share(tilt.slope, d), SAMPLED)
    inside = total <= k
    return (
        math.log((inside * numpy.exp(-tilt.slope * (k - total) * inside)).mean()) + tilt.log_factor
    )


def log_of(p: float) -> float:
    """The logarithm of an estimate, of one of 0 or below minus infinity."""
    return math.log(p) if p > 0 else -math.inf


def relative(found: float, truth: float) -> str:
    """The relative error of two logarithms."""
    return f"{abs(math.expm1(found - truth)):.1e}" if found > -math.inf else "1 (0)"


def on_a_lattice(targets: Sequence[float], pairs: int = 2000) -> Iterator[tuple[float, Tally, int]]:
    """Probabilities, the tally of pairs with differences of 1 to 100, and thresholds of about these."""
    rng = random.Random(SEED)
    tally = dict(sorted(Counter(rng.randint(1, 100) for _ in range(pairs)).items()))
    span = sum(d * c for d, c in tally.items())
    for target in targets:
        low, high = 1, span // 2 - 1
        while low < high:
            k = (low + high) // 2
            low, high = (
                (k + 1, high)
                if saddlepoint(tally, k, lattice=True) < math.log(target)
                else (low, k)
            )
        yield target, tally, low


def rivals(targets: Sequence[float]) -> Iterator[tuple[str, ...]]:
    """Rows of relative errors on a lattice."""
    draws = numpy.random.default_rng(SEED)
    for target, tally, k in on_a_lattice(targets):
        seconds, found = timed(lambda tally=tally, k=k: tail_bracket(tally, k))
        truth, width = log_middle(found), found.relative_width
        tilt = Tilt(tally, k)
        sampled = draws.binomial(DRAWN, math.exp(truth)) / DRAWN
        yield (
            f"{target:.0e}",
            f"{max(width, 1e-99):.0e}",
            measure.shown_seconds(seconds),
            relative(saddlepoint(tally, k, lattice=True), truth),
            relative(transform(tally, k, 0.0), truth),
            relative(transform(tally, k, tilt.slope), truth),
            relative(importance(tally, k, draws), truth),
            relative(log_of(sampled), truth),
        )


def reals() -> Iterator[tuple[str, ...]]:
    """Rows for differences of 16 digits, where no transform of all points is possible."""
    for n, p in ((100, 0.05), (100, 1e-4), (200, 0.05), (200, 1e-12), (1000, 0.05), (1000, 1e-31)):
        tally, k = tallied(scores("Gauss", n, p))
        seconds, found = timed(lambda tally=tally, k=k: tail_bracket(tally, k, 5, budget=HARD))
        truth = log_middle(found)
        error = relative(saddlepoint(tally, k, lattice=False), truth)
        yield (
            str(n),
            f"{math.exp(truth):.3e}",
            f"{found.relative_width:.1e}",
            measure.shown_seconds(seconds),
            error,
        )


def asked(column: Sequence[float], digits: int) -> str:
    """Time and width of one bracket."""
    tally, k = tallied(column)

    def task() -> Enclosure | None:
        try:
            return tail_bracket(tally, k, digits, budget=HARD)
        except BudgetExceeded:
            return None

    seconds, found = timed(task)
    if found is None:
        return f"{measure.shown_seconds(seconds)}: refused"
    width = found.relative_width  # type: ignore[attr-defined]
    return f"{measure.shown_seconds(seconds)}: {'exact count' if width == 0 else f'{width:.0e}'}"


def slow() -> Iterator[tuple[str, ...]]:
    """Rows of easy and of hard data, for widths of 1e-4 and 1e-17."""
    rng = random.Random(SEED)
    lattice = [float(rng.choice([1, 2, 3]) * rng.choice([1, 1, -1])) for _ in range(3000)]
    doubles = scores("Gauss", 300, 0.05)
    off = [round(x, 2) for x in scores("Gauss", 300, 0.05)]
    for name, column in (
        ("differences 1, 2, 3; N = 3000", lattice),
        ("3 decimals, N = 1000, p = .05", scores("Gauss", 1000, 0.05, decimals=3)),
        ("7 decimals, N = 1000, p = .05", scores("Gauss", 1000, 0.05, decimals=7)),
        ("doubles, half of them 0, N = 300, p = .05", scores("half zeros", 300, 0.05)),
        ("doubles, N = 300, p = .05", doubles),
        ("one of them 1,000 times as large", [*doubles[:-1], 1000 * doubles[-1]]),
        ("2 decimals, but two doubles, N = 300", [*off[:-2], *doubles[-2:]]),
        ("doubles, N = 100, p = 1e-12", scores("Gauss", 100, 1e-12)),
        ("doubles, N = 60, p = 1e-4", scores("Gauss", 60, 1e-4)),
        ("doubles, N = 50, p = 1e-4", scores("Gauss", 50, 1e-4)),
        ("doubles, N = 40, p = .05", scores("Gauss", 40, 0.05)),
    ):
        yield name, asked(column, 4), asked(column, 17)


def exact_seconds(column: Sequence[float]) -> float | None:
    """CPU seconds of the exact count, None where it is refused."""
    tally, k = tallied(column)
    start = time.process_time()
    try:
        plan.count_at_most(tally, k, Options(budget=HARD))
    except BudgetExceeded:
        return None
    return time.process_time() - start


def figure_4(sizes: Sequence[int]) -> Iterator[tuple[str, ...]]:
    """Time against N at p = .05: rows, and the picture."""
    names = (
        "doubles to 1e-4",
        "3 decimals to 1e-17",
        "exact count, 3 decimals",
        "exact count, doubles",
        "Monte Carlo",
    )
    curves: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for n in sizes:
        fine, coarse = scores("Gauss", n, 0.05), scores("Gauss", n, 0.05, decimals=3)
        times: list[float | None] = []
        for column, digits in ((fine, 4), (coarse, 17)):
            tally, k = tallied(column)
            times.append(
                timed(lambda tally=tally, k=k, d=digits: tail_bracket(tally, k, d, budget=HARD))[0]
            )
        times += [exact_seconds(coarse), exact_seconds(fine)]
        times.append(monte_carlo_seconds(fine))
        for name, seconds in zip(names, times):
            if seconds is not None:
                curves[name].append((n, max(seconds, 1e-5)))
        yield (str(n), *map(measure.shown_seconds, times))
    picture(4, curves, "CPU seconds at p = .05", "pairs N", "seconds", log_x=True, log_y=True)


def monte_carlo_seconds(column: Sequence[float]) -> float:
    """CPU seconds of the 1.9e9 samples whose standard error is 1e-4 of p = .05, from the time of 20,000 with numpy."""
    differences = numpy.array(column)
    rng = numpy.random.default_rng(SEED)
    start = time.process_time()
    for _ in range(20):
        signs = rng.integers(0, 2, (1000, len(column)), dtype=numpy.int8)
        (abs((2 * signs - 1) @ differences) >= abs(differences.sum())).sum()
    return (time.process_time() - start) / 20_000 * 0.95 / 0.05 / 1e-8


def broken() -> Iterator[tuple[str, ...]]:
    """Rows of the wrong programs of the certified path, and the statements that they break."""
    listed = wrong_programs.load(wrong_programs.LIST.read_text(encoding="utf-8"))
    for wrong in listed:
        anchors = [anchor for anchor in wrong.breaks if anchor.startswith("note-")]
        if anchors:
            yield wrong.name, ", ".join(anchor[len("note-") :] for anchor in anchors)


def pasted(text: str, results: str) -> str:
    """Return the note with the tables of the results between its marks."""
    tables = {}
    for part in results.split("\n## ")[1:]:
        lines = part.split("\n")
        tables[lines[0]] = "\n".join(line for line in lines if line.startswith("|"))
    mark = re.compile(r"(<!-- table: (.*?) -->\n\n).*?(\n\n<!-- end -->)", re.DOTALL)
    return mark.sub(lambda found: found[1] + tables[found[2]] + found[3], text)


def paste() -> None:
    """Renew the table of wrong programs, and the tables of the note from the results that are kept."""
    note, kept = measure.ROOT / "spec" / "note.md", measure.RESULTS / "note.md"
    results = kept.read_text(encoding="utf-8").partition("\n## What wrong programs break\n")[0]
    header = ("wrong program", "statement")
    results += f"\n## What wrong programs break\n\n{measure.table(header, list(broken()))}\n"
    kept.write_text(results, encoding="utf-8")
    note.write_text(pasted(note.read_text(encoding="utf-8"), results), encoding="utf-8")


def main() -> None:
    """Print all tables."""
    if "--paste" in sys.argv:
        return paste()
    quick = "--quick" in sys.argv
    print(f"# The note\n\n`python benchmarks/note.py`, {measure.environment('numpy')}\n")
    figure_1()
    worked()
    print(
        "\n## Width against nodes\n\n60 differences of 16 digits, p = .05; relative to S. A is 1 + 2 sum |phi|.\n"
    )
    print(measure.table(("n", "gap", "bound", "ratio", "A"), list(figure_2())))
    if numpy is not None:
        print(
            f"\n## Rivals on a lattice\n\n2,000 pairs, differences of 1 to 100, seed {SEED}. Relative errors; "
            f"{SAMPLED:,} samples of importance sampling, {DRAWN:,} of Monte Carlo, from the law of the estimate.\n"
        )
        header = (
            "p",
            "width",
            "time",
            "saddlepoint",
            "FFT",
            "tilted FFT",
            "importance sampling",
            "Monte Carlo",
        )
        print(measure.table(header, rivals(TARGETS[:3] if quick else TARGETS)))
        sizes = (20, 50, 100) if quick else (20, 50, 100, 200, 500, 1000, 2000)
    print("\n## Doubles: saddlepoint against brackets\n")
    print(measure.table(("N", "p", "width", "time", "saddlepoint's error"), reals()))
    print("\n## Easy and hard data\n\nTime and relative width, at most 5 s.\n")
    print(measure.table(("data", "to 1e-4", "to 1e-17"), slow()))
    if numpy is not None:
        print(
            "\n## Time against N\n\np = .05; Monte Carlo to a standard error of 1e-4 of p is extrapolated from 20,000 "
            "samples.\n"
        )
        header = (
            "N",
            "doubles to 1e-4",
            "3 decimals to 1e-17",
            "exact, 3 decimals",
            "exact, doubles",
            "Monte Carlo",
        )
        print(measure.table(header, figure_4(sizes)))
    print("\n## What wrong programs break\n")
    print(measure.table(("wrong program", "statement"), broken()))


if __name__ == "__main__":
    main()
