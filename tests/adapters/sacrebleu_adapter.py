"""sacreBLEU: paired approximate randomization of sentence scores, 10,000 random swaps, strict by its own decision."""

import sacrebleu
from sacrebleu.significance import _compute_p_value

ABOUT = {
    "implementation": {"name": "sacreBLEU", "version": sacrebleu.__version__, "language": "Python"},
    "calls": ["paired-permutation"],
    "alternatives": ["two-sided"],
    "numbers": "binary64",
    "conventions": ["strict"],
}
SWAPS = 10_000


def answer(_call, given, _alternative):
    """Only for identical outputs: for others the answer is random."""
    if (
        "groups" in given
        or any(a != b for a, b in zip(given["u"], given["v"]))
        or len(given["u"]) != 32
    ):
        raise NotImplementedError("a random answer")
    import numpy

    return float(_compute_p_value(numpy.zeros(SWAPS), 0.0))
