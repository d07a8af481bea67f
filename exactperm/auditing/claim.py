"""Claims: a printed p-value with all that its document states of the test."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from pathlib import PurePath

from .._types import Any, Union
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
from .axes import AXES, DIFFERENCES, RATIOS, rows
from .line import Stated, read_line, read_statistic, read_words, state
from .text import PrintedPValue, read_pvalue

_MOST_ITEMS = 10**7
PATHS = (str, PurePath)
"""Types of the names of files."""

# ----------------------------------------------------------------------- what reads a field


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise WrongType(f"{name} is {short_text(value)}: it must be text")
    return value


def whole(value: object, name: str, least: int = 1, most: int | None = None) -> int:
    """Return a whole number, which may be text such as "1,000"."""
    text = value.strip().replace(",", "") if isinstance(value, str) else ""
    number = int(text) if text.isdecimal() and len(text) < 19 else value
    return whole_number(number, name, least, most)


def _counts(value: object, name: str) -> tuple[int, int]:
    """Return b and c, read from "9,1", a pair, or a 2 x 2 table with the first system in its rows."""
    given = value.replace(";", ",").split(",") if isinstance(value, str) else value
    rows = list(given) if is_sequence(given) else []
    if any(map(is_sequence, rows)):
        return discordant(rows, name)
    if len(rows) != 2 or None in rows:
        told = "it must be b and c, such as '9,1', or a 2 x 2 table"
        raise ExactPermError(f"{name} is {short_text(value)}: {told}")
    b, c = [whole(count, f"{name}[{i}]", 0, _MOST_ITEMS) for i, count in enumerate(rows)]
    return b, c


def _columns(value: object, name: str) -> str:
    return joined_words(list(map(str, value))) if is_sequence(value) else _text(value, name)


def _data(value: object, name: str) -> object:
    if not (isinstance(value, (*PATHS, Mapping)) or is_sequence(value)):
        told = "it must be a path, a list of columns, or a mapping of columns"
        raise WrongType(f"{name} is {short_text(value)}: {told}")
    return value


def _unit(value: object, name: str) -> str:
    text = str(value).strip().lower()
    if text not in ("no", "as printed") and exact(text, name) <= 0:
        told = "it must be 'no', 'as printed' or a unit such as '0.1'"
        raise ExactPermError(f"{name} is {short_text(value)}: {told}")
    return text


_LEGEND = re.compile(r"([*\u2020\u2021\u00a7]+)\s*[:=]?([^*\u2020\u2021\u00a7]*)")
_MARKED = re.compile(r"(|.*[\d.)]\s*)([*\u2020\u2021\u00a7]+)")
_PLAIN_STARS = str.maketrans(dict.fromkeys("\u2217\u22c6\u2605\uff0a", "*"))


def _legend(value: object, name: str) -> dict[str, str]:
    """Return the p-value of each kind of stars; every one must be a bound from above."""
    pairs = list(value.items()) if isinstance(value, Mapping) else []
    if isinstance(value, str):
        pairs = [(stars, words.strip(" ,;.|")) for stars, words in _LEGEND.findall(_starred(value))]
    found = {_starred(str(stars)): words for stars, words in pairs}
    bounds = [read_pvalue(words).relation in ("<", "<=") for words in found.values()]
    if not found or len(found) < len(pairs) or not all(bounds):
        told = "it must be text such as '* p < .05, ** p < .01', a bound for each kind of stars"
        raise ExactPermError(f"{name} is {short_text(value)}: {told}")
    return found


def _starred(text: str) -> str:
    return text.translate(_PLAIN_STARS).strip()


# ------------------------------------------------------------------------------------- fields

NOT_OF_CLAIMS = ("differences", "unpaired", "strata", "names", "weights", "tasks")
"""Settings of reading that claims do not have: without them a verdict would be on another number."""
_CALLED = {"id": "join", "runs": "design"}
"""Settings of reading that have another name in a claim."""
_READ = {_CALLED.get(one.name, one.name): one for one in SETTINGS if one.name not in NOT_OF_CLAIMS}
FieldReader = Union[Callable[[object, str], object], "tuple[str, ...]"]
"""What reads a value of a field, or the values that it may have."""
_READERS: Mapping[str, Callable[[object, str], object]] = {
    **{"text": _text, "whole": whole, "exact": exact, "level": level, "method": adjustment},
    **{"data": _data, "counts": _counts, "unit": _unit, "legend": _legend, "columns": _columns},
}
_FIELDS = """\
id | text | name of the claim | file
source | text | name of the document, whose adjusted p-values are one family | file
p | text | line as printed, such as "t(14) = 2.15, p = .050" |
statistic | statistic | test, such as t-test, or | open
alternative | tail | tail, such as one-tailed, or | open
data | data | path of the scores, or their columns | file
second | data | path of the second system's scores, in a file of its own | file
counts | counts | b,c of McNemar's test in place of data |
rounded | unit | no, or unit to which the scores were rounded, such as 0.1, or "as printed" | open
stars | legend | legend of stars, such as "* p < .05, ** p < .01" |
n | whole | number of pairs that is stated; without data, of which all p-values are told |
decision | yes,no | whether it is called significant |
printed_statistic | text | printed statistic, such as "V = 45" |
orientation | first-second,second-first | which difference | open
mu | exact | hypothesised difference (0) |
zeros | zeros | zeros of ranks | open
boundary | boundary | which outcomes count | open
law | exact,normal,normal-cc,asymptotic,t,permutation,monte-carlo | law, such as normal approximation, or | open
samples | whole | number of Monte Carlo samples |
estimate | b/K,(b+1)/(K+1) | estimate from b of K samples | open
adjustment | method | bonferroni, sidak, holm or another method |
tests | whole | number of tests of the adjustment |
digits | whole | decimals that the source prints, if it drops zeros |
alpha | level | level of the decision, if not that of the audit | file
note | text | any text | file
"""
"""Name | what reads it or its values (those of an axis, or a list) | words in help | how it is stated.

