"""Certified brackets of p-values, without counting."""
