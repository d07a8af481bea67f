"""Records: written, read, counted again; and what is no record."""

import json
import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaint import changed, complaint, forged
from exactperm import (
    FloatResult,
    PermutationTestResult,
    fast_permutation_test_runs,
    fast_sign_flip_test,
    mann_whitney_test,
    permutation_test,
    permutation_test_runs,
    sign_flip_test,
    sum_test,
    two_sample_test,
)
from exactperm.errors import ExactPermError
from exactperm.null.alternative import ALTERNATIVES
from exactperm.null.sentence import read_sentence
from exactperm.swaps.metrics import mean_difference
from exactperm.swaps.runs import DESIGNS

U, V = [[1, 1, 0], [1, 1, 1], [0, 1, 1], [2, 2, 2]], [[0, 0], [0, 1], [0, 0], [2, 2]]
rows = st.lists(st.integers(0, 3), min_size=2, max_size=2)
items = st.lists(st.tuples(rows, rows), min_size=1, max_size=4)


@pytest.mark.slow
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


def test_totals_are_checked():
    u, v = [[1, 0, 1]] * 700, [[0, 1, 0]] * 700
    record = permutation_test_runs(u, v, design="within").to_dict()
    assert record["total"] == hex(20**700)
    for wrong in (20**699, 20**699 * 40, 20**700 + 1):
        assert refused(record, ("total", json.dumps(hex(wrong))))[0] in ("total", "pvalue")
    pairs = sign_flip_test([3, 1, 2, 5, -4])
    assert PermutationTestResult.from_dict({**pairs.to_dict(), "total": "32"}) == pairs


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


def refused(record, *changes):
    """The field that the refusal of a record names first, and the rule that it breaks."""
    for place, value in changes:
        record = changed(record, place, value)
    kind = FloatResult if "bracket" in record else PermutationTestResult
    told = complaint(ExactPermError, lambda: kind.from_dict(record))
    name, _, rule = told.partition(" of the record is ")
    return name, rule.rpartition(": ")[2]


def check_rows(record, rows):
    """Each row: place of the other value | that value | field that is named | how the rule begins, as it is unless told."""
    for row in rows.strip().splitlines():
        place, value, name, rule = [*row.split(" | "), "its other fields give"][:4]
        told = refused(record, (place, value))
        assert (told[0], told[1][: len(rule)] or "-") == (name, rule), row


PAIRS = """
statistic_name | 1 | statistic_name | it must be text
version | 2 | version | it must be text
format | 1 | format | it must be an integer, between 2 and 2
claim | "claimed" | claim
count | "9" | count | it must be at most the total
count | "0" | count | it must be an integer, at least 1
count | "1/2" | count | it must be an integer, at least 1
count | null | count | it must be an integer, at least 1
count | "x" | count | it must be an integer, at least 1
count | "02" | count
count | "3" | pvalue
total | "2^4" | total
total | "2^003" | total
total | "16" | total
total | null | total
n | 2 | n_units | it must be an integer, between 0 and 2
n | true | n | it must be an integer, between 0 and 4611686018427387904
n | 4611686018427387905 | n | it must be an integer, between 0 and
n | "3" | n
n_units | 1000000000000 | n_units | it must be an integer, between 0 and 3
n_units | 2 | tally | it must have n_units - ties units
n_nonzero | 2 | n_nonzero
pvalue | "11.5" | pvalue | it must be count / total
pvalue | 11.5 | pvalue | it must be count / total
pvalue | "x/4" | pvalue
pvalue | "2/8" | pvalue
pvalue_decimal | "0.25" | pvalue_decimal
log10_pvalue | -0.5 | log10_pvalue
log10_pvalue | null | log10_pvalue
statistic | "5" | statistic
statistic | 6 | statistic
method | "magic" | method is 'magic': it must be one of auto, recurrence, packed, ntt, meet-in-the-middle, dp, enumeration | -
alternative | "both" | alternative is 'both': it must be one of two-sided, greater, less, doubled | -
swaps | {} | the record has no tally: it is no record of a test result | -
swaps | 3 | the record is 3: a record of a test result is a mapping | -
swaps.tally | 3 | tally | it must be a list
swaps.tally.0 | ["1", 1, 2] | tally[0] | it must have 2 entries
swaps.tally | [["2", 1], ["1", 1], ["3", 1]] | tally
swaps.tally.0.0 | "0" | tally[0][0] | it must be an integer, at least 1
swaps.tally.0.1 | 0 | tally[0][1] | it must be an integer, between 1
swaps.tally.0.1 | true | tally[0][1] | it must be an integer, between 1
swaps.tally | [["1", 4]] | tally | it must have n_units - ties units
swaps.tally | [["2", 3]] | tally | it must be in canonical form
swaps.tally.0.0 | 1 | tally
swaps.ties | 2 | tally | it must have n_units - ties units
swaps.unit | "-1" | unit | it must be above 0
swaps.unit | "4/2" | unit
swaps.unit | "x" | unit | it must be the text of an exact number
swaps.observed | "7" | observed | it must be at most the sum of the tally
swaps.observed | "2" | statistic
swaps.low | "1" | statistic
"""


