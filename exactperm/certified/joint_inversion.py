"""Tilted inversion of a characteristic function of two coordinates: P(X in R) for R = {(x, y): y >= s(x)}.

For a tilt theta = (alpha, beta), beta >= 0, let q be the distribution of X under the weights exp(theta X), M its
constant E exp(theta X), and m the least theta (x, s(x)) over the rows x0 <= x < x0 + L1 that are summed. Then

    P(X in R, in these rows, below s(x) + w) = F S,  F = M exp(-m),  S = sum over x, 0 <= i < w of q(x, s(x) + i) f(x, i),
    f(x, i) = w(x) exp(-beta i),  w(x) = exp(m - theta (x, s(x))) <= 1.

With q folded to periods L1, L2 (odd, w <= L2), S is a finite sum over frequencies, t = 2 pi (j / L1, l / L2):

    L1 L2 S' = sum over j, l of phi(t) K(l) D(j, l),   K(l) = (1 - rho**w omega**-lw) / (1 - rho omega**-l),
    D(j, l) = sum over x of w(x) exp(-i t (x, s(x))),  rho = exp(-beta), omega = exp(2 pi i / L2),

where conjugate frequencies add conjugates. S' is above S by aliases: sums of q outside the rows, and inside them below
s(x) + w - L2 or from s(x) + L2 on, each counted at most once with f <= 1. What P(X in R) has outside of the rows and
above the window is bounded, too, so that lower and upper ends are certain for any choice of parameters.

Source: spec/ratio-inversion.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import chain
from operator import mul

from ..arithmetic.enclosure import ONE, Enclosure
from ..arithmetic.exponential import Exponential
from ..arithmetic.fixedpoint import (
    ladder,
    power_product,
    power_product_error,
    product_error,
    real_quotient,
    roots_of_unity,
)
from .inversion import growth_of
from .joint_damping import SCALE, Found, JointDamping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..arithmetic.fixedpoint import Complex
    from ..budget import Progress
    from .joint_parameters import Border, Pair, Window

    Slope = tuple[int, int, int]
    """(a, b, s): the slope (a, b) * 2**-s, exactly."""

_BITS = 64
"""Precision of Chernoff bounds."""


class JointTilt:
    """The distribution exp(theta X) for an exact slope: its constant as an enclosure, and factors of its product.

    Each delta is turned so that theta delta <= 0, which exchanges the two states of a unit: ``groups`` are the turned
    deltas, ``powers`` enclose exp(theta delta) <= 1, and ``base`` is the sum of the deltas that were turned.
    M = exp(theta base) ``growth`` / 2**units.
    """

    def __init__(
        self, deltas: Sequence[tuple[int, int, int]], slope: Slope, exponential: Exponential, bits: int
    ) -> None:
        self.slope = alpha, beta, self._scale = slope
        self._exponential = exponential
        groups, x, y = list[tuple[int, int, int]](), 0, 0
        for a, b, count in deltas:
            if alpha * a + beta * b > 0:
                x, y = x + a * count, y + b * count
                a, b = -a, -b
            groups.append((a, b, count))
        self.groups, self.base = groups, (x, y)
        self.powers = [self.exp(-(alpha * a + beta * b)) for a, b, _ in groups]
        self.growth = growth_of([count for *_, count in groups], self.powers, bits)

    def dot(self, x: int, y: int) -> int:
        """Return theta (x, y) in units of 2**-scale of the slope."""
        return self.slope[0] * x + self.slope[1] * y

    def exp(self, x: int) -> Enclosure:
        """Enclose exp(-x 2**-scale) for x of either sign."""
        value = self._exponential(self.argument(abs(x)))
        return value if x >= 0 else ONE.over(value, self._exponential.places)

    def argument(self, x: int) -> int:
        """Return x >= 0 in the units of the exponential, rounded down."""
        shift = self._scale - self._exponential.places
        return x >> shift if shift >= 0 else x << -shift


class JointInversion:
    """One inversion for fixed parameters; any ``window`` gives a true enclosure, a good one a narrow one."""

    def __init__(self, border: Border, window: Window, bits: int) -> None:
        deltas = border.region.deltas
        self.units = sum(deltas.values())
        self._deltas = [(a, b, count) for (a, b), count in deltas.items()]
        self.window = window
        self.first, self.last = window.rows
        self.periods = self.last - self.first + 1, window.period
        self.width = bits + 24 + self.units.bit_length()
        self._exponential = Exponential(max(self.width, _BITS))
        alpha, beta = window.tilt
        self.tilt = self._tilted(_dyadic((alpha, max(0.0, beta))), self.width)
        self._border = border
        last = min(self.last, border.region.right)
        self.points = [(x, border(x)) for x in range(self.first, last + 1) if border(x) <= border.region.row(x)[1]]
        self.level = min((self.tilt.dot(x, s) for x, s in self.points), default=0)

    def _tilted(self, slope: Slope, bits: int) -> JointTilt:
        return JointTilt(self._deltas, slope, self._exponential, bits)

    # ------------------------------------------------------------------------------------------ the bracket

    def enclosure(self, bits: int, limit: int, progress: Progress | None = None) -> Enclosure:
        """Enclose P(X in R), leaving out frequencies of about P * 2**-bits together, found among ``limit`` rectangles.

        Raises :class:`~exactperm.certified.joint_damping.TooMany` where these do not settle all frequencies.
        """
        width = self.width
        left_out = self._outside()
        if not self.points:
            return _at_most_one(Enclosure(0, left_out, -width).times(self.factor, width))
        found = self.found(bits, limit)
        low, high = self._sums(found, progress)
        first, second = self.periods
        skipped = self._skipped(found.skipped)
        low = ((low << self._halvings) // (first * second)) - skipped - self._aliases()
        high = -(-(high << self._halvings) // (first * second)) + skipped + left_out
        value = Enclosure(max(0, low), max(0, high), -width).times(self.factor, width)
        return _at_most_one(value)

    @cached_property
    def factor(self) -> Enclosure:
        """Enclose F = M exp(-m)."""
        tilt = self.tilt
        return tilt.growth.times(tilt.exp(self.level - tilt.dot(*tilt.base)), self.width).scaled(-self.units)

    def found(self, bits: int, limit: int) -> Found:
        """Return the frequencies that matter where S is about 1 / scarcity."""
        wanted = bits + int(self.window.scarcity).bit_length() + self._halvings + 12
        wanted -= self.periods[0].bit_length() + self.periods[1].bit_length() - 2
        damping = JointDamping(self.tilt.groups, self.tilt.powers, self.periods, self.window.spread)
        return damping.settle(max(1, wanted), self._coefficient, limit)

    def _coefficient(self, l: int) -> int:  # noqa: E741
        """Bound |K(l')| for all l' >= l: by w, and by 2 / |1 - rho omega**-l| <= L2 exp(beta / 2) / (2 l)."""
        if not l:
            return self.window.height
        return min(self.window.height, -(-self.periods[1] * self._root >> 17) // l + 1)

    @cached_property
    def _root(self) -> int:
        """Bound exp(beta / 2) 2**16 from above."""
        return self.tilt.exp(-(self.tilt.slope[1] >> 1) - 1).fixed(16)[1]

    def _skipped(self, skipped: int) -> int:
        """Bound 2 sum |K D phi| 2**h / (L1 L2) in units."""
        first, second = self.periods
        return (skipped << self.width + 1 + self._halvings) // (first * second << SCALE) + 1

    # ------------------------------------------------------------------------------------------ the weights of rows

    @cached_property
    def _rows(self) -> tuple[list[tuple[int, int, int, int]], int]:
        """Return ([(x, s(x), low, high)], h): bounds of w(x) / 2**h in units, h such that all of them sum to 1."""
        tilt = self.tilt
        weights = [tilt.exp(tilt.dot(x, s) - self.level).fixed(self.width) for x, s in self.points]
        total = sum(high for _, high in weights)
        h = max(0, total.bit_length() - self.width)
        return [(x, s, low >> h, -(-high >> h)) for (x, s), (low, high) in zip(self.points, weights)], h

    @property
    def _halvings(self) -> int:
        return self._rows[1]

    # ------------------------------------------------------------------------------------------ the sum

    def _sums(self, found: Found, progress: Progress | None = None) -> tuple[int, int]:
        """Bound L1 L2 S' / 2**h over the given frequencies, in units."""
        width = self.width
        one = 1 << width
        rows, _ = self._rows
        turns, second = roots_of_unity(self.periods[0], width), roots_of_unity(self.periods[1], width)
        across, up = turns.several(range(self.periods[0])), second.several(range(self.periods[1]))
        phi, error_p = self._characteristic(across, up, turns.error, second.error)
        transform, error_t = self._transform(found, across, up, turns.error, second.error)
        error = product_error(error_p, error_t, width)
        beta = self.tilt.slope[1]
        rho, rho_upper = self._fixed(beta)
        damped, damped_upper = self._fixed(beta * self.window.height)
        error_n = second.error + (damped_upper - damped) + 2
        error_d = second.error + (rho_upper - rho) + 2
        # l = 0: K(0) = sum of rho**i, and D(0, 0) is the sum of the weights.
        low, high = sum(row[2] for row in rows), sum(row[3] for row in rows)
        total, done = sum(map(len, found.rows.values())), 0
        for l in sorted({0, *found.rows}):  # noqa: E741
            wanted = found.rows.get(l, [])
            values = transform(l)
            factors = phi(l, wanted)
            a = b = 0
            for j, (x, y) in zip(wanted, factors):
                c, d = values[j]
                a += x * c - y * d >> width
                b += x * d + y * c >> width
            done += len(wanted)
            if progress is not None:
                progress(done, total)
            if not l:
                room = 2 * len(wanted) * error
                low, high = self._ladder_sum(low + 2 * a - room, high + 2 * a + room)
                continue
            c, d = up[-self.window.height * l % self.periods[1]]
            c, d = one - (damped * c >> width), -(damped * d >> width)
            numerator = a * c - b * d >> width, a * d + b * c >> width
            bound = 2 * len(wanted) * error + (len(wanted) * error * error_n >> width) + len(wanted) * error_n + 3
            x, y = up[-l % self.periods[1]]
            denominator = one - (rho * x >> width), -(rho * y >> width)
            value, bound = real_quotient(numerator, bound, denominator, error_d, width)
            low += 2 * (value - bound)
            high += 2 * (value + bound)
        return low, high

    def _fixed(self, x: int) -> tuple[int, int]:
        """Return integers around exp(-x 2**-scale) in units, for x >= 0."""
        return self._exponential.fixed(self.tilt.argument(x), self.width)

    def _ladder_sum(self, low: int, high: int) -> tuple[int, int]:
        """Bound K(0) times a number between ``low`` and ``high``: K(0) = w h(beta w) / h(beta)."""
        beta, height = self.tilt.slope[1], self.window.height
        total, one = [self._exponential.mean(self.tilt.argument(x)) for x in (beta * height, beta)]
        ends = (height * total.lower, one.upper), (height * total.upper, one.lower)
        (a, b), (c, d) = ends if low >= 0 else (ends[1], ends[0])
        lower = low * a // b
        (a, b) = ends[1] if high >= 0 else ends[0]
        return lower, -(-high * a // b)

    def _characteristic(
        self, across: list[Complex], up: list[Complex], error_x: int, error_y: int
    ) -> tuple[Callable[[int, list[int]], list[Complex]], int]:
        """Return phi of the turned deltas as a function of l and many j, and a bound of its error.

        A factor 1 - p + p exp(i t delta) with p' <= p <= 1/2: p' times a root is off by e/2 + 2, its product with
        another by half of that root's error and both together, and 2; then 2 (p - p') for p'.
        """
        width, (first, second) = self.width, self.periods
        one = 1 << width
        shares, errors = [], []
        for power in self.tilt.powers:
            low, high = power.fixed(width)
            share = (low << width) // (one + low)
            part = (error_y + 1) // 2 + 2
            part += (error_x + 1) // 2 + (part * error_x >> width) + 3
            errors.append(part + 2 * (-((-high << width) // (one + high)) - share) + 2)
            shares.append(share)
        rungs = ladder([count for *_, count in self.tilt.groups])
        steps = [(a, b) for a, b, _ in self.tilt.groups]

        def characteristic(l: int, wanted: list[int]) -> list[Complex]:  # noqa: E741
            """Return phi at all (j, l)."""
            halves = []
            for (a, b), share in zip(steps, shares):
                x, y = up[b * l % second]
                halves.append((a, one - share, share * x >> width, share * y >> width))
            values = []
            for j in wanted:
                factors = []
                for a, rest, x, y in halves:
                    c, d = across[a * j % first]
                    factors.append((rest + (x * c - y * d >> width), x * d + y * c >> width))
                values.append(power_product(factors, rungs, width))
            return values

        return characteristic, power_product_error(errors, rungs, width)

    def _transform(
        self, found: Found, across: list[Complex], up: list[Complex], error_x: int, error_y: int
    ) -> tuple[Callable[[int], dict[int, Complex]], int]:
        """Return D(j, l) / 2**h at all j of an l, as a function of l, and a bound of its error.

        The cosines and sines of one row at all j > 0 are the slots of one integer, which the row's weight times the
        root of l multiplies; all rows are added exactly, and shifted once. The weight times a root is off by its own
        width, by the root's error times the weight, and by 2; the weights sum to at most 1.
        """
        width, (first, second) = self.width, self.periods
        rows = self._rows[0]
        base_x, base_y = self.tilt.base
        places = sorted({abs(j) for j in chain(*found.rows.values())})
        slot = -(-(2 * width + len(rows).bit_length() + 4) // 8) * 8
        slots = 2 * len(places)
        packed = []
        for x, *_ in rows:
            k = x - base_x
            parts = chain.from_iterable(across[j * k % first] for j in places)
            packed.append(_packed(list(parts), slot))
        base = sum(high - low for *_, low, high in rows) + error_y + 2 * len(rows) + 2
        error = base + error_x + (base * error_x >> width) + 4

        def transform(l: int) -> dict[int, Complex]:  # noqa: E741
            """Return {j: D(j, l)} for all j and -j that are wanted somewhere."""
            roots = [(low, up[-l * (s - base_y) % second]) for _, s, low, _ in rows]
            cosines = _unpacked(sum(map(mul, [low * x >> width for low, (x, _) in roots], packed)), slot, slots)
            sines = _unpacked(sum(map(mul, [low * y >> width for low, (_, y) in roots], packed)), slot, slots)
            values = {}
            for i, j in enumerate(places):
                a, b, c, d = cosines[2 * i], cosines[2 * i + 1], sines[2 * i], sines[2 * i + 1]
                values[j] = a + d >> width, c - b >> width
                values[-j] = a - d >> width, c + b >> width
            return values

        return transform, error

    # ------------------------------------------------------------------------------------------ what is outside

    @cached_property
    def _slopes(self) -> list[JointTilt]:
        """The slopes of four Chernoff bounds: to the left, to the right, up and down from theta."""
        (left, _), (right, _), (a, up), (b, down) = self.window.changes
        changes = (min(left, 0.0), 0.0), (max(right, 0.0), 0.0), (a, max(up, 0.0)), (b, min(down, 0.0))
        return [self._tilted(_plus(self.tilt.slope, _dyadic(change)), _BITS) for change in changes]

    def _ratio(self, other: JointTilt, least: Slope, *, over: bool) -> int:
        """Bound M(other) / M(theta) exp(-(a + b)) in units, for ``least`` = (a, b, s) in units of 2**-s; ``over`` F.

        P(A) <= M(other) exp(-least) where least <= other (x, y) on A, and F = M(theta) exp(-m). q(A) <= M(other) /
        M(theta) exp(-least) where least <= (other - theta) (x, y) on A.
        """
        tilt = self.tilt
        terms = [(least[0] + least[1], least[2]), (tilt.dot(*tilt.base), tilt.slope[2])]
        terms += [(-other.dot(*other.base), other.slope[2])] + [(-self.level, tilt.slope[2])] * over
        places = max(scale for _, scale in terms)
        exponent = sum(x << places - scale for x, scale in terms)
        shift = places - self._exponential.places
        value = self._exponential(abs(exponent) >> shift if shift >= 0 else abs(exponent) << -shift)
        ratio = other.growth.over(tilt.growth, _BITS)
        bound = ratio.times(value, _BITS) if exponent >= 0 else ratio.over(value, _BITS)
        most = ONE.over(self.factor, _BITS) if over else ONE
        if bound.upper.bit_length() + bound.exponent > most.upper.bit_length() + most.exponent:
            bound = most
        return bound.fixed(self.width)[1]

    def _outside(self) -> int:
        """Bound what P(X in R) has outside of the rows and above the window, over F, in units.

        A part of the region whose rows start at s is bounded by slopes with b >= 0, so by their least value at s.
        """
        region, border = self._border.region, self._border
        least, most = min(self.window.outer[0], self.first), max(self.window.outer[1], self.last)
        least, most = max(0, least), min(region.right, most)
        left, right, above, _ = self._slopes
        total = 0
        for rows, slope in ((range(least, self.first), left), (range(self.last + 1, most + 1), right)):
            starts = [(x, border(x)) for x in rows]
            total += self._part(slope, [(x, s) for x, s in starts if s <= region.row(x)[1]])
        height = self.window.height
        total += self._part(above, [(x, s + height) for x, s in self.points if s + height <= region.row(x)[1]])
        down, up = self.window.far
        for beyond, x, change in (
            (least > 0, least - 1, min(down, 0.0)),
            (most < region.right, most + 1, max(up, 0.0)),
        ):
            if beyond:
                total += self._part(self._tilted(_dyadic((change, 0.0)), _BITS), [(x, 0)])
        return total

    def _part(self, slope: JointTilt, starts: list[tuple[int, int]]) -> int:
        """Bound the probability of rows from these points upward, over F, in units."""
        if not starts:
            return 0
        return self._ratio(slope, (min(slope.dot(x, y) for x, y in starts), 0, slope.slope[2]), over=True)

    def _aliases(self) -> int:
        """Bound q outside of the rows, and inside them below and above the periods of their windows, in units."""
        row, ends = self._border.region.row, self.window.height - self.periods[1] - 1
        left, right, above, below = self._slopes
        parts = (
            (left, [(self.first - 1, 0)] if self.first > 0 else []),
            (right, [(self.last + 1, 0)] if self.last < self._border.region.right else []),
            (below, [(x, s + ends) for x, s in self.points if s + ends >= row(x)[0]]),
            (above, [(x, s + self.periods[1]) for x, s in self.points if s + self.periods[1] <= row(x)[1]]),
        )
        total = 0
        for slope, points in parts:
            if points:
                a, b, scale = _plus(slope.slope, self.tilt.slope, -1)
                least = min(a * x + b * y for x, y in points)
                total += self._ratio(slope, (least, 0, scale), over=False)
        return min(total, 1 << self.width)


def _dyadic(slope: Pair) -> Slope:
    """Return two floats, exactly."""
    (a, p), (b, q) = [x.as_integer_ratio() for x in slope]
    scale = max(p, q).bit_length() - 1
    return (a << scale) // p, (b << scale) // q, scale


def _plus(slope: Slope, change: Slope, sign: int = 1) -> Slope:
    """Return slope + sign * change."""
    scale = max(slope[2], change[2])
    here, there = scale - slope[2], scale - change[2]
    return (slope[0] << here) + (sign * change[0] << there), (slope[1] << here) + (sign * change[1] << there), scale


def _packed(parts: list[int], slot: int) -> int:
    """Return the sum of parts[i] * 2**(slot i), for parts of either sign."""
    total = 0
    for part in reversed(parts):
        total = (total << slot) + part
    return total


def _unpacked(total: int, slot: int, count: int) -> list[int]:
    """Return the parts of a sum of :func:`_packed` integers, each below 2**(slot - 1) in size; slot is whole bytes."""
    size, half = slot // 8, 1 << slot - 1
    bias = half * (((1 << slot * count) - 1) // ((1 << slot) - 1))
    raw = (total + bias).to_bytes(size * count, "little")
    return [int.from_bytes(raw[i : i + size], "little") - half for i in range(0, size * count, size)]


def _at_most_one(value: Enclosure) -> Enclosure:
    """Return the same number, where it is known to be at most 1."""
    if value.upper.bit_length() + value.exponent <= 0:
        return value
    scale = max(0, -value.exponent)
    lower, upper = value.fixed(scale)
    return Enclosure(min(lower, 1 << scale), min(upper, 1 << scale), -scale)
