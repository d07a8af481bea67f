"""The data-free checks against every p-value that small data give."""

import random
from fractions import Fraction
from itertools import combinations, product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm import (
    read_pvalue,
)
from exactperm.auditing.attainable import attainable
from exactperm.auditing.axes import AXES
from exactperm.auditing.facts import Allowance, of_flips
from exactperm.errors import ExactPermError

F = Fraction
TAILS, BOUNDARIES = tuple(AXES["tail"]), tuple(AXES["boundary"])


def text(p):
    """A fraction as it is printed: exact."""
    return f"{p.numerator}/{p.denominator}"


def all_sums(n, most):
    for sizes in product(range(1, most + 1), repeat=n):
        if sizes == tuple(sorted(sizes)):
            for signs in product((1, -1), repeat=n):
                yield [sign * size for sign, size in zip(signs, sizes)]


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_every_pvalue_of_small_sums_is_attainable_and_every_multiple_occurs(n):
    seen = {(tail, boundary): set() for tail in TAILS for boundary in BOUNDARIES}
    for d in all_sums(n, 2 ** min(n, 3)):
        known = of_flips(d, len(d), None, Allowance())
        for (tail, boundary), values in seen.items():
            values.add(known.value("exact", tail, boundary))
    for (tail, boundary), values in seen.items():
        found = attainable(n, alternative=tail, boundary=boundary)
        assert all(found.contains(text(p)) for p in values), (tail, boundary)
    assert seen["greater", ">="] == {F(m, 2**n) for m in range(1, 2**n + 1)}
    assert seen["two-sided", ">="] == {F(2 * m, 2**n) for m in range(1, 2 ** (n - 1) + 1)}


def item(u, v):
    """Yield the differences of means of one item under all labelings of its runs."""
    runs, m = [*u, *v], len(u)
    for chosen in combinations(range(len(runs)), m):
        first = sum(runs[i] for i in chosen)
        yield F(first, m) - F(sum(runs) - first, len(v))


def values_of(T, t):
    """Yield (tail, boundary, p-value) of the statistic t among those of all labelings."""
    weak = {"less": sum(x <= t for x in T), "greater": sum(x >= t for x in T)}
    strict = {"less": sum(x < t for x in T), "greater": sum(x > t for x in T)}
    weak["two-sided"], strict["two-sided"] = (
        sum(abs(x) >= abs(t) for x in T),
        sum(abs(x) > abs(t) for x in T),
    )
    half = {tail: F(weak[tail] + strict[tail], 2) for tail in weak}
    for boundary, found in ((">=", weak), (">", strict), ("mid", half)):
        least = min(found["less"], found["greater"])
        for tail, count in {
            **found,
            "min": least,
            "2min": 2 * least,
            "doubled": min(len(T), 2 * least),
        }.items():
            yield tail, boundary, F(count) / len(T)


def points(found):
    """Return all p-values of a lattice."""
    return {
        least + i * step
        for step, least, most in found.steps
        for i in range(int((most - least) / step) + 1)
    }


@pytest.mark.parametrize(
    ("m", "k", "n"), [(2, 2, 1), (2, 2, 2), (2, 1, 2), (3, 1, 1), (1, 2, 3), (3, 2, 1)]
)
@pytest.mark.parametrize("most", [10**6, 2])
def test_every_pvalue_of_runs_is_attainable_and_every_multiple_occurs(m, k, n, most):
    """Scores that are all different attain all points; with ties and few values only points of the lattice occur."""
    rng = random.Random(f"{m}{k}{n}")
    seen = {}
    for _ in range(3 if most > 2 else 30):
        items = [
            tuple([rng.randint(0, most) for _ in range(size)] for size in (m, k)) for _ in range(n)
        ]
        if any(len({*u, *v}) == 1 for u, v in items):
            continue
        T = [sum(parts) for parts in product(*(item(u, v) for u, v in items))]
        for tail, boundary, p in (one for t in sorted({*T}) for one in values_of(T, t)):
            seen.setdefault((tail, boundary), set()).add(p)
    for (tail, boundary), values in seen.items():
        found = attainable(n, runs=(m, k), design="within", alternative=tail, boundary=boundary)
        assert values <= points(found), (tail, boundary)
        if most > 2 and boundary == ">=" and tail not in ("min", "2min"):
            assert values == points(found), (tail, boundary)
        total = attainable(total=comb(m + k, m) ** n, alternative=tail, boundary=boundary)
        assert values <= points(total)


