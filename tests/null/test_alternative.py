"""The four words of ``alternative``, against their definitions on a list of all values."""

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import brute
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

sums = st.lists(st.integers(0, 4), min_size=0, max_size=6)
words = st.sampled_from(ALTERNATIVES)


def values(differences):
    """The sums of all subsets."""
    return [
        (sum(differences) + t) // 2
        for t in brute.values(differences, [0] * len(differences), brute.sum_of_differences)
    ]


@pytest.mark.slow
@given(sums, st.integers(0, 40), words)
def test_the_fold_of_a_symmetric_sum(differences, position, alternative):
    sample, span = values(differences), sum(differences)
    x = sorted(sample)[position % len(sample)]
    k, factor = fold(alternative, x, span)
    weak = factor * sum(y <= k for y in sample)
    assert (k >= span) <= (weak == len(sample))
    below, factor = fold(alternative, x, span, strict=True)
    counts = (sum(y <= k for y in sample) for k in (below + 1, below))
    found = extremes(alternative, len(sample), factor, *counts)
    assert brute.shares(found) == brute.tails(sample, x, alternative)
    assert min(weak, len(sample)) == found.count

    # With the sign of X - D/2 turned, both calls name the same tail.
    factor, (low, high) = tail_ends(alternative, x, lambda: span - x, symmetric=True)
    mass = sum(y <= low for y in sample) if high is None else sum(y >= high for y in sample)
    assert min(len(sample), factor * mass) == found.count


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
