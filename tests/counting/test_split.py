"""What a split is expected to cost, against what it does: terms, steps, digits and memory, each counted by itself."""

from __future__ import annotations

import math
import random
from collections import deque
from itertools import accumulate

import pytest

from exactperm.counting import recurrence, split
from exactperm.counting.terms import Terms, equation
from exactperm.swaps.units import degree
from memory import peak_of

# like token counts of 1,000 sentences
TOKENS = {1: 336, 2: 160, 3: 65, 4: 46, 5: 11, 6: 8, 7: 3, 8: 2, 9: 1}
FEW = [
    {1: 900},
    {1: 500, 2: 500},
    TOKENS,
    {1: 3000, 7: 1000, 20: 30},
    dict.fromkeys(range(1, 60), 5),
]
SPLITS = [
    ({1: 336, 2: 160}, {3: 65, 4: 46, 5: 11, 6: 8}),  # a long R, by the recurrence
    ({1: 900, 2: 500}, {5: 30, 9: 20}),  # a short one, packed
    ({1: 30}, {2: 200, 7: 60}),
    ({1: 70, 2: 60, 3: 50, 4: 40}, {11: 20}),
    ({3: 50, 8: 20}, {}),
    ({1: 200, 300: 40, 301: 30}, {2: 40}),  # a W with many last values
    ({1: 30}, {2: 2000}),  # an R with long sums
]
WAYS = [(of_w, of_r, share) for of_w, of_r in SPLITS for share in (0.03, 0.2, 0.49)]


def digits(numbers):
    """Digits of 30 bits in all."""
    return sum(number.bit_length() for number in numbers) / 30


def units(monkeypatch, **costs):
    """Costs in which one kind of work counts 1 and the others nothing, whatever was measured; no blocks at first."""
    nothing = (
        "START TERM TERM_DIGIT STEP STEP_DIGIT UNROLLED PACKED PACKED_SLOT WEIGHT WEIGHT_DIGIT PRODUCT PRODUCT_DIGITS "
        "FOLD_DIGIT DIVISION_DIGITS"
    )
    for name in nothing.split():
        monkeypatch.setattr(split, f"_SECONDS_{name}", costs.get(name, 0))
    monkeypatch.setattr(split, "_SECONDS_FOLD", costs.get("FOLD", 1e99))


# ----------------------------------------------------------------------------------- the recurrence


@pytest.mark.parametrize("tally", FEW)
@pytest.mark.parametrize("share", [0.1, 0.2, 0.5])
def test_terms_steps_and_digits_of_the_recurrence(tally, share, monkeypatch):
    length = int(degree(tally) * share) + 1
    made = recurrence.prefix_counts(tally, length - 1)
    steps = sum(d <= n for d in tally for n in range(length))

    def seconds(**costs):
        units(monkeypatch, **costs)
        return split.recurrence_cost(list(tally), sum(tally.values()), degree(tally), length)[0]

    assert seconds(TERM=1) == length
    assert seconds(STEP=1) == steps
    assert seconds(UNROLLED=1) == 0
    mean = seconds(TERM_DIGIT=1) / length
    assert 0.65 < mean * length / digits(made) < 1.3
    assert seconds(STEP_DIGIT=1) == pytest.approx(seconds(STEP=1) * mean)
    longest = split.recurrence_cost(list(tally), sum(tally.values()), degree(tally), length)[2]
    assert 0.75 < longest / digits([max(made)]) < 1.25


def test_steps_of_the_unrolled_recurrence(monkeypatch):
    units(monkeypatch, UNROLLED=1)
    assert split.recurrence_cost([2, 1, 4, 3], 40, 100, 30)[0] == 4 * 30 - 10
    assert split.recurrence_cost([1, 2, 3, 5], 40, 100, 30)[0] == 0
    assert split.recurrence_cost([1, 2, 3], 40, 100, 30)[0] == 0
    units(monkeypatch, STEP=1)
    assert split.recurrence_cost([1, 2, 3, 4], 40, 100, 30)[0] == 0
    assert split.recurrence_cost([1, 2, 3, 5], 40, 100, 30)[0] == 4 * 30 - 11
    assert split.recurrence_cost([1, 29, 30, 31], 40, 2000, 30)[0] == 29 + 1, (
        "a difference comes in where it is reached"
    )
    assert split.recurrence_cost([], 0, 0, 1)[0] == 0