def test_runs_by_design():
    verdicts = {
        "within": "'p = .03' can be the p-value: exact permutation test, runs exchanged within items, two-sided; "
        "5 items, not all of whose runs are equal, have 3 and 3 runs",
        "items": "'p = .03' cannot be the p-value: exact permutation test, blocks of runs swapped within items, "
        "two-sided; 5 items, whose means differ, have 3 and 3 runs",
        "systems": "'p = .03' cannot be the p-value: exact permutation test, whole runs exchanged over items, "
        "two-sided; 5 items have 3 and 3 runs",
    }
    for design, verdict in verdicts.items():
        assert attainable(5, runs=(3, 3), design=design).verdict("p = .03").startswith(verdict)
    assert "; 20 labelings" in attainable(total=20).verdict("p = .1")
    assert attainable(9, runs=(1, 1), design="within").steps == attainable(9).steps


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 5, "runs": (3, 3)}, "design is None"),
        ({"n": 5, "design": "within"}, "runs is None: it must be two numbers of runs"),
        ({"n": 5, "runs": (3,), "design": "within"}, "two numbers of runs"),
        ({"n": 5, "runs": (3, 0), "design": "within"}, "runs[1] is 0"),
        ({"n": 5, "runs": (3, 3), "design": "both"}, "runs and items that are both random"),
        ({"n": 5, "runs": (3, 3), "total": 20}, "one of both tells the number of labelings"),
        ({"n": 5, "total": 20, "test": "sign"}, "exact test of their means"),
        ({"n": 5, "total": 20, "samples": 99}, "exact test of their means"),
        (
            {"n": 100_000, "runs": (1000, 1000), "design": "within"},
            "the number of labelings has too many digits",
        ),
        ({"total": 0}, "total"),
        ({"runs": (3, 3), "design": "within"}, "n is None"),
    ],
)
def test_wrong_numbers_of_runs_are_refused(arguments, message):
    with pytest.raises(ExactPermError) as caught:
        attainable(**arguments)
    assert message in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8])
@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_ranks_without_ties_and_signs_are_listed_exactly(n, tail, boundary):
    ranks, signs = set(), set()
    for pattern in product((1, -1), repeat=n):
        d = [sign * (i + 1) for i, sign in enumerate(pattern)]
        ranks.add(of_flips(d, n, 2, Allowance()).value("exact", tail, boundary))
        signs.add(of_flips(pattern, n, None, Allowance()).value("exact", tail, boundary))
    for test, values in (("wilcoxon", ranks), ("sign", signs)):
        assert attainable(n, test, alternative=tail, boundary=boundary).values == tuple(
            sorted(values)
        )


def test_known_impossibilities_name_tail_boundary_and_assumption():
    assert not attainable(5).contains("p = .03")
    assert attainable(5, alternative="greater").contains("p = .03")  # 1/32
    assert attainable(5, boundary="mid").contains("p = .03")  # 1/32 for (1, 2, 3, 4, 5)
    assert not attainable(4, "wilcoxon").contains("1/2")
    assert attainable(4).contains("1/2")
    assert attainable(5).verdict("p = .03") == (
        "'p = .03' cannot be the p-value: exact paired permutation test, two-sided; "
        "5 pairs have a difference; the nearest possible values are 0.06250 and 0.1250"
    )
    assert "can be the p-value: exact signed-rank test" in attainable(4, "wilcoxon").verdict(
        "p = .25"
    )
    assert "two-sided, boundary mid; 5 pairs" in attainable(5, boundary="mid").verdict("p = .03")
    assert "no two of the same size" in attainable(4, "wilcoxon").verdict("1/2")


@given(st.integers(1, 16), st.integers(2, 4), st.integers(0, 10**4))
def test_a_fine_lattice_says_nothing(n, places, number):
    """Vacuous for texts above 0 once 2**(1 - n) is at most the unit: from n = 8, 11, 15 on for 2, 3, 4 decimals."""
    text = number % 10**places
    found = attainable(n).contains(f"{text / 10**places:.{places}f}")
    assert (
        found or F(2, 2**n) > F(1, 10**places) or (text == 0 and F(2, 2**n) >= F(1, 2 * 10**places))
    )


def test_without_its_boundary_no_pvalue_is_one():
    # The observed assignment is not beyond itself: p is at most 1 - 2/2**n. From n = 9 on the text
    # fits, rounded.
    assert not attainable(5, boundary=">").contains("p = 1.00")
    assert attainable(9, boundary=">").contains("p = 1.00")
    assert attainable(5).contains("p = 1.00")


def test_monte_carlo_estimates():
    assert attainable(9, samples=3).contains("0.33")
    assert not attainable(9, samples=1000, estimate="(b+1)/(K+1)").contains("0.0000")
    assert attainable(9, samples=1000, estimate="b/K").contains("1/500")
    assert not attainable(9, samples=1000, estimate="(b+1)/(K+1)").contains("1/500")
    assert attainable(9, samples=1000).contains("2/1001")


def test_inequalities_and_zeros():
    assert not attainable(3).contains("p < .05")
    assert attainable(6).contains("p < .05")
    assert attainable(3).contains("p > .05")
    assert not attainable(3).contains("p > 1")
    assert attainable(3).contains("n.s.")
    assert not attainable(5).contains("0.00")
    assert attainable(20).contains("0.00")
    assert attainable(5, "sign").contains("p >= 1")


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((0,), {}, "n is 0"),
        ((5, "median"), {}, "test is 'median'"),
        ((5,), {"alternative": "both"}, "alternative is 'both'"),
        ((5,), {"boundary": "="}, "boundary is '='"),
        ((5,), {"estimate": "b/K"}, "samples is None"),
        ((5,), {"samples": 10, "estimate": "b"}, "estimate is 'b'"),
        ((500, "wilcoxon"), {}, "up to 400 pairs"),
    ],
)
def test_bad_input(arguments, options, message):
    with pytest.raises(ExactPermError, match=message):
        attainable(*arguments, **options)


