"""Tell by text alone what one cell is (score, name, missing, total), and what the name of a column promises.

``names_x(name)`` says whether a column's name promises x; :mod:`exactperm.files.profile` also looks
at its cells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

MISSING_CELLS = frozenset(("", "na", "n/a", "none", "null", "nan", "nat", "<na>", "#n/a"))
"""Cells that hold no value, in lower case."""

BOOLEANS = {"true": "1", "false": "0"}
"""Words that are scores, in lower case."""

# Patterns are texts, which re compiles where they are first used and keeps: to compile all would
# take a tenth of the time of a small test. So a name is looked up among whole words first, and a
# pattern is tried on names that have one of the parts without which it does not match.


def _matches(pattern: str, name: str, *parts: str) -> bool:
    """Whether a whole name is of a pattern, in any case; such a name has one of the ``parts``, where some are given."""
    return (not parts or _has(name, *parts)) and re.fullmatch(
        pattern, name, re.IGNORECASE
    ) is not None


def _has(name: str, *parts: str) -> bool:
    lower = name.lower()
    return any(part in lower for part in parts)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ITEMS = _words(
    "item i row line seg segment sent sentence question query topic doc document example sample instance run seed "
    "epoch fold trial"
) | {"unnamed: 0"}
_NUMBERS = ("id", "index", "idx", "no", "nr", "num", "number")
"""Names, and their last words, of columns that number the items where their cells are whole
numbers."""

_TOTAL = (
    r"(?:(?:macro|micro|grand|weighted|over|sub|column|unweighted)[\W_]*)?"
    r"(?:[agh]?means?|av(?:era)?ge?|avg|totals?|all|overall|sum|summary|aggregated?|medians?|std(?:[\W_]*(?:dev|err))?|"
    r"stdev|stderr|s\.?d\.?|variance|\N{GREEK SMALL LETTER MU}|\N{LATIN SMALL LETTER O WITH STROKE}|min|max|count|"
    r"25%|50%|75%)"
    r"(?:[\W_]*(?:scores?|results?|average|mean|items?|all|queries|segments|of\b.*|over\b.*))*[\W_]*(?:\(.*\))?[:.]?"
)
_REPEATED = (
    r"(?s)(?:.*[\W_])?(?:id|item|doc(?:ument)?|question|query|example|sample|instance|seg(?:ment)?|sent(?:ence)?)|"
    r"[a-z]{1,2}id"
)
"""Names of columns of items, of which each is one pair or a group of dependent pairs."""

_WHOLE = re.compile(r"(\d{1,18})(?:\.0+)?", re.ASCII)
_FEWEST = 5
"""Least length of a run of numbers that is no chance; with fewer pairs no two-sided p-value is
below 1/16."""

_MOST_CLASSES = 20

_ASIDE = _words(
    "length len word words token tokens char chars character characters count counts n rank date day month year "
    "timestamp seconds seed layer diff diffs difference differences delta gain change improvement std sd stdev "
    "stderr sem variance confidence weight weights step steps epoch epochs iteration iterations temperature vote "
    "votes ci pval pvalue p-value p_value total totals"
)
_SIZES = (
    r"(?:src|source|ref|reference|hyp|sent|sentence|seg|segment|text|input|output|query|question|doc|document|word|token|"
    r"char|num|number|n|nr|prompt|completion|total|max|mean|avg)[\W_]*(?:of[\W_]*)?"
    r"(?:length|len|words?|tokens?|chars?|characters?|counts?)|(?:words?|tokens?|chars?)[\W_](?:in|out|used|total)"
)
_SPREAD = r"(?:.+[\W_])?(?:std(?:[\W_]*(?:dev|err))?|stdev|sd|sem)"
_BESIDE = r".+[\W_](?:diff(?:erence)?|delta|p[\W_]?val(?:ue)?)"
_MEASURED = (
    r"(?:.+[\W_])?(?:time|latency|runtime|duration|elapsed|costs?|price)"
    r"(?:[\W_](?:us|ms|s|secs?|seconds?|min|minutes?|h|hours?|cents?|usd|dollars?|eur|euros?))?"
)
_MINUS = "[-\N{MINUS SIGN}\N{EN DASH}]"
_CHANGE = rf"\w *{_MINUS} *\w|.+ (?:minus|{_MINUS}) .+"
"""Names of columns that describe the items or compare the systems."""

_METRICS = _words(
    "bleu sacrebleu chrf ter comet bleurt rouge meteor precision recall loss f1 fscore fmeasure acc accuracy em wer "
    "cer map ndcg mrr lower upper"
)
_MORE_METRICS = (
    r"(?:sacre)?bleu[\W_]?\d|chrf\W+|bert[\W_]?score|rouge[\W_]?(?:\d|l|lsum)|f[\W_](?:score|measure)|exact[\W_]match|"
    r"(?:map|ndcg|mrr|p|precision|recall)@\d+"
)

_ALSO = r"(?:y|the|right|correct|ground|class|tag|standard|output|text|train|dev|test)s?"
_RIGHT = r"(?:gold|golden|truth|true|target|ref|reference|expected|label|answer)s?"
_GOLD = rf"(?:{_ALSO}[\W_]*)*{_RIGHT}(?:[\W_]*(?:{_ALSO}|{_RIGHT}))*"

_COLUMN = (
    r"(?:sys(?:tem)?|model|method|pred(?:iction|icted)?|baseline|base|new|old|mine|ours?|output|answer|class|domain|text|"
    r"label|tag|annotat(?:or|ion)|human|machine|source|target|y_?hat)s?(?:[\W_]*(?:\w|\d+))?"
)
"""Usual names of columns beside those of ids and of the right labels."""

_SYSTEM = (
    "sys",
    "model",
    "method",
    "approach",
    "variant",
    "condition",
    "run",
    "submission",
    "team",
    "name",
)
_SYSTEMS = rf"(?:system|{'|'.join(_SYSTEM)})s?(?:[\W_]*(?:id|name))?"

_GROUP = ("group", "treatment", "arm", "factor", "cond", "class", "cluster")
_GROUPS = rf"(?:condition|{'|'.join(_GROUP)})s?(?:[\W_]*(?:id|no|name))?"

_RUN = ("run", "seed", "epoch", "trial", "rep", "attempt", "iter", "rater", "annotator", "judge")
_RUNS = (
    r"(?:run|seed|epoch|trial|rep(?:eat|etition|licate)?|attempt|iter(?:ation)?|rater|annotator|judge)s?"
    r"(?:[\W_]*(?:id|no|nr|num|number|idx|index|name))?"
)
_NUMBERED = (
    r"(?s)(?P<stem>.*?)[\W_]*(?P<run>(?P<word>(?<![^\W_])[sr](?=[\W_]*\d)|"
    r"run|seed|epoch|trial|rep(?:eat|etition|licate)?|attempt|iter(?:ation)?|rater|annotator|judge)?[\W_]*\d+)\W*"
)
"""A name that ends with the number of a run, after a word for runs or its first letter, or none."""
_NUMBERED_FIRST = (
    r"(?s)(?P<run>(?:[sr]|run|seed|epoch|trial|rep(?:eat|etition|licate)?|attempt|iter(?:ation)?|rater|annotator|judge)"
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
        names_ids(cell) or names_gold(cell) or _matches(_COLUMN, cell)
    )


def names_systems(name: str) -> bool:
    """Whether the name of a column says that it holds names of systems, as in tables of one row per item and system."""
    return _matches(_SYSTEMS, name, *_SYSTEM)


def names_groups(name: str) -> bool:
    """Whether the name of a column says that it holds groups of rows, such as treatments.

    >>> [name for name in ("group", "Treatments", "cond_id", "bar") if names_groups(name)]
    ['group', 'Treatments', 'cond_id']
    """
    return _matches(_GROUPS, name, *_GROUP)


def names_fixed(name: str) -> bool:
    """Whether the name of a column says that it describes the item, so that it is the same in all systems' files."""
    return _matches(_FIXED, name) or names_gold(name)


