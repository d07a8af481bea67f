"""Fixtures of the tests of audits."""

import pytest

from exactperm import BudgetExceeded
from exactperm.auditing import facts


@pytest.fixture
def refuse(monkeypatch):
    """What makes a function refuse its work: ``refuse(bracket, "tail_bracket")``."""

    def too_dear(*_arguments, **_options):
        raise BudgetExceeded("too dear")

    return lambda where, name: monkeypatch.setattr(where, name, too_dear)


@pytest.fixture
def no_counts(refuse):
    """Every exact count is refused; what encloses a tail is not."""
    refuse(facts.plan, "count_at_most")
