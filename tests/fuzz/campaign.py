"""Kinds of cases, and one function that lets Hypothesis draw, check and shrink the cases of a kind."""

import signal
from contextlib import contextmanager
from decimal import Decimal

from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from tests.fuzz import hostile, records, sums, tables

# Each kind draws a case (plain data) and checks it; a weight is its share of the cases: cheap kinds
# have many.
KINDS = {
    "tests": (sums.draw_tests, sums.check_tests, 15),
    "records": (records.draw_records, records.check_records, 30),
    "files": (tables.draw_files, tables.check_files, 3),
    "hostile": (hostile.draw_hostile, hostile.check_hostile, 40),
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

    def log10(self, what, got, want):
        """The float ``got`` is within some units in the last place of the Decimal ``want``."""
        self.true(
            what,
            abs(Decimal(got) - want) <= abs(want) * Decimal(2) ** -50,
            f"got {got!r}, want {want:.25g}",
        )


def _short(value):
    text = repr(value)
    return text if len(text) < 400 else f"{text[:200]} ... {text[-100:]}"


SECONDS = 20
"""Processor time that a case may take."""


def shares(cases):
    """How many of the cases each kind gets, by weight."""
    total = sum(weight for _draw, _check, weight in KINDS.values())
    return {
        kind: max(1, round(cases * weight / total))
        for kind, (_draw, _check, weight) in KINDS.items()
    }


def check(kind, cases):
    """Check so many cases of a kind, and return what was compared; the smallest failing case is shown."""
    draw, holds, _weight = KINDS[kind]
    held = Held()

    @settings(max_examples=cases, suppress_health_check=list(HealthCheck))
    @given(st.randoms(use_true_random=False))
    def drawn(rng):
        case = draw(rng)
        note(f"{kind}: {_short(case)}")
        with _limit(SECONDS):
            holds(case, held)

    drawn()
    return held


@contextmanager
def _limit(seconds):
    """Raise ``Hang`` after so much processor time, where the system has such a clock."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_):
        raise Hang(f"more than {seconds} s of processor time")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
