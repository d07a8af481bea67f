r"""Read a line as papers and programs print it: a p-value, the words beside it, a test statistic.

A line is a bag of known phrases, each of which states fields of a claim: every phrase is taken out,
and one number with its relation must be left. None is passed over, and none is guessed.

    t(14) = 2.148, p = .050        Asymp. Sig. (2-tailed) .041        p = .053 (10,000 permutations)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from .._types import Any
from ..arithmetic.quoting import short_text
from ..errors import ExactPermError
from ..multiplicity import NAMES, adjustment
from ..record import Record, replaced
from .printed import MOST_CHARACTERS, PrintedPValue, plain, read_pvalue

_LABEL = re.compile(r"(?<!\w)p(?:r|rob)?(?:[ .-]?val(?:ue)?s?)?[ .]?(?![a-z])", re.IGNORECASE)
_CHI_SQUARED = r"(mcnemar's )?(chi|chi-squared|chi-square|x-squared|x|chi\^)\^?2?"
_PARTS = re.compile(r"(?:(?P<name>[^=(]*?)\s*(?:\((?P<inside>[^()]*)\))?\s*=)?\s*(?P<value>[^=]*)")
_DF = re.compile(r"(?:df\s*=\s*)?(\d+(?:\.\d+)?)\s*(?:,.*)?", re.IGNORECASE)
_NUMBER = r"(?P<number>[-+]?[\d.,]*\d(?:e[-+]?\d+)?)"
_INSIDE = r" ?(?:\((?P<inside>[^()=]*(?:,[^()]*)?|df ?=[^()]*)\))?"
_IS = rf"{_INSIDE} ?= ?{_NUMBER}"
_BEYOND = r"(?:pr|prob|p) ?\(? ?(?:\|?t\|? )?>=? ?\|"
_TWO, _ONE = {"alternative": "two-sided"}, {"alternative": "min"}
_RANKS, _SUM = {"statistic": "signed-rank"}, {"statistic": "sum"}
_T = {**_SUM, "law": "t"}
_GIVEN = {"printed_statistic": "{0}"}
_METHODS = "|".join(
    sorted((re.escape(name).replace(r"\-", "[- ]") for name in NAMES), key=len)[::-1]
)

PHRASES: tuple[tuple[str, Mapping[str, str]], ...] = (
    # numbers with a name: samples, pairs, sizes that say nothing of p, statistics
    (
        rf"{_NUMBER} (?:random |monte carlo |bootstrap )*(?:permutations|resamples|resamplings|samples"
        r"|assignments|randomi[sz]ations|iterations|shuffles|repetitions|replicates|draws|trials|rounds)",
        {"samples": "{number}"},
    ),
    (
        rf"(?:(?-i:[KB])|n_?resamples|n_?permutations|permutations|resamples) ?= ?{_NUMBER}",
        {"samples": "{number}"},
    ),
    (r"\d+ ?% ?(?:ci|confidence interval) ?=? ?[(\[][^)\]]*[)\]]", {}),
    (
        rf"(?:(?-i:M|SD|SE)|mean|median|(?:mean )?difference|(?:cohen'?s )?d[z_]?|(?:hedges'? )?g|r(?:[ _]?rb)?"
        rf"|(?:partial )?eta(?:\^?2)?) ?= ?{_NUMBER}",
        {},
    ),
    (rf"df ?= ?{_NUMBER}", {"df": "{number}"}),
    (rf"(?:(?-i:t)|t[- ]?(?:statistic|stat|value)){_IS}", {**_GIVEN, **_SUM}),
    (rf"(?:(?-i:[VWS]|[TVW][+-])){_IS}", {**_GIVEN, **_RANKS}),
    (rf"(?:mcnemar's )?(?:chi|x)(?:-?squared?)?\^?2?{_IS}", _GIVEN),
    (rf"(?:(?-i:T)|z|(?:test )?statistic){_IS}", _GIVEN),
    (rf"n(?: pairs)? ?= ?{_NUMBER}", {"n": "{number}"}),
    (rf"{_NUMBER} pairs", {"n": "{number}"}),
    (rf"(?:= ?)?{_NUMBER}(?: ?\(.*?\))? ?(?=\(p\b)", {}),  # a score, before its p-value in brackets
    (r"bleu|chrf2?(?:\+\+)?|ter", {}),
    # labels of SAS, Stata, Excel, SPSS, R, SciPy
    (rf"{_BEYOND}t\|\)?", {**_TWO, "law": "t"}),
    (rf"{_BEYOND}z\|\)?", {**_TWO, "law": "asymptotic"}),
    (rf"{_BEYOND}s\|\)?", {**_TWO, **_RANKS}),
    (rf"{_BEYOND}m\|\)?", {**_TWO, "statistic": "sign"}),
    (r"pr ?>=? ?chi-?sq(?:uare)?", {"statistic": "mcnemar"}),
    (r"p ?\(t ?<= ?t\)", {"law": "t"}),
    (r"(?:pr|prob|p) ?\(? ?(?:t )?> ?t\)?", {"alternative": "greater", "law": "t"}),
    (r"(?:pr|prob|p) ?\(? ?(?:t )?< ?t\)?", {"alternative": "less", "law": "t"}),
    (r"monte carlo sig\.?", {"law": "permutation"}),
    (r"asymp\.? sig\.?", {"law": "asymptotic"}),
    (r"sig(?:nificance|\.)?(?= ?[(=<>.\d])", {}),
    (r"alternative(?: hypothesis)? ?=?(?: true .* is(?= not equal| greater| less))?", {}),
    (r"not equal to 0", _TWO),
    (r"wilcoxonresult", _RANKS),
    (r"ttest(?:_rel)?result", _T),
    (r"permutationtestresult", {"law": "permutation"}),
    # tests
    (r"wilcoxon[- ]pratt", {**_RANKS, "zeros": "pratt"}),
    (r"wilcoxon(?:'s)?", _RANKS),
    (r"(?:matched[- ]pairs? )?signed[- ]ranks?", _RANKS),
    (r"(?:student'?s? )?t[- ]tests?", _T),
    (r"student(?:'s)? t|student(?:'s)?", _T),
    (r"sign[- ]tests?", {"statistic": "sign"}),
    (r"mcnemar(?:'s)?", {"statistic": "mcnemar"}),
    (
        r"perm(?:utations?|uted|\.)?|(?:re-?)?randomi[sz]ation|sign[- ]?flip(?:ping|s)?",
        {"law": "permutation"},
    ),
    (
        r"monte[- ]carlo|bootstrap(?:ped)?|resampl(?:ing|ed)|simulat(?:ed|ion)|approximative",
        {"law": "permutation"},
    ),
    (
        r"tests?|paired-?|dependent|related|matched|samples?|the|an?|of|by|with|and|to 0|h0|from(?= )",
        {},
    ),
    # laws, boundaries, tails
    (r"mid[- ]?p(?:[- ]?values?)?", {"boundary": "mid", "law": "exact"}),
    (r"exact", {"law": "exact"}),
    (r"(?:no|without) continuity[- ]correction", {"law": "normal"}),
    (r"continuity[- ]correct(?:ion|ed)", {"law": "normal-cc"}),
    (
        r"asymptotic|asymp\.?|approximate|normal[- ]approximation|approximation|large[- ]sample",
        {"law": "asymptotic"},
    ),
    (r"(?:two|2)[- .]?(?:sided|tailed|tails?)", _TWO),
    (r"(?:one|1)[- .]?(?:sided|tailed|tails?)", _ONE),
    (r"doubled", {"alternative": "doubled"}),
    (r"(?:greater|larger)(?: than)?", {"alternative": "greater"}),
    (r"(?:less|smaller)(?: than)?", {"alternative": "less"}),
    # decisions, adjustments, the label
    (r"n\.? ?s\.?|(?:not (?:statistically )?|non-?)significant", {"decision": "no"}),
    (r"(?:statistically )?significant|sig\.?", {"decision": "yes"}),
    (
        rf"(?P<number>{_METHODS})(?:[- ]?(?:adjusted|adj\.?|corrected|correction|method))?",
        {"adjustment": "{number}"},
    ),
    (r"adjusted|adj\.?|corrected", {"adjusted": "yes"}),
    (r"raw|uncorrected|unadjusted|nominal|observed|obs", {}),
)
"""Phrase, and the fields of a claim that it states; "{0}" is its text, "{number}" the number in it.

