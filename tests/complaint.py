"""The text of the error that a call raises, for tests that compare messages."""

import pytest


def complaint(kind, call):
    """Return the whole message; the error must be of exactly that kind."""
    with pytest.raises(kind) as caught:
        call()
    assert type(caught.value) is kind
    return str(caught.value)
