"""Read a line as papers print it: test statistic, p-value, and the words beside it, which state fields of the claim.

    t(14) = 2.148, p = .050        V = 96, p (one-tailed) = .021        p(Bonferroni) = .158        p = .053, n.s.

Every word agrees with the claim, or states an open field, or is refused: none is passed over.
"""

from __future__ import annotations

import re
from fractions import Fraction

from .._types import Any
from ..arithmetic.quoting import short_text
from ..errors import ExactPermError
from ..multiplicity import adjustment
from ..record import Record, replaced
from .printed import MOST_CHARACTERS, PrintedPValue, plain, read_pvalue

_BEFORE = re.compile(
    r"(?P<statistic>(?P<name>[A-Za-z][A-Za-z^\d'+ -]{0,30}?)\s*(?P<df>\([^()]*\))?\s*"
    r"=\s*[-+]?[\d.,]*\d)\s*[,;]\s*(?=\S)"
)
_LABEL = re.compile(
    r"(?P<label>p(?:r|rob)?(?:[ .-]?values?)?)(?:\s*\((?P<inside>[^)]*)\)|_\{?(?:\\text\{)?(?P<index>\w+)\}*)"
)
_AFTER = re.compile(
    r"(?P<p>.*\d)\s*(?:,\s*|\s+|\()\(?(?P<words>[A-Za-z12][A-Za-z. -]*[A-Za-z.])\)?\s*"
)
_BEHIND = re.compile(
    r"(?P<p>.*\d)\s*[,;]\s*(?P<name>n|(?:cohen'?s )?d[z_]?|(?:hedges'? )?g|r(?:_?rb)?|partial eta2|eta2|\u03b7\^2)\s*"
    r"=\s*(?P<value>[-+]?[\d.,]*\d)",
    re.IGNORECASE,
)
"""The number of pairs, or the size of an effect, behind a p-value, of which it says nothing."""
_NOT_SIGNIFICANT = frozenset(
    ("ns", "notsignificant", "nonsignificant", "notstatisticallysignificant")
)
_SIGNIFICANT = frozenset(("significant", "s", "sig", "statisticallysignificant"))
_TAILS = (
    (r"(one|1)[ -]?(sided|tailed|tail)", {"alternative": "min"}),
    (r"(two|2)[ -]?(sided|tailed|tail)", {"alternative": "two-sided"}),
    (r"greater", {"alternative": "greater"}),
    (r"less", {"alternative": "less"}),
)
_TESTS: tuple[tuple[str, dict[str, Any]], ...] = (
    (r">\s*\|t\|", {"alternative": "two-sided", "law": "t"}),
    (r">\s*\|[zw]\|", {"alternative": "two-sided", "law": "asymptotic"}),
    (r">\s*t", {"alternative": "greater", "law": "t"}),
    (r"<\s*t", {"alternative": "less", "law": "t"}),
    (r"t\s*<=\s*t", {"law": "t"}),
    (r"exact", {"law": "exact"}),
    (r"asymptotic|asymp\.? sig\.?|approximate", {"law": "asymptotic"}),
    (r"t[ -]?test", {"statistic": "sum", "law": "t"}),
    (r"wilcoxon|signed[ -]rank", {"statistic": "signed-rank"}),
    (r"mcnemar|mcnemar's test", {"statistic": "mcnemar"}),
    (r"sign test", {"statistic": "sign"}),
    (r"perm|permutation|randomi[sz]ation", {"statistic": "sum", "permuted": True}),
    (r"raw|uncorrected|unadjusted|obs|val|value|h0", {}),
)
"""What words in a label or behind a number state."""
_CHI_SQUARED = r"(mcnemar's )?(chi|chi-squared|chi-square|x-squared|x|chi\^)\^?2?"
_STATISTICS: tuple[tuple[str, dict[str, str]], ...] = (
    (r"t", {"statistic": "sum"}),
    (r"[vw]|[tvw][+-]", {"statistic": "signed-rank"}),
    (r"z", {}),
    (_CHI_SQUARED, {}),
)
"""What the name of a printed test statistic states: no law, since exact p-values are printed beside
a z as well."""
_PARTS = re.compile(r"(?:(?P<name>[^=(]*?)\s*(?:\((?P<inside>[^()]*)\))?\s*=)?\s*(?P<value>[^=]*)")
_DF = re.compile(r"(?:df\s*=\s*)?(\d+(?:\.\d+)?)\s*(?:,.*)?", re.IGNORECASE)
_MAY_BE = {
    ("alternative", "min"): ("greater", "less", "min"),
    ("alternative", "two-sided"): ("two-sided", "doubled", "2min"),
    ("law", "asymptotic"): ("normal", "normal-cc", "asymptotic"),
    ("law", "exact"): ("exact",),
    ("statistic", "sum"): ("sum", "accuracy", "f1", "precision", "recall", "ratio"),
}
"""Values of a claim's field that agree with a word."""


class Line(Record):
    """A printed line: the text of its p-value, and the fields of a claim that its words state.

    ``law`` is the law of the printed test statistic, which holds unless the claim states another
    one; ``permuted`` says that they name a permutation test.
    """

    p: str
    fields: dict[str, Any]
    law: str = ""
    permuted: bool = False


class PrintedStatistic(Record):
    """A printed test statistic: its name, its kind ("t", "z", "chi2", else ""), degrees of freedom, sign and size."""

    name: str
    kind: str
    df: Fraction | None
    negative: bool
    size: PrintedPValue


