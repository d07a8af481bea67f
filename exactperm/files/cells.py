"""Tell by text alone what one cell is (score, name, missing, total), and what the name of a column promises.

``names_x(name)`` says whether a column's name promises x; :mod:`exactperm.files.profile` also looks at its cells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

MISSING_CELLS = frozenset(("", "na", "n/a", "none", "null", "nan", "nat", "<na>", "#n/a"))
"""Cells that hold no value, in lower case."""

BOOLEANS = {"true": "1", "false": "0"}
"""Words that are scores, in lower case."""

# Patterns that every table needs are compiled here; the others are texts, compiled (and kept by re) where first used.

_ITEMS = re.compile(
    r"item|i|row|line|seg(?:ment)?|sent(?:ence)?|question|query|topic|doc(?:ument)?|example|sample|instance|run|seed|epoch|"
    r"fold|trial|unnamed: 0|[a-z]{1,2}id|(?:.*[\W_])?(?:id|index|idx|no|nr|num|number)",
    re.IGNORECASE | re.DOTALL,
)
"""Names of columns that number the items, where their cells are whole numbers."""

_TOTAL = (
    r"(?:(?:macro|micro|grand|weighted|over|sub|column|unweighted)[\W_]*)?"
    r"(?:[agh]?means?|av(?:era)?ge?|avg|totals?|all|overall|sum|summary|aggregated?|medians?|std(?:[\W_]*(?:dev|err))?|"
    r"stdev|stderr|s\.?d\.?|variance|\N{GREEK SMALL LETTER MU}|\N{LATIN SMALL LETTER O WITH STROKE}|min|max|count|"
    r"25%|50%|75%)"
    r"(?:[\W_]*(?:scores?|results?|average|mean|items?|all|queries|segments|of\b.*|over\b.*))*[\W_]*(?:\(.*\))?[:.]?"
)
_REPEATED = (
    r"(?:.*[\W_])?(?:id|item|doc(?:ument)?|question|query|example|sample|instance|seg(?:ment)?|sent(?:ence)?)|"
    r"[a-z]{1,2}id"
)
"""Names of columns of items, of which each is one pair or a group of dependent pairs."""

_WHOLE = re.compile(r"(\d{1,18})(?:\.0+)?", re.ASCII)
_FEWEST = 5
"""Least length of a run of numbers that is no chance; with fewer pairs no two-sided p-value is below 1/16."""

_MOST_CLASSES = 20

_ASIDE = re.compile(
    r"(?:(?:src|source|ref|reference|hyp|sent|sentence|seg|segment|text|input|output|query|question|doc|document|word|"
    r"token|char|num|number|n|nr)[\W_]*(?:of[\W_]*)?)?(?:length|len|words?|tokens?|chars?|characters?|counts?)|"
    r"n|rank|date|day|month|year|time|timestamp|seconds|duration|runtime|latency|seed|layer|"
    r"diff(?:erence)?s?|delta|gain|change|improvement|(?:.+[\W_])?(?:std(?:[\W_]*(?:dev|err))?|sd|stdev|stderr|sem)|"
    r"variance|confidence|weights?|steps?|epochs?|iterations?|"
    r"\w *[-\N{MINUS SIGN}\N{EN DASH}] *\w|.+ (?:minus|[-\N{MINUS SIGN}\N{EN DASH}]) .+",
    re.IGNORECASE,
)
"""Names of columns that describe the items or compare the systems."""

_METRICS = (
    r"(?:sacre)?bleu(?:[\W_]?\d)?|chrf\W*|ter|comet|bleurt|bert[\W_]?score|rouge(?:[\W_]?(?:\d|l|lsum))?|meteor|precision|"
    r"recall|loss|f1|f[\W_]?score|f[\W_]measure|acc(?:uracy)?|em|exact[\W_]match|wer|cer|map|ndcg|mrr|lower|upper|"
    r"(?:map|ndcg|mrr|p|precision|recall)@\d+"
)

_ALSO = r"(?:y|the|right|correct|ground|class|tag|standard|output|text|train|dev|test)s?"
_RIGHT = r"(?:gold|golden|truth|true|target|ref|reference|expected|label|answer)s?"
_GOLD = re.compile(rf"(?:{_ALSO}[\W_]*)*{_RIGHT}(?:[\W_]*(?:{_ALSO}|{_RIGHT}))*", re.IGNORECASE)


_COLUMN = (
    r"(?:sys(?:tem)?|model|method|pred(?:iction|icted)?|baseline|base|new|old|mine|ours?|output|answer|class|domain|text|"
    r"label|tag|annotat(?:or|ion)|human|machine|source|target|y_?hat)s?(?:[\W_]*(?:\w|\d+))?"
)
"""Usual names of columns beside those of ids and of the right labels."""

_SYSTEMS = re.compile(
    r"(?:sys(?:tem)?|model|method|approach|variant|condition|run|submission|team|name)s?(?:[\W_]*(?:id|name))?",
    re.IGNORECASE,
)

_RUNS = (
    r"(?:run|seed|epoch|trial|rep(?:eat|etition|licate)?|attempt|iter(?:ation)?|rater|annotator|judge)s?"
    r"(?:[\W_]*(?:id|no|nr|num|number|idx|index|name))?"
)
_NUMBERED = (
    r"(?P<stem>.*?)[\W_]*(?P<run>(?P<word>(?<![^\W_])[sr](?=[\W_]*\d)|"
    r"run|seed|epoch|trial|rep(?:eat|etition|licate)?|attempt|iter(?:ation)?|rater|annotator|judge)?[\W_]*\d+)\W*"
)
"""A name that ends with the number of a run, after a word for runs or its first letter, or none."""
_NUMBERED_FIRST = (
    r"(?P<run>(?:[sr]|run|seed|epoch|trial|rep(?:eat|etition|licate)?|attempt|iter(?:ation)?|rater|annotator|judge)"
    r"[\W_]?\d+)[\W_]+(?P<stem>.+)"
)
"""A name that begins with such a word and the number of a run."""

_FIXED = r"(?:domain|genre|topic|category|subject|lang(?:uage)?(?:[\W_]*pair)?|lp|dataset|split|difficulty)s?"
"""Names of columns that are the same for an item in the files of all systems."""

_GIVEN = r"(?:source|src|question|reference|ref|passage|document|sentence)s?(?:[\W_]*(?:text|sentence|segment))?"
"""Names of columns of what all systems are given."""

_OUTPUT = (
    r"(?:.*[\W_])?(?:pred(?:iction|icted)?|hyp(?:othesis)?|output|response|generation|generated|answer|completion|translation|"
    r"system|sys|model|run|method|mt|candidate|reason|explanation|rationale|verdict|judge?ment)s?(?:[\W_].*)?"
)
"""Names of columns of what a system wrote."""


def names_column(cell: str) -> bool:
    """Whether a cell of a first row is a usual name of a column.

    >>> [cell for cell in ("id", "gold", "system_a", "pred", "sarcasm", "B") if names_column(cell)]
    ['id', 'gold', 'system_a', 'pred']
    """
    return any(map(str.isalpha, cell)) and (
        names_ids(cell) or names_gold(cell) or re.fullmatch(_COLUMN, cell, re.IGNORECASE) is not None
    )


def names_systems(name: str) -> bool:
    """Whether the name of a column says that it holds names of systems, as in tables of one row per item and system."""
    return _SYSTEMS.fullmatch(name) is not None


def names_fixed(name: str) -> bool:
    """Whether the name of a column says that it describes the item, so that it is the same in all systems' files."""
    return re.fullmatch(_FIXED, name, re.IGNORECASE) is not None or names_gold(name)


