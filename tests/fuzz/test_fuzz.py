"""Some seconds of the fuzz with a fixed seed, and proof that it finds, names and shrinks what is wrong."""

import inspect

import pytest

import exactperm
from tests.fuzz import campaign, hostile

TIMED = {"budgets"}
"""CPU time decides: these run on demand only."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(set(campaign.KINDS) - TIMED))
def test_fixed_cases_hold(kind):
    lines = []
    cases = campaign.shares(8000, tuple(campaign.KINDS))[kind]
    assert not campaign.run(cases, "ci", (kind,), tell=lines.append), "\n".join(lines)


def test_a_wrong_answer_is_found_and_shrunk(monkeypatch):
    right = exactperm.convolve_dp
    monkeypatch.setattr(exactperm, "convolve_dp", lambda pmfs: {x: c for x, c in right(pmfs).items() if x <= 1})
    lines = []
    assert campaign.run(50, "ci", ("convolutions",), tell=lines.append) == 1
    assert "FAILED --only convolutions --seed ci --index" in lines[0]
    assert lines[0].count("({") == 1  # one mapping is enough


def test_an_unexpected_error_is_a_failure(monkeypatch):
    monkeypatch.setattr(exactperm, "adjust_pvalues", lambda *_, **__: 1 / 0)
    lines = []
    assert campaign.run(1, "ci", ("adjustments",), tell=lines.append) == 1
    assert "ZeroDivisionError" in lines[0]


def test_a_case_is_the_same_whenever_it_is_drawn():
    for kind in campaign.KINDS:
        assert repr(campaign.case_of(kind, "ci", 7)) == repr(campaign.case_of(kind, "ci", 7))


def test_the_shares_add_up():
    assert sum(campaign.shares(12345, tuple(campaign.KINDS)).values()) == 12345


def test_every_public_function_gets_hostile_arguments():
    assert hostile.public_functions() == set(hostile.CALLS) - set(hostile.METHODS)


def test_every_argument_of_a_function_is_attacked():
    for name in hostile.public_functions():
        attacked = set(inspect.signature(getattr(exactperm, name)).parameters)
        assert attacked == set(hostile.CALLS[name]), name
