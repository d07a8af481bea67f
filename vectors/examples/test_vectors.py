"""pytest: SciPy's binomtest against mcnemar.json, without the runner; nothing of exactperm is needed."""
import json, pathlib
import pytest
from scipy.stats import binomtest
FILE = json.loads((pathlib.Path(__file__).parents[1] / "mcnemar.json").read_text())
CASES = [(t, side) for t in FILE["tests"] if t["result"] == "valid" for side in t["expect"]]

@pytest.mark.parametrize(("test", "side"), CASES, ids=lambda x: x if isinstance(x, str) else x["id"])
def test_exact(test, side):
    b, c = int(test["input"]["b"]), int(test["input"]["c"])
    exact = float.fromhex(test["expect"][side]["p64"])
    assert binomtest(b, b + c, alternative=side).pvalue == pytest.approx(exact, rel=1e-9, abs=0)
