"""Rank and coordinates: counting in the lattice is counting the m-component sums themselves."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import brute
from exactperm.counting import dp
from exactperm.swaps.effects import Effects, swap_effects
from exactperm.swaps.lattice import axes, coordinates, hermite_basis, lattice
from exactperm.swaps.metrics import f1_difference


def counted(swaps):
    """The same distribution, counted on the line that the lattice is packed on."""
    return {
        swaps.sums(swaps.point(x)): count << swaps.ties
        for x, count in dp.counts(swaps.line()).items()
    }


small = st.integers(-4, 4)


@st.composite
def unit_effects(draw, most_components=4, numbers=small):
    """Effects whose deltas are combinations of few vectors, so that every rank up to m occurs."""
    m = draw(st.integers(1, most_components))
    vectors = st.tuples(*[numbers] * m)
    generators = draw(st.lists(vectors, min_size=1, max_size=m))
    units = Counter()
    for _ in range(draw(st.integers(1, 7))):
        stay = draw(vectors)
        times = [draw(st.integers(-2, 2)) for _ in generators]
        swap = tuple(
            s + sum(t * g[i] for t, g in zip(times, generators)) for i, s in enumerate(stay)
        )
        units[stay, swap] += 1
    return Effects(units=units, n=sum(units.values()))


integers = unit_effects()
rationals = unit_effects(3, st.fractions(-2, 2, max_denominator=6))
vectors = st.integers(1, 4).flatmap(
    lambda m: st.lists(st.tuples(*[st.integers(-30, 30)] * m), max_size=6)
)


class TestLattice:
    @pytest.mark.slow
    @given(st.one_of(integers, rationals))
    def test_counting_coordinates_is_counting_sums(self, effects):
        """The observed ones are those of the assignment in which all stay."""
        swaps = lattice(effects)
        (first, _swap), *_ = effects.units
        assert counted(swaps) == brute.distribution(effects.units, (0,) * len(first))
        assert swaps.sums(swaps.observed) == brute.observed(effects)

    @pytest.mark.slow
    @given(integers)
    def test_the_line_is_canonical(self, effects):
        """It ascends from above 0, without a common divisor, as deltas start with a positive coordinate."""
        swaps = lattice(effects)
        line = swaps.line()
        assert list(line) == sorted(line)
        assert min(line, default=1) > 0
        assert math.gcd(*line) in ((1,) if line else (0,))
        assert all(next(x for x in delta if x) > 0 for delta in swaps.tally)
        assert swaps.ties + sum(swaps.tally.values()) == effects.n_units

    def test_points_and_their_mirror_images(self):
        swaps = lattice(Effects(units={((0, 0), (1, 2)): 2, ((0, 0), (3, -1)): 1}, n=3))
        counts = counted(swaps)
        total = [s + c for s, c in zip(swaps.sums((0, 0)), swaps.sums(swaps.corner))]
        assert counts == {
            tuple(t - s for t, s in zip(total, sums)): count for sums, count in counts.items()
        }

    def test_rank_of_f1_is_two_although_the_paper_carries_four_axes(self):
        u, v = [(3, 1), (2, 2), (5, 0)], [(2, 1), (2, 0), (4, 3)]
        assert lattice(swap_effects(u, v, f1_difference)).rank == 2

    def test_rank_of_f1_is_one_where_every_token_is_right_or_wrong(self):
        """Tokens that are either a true positive or an incorrect prediction: one number says both."""
        u, v = [(3, 1), (2, 2), (5, 0)], [(2, 2), (4, 0), (1, 4)]
        assert lattice(swap_effects(u, v, f1_difference)).rank == 1

    def test_rank_zero_where_no_swap_changes_anything(self):
        swaps = lattice(Effects(units={((1, 2), (1, 2)): 3}, n=3))
        assert (swaps.rank, swaps.tally, swaps.ties, swaps.line()) == (0, {}, 3, {})
        assert swaps.sums(()) == swaps.sums(swaps.point(0)) == (3, 6)


class TestHermiteBasis:
    @pytest.mark.slow
    @given(vectors)
    def test_is_in_steps_and_reduced(self, generators):
        basis = hermite_basis(generators)
        columns = [next(i for i, x in enumerate(vector) if x) for vector in basis]
        assert columns == sorted(set(columns))
        for row, (vector, column) in enumerate(zip(basis, columns)):
            assert vector[column] > 0
            assert all(0 <= above[column] < vector[column] for above in basis[:row])

    @pytest.mark.slow
    @given(vectors)
    def test_generates_what_the_vectors_generate(self, generators):
        basis = hermite_basis(generators)
        for vector in generators:
            found = coordinates(vector, basis)
            rebuilt = tuple(sum(x * b[i] for x, b in zip(found, basis)) for i in range(len(vector)))
            assert rebuilt == vector
        # The form is unique, so generators that are combinations of others change nothing.
        assert hermite_basis([*generators, *basis]) == basis == hermite_basis(reversed(generators))

    def test_integers_beyond_every_float(self):
        assert hermite_basis([(1, 0), (10**400, 1)]) == ((1, 0), (0, 1))

    def test_known_form(self):
        """By hand: (4, 6) and (6, 3) span the lattice of (2, -3) and (0, 12), reduced to (2, 9)."""
        assert hermite_basis([(4, 6), (6, 3)]) == ((2, 9), (0, 12))


class TestAxes:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        "matrix", [((0, 1), (1, 0)), ((1, 1), (0, 1)), ((2, 1), (3, 2)), ((-1, 0), (2, 1))]
    )
    @given(effects=unit_effects(3))
    def test_turning_changes_names_only(self, matrix, effects):
        swaps = lattice(effects)
        if swaps.rank == 2:
            turned = swaps.turned(matrix)
            assert counted(turned) == counted(swaps)
            assert turned.sums(turned.observed) == brute.observed(effects)
            assert all(delta > (0, 0) for delta in turned.tally)

    @pytest.mark.slow
    @given(integers)
    def test_every_candidate_keeps_the_lattice(self, effects):
        swaps = lattice(effects)
        if swaps.rank == 2:
            for (a, b), (c, d) in axes(swaps.tally):
                assert abs(a * d - b * c) == 1

    def test_skewed_data_are_straightened(self):
        """Deltas (100, 99) and (99, 98) span Z^2; in the coordinates found they are unit vectors."""
        swaps = lattice(Effects(units={((0, 0), (100, 99)): 5, ((0, 0), (99, 98)): 5}, n=10))
        turned = swaps.turned(axes(swaps.tally)[0])
        assert sorted(tuple(map(abs, delta)) for delta in turned.tally) == [(0, 1), (1, 0)]
