"""What a call takes of memory."""

import pytest


def peak_of(call):
    """The most bytes in use while ``call`` runs, above what there was before; its result counts."""
    tracemalloc = pytest.importorskip("tracemalloc")  # PyPy has none
    tracemalloc.start()
    try:
        _kept = call()
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return peak
