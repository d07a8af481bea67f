"""What a call takes of memory."""

import sys

import pytest


def peak_of(call):
    """The most bytes in use while ``call`` runs, above what there was before; its result counts."""
    tracemalloc = pytest.importorskip("tracemalloc")  # PyPy has none
    if sys.maxsize < 2**32:  # in Pyodide integers have digits of other sizes
        pytest.skip("estimates of memory are those of a 64-bit CPython")
    tracemalloc.start()
    try:
        _kept = call()
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return peak
