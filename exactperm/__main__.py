"""``python -m exactperm``."""

from exactperm.cli import script

script()
