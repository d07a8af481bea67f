"""Names that only annotations need: at run time they are empty, and the modules that define them are not loaded.

``typing`` alone takes as long to load as the first exact test. Annotations are never evaluated
(``from __future__ import annotations``), and aliases of types are not looked into.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from concurrent.futures import Executor
    from typing import Any, Literal, Optional, TypeVar, Union
else:

    class _Name:
        """Stand for a type, a type variable or an alias of types."""

        def __call__(self, *_names, **_options):
            """Make a type variable."""
            return self

        def __getitem__(self, _types):
            """Make an alias."""
            return self

    Any = Executor = Literal = Namespace = Optional = TypeVar = Union = _Name()

Entry = TypeVar("Entry")
"""An entry of a column, of whatever type."""

__all__ = [
    "TYPE_CHECKING",
    "Any",
    "Entry",
    "Executor",
    "Literal",
    "Namespace",
    "Optional",
    "TypeVar",
    "Union",
]
