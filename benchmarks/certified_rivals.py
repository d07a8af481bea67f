"""Programs that bound their own error, beside the bracket: a section of results/note.md.

    python benchmarks/certified_rivals.py

200 pairs with differences of 1 to 100; of the note's 2,000 sisFFT finds no law in five minutes.
sisFFT (Wilson and Keich 2016; its modules of 2015 load on today's Python, its package does not)
promises a relative error of every point of a convolution; the law is a product of 20 laws of ten
pairs each, two at a time. ``dgpbinom`` of R's
PoissonBinomial (Biscarri, Zhao and Brunner 2018; Junge) has the whole law in doubles, by convolution
and by the transform; it promises nothing. Errors are relative to the middle of a bracket of 19
digits. CPU seconds of one process, the better of two runs; R's without its start.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from typing import Any

import numpy

import measure
from exactperm.certified.bracket import tail_bracket
from note import TARGETS, Tally, log_middle, log_of, on_a_lattice, relative
from real_scores import timed

LEAVES, PAIRS = 20, 200
LOSS = 1e3
"""sisFFT's bound: a point is off by at most this many times the rounding of doubles."""
R = """
library(PoissonBinomial)
x <- as.matrix(read.table(file("stdin")))
d <- as.integer(rep(x[, 1], x[, 2]))
for (method in c("Convolve", "DivideFFT")) {
  time <- min(replicate(2, system.time(p <<- dgpbinom(NULL, rep(.5, length(d)), d, 0L * d, method = method))[1]))
  cat(method, time, format(cumsum(p), digits = 17), "\\n")
}
cat(as.character(packageVersion("PoissonBinomial")), as.character(getRversion()), "\\n")
"""


def sisfft_law(tally: Tally) -> Any:
    """Return the logarithms of P(X = 0), P(X = 1), ... by sisFFT."""
    import afftc

    pairs = [d for d, count in tally.items() for _ in range(count)]
    leaves = [pairs[i::LEAVES] for i in range(LEAVES)]  # from small to large, without long gaps
    laws = []
    for leaf in leaves:
        law = numpy.ones(1)
        for d in leaf:  # sums of positive terms, which lose nothing
            law = numpy.pad(law, (0, d)) / 2 + numpy.pad(law, (d, 0)) / 2
        with numpy.errstate(divide="ignore"):
            laws.append(numpy.log(law))
    while len(laws) > 1:
        laws.sort(key=len, reverse=True)
        a, b = laws.pop(), laws.pop()
        laws.append(afftc.convolve(a, b, LOSS)[: len(a) + len(b) - 1])
    return laws[0]


def by_r(tally: Tally) -> tuple[dict[str, tuple[float, list[float]]], str]:
    """Return the seconds and the distribution function of each method of R's package, and the versions."""
    rows = "\n".join(f"{d} {count}" for d, count in tally.items())
    done = subprocess.run(
        [shutil.which("Rscript") or "Rscript", "-e", R],
        input=rows,
        capture_output=True,
        text=True,
        check=True,
    )
    *found, versions = [line.split() for line in done.stdout.splitlines()]
    table = {method: (float(time), [float(p) for p in law]) for method, time, *law in found}
    return table, "PoissonBinomial {}, R {}".format(*versions)


def main() -> None:
    """Print the table."""
    package = importlib.util.find_spec("sisfft")
    if package is None or shutil.which("Rscript") is None:
        sys.exit("this needs sisfft of PyPI, and R with PoissonBinomial")
    sys.path += package.submodule_search_locations or []
    points = list(on_a_lattice([target for target in TARGETS if target > 1e-60], PAIRS))
    tally = points[0][1]
    seconds, law = timed(lambda: sisfft_law(tally))
    table, versions = by_r(tally)
    rows = []
    for target, _, k in points:
        alone, found = timed(lambda k=k: tail_bracket(tally, k))
        truth = log_middle(found)
        sis = float(numpy.logaddexp.reduce(law[: k + 1]))
        others = [relative(log_of(law_of[k]), truth) for _, law_of in table.values()]
        width = f"{found.relative_width:.0e}" if found.relative_width else "exact"
        rows.append(
            (f"{target:.0e}", width, measure.shown_seconds(alone), relative(sis, truth), *others)
        )
    whole = [
        measure.shown_seconds(time) for time in (seconds, *(time for time, _ in table.values()))
    ]
    rows.append(("CPU time of the whole law", "", "", *whole))
    print(
        f"## Programs that bound their error\n\nwith {versions}: {PAIRS} pairs, differences of 1 to 100; relative errors.\n"
    )
    print(measure.table(("p", "width", "time", "sisFFT", *(f"R, {name}" for name in table)), rows))


if __name__ == "__main__":
    main()
