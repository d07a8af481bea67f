"""Counting engines: algorithms for the number of the 2**M swap assignments with a sum of at most k.

An engine is a module with three functions of canonical units: a tally {d > 0: number of pairs with
difference d}, ascending, with the greatest common divisor 1, or {step: number of units}:

- ``estimate(tally, k)``: an :class:`~exactperm.budget.Estimate` of seconds and bytes, or
  :class:`~exactperm.budget.Unfit` with the reason, also for units that it does not count;
  ``k=None`` means the whole distribution;
- ``count_at_most(tally, k, *, progress=None)``: the number of the 2**M subsets of the M pairs whose
  differences sum to at most k, for max d <= k < D - k, where D is the sum of all differences
  (:mod:`exactperm.counting.plan` folds every other k into this);
- ``counts(tally, *, progress=None)``: the whole distribution {sum: number of subsets}, ascending,
  zeros left out.

Each engine is a file of its own, named by its ``method=``: without that file and its row in the
table of ``methods`` the others work as before. All headers carry the example {1: 2, 3: 1}, two
pairs of difference 1 and one of difference 3: its 8 subsets have the sums 0, 1, 1, 2, 3, 4, 4, 5.
"""