Taken out of a line in this order, in any case but for the names of statistics.
"""
_FOUND = [
    (re.compile(rf"(?<![\w.])(?:{one})(?!\w|[.,]\d)", re.IGNORECASE), fields)
    for one, fields in PHRASES
]
_MAY_BE = {
    ("alternative", "min"): ("greater", "less", "min"),
    ("alternative", "two-sided"): ("two-sided", "doubled", "2min"),
    ("law", "asymptotic"): ("normal", "normal-cc"),
    ("law", "permutation"): ("exact", "monte-carlo"),
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


_STARRED = re.compile("[*\u2020\u2021\u2217\u22c6\u2605\uff0a\u00a7]\\s*$")
"""Stars without a legend, which only a claim can judge."""


def read_line(text: str) -> Line:
    """Return the p-value of a printed line, and what the words beside it state.

    Raises ``ExactPermError``, which says what was understood, where more or less than one number is
    left, or words that state nothing known.

    >>> read_line("p (one-tailed) = .026, n.s.").fields
    {'alternative': 'min', 'decision': 'no'}
    >>> read_line("Asymp. Sig. (2-tailed) .041")
    Line(p='.041', fields={'law': 'asymptotic', 'alternative': 'two-sided'}, law='', permuted=False)
    """
    if len(text) > MOST_CHARACTERS or _STARRED.search(text) or _is_number(plain(text)):
        return Line(p=text, fields={})
    fields, body = _taken(plain(text), text)
    label = _LABEL.search(body)
    left = _tidy(body[: label.start()] + body[label.end() :] if label else body)
    if not _is_number(left) or _LABEL.search(left) or {"df", "adjusted"} & {*fields}:
        if not fields:
            return Line(p=text, fields={})  # no number of a known form, which its reader refuses
        known = "; ".join(f"{name} = {value}" for name, value in fields.items())
        told = f"understood: {known}; left over: {short_text(left)}, which is not one number"
        raise ExactPermError(f"the printed p-value {short_text(text)} cannot be read: {told}")
    permuted = fields.get("law") == "permutation"
    return Line(p=left, fields=fields, law=_law(fields), permuted=permuted)


def _law(fields: dict[str, Any]) -> str:
    """Return the law of a printed t, and state what permutations mean: a sum, or random samples of it."""
    permuted = fields.get("law") == "permutation"
    if permuted:
        del fields["law"]
        fields.setdefault("statistic", "sum")
    if "samples" in fields:
        fields.setdefault("law", "monte-carlo")
        fields["samples"] = fields["samples"].replace(",", "")
    if "n" in fields:
        fields["n"] = fields["n"].replace(",", "")
    found = read_statistic(fields.get("printed_statistic", ""))
    student = found is not None and found.kind == "t" and not permuted and "samples" not in fields
    return "t" if student else ""


def agrees(name: str, value: Any, word: Any) -> bool:
    """Return whether the value of a claim's field agrees with what a word states."""
    return value == word or value in _MAY_BE.get((name, word), ())


