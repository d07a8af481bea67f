"""Adjusted p-values: known answers, the definitions by brute force, and the order relations between the methods."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactperm.budget import Budget
from exactperm.errors import BudgetExceeded, ExactPermError, WrongType
from exactperm.multiplicity import METHODS, AdjustedPValues, adjust_pvalues
from peers import peer

FREE = tuple(name for name in METHODS if name != "tarone")
probabilities = st.one_of(
    st.integers(0, 16).map(lambda k: Fraction(k, 16)),  # ties, 0 and 1
    st.fractions(0, 1, max_denominator=1000),
)
columns = st.lists(probabilities, min_size=1, max_size=7)

# Fifteen p-values of Benjamini and Hochberg (1995, section 4). The adjusted values below are worked
# from the formulas and confirmed with statsmodels; each catches a wrong factor or a running extreme
# taken in the wrong direction.
TREATMENT = "0.0001 0.0004 0.0019 0.0095 0.0201 0.0278 0.0298 0.0344 0.0459 0.3240 0.4262 0.5719 0.6528 0.7590 1"


def by_definition(pvalues, method):
    """Adjusted p-values from the definitions, one hypothesis at a time, without ranks or running extremes."""
    m = len(pvalues)
    c = sum(Fraction(1, j) for j in range(1, m + 1))
    if method == "bonferroni":
        return [min(Fraction(1), m * p) for p in pvalues]
    if method == "sidak":
        return [1 - (1 - p) ** m for p in pvalues]
    if method in ("fdr_bh", "fdr_by", "hochberg"):
        return [least_level(pvalues, i, method, c) for i in range(m)]
    local = {"holm": bonferroni_global, "holm-sidak": sidak_global, "hommel": simes_global}[method]
    sets = [s for size in range(1, m + 1) for s in combinations(range(m), size)]
    return [max(local([pvalues[j] for j in s]) for s in sets if i in s) for i in range(m)]


def bonferroni_global(ps):
    return min(Fraction(1), len(ps) * min(ps))


def sidak_global(ps):
    return 1 - (1 - min(ps)) ** len(ps)


def simes_global(ps):
    return min(Fraction(len(ps) * p, k) for k, p in enumerate(sorted(ps), 1))


def least_level(pvalues, i, method, c):
    """The least level at which the step-up procedure rejects hypothesis i, found among all critical levels."""
    m = len(pvalues)

    def critical(level, j):
        return {
            "fdr_bh": level * j / m,
            "fdr_by": level * j / m / c,
            "hochberg": level / (m - j + 1),
        }[method]

    levels = {
        Fraction(1),
        *(p / critical(Fraction(1), j) for p in pvalues for j in range(1, m + 1)),
    }
    for level in sorted(levels):
        passing = [p for j, p in enumerate(sorted(pvalues), 1) if p <= critical(level, j)]
        if passing and pvalues[i] <= max(passing):
            return min(level, Fraction(1))
    return Fraction(1)


@pytest.mark.slow
@pytest.mark.parametrize("method", FREE)
@given(pvalues=columns)
@settings(max_examples=25)
def test_adjusted_values_are_those_of_the_definition(method, pvalues):
    """Holm, Holm-Sidak and Hommel as closed tests over all subsets; step-up methods as the least rejecting level."""
    assert list(adjust_pvalues(pvalues, method).adjusted) == by_definition(pvalues, method)


@pytest.mark.slow
@pytest.mark.parametrize("method", FREE)
@given(pvalues=columns, data=st.data())
@settings(max_examples=25)
def test_relations(method, pvalues, data):
    adjusted = adjust_pvalues(pvalues, method).adjusted
    pairs = sorted(zip(pvalues, adjusted))
    assert all(p <= a <= 1 for p, a in pairs)
    assert [a for _, a in pairs] == sorted(adjusted), (
        "adjusted p-values keep the order of the p-values"
    )
    order = data.draw(st.permutations(range(len(pvalues))))
    shuffled = adjust_pvalues([pvalues[i] for i in order], method).adjusted
    assert shuffled == tuple(adjusted[i] for i in order)


@pytest.mark.slow
@pytest.mark.parametrize("method", FREE)
@given(pvalues=columns, data=st.data())
@settings(max_examples=25)
def test_every_adjustment_rises_with_every_pvalue(method, pvalues, data):
    """So brackets are adjusted outward. Catches a method that looks at ranks or ties alone."""
    i = data.draw(st.integers(0, len(pvalues) - 1))
    raised = [max(p, data.draw(probabilities)) if j == i else p for j, p in enumerate(pvalues)]
    before, after = (
        adjust_pvalues(pvalues, method).adjusted,
        adjust_pvalues(raised, method).adjusted,
    )
    assert all(a <= b for a, b in zip(before, after))


def test_two_of_three_pairs_can_be_exchangeable():
    """Shaffer's logical adjustment supposes that it cannot be: B is independent of A and of C = A + 1 modulo 3."""
    outcomes = [(a, b, (a + 1) % 3) for a in range(3) for b in range(3)]
    laws = {(i, j): Counter((x[i], x[j]) for x in outcomes) for i in range(3) for j in range(3)}
    assert laws[0, 1] == laws[1, 0]
    assert laws[1, 2] == laws[2, 1]
    assert laws[0, 2] != laws[2, 0]
    # So after the first rejection Holm's method has two hypotheses left, where Shaffer's would have
    # one.
    assert adjust_pvalues(["1/1000", "1/30", "1/25"], "holm").adjusted[1:] == (
        Fraction(1, 15),
        Fraction(1, 15),
    )


