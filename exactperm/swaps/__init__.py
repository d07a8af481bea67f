"""From two columns of entries to the integers that are counted."""

# Classes that version 0.1.0 had in a module of this name: its pickles look them up here.
_MOVED = {"Effects": "effects", "Flips": "effects", "Swaps": "canonical"}


def __getattr__(name: str) -> object:
    """Return a class of version 0.1.0 from the module that it is in now."""
    if name not in _MOVED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_MOVED[name]}"), name)