def _taken(body: str, text: str) -> tuple[dict[str, Any], str]:
    """Return the fields that the phrases of a line state, and the line without them."""
    fields: dict[str, Any] = {}
    body = re.sub(r"\\text|_\{? *(?=[A-Za-z\\])|[{}]", " ", body)
    body = re.sub(rf"np\.\w+\({_NUMBER}\)", r"\1", body)
    for pattern, stated in _FOUND:
        while match := pattern.search(body):
            for name, value in stated.items():
                told = value.format(match[0], **match.groupdict())
                if name != "printed_statistic" or name not in fields:  # the first one is checked
                    _state(fields, name, adjustment(told) if name == "adjustment" else told, text)
            body = f"{body[: match.start()]} {body[match.end() :]}"
    if "printed_statistic" in fields:
        fields["printed_statistic"] = _named(fields["printed_statistic"], fields)
    if "adjustment" in fields:
        fields.pop("adjusted", None)
    return fields, body


def _named(statistic: str, fields: dict[str, Any]) -> str:
    """Return a printed statistic with its degrees of freedom in brackets, and by the name of its test."""
    name, equals, value = statistic.rpartition("=")
    name = re.sub(r"(?i)^\s*t[- ]?(statistic|stat|value)", "t", name).strip()
    if re.fullmatch(r"(?i)(test )?statistic", name):
        name = {"sum": "t", "signed-rank": "T"}.get(fields.get("statistic", ""), "")
    df = fields.pop("df", "")
    if "(" not in name and df:
        name = f"{name}({df})"
    if name.startswith("T("):
        fields.setdefault("statistic", "sum")
    return f"{name} = {value.strip()}" if name and equals else value.strip()


def _tidy(body: str) -> str:
    """Return what is left of a line without the marks between phrases."""
    while (plain := re.sub(r"\([\s,;=.]*\)|[,;=](?=\s*[,;=<>)])", " ", body)) != body:
        body = plain
    return " ".join(body.split()).strip(" ,;()")


def _state(fields: dict[str, Any], name: str, value: str, text: str) -> None:
    """State a field once more: of two values that agree the more exact one stays; ``ExactPermError`` for others."""
    before = fields.setdefault(name, value)
    if agrees(name, value, before):
        fields[name] = value
    elif not agrees(name, before, value):
        told = f"the printed line {short_text(text)} states {name} twice: {before}, {value}"
        raise ExactPermError(told)


def _is_number(body: str) -> bool:
    try:
        read_pvalue(body)
    except ExactPermError:
        return False
    return True
