"""Exact paired-permutation tests, in pure standard-library Python."""
