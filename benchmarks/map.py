"""The map of speed: number of pairs x kind of scores, exact and certified, beside what a user would take instead.

    python benchmarks/map.py [--quick]

Each cell has the time of this package from two columns to the p-value, its engine or its refusal
with the time that takes, and the fastest alternative in the same run: an exact one (the plain
twenty lines, python-flint, gmpy2) and a float one with its true error (dynamic program, FFT), and
Monte Carlo with its standard error (NumPy, SciPy). An exact count is lost where an exact
alternative is faster by CPU time; a bracket also where a float one is faster that is right to a
thousandth, though only the bracket tells so. A refusal is lost where such an alternative ends.
Times are CPU seconds, the least of up to fifty runs; wall time stands in the full table.
Alternatives get integers or arrays, whose reading is not counted. They are left out where they
would take some ten seconds or a gigabyte; the FFT gets as fine a lattice as half a second allows.
All scores have a fixed seed and a two-sided p-value near 0.03.
"""

from __future__ import annotations

import math
import random
import signal
import sys
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import measure
import peers
from exactperm import Budget, BudgetExceeded, fast_permutation_test, permutation_test

SIZES = (20, 100, 1_000, 10_000, 100_000, 1_000_000)
KINDS = ("0/1", "0..10", *(f"{k} decimals" for k in range(2, 8)), "doubles")
SECONDS = 10.0  # the budget of this package, and about what an alternative may take
PATIENCE = 4  # times these seconds on the clock
Z = 2.2  # the mean difference, in standard errors
Result = tuple[float, float, Any]
"""CPU seconds, wall seconds, value; a refusal in place of the value where there is none."""


# ------------------------------------------------------------------------------------------ data


def columns(kind: str, n: int) -> tuple[list[Any], list[Any]]:
    """Scores of two systems whose mean difference is about Z standard errors."""
    rng = random.Random(f"{kind} {n}")
    if kind == "0/1":
        apart = max(6, int(0.3 * n))
        ahead = min(apart, round((apart + Z * math.sqrt(apart)) / 2))
        rows = [(1, 0)] * ahead + [(0, 1)] * (apart - ahead)
        rows += [(x, x) for x in (rng.randrange(2) for _ in range(n - apart))]
        rng.shuffle(rows)
        return [u for u, _ in rows], [v for _, v in rows]
    drawn = [rng.gauss(0, 1) for _ in range(n)]
    mean = sum(drawn) / n
    gaps = [x - mean + Z / math.sqrt(n) for x in drawn]
    if kind == "0..10":
        base = [min(7, max(3, round(rng.gauss(5, 1)))) for _ in range(n)]
        return [min(10, max(0, b + round(1.5 * x))) for b, x in zip(base, gaps)], base
    base = [rng.gauss(0.6, 0.1) for _ in range(n)]
    u, v = [b + 0.1 * x for b, x in zip(base, gaps)], base
    if kind == "doubles":
        return u, v
    places = int(kind[0])
    return [round(x, places) for x in u], [round(x, places) for x in v]


def integers(kind: str, u: Sequence[Any], v: Sequence[Any]) -> tuple[list[int], list[int]] | None:
    """The scores as integers, for alternatives that know no others; None for doubles."""
    if kind == "doubles":
        return None
    scale = 10 ** int(kind[0]) if "decimals" in kind else 1
    return [round(x * scale) for x in u], [round(x * scale) for x in v]


# ------------------------------------------------------------------------------- float alternatives


