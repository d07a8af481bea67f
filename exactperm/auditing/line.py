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
from .axes import rows
from .text import LABEL, PrintedPValue, plain, read_pvalue, unreadable

Stated = dict[str, Any]
"""Fields of a claim that are stated, by name."""
_PHRASES = r"""
<NUMBER> (?:random |monte carlo |bootstrap )*(?:permutations|resamples|resamplings|samples
    |assignments|(?:random )?sign[- ]flips|flips|randomi[sz]ations|iterations|shuffles
    |repetitions|replicates|draws|trials|rounds)  ->  samples {number}
(?:(?-i:[KB])|n_?resamples|n_?permutations|permutations|resamples) ?= ?<NUMBER>  ->  samples {number}
\d+ ?% ?(?:ci|confidence interval) ?=? ?[(\[][^)\]]*[)\]]  ->
null[_ ]?distribution ?=.*|seed ?=? ?\d+|data ?= ?\S+ by .* stratified by \w+  ->
h[a0o] ?= ?mean ?\(diff\) ?(?:!=|>|<|=) ?0  ->
(?:(?-i:M(?: ?diff)?|Mdn|SD|SE)|mean|median|(?:mean )?difference
    |(?:cohen'?s )?d ?z?|(?:hedges'? )?g|r(?: ?rb)?|bf ?(?:10|01)
    |(?:partial )?eta ?p?(?:\^?2)?p?) ?= ?<NUMBER>  ->
(?:at )?alpha ?= ?<NUMBER>  ->  alpha {number}
(?:at )?(?:the )?<NUMBER> level(?: of significance)?  ->  alpha {number}
(?:at )?(?:the )?<NUMBER> ?% level(?: of significance)?  ->  alpha {number}e-2
point probability ?=? ?<NUMBER>  ->
<NUMBER> (?:tests|comparisons)  ->  tests {number}
df(?: ?= ?| )<NUMBER>  ->  df {number}
<NUMBER> df  ->  df {number}
(?:(?-i:t)|t[- ]?(?:statistic|stat|value))<IS>  ->  printed_statistic t({inside}) = {number}; statistic difference
(?-i:M) <NUMBER>(?= pr)  ->
(?P<name>(?-i:[VW]|[TVW][+-]))<IS>  ->  printed_statistic {name}({inside}) = {number}; statistic wilcoxon
(?:mcnemar's )?(?:chi|x)(?:-?squared?)?\^?2?<INSIDE> ?= ?<NUMBER>  ->  printed_statistic chi2({inside}) = {number}
(?:test |wilcoxon )?(?P<name>(?-i:[TSb])|z|statistic)<IS>  ->  printed_statistic {name}({inside}) = {number}
n(?: pairs| for test)?(?: ?= ?| )<NUMBER>  ->  n {number}
<NUMBER> pairs  ->  n {number}
(?:= ?)?<NUMBER>(?: ?\(.*?\))? ?(?=\(p\b)  ->
bleu|chrf2?(?:\+\+)?|ter  ->
<BEYOND>t\|\)?  ->  alternative two-sided; law t
<BEYOND>z\|\)?  ->  alternative two-sided; law asymptotic
<BEYOND>s\|\)?  ->  alternative two-sided; statistic wilcoxon
<BEYOND>m\|\)?  ->  alternative two-sided; statistic sign
pr ?>=? ?chi-?sq(?:uare)?  ->  statistic mcnemar
p ?\(t ?<= ?t\)  ->  law t
(?:pr|prob|p) ?\(? ?(?:t )?> ?t\)?  ->  alternative greater; law t
(?:pr|prob|p) ?\(? ?(?:t )?< ?t\)?  ->  alternative less; law t
monte carlo sig\.?  ->  law permutation
asymp\.? sig\.?  ->  law asymptotic
(?:sig(?:nificance|\.)?(?: probability)?|probability)(?= ?(?:[=<>]|\.?\d|\((?:1|2|one|two)))  ->
alternative(?: hypothesis)? ?=?(?: true .* is(?= not equal| greater| less))?  ->
not equal to 0  ->  alternative two-sided
wilcoxonresult  ->  statistic wilcoxon
ttest(?:[_ ]?rel)?result  ->  statistic difference; law t
permutationtestresult  ->  law permutation
(?:wilcoxon[- ])?rank[- ]?sums?|mann[- ]whitney(?:'s)?(?: u)?|unpaired|independent  ->  unpaired yes
(?:difference of )?means?(?: difference)?  ->  statistic difference
wilcoxon[- ]pratt  ->  statistic wilcoxon; zeros pratt
wilcox(?:on(?:'s)?|\.test)?|signrank  ->  statistic wilcoxon
(?:matched[- ]pairs? )?signed[- ]ranks?  ->  statistic wilcoxon
(?:student'?s? )?t[- .]?tests?(?: rel)?  ->  statistic difference; law t
student(?:'s)? t|student(?:'s)?  ->  statistic difference; law t
perm(?:utations?|uted|\.)?|(?:approximate )?(?:re-?)?randomi[sz]ation|sign[- ]?flip(?:ping
    |s)?  ->  law permutation
sign(?:[- ]tests?)?  ->  statistic sign
mcnemar(?:'s)?(?: chi-?squared?(?= test))?  ->  statistic mcnemar
monte[- ]carlo|bootstrap(?:ped)?|resampl(?:ing|ed)|simulat(?:ed|ion)|approximative  ->  law permutation
binomial  ->  law exact
mid[- ]?p(?:[- ]?values?)?  ->  boundary mid; law exact
exact ?= ?false  ->  law asymptotic
exact(?: ?= ?true)?  ->  law exact
(?:no|without)(?: the)? continuity[- ]correction|uncorrected for continuity
    |correct ?= ?false  ->  law normal
continuity[- ]correct(?:ion|ed)|correct ?= ?true  ->  law normal-cc
asymptotic|asymp\.?|approximate|normal[- ]approximation|approximation|large[- ]sample  ->  law asymptotic
(?:two|2)[- .]?(?:sided|tailed|tails?)  ->  alternative two-sided
(?:one|1)[- .]?(?:sided|tailed|tails?)  ->  alternative min
doubled  ->  alternative doubled
(?:greater|larger)(?: than(?: 0)?)?|upper[- ]tail(?:ed)?  ->  alternative greater
(?:less|smaller)(?: than(?: 0)?)?|lower[- ]tail(?:ed)?  ->  alternative less
n\.? ?s\.?|(?:not (?:statistically )?|non-?)significant
    |not sig\.?|no (?:statistically )?significant (?:difference|effect)
    |fail(?:ed)? to reject(?: h0)?  ->  decision no
(?:statistically )?significant|sig\.?|rejects?(?: h0)?  ->  decision yes
(?-i:by)|for  ->
(?P<number><METHODS>)(?:[- ]?(?:adjusted|adj\.?|corrected|correction|method))?  ->  adjustment {number}
adjusted|adj\.?|corrected  ->  adjusted yes
tests?|(?:paired|dependent|related|matched)(?:[- ]samples?)?(?: ?= ?true)?-?
    |(?:1|one)[- ]sample|samples?|the
    |an?|of|with|and|was|is|difference|effect|to 0|h0|from(?= )|raw|uncorrected|unadjusted
    |nominal|observed|obs|used|distribution|result  ->
"""
"""Phrase -> the fields of a claim that it states; "{name}", "{inside}" and "{number}" are parts of it.

Taken out of a line in this order, in any case but for the names of statistics. First come numbers
with a name, then labels of SAS, Stata, Excel, SPSS, R and SciPy, tests, laws, boundaries, tails,
decisions and adjustments, last what says nothing.
"""
_NUMBER = r"(?P<number>[-+]?[\d.,]*\d(?:e[-+]?\d+)?)"
_PARTS = {
    "<IS>": "<INSIDE>(?: ?= ?| )<NUMBER>",
    "<INSIDE>": r" ?(?:\((?P<inside>[^()=]*(?:,[^()]*)?|df ?=[^()]*)\))?",
    "<NUMBER>": _NUMBER,
    "<BEYOND>": r"(?:pr|prob|p) ?\(? ?(?:\|?t\|? )?>=? ?\|",
    "<METHODS>": "|".join(
        re.escape(name).replace(r"\-", "[- ]") for name in sorted(NAMES, key=len)[::-1]
    ),
}
"""Parts of phrases; those with others in them come first."""