def names_given(name: str) -> bool:
    """Whether the name of a column says that it holds the input that all systems are given."""
    return re.fullmatch(_GIVEN, name, re.IGNORECASE) is not None


def names_output(name: str) -> bool:
    """Whether the name of a column says that it holds what a system wrote."""
    return re.fullmatch(_OUTPUT, name, re.IGNORECASE) is not None and (
        not names_gold(name) or name.lower() in ("answer", "answers")
    )


def is_name(cell: str) -> bool:
    """Whether a cell has letters and is no score, not even with signs that ``exact`` refuses, such as 50%."""
    if not any(map(str.isalpha, cell)):
        return False
    try:
        float(re.sub(r"[^\w.+-]", "", cell))
    except ValueError:
        return cell.lower() not in MISSING_CELLS and cell.lower() not in BOOLEANS
    return False


def names_ids(name: str) -> bool:
    """Whether the name of a column or key says that it holds ids or numbers of items."""
    return name.lower().endswith("id") or _ITEMS.fullmatch(name) is not None


def names_runs(name: str) -> bool:
    """Whether the name of a column or key says that it holds ids of runs: several outputs of a system on one item.

    >>> [name for name in ("seed", "epoch", "Run ID", "annotator", "running", "item") if names_runs(name)]
    ['seed', 'epoch', 'Run ID', 'annotator']
    """
    return re.fullmatch(_RUNS, name, re.IGNORECASE) is not None