@pytest.mark.slow
@given(pvalues=columns)
def test_the_more_powerful_method_never_gives_the_larger_value(pvalues):
    bonferroni, holm, sidak, holm_sidak, hochberg, hommel, bh = (
        adjust_pvalues(pvalues, name).adjusted
        for name in ("bonferroni", "holm", "sidak", "holm-sidak", "hochberg", "hommel", "fdr_bh")
    )
    for less, more in ((holm, bonferroni), (sidak, bonferroni), (holm_sidak, holm), (holm_sidak, sidak),
                       (hochberg, holm), (hommel, hochberg), (bh, hommel)):  # fmt: skip
        assert all(a <= b for a, b in zip(less, more))


@pytest.mark.slow
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("method", FREE)
@given(pvalues=columns, alpha=probabilities)
@settings(max_examples=25)
def test_reject_agrees_with_the_adjusted_values(method, strict, pvalues, alpha):
    """Also at levels that equal an adjusted value, where < and <= part."""
    result = adjust_pvalues(pvalues, method)
    for level in (alpha, *result.adjusted):
        expected = tuple(a < level if strict else a <= level for a in result.adjusted)
        assert result.reject(level, strict=strict) == expected


def test_known_answers_of_a_published_example():
    """Bonferroni and Holm reject three at 0.05, Benjamini and Hochberg four: the point of their paper."""
    expected = {
        "bonferroni": "0.0015 0.006 0.0285 0.1425 0.3015 0.417 0.447 0.516 0.6885 1 1 1 1 1 1",
        "holm": "0.0015 0.0056 0.0247 0.114 0.2211 0.278 0.278 0.278 0.3213 1 1 1 1 1 1",
        "hommel": "0.0015 0.0056 0.0247 0.095 0.1608 0.1946 0.2086 0.2408 0.3213 1 1 1 1 1 1",
        "hochberg": "0.0015 0.0056 0.0247 0.114 0.2211 0.2682 0.2682 0.2752 0.3213 1 1 1 1 1 1",
        "fdr_bh": "3/2000 3/1000 19/2000 57/1600 603/10000 447/7000 447/7000 129/2000 153/2000 "
        "243/500 6393/11000 57190/80000 97920/130000 11385/14000 1",
    }
    for method, text in expected.items():
        assert adjust_pvalues(TREATMENT.split(), method).adjusted == tuple(
            map(Fraction, text.split())
        ), method