def _phrase(pattern: str, told: str) -> tuple[re.Pattern[str], Stated]:
    """Return the pattern of a phrase, and what it states."""
    for part, meaning in _PARTS.items():
        pattern = pattern.replace(part, meaning)
    fields = [field.strip().partition(" ")[::2] for field in told.split(";") if field]
    return re.compile(rf"(?<![\w.])(?:{pattern})(?!\w|[.,]\d)", re.IGNORECASE), dict(fields)


PHRASES = [_phrase(*row) for row in rows(_PHRASES, "  ->")]
"""Pattern of each phrase, and what it states."""
_MAY_BE: Mapping[tuple[str, object], tuple[str, ...]] = {
    ("alternative", "min"): ("greater", "less"),
    ("alternative", "two-sided"): ("doubled", "2min"),
    ("law", "asymptotic"): ("normal", "normal-cc"),
    ("law", "permutation"): ("exact", "monte-carlo", "asymptotic", "normal"),
    ("statistic", "difference"): ("accuracy", "f1", "precision", "recall", "ratio"),
}
"""Values of a field that agree with what a phrase states of it, and say more."""


_NO_FIELDS = {"df", "adjusted"}
"""What phrases state that is no field: a part of a statistic or an adjustment."""


def state(fields: Stated, name: str, value: object) -> None:
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


def read_line(
    text: str, digits: int | None = None, method: str | None = None
) -> tuple[PrintedPValue, Stated]:
    """Return the p-value of a printed line, and the fields of a claim that its phrases state.

    ``digits`` as for :func:`~exactperm.auditing.text.read_pvalue`; ``method`` is the adjustment that
    "adjusted" means, if that is known. Raises ``ExactPermError``, which
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
    if method is not None:
        fields.pop("adjusted", None)
    label = LABEL.search(body)
    left = _tidy(body[: label.start()] + body[label.end() :] if label else body)
    found = _number(left, digits)
    if found is None or LABEL.search(left) or _NO_FIELDS & {*fields}:
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
    return {} if _tidy(body) or _NO_FIELDS & {*fields} else fields


def _taken(text: str) -> tuple[Stated, str]:
    """Return the fields that the phrases of a line state, and the line without them."""
    fields: Stated = {}
    body = re.sub(r"_\{? *(?=[\w(])|[{}\"]", " ", text)
    body = re.sub(rf"np\.\w+\({_NUMBER}\)", r"\1", body)
    for pattern, stated in PHRASES:
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
    if not match or size is None or size.relation != "=":
        return None
    # a bare 0 or 1 has the unit 1, though no p-value has it
    if size.unit and not re.search("[.,e/]", match[3]):
        size = replaced(size, unit=Fraction(1), form="decimal")
    name = (match[1] or "").strip()
    df = match[4] or match[2]
    kinds = [kind for one, kind in _KINDS if re.fullmatch(one, name, re.IGNORECASE)]
    kind = "t" if name == "T" and df else (*kinds, "")[0]
    return replaced(size, text=text, name=name, kind=kind, df=Fraction(df) if df else None)
