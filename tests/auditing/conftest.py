"""Fixtures of the tests of audits."""

import pytest

from exactperm import BudgetExceeded
from exactperm.auditing import samples


@pytest.fixture
def no_counts(monkeypatch):
    """Every exact count is refused; what encloses a tail is not."""

    def refuse(*_args, **_options):
        raise BudgetExceeded("the count needs 2e9 s")

    for name in ("sign_flip_test", "wilcoxon_signed_rank_test", "mcnemar_test"):
        monkeypatch.setattr(samples, name, refuse)
