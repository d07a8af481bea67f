"""Certificates of exact tests, and the two programs that check them without this package: verifier, verify_scores."""
