"""Files of command lines with explicit options, in lines.json, and what is kept of their answers in answers.jsonl."""

import json
import re
from pathlib import Path

FILES = json.loads(Path(__file__).with_name("lines.json").read_text(encoding="utf-8"))
"""The text of each file by its name."""
ANSWERS = Path(__file__).with_name("answers.jsonl")
FIELDS = "pvalue", "count", "total", "bracket", "statistic", "midp", "n", "n_units", "means"
ENDS = "lower", "upper", "estimate", "coverage"


def without_times(text):
    """Return what a command prints without the times at the ends of lines."""
    return re.sub(r"\b[\d.]+ m?s$", "TIME", text, flags=re.MULTILINE)


def answer(record):
    """Return what is kept of a record: exact numbers alone."""
    kept = {name: record[name] for name in FIELDS if name in record}
    interval = record.get("interval")
    return {**kept, **({name: interval[name] for name in ENDS} if interval else {})}
