"""A differential fuzz of the public interface against independent answers, written from the definitions.

A kind draws a case, plain data, from a source of random numbers that Hypothesis controls and
shrinks, and checks it. ``HYPOTHESIS_PROFILE=explore python3 tests/run.py tests/fuzz --fuzz-cases
1000000`` looks for hours.
"""