def float_dp(d: Sequence[int]) -> float:
    """Probabilities of all sums, one pair after the other, in NumPy doubles."""
    import numpy as np

    sizes = sorted(abs(x) for x in d if x)
    total, observed = sum(sizes), abs(sum(d))
    pmf, top = np.zeros(total + 1), 0
    pmf[0] = 1.0
    for x in sizes:
        new = 0.5 * pmf[: top + 1]
        pmf[: top + 1] = new
        pmf[x : top + x + 1] += new
        top += x
    return float(min(1.0, 2 * pmf[: (total - observed) // 2 + 1].sum())) if observed else 1.0


def float_fft(d: Sequence[float], cells: int) -> float:
    """The inverse FFT of prod cos(d t) on a lattice; integers that fit are placed exactly, all else is rounded."""
    import numpy as np

    sizes = np.abs(np.array(d, dtype=float))
    total, observed = sizes.sum(), abs(math.fsum(d))
    spacing = 1.0 if isinstance(d[0], int) and 2 * total < cells else 2.2 * total / cells
    places, numbers = np.unique(np.rint(sizes / spacing).astype(np.int64), return_counts=True)
    angle = np.arange(cells // 2 + 1) * (2 * np.pi / cells)
    phi = np.ones(cells // 2 + 1)
    for place, number in zip(places, numbers):
        phi *= np.cos(angle * float(place)) ** int(number)
    pmf = np.fft.irfft(phi, cells)
    reach = math.ceil(observed / spacing - 1e-9)
    return float(pmf[reach : cells - reach + 1].sum()) if reach else 1.0


def monte_carlo(d: Sequence[float], samples: int) -> float:
    """(b + 1) / (K + 1) from random signs in NumPy."""
    import numpy as np

    sizes, rng, hits, done = np.abs(np.array(d, dtype=float)), np.random.default_rng(1), 0, 0
    observed = abs(math.fsum(d)) * (1 - 1e-12)
    while done < samples:
        rows = min(samples - done, max(1, 2_000_000 // len(sizes)))
        signs = rng.integers(0, 2, size=(rows, len(sizes)), dtype=np.int8)
        hits += int((np.abs(2 * (signs @ sizes) - sizes.sum()) >= observed).sum())
        done += rows
    return (hits + 1) / (samples + 1)


def gmpy2_product(u: Sequence[int], v: Sequence[int]) -> Any:
    """The coefficients of prod (1 + x^d)^c, packed into integers of GMP, halves multiplied."""
    import gmpy2

    tally, tied, k = peers._threshold(u, v)
    if k is None:
        return 1
    width = sum(tally.values()) + 1
    factors = [
        gmpy2.mpz(1) + (gmpy2.mpz(1) << width * d)
        for d, c in sorted(tally.items())
        for _ in range(c)
    ]
    while len(factors) > 1:
        factors = [
            math.prod(factors[i : i + 2], start=gmpy2.mpz(1)) for i in range(0, len(factors), 2)
        ]
    low = factors[0] & ((gmpy2.mpz(1) << width * (k + 1)) - 1)
    return peers.Fraction(2 * int(low % ((gmpy2.mpz(1) << width) - 1)) << tied, 1 << len(u))


def exact_peers(whole: tuple[list[int], list[int]] | None) -> dict[str, Callable[[], object]]:
    """Exact alternatives that are expected to end within the limits."""
    if whole is None:
        return {}
    tally, _tied, k = peers._threshold(*whole)
    reach, pairs = sum(d * c for d, c in tally.items()), sum(tally.values())
    found: dict[str, Callable[[], object]] = {}
    if k is not None and k * len(tally) * (1 + pairs / 3000) < 3e7 and k * pairs < 6e9:
        found["20 lines"] = lambda: peers.plain_recurrence(*whole)
    if find_spec("flint") and reach * pairs < 1e9 and reach < 2e7:
        found["flint"] = lambda: peers.flint_product(*whole)
    if find_spec("gmpy2") and reach * pairs < 4e8:
        found["gmpy2"] = lambda: gmpy2_product(*whole)
    return found


def float_peers(d: Sequence[float]) -> dict[str, Callable[[], object]]:
    """Float alternatives that are expected to end within the limits."""
    if not find_spec("numpy"):
        return {}
    found: dict[str, Callable[[], object]] = {}
    whole, reach = isinstance(d[0], int), sum(map(abs, d))
    if whole and reach < 5e7 and reach * len(d) < 4e9:
        found["DP"] = lambda: float_dp(d)
    distinct = len(set(map(abs, d)))
    cells = 1 << 22
    while cells > 1 << 12 and cells * distinct > 1.5e8:
        cells //= 2
    if whole and 2 * reach < cells:
        cells = 1 << max(4, int(2 * reach).bit_length())
    if cells * distinct <= 1e9:
        found["FFT"] = lambda: float_fft(d, cells)
    return found


def samplers(d: Sequence[float]) -> dict[str, tuple[int, Callable[[], object]]]:
    """Monte Carlo tests, each with its number of samples: 9,999 where they fit."""
    samples = min(9_999, max(99, int(2e8 / len(d))))
    found: dict[str, tuple[int, Callable[[], object]]] = {}
    if find_spec("numpy"):
        found["NumPy"] = samples, lambda: monte_carlo(d, samples)
    if find_spec("scipy") and len(d) <= 1000:
        found["SciPy"] = 9_999, lambda: peers.scipy_resampling([*d], [0] * len(d))
    return found


# ---------------------------------------------------------------------------------------- measuring


class TooLong(Exception):
    """A task took too long."""


def timed(task: Callable[[], object], least: float = 0.05) -> Result | None:
    """CPU and wall seconds, the least of up to fifty runs, and the value; None where it takes too long."""

    def stop(*_signal: object) -> None:
        raise TooLong

    runs: list[Result] = []
    # of wall time: a timer of CPU time would coarsen the clock
    alarm = getattr(signal, "SIGALRM", None)
    before = signal.signal(alarm, stop) if alarm else None
    try:
        if alarm:
            signal.alarm(int(PATIENCE * SECONDS))
        while len(runs) < 50 and sum(cpu for cpu, _, _ in runs) < least:
            cpu, wall = time.process_time(), time.perf_counter()
            try:
                value = task()
            except BudgetExceeded as refusal:
                value = refusal
            runs.append((time.process_time() - cpu, time.perf_counter() - wall, value))
    except (TooLong, MemoryError):
        return None
    finally:
        if alarm:
            signal.alarm(0)
            signal.signal(alarm, before)
    return min(runs, key=lambda run: run[:2])


class Cell:
    """What one number of pairs and kind of scores takes, here and elsewhere."""

    def __init__(self, kind: str, n: int) -> None:
        u, v = columns(kind, n)
        whole = integers(kind, u, v)
        d: list[Any] = [a - b for a, b in zip(*(whole or (u, v)))]
        budget = Budget(seconds=SECONDS)
        self.kind, self.n = kind, n
        self.exact = timed(lambda: permutation_test(u, v, budget=budget))
        self.certified = timed(lambda: fast_permutation_test(u, v, budget=budget))
        self.exact_peers = {name: timed(task) for name, task in exact_peers(whole).items()}
        self.float_peers = {name: timed(task) for name, task in float_peers(d).items()}
        self.samplers = {
            name: (samples, timed(task)) for name, (samples, task) in samplers(d).items()
        }
        self.truth = next((r[2].pvalue for r in (self.exact, self.certified) if answered(r)), None)  # type: ignore[index]
        for name, found in self.exact_peers.items():
            if found and answered(self.exact) and found[2] != self.truth:
                raise SystemExit(f"{kind}, N = {n}: {name} and the exact test differ")

    def fastest_exact(self) -> tuple[str, float] | None:
        """The fastest exact alternative and its CPU seconds."""
        found = [(run[0], name) for name, run in self.exact_peers.items() if run]
        return min(found)[::-1] if found else None

    def fastest_float(self) -> tuple[str, float, float] | None:
        """The fastest float alternative that is right to a thousandth, else the best: name, CPU seconds, true error."""
        found = [
            (run[0], name, self._error(run[2]))
            for name, run in self.float_peers.items()
            if run and self.truth
        ]
        if not found:
            return None
        right = [one for one in found if one[2] < 1e-3]
        seconds, name, error = min(right) if right else min(found, key=lambda one: one[2])
        return name, seconds, error

    def fastest_sampler(self) -> tuple[str, float, float] | None:
        """The fastest Monte Carlo test: name and samples, CPU seconds, relative standard error."""
        found = [
            (run[0], f"{name}, K = {k:,}", k) for name, (k, run) in self.samplers.items() if run
        ]
        if not found or not self.truth:
            return None
        seconds, name, samples = min(found)
        p = float(self.truth)
        return name, seconds, math.sqrt((1 - p) / (p * samples))

    def _error(self, value: Any) -> float:
        return abs(float(value) - float(self.truth)) / float(self.truth)

    def rivals(self, *, exact: bool) -> list[float]:
        """CPU seconds of the alternatives as good: exact ones, and for brackets floats right to a thousandth."""
        found = [run[0] for run in self.exact_peers.values() if run]
        loose = None if exact else self.fastest_float()
        return found + ([loose[1]] if loose and loose[2] < 1e-3 else [])

    def lost(self, *, exact: bool) -> bool:
        """Whether a rival is faster by CPU time, or answers where this package does not."""
        ours = self.exact if exact else self.certified
        return min(self.rivals(exact=exact), default=math.inf) < (
            ours[0] if answered(ours) else math.inf
        )  # type: ignore[index]


def answered(run: Result | None) -> bool:
    """Whether there is a result."""
    return run is not None and not isinstance(run[2], BudgetExceeded)


# ------------------------------------------------------------------------------------------ showing


def shown(
    run: Result | None, lost: bool, engine: Callable[[Any], str], *, wall: bool = True
) -> str:
    """One entry of the table: CPU and wall time, and the engine or the width; bold where it is lost."""
    if run is None:
        return f"{'**lost:** ' * lost}more than {SECONDS:.0f} s"
    cpu = measure.shown_seconds(run[0]) + (f" ({measure.shown_seconds(run[1])})" if wall else "")
    told = f"{cpu}, {engine(run[2])}" if answered(run) else f"refused in {cpu}"
    return f"**lost:** {told}" if lost else told


def row(cell: Cell) -> list[str]:
    """One row of the full table."""
    exact, loose, sampled = cell.fastest_exact(), cell.fastest_float(), cell.fastest_sampler()
    return [
        f"{cell.n:,}",
        cell.kind,
        shown(cell.exact, cell.lost(exact=True), lambda result: result.method),
        f"{exact[0]} {measure.shown_seconds(exact[1])}" if exact else "-",
        shown(cell.certified, cell.lost(exact=False), lambda result: f"width {result.width:.0e}"),
        f"{loose[0]} {measure.shown_seconds(loose[1])}, off {loose[2]:.0e}" if loose else "-",
        f"{sampled[0]} {measure.shown_seconds(sampled[1])}, s.e. {sampled[2]:.0e}"
        if sampled
        else "-",
    ]


HEADER = [
    "N",
    "scores",
    "exact: CPU (wall), engine",
    "exact rival",
    "certified: CPU (wall)",
    "float rival",
    "Monte Carlo",
]


def compact(cells: Sequence[Cell], sizes: Sequence[int]) -> str:
    """The table of the README: CPU times, exact / certified."""

    def entry(cell: Cell) -> str:
        runs = (cell.exact, cell.lost(exact=True)), (cell.certified, cell.lost(exact=False))
        times = [
            (measure.shown_seconds(run[0]) if answered(run) else "-", lost) for run, lost in runs
        ]  # type: ignore[index]
        return " / ".join(f"*{told}*" if lost else told for told, lost in times)

    by_place = {(cell.kind, cell.n): entry(cell) for cell in cells}
    rows = [[kind, *(by_place[kind, n] for n in sizes)] for kind in KINDS]
    return measure.table(["scores", *(f"N = {n:,}" for n in sizes)], rows)


def main(arguments: Sequence[str]) -> None:
    """Print the tables."""
    sizes = SIZES[:4] if "--quick" in arguments else SIZES
    print("## The map of speed\n")
    print(measure.environment("numpy", "scipy", "python-flint", "gmpy2") + ".\n")
    cells = []
    for n in sizes:
        for kind in KINDS:
            cells.append(Cell(kind, n))
            print(*row(cells[-1]), sep=" | ", file=sys.stderr, flush=True)
    print("CPU time, exact / certified; in italics where a rival as good is faster:\n")
    print(compact(cells, sizes), end="\n\n")
    print(
        "All cells, with the fastest rival of each kind. An exact count is lost where an exact rival is faster by CPU "
        "time, a bracket also where a float rival is whose true error is below a thousandth, which only the bracket "
        "tells; s.e. is the relative standard error.\n"
    )
    print(measure.table(HEADER, map(row, cells)), end="\n\n")
    for told, exact in (("Exact counts", True), ("Brackets", False)):
        lost = [f"{c.kind}, N = {c.n:,}" for c in cells if c.lost(exact=exact)]
        print(
            f"{told} that a rival does sooner, {len(lost)} of {len(cells)}: {'; '.join(lost) or 'none'}.\n"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