def test_records_of_pairs():
    check_rows(sign_flip_test([1, 2, 3]).to_dict(), PAIRS)
    giant = [(name, "1000000000000") for name in ("n", "n_units", "swaps.ties")]
    told = refused(sign_flip_test([1]).to_dict(), *giant, ("swaps.ties", "999999999999"))
    assert told == ("pvalue", "it must be count / total")
    check_names(PermutationTestResult, sign_flip_test([1, 2, 3]), "swaps")


def check_names(kind, result, *spare):
    """Every field is needed, but for the spare ones."""
    record = result.to_dict()
    for name in record.keys() - {*spare}:
        data = {key: value for key, value in record.items() if key != name}
        message = complaint(ExactPermError, lambda data=data: kind.from_dict(data))
        assert message.startswith(f"the record has no {name}: it is no record of a ")


BRACKET = """
bracket | "1" | bracket | it must be a list
bracket | [1] | bracket | it must have 3 entries
bracket.0 | "x" | bracket[0] | it must be an integer, at least 0
bracket.0 | null | bracket[0] | it must be an integer, at least 0
bracket.0 | "-9" | bracket[0] | it must be an integer, at least 0
bracket.0 | "1/2" | bracket[0] | it must be an integer, at least 0
bracket | ["0", "0", -4] | bracket[1] | it must be an integer, at least 1
bracket | ["3", "2", -3] | bracket[1] | it must be at least the lower end
bracket | ["3", "9", -3] | bracket | it must be at most 1
bracket.2 | 1 | bracket[2] | it must be an integer, between -4611686018427387904 and 0
bracket.2 | -1000000000000000000000000000000 | bracket[2] | it must be an integer, between
bracket.2 | -1.5 | bracket[2] | it must be an integer, between
digits | 51 | digits | it must be an integer, between 1 and 50
budget | {} | budget | it must be seconds and bytes
budget | null | budget | it must be seconds and bytes
budget | {"seconds": 5} | budget | it must be seconds and bytes
budget.seconds | -5 | seconds is -5: it must be above 0 | -
version | null | version | it must be text
format | 1 | format | it must be an integer, between 2 and 2
claim | "counted" | claim
alternative | "upper" | alternative is 'upper': it must be one of two-sided, greater, less, doubled | -
method | "packed" | method
statistic | "3" | statistic
statistic | null | statistic
pvalue | 0.3 | pvalue
lower | "0.25" | lower
upper | 1 | upper
correctly_rounded | 0 | correctly_rounded
log10_pvalue | null | log10_pvalue
log10_lower | NaN | log10_lower
log10_upper | -0.5 | log10_upper
width | 0.5 | width
width | -0.0625 | width
digits_certain | 3 | digits_certain
decimal_bracket | ["0.25", "0.25"] | decimal_bracket
n | 0 | n | it must be an integer, between 1
n_units | 4 | n_units | it must be an integer, between 0 and 3
n_units | 2 | tally | it must have n_units - ties units
n_nonzero | 2 | n_nonzero
total | "2^4" | total
total | "8" | total
swaps | null | the record is None: a record of a test result is a mapping | -
swaps.unit | "0" | unit | it must be above 0
"""


