"""Test other people's implementations: vectors, a runner, and a comparison for tests. Their README.md has the format."""
