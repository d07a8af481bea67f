"""Claims: a printed p-value in one record, with all that its document states about the test."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePath

from .._types import Any
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact
from ..arithmetic.reading import choice, exact, is_sequence, level, whole_number
from ..classical import discordant
from ..errors import ExactPermError, WrongType
from ..files.reading import FIELDS
from ..multiplicity import adjustment
from ..record import Record, replaced
from ..swaps.runs import check_design
from .attainable import ESTIMATES
from .conventions import BOUNDARIES, LAWS, STATISTICS, TAILS, ZEROS
from .lines import PrintedStatistic, agrees, read_line, read_statistic
from .printed import PrintedPValue, read_pvalue
from .sentences import is_sentence, parse, pvalue_text

TEXTS = (
    *(
        "id",
        "source",
        "p",
        "join",
        "encoding",
        "records",
        "groups",
        "filter",
        "delimiter",
        "printed_statistic",
        "note",
    ),
    *("run", "system", "score"),
)
"""Fields of a claim that are text."""
_MOST_ITEMS = 10**7
_DIFFERENCES = ("sum", "signed-rank", "sign")
"""Statistics of numeric differences."""
ORIENTATIONS = ("first-second", "second-first")

OPEN = (
    "statistic",
    "law",
    "alternative",
    "boundary",
    "zeros",
    "orientation",
    "estimate",
    "rounded",
    "design",
)
"""Fields that stay open where the document does not state them: every usual value is a reading of
the claim."""

PERMUTED = "permutation"
"""A word among the stated fields of a claim that names a permutation test: exact or an estimate, but no t-test."""

_PERMUTATION = tuple(
    f"{name}{test}"
    for name in ("permutation", "paired permutation", "randomization", "randomisation")
    for test in ("", " test")
)
_ALIASES = {
    "statistic": {
        **dict.fromkeys(_PERMUTATION, "sum"),
        "difference": "sum",
        "mean": "sum",
        "mean_difference": "sum",
        "wilcoxon": "signed-rank",
        "f1_difference": "f1",
        "precision_difference": "precision",
        "recall_difference": "recall",
        "ratio_difference": "ratio",
    },
    "zeros": {"wilcox": "drop"},
    "alternative": {
        **dict.fromkeys(
            ("two.sided", "2-sided", "two-tailed", "2-tailed", "two sided", "two tailed"),
            "two-sided",
        ),
        **dict.fromkeys(
            ("one-sided", "1-sided", "one-tailed", "1-tailed", "one sided", "one tailed"), "min"
        ),
        "larger": "greater",
        "smaller": "less",
    },
    "law": {
        "approximate": "asymptotic",
        "permutation": "exact",
        "montecarlo": "monte-carlo",
        "student": "t",
    },
}
_TESTS = {
    "t-test": {"statistic": "sum", "law": "t"},
    "t test": {"statistic": "sum", "law": "t"},
    "paired t-test": {"statistic": "sum", "law": "t"},
    "wilcoxon signed-rank": {"statistic": "signed-rank"},
    "wilcoxon signed rank": {"statistic": "signed-rank"},
    "signed rank": {"statistic": "signed-rank"},
    "sign test": {"statistic": "sign"},
}
"""Names of tests that people write as the statistic, and the fields that they state."""


class Claim(Record):
    """One published p-value with all that its document states of the test.

    A field of :data:`OPEN` that is not given is open: any usual value is a reading of the claim,
    and the default is only the first one tried. ``stated`` has the names of those that are given;
    ``stated="all"`` closes them all, so that the defaults count as stated.

    - ``id``, ``source``: names of the claim and of the document; claims of one source are judged
      together.
    - ``p``: the printed text, such as "p < .001"; ``digits`` the decimals that the source prints. A
      line that :mod:`exactperm.null.sentence` wrote states its test too, and the SHA-256 of its
      data.
    - ``data``: a path, a list of one or two columns, or a mapping of columns by name; ``columns``
      chooses from it. ``counts`` are b and c of McNemar's test in place of data. ``missing``:
      "refuse" or "drop".
    - ``second``: the file of the second system, where each has its own; ``join`` the column or key
      of the ids that join the two. ``key`` is one column, or one key of JSON records, of every
      file. ``groups`` is the column of labels of pairs that are swapped together. ``filter``,
      ``delimiter``, ``decimal``, ``header`` and ``comments`` say how the files are read, as on the
      command line; ``decimals`` that scores are rounded first.
    - ``design``: what the test exchanges of several runs on each item, "within", "items" or
      "systems", as :func:`exactperm.permutation_test_runs` has it. Runs are lists of each item in
      ``data``, columns of names that differ in the number of the run, or patterns such as
      "base*,new*" in ``columns``, or rows of a file with the id of the item (``join``) and of the
      ``run``, in a long table the ``system`` and the ``score``.
    - ``stars``: the legend of stars, such as "* p < .05, ** p < .01", or a mapping of stars to
      p-values. The text is stars alone, or a number with stars, which must both be true.
    - ``orientation``: "first-second" or "second-first"; ``mu``: the shift that the hypothesis
      states.
    - ``statistic``, ``zeros``, ``alternative``, ``boundary``, ``law``: the convention; see
      :mod:`exactperm.auditing.conventions`. ``samples`` and ``estimate`` belong to Monte Carlo.
    - ``rounded``: "no", or the unit of the last digit to which the scores were rounded before they
      were published, such as "0.1"; "as printed" takes it from the scores.
    - ``adjustment``, ``tests``: method and number of tests of an adjusted p-value.
    - ``alpha``: level of the decision, if not that of the audit. ``n``: stated number of pairs.
    - ``decision``: "yes" where the document calls the result significant, "no" where it does not.
    - ``printed_statistic``: the printed value of the statistic; ``note``: any text.

    >>> Claim(id="maize", p="p = .05", data=[[3, 1, 2], [1, 0, 2]]).statistic
    'sum'
    """

    id: str = ""
    source: str = ""
    p: str
    stars: Any = None
    data: Any = None
    columns: Any = None
    counts: Any = None
    second: Any = None
    join: str | None = None
    groups: str | None = None
    filter: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    header: str | None = None
    comments: str | None = None
    encoding: str | None = None
    records: str | None = None
    by: str | None = None
    total: str | None = None
    decimals: int | None = None
    design: str | None = None
    run: str | None = None
    system: str | None = None
    score: str | None = None
    orientation: str = "first-second"
    mu: Any = "0"
    missing: str = "refuse"
    statistic: str = "sum"
    zeros: str = "drop"
    alternative: str = "two-sided"
    boundary: str = ">="
    adjustment: str | None = None
    tests: int | None = None
    law: str = "exact"
    samples: int | None = None
    estimate: str | None = None
    alpha: Exact | None = None
    n: int | None = None
    digits: int | None = None
    printed_statistic: str | None = None
    rounded: str = "no"
    decision: str | None = None
    note: str | None = None
    stated: Any = None

    def __init__(self, **values: Any) -> None:
        given = {name: value for name, value in values.items() if value is not None}
        if not isinstance(given.get("p"), str):
            told = f"p is {short_text(given['p'])}" if "p" in given else "the claim has no p"
            raise WrongType(f"{told}: it must be the printed text, such as 'p < .001'")
        if given.get("counts") is not None:
            given.setdefault("statistic", "mcnemar")
        named = str(given.get("statistic", "")).strip().lower() in _PERMUTATION
        _plain_words(given)
        fixed = _fixed(given["p"])
        if is_sentence(given["p"]) and (parse(given["p"]).units == "groups") != ("groups" in given):
            told = "swaps groups: name the column of their labels as groups"
            told = "swaps pairs, but the claim has groups" if "groups" in given else told
            raise ExactPermError(f"the line of exactperm {told}")
        if not is_sentence(given["p"]) and "stars" not in given:
            named = _take_words(given) or named
        permuted = named and not {"law", "samples"} & given.keys()
        given["stated"] = _stated(given.get("stated"), {*fixed, *given}, permuted=permuted)
        super().__init__(**{**fixed, **given})
        self._check()
        for name, value in fixed.items():
            if getattr(self, name) != value:
                told = f"{name} is {short_text(given[name])}"
                raise ExactPermError(f"{told}, but the printed text states {short_text(value)}")

    def _check(self) -> None:
        for name, words in _WORDS.items():
            value = getattr(self, name)
            if value is not None:
                choice(value, name, words)
        for name in TEXTS:
            if not isinstance(getattr(self, name), (str, type(getattr(Claim, name, "")))):
                raise WrongType(f"{name} is {short_text(getattr(self, name))}: it must be text")
        plain = {
            **{
                name: _whole(getattr(self, name), name, 1)
                for name in ("tests", "samples", "n", "digits")
            },
            "decimals": _whole(self.decimals, "decimals", 0),
            "alpha": None if self.alpha is None else level(self.alpha),
            "mu": exact(self.mu, "mu"),
            "counts": None if self.counts is None else _counts(self.counts),
            "columns": None if self.columns is None else _columns(self.columns),
            "adjustment": None
            if self.adjustment is None
            else adjustment(self.adjustment, "adjustment"),
            "stars": None if self.stars is None else _legend(self.stars),
            "rounded": _unit(self.rounded),
        }
        self.__dict__.update(plain)
        _check_data(self.data)
        self._check_together()

    def _check_together(self) -> None:
        """Raise ``ExactPermError`` where two fields exclude each other."""
        if self.adjustment == "tarone":
            raise ExactPermError(
                "adjustment is 'tarone': it needs the least p-value that each test can give"
            )
        if self.mu != 0 and self.statistic not in _DIFFERENCES:
            raise ExactPermError(
                f"mu is {self.mu} and statistic is {self.statistic!r}: only a difference has a shift"
            )
        self._check_runs()
        if self.groups is not None and self.statistic in ("signed-rank", "sign", "mcnemar"):
            raise ExactPermError(
                f"groups is {self.groups!r} and statistic is {self.statistic!r}: it swaps pairs only"
            )
        if self.groups is not None and not isinstance(self.data, (str, PurePath, Mapping)):
            raise ExactPermError(
                f"groups is {self.groups!r}: only a file or a mapping has names of columns"
            )
        if self.decimals is not None and self.statistic not in _DIFFERENCES:
            raise ExactPermError(
                f"decimals is {self.decimals} and statistic is {self.statistic!r}: it has no scores"
            )
        if (self.law == "monte-carlo") != (self.samples is not None):
            raise ExactPermError(
                f"law is {self.law!r} and samples is {self.samples}: Monte Carlo needs its samples"
            )
        if self.estimate is not None and self.samples is None:
            raise ExactPermError(
                f"estimate is {self.estimate!r} and law is {self.law!r}: it belongs to Monte Carlo"
            )
        if self.law == "t" and self.statistic != "sum":
            raise ExactPermError(
                f"law is 't' and statistic is {self.statistic!r}: the t-test is one of sums"
            )
        if self.counts is not None and self.statistic not in ("mcnemar", "sign"):
            raise ExactPermError(
                f"counts are those of McNemar's test, but statistic is {self.statistic!r}"
            )
        if self.second is not None and not all(
            isinstance(one, (str, PurePath)) for one in (self.data, self.second)
        ):
            raise ExactPermError(
                f"second is {short_text(self.second)}: it needs the path of the first file as data"
            )
        if self.data is None and self.counts is None:
            raise ExactPermError(
                "the claim has no data: it needs a path, columns, or counts of McNemar's test"
            )

    def _check_runs(self) -> None:
        """Raise ``ExactPermError`` for a design that is none, and where a test has no several runs."""
        if self.design is not None:
            check_design(self.design)
        told = next((name for name in ("design", "run") if getattr(self, name) is not None), None)
        if told is None:
            return
        given = f"{told} is {getattr(self, told)!r}"
        if self.groups is not None:
            raise ExactPermError(
                f"{given} and groups is {self.groups!r}: the runs of an item belong together"
            )
        if self.statistic not in _DIFFERENCES:
            raise ExactPermError(
                f"{given} and statistic is {self.statistic!r}: runs are compared by means of scores"
            )
        if self.design in ("within", "systems") and self.statistic != "sum":
            raise ExactPermError(
                f"{given} and statistic is {self.statistic!r}: single runs have no ranks"
            )

    def leaves_open(self, name: str) -> bool:
        """Return whether the document does not state a field of :data:`OPEN`."""
        return name not in self.stated

    @property
    def digests(self) -> tuple[str, ...]:
        """The first digits of the SHA-256 of each data file, where the text states them."""
        return parse(self.p).sha256 if is_sentence(self.p) else ()

    @property
    def marks(self) -> str:
        """The stars or daggers that are the text, or that follow its number; else ""."""
        found = _MARKED.fullmatch(self._starred)
        return found[2] if found else ""

    @property
    def _starred(self) -> str:
        """The text with plain stars."""
        return self.p.translate(_PLAIN_STARS).strip()

    def printed(self) -> PrintedPValue:
        """Return the reading of the printed text: a line of exactperm means its p-value, stars their legend."""
        text = self.p
        if is_sentence(text):
            text = pvalue_text(text)
        elif self.marks:
            if not self.stars:
                how = "a field stars such as '* p < .05, ** p < .01', or a comment '# stars: ...' in a CSV file"
                raise ExactPermError(
                    f"the printed p-value {short_text(self.p)} needs a legend: {how}"
                )
            if self.marks not in self.stars:
                raise ExactPermError(
                    f"the legend has no {self.marks}; it has {', '.join(self.stars)}"
                )
            text = self._starred[: -len(self.marks)] or self.stars[self.marks]
        elif not self.stars:
            text = read_line(text).p
        return replaced(read_pvalue(text, self.digits), text=self.p)

    @property
    def test_statistic(self) -> PrintedStatistic | None:
        """The parts of the printed test statistic; None where there is none, or no number."""
        return None if self.printed_statistic is None else read_statistic(self.printed_statistic)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form of the claim, without data given as columns."""
        names = [name for name in self._fields if name != "data"]
        values = {name: getattr(self, name) for name in names}
        data = str(self.data) if isinstance(self.data, (str, PurePath)) else None
        texts = {
            name: str(value) if name in ("mu", "alpha", "second") and value is not None else value
            for name, value in values.items()
        }
        return {"id": texts.pop("id"), "source": texts.pop("source"), "data": data, **texts}


