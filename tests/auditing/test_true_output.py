"""True output of SciPy, statsmodels and plain lines is never accused: a part of benchmarks/audit_truth.py."""

import importlib.util
import random
from pathlib import Path

import pytest

from exactperm import audit_claim

pytest.importorskip("scipy", exc_type=ImportError)
pytest.importorskip("statsmodels", exc_type=ImportError)
pytest.importorskip("pingouin", exc_type=ImportError)
PLACE = Path(__file__).parent.parent.parent / "benchmarks" / "audit_truth.py"


@pytest.fixture(scope="module")
def truth():
    if not PLACE.exists():
        pytest.skip("the benchmarks are not here")
    spec = importlib.util.spec_from_file_location("audit_truth", PLACE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("kind", ["integers", "one decimal", "doubles", "ties", "0/1"])
def test_no_true_p_value_is_accused(truth, kind):
    rng = random.Random(kind)
    data = next(one for one in iter(lambda: truth.Data(kind, rng), None) if not one.degenerate)
    outputs = [*truth.packages(data, rng), *truth.of_pingouin(data), *truth.plain_lines(data, rng)]
    for name, p, stated in rng.sample(outputs, 16):
        for mode, claim in truth.claims_of(data, truth.printed(p, rng), stated):
            finding = audit_claim(claim)
            assert finding.level in ("consistent", "undecided"), (name, mode, claim, finding.line())


def test_a_double_whose_last_digits_are_zeros():
    """R 4.2.2 t.test: 14 digits, and an error of floating point in the 14th."""
    u = ["60.6", "23.3", "52.3", "66.1", "58.1", "65.1"]
    v = ["60.7", "23.2", "52.4", "66.2", "57.8", "65.1"]
    finding = audit_claim({"p": "0.80900849532669", "data": [u, v], "law": "t", "stated": "all"})
    assert (finding.level, finding.reason) == ("consistent", "rounds")