def test_hommel_where_it_differs_from_hochberg():
    """Four p-values, worked by hand: Simes over {2, 3, 4} is min(3 * .02, 3/2 * .03, .9) = .045 for the second."""
    pvalues = ["0.01", "0.02", "0.03", "0.9"]
    assert adjust_pvalues(pvalues, "hommel").adjusted == tuple(
        map(Fraction, ("0.04", "0.045", "0.06", "0.9"))
    )
    assert adjust_pvalues(pvalues, "hochberg").adjusted == tuple(
        map(Fraction, ("0.04", "0.06", "0.06", "0.9"))
    )


@pytest.mark.slow
@given(tops=st.lists(st.integers(0, 40), max_size=40), n=st.integers(0, 10))
def test_hommel_is_the_maximum_over_the_sizes_of_the_least_favourable_set(tops, n):
    """In n**2 steps for each hypothesis: i with the s - 1 largest others, among the p-values and n ones."""
    pvalues = [Fraction(top, 40) for top in tops]

    def largest(i):
        others = sorted(pvalues[:i] + pvalues[i + 1 :] + [Fraction(1)] * n)
        return max(
            simes_global([pvalues[i], *others[len(others) - s :]]) for s in range(len(others) + 1)
        )

    expected = tuple(largest(i) for i in range(len(pvalues)))
    assert adjust_pvalues(pvalues, "hommel", n=len(pvalues) + n).adjusted == expected


@pytest.mark.slow
def test_hommel_of_ten_thousand_values():
    """Squares lie on a convex curve, so that all points are on the hull; n**2 steps would take minutes."""
    pvalues = [Fraction(k * k, 10**9) for k in range(1, 10001)]
    hommel, hochberg = (adjust_pvalues(pvalues, name).adjusted for name in ("hommel", "hochberg"))
    assert all(p <= a <= b for p, a, b in zip(pvalues, hommel, hochberg))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # theirs, on p = 1
def test_statsmodels_agrees_to_rounding():
    multitest = peer("statsmodels.stats.multitest")
    pvalues = list(map(float, TREATMENT.split()))
    names = {"hochberg": "simes-hochberg"}
    for method in FREE:
        theirs = multitest.multipletests(pvalues, method=names.get(method, method))[1]
        for ours, other in zip(adjust_pvalues(pvalues, method).adjusted, theirs):
            assert abs(ours - Fraction(float(other))) < Fraction(1, 10**12), method


@pytest.mark.parametrize(
    ("names", "method"),
    [
        (("BH", "fdr", "FDR", "fdr-bh", "Benjamini-Hochberg"), "fdr_bh"),
        (("BY", "by", "Benjamini Yekutieli"), "fdr_by"),
        (("bonf", "Bonferroni"), "bonferroni"),
        (("holm-bonferroni", "Holm"), "holm"),
        (("holm_sidak",), "holm-sidak"),
        (("simes-hochberg", "Hochberg"), "hochberg"),
    ],
)
def test_names_that_people_know(names, method):
    expected = adjust_pvalues(TREATMENT.split(), method)
    assert expected.method == method
    assert all(adjust_pvalues(TREATMENT.split(), name) == expected for name in names)


@pytest.mark.parametrize("method", METHODS)
@given(pvalues=columns, others=st.integers(0, 4))
@settings(max_examples=15)
def test_more_tests_than_pvalues(method, pvalues, others):
    """The p-values that are not given count as 1; each test can attain any of them."""
    least = {"min_attainable": [0] * (len(pvalues) + others)} if method == "tarone" else {}
    padded = adjust_pvalues([*pvalues, *[1] * others], method, **least)
    some = adjust_pvalues(pvalues, method, n=len(pvalues) + others, **least)
    assert some.adjusted == padded.adjusted[: len(pvalues)]
    assert some.reject("0.3") == padded.reject("0.3")[: len(pvalues)]


