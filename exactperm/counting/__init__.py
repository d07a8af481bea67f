"""Counting engines: how many of the 2**M swap assignments reach at most a given sum.

An engine is a module with three functions of a canonical tally {d > 0: number of pairs with difference d}, ascending:

- ``estimate(tally, k)``: an :class:`~exactperm.budget.Estimate` of seconds and bytes, or
  :class:`~exactperm.budget.Unfit` with the reason; ``k=None`` asks for the whole distribution;
- ``count_at_most(tally, k, *, progress=None)``: the number of the 2**M subsets of the M pairs whose differences sum to
  at most k, for 0 <= k < D - k, where D is the sum of all differences (the front door folds every other k into this);
- ``counts(tally, *, progress=None)``: the whole distribution {sum: number of subsets}, ascending, zeros left out.

:mod:`exactperm.counting.plan` is the front door: one table of the engines, their estimates, and the choice.
"""
