"""statsmodels: McNemar's test, the sign test and multipletests."""

import statsmodels
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.descriptivestats import sign_test
from statsmodels.stats.multitest import multipletests

ABOUT = {
    "implementation": {
        "name": "statsmodels",
        "version": statsmodels.__version__,
        "language": "Python",
    },
    "calls": ["mcnemar", "sign", "adjust"],
    "alternatives": ["two-sided"],
    "numbers": "binary64",
}
METHODS = {"hochberg": "simes-hochberg"}


def answer(call, given, _alternative):
    if call == "adjust":
        method = given["method"]
        return multipletests(
            [float(p) for p in given["pvalues"]], method=METHODS.get(method, method)
        )[1]
    if call == "mcnemar":
        b, c = int(given["b"]), int(given["c"])
        return mcnemar([[0, b], [c, 0]], exact=True).pvalue
    u, v = ([float(x) for x in given[name]] for name in "uv")
    return sign_test([a - b for a, b in zip(u, v)])[1]