_WORDS = {
    "orientation": ORIENTATIONS,
    **{
        field.name: field.choices
        for field in FIELDS
        if field.choices and field.name in Claim._fields
    },
    "statistic": tuple(STATISTICS),
    "zeros": tuple(ZEROS),
    "alternative": tuple(TAILS),
    "boundary": tuple(BOUNDARIES),
    "law": tuple(LAWS),
    "decision": ("yes", "no"),
    "estimate": ESTIMATES,
}


_MARKED = re.compile(r"(|.*[\d.]\s*)([*\u2020\u2021\u00a7]+)")
_LEGEND = re.compile(r"([*\u2020\u2021\u00a7]+)\s*[:=]?([^*\u2020\u2021\u00a7]*)")
_PLAIN_STARS = str.maketrans(dict.fromkeys("\u2217\u22c6\u2605\uff0a", "*"))


def _legend(value: Any) -> dict[str, str]:
    """Return the p-value of each kind of stars; every one must be a bound from above."""
    if isinstance(value, str):
        text = value.translate(_PLAIN_STARS)
        pairs = [(stars, words.strip(" ,;.|")) for stars, words in _LEGEND.findall(text)]
    elif isinstance(value, Mapping) and all(
        isinstance(part, str) for pair in value.items() for part in pair
    ):
        pairs = [(stars.translate(_PLAIN_STARS).strip(), words) for stars, words in value.items()]
    else:
        raise WrongType(
            f"stars is {short_text(value)}: it must be text such as '* p < .05', or map stars to p-values"
        )
    for stars, words in pairs:
        if read_pvalue(words).relation not in ("<", "<="):
            raise ExactPermError(
                f"the legend of {stars} is {short_text(words)}: it must be a bound such as 'p < .05'"
            )
    if len(dict(pairs)) < max(1, len(pairs)):
        raise ExactPermError(
            f"stars is {short_text(value)}: it must give every kind of stars one meaning"
        )
    return dict(pairs)


