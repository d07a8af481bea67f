"""Compare a printed value of the statistic with those that conventions give: a note, never a verdict."""

from __future__ import annotations

import re
from fractions import Fraction

from ..arithmetic.quoting import short_text
from ..arithmetic.writing import readable
from ..classical import signed_ranks
from ..errors import ExactPermError
from .conventions import ZEROS
from .printed import read_pvalue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..arithmetic.rational import Exact
    from .samples import Sample

_NAMED = re.compile(r"[^=]*=\s*(?=[^=]*$)")


def note_on_statistic(text: str, sample: Sample, zeros: str, statistic: str) -> str:
    """Say which statistics print as ``text``, such as "V = 45"; those of the stated test first.

    R calls the sum of positive ranks V, and that of positive differences T (exactRankTests); T and W are used for W+,
    W- and their minimum, S and M by SAS.
    """
    groups = _statistics(sample, zeros)
    first = groups.pop(_FAMILIES.get(statistic, ""), {})
    known = {**first, **{name: value for group in groups.values() for name, value in group.items()}}
    try:
        printed = read_pvalue(_NAMED.sub("", text))
    except ExactPermError:
        return f"the printed statistic {short_text(text)} is no number"
    fitting = [name for name, value in known.items() if printed.fit(value) is not None]
    if fitting:
        return f"the printed statistic {short_text(text)} is {' or '.join(fitting)}"
    values = ", ".join(f"{name} = {readable(value)}" for name, value in (first or known).items())
    return f"the printed statistic {short_text(text)} is none of the known ones: {values or 'none here'}"


_FAMILIES = {"sum": "sums", "signed-rank": "ranks", "sign": "signs", "mcnemar": "signs"}


def _statistics(sample: Sample, zeros: str) -> dict[str, dict[str, Exact]]:
    """Return values of statistics by name, in families."""
    if sample.signs is not None:
        return {"signs": _signs(*sample.signs)}
    if sample.differences is None:
        return {}
    d = sample.differences
    if sample.labels is not None:
        return {"sums": {"the sum": sum(d)}}
    ranks = signed_ranks(d, ZEROS[zeros][0])
    up, down = sum(r for r in ranks if r > 0), -sum(r for r in ranks if r < 0)
    total, positive = sum(d), sum(x for x in d if x > 0)
    return {
        "sums": {
            "the sum": total,
            "the mean": Fraction(total) / len(d),
            "the sum of the positive differences": positive,
            "the sum of the negative ones": total - positive,
        },
        "ranks": {
            "V = W+": up,
            "W-": down,
            "min(W+, W-)": min(up, down),
            "W+ - W-": up - down,
            "S = (W+ - W-)/2": Fraction(up - down) / 2,
        },
        "signs": _signs(sum(x > 0 for x in d), sum(x < 0 for x in d)),
    }


def _signs(b: int, c: int) -> dict[str, Exact]:
    return {"b": b, "c": c, "b - c": b - c, "M = (b - c)/2": Fraction(b - c, 2)}
