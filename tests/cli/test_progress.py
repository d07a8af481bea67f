"""The progress bar: when it is shown, and that it leaves nothing behind."""

import io

import pytest

from exactperm.cli.progress import Bar


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


def test_bar_on_a_terminal():
    """Nothing for half a second, then at most ten times a second, and the line is wiped in the end."""
    seconds = iter([0, 0.4, 0.6, 0.6, 0.65, 1, 1])
    stream = Terminal()
    with Bar(stream, clock=lambda: next(seconds)) as bar:
        bar(1, 8)
        assert stream.getvalue() == ""
        bar(2, 8)
        bar(3, 8)
        bar(8, 8)
    shown = stream.getvalue().split("\r")
    assert shown == ["", f"[{'#' * 10:<40}]  25%", f"[{'#' * 40}] 100%", " " * 48, ""]


@pytest.mark.parametrize(
    ("done", "total", "shown"),
    [(0, 0, f"[{'':40}]   0%"), (1, 1, f"[{'#' * 40}] 100%"), (2, 3, f"[{'#' * 26:40}]  66%")],
)
def test_bar_after_exactly_half_a_second(done, total, shown):
    stream = Terminal()
    with Bar(stream, clock=iter([0, 0.5, 0.5]).__next__) as bar:
        bar(done, total)
    assert stream.getvalue() == f"\r{shown}\r{'':48}\r"


@pytest.mark.parametrize("stream", [None, io.StringIO()])
def test_no_bar_elsewhere(stream):
    with Bar(stream, clock=iter(range(9)).__next__) as bar:
        bar(1, 2)
        bar(2, 2)
    assert stream is None or stream.getvalue() == ""