def test_the_samples_are_bounded():
    with pytest.raises(
        ExactPermError, match=r"samples is 1000.* it must be between 1 and 1000000000000000000"
    ):
        attainable(5, samples=10**5000)


@pytest.mark.slow
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less", "doubled"])
@pytest.mark.parametrize("boundary", [">=", ">", "mid"])
def test_two_accuracies_allow_what_some_table_gives(alternative, boundary):
    """Brute force over all tables of N items: right for both, for one alone, for neither."""
    for n, accuracies in (
        (9, (".7", ".6")),
        (12, ("67%", "67%")),
        (10, ("50%", "90%")),
        (11, (".36", ".5")),
    ):
        shares = [(F(share.rstrip("%")), 100 if "%" in share else 1) for share in accuracies]
        half = [
            F(1, 2) if "%" in share else F(1, 2 * 10 ** (len(share) - 1)) for share in accuracies
        ]
        expected = set()
        for both, b, c in product(range(n + 1), repeat=3):
            right = both + b, both + c
            if both + b + c <= n and all(
                abs(F(k * scale, n) - x) <= h for k, (x, scale), h in zip(right, shares, half)
            ):
                expected.add(
                    of_flips([1] * b + [-1] * c or [0], b + c, None, Allowance()).value(
                        "exact", alternative, boundary
                    )
                )
        known = attainable(n, accuracies=accuracies, alternative=alternative, boundary=boundary)
        assert known.bounds == ((min(expected), max(expected)) if expected else None)
        for p in range(0, 101):
            printed = f"p = {p / 100:.2f}"
            assert known.contains(printed) == any(
                read_pvalue(printed).fit(one) for one in expected
            ), (n, printed)


def test_the_commonest_claim_in_machine_learning():
    known = attainable(1000, accuracies=("93.1%", "92.2%"))
    assert "so p lies between 0.00391 and 0.510" in known.verdict("p = .03")
    assert [
        known.contains(p)
        for p in ("p = .001", "p = .004", "p = .5", "p = .6", "p < .05", "p > .05")
    ] == [*(False, True, True, False, True, True)]


def test_accuracies_that_no_data_have():
    known = attainable(7, "mcnemar", accuracies=["93.1%", "92.9%"])
    assert known.bounds is None
    assert known.verdict("p = .5").endswith(
        "7 items, accuracies 93.1% and 92.9%: no data have them"
    )
    assert not known.contains("p = .5")
    assert known.contains("n.s.")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"test": "mcnemar"}, "McNemar's test needs both"),
        ({"test": "sign", "accuracies": (".5", ".6")}, "McNemar's test needs both"),
        ({"accuracies": ".5"}, "it must be two texts"),
        ({"accuracies": (".5",)}, "it must be two texts"),
        ({"accuracies": (0.5, 0.6)}, "an accuracy is 0.5: it must be text"),
        ({"accuracies": ("< .5", ".6")}, "an accuracy is '< .5': it must be a share"),
        ({"accuracies": ("150%", ".6")}, "an accuracy is '150%'"),
        ({"accuracies": (".5", ".6"), "samples": 9}, "McNemar's test is exact here"),
    ],
)
def test_wrong_accuracies(arguments, message):
    with pytest.raises(ExactPermError, match=message):
        attainable(10, **arguments)


@pytest.mark.parametrize(
    ("found", "rows"),
    [
        (
            attainable(5),
            [
                "pairs        5 pairs have a difference",
                "p-values     multiples of 0.0625 from 0.0625 to 1",
            ],
        ),
        (
            attainable(3, "sign", alternative="less"),
            [
                "pairs        3 items that one system alone has right",
                "p-values     4, from 0.125 to 1",
            ],
        ),
        (
            attainable(8, samples=99),
            [
                "pairs        8 pairs have a difference, K = 99 random assignments, either estimate",
                "p-values     multiples of 0.01010101010 = 1/99 from 0 to 1",
                "p-values     multiples of 0.01 from 0.01 to 1",
            ],
        ),
        (
            attainable(1000, accuracies=("93.1%", "92.2%")),
            [
                "items        1000 items, accuracies 93.1% and 92.2%",
                "p-values     between 0.00391 and 0.510",
            ],
        ),
        (
            attainable(10, accuracies=("93.1%", "92.2%")),
            ["items        10 items, accuracies 93.1% and 92.2%", "p-values     no data have them"],
        ),
    ],
)
def test_what_people_see(found, rows):
    heading, *told = str(found).splitlines()
    assert heading.startswith("P-values that an exact ")
    assert [line.strip() for line in told] == rows