@pytest.mark.parametrize(
    "tally", [*FEW[:3], dict.fromkeys(range(1, 30), 9), {1: 2000, 900: 20, 1000: 20}]
)
def test_memory_of_the_recurrence(tally):
    length = degree(tally) // 2
    _seconds, kept, longest = split.recurrence_cost(
        list(tally), sum(tally.values()), degree(tally), length
    )
    peak = peak_of(lambda: deque(Terms(tally, lambda units: None).pieces(length), 0))
    expected = kept + 256 * (36 + 4.3 * longest)
    assert expected / 3 < peak < 2.2 * expected


# --------------------------------------------------------------------------------- one way to split


@pytest.fixture(name="work")
def _work(monkeypatch):
    """What a count by a split did: the sums of R, whether R was packed, and the weights of the dot product."""
    done = {"sums": [], "packed": False, "weights": [], "folded": 0}
    sums, packed, dot, folded = split._sums, split.expanded, split._dot, split.folded

    def watched_sums(*asked):
        done["sums"] = sums(*asked)
        return done["sums"]

    def watched_packed(*asked):
        done["packed"] = True
        return packed(*asked)

    def watched_dot(tally, counts, weights, block):
        done["weights"] = weights
        return dot(tally, counts, weights, block)

    def watched_folded(*asked):
        done["folded"] += 1
        return folded(*asked)

    for name, watched in (
        ("_sums", watched_sums),
        ("expanded", watched_packed),
        ("_dot", watched_dot),
        ("folded", watched_folded),
    ):
        monkeypatch.setattr(split, name, watched)
    return done


def expected(of_w, of_r, k):
    return split._expected(
        *(
            (list(p), sum(p.values()), degree(p), math.prod(c + 1 for c in p.values()))
            for p in (of_w, of_r)
        ),
        k,
    )


