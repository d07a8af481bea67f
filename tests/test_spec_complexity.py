"""The complexity theorems, checked by counting coefficient operations; no clock decides anything."""

import math
import pickle
import random
from unittest.mock import Mock

import pytest

from exactperm.counting import dp, ntt
from exactperm.montecarlo.sampling import monte_carlo
from exactperm.permutation import exact_perm_test, exact_perm_test_m
from memory import peak_of


@pytest.fixture
def rows(monkeypatch):
    """(products and additions of counts, bits of all counts that are added) of every step of the dynamic program."""
    steps = []
    with_unit = dp.with_unit

    def counted(before, terms, most):
        bits = sum(map(int.bit_length, before.values()))
        steps.append((len(before) * len(terms), bits * len(terms)))
        return with_unit(before, terms, most)

    monkeypatch.setattr(dp, "with_unit", counted)
    return steps


def dense_pairs(width, n):
    """n pairs whose effects differ by at most ``width`` and whose sums fill their range: as many as there can be."""
    return [{0: 1, 1: 1}] * width + [{0: 1, width: 1}] * (n - width)


@pytest.mark.parametrize(("width", "n"), [(1, 40), (3, 40), (3, 80), (12, 80)])
def test_dp_does_quadratically_many_operations(rows, width, n):
    """thm-3: at most GN(N-1) + 2N operations, and this many up to terms of lower order."""
    dp.convolve_dp(dense_pairs(width, n))
    operations, bound = sum(made for made, _bits in rows), width * n * (n - 1) + 2 * n
    assert bound - 2 * n * width * (width + 1) <= operations <= bound


def test_dp_bits_grow_with_the_cube_of_n(rows):
    """thm-3: what unit cost leaves out."""
    found = []
    for n in (60, 120, 240):
        rows.clear()
        dp.convolve_dp([{1: 1, -1: 1}] * n)
        found.append(sum(bits for _made, bits in rows))
    assert all(7 < more / less < 9 for less, more in zip(found, found[1:]))
    assert found[-1] < 2 * 240**3 / 3


@pytest.mark.slow
def test_dp_keeps_two_rows():
    """draft-claim-rows: at its peak the program holds a few rows, not all N of them."""
    pairs = dense_pairs(2, 300)
    row = pickle.dumps(dp.convolve_dp(pairs))
    assert peak_of(lambda: dp.convolve_dp(pairs)) < 6 * peak_of(lambda: pickle.loads(row))


@pytest.fixture
def products(monkeypatch):
    """(length, bits of the largest coefficient) of every product that the tree makes."""
    made = []
    convolve = ntt.convolve

    def counted(a, b):
        product = convolve(a, b)
        made.append((len(product), max(product).bit_length()))
        return product

    monkeypatch.setattr(ntt, "convolve", counted)
    # many small leaves: the tree itself, not its packed leaves
    monkeypatch.setattr(ntt, "_GROUP", 32)
    return made


