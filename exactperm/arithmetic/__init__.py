"""Exact and certified arithmetic: reading and writing numbers, intervals, long products."""