def read_statistic(text: str) -> PrintedStatistic | None:
    """Return the parts of a printed test statistic; None where it has no number.

    T without degrees of freedom may be Student's, a sum of differences, or one of ranks: it is of
    no kind.
    Source: spec/10-audit.md.

    >>> read_statistic("t(14) = -2.15").df, read_statistic("T = 314").kind
    (Fraction(14, 1), '')
    """
    match = _PARTS.fullmatch(plain(text))
    if match is None:
        return None
    name, value = (match["name"] or "").strip(), match["value"].strip()
    try:
        size = read_pvalue(value.lstrip("+-"))
    except ExactPermError:
        return None
    if size.value is None or size.relation != "=":
        return None
    # a bare 0 or 1 has the unit 1, though no p-value has it
    if size.unit and not re.search("[.,e]", value):
        size = replaced(size, unit=Fraction(1), form="decimal")
    df = _DF.fullmatch((match["inside"] or "").strip())
    kind = "t" if name == "t" or (name == "T" and df) else "z" if name.lower() == "z" else ""
    kind = "chi2" if re.fullmatch(_CHI_SQUARED, name, re.IGNORECASE) else kind
    freedom = Fraction(df[1]) if df else None
    return PrintedStatistic(
        name=name, kind=kind, df=freedom, negative=value.startswith("-"), size=size
    )


def read_line(text: str) -> Line:
    """Return the p-value of a printed line, and what the words beside it state.

    Raises ``ExactPermError`` for words that state nothing known.

    >>> read_line("p (one-tailed) = .026, n.s.").fields
    {'alternative': 'min', 'decision': 'no'}
    """
    fields: dict[str, Any] = {}
    if len(text) > MOST_CHARACTERS:
        return Line(p=text, fields=fields)
    whole = body = plain(text)
    body, law = _without_statistics(body, fields, text)
    while (behind := _BEHIND.fullmatch(body)) and not _is_number(body):
        _add(
            fields,
            {"n": behind["value"].replace(",", "")} if behind["name"].lower() == "n" else {},
            text,
        )
        body = behind["p"]
    label = _LABEL.match(body) or _LABEL.match(body.lower())
    if label:
        for words in re.split(r"[,;]", label["inside"] or label["index"] or ""):
            _add(fields, _of_words(words, text), text)
        body = body[: label.end("label")] + body[label.end() :]
    after = _AFTER.fullmatch(body)
    if after and not _is_number(body) and _is_number(after["p"]):
        for words in re.split(r"[,;]", after["words"]):
            _add(fields, _of_words(words, text), text)
        body = after["p"]
    permuted = fields.pop("permuted", False)
    law = "" if permuted else law
    return Line(p=text if body == whole else body, fields=fields, law=law, permuted=permuted)


def _without_statistics(body: str, fields: dict[str, Any], text: str) -> tuple[str, str]:
    """Return a line from its p-value on, and the law of the statistics before it, which state ``fields``."""
    law = ""
    while match := _BEFORE.match(body):
        name = match["name"].strip().lower()
        value = match["statistic"].rpartition("=")[2].strip()
        if name == "n":
            _add(fields, {"n": value.replace(",", "")}, text)
        # as R prints it
        elif name == "df" and "(" not in (known := fields.get("printed_statistic", "(")):
            fields["printed_statistic"] = known.replace("=", f"({value}) =", 1).replace(" (", "(")
            if known.startswith("T"):
                _add(fields, {"statistic": "sum"}, text)
                law = "t"
        elif name.startswith("p"):
            break
        else:
            stated = (
                {} if match["name"] == "T" and not match["df"] else _stated(name, _STATISTICS, text)
            )
            _add(fields, {"printed_statistic": match["statistic"], **stated}, text)
            law = "t" if stated.get("statistic") == "sum" else law
        body = body[match.end() :]
    return body, law


def agrees(name: str, value: Any, word: Any) -> bool:
    """Return whether the value of a claim's field agrees with what a word states."""
    return value == word or value in _MAY_BE.get((name, word), ())


def _add(fields: dict[str, Any], told: dict[str, Any], text: str) -> None:
    for name, value in told.items():
        if fields.setdefault(name, value) != value:
            if name == "printed_statistic":
                continue
            raise ExactPermError(
                f"the printed line {short_text(text)} states {name} twice: {fields[name]}, {value}"
            )


def _stated(word: str, table: Any, text: str) -> dict[str, Any]:
    """Return the fields that a word states by a table; ``ExactPermError`` where it states none."""
    for pattern, fields in table:
        if re.fullmatch(pattern, word, re.IGNORECASE):
            return dict(fields)
    raise ExactPermError(
        f"the printed p-value {short_text(text)} cannot be read: {short_text(word)} states nothing known; leave it "
        "out, or state it as a field of the claim"
    )


def _of_words(words: str, text: str) -> dict[str, Any]:
    word = " ".join(words.split()).lower().strip(" .")
    squeezed = re.sub(r"[ .-]", "", word)
    if squeezed in _NOT_SIGNIFICANT:
        return {"decision": "no"}
    if squeezed in _SIGNIFICANT:
        return {"decision": "yes"}
    if not word:
        return {}
    try:
        return {"adjustment": adjustment(re.sub(r"[ -]?(adjusted|adj|corrected)\.?$", "", word))}
    except ExactPermError:
        return _stated(word, (*_TAILS, *_TESTS), text)


def _is_number(body: str) -> bool:
    try:
        read_pvalue(body)
    except ExactPermError:
        return False
    return True