def test_many_more_tests_than_pvalues():
    """As R: p.adjust(c(0.01, 0.04), "BH", n = 5) is 0.05, 0.1; a million tests need no million terms."""
    assert adjust_pvalues(["0.01", "0.04"], "BH", n=5).adjusted == (
        Fraction(1, 20),
        Fraction(1, 10),
    )
    assert adjust_pvalues(["1e-8"], "holm", n=10**6).adjusted == (Fraction(1, 100),)


# ------------------------------------------------------------------------------------------- Tarone


def tarone_rejects(pvalues, least, level):
    """Tarone's procedure at one level, as published: the least K with #{p* <= level / K} <= K."""
    k = next(k for k in range(1, len(pvalues) + 1) if sum(x <= level / k for x in least) <= k)
    return [p <= level / k for p in pvalues]


@st.composite
def discrete_tests(draw):
    least = draw(
        st.lists(st.integers(1, 40).map(lambda k: Fraction(k, 40)), min_size=1, max_size=6)
    )
    return [draw(st.fractions(x, 1, max_denominator=80)) for x in least], least


@pytest.mark.slow
@given(case=discrete_tests())
def test_tarone_is_the_least_level_at_which_the_published_procedure_rejects(case):
    pvalues, least = case
    adjusted = adjust_pvalues(pvalues, "tarone", min_attainable=least).adjusted
    m = len(pvalues)
    levels = sorted({min(Fraction(1), k * p) for k in range(1, m + 1) for p in pvalues})
    for i, a in enumerate(adjusted):
        assert a == next((level for level in levels if tarone_rejects(pvalues, least, level)[i]), 1)
    assert all(
        p <= a <= b
        for p, a, b in zip(pvalues, adjusted, adjust_pvalues(pvalues, "bonferroni").adjusted)
    )


@pytest.mark.slow
@given(least=st.lists(st.integers(1, 12), min_size=1, max_size=4), alpha=st.integers(1, 12))
def test_tarone_holds_the_level_exactly(least, alpha):
    """Independent p-values uniform on {k/12, ..., 1}: the probability of any rejection, enumerated, is <= alpha."""

    attainable = [Fraction(x, 12) for x in least]

    def is_rejected(i, p):
        """Whatever the other p-values are, since an adjusted value depends on its own p only."""
        pvalues = [*attainable[:i], Fraction(p, 12), *attainable[i + 1 :]]
        return adjust_pvalues(pvalues, "tarone", min_attainable=attainable).reject(
            Fraction(alpha, 12)
        )[i]

    def none_rejected(i):
        return 1 - Fraction(
            max((p for p in range(least[i], 13) if is_rejected(i, p)), default=0), 12
        )

    assert 1 - prod(map(none_rejected, range(len(least)))) <= Fraction(alpha, 12)


# ----------------------------------------------------------------------------- long numbers, errors


def test_sidak_levels_are_decided_where_no_short_enclosure_can():
    """p of 5,000 digits and a level equal to the adjusted value, one unit below it, and one above."""
    p = Fraction(10**4999 + 7, 10**5003)
    pvalues = [p, Fraction(1, 2), Fraction(1, 3)]
    for method in ("sidak", "holm-sidak"):
        result = adjust_pvalues(pvalues, method)
        (exact_value, *_) = result.adjusted
        tiny = Fraction(1, exact_value.denominator)
        assert result.reject(exact_value) == (True, False, False)
        assert result.reject(exact_value, strict=True) == (False, False, False)
        assert result.reject(exact_value - tiny) == (False, False, False)
        assert result.reject(exact_value + tiny, strict=True) == (True, False, False)
        assert repr(result).startswith("AdjustedPValues(")


def test_equal_powers_of_different_numbers():
    """(1/2)**200 is 2**-200 whichever way it is written: bounds that meet in one point do not part them."""
    result = adjust_pvalues([Fraction(1, 2)] * 200, "sidak")
    level = 1 - Fraction(1, 2**200)
    assert all(result.reject(level)) and not any(result.reject(level, strict=True))


