"""What names of columns promise, against one pattern for each promise, tried on every name."""

import re

import hypothesis.strategies as st
from hypothesis import example, given

from exactperm.files import cells

PATTERNS = {
    cells.names_ids: (
        r"(?s).*id|item|i|row|line|seg(?:ment)?|sent(?:ence)?|question|query|topic|doc(?:ument)?|example|sample|instance|"
        r"run|seed|epoch|fold|trial|unnamed: 0|(?:.*[\W_])?(?:id|index|idx|no|nr|num|number)"
    ),
    cells.names_no_score: (
        r"(?:(?:src|source|ref|reference|hyp|sent|sentence|seg|segment|text|input|output|query|question|doc|document|word|"
        r"token|char|num|number|n|nr|prompt|completion|total|max|mean|avg)[\W_]*(?:of[\W_]*)?)?"
        r"(?:length|len|words?|tokens?|chars?|characters?|counts?)|(?:words?|tokens?|chars?)[\W_](?:in|out|used|total)|"
        r"(?:.+[\W_])?(?:time|latency|runtime|duration|elapsed|costs?|price)"
        r"(?:[\W_](?:us|ms|s|secs?|seconds?|min|minutes?|h|hours?|cents?|usd|dollars?|eur|euros?))?|"
        r"n|rank|date|day|month|year|time|timestamp|seconds|duration|runtime|latency|seed|layer|"
        r"diff(?:erence)?s?|delta|gain|change|improvement|(?:.+[\W_])?(?:std(?:[\W_]*(?:dev|err))?|sd|stdev|stderr|sem)|variance|steps?|"
        r"epochs?|iterations?|confidence|weights?|temperature|costs?|price|votes?|ci|pval|p[-_]?value|totals?|"
        r".+[\W_](?:diff(?:erence)?|delta|costs?|latency|time|p[\W_]?val(?:ue)?)|"
        "\\w *[-\N{MINUS SIGN}\N{EN DASH}] *\\w|.+ (?:minus|[-\N{MINUS SIGN}\N{EN DASH}]) .+"
    ),
    cells.names_metric: (
        r"(?:sacre)?bleu(?:[\W_]?\d)?|chrf\W*|ter|comet|bleurt|bert[\W_]?score|rouge(?:[\W_]?(?:\d|l|lsum))?|meteor|"
        r"precision|recall|loss|f1|f[\W_]?score|f[\W_]?measure|acc(?:uracy)?|em|exact[\W_]match|wer|cer|map|ndcg|mrr|lower|"
        r"upper|(?:map|ndcg|mrr|p|precision|recall)@\d+"
    ),
    cells.names_gold: (
        r"(?:(?:y|the|right|correct|ground|class|tag|standard|output|text|train|dev|test)s?[\W_]*)*"
        r"(?:gold|golden|truth|true|target|ref|reference|expected|label|answer)s?"
        r"(?:[\W_]*(?:y|the|right|correct|ground|class|tag|standard|output|text|train|dev|test|"
        r"gold|golden|truth|true|target|ref|reference|expected|label|answer)s?)*"
    ),
    cells.names_systems: (
        r"(?:sys(?:tem)?|model|method|approach|variant|condition|run|submission|team|name)s?(?:[\W_]*(?:id|name))?"
    ),
    cells.names_groups: r"(?:group|treatment|arm|factor|cond(?:ition)?|class|cluster)s?(?:[\W_]*(?:id|no|name))?",
    cells.names_runs: (
        r"(?:run|seed|epoch|trial|rep(?:eat|etition|licate)?|attempt|iter(?:ation)?|rater|annotator|judge)s?"
        r"(?:[\W_]*(?:id|no|nr|num|number|idx|index|name))?"
    ),
}
OTHERS = "tp fp fn tn fscore fmeasure hits matches wrong errors retrieved returned relevant support total"
WORDS = sorted(
    {
        *re.findall("[a-z]{2,}", " ".join((*PATTERNS.values(), OTHERS))),
        "s",
        "r",
        "y",
        "p",
        "0",
        "12",
    }
)
SEPARATORS = ("", "_", " ", "-", ".", " of ", " - ", " minus ", "@", "\n", "\N{MINUS SIGN}")
PIECES = st.tuples(
    st.sampled_from(SEPARATORS),
    st.sampled_from(WORDS),
    st.sampled_from((str, str.upper, str.title)),
)


def joined(pieces):
    """Return a name of words in some case with separators between them."""
    return "".join(
        separator * (i > 0) + case(word) for i, (separator, word, case) in enumerate(pieces)
    )


NAMES = st.lists(PIECES, max_size=4).map(joined)


def agree(name):
    """Check that a name promises what its pattern says, whatever is looked for first."""
    for promises, pattern in PATTERNS.items():
        assert promises(name) == (re.fullmatch(pattern, name, re.IGNORECASE) is not None), (
            promises.__name__,
            name,
        )


def test_every_word_of_a_pattern_counts():
    """A part that is looked for before a pattern, and whole words in its place, leave none out and take no other."""
    for word in WORDS:
        for name in (
            word,
            f"{word}s",
            f"{word}_id",
            f"{word}1",
            f"src_{word}",
            f"gold {word}",
            f"A {word} B",
        ):
            agree(name)
            assert cells.role(name) == role(name), name


@given(NAMES)
@example("unnamed: 0")
@example("A \N{EN DASH} B")
@example("f_measure")
@example("exact match")
@example("BERT score")
@example("acc_sd")
@example("acc stdev")
@example("ndcg@10")
def test_a_name_promises_what_its_pattern_says(name):
    agree(name)


@given(NAMES)
@example("baseTP")
@example("A true negatives B")
@example("incorrect matches")
def test_the_role_of_a_name_is_that_of_its_first_word_for_counts(name):
    """The same as with all patterns in turn, for the name as it is and for its words apart."""
    assert cells.role(name) == role(name)


def role(name):
    """Return what the name of a column of counts promises, by the patterns alone."""
    camel = r"(?<=[a-z0-9])(?=[A-Z])|^(?:TP|FP|FN|tp|fp|fn)(?=[A-Za-z]{3})|(?<![A-Z])(?:TP|FP|FN)(?=[a-rt-z](?![A-Za-z]))"
    long, short = r"(true|false)[^a-z]*(pos|neg)[a-z]*", r"(?<![a-z])(tp|fp|fn)s?(?![a-z])"
    other = (
        r"(?<![a-z])(correct|matche?s?|hits?|tn|(?:true[^a-z]*neg[a-z]*)|incorrect|wrong|errors?|mistakes?|"
        r"pred(?:icted|ictions?)?|retrieved|returned|positives?|gold|reference|relevant|support|total|"
        r"precision|recall|f1|p|r)(?![a-z])"
    )
    right, wrong = ("correct", "match", "hit"), ("incorrect", "wrong", "error")
    for text in (name, re.sub(camel, r"\g<0> ", name)):
        apart = re.sub(
            long, lambda found: f" {found[1][0]}{found[2][0]} ", text, flags=re.IGNORECASE
        )
        found = re.search(short, apart, re.IGNORECASE)
        if found:
            return found[1].lower()
        found = re.search(other, text, re.IGNORECASE)
        if found:
            word = re.sub("(?:e?s|s)$", "", found[1].lower())
            return "tp" if word in right else "fp + fn" if word in wrong else "other"
    return ""
