"""The four words of ``alternative``, against their definitions on a list of all values."""

import ast
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactperm
from complaint import Several, complaint
from exactperm.errors import ExactPermError, WrongType
from exactperm.null.alternative import (
    ALTERNATIVES,
    check_alternative,
    extremes,
    fold,
    sides,
    tail_ends,
)
from exactperm.null.distribution import NullDistribution

samples = st.lists(st.integers(-4, 4), min_size=1, max_size=9)
sums = st.lists(st.integers(0, 4), min_size=0, max_size=6)
words = st.sampled_from(ALTERNATIVES)


def values(differences):
    """The sums of all subsets."""
    found = [0]
    for d in differences:
        found += [x + d for x in found]
    return found


def share(sample, holds):
    return Fraction(sum(map(holds, sample)), len(sample))


def by_definition(sample, t, alternative, boundary):
    """The p-value with the boundary included (">="), left out (">"), or half of it ("mid")."""
    weight = {">=": Fraction(1), ">": Fraction(0), "mid": Fraction(1, 2)}[boundary]
    centre = Fraction(sum(sample), len(sample))

    def beyond(size):
        return share(sample, lambda x: size(x) > size(t)) + weight * share(
            sample, lambda x: size(x) == size(t)
        )

    greater, less = beyond(lambda x: x), beyond(lambda x: -x)
    return {
        "greater": greater,
        "less": less,
        "two-sided": beyond(lambda x: abs(x - centre)),
        "doubled": min(Fraction(1), 2 * min(greater, less)),
    }[alternative]


def parts(found):
    """The three p-values of the parts of one."""
    return {
        ">=": Fraction(found.count, found.total),
        ">": Fraction(found.more, found.total),
        "mid": Fraction(found.halves, 2 * found.total),
    }


@pytest.mark.slow
@given(sums, st.integers(0, 40), words)
def test_the_fold_of_a_symmetric_sum(differences, position, alternative):
    sample, span = values(differences), sum(differences)
    x = sorted(sample)[position % len(sample)]
    k, factor = fold(alternative, x, span)
    weak = factor * sum(y <= k for y in sample)
    assert Fraction(weak, len(sample)) == by_definition(sample, x, alternative, ">=")
    assert (k >= span) <= (weak == len(sample))
    below, factor = fold(alternative, x, span, strict=True)
    counts = (sum(y <= k for y in sample) for k in (below + 1, below))
    found = extremes(alternative, len(sample), factor, *counts)
    assert parts(found) == {
        boundary: by_definition(sample, x, alternative, boundary) for boundary in (">=", ">", "mid")
    }


@pytest.mark.slow
@given(samples, st.integers(0, 8), words)
def test_the_tails_of_any_distribution(sample, position, alternative):
    null = NullDistribution.of(Counter(sample))
    t = sample[position % len(sample)]
    found = null.extremes(t, alternative)
    assert found.total == len(sample)
    assert parts(found) == {
        boundary: by_definition(sample, t, alternative, boundary) for boundary in (">=", ">", "mid")
    }
    low, high = null.extreme_region(t, alternative)
    mass = sum((low is not None and x <= low) or (high is not None and x >= high) for x in sample)
    assert found.count == (min(len(sample), 2 * mass) if alternative == "doubled" else mass)


@pytest.mark.slow
@given(sums, st.integers(0, 40), words)
def test_one_tail_is_enough_of_a_symmetric_distribution(differences, position, alternative):
    """With the sign of X - D/2 turned, both calls name the same tail."""
    sample, span = values(differences), sum(differences)
    x = sorted(sample)[position % len(sample)]
    factor, (low, high) = tail_ends(alternative, x, lambda: span - x, symmetric=True)
    mass = sum(y <= low for y in sample) if high is None else sum(y >= high for y in sample)
    assert Fraction(min(len(sample), factor * mass), len(sample)) == by_definition(
        sample, x, alternative, ">="
    )


@given(sums, st.integers(0, 40))
def test_two_sided_and_doubled_agree_where_the_distribution_is_symmetric(differences, position):
    """And their mid-p values do, but at the centre."""
    sample = values(differences)
    null = NullDistribution.of(Counter(sample))
    t = sample[position % len(sample)]
    two, twice = (null.extremes(t, alternative) for alternative in ("two-sided", "doubled"))
    assert (two.count, two.more) == (twice.count, twice.more)
    if 2 * t == sum(differences):
        assert Fraction(two.halves, 2 * two.total) == 1 - null.pmf(t) / 2
        assert Fraction(twice.halves, 2 * twice.total) == 1
    else:
        assert two == twice


def test_the_mirror_image_is_asked_for_only_where_it_matters():
    def refused():
        raise AssertionError

    for alternative in ("greater", "less", "doubled"):
        tail_ends(alternative, 1, refused)


@pytest.mark.parametrize("check", [check_alternative, sides, lambda word: fold(word, 0, 1)])
def test_other_values_are_refused(check):
    for value in ("bigger", "", None, 1, Several()):
        told = complaint(
            ExactPermError if isinstance(value, str) else WrongType,
            lambda value=value: check(value),
        )
        assert told.startswith(f"alternative is {value!r}: ")


@pytest.mark.slow
def test_no_other_module_decodes_the_words():
    """Only auditing does too: it reads p-values of any convention, "min" and "2min" among them."""
    package = Path(exactperm.__file__).parent
    spelled = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value == "doubled"
    }
    others = {
        name
        for name in spelled
        if not name.startswith("auditing/") and not name.startswith("certificates/verif")
    }
    assert others == {"null/alternative.py"}  # the verifier imports nothing of ours