def run_of(name: str) -> tuple[str, str, bool]:
    """Return the name of a column without its run, the run's number, and whether a word says that it is one.

    The number of the run comes last, or first after a word for runs. Other names have no run.

    >>> run_of("base_s1"), run_of("new2"), run_of("seed0"), run_of("run1/base"), run_of("base")
    (('base', 's1', True), ('new', '2', False), ('', 'seed0', True), ('base', 'run1', True), ('base', '', False))
    """
    found = re.fullmatch(_NUMBERED, name, re.IGNORECASE | re.DOTALL)
    if found is not None:
        return found["stem"], found["run"], bool(found["word"])
    found = re.fullmatch(_NUMBERED_FIRST, name, re.IGNORECASE | re.DOTALL)
    return (name, "", False) if found is None else (found["stem"], found["run"], True)


def is_total(cell: str) -> bool:
    """Whether a cell names the mean or the total of other rows.

    >>> [cell for cell in ("MEAN", "macro avg", "Overall:", "meaning", "q1") if is_total(cell)]
    ['MEAN', 'macro avg', 'Overall:']
    """
    return re.fullmatch(_TOTAL, cell.strip(" *_-=<>[]#"), re.IGNORECASE) is not None


def is_partial_total(cell: str) -> bool:
    """Whether an id names the mean or the total of some rows, alone or after the name of a part.

    >>> [cell for cell in ("doc1 mean", "en-de_avg", "mean", "demean", "q1") if is_partial_total(cell)]
    ['doc1 mean', 'en-de_avg', 'mean']
    """
    words = r"(?:[\w-]{1,20}[\W_]+)?(?:mean|av(?:era)?ge?|avg|(?:sub)?total|overall)s?:?"
    return re.fullmatch(words, cell.strip(), re.IGNORECASE) is not None


def names_items(name: str) -> bool:
    """Whether the name of a column says that it holds items, so that rows with one cell there depend on each other."""
    return re.fullmatch(_REPEATED, name, re.IGNORECASE | re.DOTALL) is not None


def numbers_items(name: str, cells: Sequence[str]) -> bool:
    """Whether whole numbers are no scores but numbers of items: by the name, or because each is one more.

    >>> numbers_items("doc", ["7", "7", "9"]), numbers_items("", ["3", "4", "5", "6", "7"]), numbers_items("A", ["1"])
    (True, True, False)
    """
    if names_ids(name) and (_ITEMS.fullmatch(name) or not {*cells} <= {"0", "1"}) and all(map(_WHOLE.fullmatch, cells)):
        return True
    first = _WHOLE.fullmatch(cells[0]) if len(cells) >= _FEWEST else None
    return first is not None and all(
        _WHOLE.fullmatch(cell) and int(cell.partition(".")[0]) == i for i, cell in enumerate(cells, int(first[1]))
    )


def names_gold(name: str) -> bool:
    """Whether the name of a column or file says that it holds the right labels.

    >>> [name for name in ("gold", "y_true", "Reference labels", "label_a", "correct", "golden retriever") if names_gold(name)]
    ['gold', 'y_true', 'Reference labels']
    """  # noqa: E501
    return _GOLD.fullmatch(name) is not None