def test_tarone_of_long_pvalues():
    """Numbers that no float can hold, among others that it can."""
    tiny = Fraction(1, 2**3000)
    adjusted = adjust_pvalues([3 * tiny, "0.5"], "tarone", min_attainable=[tiny, "0.5"]).adjusted
    assert adjusted == (3 * tiny, 1)


def test_many_long_dyadic_pvalues():
    """m = 190 with 2**10000 below the line: Sidak powers of 1.9 million bits are compared without being written."""
    pvalues = [Fraction(3**k + 1, 2**10000) + Fraction(k, 1024) for k in range(190)]
    for method in ("sidak", "holm-sidak"):
        result = adjust_pvalues(pvalues, method)
        assert result.reject("0.05") == (True, *(False for _ in range(189)))
    holm = adjust_pvalues(pvalues, "holm").adjusted
    assert (holm[0] == 190 * pvalues[0]) and (holm[1] == 189 * pvalues[1])


def coprime(m, bits):
    """m p-values without a common divisor of their denominators: their common denominator has m times the bits."""
    return [Fraction(1, 2**bits + 2 * k + 1) for k in range(m)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pvalues", "method", "n"),
    [
        (coprime(9000, 9000), "holm", None),
        (coprime(9000, 9000), "fdr_bh", None),
        ([Fraction(1, 2)] * 20, "hommel", 10**9),
        ([Fraction(1, 2)] * 20, "fdr_by", 10**9),
        ([Fraction(1, 2)] * 20, "fdr_by", 10**400),
    ],
)
def test_long_work_is_refused_before_it_starts(pvalues, method, n):
    with pytest.raises(
        BudgetExceeded,
        match=rf"^{method} of {len(pvalues)} p-values, .* would take about .* Instead:",
    ):
        adjust_pvalues(pvalues, method, n=n)


@pytest.mark.slow
def test_powers_are_refused_before_they_are_written_out():
    """Decisions need them less often; the least p-values need an interval beyond their leading zeros."""
    pvalues = [Fraction(2 * k + 1, 2**60000) for k in range(1500)]
    for method in ("sidak", "holm-sidak"):
        with pytest.raises(
            BudgetExceeded,
            match=rf"^{method} of 1500 p-values, with powers of .* Instead: use holm",
        ):
            _ = adjust_pvalues(pvalues, method).adjusted
    assert all(adjust_pvalues(pvalues, "sidak").reject("0.05"))
    with pytest.raises(BudgetExceeded):
        adjust_pvalues(pvalues, "holm-sidak").reject("0.05")
    with pytest.raises(BudgetExceeded, match="about inf hours"):
        _ = adjust_pvalues([Fraction(1, 4)], "sidak", n=10**70).adjusted


def test_a_budget_of_the_caller():
    pvalues = [Fraction(1, 3), Fraction(1, 7)]
    small, large = Budget(seconds=1e-9), Budget(seconds=60)
    for method in ("holm", "hommel", "fdr_by"):
        with pytest.raises(BudgetExceeded, match="the budget is 1e-09 s and 2 GiB"):
            adjust_pvalues(pvalues, method, budget=small)
        assert adjust_pvalues(pvalues, method, budget=large) == adjust_pvalues(pvalues, method)
    powers = adjust_pvalues(coprime(2, 200), "sidak", budget=small)
    assert powers.reject("0.5") == (True, True)
    with pytest.raises(BudgetExceeded):
        _ = powers.adjusted


def test_reading_order_and_empty():
    assert (
        adjust_pvalues([0.1, "1/10", Fraction(1, 10)], "bonferroni").adjusted
        == (Fraction(3, 10),) * 3
    )
    assert adjust_pvalues([], "fdr_by").adjusted == adjust_pvalues([], "sidak").adjusted == ()
    assert (
        AdjustedPValues(pvalues=(Fraction(1, 4),) * 2, method="holm").adjusted
        == (Fraction(1, 2),) * 2
    )
    assert adjust_pvalues([1]).adjusted == (Fraction(1),)
    result = adjust_pvalues([0.5, 0.25])
    assert isinstance(result, AdjustedPValues)
    assert (result.method, result.pvalues) == ("holm", (Fraction(1, 2), Fraction(1, 4)))
    assert all(type(p) is Fraction for p in adjust_pvalues([0, 1], "sidak").adjusted)


