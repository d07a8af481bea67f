"""Questions and their sources without files, for tests of what is written."""

from exactperm.files.question import Question
from exactperm.files.sources import File, Source
from exactperm.swaps.statistic import difference


def source(**changes):
    file = File(**{"name": "maize.csv", "sha256": "ab", "form": "table", **changes})
    return Source(files=(file,), names=("d",), pairs=15)


def question(words="sum of the differences", *, about=None, **changes):
    return Question(
        statistic=difference, u=[], v=[], words=words, source=source(**changes), **(about or {})
    )