def spread_pairs(n, width):
    """n pairs with differences from 1 to ``width``, dealt evenly."""
    return dict.fromkeys(range(1, width + 1), n // width)


@pytest.mark.parametrize(("n", "width"), [(64, 16), (256, 16), (256, 64), (512, 8)])
def test_tree_makes_one_product_less_than_leaves_in_a_logarithm_of_levels(products, n, width):
    """eq-9, thm-4: products and coefficients; each of the log2 levels holds the degree once."""
    tally = spread_pairs(n, width)
    degree = sum(d * c for d, c in tally.items())
    leaves = len(ntt._leaves(tally))
    counts = ntt.counts(tally)
    assert sum(counts.values()) == 1 << n
    assert len(products) == leaves - 1
    assert sum(length for length, _bits in products) <= (degree + leaves) * math.ceil(
        math.log2(leaves) + 1
    )


def test_tree_coefficients_follow_the_recursion(products):
    """eq-9: T(2N) = 2 T(N) + the root, in lengths of products."""
    work = {}
    for n in (128, 256, 512):
        products.clear()
        ntt.counts(spread_pairs(n, 16))
        work[n] = sum(length for length, _bits in products), products[-1][0]
    for n in (256, 512):
        assert abs(work[n][0] - 2 * work[n // 2][0] - work[n][1]) <= work[n][1] // 4


def test_tree_bits_are_dominated_by_the_root(products):
    """thm-4: in bits the levels form a geometric series, so that no logarithm of N is left."""
    ntt.counts(spread_pairs(512, 16))
    bits = [length * most for length, most in products]
    assert bits[-1] > sum(bits[:-1]) * 9 // 10


def test_tree_keeps_the_degree_once(products, monkeypatch):
    """cor-1: what waits, and what is being made, never exceed the length of the result and one for each leaf."""
    alive = most = 0
    leaf = ntt.expanded
    convolve = ntt.convolve

    def counted_leaf(group):
        nonlocal alive
        coefficients = leaf(group)
        alive += len(coefficients)
        return coefficients

    def counted(a, b):
        nonlocal alive, most
        product = convolve(a, b)
        most = max(most, alive + len(product))
        alive += len(product) - len(a) - len(b)
        return product

    monkeypatch.setattr(ntt, "expanded", counted_leaf)
    monkeypatch.setattr(ntt, "convolve", counted)
    tally = spread_pairs(256, 16)
    ntt.counts(tally)
    degree = sum(d * c for d, c in tally.items())
    assert most <= 2 * (degree + len(products) + 1)


# ------------------------------------------------------------- calls of g and h, and random numbers


def scores(n, width):
    """Two columns whose differences are all values from 0 to ``width``, both signs, dealt in turn."""
    return [(i * 7) % (width + 1) if i % 2 else 0 for i in range(n)], [
        0 if i % 2 else i % (width + 1) for i in range(n)
    ]


@pytest.mark.parametrize(("n", "width"), [(20, 3), (40, 3), (40, 12)])
def test_the_exact_test_evaluates_g_per_pair_and_h_per_sum(n, width):
    """thm-2: beside the convolution, g twice for each pair, h at most once for each of GN + 1 sums and the observed."""
    g, h = Mock(wraps=lambda a, b: a - b), Mock(wraps=abs)
    u, v = scores(n, width)
    exact_perm_test(u, v, g, h)
    assert g.call_count == 2 * n
    assert h.call_count <= width * n + 2


def reached(pairs, gs):
    """The sums of some components that swaps reach, and how many there are before each pair."""
    cells, sizes = {(0,) * len(gs)}, []
    for a, b in pairs:
        sizes.append(len(cells))
        moves = [[g(*pair) for g in gs] for pair in ((a, b), (b, a))]
        cells = {tuple(map(sum, zip(cell, move))) for cell in cells for move in moves}
    return cells, sizes


@pytest.mark.parametrize(("n", "width", "m"), [(6, 2, 1), (6, 2, 2), (12, 2, 2), (6, 2, 3)])
def test_m_components_visit_no_more_points_than_there_are(n, width, m):
    """thm-5: m components of width G have at most (GN + 1)^m points; h is called once for each, and once more."""
    gs = [Mock(wraps=lambda a, b, i=i: (a >> 2 * i & 3) - (b >> 2 * i & 3)) for i in range(m)]
    h = Mock(wraps=lambda *sums: sum(sums))
    u = [sum((i * j % (width // 2 + 1)) << 2 * j for j in range(m)) for i in range(1, n + 1)]
    v = [sum(((i + j) % (width // 2 + 1)) << 2 * j for j in range(m)) for i in range(1, n + 1)]
    exact_perm_test_m(u, v, gs, h)
    assert all(g.call_count == 2 * n for g in gs)
    points, _ = reached(zip(u, v), gs)
    assert len(points) <= (width * n + 1) ** m
    assert h.call_count == len(points) + 1


@pytest.mark.parametrize("n", [5, 10, 20])
def test_f1_reaches_quadratically_many_cells(n):
    """draft-thm-2: with up to L labels the table has (LN + 1)^4 cells, of which swaps reach (LN + 1)^2 at most."""
    labels = 2
    u = [(i % 2, i % 3 == 0) for i in range(n)]
    v = [(i % 3 == 1, (i + 1) % 2) for i in range(n)]
    gs = (lambda a, b: a[0], lambda a, b: a[1], lambda a, b: b[0], lambda a, b: b[1])
    h = Mock(wraps=lambda *sums: sums[0] - sums[2])
    exact_perm_test_m(u, v, gs, h)
    assert h.call_count <= (labels * n + 1) ** 2 + 1
    # the operations of the draft's program are two for each cell that is reached
    cells, sizes = reached(zip(u, v), gs)
    assert 2 * sum(sizes) <= 2 * n * (labels * n + 1) ** 2
    assert len(cells) == h.call_count - 1


class Bits(random.Random):
    """A source that counts its draws and their bits."""

    draws = bits = 0

    def getrandbits(self, k):
        self.draws += 1
        self.bits += k
        return super().getrandbits(k)


@pytest.mark.parametrize(("n", "samples"), [(12, 100), (24, 100), (24, 300)])
def test_monte_carlo_draws_each_sample_once(n, samples):
    """alg-1: K samples of N bits at most, one draw for each sample and distinct difference; g twice for each pair."""
    g, h = Mock(wraps=lambda a, b: a - b), Mock(wraps=abs)
    u, v = scores(n, 3)
    source = Bits(1)
    monte_carlo(u, v, g, h, samples, rng=source)
    different = [abs(a - b) for a, b in zip(u, v) if a != b]
    assert source.bits == samples * len(different)
    assert source.draws == samples * len(set(different))
    assert g.call_count == 2 * n
    assert h.call_count <= samples + 1