An open field may be left unsaid by the document: its default is only the first value tried. One of
files is stated in claims files alone.
"""
_ROWS = [*rows(_FIELDS)]
OPEN = (*(name for name, *_, how in _ROWS if how == "open"), "design")
"""Fields that are open where the document does not state them."""
OPTIONS = {
    **{name: name.replace("_", "-") for name, *_, how in _ROWS if how != "file"},
    **{name: one.name for name, one in _READ.items()},
}
"""Fields of one claim that are options, and their names."""


FIELDS: Mapping[str, tuple[FieldReader, str]] = {
    **{
        name: (_READERS.get(kind) or tuple(AXES.get(kind, kind.split(","))), words)
        for name, kind, words, _ in _ROWS
    },
    **{name: (_READERS.get(one.kind, _text), one.help) for name, one in _READ.items()},
    "decimals": (partial(whole, least=0), _READ["decimals"].help),
}
"""Fields of a claim: what reads a value, or its values, and its words in help.

A test, a tail, a law and a decision may also be the phrases of a line.
"""
_BELONGS = {
    **dict.fromkeys(("mu", "decimals", "runs", "run"), DIFFERENCES),
    "a design of single runs": ("difference",),
    "groups": ("difference", "accuracy", *RATIOS),
    "counts": ("mcnemar", "sign"),
}
"""Statistics that a field belongs to, where not to all."""


class Claim(Record):
    """One published p-value with all that its document states of the test, in the words of :data:`FIELDS`.

    A field of :data:`OPEN` that is not given is open: any usual value is a reading of the claim.
    ``stated`` has the names of those that are given; ``stated="all"`` closes them all, so that the
    defaults count as stated. ``p`` is a line as printed, whose phrases state fields; that of
    :mod:`exactperm.null.sentence` states its whole test, and the SHA-256 of its data. Test, tail
    and law are words such as "Wilcoxon signed-rank test" and "two-tailed". ``reading`` keeps how
    files are read, and the design of a test of several runs.

    Of the line are ``printed``, its p-value, ``marks``, the stars or daggers that are its text, or
    behind its number, and ``digests``, the first digits of the SHA-256 of each data file.

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
    second: str | PurePath | None = None
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
    stated: tuple[str, ...] = ()
    printed: PrintedPValue
    marks: str = ""
    digests: tuple[str, ...] = ()

    def __init__(self, **values: object) -> None:
        given = {name: value for name, value in values.items() if value is not None}
        stated = given.pop("stated", None)
        read = vars(given.pop("reading", Reading()))
        fields = fields_of(given)
        said = {_READ[name].name: fields.pop(name) for name in _READ if name in fields}
        reading = Reading.of({**read, **said})
        names: set[object] = {*fields, *(["design"] if reading.runs else [])}
        if stated == "all":
            names = {*OPEN}
        elif is_sequence(stated) and {*stated} <= {*OPEN}:
            names = {*stated}
        elif stated is not None:
            told = f"stated is {short_text(stated)}: it must be 'all', or left out"
            raise ExactPermError(told)
        known = tuple([name for name in OPEN if name in names])
        super().__init__(**fields, reading=reading, stated=known)
        self._check()

    def _check(self) -> None:
        """Raise ``ExactPermError`` where fields exclude each other."""
        reading, statistic = self.reading, self.statistic
        numbers = isinstance(self.data, (*PATHS, Mapping))
        single = reading.runs in ("within", "systems")
        given = {**vars(self), **vars(reading), "a design of single runs": single}
        files = isinstance(self.data, PATHS) and isinstance(self.second, PATHS)
        sampled = self.law == "monte-carlo"
        wrong = [
            (
                given[name] and statistic not in statistics,
                f"statistic is {statistic!r}, but {name} is given, which belongs to "
                f"{', '.join(statistics)}",
            )
            for name, statistics in _BELONGS.items()
        ]
        wrong += [
            (self.adjustment == "tarone", "tarone needs the least p-value of each test"),
            (
                self.law == "t" and statistic != "difference",
                "law is 't': the t-test is one of sums",
            ),
            (reading.run and reading.groups, "the runs of an item have no groups"),
            (reading.groups and not numbers, "groups: only a file or a mapping has their names"),
            (sampled != bool(self.samples), f"law is {self.law!r} and samples is {self.samples}"),
            (self.estimate and not sampled, "an estimate is one from samples"),
            (self.second and not files, "second needs the path of the first file as data"),
            (self.data is None and self.counts is None, "the claim has no data and no counts"),
        ]
        for is_wrong, told in wrong:
            if is_wrong:
                raise ExactPermError(told)

    def leaves_open(self, name: str) -> bool:
        """Return whether the document does not state a field of :data:`OPEN`. Source: spec/10-audit.md#audit-open."""
        return name not in self.stated

    @property
    def design(self) -> str | None:
        """What a test of several runs exchanges; None where it is not said."""
        return self.reading.runs

    @lazy
    def test_statistic(self) -> PrintedPValue | None:
        """The parts of the printed test statistic; None where there is none, or no number."""
        return None if self.printed_statistic is None else read_statistic(self.printed_statistic)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form of the claim, without data given as columns."""
        values = {name: getattr(self, name) for name in FIELDS if name not in _READ}
        for name in ("mu", "alpha", "data", "second"):
            plain = isinstance(values[name], (*PATHS, int, Fraction))
            values[name] = str(values[name]) if plain else None
        read = {name: getattr(self.reading, one.name) for name, one in _READ.items()}
        return {**values, **read, "stated": list(self.stated)}


def fields_of(given: Mapping[str, object]) -> Stated:
    """Return the fields that a claim states by these and by the phrases of its printed line; they may be no claim yet."""
    text = given.get("p")
    if not isinstance(text, str):
        told = "the claim has no p" if text is None else f"p is {short_text(text)}"
        raise WrongType(f"{told}: it must be the printed text, such as 'p < .001'")
    fields: Stated = {}
    for name, value in given.items():
        if name not in _OF_THE_LINE:
            _state(fields, name, value)
    of_line = _of_sentence if is_sentence(text) else _of_line
    fields.update(zip(_OF_THE_LINE, of_line(fields)))
    if "counts" in fields:
        fields.setdefault("statistic", "mcnemar")
    if "samples" in fields and fields.get("law", "permutation") == "permutation":
        fields["law"] = "monte-carlo"
    if fields.get("law") == "permutation":
        fields.setdefault("statistic", "difference")
    return fields


_OF_THE_LINE = ("printed", "marks", "digests")


def _state(fields: Stated, name: str, value: object) -> None:
    """State what the value of a field says; phrases of a line may state several fields."""
    reader = FIELDS.get(name, (None, ""))[0]
    words = {name: value}
    if isinstance(reader, tuple):
        text = value.strip() if isinstance(value, str) else ""
        known = [word for word in reader if word.lower() == text.lower()]
        words = {name: known[0]} if known else read_words(text)
        if not words:
            choice(value, name, reader)
    for field, one in words.items():
        read = FIELDS.get(field, (None, ""))[0]
        state(fields, field, read(one, field) if callable(read) else one)


def _of_line(fields: Stated) -> tuple[PrintedPValue, str, tuple[str, ...]]:
    """State the fields that the printed line states; return its p-value, its stars, and no digests."""
    line, marks = _without_marks(fields["p"], fields.get("stars"))
    printed, words = read_line(line, fields.get("digits"), fields.get("adjustment"))
    for name, word in words.items():
        _state(fields, name, word)
    student = fields.get("statistic") == "difference" and "samples" not in fields
    if student and "printed_statistic" in words:
        statistic = read_statistic(words["printed_statistic"])
        if statistic is not None and statistic.kind == "t":
            fields.setdefault("law", "t")
    return replaced(printed, text=fields["p"]), marks, ()


def _without_marks(text: str, legend: Mapping[str, str] | None) -> tuple[str, str]:
    """Return a text without the stars behind it, whose legend stands for a text of stars alone, and the stars."""
    found = _MARKED.fullmatch(_starred(text))
    if found is None:
        return text, ""
    number, marks = found.groups()
    if marks not in (legend or ()):
        told = f"the printed p-value {short_text(text)} needs a legend of {marks}"
        has = f"; there is one of {', '.join(legend)}" if legend else ""
        raise ExactPermError(f"{told}, such as stars '* p < .05, ** p < .01'{has}", code="stars")
    return number or (legend or {})[marks], marks


def _of_sentence(fields: Stated) -> tuple[PrintedPValue, str, tuple[str, ...]]:
    """State the fields that a line of exactperm states; return its p-value, no stars, and its digests."""
    line = read_sentence(fields["p"])
    grouped = line.units == "groups"
    if line.weights:
        told = f"the line of exactperm states {line.weights!r}: a claim has no weights or tasks"
        raise ExactPermError(f"{told}; test again with them, or count its record again")
    if grouped != ("groups" in fields):
        told = "groups, whose column of labels the claim must name" if grouped else "pairs"
        raise ExactPermError(f"the line of exactperm swaps {told}")
    orientation = "second-first" if line.swapped_order else "first-second"
    known = {"boundary": ">=", "law": "exact", "orientation": orientation}
    names = ("statistic", "alternative", "mu", "n", "decimals", "design", "zeros")
    for name, value in {**known, **{name: getattr(line, name) for name in names}}.items():
        if value is not None:
            _state(fields, name, value)
    low, high = line.p if isinstance(line.p, tuple) else (line.p, line.p)
    relation, form = ("=", "fraction") if low == high else ("in", "bounds")
    p = PrintedPValue(text=fields["p"], relation=relation, value=low, unit=high - low, form=form)
    return p, "", line.sha256
