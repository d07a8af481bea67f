"""The data-free checks against every p-value that small data give."""

import random
from fractions import Fraction as F
from itertools import chain, combinations_with_replacement, product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm import read_pvalue
from exactperm.auditing.attainable import attainable
from exactperm.auditing.axes import AXES
from exactperm.auditing.facts import Allowance, of_flips
from exactperm.errors import ExactPermError
from runs_by_definition import every_pvalue, values

TAILS, BOUNDARIES = tuple(AXES["tail"]), tuple(AXES["boundary"])


def of_columns(columns, step=None):
    """All p-values of the tests that flip the signs of these columns: {(tail, boundary): p-values}."""
    found = {about: set() for about in product(TAILS, BOUNDARIES)}
    for column in columns:
        known = of_flips(column, len(column), step, Allowance())
        for about, seen in found.items():
            seen.add(known.value("exact", *about)[0])
    return found


def signed(n, sizes):
    """All columns of n differences of these sizes."""
    for some in combinations_with_replacement(sizes, n):
        for signs in product((1, -1), repeat=n):
            yield [sign * size for sign, size in zip(signs, some)]


def points(found):
    """All p-values of a lattice."""
    return {
        least + i * step
        for step, least, most in found.steps
        for i in range(int((most - least) / step) + 1)
    }


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_every_pvalue_of_small_sums_is_attainable_and_every_multiple_occurs(n):
    seen = of_columns(signed(n, range(1, 1 + 2 ** min(n, 3))))
    for (tail, boundary), found in seen.items():
        assert found <= points(attainable(n, alternative=tail, boundary=boundary))
    assert seen["greater", ">="] == {F(m, 2**n) for m in range(1, 2**n + 1)}
    assert seen["two-sided", ">="] == {F(2 * m, 2**n) for m in range(1, 2 ** (n - 1) + 1)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("m", "k", "n"), [(2, 2, 1), (2, 2, 2), (2, 1, 2), (3, 1, 1), (1, 2, 3), (3, 2, 1)]
)
@pytest.mark.parametrize("most", [10**6, 2])
def test_every_pvalue_of_runs_is_attainable_and_every_multiple_occurs(m, k, n, most):
    """Scores that are all different attain all points; with ties and few values only points of the lattice occur."""
    rng, seen = random.Random(f"{m}{k}{n}"), {}
    for _ in range(3 if most > 2 else 30):
        items = [
            tuple([rng.randint(0, most) for _ in range(size)] for size in (m, k)) for _ in range(n)
        ]
        if all(len({*u, *v}) > 1 for u, v in items):
            T = values(items, "within")
            for about, p in chain(*(every_pvalue(T, t).items() for t in {*T})):
                seen.setdefault(about, set()).add(p)
    for (tail, boundary), found in seen.items():
        about = {"alternative": tail, "boundary": boundary}
        known = points(attainable(n, runs=(m, k), design="within", **about))
        assert found <= known, about
        assert found <= points(attainable(total=comb(m + k, m) ** n, **about))
        if most > 2 and boundary == ">=" and tail not in ("min", "2min"):
            assert found == known, about


def test_one_run_each_is_the_paired_test():
    assert attainable(9, runs=(1, 1), design="within").steps == attainable(9).steps


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8])
def test_ranks_without_ties_and_signs_are_listed_exactly(n):
    patterns = list(product((1, -1), repeat=n))
    ranks = of_columns([[s * (i + 1) for i, s in enumerate(signs)] for signs in patterns], 2)
    for test, seen in (("wilcoxon", ranks), ("sign", of_columns(patterns))):
        for (tail, boundary), found in seen.items():
            known = attainable(n, test, alternative=tail, boundary=boundary)
            assert known.values == tuple(sorted(found))


@given(st.integers(1, 16), st.integers(2, 4), st.integers(0, 10**4))
def test_a_fine_lattice_says_nothing(n, places, number):
    """Vacuous for texts above 0 once 2**(1 - n) is at most the unit: from n = 8, 11, 15 on for 2, 3, 4 decimals."""
    text, step, unit = number % 10**places, F(2, 2**n), F(1, 10**places)
    found = attainable(n).contains(f"{text / 10**places:.{places}f}")
    assert found or step > unit or (text == 0 and 2 * step >= unit)


