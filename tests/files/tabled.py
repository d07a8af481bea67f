"""Tables and selections of texts, for the tests of reading."""

from exactperm.files import checks, jsonl
from exactperm.files.reading import Reading
from exactperm.files.selection import select
from exactperm.files.sources import delimited


def table(text, name="f.csv", kind="scores", **settings):
    """Return the table of one text, as ``sources`` reads it."""
    if text.startswith(("{", "[")):
        return jsonl.parse(text, name)
    return delimited(text, name, Reading(**settings), kind)


def chosen(text, allowed=(1, 2), kind="scores", **settings):
    """Return what a test takes from one text."""
    return joined([text], allowed, kind, **settings)


def joined(texts, allowed=(2,), kind="scores", names="abcdefgh", **settings):
    """Return what a test takes from several texts."""
    tables = [
        table(text, name, kind, **settings)
        for text, name in zip(texts, names if len(texts) > 1 else ["f.csv"])
    ]
    return select(tables, allowed, "u, v", Reading(**settings), kind=kind)


def codes(selection):
    """Return the codes of the warnings of a selection."""
    assert {note.code for note in selection.notes} <= {*checks.CHECK}
    return [note.code for note in selection.notes]
