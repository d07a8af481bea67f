"""Compare a printed value of the statistic with those that conventions give: a note, never a verdict."""

from __future__ import annotations

import re
from fractions import Fraction

from ..arithmetic.quoting import short_text
from ..arithmetic.writing import decimal_string
from ..classical import signed_ranks
from ..errors import ExactPermError
from .conventions import ZEROS
from .printed import read_pvalue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..arithmetic.rational import Exact
    from .samples import Sample

_NAMED = re.compile(r"[^=]*=\s*(?=[^=]*$)")


def note_on_statistic(text: str, sample: Sample, zeros: str) -> str:
    """Say which statistics print as ``text``, such as "V = 45".

    R calls the sum of positive ranks V; T and W are used for W+, W- and their minimum, S and M by SAS.
    """
    known = _statistics(sample, zeros)
    try:
        printed = read_pvalue(_NAMED.sub("", text))
    except ExactPermError:
        return f"the printed statistic {short_text(text)} is no number"
    fitting = [name for name, value in known.items() if printed.fit(value) is not None]
    if fitting:
        return f"the printed statistic {short_text(text)} is {' or '.join(fitting)}"
    values = ", ".join(f"{name} = {decimal_string(value, 6)}" for name, value in known.items())
    return f"the printed statistic {short_text(text)} is none of the known ones: {values or 'none here'}"


def _statistics(sample: Sample, zeros: str) -> dict[str, Exact]:
    if sample.signs is not None:
        return _signs(*sample.signs)
    if sample.differences is None:
        return {}
    d = sample.differences
    ranks = signed_ranks(d, ZEROS[zeros][0])
    up, down = sum(r for r in ranks if r > 0), -sum(r for r in ranks if r < 0)
    total = sum(d)
    return {
        "T (sum)": total,
        "mean": Fraction(total) / len(d),
        "V = W+": up,
        "W-": down,
        "min(W+, W-)": min(up, down),
        "W+ - W-": up - down,
        "S = (W+ - W-)/2": Fraction(up - down) / 2,
        **_signs(sum(x > 0 for x in d), sum(x < 0 for x in d)),
    }


def _signs(b: int, c: int) -> dict[str, Exact]:
    return {"b": b, "c": c, "b - c": b - c, "M = (b - c)/2": Fraction(b - c, 2)}
