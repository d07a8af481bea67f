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
from ..record import replaced
from .text import LABEL, PrintedPValue, plain, read_pvalue, unreadable

Stated = dict[str, Any]
"""Fields of a claim that are stated, by name."""
_NUMBER = r"(?P<number>[-+]?[\d.,]*\d(?:e[-+]?\d+)?)"
_INSIDE = r" ?(?:\((?P<inside>[^()=]*(?:,[^()]*)?|df ?=[^()]*)\))?"
_IS = rf"{_INSIDE}(?: ?= ?| ){_NUMBER}"
_BEYOND = r"(?:pr|prob|p) ?\(? ?(?:\|?t\|? )?>=? ?\|"
_TWO = {"alternative": "two-sided"}
_ONE = {"alternative": "min"}
_RANKS = {"statistic": "wilcoxon"}
_MEAN = {"statistic": "difference"}
_T = {**_MEAN, "law": "t"}
_PERMUTED = {"law": "permutation"}
_UNPAIRED = {"unpaired": "yes"}
_NAMED = {"printed_statistic": "{name}({inside}) = {number}"}
_T_GIVEN, _CHI = [
    {"printed_statistic": f"{name}({{inside}}) = {{number}}"} for name in ("t", "chi2")
]
_METHODS = "|".join(
    sorted((re.escape(name).replace(r"\-", "[- ]") for name in NAMES), key=len)[::-1]
)