def _take_words(given: dict[str, Any]) -> bool:
    """State the fields that the words beside the number state, and return whether they name a permutation test.

    Raises ``ExactPermError`` where the claim says otherwise.
    """
    line = read_line(given["p"])
    for name, word in line.fields.items():
        if not agrees(name, given.setdefault(name, word), word):
            told = f"{name} is {short_text(given[name])}"
            raise ExactPermError(f"{told}, but the printed text states {short_text(word)}")
    if line.law and given["statistic"] == "sum":
        given.setdefault("law", line.law)
    return line.permuted


def _plain_words(given: dict[str, Any]) -> None:
    """Replace the words that people use by those of the fields: "Wilcoxon", "two-tailed", "t-test"."""
    for name in _WORDS:
        if isinstance(given.get(name), str) and name != "estimate":
            given[name] = given[name].strip().lower()
            given[name] = _ALIASES.get(name, {}).get(given[name], given[name])
    test = _TESTS.get(str(given.get("statistic")), {})
    given.update(
        {**test, **{name: given[name] for name in test if name != "statistic" and name in given}}
    )
    if given.get("samples") is not None:
        given.setdefault("law", "monte-carlo")


def _stated(value: Any, given: set[str], *, permuted: bool) -> tuple[str, ...]:
    """Return the names of the fields that are stated: the given ones, or all."""
    if value is None or value == "all":
        names = [name for name in OPEN if value == "all" or name in given]
        more = ["law", PERMUTED] if permuted and value is None else []
        return tuple(dict.fromkeys([*names, *more]))
    if isinstance(value, tuple) and {*value} <= {
        *OPEN,
        PERMUTED,
    }:  # of a claim that was made before
        return value
    raise ExactPermError(f"stated is {short_text(value)}: it must be 'all', or left out")


