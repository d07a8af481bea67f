"""Errors of the package."""

import pickle

from exactperm.errors import BudgetExceeded


def test_budget_error_carries_the_estimate_and_pickles():
    error = pickle.loads(pickle.dumps(BudgetExceeded("too long", 5.0, 7)))
    assert (str(error), error.seconds, error.bytes) == ("too long", 5.0, 7)
    assert isinstance(error, ValueError)
    error = pickle.loads(pickle.dumps(BudgetExceeded("too long")))
    assert (str(error), error.seconds, error.bytes) == ("too long", None, None)