PHRASES: tuple[tuple[str, Mapping[str, str]], ...] = (
    # numbers with a name: samples, levels, sizes that say nothing of p, statistics, pairs
    (
        rf"{_NUMBER} (?:random |monte carlo |bootstrap )*(?:permutations|resamples|resamplings|samples"
        r"|assignments|(?:random )?sign[- ]flips|flips|randomi[sz]ations|iterations|shuffles|repetitions|replicates|draws|trials|rounds)",
        {"samples": "{number}"},
    ),
    (
        rf"(?:(?-i:[KB])|n_?resamples|n_?permutations|permutations|resamples) ?= ?{_NUMBER}",
        {"samples": "{number}"},
    ),
    (r"\d+ ?% ?(?:ci|confidence interval) ?=? ?[(\[][^)\]]*[)\]]", {}),
    (r"null[_ ]?distribution ?=.*|seed ?=? ?\d+|data ?= ?\S+ by .* stratified by \w+", {}),
    (r"h[a0o] ?= ?mean ?\(diff\) ?(?:!=|>|<|=) ?0", {}),
    (
        rf"(?:(?-i:M(?: ?diff)?|Mdn|SD|SE)|mean|median|(?:mean )?difference|(?:cohen'?s )?d ?z?|(?:hedges'? )?g"
        rf"|r(?: ?rb)?|bf ?(?:10|01)|(?:partial )?eta ?p?(?:\^?2)?p?) ?= ?{_NUMBER}",
        {},
    ),
    (rf"(?:at )?alpha ?= ?{_NUMBER}", {"alpha": "{number}"}),
    (rf"(?:at )?(?:the )?{_NUMBER} level(?: of significance)?", {"alpha": "{number}"}),
    (rf"(?:at )?(?:the )?{_NUMBER} ?% level(?: of significance)?", {"alpha": "{number}e-2"}),
    (rf"point probability ?=? ?{_NUMBER}", {}),
    (rf"{_NUMBER} (?:tests|comparisons)", {"tests": "{number}"}),
    (rf"df(?: ?= ?| ){_NUMBER}", {"df": "{number}"}),
    (rf"(?:(?-i:t)|t[- ]?(?:statistic|stat|value)){_IS}", {**_T_GIVEN, **_MEAN}),
    (rf"(?-i:M) {_NUMBER}(?= pr)", {}),
    (rf"(?P<name>(?-i:[VWS]|[TVW][+-])){_IS}", {**_NAMED, **_RANKS}),
    (rf"(?:mcnemar's )?(?:chi|x)(?:-?squared?)?\^?2?{_INSIDE} ?= ?{_NUMBER}", _CHI),
    (rf"(?:test |wilcoxon )?(?P<name>(?-i:T)|z|statistic){_IS}", _NAMED),
    (rf"n(?: pairs| for test)?(?: ?= ?| ){_NUMBER}", {"n": "{number}"}),
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
    (r"monte carlo sig\.?", _PERMUTED),
    (r"asymp\.? sig\.?", {"law": "asymptotic"}),
    (
        r"(?:sig(?:nificance|\.)?(?: probability)?|probability)(?= ?(?:[=<>]|\.?\d|\((?:1|2|one|two)))",
        {},
    ),
    (r"alternative(?: hypothesis)? ?=?(?: true .* is(?= not equal| greater| less))?", {}),
    (r"not equal to 0", _TWO),
    (r"wilcoxonresult", _RANKS),
    (r"ttest(?:[_ ]?rel)?result", _T),
    (r"permutationtestresult", _PERMUTED),
    # tests
    (
        r"(?:wilcoxon[- ])?rank[- ]?sums?|mann[- ]whitney(?:'s)?(?: u)?|unpaired|independent",
        _UNPAIRED,
    ),
    (r"(?:difference of )?means?(?: difference)?", _MEAN),
    (r"wilcoxon[- ]pratt", {**_RANKS, "zeros": "pratt"}),
    (r"wilcox(?:on(?:'s)?|\.test)?|signrank", _RANKS),
    (r"(?:matched[- ]pairs? )?signed[- ]ranks?", _RANKS),
    (r"(?:student'?s? )?t[- .]?tests?(?: rel)?", _T),
    (r"student(?:'s)? t|student(?:'s)?", _T),
    (
        r"perm(?:utations?|uted|\.)?|(?:approximate )?(?:re-?)?randomi[sz]ation|sign[- ]?flip(?:ping|s)?",
        _PERMUTED,
    ),
    (r"sign(?:[- ]tests?)?", {"statistic": "sign"}),
    (r"mcnemar(?:'s)?(?: chi-?squared?(?= test))?", {"statistic": "mcnemar"}),
    (
        r"monte[- ]carlo|bootstrap(?:ped)?|resampl(?:ing|ed)|simulat(?:ed|ion)|approximative",
        _PERMUTED,
    ),
    (r"binomial", {"law": "exact"}),
    # laws, boundaries, tails
    (r"mid[- ]?p(?:[- ]?values?)?", {"boundary": "mid", "law": "exact"}),
    (r"exact ?= ?false", {"law": "asymptotic"}),
    (r"exact(?: ?= ?true)?", {"law": "exact"}),
    (
        r"(?:no|without)(?: the)? continuity[- ]correction|uncorrected for continuity|correct ?= ?false",
        {"law": "normal"},
    ),
    (r"continuity[- ]correct(?:ion|ed)|correct ?= ?true", {"law": "normal-cc"}),
    (
        r"asymptotic|asymp\.?|approximate|normal[- ]approximation|approximation|large[- ]sample",
        {"law": "asymptotic"},
    ),
    (r"(?:two|2)[- .]?(?:sided|tailed|tails?)", _TWO),
    (r"(?:one|1)[- .]?(?:sided|tailed|tails?)", _ONE),
    (r"doubled", {"alternative": "doubled"}),
    (r"(?:greater|larger)(?: than(?: 0)?)?|upper[- ]tail(?:ed)?", {"alternative": "greater"}),
    (r"(?:less|smaller)(?: than(?: 0)?)?|lower[- ]tail(?:ed)?", {"alternative": "less"}),
    # decisions, adjustments, what says nothing
    (
        r"n\.? ?s\.?|(?:not (?:statistically )?|non-?)significant|not sig\.?"
        r"|no (?:statistically )?significant (?:difference|effect)|fail(?:ed)? to reject(?: h0)?",
        {"decision": "no"},
    ),
    (r"(?:statistically )?significant|sig\.?|rejects?(?: h0)?", {"decision": "yes"}),
    (r"(?-i:by)|for", {}),
    (
        rf"(?P<number>{_METHODS})(?:[- ]?(?:adjusted|adj\.?|corrected|correction|method))?",
        {"adjustment": "{number}"},
    ),
    (r"adjusted|adj\.?|corrected", {"adjusted": "yes"}),
    (
        r"tests?|paired(?: ?= ?true)?-?|dependent|related|matched|(?:1|one)-sample|samples?|the|an?|of|with|and|was|is|difference|effect"
        r"|to 0|h0|from(?= )|raw|uncorrected|unadjusted|nominal|observed|obs|used|distribution|result",
        {},
    ),
)
"""Phrase, and the fields of a claim that it states; "{name}", "{inside}" and "{number}" are parts of it.

Taken out of a line in this order, in any case but for the names of statistics.
"""
_FOUND = [
    (re.compile(rf"(?<![\w.])(?:{one})(?!\w|[.,]\d)", re.IGNORECASE), fields)
    for one, fields in PHRASES
]
_MAY_BE = {
    ("alternative", "min"): ("greater", "less"),
    ("alternative", "two-sided"): ("doubled", "2min"),
    ("law", "asymptotic"): ("normal", "normal-cc"),
    ("law", "permutation"): ("exact", "monte-carlo"),
    ("statistic", "difference"): ("accuracy", "f1", "precision", "recall", "ratio"),
}
"""Values of a field that agree with what a phrase states of it, and say more."""


