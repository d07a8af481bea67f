"""Hypothesis strategies for tests of other implementations: data on a lattice, where ties and edges are common.

Plain floats never tie, and exact counts of them are expensive. Here every score is a small integer
times a unit, as text, so that the oracle answers in milliseconds. Needs the extra
``exactperm[testing]``.
"""

from __future__ import annotations

from fractions import Fraction

from .._types import TYPE_CHECKING

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy


Columns = tuple[list[str], list[str]]


UNITS = ("1", "0.1", "0.01", "0.3", "0.5", "1000000", "1e-9")
"""Sizes of a step: integers, decimals whose doubles lose ties, large and small ones."""


def _text(steps: int, unit: str) -> str:
    from ..arithmetic.writing import number_text

    return number_text(steps * Fraction(unit))


def differences(most: int = 12) -> SearchStrategy[list[str]]:
    """Return a strategy of 1 to ``most`` differences as text: with ties, zeros, all equal, at the centre, near ties."""
    from hypothesis import strategies as st

    @st.composite
    def draw_column(draw: DrawFn) -> list[str]:
        unit = draw(st.sampled_from(UNITS))
        sizes = draw(
            st.sampled_from(([0], [1, -1], [0, 1, -1], [1, 2, 3, -1, -2, -3], range(-20, 21)))
        )
        steps = draw(st.lists(st.sampled_from(sizes), min_size=1, max_size=most))
        shape = draw(st.sampled_from(("plain", "equal", "centre", "shifted")))
        if shape == "equal":
            steps = [abs(steps[0])] * len(steps)
        if shape == "centre" and len(steps) > 1:
            steps[-1] = -sum(steps[:-1])
        column = [_text(step, unit) for step in steps]
        return shift_tie(column) if shape == "shifted" else column

    return draw_column()


def shift_tie(d: list[str], by: str = "1e-9") -> list[str]:
    """Return the differences with the first one larger by a relative ``by``: ties with it become near ties.

    >>> shift_tie(["3", "1", "2"])
    ['3.000000003', '1', '2']
    """
    from ..arithmetic.writing import number_text

    return [number_text(Fraction(d[0]) * (1 + Fraction(by))), *d[1:]]


def scores(most: int = 12) -> SearchStrategy[Columns]:
    """Return a strategy of two columns of scores as text, whose differences are those of :func:`differences`."""
    from hypothesis import strategies as st

    from ..arithmetic.writing import number_text

    def columns(column: list[str], base: int) -> Columns:
        return [number_text(Fraction(d) + Fraction(base, 10)) for d in column], [
            _text(base, "0.1")
        ] * len(column)

    return st.builds(columns, differences(most), st.integers(-50, 50))


def grouped(most: int = 12) -> SearchStrategy[tuple[list[str], list[str], list[str]]]:
    """Return a strategy of two columns of scores and labels of groups that are swapped together."""
    from hypothesis import strategies as st

    @st.composite
    def draw_groups(draw: DrawFn) -> tuple[list[str], list[str], list[str]]:
        u, v = draw(scores(most))
        labels = draw(st.lists(st.sampled_from("abcd"), min_size=len(u), max_size=len(u)))
        return u, v, labels

    return draw_groups()


def counts(most: int = 1100) -> SearchStrategy[tuple[int, int]]:
    """Return a strategy of the discordant counts of a 2 x 2 table: equal, lopsided, 0, and beyond 64 bits."""
    from hypothesis import strategies as st

    number = st.one_of(
        st.integers(0, 12), st.sampled_from([n for n in (63, 64, 65, 1023, 1075) if n <= most])
    )
    return st.one_of(st.tuples(number, number), number.map(lambda n: (n, n)))


def pvalues(most: int = 8) -> SearchStrategy[list[str]]:
    """Return a strategy of 1 to ``most`` p-values as text, unsorted, with ties, 0, 1 and very small ones."""
    from hypothesis import strategies as st

    common = st.integers(0, 100).map(lambda n: _text(n, "0.01"))
    return st.lists(
        st.one_of(common, st.sampled_from(("0", "1", "1e-17", "1e-300"))), min_size=1, max_size=most
    )