def test_records_of_brackets():
    result = fast_sign_flip_test([1, 2, 3])
    check_rows(result.to_dict(), BRACKET)
    check_names(FloatResult, result)
    told = complaint(ExactPermError, lambda: FloatResult.from_dict(None))
    assert told == "the record is None: a record of a float result is a mapping"


STEPS = """
design | "systems" | steps | it is of another design than 'systems'
design | "items" | steps | it is of another design than 'items'
design | ["within"] | steps | it is of another design than ['within']
total | "100" | total | it must be a number of labelings of its swaps
total | "2000" | pvalue
count | "10001" | count | it must be at most the total
count | "20" | pvalue
n_units | 3 | steps | it is of another design than 'within'
n | 5 | steps | it is of another design than 'within'
swaps.common | "10" | common
swaps.low | "-1" | statistic
swaps.unit | "0" | unit | it must be above 0
swaps.observed | "99" | observed | it must be at most the sum of the steps
swaps.ties | 5 | steps | it must have n_units - ties units
swaps.ties | -1 | ties | it must be an integer, between 0
swaps.steps | 5 | steps | it must be a list
swaps.steps.0 | [] | steps[0] | it must have 2 entries
swaps.steps.0.0.0 | ["0"] | steps[0][0][0] | it must have 2 entries
swaps.steps.0.0.0.0 | "1" | steps | it must be in canonical form
swaps.steps.0.0.0.1 | "0" | steps[0][0][0][1] | it must be an integer, at least 1
swaps.steps.0.0 | [["0", "1"]] | steps | it must be in canonical form
swaps.steps.0.0 | [["0", "2"], ["1", "6"]] | observed | it must be at most the sum
swaps.steps.0.1 | 0 | steps[0][1] | it must be an integer, between 1
"""


def test_anything_else_is_refused():
    record = permutation_test_runs(U, V, design="within", alternative="greater").to_dict()
    check_rows(record, STEPS)
    other = "design | \"systems\" | tally | it is of another design than 'systems'"
    check_rows(permutation_test_runs(U, V, design="items").to_dict(), other)


DRAWS = """
swaps.draws.0 | [] | draws[0] | it must have 3 entries
swaps.draws.0.0 | 7 | total | it must be a number of labelings of its swaps
swaps.draws.0.1 | ["0", "3", "2"] | draws | it must be in canonical form
swaps.draws.0.1.0 | "9" | draws | it must be in canonical form
swaps.draws | [] | draws | it must have n_units - ties units
swaps.unit | "-1" | unit | it must be above 0
swaps.observed | "999999999999999999999999999999" | observed | it must be at most the sum of the draws
swaps.low | "-1" | statistic
"""


def test_records_of_draws_that_are_no_canonical_form():
    rng = random.Random(4)
    u, v = [[[rng.randint(0, 2**40) for _ in range(6)] for _ in range(12)] for _ in "uv"]
    record = fast_permutation_test_runs(u, v, design="within", digits=1).to_dict()
    check_rows(record, DRAWS)
    assert (
        refused(record, ("swaps.draws", json.dumps(record["swaps"]["draws"][::-1])))[0] == "draws"
    )