# arguments | texts that can be p-values | texts that cannot. 1/32 is the mid-p-value of (1, 2, 3, 4, 5); with ">"
# the observed assignment is not beyond itself, so p is at most 1 - 2/2**n, which is 1.00 from n = 9 on.
POSSIBLE = """
5 |  | p = .03; 0.00
5, alternative="greater" | p = .03 |
5, boundary="mid" | p = .03 |
5, boundary=">" |  | p = 1.00
9, boundary=">" | p = 1.00 |
4 | 1/2 |
4, "wilcoxon" | p = .25 | 1/2
3 | p > .05; n.s. | p < .05; p > 1
6 | p < .05 |
20 | 0.00 |
5, "sign" | p >= 1 |
9, samples=3 | 0.33 |
total=21, alternative="doubled" | p = 1.00 | p = .99
9, samples=1000, estimate="(b+1)/(K+1)" |  | 0.0000; 1/500
9, samples=1000, estimate="b/K" | 1/500 |
9, samples=1000 | 2/1001 |
1000, accuracies=("93.1%", "92.2%") | p = .004; p = .5; p < .05; p > .05 | p = .001; p = .6
7, "mcnemar", accuracies=["93.1%", "92.9%"] | n.s. | p = .5
"""


def table(text):
    """(arguments, what makes the result of a call with them, other cells) of each row."""
    for row in text.replace("\\\n", "").strip().splitlines():
        arguments, *cells = [cell.strip() for cell in f"{row} ".split(" | ")]
        yield arguments, lambda call=arguments: eval(f"attainable({call})"), cells  # noqa: S307


def test_what_is_possible():
    for told, made, (can, cannot) in table(POSSIBLE):
        found = made()
        assert all(map(found.contains, filter(None, can.split("; ")))), told
        assert not any(map(found.contains, filter(None, cannot.split("; ")))), told


TOLD = """
5 | p = .03 | 'p = .03' cannot be the p-value: exact paired permutation test, two-sided; 5 pairs have a difference; \
the nearest possible values are 0.06250 and 0.1250
4, "wilcoxon" | p = .25 | can be the p-value: exact signed-rank test
4, "wilcoxon" | 1/2 | no two of the same size
5, boundary="mid" | p = .03 | two-sided, boundary mid; 5 pairs
1000, accuracies=("93.1%", "92.2%") | p = .03 | so p lies between 0.00391 and 0.510
7, "mcnemar", accuracies=["93.1%", "92.9%"] | p = .5 | 7 items, accuracies 93.1% and 92.9%: no data have them
5, runs=(3, 3), design="within" | p = .03 | 'p = .03' can be the p-value: exact permutation test, runs exchanged \
within items, two-sided; 5 items, not all of whose runs are equal, have 3 and 3 runs
5, runs=(3, 3), design="items" | p = .03 | 'p = .03' cannot be the p-value: exact permutation test, blocks of runs \
swapped within items, two-sided; 5 items, whose means differ, have 3 and 3 runs
5, runs=(3, 3), design="systems" | p = .03 | 'p = .03' cannot be the p-value: exact permutation test, whole runs \
exchanged over items, two-sided; 5 items have 3 and 3 runs
total=20 | p = .1 | ; 20 labelings
"""


def test_impossibilities_name_tail_boundary_and_assumption():
    for _, made, (text, told) in table(TOLD):
        assert told in made().verdict(text)
    assert attainable(7, "mcnemar", accuracies=["93.1%", "92.9%"]).bounds is None
    assert "labelings" in attainable(total=10**5000).assumption


