"""Claims: a printed p-value with all that its document states of the test."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import PurePath

from .._types import Any
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact
from ..arithmetic.reading import choice, exact, is_sequence, level, whole_number
from ..classical.paired import discordant
from ..errors import ExactPermError, WrongType
from ..files.reading import FIELDS as SETTINGS
from ..files.reading import Reading, joined_words
from ..multiplicity import adjustment
from ..null.sentence import is_sentence, read_sentence
from ..record import Record, lazy, replaced
from .line import Stated, read_line, read_statistic, read_words, state
from .text import PrintedPValue, read_pvalue

_MOST_ITEMS = 10**7
_DIFFERENCES = ("difference", "wilcoxon", "sign")
"""Statistics of numeric differences."""

# ----------------------------------------------------------------------- what reads a field


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise WrongType(f"{name} is {short_text(value)}: it must be text")
    return value


def _whole(value: Any, name: str, least: int = 1) -> int:
    plain = value.strip().replace(",", "") if isinstance(value, str) else value
    number = isinstance(plain, str) and plain.isdecimal() and len(plain) < 19
    return whole_number(int(plain) if number else value, name, least)


def _decimals(value: Any, name: str) -> int:
    return _whole(value, name, 0)


def _counts(value: Any, name: str) -> tuple[int, int]:
    """Return b and c, read from "9,1", a pair, or a 2 x 2 table with the first system in its rows."""
    rows = value.replace(";", ",").split(",") if isinstance(value, str) else value
    rows = list(rows) if is_sequence(rows) else []
    if any(map(is_sequence, rows)):
        return discordant(rows, name)
    if len(rows) != 2 or None in rows:
        told = "it must be b and c, such as '9,1', or a 2 x 2 table"
        raise ExactPermError(f"{name} is {short_text(value)}: {told}")
    b, c = [_decimals(count, f"{name}[{i}]") for i, count in enumerate(rows)]
    return whole_number(b, name, 0, _MOST_ITEMS), whole_number(c, name, 0, _MOST_ITEMS)


def _columns(value: Any, name: str) -> str:
    return joined_words(list(map(str, value))) if is_sequence(value) else _text(value, name)


def _data(value: Any, name: str) -> Any:
    if not (isinstance(value, (str, PurePath, Mapping)) or is_sequence(value)):
        told = "it must be a path, a list of columns, or a mapping of columns"
        raise WrongType(f"{name} is {short_text(value)}: {told}")
    return value


def _unit(value: Any, name: str) -> str:
    text = str(value).strip().lower()
    if text not in ("no", "as printed") and exact(text, name) <= 0:
        told = "it must be 'no', 'as printed' or a unit such as '0.1'"
        raise ExactPermError(f"{name} is {short_text(value)}: {told}")
    return text


_LEGEND = re.compile(r"([*\u2020\u2021\u00a7]+)\s*[:=]?([^*\u2020\u2021\u00a7]*)")
_MARKED = re.compile(r"(|.*[\d.)]\s*)([*\u2020\u2021\u00a7]+)")
_PLAIN_STARS = str.maketrans(dict.fromkeys("\u2217\u22c6\u2605\uff0a", "*"))


def _legend(value: Any, name: str) -> dict[str, str]:
    """Return the p-value of each kind of stars; every one must be a bound from above."""
    pairs = list(value.items()) if isinstance(value, Mapping) else []
    if isinstance(value, str):
        pairs = _LEGEND.findall(value.translate(_PLAIN_STARS))
    if not pairs or not all(isinstance(part, str) for pair in pairs for part in pair):
        told = "it must be text such as '* p < .05', or map stars to p-values"
        raise WrongType(f"{name} is {short_text(value)}: {told}")
    found = {stars.translate(_PLAIN_STARS).strip(): words.strip(" ,;.|") for stars, words in pairs}
    for stars, words in found.items():
        if read_pvalue(words).relation not in ("<", "<="):
            told = f"the legend of {stars} is {short_text(words)}"
            raise ExactPermError(f"{told}: it must be a bound such as 'p < .05'")
    if len(found) < len(pairs):
        told = "it must give every kind of stars one meaning"
        raise ExactPermError(f"{name} is {short_text(value)}: {told}")
    return found


# ------------------------------------------------------------------------------------- fields

NOT_OF_CLAIMS = ("differences", "unpaired", "strata", "names", "weights", "tasks")
"""Settings of reading that claims do not have: without them a verdict would be on another number."""
_CALLED = {"id": "join", "runs": "design"}
"""Settings of reading that have another name in a claim."""
_READ = {_CALLED.get(one.name, one.name): one for one in SETTINGS if one.name not in NOT_OF_CLAIMS}
_READERS = {"whole": _decimals, "columns": _columns}

FIELDS: Mapping[str, tuple[Any, str, str]] = {
    "id": (_text, "name of the claim", ""),
    "source": (_text, "name of the document, whose adjusted p-values are one family", ""),
    "p": (_text, 'line as printed, such as "t(14) = 2.15, p = .050"', "p"),
    "statistic": (
        (*_DIFFERENCES, "mcnemar", "accuracy", "f1", "precision", "recall", "ratio"),
        "test, such as t-test, or",
        "statistic",
    ),
    "alternative": (
        ("two-sided", "greater", "less", "doubled", "min", "2min"),
        "tail, such as one-tailed, or",
        "alternative",
    ),
    "data": (_data, "path of the scores, or their columns", ""),
    "second": (_data, "path of the second system's scores, in a file of its own", ""),
    "counts": (_counts, "b,c of McNemar's test in place of data", "counts"),
    "rounded": (
        _unit,
        'no, or unit to which the scores were rounded, such as 0.1, or "as printed"',
        "rounded",
    ),
    "stars": (_legend, 'legend of stars, such as "* p < .05, ** p < .01"', "stars"),
    "n": (
        _whole,
        "number of pairs that is stated; without data, of which all p-values are told",
        "n",
    ),
    "decision": (("yes", "no"), "whether it is called significant", "decision"),
    "printed_statistic": (_text, 'printed statistic, such as "V = 45"', "printed-statistic"),
    "orientation": (("first-second", "second-first"), "which difference", "orientation"),
    "mu": (exact, "hypothesised difference (0)", "mu"),
    "zeros": (("wilcox", "pratt", "zsplit"), "zeros of ranks", "zeros"),
    "boundary": ((">=", ">", "mid"), "which outcomes count", "boundary"),
    "law": (
        ("exact", "normal", "normal-cc", "asymptotic", "t", "permutation", "monte-carlo"),
        "law, such as normal approximation, or",
        "law",
    ),
    "samples": (_whole, "number of Monte Carlo samples", "samples"),
    "estimate": (("b/K", "(b+1)/(K+1)"), "estimate from b of K samples", "estimate"),
    "adjustment": (adjustment, "bonferroni, sidak, holm or another method", "adjustment"),
    "tests": (_whole, "number of tests of the adjustment", "tests"),
    "digits": (_whole, "decimals that the source prints, if it drops zeros", "digits"),
    "alpha": (level, "level of the decision, if not that of the audit", ""),
    "note": (_text, "any text", ""),
    **{name: (_READERS.get(one.kind, _text), one.help, one.name) for name, one in _READ.items()},
}
"""Fields of a claim: what reads a value, or its values; its words in help, and its option.

