"""Test other people's implementations: vectors, a runner, and a comparison for tests. See vectors/README.md."""