def _unit(value: Any) -> str:
    """Return the field ``rounded``: "no", "as printed", or a positive number as text."""
    text = str(value).strip().lower()
    if text not in ("no", "as printed") and exact(text, "rounded") <= 0:
        raise ExactPermError(
            f"rounded is {short_text(value)}: it must be 'no', 'as printed' or a unit such as '0.1'"
        )
    return text


def _fixed(text: str) -> dict[str, Any]:
    """Return the fields of a claim that a line of exactperm states; none for other texts."""
    if not is_sentence(text):
        return {}
    stated = parse(text)
    if stated.weights:
        told = "test again with them, or count its record again"
        raise ExactPermError(
            f"the line of exactperm states {stated.weights!r}: a claim has no weights or tasks; {told}"
        )
    return {
        "statistic": stated.statistic,
        **({"zeros": stated.zeros or "drop"} if stated.statistic == "signed-rank" else {}),
        "alternative": stated.alternative,
        "boundary": ">=",
        "law": "exact",
        "orientation": ORIENTATIONS[stated.swapped_order],
        "mu": stated.mu,
        "decimals": stated.decimals,
        "n": stated.n,
        **({"design": stated.design} if stated.design else {}),
    }


def _whole(value: Any, name: str, least: int, most: int | None = None) -> int | None:
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 19:
        value = int(value)
    return None if value is None else whole_number(value, name, least, most)


