"""Claims: what a document prints about a paired test, in one record, and the files that hold many of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath

from ..arithmetic.quoting import short_text
from ..arithmetic.reading import choice, exact, level, whole_number
from ..classical import discordant
from ..errors import ExactPermError, WrongType
from ..files.jsonl import shallow
from ..multiplicity import adjustment
from ..record import Record
from .conventions import BOUNDARIES, LAWS, STATISTICS, TAILS, ZEROS
from .samples import check_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..arithmetic.rational import Exact

ORIENTATIONS = ("first-second", "second-first")
MISSING = ("refuse", "drop")
ESTIMATES = ("b/K", "(b+1)/(K+1)")

_ALIASES = {
    "statistic": {
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
    "alternative": {"two.sided": "two-sided", "2-sided": "two-sided", "larger": "greater", "smaller": "less"},
}


class Claim(Record):
    """One published p-value with all that is stated about it; fields that are not stated take their defaults.

    - ``id``, ``source``: names of the claim and of the document; claims of one source are judged together.
    - ``p``: the printed text, such as "p < .001"; ``digits`` the decimals that the source prints.
    - ``data``: a path, a list of one or two columns, or a mapping of columns by name; ``columns`` chooses from it.
      ``counts`` are b and c of McNemar's test in place of data. ``missing``: "refuse" or "drop".
    - ``orientation``: "first-second" or "second-first"; ``mu``: the shift that the hypothesis states.
    - ``statistic``, ``zeros``, ``alternative``, ``boundary``, ``law``: the convention; see
      :mod:`exactperm.auditing.conventions`. ``samples`` and ``estimate`` belong to Monte Carlo.
    - ``adjustment``, ``tests``: method and number of tests of an adjusted p-value.
    - ``alpha``: level of the decision, if not that of the audit. ``n``: stated number of pairs.
    - ``printed_statistic``: the printed value of the statistic; ``note``: anything for people.

    >>> Claim(id="maize", p="p = .05", data=[[3, 1, 2], [1, 0, 2]]).statistic
    'sum'
    """

    id: str = ""
    source: str = ""
    p: str
    data: Any = None
    columns: Any = None
    counts: Any = None
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
    note: str | None = None

    def __init__(self, **values: Any) -> None:
        given = {name: value for name, value in values.items() if value is not None}
        if not isinstance(given.get("p"), str):
            raise WrongType(f"p is {short_text(values.get('p'))}: it must be the printed text, such as 'p < .001'")
        for name, aliases in _ALIASES.items():
            if isinstance(given.get(name), str):
                given[name] = aliases.get(given[name], given[name])
        super().__init__(**given)
        self._check()

    def _check(self) -> None:
        for name, words in _WORDS.items():
            value = getattr(self, name)
            if value is not None:
                choice(value, name, words)
        for name in ("id", "source"):
            if not isinstance(getattr(self, name), str):
                raise WrongType(f"{name} is {short_text(getattr(self, name))}: it must be text")
        plain = {
            **{name: _whole(getattr(self, name), name, 1) for name in ("tests", "samples", "n", "digits")},
            "alpha": None if self.alpha is None else level(self.alpha),
            "mu": exact(self.mu, "mu"),
            "counts": None if self.counts is None else _counts(self.counts),
            "columns": None if self.columns is None else _columns(self.columns),
            "adjustment": None if self.adjustment is None else adjustment(self.adjustment, "adjustment"),
        }
        self.__dict__.update(plain)
        check_data(self.data)
        if self.adjustment == "tarone":
            raise ExactPermError("adjustment is 'tarone': it needs the least p-value that each test can give")
        if self.mu != 0 and self.statistic not in ("sum", "signed-rank", "sign"):
            raise ExactPermError(f"mu is {self.mu} and statistic is {self.statistic!r}: only a difference has a shift")
        if (self.law == "monte-carlo") != (self.samples is not None):
            raise ExactPermError(f"law is {self.law!r} and samples is {self.samples}: Monte Carlo needs its samples")
        if self.law == "t" and self.statistic != "sum":
            raise ExactPermError(f"law is 't' and statistic is {self.statistic!r}: the t-test is one of sums")
        if self.counts is not None and self.statistic not in ("mcnemar", "sign"):
            raise ExactPermError(f"counts are those of McNemar's test, but statistic is {self.statistic!r}")
        if self.data is None and self.counts is None:
            raise ExactPermError("the claim has no data: it needs a path, columns, or counts of McNemar's test")

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form of the claim; data given as columns are left out."""
        names = [name for name in self._fields if name != "data"]
        values = {name: getattr(self, name) for name in names}
        data = str(self.data) if isinstance(self.data, (str, PurePath)) else None
        texts = {
            name: str(value) if name in ("mu", "alpha") and value is not None else value
            for name, value in values.items()
        }
        return {"id": texts.pop("id"), "source": texts.pop("source"), "data": data, **texts}


