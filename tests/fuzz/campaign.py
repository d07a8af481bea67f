"""Run cases of every kind, count what was compared, shrink what failed."""

import signal
import time
import traceback
from contextlib import contextmanager
from decimal import Decimal
from random import Random

from tests.fuzz import budgets, components, hostile, pvalues, records, sums, tables

# Each kind draws a case (plain data) and checks it; a weight is its share of the cases: cheap kinds have many.
KINDS = {
    "tests": (sums.draw_tests, sums.check_tests, 15),
    "engines": (sums.draw_engines, sums.check_engines, 1),
    "convolutions": (sums.draw_convolutions, sums.check_convolutions, 6),
    "distributions": (sums.draw_distributions, sums.check_distributions, 5),
    "brackets": (sums.draw_brackets, sums.check_brackets, 4),
    "decisions": (sums.draw_decisions, sums.check_decisions, 3),
    "influence": (sums.draw_influence, sums.check_influence, 3),
    "leaderboards": (sums.draw_leaderboards, sums.check_leaderboards, 3),
    "numbers": (sums.draw_numbers, sums.check_numbers, 60),
    "ratios": (components.draw_ratios, components.check_ratios, 3),
    "components": (components.draw_components, components.check_components, 5),
    "classical": (components.draw_classical, components.check_classical, 5),
    "adjustments": (pvalues.draw_adjustments, pvalues.check_adjustments, 20),
    "risk": (pvalues.draw_risk, pvalues.check_risk, 4),
    "sampling": (pvalues.draw_sampling, pvalues.check_sampling, 4),
    "records": (records.draw_records, records.check_records, 30),
    "files": (tables.draw_files, tables.check_files, 3),
    "hostile": (hostile.draw_hostile, hostile.check_hostile, 40),
    "budgets": (budgets.draw_budgets, budgets.check_budgets, 0.02),
}


class Mismatch(Exception):
    """Two answers differ, or a promise is broken."""


class Hang(BaseException):
    """A case used up its CPU time. No ``Exception``: the code under test must not catch it."""


class Held:
    """Comparisons, counted."""

    def __init__(self):
        self.comparisons = self.refused = 0

    def true(self, what, holds, detail=""):
        self.comparisons += 1
        if not holds:
            raise Mismatch(f"{what}: {detail or 'does not hold'}")

    def same(self, what, got, want):
        self.true(what, got == want, f"got {_short(got)}, want {_short(want)}")

    def between(self, what, low, x, high):
        self.true(what, low <= x <= high, f"{_short(x)} is outside of [{_short(low)}, {_short(high)}]")

    def log10(self, what, got, want):
        """The float ``got`` is within some units in the last place of the Decimal ``want``."""
        self.true(what, abs(Decimal(got) - want) <= abs(want) * Decimal(2) ** -50, f"got {got!r}, want {want:.25g}")


def _short(value):
    text = repr(value)
    return text if len(text) < 400 else f"{text[:200]} ... {text[-100:]}"


# ------------------------------------------------------------------------------------------ one case


def case_of(kind, seed, index):
    """The case of a kind, seed and index: the same on every Python."""
    return KINDS[kind][0](Random(f"{kind} {seed} {index}"))


def failure(kind, case, held, seconds=None):
    """None, or what is wrong with a case, in words."""
    try:
        with _limit(seconds):
            KINDS[kind][1](case, held)
    except Mismatch as error:
        return str(error)
    except Hang:
        return f"more than {seconds} s of CPU time"
    except Exception:  # every other error is a finding too
        return traceback.format_exc(limit=-4)
    return None


@contextmanager
def _limit(seconds):
    if seconds is None:
        yield
        return

    def stop(*_):
        raise Hang

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def shrunk(kind, case, seconds=None):
    """The case with rows left out, first halves and then single ones, as long as it still fails."""
    size = len(case.get("rows", ())) // 2
    while size:
        start = 0
        while start < len(case["rows"]) > 1:
            fewer = {**case, "rows": case["rows"][:start] + case["rows"][start + size :]}
            if fewer["rows"] and failure(kind, fewer, Held(), seconds):
                case = fewer
            else:
                start += size
        size //= 2
    return case


# ------------------------------------------------------------------------------------------ many cases


def shares(cases, kinds):
    """How many of the cases each kind gets, by weight; all together exactly ``cases``."""
    total, given = sum(KINDS[kind][2] for kind in kinds), 0
    numbers, weight = {}, 0
    for kind in kinds:
        weight += KINDS[kind][2]
        numbers[kind] = round(cases * weight / total) - given
        given += numbers[kind]
    return numbers


def run(cases, seed, kinds=tuple(KINDS), *, seconds=None, most_failures=1, tell=print):
    """Run the cases, tell a line for each kind and for each failure; return the number of failures."""
    failures = totals = compared = 0
    for kind, number in shares(cases, kinds).items():
        held, start, failed, done = Held(), time.process_time(), 0, 0
        for index in range(number):
            case = case_of(kind, seed, index)
            found = failure(kind, case, held, seconds)
            done += 1
            if found:
                failed += 1
                small = shrunk(kind, case, seconds)
                tell(f"FAILED --only {kind} --seed {seed} --index {index}: {found}\n    {_short(small)}")
                if failed >= most_failures:
                    break
        failures, totals, compared = failures + failed, totals + done, compared + held.comparisons
        spent = time.process_time() - start
        tell(
            f"{kind:<14} {done:>9,} cases {held.comparisons:>11,} comparisons {held.refused:>8,} refused "
            f"{failed:>4} failed {spent:>8.1f} s"
        )
    tell(f"{'all':<14} {totals:>9,} cases {compared:>11,} comparisons, seed {seed}, {failures} failed")
    return failures
