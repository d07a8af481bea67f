"""Find the rank and integer coordinates of many-component effects, to count in as few dimensions as possible.

A swap unit adds stay or swap, two vectors of m exact numbers, so the sums are S = base + sum of B_n
delta_n with B_n in {0, 1} and delta_n = swap_n - stay_n. Scaled by the common denominator, the
deltas generate a sublattice of Z^m of some rank r <= m, with a basis b_1, ..., b_r: every delta is
c_1 b_1 + ... + c_r b_r for exactly one c in Z^r.

Counting coordinates is counting sums. The map c -> c_1 b_1 + ... + c_r b_r is linear and
one-to-one, so an assignment B reaches the sum s exactly if sum B_n c(delta_n) is the coordinate
vector of s - base: the number of assignments is the same for both. A unit may also be turned round,
which exchanges B and 1 - B and moves base by its delta; that is a bijection of the assignments and
makes the first non-zero coordinate of every delta positive.

F1 has m = 4, but what one system gains in a swap the other loses: r <= 2. Units with delta = 0 only
double the counts.

The deltas (4, 0), (6, 2) have the basis (2, 2), (0, 4) and the coordinates (2, -1), (3, -1).

Source: spec/09-own-theorems.md#own-line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from .._types import TYPE_CHECKING
from ..arithmetic.rational import common_denominator, scaled
from ..arithmetic.reading import exact
from ..record import Record, replaced

if TYPE_CHECKING:
    from .effects import Effect, SwapUnits


Point = tuple[int, ...]


class Lattice(Record):
    """Swaps of an m-component statistic in r integer coordinates.

    ``tally`` is {delta: number of units}, r-tuples with the first non-zero coordinate positive,
    ascending; ``ties`` the number of units that change nothing; ``observed`` the coordinates of the
    observed assignment. The m sums of the point c are ``(low + c_1 basis_1 + ... + c_r basis_r) /
    scale``: integer vectors and one positive denominator.
    """

    tally: Mapping[Point, int]
    ties: int
    low: Point
    basis: tuple[Point, ...]
    scale: int
    observed: Point

    @property
    def n_units(self) -> int:
        """Number of swap units, with ties."""
        return sum(self.tally.values()) + self.ties

    @property
    def rank(self) -> int:
        """Number r of coordinates; 0 where no swap changes anything."""
        return len(self.basis)

    @property
    def corner(self) -> Point:
        """The sum of all deltas: the points z and ``corner - z`` have the same count."""
        return self._added(lambda x: x)

    def _added(self, part: Callable[[int], int]) -> Point:
        """Return the sum of a part of the deltas, in each coordinate."""
        units = self.tally.items()
        return tuple(sum(part(d[i]) * count for d, count in units) for i in range(self.rank))

    def sums(self, point: Sequence[int]) -> Effect:
        """Return the m exact sums that belong to a point."""
        total = combination(point, self.basis, self.low)
        return total if self.scale == 1 else tuple(exact(Fraction(x, self.scale)) for x in total)

    def line(self) -> dict[int, int]:
        """Pack all coordinates into one: return the canonical tally {d > 0: number of units} on a line.

        Coordinate i lies in a range of w_i integers, whatever is swapped, so z -> sum of z_i s_i
        with the strides s_r = 1 and s_i = s_{i+1} w_{i+1} is one-to-one on all attainable points,
        and linear: counting on the line is counting points. d > 0 since the first non-zero
        coordinate is positive and the others weigh less than its stride together; the d have no
        common factor since the deltas generate Z^r and s_r = 1.

        >>> from exactperm.swaps.effects import Effects
        >>> lattice(Effects(units={((6, 1), (0, 3)): 2, ((0, 3), (3, 2)): 1}, n=3)).line()
        {1: 1, 2: 2}
        """
        strides = self._strides
        packed = {
            sum(x * s for x, s in zip(delta, strides)): count for delta, count in self.tally.items()
        }
        return {d: packed[d] for d in sorted(packed)}

    def point(self, x: int) -> Point:
        """Return the point that the :meth:`line` maps to x."""
        least, strides = self._least, self._strides
        x -= sum(low * s for low, s in zip(least, strides))
        found = []
        for low, stride in zip(least, strides):
            digit, x = divmod(x, stride)
            found.append(low + digit)
        return tuple(found)

    @cached_property
    def _least(self) -> Point:
        """Least value of each coordinate."""
        return self._added(lambda x: min(0, x))

    @cached_property
    def _strides(self) -> Point:
        widths, strides = self._added(abs), [1] * self.rank
        for i in reversed(range(1, self.rank)):
            strides[i - 1] = strides[i] * (1 + widths[i])
        return tuple(strides)

    def turned(self, matrix: Sequence[Point]) -> Lattice:
        """Return the same swaps in the coordinates U z, for an integer 2 x 2 matrix U of determinant 1 or -1.

        U maps Z^2 onto itself, so nothing changes but the names of the points; units whose delta
        then starts with a negative coordinate are turned round again.
        """
        (a, b), (c, d) = matrix
        sign = a * d - b * c

        def image(z: Point) -> Point:
            return a * z[0] + b * z[1], c * z[0] + d * z[1]

        # a step of a new coordinate is a column of the inverse of U in the old ones
        columns = (sign * d, -sign * c), (-sign * b, sign * a)
        zero = (0,) * len(self.low)
        return _upright(
            [(image(delta), count) for delta, count in self.tally.items()],
            replaced(
                self,
                basis=tuple([combination(column, self.basis, zero) for column in columns]),
                observed=image(self.observed),
            ),
        )


def _upright(units: Iterable[tuple[Point, int]], form: Lattice) -> Lattice:
    """Return the form with the ``units`` (delta, count) added, each delta turned round that starts negative.

    A unit that is turned round has B = 1 where it stays.
    """
    zero = start = (0,) * form.rank
    tally: Counter[Point] = Counter()
    for delta, count in units:
        if delta < zero:
            start = _minus(start, delta, -count)
            delta = _minus(zero, delta)
        tally[delta] += count
    return replaced(
        form,
        ties=form.ties + tally.pop(zero, 0),
        tally=dict(sorted(tally.items())),
        low=combination(start, form.basis, form.low),
        observed=_minus(form.observed, start),
    )


def lattice(effects: SwapUnits) -> Lattice:
    """Return the lattice of the swaps of a statistic with any number of components.

    Raises ``BudgetExceeded`` where the effects have no common denominator of bearable size.
    Cost: for each distinct effect, m steps of Euclid's algorithm on m-vectors.
    Source: the m-tuples of Eq. 13-14; spec/05-higher-order.md#eq-13.

    >>> from exactperm.swaps.effects import Effects
    >>> one = lattice(Effects(units={((2, 1, 0, 0), (0, 0, 2, 1)): 3}, n=3))
    >>> one.rank, one.line(), one.sums((1,)), one.sums(one.observed)
    (1, {1: 3}, (2, 1, 4, 2), (6, 3, 0, 0))
    """
    width = len(next(iter(effects.units))[0])
    numbers = (x for unit in effects.units for side in unit for x in side)
    scale = common_denominator(numbers, 2 * width * len(effects.units))
    units = [
        (tuple(scaled(x, scale) for x in stay), tuple(scaled(x, scale) for x in swap), count)
        for (stay, swap), count in effects.units.items()
    ]
    basis = hermite_basis(_minus(swap, stay) for stay, swap, _count in units)
    low = (0,) * width
    for stay, _swap, count in units:
        low = _minus(low, stay, -count)
    return _upright(
        [(coordinates(_minus(swap, stay), basis), count) for stay, swap, count in units],
        Lattice(
            tally={},
            ties=0,
            low=low,
            basis=basis,
            scale=scale * effects.scale,
            observed=(0,) * len(basis),
        ),
    )


def hermite_basis(vectors: Iterable[Point]) -> tuple[Point, ...]:
    """Return the Hermite normal form of integer vectors of one length: an echelon basis of the lattice they generate.

    Each basis vector starts with a positive pivot further right than the one before, and the
    entries above a pivot lie in 0..pivot - 1. Every step adds a multiple of one vector to another
    or exchanges two, which changes the generators but not the lattice; reducing on the way keeps
    the entries from growing.

    >>> hermite_basis([(4, 0), (6, 2), (0, 0), (-2, -2)])
    ((2, 2), (0, 4))
    """
    pivots: dict[int, Point] = {}
    for vector in dict.fromkeys(vectors):
        _insert(pivots, vector)
    return tuple(pivots[column] for column in sorted(pivots))


def _insert(pivots: dict[int, Point], vector: Point) -> None:
    """Add one generator to an echelon basis, whose vectors are stored by the column of their pivot."""
    for column in range(len(vector)):
        if not vector[column]:
            continue
        pivot = pivots.get(column)
        if pivot is None:
            pivots[column] = vector if vector[column] > 0 else tuple(-x for x in vector)
            return _reduce(pivots)
        if vector[column] % pivot[column] == 0:
            vector = _minus(vector, pivot, vector[column] // pivot[column])
            continue
        # Euclid: (pivot, vector) -> (gcd in this column, 0 in this column).
        while vector[column]:
            pivot, vector = vector, _minus(pivot, vector, pivot[column] // vector[column])
        pivots[column] = pivot if pivot[column] > 0 else tuple(-x for x in pivot)
        _reduce(pivots)
    return None


def _reduce(pivots: dict[int, Point]) -> None:
    """Bring the entries above every pivot into 0..pivot - 1."""
    for column in sorted(pivots):
        pivot = pivots[column]
        for left, above in pivots.items():
            if left < column:
                pivots[left] = _minus(above, pivot, above[column] // pivot[column])


def coordinates(vector: Point, basis: Sequence[Point]) -> Point:
    """Return the coordinates of a vector of the lattice in an echelon basis.

    >>> coordinates((8, -4), ((2, 2), (0, 4)))
    (4, -3)
    """
    found = []
    for pivot in basis:
        column = next(i for i, x in enumerate(pivot) if x)
        found.append(vector[column] // pivot[column])
        vector = _minus(vector, pivot, found[-1])
    return tuple(found)


def combination(point: Sequence[int], basis: Sequence[Point], start: Point) -> Point:
    """Return ``start + point_1 basis_1 + ... + point_r basis_r``."""
    total: Sequence[int] = start
    for x, vector in zip(point, basis):
        total = [a + x * b for a, b in zip(total, vector)]
    return tuple(total)


def _minus(x: Point, y: Point, times: int = 1) -> Point:
    return tuple(a - times * b for a, b in zip(x, y))


def axes(tally: Mapping[Point, int]) -> list[tuple[Point, Point]]:
    """Return candidates for coordinates (x, y) = (f z, g z): pairs of rows (f, g) of determinant 1 or -1.

    The variance of f z over all assignments is a quarter of the sum of c (f delta)^2, a quadratic
    form. Its reduced basis (Gauss) has the two least variances, hence few and short rows. The sum
    and the difference of both are candidates for x too: more deltas may be 0 there, which makes
    counting cheaper. y is sheared along x until the two are as little correlated as integers allow.

    >>> axes({(3, 2): 4, (4, 3): 4})[0]
    ((-2, 3), (-3, 4))
    """
    aa, ab, bb = [
        sum(d[i] * d[j] * count for d, count in tally.items()) for i, j in ((0, 0), (0, 1), (1, 1))
    ]

    def covariance(f: Point, g: Point) -> int:
        return f[0] * g[0] * aa + (f[0] * g[1] + f[1] * g[0]) * ab + f[1] * g[1] * bb

    def sheared(f: Point, g: Point) -> Point:
        times = (2 * covariance(f, g) + covariance(f, f)) // (2 * covariance(f, f))
        return g[0] - times * f[0], g[1] - times * f[1]

    f: Point = (1, 0)
    g = sheared(f, (0, 1))
    while covariance(g, g) < covariance(f, f):
        f, g = g, sheared(g, f)
    more = (f[0] + g[0], f[1] + g[1])
    less = (f[0] - g[0], f[1] - g[1])
    return [(f, g), (g, f), (more, sheared(more, g)), (less, sheared(less, g))]
