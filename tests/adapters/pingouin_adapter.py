"""pingouin: multicomp."""

import pingouin

ABOUT = {
    "implementation": {"name": "pingouin", "version": pingouin.__version__, "language": "Python"},
    "calls": ["adjust"],
    "numbers": "binary64",
}
METHODS = {
    "bonferroni": "bonf",
    "holm": "holm",
    "sidak": "sidak",
    "fdr_bh": "fdr_bh",
    "fdr_by": "fdr_by",
}


def answer(_call, given, _alternative):
    if given["method"] not in METHODS:
        raise NotImplementedError(f"no {given['method']}")
    return pingouin.multicomp(
        [float(p) for p in given["pvalues"]], method=METHODS[given["method"]]
    )[1]
