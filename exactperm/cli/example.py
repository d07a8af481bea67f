"""The command ``example``: small made-up files to try the other commands with."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

from .._types import TYPE_CHECKING, Namespace
from ..errors import ExactPermError

if TYPE_CHECKING:
    from .options import Groups


def _answers(n: int, both: int, first: int, second: int) -> list[tuple[int, int]]:
    """Return which of two systems is right on n items, in a fixed mixed order."""
    pairs = [(1, 1)] * both + [(1, 0)] * first + [(0, 1)] * second
    pairs += [(0, 0)] * (n - len(pairs))
    return [pairs[i * 37 % n] for i in range(n)]


def _scores() -> Iterator[str]:
    """Yield 60 questions: the new system is right on 13 that the baseline misses, and wrong on 3 that it has right."""
    yield "item,baseline,new"
    for i, (old, new) in enumerate(_answers(60, 31, 3, 13), 1):
        yield f"q{i},{old},{new}"


def _documents() -> Iterator[str]:
    """Yield sentences of 12 documents with a score of each system."""
    rng = random.Random(12)
    yield "document\tsentence\tbaseline\tnew"
    for document in range(1, 13):
        shift = rng.randrange(-2, 5)
        for sentence in range(1, 6):
            score = 60 + rng.randrange(30)
            yield f"d{document}\t{sentence}\t0.{score}\t0.{score + shift + rng.randrange(-2, 3)}"


def _systems() -> Iterator[str]:
    """Yield 40 questions and four systems."""
    rng = random.Random(4)
    yield "item,small,medium,large,large-v2"
    for i in range(1, 41):
        yield ",".join([f"q{i}", *(str(int(rng.randrange(100) < rate)) for rate in (45, 60, 85, 88))])


def _real() -> Iterator[str]:
    """Yield a learned metric of 80 segments, with all its digits."""
    rng = random.Random(80)
    yield "segment,baseline,new"
    for i in range(1, 81):
        base = 0.6 + rng.getrandbits(40) / 2**42
        yield f"{i},{base!r},{base + 0.01 + (rng.getrandbits(40) - 2**39) / 2**43!r}"


def _labels() -> Iterator[str]:
    """Yield part-of-speech tags: the right one, and those of two taggers."""
    rng = random.Random(3)
    tags = ("NOUN", "VERB", "ADJ", "DET")
    yield "gold,baseline,new"
    for _ in range(50):
        gold = tags[rng.randrange(4)]
        yield ",".join([gold, *(gold if rng.randrange(100) < rate else tags[rng.randrange(4)] for rate in (60, 85))])


def _counts() -> Iterator[str]:
    """Yield entities found in 40 sentences: true positives, false positives and false negatives of both systems."""
    rng = random.Random(40)
    yield "sentence,base_tp,base_fp,base_fn,new_tp,new_fp,new_fn"
    for i in range(1, 41):
        entities = rng.randrange(5)
        found = [sum(rng.randrange(100) < rate for _ in range(entities)) for rate in (55, 75)]
        cells = [f"{tp},{rng.randrange(2)},{entities - tp}" for tp in found]
        yield ",".join([str(i), *cells])


def _samples(system: int) -> Iterator[str]:
    """Yield samples as lm-evaluation-harness logs them."""
    for i, pair in enumerate(_answers(30, 12, 2, 11)):
        yield json.dumps(
            {
                "doc_id": i,
                "doc": {"question": f"What is {i} + {i}?"},
                "target": str(2 * i),
                "filtered_resps": [str(2 * i if pair[system] else i)],
                "filter": "none",
                "metrics": ["exact_match"],
                "doc_hash": f"{i:064x}",
                "target_hash": f"{2 * i:064x}",
                "exact_match": float(pair[system]),
            }
        )


def _runs() -> Iterator[str]:
    """Yield 8 tasks that two agents tried five times each, a column for each try."""
    rng = random.Random(10)
    yield ",".join(["task", *(f"{name}_run{i}" for name in ("base", "new") for i in range(1, 6))])
    for i in range(1, 9):
        rate = rng.randrange(10, 60)
        yield ",".join([f"t{i}", *(str(int(rng.randrange(100) < rate + more)) for more in (0, 30) for _ in range(5))])


def _claims() -> Iterator[str]:
    """Yield three claims about scores.csv, of which one is wrong."""
    yield "id,data,columns,p,statistic,law,alternative"
    yield 'sum,scores.csv,"baseline,new",p = .021,sum,exact,two-sided'
    yield 'sign,scores.csv,"baseline,new",p < .05,sign,exact,two-sided'
    yield 'wrong,scores.csv,"baseline,new",p = .010,sum,exact,two-sided'


EXAMPLES = {
    "scores": _scores,
    "documents": _documents,
    "systems": _systems,
    "real": _real,
    "labels": _labels,
    "counts": _counts,
    "runs": _runs,
    "samples-a": lambda: _samples(0),
    "samples-b": lambda: _samples(1),
    "claims": _claims,
}
"""The lines of each example, by its name."""


def example(name: str) -> str:
    """Return the text of an example; ``ExactPermError`` for an unknown name, with all names."""
    if name not in EXAMPLES:
        raise ExactPermError(
            f"there is no example {name[:40]!r}: exactperm example scores > scores.csv writes one; the "
            f"names are {', '.join(EXAMPLES)}"
        )
    return "".join(f"{line}\n" for line in EXAMPLES[name]())


def add_options(group: Groups) -> None:
    """Add the options of the command."""
    words = f"scores (default); {', '.join(EXAMPLES)}"
    group("example").add_argument("name", nargs="?", default="scores", metavar="NAME", help=words)


def run(args: Namespace) -> None:
    """Print the example."""
    print(example(args.name), end="")
