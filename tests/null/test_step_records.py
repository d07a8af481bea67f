"""Records of tests of several runs: written, read, counted again; and what is no record."""

import copy
import json
import pickle
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaint import complaint
from exactperm import (
    PermutationTestResult,
    mann_whitney_test,
    permutation_test,
    permutation_test_runs,
)
from exactperm.errors import ExactPermError
from exactperm.null.alternative import ALTERNATIVES
from exactperm.null.sentence import read_sentence
from exactperm.swaps.metrics import mean_difference
from exactperm.swaps.runs import DESIGNS

U, V = [[1, 1, 0], [1, 1, 1], [0, 1, 1], [2, 2, 2]], [[0, 0], [0, 1], [0, 0], [2, 2]]
rows = st.lists(st.integers(0, 3), min_size=2, max_size=2)
items = st.lists(st.tuples(rows, rows), min_size=1, max_size=4)


@given(items, st.sampled_from(ALTERNATIVES), st.sampled_from(sorted(DESIGNS)))
def test_writing_and_reading_are_inverse(items, alternative, design):
    u, v = zip(*items)
    result = permutation_test_runs(u, v, design=design, alternative=alternative)
    record = result.to_dict()
    again = PermutationTestResult.from_dict(json.loads(json.dumps(record)))
    assert again == result == pickle.loads(pickle.dumps(result))
    assert again.to_dict() == record
    assert again.recount() == result
    assert (again.pvalue, again.midp, again.total) == (result.pvalue, result.midp, result.total)
    sentence = result.sentence()
    assert read_sentence(str(sentence)) == sentence
    assert (sentence.design, sentence.n) == (design, len(u))


def test_the_agreed_form():
    record = permutation_test_runs(
        [[1, 1], [0, 1], [1]], [[0], [0], [1]], design="within"
    ).to_dict()
    assert record["swaps"] == {
        "steps": [[[["0", "1"], ["1", "2"]], 1], [[["0", "2"], ["1", "1"]], 1]],
        "ties": 1,
        "low": "-1/2",
        "unit": "1/2",
        "observed": "2",
        "common": "2",
    }
    told = {
        name: record[name] for name in ("total", "count", "design", "n", "n_units", "n_nonzero")
    }
    assert told == {
        "total": "18",
        "count": "8",
        "design": "within",
        "n": 3,
        "n_units": 3,
        "n_nonzero": 2,
    }


def test_blocks_that_are_swapped_have_a_tally():
    record = permutation_test_runs(U, V, design="items").to_dict()
    assert (record["total"], record["design"]) == ("2^4", "items")
    assert "tally" in record["swaps"]


def test_a_long_total_is_any_text_of_the_same_integer():
    u, v = [[1, 0, 1]] * 700, [[0, 1, 0]] * 700
    result = permutation_test_runs(u, v, design="within")
    record = result.to_dict()
    assert record["total"] == hex(20**700)
    assert (
        PermutationTestResult.from_dict({**record, "total": "0x0" + record["total"][2:]}) == result
    )
    assert "must be the total over" in complaint(
        ExactPermError, lambda: PermutationTestResult.from_dict({**record, "total": hex(20**699)})
    )


def test_one_run_each_is_the_paired_test_to_the_byte():
    a, b = [1, 2, 3.5, 0, "1/3"], [0, 2.25, 1, 0, 2]
    for weights in (None, [1, "1/3", 2, 1, 1]):
        pairs = permutation_test(a, b, statistic=mean_difference, weights=weights)
        for design in ("within", "items"):
            runs = permutation_test_runs(
                [[x] for x in a], [[x] for x in b], design=design, weights=weights
            )
            assert json.dumps(runs.to_dict()) == json.dumps(pairs.to_dict())
            assert (repr(runs), str(runs), str(runs.sentence())) == (
                repr(pairs),
                str(pairs),
                str(pairs.sentence()),
            )


@pytest.mark.parametrize(
    ("place", "value", "told"),
    [
        (
            ["design"],
            "systems",
            "design of the record is 'systems': its swaps are of another design",
        ),
        (["design"], "items", "design of the record is 'items': its swaps are of another design"),
        (
            ["design"],
            ["within"],
            "design of the record is ['within']: its swaps are of another design",
        ),
        (
            ["total"],
            "100",
            "total of the record is '100': it must be the number of labelings of its steps",
        ),
        (
            ["total"],
            "2000",
            "common of the record is '20': it must be the total over that of the steps",
        ),
        (["count"], "10001", "count of the record is '10001': it must be at most the total"),
        (["count"], "11", "count of the record is '11': it must be a multiple of the assign"),
        (["count"], "20", "pvalue of the record is '9/250': its other fields give '1/500'"),
        (["n_units"], 3, "steps of the record is [[[['0', '1'], ['1', '6'],"),
        (["n"], 5, "design of the record is 'within': its swaps are of another design"),
        (
            ["swaps", "common"],
            "10",
            "common of the record is '10': it must be the total over that of the steps",
        ),
        (["swaps", "low"], "-1", "low of the record is '-1': the mean of the statistic must be 0"),
        (["swaps", "unit"], "0", "unit of the record is '0': it must be above 0"),
        (
            ["swaps", "observed"],
            "99",
            "observed of the record is '99': it must be at most the sum of the steps",
        ),
        (["swaps", "ties"], 5, "ties of the record is 5: it must be an integer, between 0 and 4"),
        (["swaps", "steps", 0], [], "steps[0] of the record is []: it must be [terms, number]"),
        (
            ["swaps", "steps", 0, 0, 0],
            ["0"],
            "steps[0][0] of the record is ['0']: it must be a list of terms",
        ),
        (
            ["swaps", "steps", 0, 0, 0, 0],
            "1",
            "steps[0][1] of the record is '1': it must be an integer, at least 2",
        ),
        (
            ["swaps", "steps", 0, 0, 0, 1],
            "0",
            "steps[0][0] of the record is '0': it must be an integer, at least 1",
        ),
        (
            ["swaps", "steps", 0, 0],
            [["0", "1"]],
            "steps[0] of the record is [['0', '1']]: it must have two terms or m",
        ),
        (
            ["swaps", "steps", 0, 1],
            0,
            "steps[0] of the record is 0: it must be an integer, at least 1",
        ),
    ],
)
def test_anything_else_is_refused(place, value, told):
    data = copy.deepcopy(
        permutation_test_runs(U, V, design="within", alternative="greater").to_dict()
    )
    inner = data
    for name in place[:-1]:
        inner = inner[name]
    inner[place[-1]] = value
    assert (
        complaint(ExactPermError, lambda: PermutationTestResult.from_dict(data))[: len(told)]
        == told
    )