@pytest.mark.parametrize(("of_w", "of_r", "share"), WAYS)
def test_estimate_of_a_split_counts_what_it_does(of_w, of_r, share, work, monkeypatch):
    k = int(share * (degree(of_w) + degree(of_r)))
    split.count_at_most(of_w, of_r, k, 0)

    def seconds(**costs):
        units(monkeypatch, **costs)
        return expected(of_w, of_r, k)[0]

    assert seconds(START=1) == 1
    assert seconds(WEIGHT=1) == len(work["sums"])
    assert seconds(WEIGHT_DIGIT=1) <= 1.001 * len(work["sums"]) * sum(of_r.values()) / 30
    assert seconds(WEIGHT_DIGIT=1) >= digits(work["sums"]) * 0.95 - len(work["sums"]) / 30
    assert seconds(PRODUCT=1) == pytest.approx(len(work["weights"]), abs=1), (
        "the middle term comes after them"
    )
    pairs = [d for d, c in of_r.items() for _ in range(c)]
    assert seconds(PACKED=1) == (len(pairs) if work["packed"] else 0)
    slots = sum(accumulate(pairs))
    assert (
        slots <= seconds(PACKED_SLOT=1) <= 2.5 * slots
        if work["packed"]
        else seconds(PACKED_SLOT=1) == 0
    )
    made = max(1, k if 2 * k < degree(of_w) else degree(of_w) // 2) + 1
    by_recurrence = 0 if work["packed"] else min(len(work["sums"]), degree(of_r) // 2 + 1)
    assert seconds(TERM=1) == made + by_recurrence
    longest = max(recurrence.prefix_counts(of_w, made - 1)).bit_length() / 30
    weight = sum(of_r.values()) / 30 + 1
    assert seconds(PRODUCT_DIGITS=1) <= 1.3 * len(work["weights"]) * longest * weight + 4
    assert seconds(PRODUCT_DIGITS=1) >= 0.4 * (len(work["weights"]) - 1) * longest * digits(
        work["sums"][-1:]
    )


@pytest.mark.parametrize(("of_w", "of_r", "share"), WAYS)
@pytest.mark.parametrize("block", [0, 20])
def test_memory_of_a_split(of_w, of_r, share, block):
    k = int(share * (degree(of_w) + degree(of_r)))
    size = expected(of_w, of_r, k)[1]
    assert isinstance(size, int)
    peak = peak_of(lambda: split.count_at_most(of_w, of_r, k, block))
    assert size / 5 < peak + 2000 < 2 * size + 12_000


@pytest.mark.parametrize("k", [100, 500])
def test_blocks_are_folded_where_they_are_asked_for(k, work):
    # Below and above the middle of W: two forms of the count.
    of_w, of_r = {1: 336, 2: 160}, {3: 65, 4: 46, 5: 11, 6: 8}
    plain = split.count_at_most(of_w, of_r, k, 0)
    assert not work["folded"]
    assert hex(split.count_at_most(of_w, of_r, k, 30)) == hex(plain)
    assert work["folded"] == math.ceil(len(work["weights"][: None if k == 500 else -1]) / 30)


@pytest.mark.parametrize("k", [30, 500, 590])
def test_the_cost_of_the_choice_is_that_of_its_parts(k):
    chosen = split.cheapest(TOKENS, k)
    cost = expected(chosen.frequent, chosen.rest, k)
    assert (chosen.seconds, chosen.bytes, chosen.block) == cost
    order = list(TOKENS)  # the most frequent differences are the smallest
    for size in range(1, 10):
        of_w, of_r = ({d: TOKENS[d] for d in part} for part in (order[:size], order[size:]))
        if size in split._SIZES or size == 9:
            assert expected(of_w, of_r, k)[0] >= cost[0]


@pytest.mark.parametrize(
    "tally",
    [{}, {1: 1}, {2: 1}, {1: 2}, {3: 1}, {1: 3, 2: 1}, {1: 60, 3: 4}, {1: 60, 3: 5}, {5: 70}],
)
def test_sums_of_the_rest(tally):
    # Short of the middle, past it, and beyond all of them; packed up to 64 pairs where most of them
    # are wanted.
    reach = degree(tally)
    sums = list(accumulate(recurrence.prefix_counts(tally, reach + 3)))
    for length in {
        *range(min(5, reach)),
        reach // 2,
        reach // 2 + 1,
        reach // 2 + 2,
        *range(reach, reach + 4),
    }:
        assert split._sums(tally, reach, length, lambda units: None) == sums[:length]


# ------------------------------------------------------------------------------------------- blocks


@pytest.mark.parametrize("order", [1, 5, 90])
@pytest.mark.parametrize("stop", [1, 900, 10**8])
def test_a_block_has_terms(order, stop):
    for long in (0.1, 2, 1e3, 1e6):
        for short in (0, 1, 1e3):
            block, term = split._best_block(order, stop, long, short)
            assert block >= 1
            assert term > 0


def folds(of_w, start, weights, block):
    """Digits met for each term of one block: in combinations, weight times denominator, its end, its division."""
    law = equation(of_w)
    counts = recurrence.prefix_counts(of_w, start)
    combined = products = 0.0
    for n in range(1, block + 1):
        combination, denominator = split.folded(law, start + block - n, weights[:n])
        combined += digits(map(abs, combination))
        products += digits([denominator]) * digits(weights[:1])
    last = counts[start - len(law) : start][::-1]
    for c, count in zip(combination, last):
        products += digits([abs(c)]) * digits([count])
    division = digits([denominator]) * digits(last[:1])
    return combined / block, products / block, division / block


@pytest.mark.parametrize("of_w", [{1: 5000}, {1: 5000, 2: 2000, 4: 900}])
@pytest.mark.parametrize("pairs", [300, 900])
def test_work_of_a_block(of_w, pairs, monkeypatch):
    stop = degree(of_w) // 3
    rng = random.Random(pairs)
    weights = [1 << pairs | rng.getrandbits(pairs) for _ in range(300)]
    order, long = sum(of_w), digits(recurrence.prefix_counts(of_w, stop)[-1:])

    def choice(**costs):
        units(monkeypatch, **costs)
        return split._best_block(order, stop, long, pairs / 30)

    block, term = choice(FOLD=1, FOLD_DIGIT=1e-9)
    assert term == pytest.approx(order, rel=1e-3)
    tried = {size: folds(of_w, stop, weights, size) for size in (8, 16, 32, 64, 128)}
    for costs in ((1, 1), (3, 1), (1, 3)):
        block, term = choice(
            FOLD=0, FOLD_DIGIT=costs[0], PRODUCT_DIGITS=costs[1], DIVISION_DIGITS=1
        )
        combined, products, division = folds(of_w, stop, weights, min(block, 300))
        real = combined * costs[0] + products * costs[1] + division
        assert term == pytest.approx(real, rel=0.07)
        assert real < 1.02 * min(c * costs[0] + p * costs[1] + d for c, p, d in tried.values())