WRONG = """
n=0 | n is 0
n=5, test="median" | test is 'median'
n=5, alternative="both" | alternative is 'both'
n=5, boundary="=" | boundary is '='
n=5, estimate="b/K" | samples is None
n=5, samples=10, estimate="b" | estimate is 'b'
n=5, samples=10**5000 | it must be between 1 and 1000000000000000000
n=500, test="wilcoxon" | up to 400 pairs
n=9, test="mcnemar" | McNemar's test, and no other, needs accuracies
n=9, test="sign", accuracies=(".5", ".6") | and no other, needs accuracies
n=9, accuracies=".5" | it must be two texts
n=9, accuracies=(".5",) | it must be two texts
n=9, accuracies=(0.5, 0.6) | an accuracy is 0.5: it must be text
n=9, accuracies=("< .5", ".6") | an accuracy is '< .5': it must be a share
n=9, accuracies=("150%", ".6") | an accuracy is '150%'
n=9, accuracies=(".5", ".6"), samples=9 | accuracies and samples are given
n=5, runs=(3, 3) | design is None
n=5, design="within" | runs is None: it must be two numbers of runs
n=5, runs=(3,), design="within" | two numbers of runs
n=5, runs=() | design is None
n=5, runs=(3, 0), design="within" | runs[1] is 0
n=5, runs=(3, 3), design="both" | runs and items that are both random
n=5, runs=(3, 3), total=20 | runs and total are given
n=5, total=20, test="sign" | exact test of their means
n=5, total=20, samples=99 | samples and total are given
n=10**5, runs=(1000, 1000), design="within" | labelings has too many digits
total=0 | total
runs=(3, 3), design="within" | n is None
"""


def test_what_is_refused():
    for arguments, made, (told,) in table(WRONG):
        with pytest.raises(ExactPermError) as caught:
            made()
        assert told in str(caught.value), arguments


@pytest.mark.slow
@pytest.mark.parametrize(
    "accuracies", [(".7", ".6"), ("67%", "67%"), ("50%", "90%"), (".36", ".5")]
)
def test_two_accuracies_allow_what_some_table_gives(accuracies):
    """Brute force over all tables of n items: right for both, for one alone, for neither."""
    n = {".7": 9, "67%": 12, "50%": 10, ".36": 11}[accuracies[0]]
    bounds = []
    for text in accuracies:
        digits = 0 if "%" in text else len(text) - 1
        share, scale = F(text.rstrip("%")), 100 if "%" in text else 1
        bounds.append([(share + F(sign, 2 * 10**digits)) / scale for sign in (-1, 1)])
    columns = [
        [1] * b + [-1] * c or [0]
        for both, b, c in product(range(n + 1), repeat=3)
        if both + b + c <= n
        and all(low <= F(k, n) <= high for k, (low, high) in zip((both + b, both + c), bounds))
    ]
    for (tail, boundary), found in of_columns(columns).items():
        known = attainable(n, accuracies=accuracies, alternative=tail, boundary=boundary)
        assert known.bounds == ((min(found), max(found)) if found else None)
        for p in range(0, 101):
            text = read_pvalue(f"p = {p / 100:.2f}")
            assert known.contains(text) == any(text.fit(one) for one in found), (n, p)


SEEN = """
5 | pairs        5 pairs have a difference | p-values     multiples of 0.0625 from 0.0625 to 1
3, "sign", alternative="less" | pairs        3 items that one system alone has right | p-values     4, from 0.125 to 1
8, samples=99 | pairs        8 pairs have a difference, K = 99 random assignments, either estimate | \
p-values     multiples of 0.01010101010 = 1/99 from 0 to 1 | p-values     multiples of 0.01 from 0.01 to 1
1000, accuracies=("93.1%", "92.2%") | items        1000 items, accuracies 93.1% and 92.2% | \
p-values     between 0.00391 and 0.510
10, accuracies=("93.1%", "92.2%") | items        10 items, accuracies 93.1% and 92.2% | p-values     no data have them
"""


def test_what_people_see():
    for _, made, rows in table(SEEN):
        heading, *told = str(made()).splitlines()
        assert heading.startswith("P-values that an exact ")
        assert [line.strip() for line in told] == rows
