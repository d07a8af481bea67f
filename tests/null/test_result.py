"""Results of tests: records both ways, numerators of any length, counting again."""

import json
import math
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from complaint import complaint, forged
from exactperm import __version__
from exactperm.budget import Budget
from exactperm.errors import BudgetExceeded, ExactPermError
from exactperm.null.alternative import ALTERNATIVES
from exactperm.null.result import PermutationTestResult
from exactperm.permutation import permutation_test, sign_flip_test
from exactperm.record import replaced
from exactperm.swaps.metrics import f1_difference
from exactperm.swaps.statistic import Statistic

NOTHING = Budget(seconds=1e-12)
columns = strategies.columns(st.one_of(st.integers(-4, 4), st.fractions(-2, 2, max_denominator=6)))
alternatives = st.sampled_from(ALTERNATIVES)


def square(x):
    return x * x


def minus(a, b):
    return a - b


LARGE = {1: 35000, -1: 35400}


@pytest.fixture(scope="module", name="result")
def large_result():
    """A numerator of more than 20,000 digits."""
    return sign_flip_test(LARGE, alternative="greater")


class TestLargeResults:
    """Numerators of tens of thousands of digits, on every Python, without touching the digits limit."""

    def test_prints(self, result):
        assert result.total.bit_length() == 70401
        assert "digits" in repr(result)
        assert "digits" in str(result)

    def test_compares(self, result):
        assert hash(result) == hash(sign_flip_test(LARGE, alternative="greater"))
        assert 0 < result.pvalue < 1
        assert math.isclose(10**result.log10_pvalue, float(result.pvalue))

    def test_pickles_crosses_a_process_pool_and_json(self, result):
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            returned = pool.submit(sign_flip_test, LARGE, alternative="greater").result()
        read = PermutationTestResult.from_dict(json.loads(json.dumps(result.to_dict())))
        for again in (returned, pickle.loads(pickle.dumps(result)), read):
            assert (again == result) is True
        assert (read.midp == result.midp) is True


class TestRecords:
    @pytest.mark.slow
    @given(columns, alternatives)
    def test_json_goes_both_ways(self, data, alternative):
        for statistic in (Statistic((minus,), None, "sum"), Statistic((minus,), square, "square")):
            result = permutation_test(*data, alternative=alternative, statistic=statistic)
            returned = PermutationTestResult.from_dict(json.loads(json.dumps(result.to_dict())))
            assert returned == result == result.recount() == pickle.loads(pickle.dumps(result))
            # the canonical tally is there: all else can be asked again
            if statistic.combine is None:
                assert returned.null_distribution == result.null_distribution
                assert returned.min_attainable == result.min_attainable

    def test_shown_as_the_call_that_would_make_it(self):
        assert repr(sign_flip_test([1, "0.5", 0], method="dp")) == (
            "PermutationTestResult(p=0.5000, pvalue=Fraction(1, 2), count=4, statistic=Fraction(3, 2), alternative='two-sided', "
            "method='dp', n=3, n_units=3, n_nonzero=2)"
        )

    def test_json_form(self):
        data = sign_flip_test([1, "0.5", 0], alternative="greater").to_dict()
        assert data == {
            "format": 2,
            "version": __version__,
            "claim": "counted",
            "pvalue": "1/4",
            "pvalue_decimal": "0.25000000000000000",
            "log10_pvalue": math.log10(0.25),
            "count": "2",
            "total": "2^3",
            "statistic": "3/2",
            "statistic_name": "difference",
            "alternative": "greater",
            "method": data["method"],
            "n": 3,
            "n_units": 3,
            "n_nonzero": 2,
            "swaps": {
                "tally": [["1", 1], ["2", 1]],
                "ties": 1,
                "low": "-3/2",
                "unit": "1",
                "observed": "3",
            },
        }

    def test_a_record_without_swaps_says_so(self):
        result = permutation_test([1, 2], [3, 5], statistic=Statistic((minus,), square, "square"))
        returned = PermutationTestResult.from_dict(result.to_dict())
        assert complaint(ExactPermError, lambda: returned.null_distribution) == (
            "this result was read from a record that does not hold its swaps: run the test again"
        )

    def test_the_logarithm_of_another_library_is_read(self):
        result = sign_flip_test([3, 1, 2])
        close = {"log10_pvalue": math.nextafter(result.log10_pvalue, 0)}
        assert PermutationTestResult.from_dict({**result.to_dict(), **close}) == result

    def test_counting_again_finds_what_a_record_cannot_show(self):
        record = sign_flip_test([1, 2, 3, 4, 5], alternative="greater").to_dict()
        told = "count is 2 in this result, but computing it again gives 1"
        assert complaint(ExactPermError, forged(record, 2, 32).recount) == told

    def test_counting_again_keeps_to_a_budget(self):
        result = PermutationTestResult.from_dict(sign_flip_test([1, -2, 3, 4, -5, 7]).to_dict())
        assert complaint(BudgetExceeded, lambda: result.recount(budget=NOTHING)).startswith(
            "counting "
        )

    def test_a_result_keeps_its_budget(self):
        budget = Budget(seconds=0.25, bytes=2**29)
        result = sign_flip_test(
            [(-1) ** (i % 3) * (i * i + 2**40) for i in range(24)], budget=budget
        )
        message = complaint(BudgetExceeded, lambda: result.null_distribution)
        assert "the budget is 0.25 s and 512 MiB" in message
        assert result == sign_flip_test([(-1) ** (i % 3) * (i * i + 2**40) for i in range(24)])
        assert "budget" not in repr(result) + str(result.to_dict())

    @pytest.mark.parametrize(
        ("change", "shown"),
        [
            ({"n_units": 10**12}, "pvalue=1/2**1000000000000, "),
            ({"n_units": -1}, "pvalue=undefined, "),
            ({"count": None}, "pvalue=undefined, "),
            ({"n_units": "x"}, "pvalue=undefined, "),
        ],
    )
    def test_whatever_was_constructed_is_shown(self, change, shown):
        least = sign_flip_test([-1], alternative="less")
        assert repr(replaced(least, **change)).startswith(f"PermutationTestResult({shown}")


def test_a_count_of_another_statistic_is_repeated():
    result = permutation_test([(1, 1), (2, 0)], [(0, 2), (1, 2)], statistic=f1_difference)
    assert result.recount() == result
    with pytest.raises(ExactPermError, match="count is 1"):
        replaced(result, count=1).recount()


def test_a_notebook_shows_what_is_known():
    """No picture for a record without swaps, and nothing for more units than a text can have."""
    result = permutation_test([1, 2], [3, 5], statistic=Statistic((minus,), square, "square"))
    returned = PermutationTestResult.from_dict(result.to_dict())
    assert "svg" in result._repr_html_()
    assert "svg" not in returned._repr_html_()
    assert replaced(result, n_units=10**8)._repr_html_() is None