NO_NUMBER = "scores are int, bool, Fraction, Decimal, float or text such as '0.93' or '3/7'"
NAMES = "bonferroni, holm, hochberg, hommel, fdr_bh, fdr_by, sidak, holm-sidak, tarone"
INSIDE = "it must lie between 0 and 1"


@pytest.mark.parametrize(
    ("arguments", "options", "error", "text"),
    [
        (([0.5, 1.5],), {}, ExactPermError, f"pvalues[1] is Fraction(3, 2): {INSIDE}"),
        (([-1],), {}, ExactPermError, f"pvalues[0] is -1: {INSIDE}"),
        (([0.5, float("nan")],), {}, ExactPermError, "pvalues[1] is nan: the value is missing"),
        (([0.5, None],), {}, WrongType, "pvalues[1] is None: the value is missing"),
        ((0.5,), {}, WrongType, "pvalues is 0.5: it must be a sequence with one entry per pair"),
        (
            ([0.5], "fdr_tsbh"),
            {},
            ExactPermError,
            f"method is 'fdr_tsbh': it must be one of {NAMES}",
        ),
        (([0.5], 5), {}, ExactPermError, f"method is 5: it must be one of {NAMES}"),
        (([0.5, 0.1], "holm"), {"n": 1}, ExactPermError, "n is 1: it must be at least 2"),
        (([0.5], "holm"), {"n": 2.0}, WrongType, "n is 2.0: it must be an int"),
        (
            ([0.5], "tarone"),
            {"min_attainable": [0.1], "n": 3},
            ExactPermError,
            "min_attainable has 1 entries for 3 tests",
        ),
        (
            ([0.5], "tarone"),
            {},
            ExactPermError,
            "min_attainable is for the method 'tarone', which needs it",
        ),
        (
            ([0.5], "holm"),
            {"min_attainable": [0.1]},
            ExactPermError,
            "min_attainable is for the method 'tarone', which needs it",
        ),
        (
            ([0.5], "tarone"),
            {"min_attainable": [0.1, 0.2]},
            ExactPermError,
            "min_attainable has 2 entries for 1 tests",
        ),
        (
            ([1], "tarone"),
            {"min_attainable": [2]},
            ExactPermError,
            f"min_attainable[0] is 2: {INSIDE}",
        ),
        (
            ([1], "tarone"),
            {"min_attainable": [None]},
            WrongType,
            "min_attainable[0] is None: the value is missing",
        ),
        (
            ([0.5, 0.1], "tarone"),
            {"min_attainable": [0.1, 0.2]},
            ExactPermError,
            "pvalues[1] is Fraction(1, 10), below min_attainable[1], Fraction(1, 5)",
        ),
    ],
)
def test_errors_name_the_place(arguments, options, error, text):
    with pytest.raises(error) as caught:
        adjust_pvalues(*arguments, **options)
    assert str(caught.value) == text


@pytest.mark.parametrize(
    ("alpha", "text"),
    [
        (-1, f"is -1: {INSIDE}"),
        ("1.01", f"is '1.01': {INSIDE}"),
        (float("inf"), "is inf: scores must be finite"),
    ],
)
def test_level_must_be_a_probability(alpha, text):
    with pytest.raises(ExactPermError) as caught:
        adjust_pvalues([0.5]).reject(alpha)
    assert str(caught.value) == f"alpha {text}"


def test_strict_is_a_flag():
    with pytest.raises(WrongType) as caught:
        adjust_pvalues([0.5]).reject("0.05", strict="no")
    assert str(caught.value) == "strict is 'no': it must be True or False"


def test_adjusted_pvalues_are_a_sequence():
    found = adjust_pvalues(["0.01", "0.04"], "holm")
    assert (list(found), len(found)) == ([Fraction(1, 50), Fraction(1, 25)], 2)
