"""Random columns and runs for tests of properties."""

from hypothesis import strategies as st


def columns(entry, most=7):
    """Two columns of one to ``most`` entries."""
    pairs = st.lists(st.tuples(entry, entry), min_size=1, max_size=most)
    return pairs.map(lambda pairs: [list(column) for column in zip(*pairs)])


@st.composite
def matrices(draw, scores):
    """Up to four items with the same runs, up to three of each system: whole runs may be exchanged."""
    widths = draw(st.tuples(st.integers(1, 3), st.integers(1, 3)))
    rows = [st.lists(scores, min_size=width, max_size=width) for width in widths]
    return draw(st.lists(st.tuples(*rows), min_size=1, max_size=4))