A test, a tail, a law and a decision may also be the phrases of a line.
"""
OPEN = (
    *("statistic", "alternative", "rounded", "orientation", "zeros", "boundary", "law", "estimate"),
    "design",
)
"""Fields that are open where the document does not state them: the default is only the first value tried."""


class Claim(Record):
    """One published p-value with all that its document states of the test, in the words of :data:`FIELDS`.

    A field of :data:`OPEN` that is not given is open: any usual value is a reading of the claim.
    ``stated`` has the names of those that are given; ``stated="all"`` closes them all, so that the
    defaults count as stated. ``p`` is a line as printed, whose phrases state fields; that of
    :mod:`exactperm.null.sentence` states its whole test, and the SHA-256 of its data. Test, tail
    and law are words such as "Wilcoxon signed-rank test" and "two-tailed". ``reading`` keeps how
    files are read, and the design of a test of several runs.

    Raises ``WrongType`` or ``ExactPermError`` for a value that is none, for fields that exclude
    each other, and for a line that states what the claim denies.

    >>> Claim(id="maize", p="p = .05 (t-test)", data=[[3, 1, 2], [1, 0, 2]]).law
    't'
    """

    id: str = ""
    source: str = ""
    p: str
    statistic: str = "difference"
    alternative: str = "two-sided"
    data: Any = None
    second: Any = None
    counts: tuple[int, int] | None = None
    rounded: str | None = None
    stars: Mapping[str, str] | None = None
    n: int | None = None
    decision: str | None = None
    printed_statistic: str | None = None
    orientation: str = "first-second"
    mu: Exact = 0
    zeros: str = "wilcox"
    boundary: str = ">="
    law: str = "exact"
    samples: int | None = None
    estimate: str | None = None
    adjustment: str | None = None
    tests: int | None = None
    digits: int | None = None
    alpha: Exact | None = None
    note: str | None = None
    reading: Reading = Reading()
    stated: Any = None

    def __init__(self, **values: Any) -> None:
        given = {name: value for name, value in values.items() if value is not None}
        stated, reading = [given.pop(name, None) for name in ("stated", "reading")]
        fields = fields_of(given)
        said = {_READ[name].name: fields.pop(name) for name in _READ if name in fields}
        reading = Reading.of({**(vars(reading) if reading else {}), **said})
        names = {*fields, *(["design"] if reading.runs else [])}
        super().__init__(**fields, reading=reading, stated=_stated(stated, names))
        for wrong, told in self._faults():
            if wrong:
                raise ExactPermError(told)

    def _faults(self) -> Iterator[tuple[Any, str]]:
        """Yield what may be wrong with fields together: whether it is, and how it is said."""
        reading, statistic = self.reading, f"statistic is {self.statistic!r}"
        numeric, paths = self.statistic in _DIFFERENCES, (str, PurePath)
        runs, alone = reading.runs or reading.run, reading.runs in ("within", "systems")
        sampled = (self.law == "monte-carlo") != (self.samples is not None)
        files = isinstance(self.data, paths) and isinstance(self.second, paths)
        named = isinstance(self.data, (*paths, Mapping))
        yield self.adjustment == "tarone", "tarone needs the least p-value that each test can give"
        yield self.mu != 0 and not numeric, f"{statistic}: only a difference has a shift"
        yield runs and reading.groups, "the runs of an item belong together: there are no groups"
        yield runs and not numeric, f"{statistic}: runs are compared by means of scores"
        yield alone and self.statistic != "difference", f"{statistic}: single runs have no ranks"
        ranked = self.statistic in ("wilcoxon", "sign", "mcnemar")
        yield reading.groups and ranked, f"{statistic}: it swaps pairs only, no groups"
        yield reading.groups and not named, "groups: only a file or a mapping has names of columns"
        yield reading.decimals is not None and not numeric, f"{statistic}: it has no scores"
        told = f"law is {self.law!r} and samples is {self.samples}: Monte Carlo needs its samples"
        yield sampled, told
        yield self.estimate and not self.samples, "an estimate belongs to Monte Carlo samples"
        student = self.law == "t" and self.statistic != "difference"
        yield student, f"law is 't' and {statistic}: the t-test is one of sums"
        counted = self.counts and self.statistic not in ("mcnemar", "sign")
        yield counted, f"counts are those of McNemar's test, but {statistic}"
        yield self.second and not files, "second needs the path of the first file as data"
        none = self.data is None and self.counts is None
        yield none, "the claim has no data: it needs a path, columns, or counts of McNemar's test"

    def leaves_open(self, name: str) -> bool:
        """Return whether the document does not state a field of :data:`OPEN`. Source: spec/10-audit.md#audit-open."""
        return name not in self.stated

    @property
    def design(self) -> str | None:
        """What a test of several runs exchanges; None where it is not said."""
        return self.reading.runs

    @property
    def digests(self) -> tuple[str, ...]:
        """The first digits of the SHA-256 of each data file, where the text states them."""
        return read_sentence(self.p).sha256 if is_sentence(self.p) else ()

    @property
    def marks(self) -> str:
        """The stars or daggers that are the text, or that follow its number; else ""."""
        return "" if is_sentence(self.p) else _without_marks(self.p, self.stars)[1]

    @lazy
    def printed(self) -> PrintedPValue:
        """The reading of the printed text: a line of exactperm means its p-value, stars their legend."""
        if not is_sentence(self.p):
            text = read_line(_without_marks(self.p, self.stars)[0])[0]
            return replaced(read_pvalue(text, self.digits), text=self.p)
        p = read_sentence(self.p).p
        low, high = p if isinstance(p, tuple) else (p, p)
        relation, form = ("=", "fraction") if low == high else ("in", "bounds")
        unit = Fraction(high - low)
        return PrintedPValue(text=self.p, relation=relation, value=low, unit=unit, form=form)

    @lazy
    def test_statistic(self) -> PrintedPValue | None:
        """The parts of the printed test statistic; None where there is none, or no number."""
        return None if self.printed_statistic is None else read_statistic(self.printed_statistic)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form of the claim, without data given as columns."""
        values = {name: getattr(self, name) for name in FIELDS if name in self._fields}
        for name in ("mu", "alpha", "data", "second"):
            one = values[name]
            plain = isinstance(one, (str, int, Fraction, PurePath))
            values[name] = str(one) if plain else None
        read = {name: getattr(self.reading, one.name) for name, one in _READ.items()}
        return {**values, **read, "stated": list(self.stated)}


def fields_of(given: Mapping[str, Any]) -> Stated:
    """Return the fields that a claim states by these and by the phrases of its printed line; they may be no claim yet."""
    text = given.get("p")
    if not isinstance(text, str):
        told = "the claim has no p" if text is None else f"p is {short_text(text)}"
        raise WrongType(f"{told}: it must be the printed text, such as 'p < .001'")
    fields: Stated = {}
    for name, value in given.items():
        for field, word in _read(name, value).items():
            state(fields, field, word)
    _take_line(fields)
    _complete(fields)
    return fields


def _read(name: str, value: Any) -> Stated:
    """Return the fields that the value of one states; phrases of a line may state several."""
    reader = FIELDS[name][0] if name in FIELDS else None
    if callable(reader):
        return {name: reader(value, name)}
    if reader is None:
        return {name: value}
    known = {word.lower(): word for word in reader}
    word = value.strip().lower() if isinstance(value, str) else value
    if word in known:
        return {name: known[word]}
    fields = read_words(value) if isinstance(value, str) else {}
    if not fields:
        choice(value, name, reader)
    return {field: one for words in fields.items() for field, one in _read(*words).items()}


def _take_line(fields: Stated) -> None:
    """State the fields that the printed line states."""
    if is_sentence(fields["p"]):
        words = _of_sentence(fields["p"], "groups" in fields)
    else:
        line = _without_marks(fields["p"], fields.get("stars"))[0]
        words = read_line(line)[1]
    for name, word in words.items():
        for field, one in _read(name, word).items():
            state(fields, field, one)
    printed = read_statistic(words.get("printed_statistic", ""))
    student = printed is not None and printed.kind == "t" and "samples" not in fields
    if student and fields.get("statistic") == "difference":
        fields.setdefault("law", "t")


def _complete(fields: Stated) -> None:
    """State what other fields imply: counts are McNemar's, samples of Monte Carlo, permutations of a sum."""
    if "counts" in fields:
        fields.setdefault("statistic", "mcnemar")
    if "samples" in fields and fields.get("law", "permutation") == "permutation":
        fields["law"] = "monte-carlo"
    if fields.get("law") == "permutation":
        fields.setdefault("statistic", "difference")


