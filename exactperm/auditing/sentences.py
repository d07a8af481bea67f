"""Read the line that reports a test in a paper, which :mod:`exactperm.null.sentence` writes."""

from __future__ import annotations

import re
from fractions import Fraction

from .._types import Any
from ..arithmetic.quoting import short_text
from ..arithmetic.reading import choice, exact
from ..arithmetic.writing import decimal_string, exact_text
from ..errors import ExactPermError
from ..null.alternative import ALTERNATIVES
from ..null.sentence import (
    EXCHANGES,
    MEAN_WORDS,
    SHIFT,
    STATISTICS,
    SWAPPED_ORDER,
    ZEROS,
    PValue,
    Sentence,
    is_weights,
)

_PLACES_AFTER = r"rounded to (\d{1,4}) decimals?"

_WEIGHED = (MEAN_WORDS, STATISTICS["accuracy"][1])

_MOST_DIGITS = 17
"""Digits of a cut p-value that are read."""

_UNITS = (
    r"(.+), (?:swaps of (?=\d+ [pg])|sign flips of (?=\d+ d))(\d{1,18}) (pair|group|difference)s?"
)

_RUNS = rf"(.+), ({'|'.join(EXCHANGES.values())}) (\d{{1,18}}) items?"

_POINT = r"p = ([\d.]+(?:e-\d+)?) \(exact (\d+(?:/\d+)?)\)"

_ROUNDED = r"p = (?=[0.]*[1-9](?:\.?\d){9}(?:e|$))(\d\.\d+)(?:e-(\d{1,18}))?"
"""Ten digits of a p-value whose fraction is too long for a paper."""

_BOUNDS = r"p in \[([\d.]+(?:e[+-]?\d+)?), ([\d.]+(?:e[+-]?\d+)?)\]"

_DIGEST = r"sha256:([0-9a-f]{8}(?:\+[0-9a-f]{8})*)"


def is_sentence(text: str) -> bool:
    """Tell whether a text is meant to be such a line.

    >>> is_sentence("exactperm 0.2.0 | ..."), is_sentence("p = .03")
    (True, False)
    """
    return re.match(r"\s*exactperm\s+\S+\s*\|", text) is not None


def pvalue_text(line: str) -> str:
    """Return what such a line says of its p-value: a fraction, or bounds.

    >>> pvalue_text("exactperm 0.2.0 | ... | ... | two-sided | p = 0.2002360555")
    'p in [0.20023605545000000, 0.20023605555000000]'
    """
    field = line.split("|")[4].strip()
    if field.startswith("p in"):
        return field
    p = _pvalue(field)
    if not isinstance(p, tuple):
        return f"p = {exact_text(p)}"
    return "p in [{}, {}]".format(*(decimal_string(min(end, 1), _MOST_DIGITS) for end in p))


def parse(text: str) -> Sentence:
    """Return the reported test that a line states; the inverse of ``str``.

    Raises ``ExactPermError``, which quotes the field, for any other text, and where the decimal is
    not that of the fraction.

    >>> parse("exactperm 0.2.0 | McNemar, swaps of 10 pairs | number of discordant items | two-sided | p = 0.0215 (exact 11/512)").p
    Fraction(11, 512)
    """
    fields = [field.strip() for field in text.split("|")]
    if not is_sentence(text) or len(fields) not in (5, 6):
        raise ExactPermError(
            f"{short_text(text)} is no line of exactperm: it has the fields program, test, statistic, alternative, p "
            "and sha256, separated by ' | '"
        )
    runs = re.fullmatch(_RUNS, fields[1], re.ASCII)
    units = runs or _matched(_UNITS, fields[1], "test")
    statistic, details = _statistic(units[1], fields[2], runs is not None)
    design = {words: name for name, words in EXCHANGES.items()}[runs[2]] if runs else None
    choice(fields[3], "alternative", ALTERNATIVES)
    digests = _matched(_DIGEST, fields[5], "digest")[1].split("+") if len(fields) == 6 else []
    return Sentence(
        version=fields[0].split()[1],
        statistic=statistic,
        alternative=fields[3],
        n=int(units[3] if runs else units[2]),
        units="pairs" if runs else f"{units[3]}s",
        design=design,
        p=_pvalue(fields[4]),
        rounded=re.fullmatch(_ROUNDED, fields[4], re.ASCII) is not None,
        sha256=tuple(digests),
        **_details(details, statistic, fields[2]),
    )


def _matched(pattern: str, field: str, name: str) -> re.Match[str]:
    match = re.fullmatch(pattern, field, re.ASCII)
    if match is None:
        raise ExactPermError(
            f"the {name} of the line is {short_text(field)}, which no test of exactperm writes"
        )
    return match


def _statistic(test: str, field: str, runs: bool) -> tuple[str, list[str]]:
    """Return the name of the statistic, and the details after its words; tests of ``runs`` have one statistic."""
    words, *details = field.split(", ")
    if words == MEAN_WORDS and (runs or (details and is_weights(details[0]))):
        words = STATISTICS["sum"][1]
    elif runs:
        words = ""
    names = [name for name, both in STATISTICS.items() if both == (test, words)]
    if not names:
        raise ExactPermError(
            f"the line has the statistic {short_text(field)} of the test {short_text(test)}: no test"
        )
    return names[0], details


def _details(details: list[str], statistic: str, field: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    rules = {words: name for name, words in ZEROS.items()}
    for detail in details:
        if detail in rules and statistic == "signed-rank":
            found["zeros"] = rules[detail]
        elif is_weights(detail) and detail == details[0] and field.startswith(_WEIGHED):
            found["weights"] = detail
        elif detail == SWAPPED_ORDER:
            found["swapped_order"] = True
        elif detail.startswith(SHIFT):
            found["mu"] = exact(detail[len(SHIFT) :], "shift")
        elif re.fullmatch(_PLACES_AFTER, detail):
            found["decimals"] = int(detail.split()[2])
        else:
            raise ExactPermError(
                f"the statistic of the line is {short_text(field)}: {short_text(detail)} is unknown"
            )
    return found


def _pvalue(field: str) -> PValue:
    bounds = re.fullmatch(_BOUNDS, field, re.ASCII)
    if bounds:
        low, high = [Fraction(exact(end, "p")) for end in bounds.groups()]
        if not low <= high <= 1:
            raise ExactPermError(
                f"the p-value of the line is {short_text(field)}: no interval of probabilities"
            )
        return low, high
    rounded = re.fullmatch(_ROUNDED, field, re.ASCII)
    if rounded:
        places = len(rounded[1]) - 2 + int(rounded[2] or 0)
        middle, half = Fraction(exact(field[4:], "p")), Fraction(5, 10 ** (places + 1))
        return middle - half, middle + half
    match = _matched(_POINT, field, "p-value")
    p = Fraction(exact(match[2], "p"))
    digits = len(match[1].partition("e")[0].replace(".", "").lstrip("0"))
    if not (0 < p <= 1 and 0 < digits < 100 and match[1] == decimal_string(p, digits)):
        raise ExactPermError(
            f"the p-value of the line is {short_text(field)}: the two numbers do not agree"
        )
    return p
