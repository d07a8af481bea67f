"""Fixtures of the tests of audits."""

import pytest

from exactperm import BudgetExceeded
from exactperm.auditing import facts


@pytest.fixture
def no_counts(monkeypatch):
    """Every exact count is refused; what encloses a tail is not."""

    def refuse(*_args, **_options):
        raise BudgetExceeded("the count needs 2e9 s")

    monkeypatch.setattr(facts.plan, "count_at_most", refuse)