_PARTS = ("df", "adjusted", "unpaired")
"""What phrases state that is no field: a part of a statistic or an adjustment, and a test that no claim has."""


def state(fields: Stated, name: str, value: Any) -> None:
    """State a field once more: of two values that agree the more exact one stays; ``ExactPermError`` for others.

    >>> fields = {"alternative": "min"}
    >>> state(fields, "alternative", "less")
    >>> fields
    {'alternative': 'less'}
    """
    before = fields.setdefault(name, value)
    if value == before or before in _MAY_BE.get((name, value), ()):
        return
    if value not in _MAY_BE.get((name, before), ()):
        told = f"{name} is stated as {short_text(before)} and as {short_text(value)}"
        raise ExactPermError(told, code="contradiction")
    fields[name] = value


def read_line(text: str, digits: int | None = None) -> tuple[PrintedPValue, Stated]:
    """Return the p-value of a printed line, and the fields of a claim that its phrases state.

    ``digits`` as for :func:`~exactperm.auditing.text.read_pvalue`. Raises ``ExactPermError``, which
    says what was understood, where more or less than one number is left, or words that state
    nothing known.

    >>> printed, fields = read_line("Asymp. Sig. (2-tailed) .041")
    >>> printed.interval[0], fields
    (Fraction(81, 2000), {'law': 'asymptotic', 'alternative': 'two-sided'})
    """
    whole = plain(text)
    found = _number(whole, digits)
    if found is not None:
        return replaced(found, text=text), {}
    fields, body = _taken(whole)
    label = LABEL.search(body)
    left = _tidy(body[: label.start()] + body[label.end() :] if label else body)
    found = _number(left, digits)
    if found is None or LABEL.search(left) or {*_PARTS} & {*fields}:
        known = ", ".join(f"{name} = {value}" for name, value in fields.items())
        told = (
            f"{short_text(left)} is left over, which is not one number" if left else "no p is left"
        )
        raise unreadable(text, f"{told}; understood: {known}" if known else told)
    return replaced(found, text=text), fields


def read_words(text: str) -> Stated:
    """Return the fields of a claim that words such as "two-tailed Wilcoxon test" state; none where a word is unknown.

    >>> read_words("two-tailed Wilcoxon test"), read_words("Friedman test")
    ({'statistic': 'wilcoxon', 'alternative': 'two-sided'}, {})
    """
    fields, body = _taken(plain(text))
    return {} if _tidy(body) or {*_PARTS} & {*fields} else fields


