"""``python -m exactperm``."""

from .cli.main import script

script()
