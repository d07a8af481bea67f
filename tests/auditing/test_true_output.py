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


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["integers", "one decimal", "doubles", "ties", "0/1"])
def test_no_true_p_value_is_accused(claims, kind):
    rng = random.Random(kind)
    data = next(one for one in iter(lambda: claims.Data(kind, rng), None) if not one.degenerate)
    for output in rng.sample([*claims.of_scipy(data, rng), *claims.of_scripts(data, rng)], 12):
        text = claims.printed(output.p, rng)
        for mode in ("methods section", "all stated"):
            fields = claims.claim(output, text, mode, "raw", data.table)
            finding = audit_claim(fields)
            assert finding.heap in ("fine", "question"), (fields, finding.line())


@pytest.mark.slow
def test_false_numbers_are_false(claims):
    """Each of the thirteen ways gives a text that is not true; with all stated it is refuted."""
    made = [one for one in claims.false_claims(random.Random(1), 1) if one["mode"] == "all stated"]
    assert [one["way"] for one in made] == [*claims.WAYS]
    found = [audit_claim(one["fields"]) for one in made]
    assert all(one.heap == "wrong" for one in found), [one.line() for one in found]


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
        "statistic": "difference",
        "law": "exact",
        "stated": "all",
    }
    finding = audit_claim(claim)
    assert (finding.heap, finding.reason) == ("question", "condition")
    assert audit_claim({**claim, "p": "p = 0.0347"}).heap == "wrong"


def test_ranks_of_rounded_scores_may_be_below_a_bound():
    """perm.test of exactRankTests 0.8.35 on scores in decimals, beside their table in whole numbers."""
    u, v = [60, 83, 54, 39, 89, 69, 58, 58, 89, 79], [65, 83, 58, 45, 86, 70, 56, 61, 87, 86]
    claim = {"p": "p < .05", "data": [u, v], "statistic": "permutation", "alternative": "two-sided"}
    assert audit_claim(claim).heap == "question"
    assert audit_claim({**claim, "rounded": "no"}).heap == "wrong"