_WORDS = {
    "orientation": ORIENTATIONS,
    "missing": MISSING,
    "statistic": tuple(STATISTICS),
    "zeros": tuple(ZEROS),
    "alternative": tuple(TAILS),
    "boundary": tuple(BOUNDARIES),
    "law": tuple(LAWS),
    "estimate": ESTIMATES,
}


def _whole(value: Any, name: str, least: int) -> int | None:
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 19:
        value = int(value)
    return None if value is None else whole_number(value, name, least)


def _counts(value: Any) -> tuple[int, int]:
    """B and c, from "9,1", a pair, or a 2 x 2 table with the first system in its rows."""
    if isinstance(value, str):
        value = value.replace(";", ",").split(",")
    rows = list(value) if isinstance(value, Iterable) else []
    if any(isinstance(row, (list, tuple)) for row in rows):
        return discordant(rows, "counts")
    if len(rows) != 2:
        raise ExactPermError(f"counts is {short_text(value)}: it must be b and c, such as '9,1', or a 2 x 2 table")
    b, c = [_whole(count, f"counts[{i}]", 0) for i, count in enumerate(rows)]
    if b is None or c is None:
        raise ExactPermError(f"counts is {short_text(value)}: one of them is missing")
    return b, c


def _columns(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Iterable):
        return ",".join(map(str, value))
    raise WrongType(f"columns is {short_text(value)}: it must be text such as 'u,v', or a list of names")


# ---------------------------------------------------------------------------------------------- claims files


class Entry(Record):
    """One row of a claims file: the claim, or the reason why it cannot be read; ``place`` is its file and line."""

    place: str
    id: str
    claim: Claim | None
    error: str | None = None


def entries_of(claims: Any) -> Iterator[Entry]:
    """The entries of an iterable of Claims or mappings; a wrong one becomes an entry with its error."""
    for position, one in enumerate(claims):
        place = f"claims[{position}]"
        if isinstance(one, Claim):
            yield Entry(place=place, id=one.id or str(position + 1), claim=one)
        else:
            yield entry_of(one, place, position + 1)


def entry_of(row: Any, place: str, number: int) -> Entry:
    """The entry of one mapping of field names to values, or of an error; ``number`` names a claim without an id."""
    if isinstance(row, ExactPermError):
        return Entry(place=place, id=str(number), claim=None, error=str(row))
    if not isinstance(row, Mapping):
        return Entry(place=place, id=str(number), claim=None, error=f"{short_text(row)} is no claim: it needs fields")
    name = str(row.get("id") or number)
    unknown = [field for field in row if field not in Claim._fields]
    if unknown:
        return Entry(place=place, id=name, claim=None, error=f"a claim has no field {short_text(unknown[0])}")
    try:
        given = {field: value for field, value in row.items() if not (isinstance(value, str) and not value.strip())}
        return Entry(place=place, id=name, claim=Claim(**{**given, "id": name}))
    except ExactPermError as error:
        return Entry(place=place, id=name, claim=None, error=str(error))


def parse_json(text: str, name: str) -> Iterator[tuple[str, Any]]:
    """(place, mapping) of each claim of a JSON file: a list, or an object with "claims" and fields for all of them.

    The object may have "stars", a legend such as {"*": "p < .05"}: without one, stars say nothing.
    """
    content = _loaded(text, name)
    common: dict[str, Any] = {}
    if isinstance(content, Mapping) and "claims" in content:
        common = {field: value for field, value in content.items() if field != "claims"}
        content = content["claims"]
    if not isinstance(content, list):
        raise ExactPermError(f"{name}: it must hold a list of claims, or an object with a list under 'claims'")
    stars = common.pop("stars", {})
    if not isinstance(stars, Mapping):
        raise ExactPermError(f"{name}: stars is {short_text(stars)}: it must map stars to p-values")
    for number, row in enumerate(content, 1):
        whole = {**common, **row} if isinstance(row, Mapping) else row
        if isinstance(row, Mapping) and isinstance(row.get("p"), str):
            whole["p"] = stars.get(row["p"].strip(), row["p"])
        yield f"{name}, claim {number}", whole


def parse_lines(text: str, name: str) -> Iterator[tuple[str, Any]]:
    """(place, mapping) of each line of a JSONL file; a line that is not JSON is passed on as its text."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield f"{name}, line {number}", _loaded(line, name)
            except ExactPermError:
                yield f"{name}, line {number}", line


def _loaded(text: str, name: str) -> Any:
    """JSON with its decimals as text, since trailing zeros and all digits count."""
    try:
        return json.loads(shallow(text), parse_float=str)
    except ValueError as error:
        raise ExactPermError(f"{name}: not JSON ({error})") from None