def test_types_of_steps_ascend_and_have_no_common_divisor():
    record = permutation_test_runs([[1], [2]], [[0, 0], [0, 0]], design="within").to_dict()
    types = record["swaps"]["steps"]
    assert len(types) == 2
    assert refused(record, ("swaps.steps", json.dumps(types[::-1])))[0] == "steps"
    doubled = [[[[str(2 * int(a)), g] for a, g in terms], count] for terms, count in types]
    rest = ("swaps.unit", '"1/4"'), ("swaps.observed", '"6"')
    name, rule = refused(record, ("swaps.steps", json.dumps(doubled)), *rest)
    assert name == "steps"
    assert "common divisor" in rule


def test_counting_again_finds_an_observed_sum_that_no_assignment_has():
    """Of 12 pairs of 1000 and one of 1, or one step: the count of the record is right, its data cannot exist."""
    pairs = sign_flip_test({1: 1, 1000: 12}, alternative="greater")
    steps = permutation_test_runs([[0, 1, 3]], [[0, 0, 0]], design="within", alternative="greater")
    for result, observed, statistic, count in ((pairs, 11006, 10011, 2), (steps, 2, 0, 10)):
        record = result.to_dict()
        record["swaps"]["observed"] = str(observed)
        other = forged({**record, "statistic": str(statistic)}, count, result.total)
        told = f"the statistic is {statistic} in this result, but no units have this sum"
        assert complaint(ExactPermError, other.recount) == told


@pytest.mark.parametrize("test", [permutation_test_runs, fast_permutation_test_runs])
def test_how_results_look(test):
    result = test(U, V, design="within")
    rows = dict(result.rows(midp=True))
    assert rows["items"].startswith("4")
    assert rows["design"] == "within: all runs of an item are exchangeable"
    assert rows.get("assignments") in (None, "420 of 10000 at least as extreme")
    assert "pairs" not in rows
    assert "ermutation test of several runs, two-sided" in result.heading
    assert "design='within'" in repr(result)
    assert "runs exchanged within 4 items" in str(result.sentence())
    assert "10 " in permutation_test_runs(U, V, design="systems")._repr_html_()


POOL = mann_whitney_test([3, 5, 5, 9], [1, 5, 2])


def test_a_pool_is_read_as_it_was_written():
    record = POOL.to_dict()
    assert record["swaps"] == {
        "pool": [["0", 1], ["2", 3], ["4", 1], ["5", 1], ["6", 1]],
        "chosen": 3,
        "ties": 0,
        "low": "1",
        "unit": "1",
        "observed": "9",
    }
    assert (record["design"], record["n"], record["n_units"]) == ("samples", 7, 1)
    assert PermutationTestResult.from_dict(json.loads(json.dumps(record))).recount() == POOL


def test_sums_and_strata_need_no_mean_of_zero():
    for result in (
        sum_test([{0: 3, 1: 1}] * 3, 2),
        two_sample_test([1, 4, 2], [3, 0], strata=(list("aab"), list("ab"))),
        two_sample_test([1, 1], [1]),
    ):
        assert PermutationTestResult.from_dict(result.to_dict()).recount() == result


OTHER_POOLS = """
swaps.pool | [] | pool | it must have n values
swaps.pool | [["0", 3], ["2", 4]] | pool | it must be in canonical form
swaps.pool | [["1", 3], ["2", 4]] | pool | it must be in canonical form
swaps.pool | [["0", 3], ["0", 4]] | pool | it must be in canonical form
swaps.pool | [["0", 3], ["4", 4], ["9", 1]] | pool | it must have n values
swaps.pool | [["0", 1000000000000000]] | pool | it must have n values
swaps.pool | [["0"]] | pool[0] | it must have 2 entries
swaps.chosen | 7 | pool | it must have n values, not all chosen
swaps.unit | "0" | unit | it must be above 0
swaps.observed | "99" | observed | it must be at most the sum of the pool
n_units | 2 | pool | it must have n_units - ties units
design | "steps" | pool | it is of another design
count | "36" | count | it must be at most the total
"""


def test_a_pool_with_another_field_is_refused():
    check_rows(POOL.to_dict(), OTHER_POOLS)
