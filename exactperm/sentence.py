"""The line that reports a test: :mod:`exactperm.null.sentence` under its first name."""

from .null.sentence import STATISTICS, ZEROS, Sentence, is_sentence, parse

__all__ = ["STATISTICS", "ZEROS", "Sentence", "is_sentence", "parse"]
