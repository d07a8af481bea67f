"""Exact confidence intervals for shifts, of one comparison and of several together."""
