"""Some seconds of the fuzz, and proof that it finds, names and shrinks what is wrong."""

import inspect

import pytest

import exactperm
from exactperm.certificates.certify import CERTIFIED
from exactperm.files.reading import FIELD
from tests.fuzz import campaign, hostile


@pytest.mark.slow
@pytest.mark.parametrize("kind", campaign.KINDS)
def test_cases_hold(kind, request, sampled):
    cases = campaign.shares(request.config.getoption("fuzz_cases") or sampled(8000))[kind]
    assert campaign.check(kind, cases).comparisons >= cases // 2


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


def test_every_public_function_gets_hostile_arguments():
    assert hostile.public_functions() == set(hostile.CALLS) - set(hostile.METHODS)


def test_every_argument_of_a_function_is_attacked():
    for name in hostile.public_functions():
        attacked = set(inspect.signature(getattr(exactperm, name)).parameters)
        if "settings" in attacked:  # of reading, by name
            attacked = attacked - {"settings"} | {*(FIELD if name == "read_scores" else CERTIFIED)}
        assert attacked == set(hostile.CALLS[name]), name
