"""The null distribution of a statistic, its tails, and the result of a test."""
