"""Check published p-values against their data: claims in, verdicts with reasons out."""
