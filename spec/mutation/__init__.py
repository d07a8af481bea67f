"""The general mutation run: ``python3 -m spec.mutation [PATTERN ...]``, on Python 3.10 or later with mutmut.

mutmut makes the mutants: every function of the package, changed in every way that it knows, one change each
(``mutants.py``). The tests are collected once; then each mutant is a fork of that process, in which the tests that
reach the function run until one fails (``run.py``). mutmut's own runner starts pytest anew for each mutant, which would
take most of the time here. What no test notices is either explained in ``equivalent/`` or left over (``record.py``).

The variants in ``spec/mutants.json`` are wrong in ways that matter, chosen by hand, and tried in every run of the
tests. This run is blind and broad, takes hours on two cores, and is started by hand.
"""