def are_classes(cells: Sequence[str]) -> bool:
    """Whether cells may be the numbers of classes: few whole numbers that repeat."""
    classes = {*cells}
    return 2 * len(classes) <= len(cells) and len(classes) <= _MOST_CLASSES and all(map(str.isdecimal, classes))


def names_no_score(name: str) -> bool:
    """Whether the name of a column of numbers says that they are no scores, but describe items or compare systems.

    >>> [name for name in ("src_len", "delta", "step", "acc_stderr", "A-B", "BLEU") if names_no_score(name)]
    ['src_len', 'delta', 'step', 'acc_stderr', 'A-B']
    """
    return _ASIDE.fullmatch(name) is not None


def names_metric(name: str) -> bool:
    """Whether the name of a column is that of a metric or of an interval's end alone, without a system.

    >>> [name for name in ("BLEU", "rouge-L", "ndcg@10", "upper", "bleu_a", "base") if names_metric(name)]
    ['BLEU', 'rouge-L', 'ndcg@10', 'upper']
    """
    return re.fullmatch(_METRICS, name, re.IGNORECASE) is not None


def role(name: str) -> str:
    """Return which counts ("tp", "fp", "fn", "fp + fn") the name of a column promises, "other" for other counts, "" for none.

    >>> [role(name) for name in ("fp_baseline", "sysB.FN", "true positives", "tpA", "baseTP", "incorrect", "pred_a", "loft")]
    ['fp', 'fn', 'tp', 'tp', 'tp', 'fp + fn', 'other', '']
    """  # noqa: E501
    return _role_and_system(name)[0]


def system(name: str) -> str:
    """Return the system that the name of a column of counts mentions, "" where it mentions none.

    >>> [system(name) for name in ("fp_baseline", "sysB.FN", "true positives (Mine)", "tpA", "TP", "loft")]
    ['baseline', 'sysB', 'Mine', 'A', '', '']
    """
    return _role_and_system(name)[1]


_LONG_ROLES = re.compile(r"(true|false)[^a-z]*(pos|neg)[a-z]*", re.IGNORECASE)
_ROLE = re.compile(r"(?<![a-z])(tp|fp|fn)s?(?![a-z])", re.IGNORECASE)
_OTHER_ROLE = re.compile(
    r"(?<![a-z])(correct|matche?s?|hits?|tn|(?:true[^a-z]*neg[a-z]*)|incorrect|wrong|errors?|mistakes?|"
    r"pred(?:icted|ictions?)?|retrieved|returned|positives?|gold|reference|relevant|support|total|"
    r"precision|recall|f1|p|r)(?![a-z])",
    re.IGNORECASE,
)
_CAMEL = re.compile(
    r"(?<=[a-z0-9])(?=[A-Z])|^(?:TP|FP|FN|tp|fp|fn)(?=[A-Za-z]{3})|(?<![A-Z])(?:TP|FP|FN)(?=[a-rt-z](?![A-Za-z]))"
)
_MEANT = {"correct": "tp", "match": "tp", "hit": "tp", "incorrect": "fp + fn", "wrong": "fp + fn", "error": "fp + fn"}


def _role_and_system(name: str) -> tuple[str, str]:
    for text in (name, _CAMEL.sub(_split, name)):
        short = _LONG_ROLES.sub(lambda found: f" {found[1][0]}{found[2][0]} ", text)
        found = _ROLE.search(short)
        if found is not None:
            return found[1].lower(), _rest(short, found)
        found = _OTHER_ROLE.search(text)
        if found is not None:
            return _MEANT.get(re.sub(r"(?:e?s|s)$", "", found[1].lower()), "other"), _rest(text, found)
    return "", ""


def _split(found: re.Match[str]) -> str:
    return f"{found[0]} "


def _rest(text: str, found: re.Match[str]) -> str:
    return (text[: found.start()] + text[found.end() :]).strip(" _-.:()[]/")
