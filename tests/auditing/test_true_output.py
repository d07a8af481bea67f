"""True output of SciPy, statsmodels and plain lines is never accused: a part of benchmarks/audit_claims.py."""

import importlib.util
import random
from pathlib import Path

import pytest

from exactperm import audit_claim

PLACE = Path(__file__).parent.parent.parent / "benchmarks" / "audit_claims.py"


@pytest.fixture(scope="module")
def claims():
    pytest.importorskip("scipy", exc_type=ImportError)
    pytest.importorskip("statsmodels", exc_type=ImportError)
    if not PLACE.exists():
        pytest.skip("the benchmarks are not here")
    spec = importlib.util.spec_from_file_location("audit_claims", PLACE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("kind", ["integers", "one decimal", "doubles", "ties", "0/1"])
def test_no_true_p_value_is_accused(claims, kind):
    rng = random.Random(kind)
    data = next(one for one in iter(lambda: claims.Data(kind, rng), None) if not one.degenerate)
    for output in rng.sample([*claims.of_scipy(data, rng), *claims.of_scripts(data, rng)], 12):
        text = claims.printed(output.p, rng)
        for mode in ("methods section", "all stated"):
            fields = claims.claim(output, text, mode, "raw", data.table)
            finding = audit_claim(fields)
            assert finding.level in ("consistent", "undecided"), (fields, finding.line())


def test_false_numbers_are_false(claims):
    """Each of the thirteen ways gives a text that is not true; with all stated it is refuted."""
    made = [one for one in claims.false_claims(random.Random(1), 1) if one["mode"] == "all stated"]
    assert [one["way"] for one in made] == [*claims.WAYS]
    levels = [audit_claim(one["fields"]).level for one in made]
    assert all(level.endswith("inconsistent") for level in levels), levels


def test_a_double_whose_last_digits_are_zeros():
    """R 4.2.2 t.test: 14 digits, and an error of floating point in the 14th."""
    u = ["60.6", "23.3", "52.3", "66.1", "58.1", "65.1"]
    v = ["60.7", "23.2", "52.4", "66.2", "57.8", "65.1"]
    finding = audit_claim({"p": "0.80900849532669", "data": [u, v], "law": "t", "stated": "all"})
    assert (finding.level, finding.reason) == ("consistent", "rounds")


def test_the_observed_sum_added_in_another_way():
    """``np.mean(abs(S @ d) >= abs(d.sum()))``: the observed assignment is not as extreme as itself, by an ulp."""
    u = """
        52.61452499968789 78.02638219676909 31.568837375799323 72.6844775468114 40.456404523801226 50.937846539776885
        47.69729708733914 23.75359199048433 47.281702218996465 56.558624070445035 63.313848743619175
        57.78406609120588"""
    v = """
        51.67066571394379 75.389150477738 26.791880238102003 74.82009910142136 32.14120352795516 45.28835151229395
        43.691510706459994 19.329466711565694 44.65035506788844 59.19429479411444 59.74273862338355
        60.53022106752657"""
    claim = {
        "p": "p = 0.0352",
        "data": [u.split(), v.split()],
        "statistic": "sum",
        "law": "exact",
        "stated": "all",
    }
    finding = audit_claim(claim)
    assert (finding.level, finding.reason) == ("undecided", "float-ties")
    assert audit_claim({**claim, "p": "p = 0.0347"}).level == "inconsistent"


def test_the_sentence_of_an_accusation():
    maize = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    finding = audit_claim({"p": "p = .04970", "data": maize, "stated": "all"})
    assert finding.sentence == (
        "The document prints 'p = .04970'; the exact p-value of these 15 pairs is 0.0526733 (exact paired permutation "
        "test, two-sided): the text is that of an approximation, but an exact test is stated: paired t-test, "
        "two-sided, 0.0497029. The printed number is at most the level of significance, that of the exact test above "
        "it."
    )
    assert finding.to_dict()["sentence"] == finding.sentence == next(finding.details())
    other = audit_claim({"p": "p = .07", "data": maize, "law": "t", "stated": "all"})
    assert other.sentence == (
        "The document prints 'p = .07'; these 15 pairs give 0.0497029 (paired t-test, two-sided), and 0.0526733 by the "
        "exact test: no reading of the claim that was tried gives the printed number."
    )
    assert audit_claim({"p": "maybe", "data": maize}).sentence.startswith(
        "The claim cannot be read: the printed p-value "
    )


def test_a_letter_names_the_right_number_and_all_readings():
    maize = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    about = {"data": maize, "statistic": "sum", "alternative": "two-sided", "rounded": "no"}
    letter = [*audit_claim({"p": "p = 0.310", **about}).letter()]
    assert letter[1:] == [
        "With as many decimals as are printed, the p-value of the data is 0.053.",
        "Other readings that were tried give other numbers:",
        "- paired t-test: two-sided: 0.0497",
        "- exact paired permutation test: two-sided, mid-p: 0.0518; two-sided, more extreme outcomes only: 0.0510",
        "- paired permutation test: normal approximation, two-sided: 0.0538",
        "Not stated in the document, and assumed here: the law (exact). If another test or other data were meant, "
        "please say which.",
    ]
    estimate = audit_claim({"p": "p = 0.31", "data": maize, "samples": 1000, "stated": "all"})
    assert "is 0.0526733 (of which an estimate is stated, " in estimate.sentence
    assert len([*audit_claim({"p": "p < .05", "stated": "all", **about}).letter()]) == 2
    between = audit_claim(
        {"p": "p = .9", "adjustment": "holm", "tests": 4, "data": maize, "stated": "all"}
    )
    assert "With as many decimals" not in " ".join(between.letter())