def _taken(text: str) -> tuple[Stated, str]:
    """Return the fields that the phrases of a line state, and the line without them."""
    fields: Stated = {}
    body = re.sub(r"_\{? *(?=\w)|[{}\"]", " ", text)
    body = re.sub(rf"np\.\w+\({_NUMBER}\)", r"\1", body)
    for pattern, stated in _FOUND:
        while match := pattern.search(body):
            for name, value in stated.items():
                told = value.format(**match.groupdict())
                if name != "printed_statistic" or name not in fields:  # the first one is checked
                    state(fields, name, adjustment(told) if name == "adjustment" else told)
            body = f"{body[: match.start()]} {body[match.end() :]}"
    if "unpaired" in fields:
        told = f"{short_text(text)} names a test of two unpaired samples; an audit is of pairs"
        raise ExactPermError(
            f"{told}, whose test of ranks is the signed-rank test", code="unpaired"
        )
    if "printed_statistic" in fields:
        _name_statistic(fields)
    if "adjustment" in fields:
        fields.pop("adjusted", None)
    return fields, body


def _name_statistic(fields: Stated) -> None:
    """Write the degrees of freedom of a printed statistic in brackets, and the name that its test gives it."""
    df = f"({fields.pop('df')})" if "df" in fields else ""
    given = fields["printed_statistic"].replace("(None)", df)
    name, equals, value = given.partition(" = ")
    if name.startswith("T("):
        fields.setdefault("statistic", "difference")
    if name.lower().startswith("statistic"):
        short = {"difference": "t", "wilcoxon": "T"}.get(fields.get("statistic", ""), "")
        name = f"{short}{name[len('statistic') :]}" if short else ""
    fields["printed_statistic"] = f"{name}{equals}{value}" if name else value


def _tidy(body: str) -> str:
    """Return what is left of a line without the marks between phrases."""
    while (plain := re.sub(r"\([\s,;=.]*\)|[,;=](?=\s*[,;=<>)])", " ", body)) != body:
        body = plain
    return " ".join(body.split()).strip(" ,;()")


def _number(body: str, digits: int | None = None) -> PrintedPValue | None:
    """Return the p-value that a text alone is; None for another text."""
    try:
        return read_pvalue(body, digits)
    except ExactPermError:
        return None


_STATISTIC = re.compile(
    r"(?:([^=(]*?)\s*(?:\((?:df\s*=\s*)?(\d+(?:\.\d+)?)?[^()]*\))?(?:\^?2)?\s*=)?\s*[+-]?([^=]*?)"
    r"(?:[,;]\s*df\s*=\s*(\d+(?:\.\d+)?))?",
    re.IGNORECASE,
)
_KINDS = (
    (r"t[- ]?(?:statistic|stat|value)|(?-i:t)", "t"),
    (r"z", "z"),
    (r"(?:mcnemar's )?(?:chi|x)(?:-squared?)?\^?2?", "chi2"),
)


def read_statistic(text: str) -> PrintedPValue | None:
    """Return the size of a printed test statistic; None where there is no number.

    T without degrees of freedom may be Student's, a sum of differences, or one of ranks: it is of
    no kind.
    Source: spec/10-audit.md#audit-statistic.

    >>> read_statistic("t(14) = -2.15").df, read_statistic("T = 314").kind
    (Fraction(14, 1), '')
    """
    match = _STATISTIC.fullmatch(plain(text))
    size = _number(match[3]) if match else None
    if match is None or size is None or size.value is None or size.relation != "=":
        return None
    # a bare 0 or 1 has the unit 1, though no p-value has it
    if size.unit and not re.search("[.,e/]", match[3]):
        size = replaced(size, unit=Fraction(1), form="decimal")
    name = (match[1] or "").strip()
    df = match[4] or match[2]
    kinds = [kind for one, kind in _KINDS if re.fullmatch(one, name, re.IGNORECASE)]
    kind = "t" if name == "T" and df else (*kinds, "")[0]
    freedom: Any = {"name": name, "kind": kind, "df": Fraction(df) if df else None}
    return replaced(size, text=text, **freedom)