def _counts(value: Any) -> tuple[int, int]:
    """Return b and c, read from "9,1", a pair, or a 2 x 2 table with the first system in its rows."""
    if isinstance(value, str):
        value = value.replace(";", ",").split(",")
    rows = list(value) if isinstance(value, Iterable) else []
    if any(isinstance(row, (list, tuple)) for row in rows):
        return discordant(rows, "counts")
    if len(rows) != 2:
        raise ExactPermError(
            f"counts is {short_text(value)}: it must be b and c, such as '9,1', or a 2 x 2 table"
        )
    b, c = [_whole(count, f"counts[{i}]", 0, _MOST_ITEMS) for i, count in enumerate(rows)]
    if b is None or c is None:
        raise ExactPermError(f"counts is {short_text(value)}: one of them is missing")
    return b, c


def _columns(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Iterable):
        return ",".join(map(str, value))
    raise WrongType(
        f"columns is {short_text(value)}: it must be text such as 'u,v', or a list of names"
    )


def _check_data(data: Any) -> None:
    """Raise ``WrongType`` unless data is a path, a list or a mapping of columns."""
    if not (data is None or isinstance(data, (str, PurePath, Mapping)) or is_sequence(data)):
        raise WrongType(
            f"data is {short_text(data)}: it must be a path, a list of columns, or a mapping of columns"
        )
