"""Some seconds of the fuzz, and proof that it finds, names and shrinks what is wrong."""

import pytest

import exactperm
from tests.fuzz import campaign, hostile


@pytest.mark.slow
@pytest.mark.parametrize("kind", campaign.KINDS)
def test_cases_hold(kind, request, sampled):
    cases = campaign.shares(request.config.getoption("fuzz_cases") or sampled(8000))[kind]
    assert campaign.check(kind, cases).comparisons >= cases // 2


@pytest.mark.slow
def test_a_wrong_answer_is_found_and_shrunk(monkeypatch):
    right = exactperm.permutation_test
    monkeypatch.setattr(
        exactperm, "permutation_test", lambda u, v, **options: right(v, u, **options)
    )
    with pytest.raises(campaign.Mismatch) as caught:
        campaign.check("tests", 50)
    (case,) = [text for text in caught.value.__notes__ if text.startswith("tests: ")]
    assert case.count("Fraction(") <= 4  # two pairs are more than enough


@pytest.mark.parametrize("kind", [ZeroDivisionError, campaign.Hang])
def test_an_unexpected_error_and_no_end_are_failures(monkeypatch, kind):
    def failed(*_, **__):
        while kind is campaign.Hang:
            pass
        raise kind

    monkeypatch.setattr(campaign, "SECONDS", 0.01)
    for name in ("permutation_test", "sign_flip_test"):
        monkeypatch.setattr(exactperm, name, failed)
    with pytest.raises(kind):
        campaign.check("tests", 1)


def test_calls_that_nobody_attacks_work():
    for function, given in hostile.CALLS.values():
        function(**given)