def test_types_of_steps_ascend_and_have_no_common_divisor():
    data = permutation_test_runs([[1], [2]], [[0, 0], [0, 0]], design="within").to_dict()
    types = data["swaps"]["steps"]
    assert len(types) == 2
    data["swaps"]["steps"] = types[::-1]
    assert "steps must ascend" in complaint(
        ExactPermError, lambda: PermutationTestResult.from_dict(data)
    )
    doubled = [[[[str(2 * int(a)), g] for a, g in terms], count] for terms, count in types]
    data["swaps"] = {**data["swaps"], "steps": doubled, "unit": "1/4", "observed": "6"}
    assert "no common divisor" in complaint(
        ExactPermError, lambda: PermutationTestResult.from_dict(data)
    )


def test_other_designs_of_a_tally_are_refused():
    data = permutation_test_runs(U, V, design="items").to_dict()
    told = complaint(
        ExactPermError, lambda: PermutationTestResult.from_dict({**data, "design": "within"})
    )
    assert told == "design of the record is 'within': its swaps are of another design"


def test_counting_again_finds_an_observed_sum_that_no_labeling_has():
    data = permutation_test_runs(
        [[4, 0]], [[0, 0, 0]], design="within", alternative="greater"
    ).to_dict()
    assert data["swaps"]["steps"] == [[[["0", "3"], ["1", "2"]], 1]]
    result = PermutationTestResult.from_dict(data)
    assert result.recount() == result
    three = permutation_test_runs(
        [[0, 1, 3]], [[0, 0, 0]], design="within", alternative="greater"
    ).to_dict()
    values = [int(value) for value, _weight in three["swaps"]["steps"][0][0]]
    assert values == [0, 1, 3, 4]
    three["swaps"]["observed"], three["statistic"] = "2", "0"
    three["count"] = "10"
    three.update(
        {
            "pvalue": "1/2",
            "pvalue_decimal": "0.50000000000000000",
            "log10_pvalue": -0.3010299956639812,
        }
    )
    forged = PermutationTestResult.from_dict(three)
    assert "no units have this sum" in complaint(ExactPermError, forged.recount)


def test_how_results_look():
    within = permutation_test_runs(U, V, design="within")
    assert within.rows()[1] == ("assignments", f"{within.count} of 10000 at least as extreme")
    assert within.rows()[-2:] == (
        ("items", "4, 1 tied"),
        ("design", "within: all runs of an item are exchangeable"),
    )
    assert within.heading == "Exact permutation test of several runs, two-sided"
    assert "design='within'" in repr(within)
    systems = permutation_test_runs(U, V, design="systems")
    assert systems.rows()[-2] == ("items", "4")
    assert systems.total == 10
    assert "10 " in systems._repr_html_()
    assert Fraction(within.count, 10**4) == within.pvalue


POOL = mann_whitney_test([3, 5, 5, 9], [1, 5, 2])


def test_a_pool_is_read_as_it_was_written():
    record = POOL.to_dict()
    assert record["swaps"] == {
        "pool": [["0", 1], ["1", 1], ["2", 1], ["4", 3], ["6", 1]],
        "chosen": 4,
        "ties": 0,
        "low": "1",
        "unit": "1",
        "observed": "9",
    }
    assert (record["design"], record["n"], record["n_units"]) == ("samples", 7, 1)
    assert PermutationTestResult.from_dict(json.loads(json.dumps(record))).recount() == POOL


@pytest.mark.parametrize(
    ("place", "value", "told"),
    [
        (["swaps", "pool"], [], "pool of the record is []: it must have n values"),
        (["swaps", "pool"], [["0", 3], ["2", 4]], "it must have n values"),
        (["swaps", "pool"], [["1", 3], ["2", 4]], "it must have n values"),
        (["swaps", "pool"], [["0", 3], ["0", 4]], "pool[1] of the record is '0'"),
        (["swaps", "pool"], [["0", 8]], "pool[0] of the record is 8"),
        (["swaps", "pool"], [["0"]], "pool[0] of the record is ['0']"),
        (["swaps", "chosen"], 7, "chosen of the record is 7"),
        (["swaps", "unit"], "0", "unit of the record is '0'"),
        (["swaps", "observed"], "99", "observed of the record is '99'"),
        (["n_units"], 2, "n_units of the record is 2"),
        (["design"], "steps", "its swaps are of another design"),
        (["design"], "items", "another design"),
        (["count"], "36", "count of the record is '36': it must be at most the total"),
    ],
)
def test_a_pool_with_another_field_is_refused(place, value, told):
    record = copy.deepcopy(POOL.to_dict())
    inner = record
    for name in place[:-1]:
        inner = inner[name]
    inner[place[-1]] = value
    assert told in complaint(ExactPermError, lambda: PermutationTestResult.from_dict(record))