def _without_marks(text: str, legend: Mapping[str, str] | None) -> tuple[str, str]:
    """Return a text without the stars behind it, whose legend stands for a text of stars alone, and the stars."""
    starred = text.translate(_PLAIN_STARS).strip()
    found = _MARKED.fullmatch(starred)
    if found is None:
        return text, ""
    number, marks = found.groups()
    if marks not in (legend or ()):
        told = f"the printed p-value {short_text(text)} needs a legend of {marks}"
        has = f"; there is one of {', '.join(legend)}" if legend else ""
        raise ExactPermError(f"{told}, such as stars '* p < .05, ** p < .01'{has}", code="stars")
    return number or (legend or {})[marks], marks


def _of_sentence(text: str, grouped: bool) -> Stated:
    """Return the fields that a line of exactperm states."""
    line = read_sentence(text)
    if line.weights:
        told = f"the line of exactperm states {line.weights!r}: a claim has no weights or tasks"
        raise ExactPermError(f"{told}; test again with them, or count its record again")
    if (line.units == "groups") != grouped:
        told = "groups, whose column of labels the claim must name" if not grouped else "pairs"
        raise ExactPermError(f"the line of exactperm swaps {told}")
    fields: Stated = {
        "statistic": line.statistic,
        "alternative": line.alternative,
        "boundary": ">=",
        "law": "exact",
        "orientation": "second-first" if line.swapped_order else "first-second",
        "mu": line.mu,
        "n": line.n,
    }
    open_ones = {"decimals": line.decimals, "design": line.design, "zeros": line.zeros}
    return {**fields, **{name: value for name, value in open_ones.items() if value is not None}}


def _stated(value: Any, given: set[str]) -> tuple[str, ...]:
    """Return the names of the open fields that are stated: the given ones, or all."""
    if isinstance(value, (tuple, list)) and {*value} <= {*OPEN}:  # of a claim that was made before
        return tuple(value)
    if value not in (None, "all"):
        raise ExactPermError(f"stated is {short_text(value)}: it must be 'all', or left out")
    return tuple([name for name in OPEN if value == "all" or name in given])