def names_given(name: str) -> bool:
    """Whether the name of a column says that it holds the input that all systems are given."""
    return _matches(_GIVEN, name)


def names_output(name: str) -> bool:
    """Whether the name of a column says that it holds what a system wrote."""
    return _matches(_OUTPUT, name) and (
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
    return name.lower().endswith("id") or _is_item(name)


def _is_item(name: str) -> bool:
    """Whether a name is a word for items or their numbers; one that only ends with id has a letter or two before it."""
    lower = name.lower()
    short = len(lower) in (3, 4) and lower.endswith("id") and lower.isascii() and lower.isalpha()
    return lower in _ITEMS or short or re.split(r"[\W_]", lower)[-1] in _NUMBERS


def names_runs(name: str) -> bool:
    """Whether the name of a column or key says that it holds ids of runs: several outputs of a system on one item.

    >>> [name for name in ("seed", "epoch", "Run ID", "annotator", "running", "item") if names_runs(name)]
    ['seed', 'epoch', 'Run ID', 'annotator']
    """
    return _matches(_RUNS, name, *_RUN)


def run_of(name: str) -> tuple[str, str, bool]:
    """Return the name of a column without its run, the run's number, and whether a word says that it is one.

    The number of the run comes last, or first after a word for runs. Other names have no run.

    >>> run_of("base_s1"), run_of("new2"), run_of("seed0"), run_of("run1/base"), run_of("base")
    (('base', 's1', True), ('new', '2', False), ('', 'seed0', True), ('base', 'run1', True), ('base', '', False))
    """
    if not any(map(str.isdecimal, name)):
        return name, "", False
    found = re.fullmatch(_NUMBERED, name, re.IGNORECASE)
    if found is not None:
        return found["stem"], found["run"], bool(found["word"])
    found = re.fullmatch(_NUMBERED_FIRST, name, re.IGNORECASE)
    return (name, "", False) if found is None else (found["stem"], found["run"], True)


def is_total(cell: str) -> bool:
    """Whether a cell names the mean or the total of other rows.

    >>> [cell for cell in ("MEAN", "macro avg", "Overall:", "meaning", "q1") if is_total(cell)]
    ['MEAN', 'macro avg', 'Overall:']
    """
    return _matches(_TOTAL, cell.strip(" *_-=<>[]#"))


def is_partial_total(cell: str) -> bool:
    """Whether an id names the mean or the total of some rows, alone or after the name of a part.

    >>> [cell for cell in ("doc1 mean", "en-de_avg", "mean", "demean", "q1") if is_partial_total(cell)]
    ['doc1 mean', 'en-de_avg', 'mean']
    """
    words = r"(?:[\w-]{1,20}[\W_]+)?(?:mean|av(?:era)?ge?|avg|(?:sub)?total|overall)s?:?"
    return _matches(words, cell.strip())


def names_items(name: str) -> bool:
    """Whether the name of a column says that it holds items, so that rows with one cell there depend on each other."""
    return _matches(_REPEATED, name)


def numbers_items(name: str, cells: Sequence[str]) -> bool:
    """Whether whole numbers are no scores but numbers of items: by the name, or because each is one more.

    >>> numbers_items("doc", ["7", "7", "9"]), numbers_items("", ["3", "4", "5", "6", "7"]), numbers_items("A", ["1"])
    (True, True, False)
    """
    if (
        names_ids(name)
        and (_is_item(name) or not {*cells} <= {"0", "1"})
        and all(map(_WHOLE.fullmatch, cells))
    ):
        return True
    first = _WHOLE.fullmatch(cells[0]) if len(cells) >= _FEWEST else None
    return first is not None and all(
        _WHOLE.fullmatch(cell) and int(cell.partition(".")[0]) == i
        for i, cell in enumerate(cells, int(first[1]))
    )


def names_gold(name: str) -> bool:
    """Whether the name of a column or file says that it holds the right labels.

    >>> [name for name in ("gold", "y_true", "Reference labels", "label_a", "correct", "golden retriever") if names_gold(name)]
    ['gold', 'y_true', 'Reference labels']
    """
    return _matches(_GOLD, name, "gold", "tru", "target", "ref", "expected", "label", "answer")


def are_classes(cells: Sequence[str]) -> bool:
    """Whether cells may be the numbers of classes: few whole numbers that repeat."""
    classes = {*cells}
    return (
        2 * len(classes) <= len(cells)
        and len(classes) <= _MOST_CLASSES
        and all(map(str.isdecimal, classes))
    )


def names_no_score(name: str) -> bool:
    """Whether the name of a column of numbers says that they are no scores, but describe items or compare systems.

    >>> [name for name in ("src_len", "delta", "acc_stderr", "score_diff", "A-B", "BLEU") if names_no_score(name)]
    ['src_len', 'delta', 'acc_stderr', 'score_diff', 'A-B']
    """
    return (
        name.lower() in _ASIDE
        or _matches(_SIZES, name, "len", "word", "token", "char", "count")
        or _matches(_SPREAD, name, "std", "sd", "sem")
        or _matches(_BESIDE, name, "diff", "delta", "val")
        or _matches(_MEASURED, name, "time", "latency", "duration", "elapsed", "cost", "price")
        or _matches(_CHANGE, name, "minus", "-", "\N{MINUS SIGN}", "\N{EN DASH}")
    )


def names_metric(name: str) -> bool:
    """Whether the name of a column is that of a metric or of an interval's end alone, without a system.

    >>> [name for name in ("BLEU", "rouge-L", "ndcg@10", "upper", "bleu_a", "base") if names_metric(name)]
    ['BLEU', 'rouge-L', 'ndcg@10', 'upper']
    """
    return name.lower() in _METRICS or _matches(
        _MORE_METRICS, name, "bleu", "chrf", "bert", "rouge", "f", "match", "@"
    )


def role(name: str) -> str:
    """Return which counts ("tp", "fp", "fn", "fp + fn") the name of a column promises, "other" for other counts, "" for none.

    >>> [role(name) for name in ("fp_baseline", "sysB.FN", "true positives", "tpA", "baseTP", "incorrect", "pred_a", "loft")]
    ['fp', 'fn', 'tp', 'tp', 'tp', 'fp + fn', 'other', '']
    """
    return _role_and_system(name)[0]


def system(name: str) -> str:
    """Return the system that the name of a column of counts mentions, "" where it mentions none.

    >>> [system(name) for name in ("fp_baseline", "sysB.FN", "true positives (Mine)", "tpA", "TP", "loft")]
    ['baseline', 'sysB', 'Mine', 'A', '', '']
    """
    return _role_and_system(name)[1]


_COUNTS = ("tp", "fp", "fn")
_LONG_ROLE = r"(true|false)[^a-z]*(pos|neg)[a-z]*"
_ROLE = r"(?<![a-z])(tp|fp|fn)s?(?![a-z])"
_OTHER = _words(
    "correct match hit tn true wrong error mistake pred retrieved returned positive gold reference relevant support "
    "total precision recall f1"
)
_OTHER_ROLE = (
    r"(?<![a-z])(correct|matche?s?|hits?|tn|(?:true[^a-z]*neg[a-z]*)|incorrect|wrong|errors?|mistakes?|"
    r"pred(?:icted|ictions?)?|retrieved|returned|positives?|gold|reference|relevant|support|total|"
    r"precision|recall|f1|p|r)(?![a-z])"
)
_CAMEL = r"(?<=[a-z0-9])(?=[A-Z])|^(?:TP|FP|FN|tp|fp|fn)(?=[A-Za-z]{3})|(?<![A-Z])(?:TP|FP|FN)(?=[a-rt-z](?![A-Za-z]))"
_MEANT = {
    "correct": "tp",
    "match": "tp",
    "hit": "tp",
    "incorrect": "fp + fn",
    "wrong": "fp + fn",
    "error": "fp + fn",
}


def _role_and_system(name: str) -> tuple[str, str]:
    camel = name != name.lower() or name.startswith(_COUNTS)
    for text in (name, re.sub(_CAMEL, r"\g<0> ", name)) if camel else (name,):
        short, found = text, None
        if _has(text, "true", "false"):
            short = re.sub(
                _LONG_ROLE, lambda long: f" {long[1][0]}{long[2][0]} ", text, flags=re.IGNORECASE
            )
        if _has(short, *_COUNTS):
            found = re.search(_ROLE, short, re.IGNORECASE)
        if found is not None:
            return found[1].lower(), _rest(short, found)
        if _has(text, *_OTHER) or {"p", "r"} & {*re.split("[^a-z]", text.lower())}:
            found = re.search(_OTHER_ROLE, text, re.IGNORECASE)
        if found is not None:
            return _MEANT.get(re.sub(r"(?:e?s|s)$", "", found[1].lower()), "other"), _rest(
                text, found
            )
    return "", ""


def _rest(text: str, found: re.Match[str]) -> str:
    return (text[: found.start()] + text[found.end() :]).strip(" _-.:()[]/")
