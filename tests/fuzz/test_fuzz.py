"""Some seconds of the fuzz, and proof that it finds, names and shrinks what is wrong."""

import inspect

import pytest

import exactperm
from exactperm.certificates.certify import CERTIFIED
from exactperm.files.reading import FIELD
from tests.fuzz import campaign, hostile


@pytest.mark.parametrize("kind", campaign.KINDS)
def test_cases_hold(kind, request, sampled):
    cases = campaign.shares(request.config.getoption("fuzz_cases") or sampled(8000))[kind]
    assert campaign.check(kind, cases).comparisons >= cases // 2


def test_a_wrong_answer_is_found_and_shrunk(monkeypatch):
    right = exactperm.convolve_dp
    monkeypatch.setattr(
        exactperm, "convolve_dp", lambda pmfs: {x: c for x, c in right(pmfs).items() if x <= 1}
    )
    with pytest.raises(campaign.Mismatch) as caught:
        campaign.check("convolutions", 50)
    (case,) = [text for text in caught.value.__notes__ if text.startswith("convolutions: ")]
    assert case.count("({") == 1  # one mapping is enough


def test_an_unexpected_error_is_a_failure(monkeypatch):
    monkeypatch.setattr(exactperm, "adjust_pvalues", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        campaign.check("adjustments", 1)


def test_a_case_that_does_not_end_is_a_failure(monkeypatch):
    def endless(*_, **__):
        while True:
            pass

    monkeypatch.setattr(campaign, "SECONDS", 0.01)
    monkeypatch.setattr(exactperm, "adjust_pvalues", endless)
    with pytest.raises(campaign.Hang):
        campaign.check("adjustments", 1)


def test_every_public_function_gets_hostile_arguments():
    assert hostile.public_functions() == set(hostile.CALLS) - set(hostile.METHODS)


def test_every_argument_of_a_function_is_attacked():
    for name in hostile.public_functions():
        attacked = set(inspect.signature(getattr(exactperm, name)).parameters)
        if "settings" in attacked:  # of reading, by name
            attacked = attacked - {"settings"} | {*(FIELD if name == "read_scores" else CERTIFIED)}
        assert attacked == set(hostile.CALLS[name]), name
