"""Define immutable records, as ``dataclasses`` would, without the 25 ms of importing it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from types import MappingProxyType

from ._types import TYPE_CHECKING, Any, TypeVar
from .arithmetic.quoting import short_text

if TYPE_CHECKING:
    from functools import cached_property

    from typing_extensions import dataclass_transform

    lazy = cached_property
else:

    def dataclass_transform(**_options):
        """Do nothing: only a type checker reads the options."""
        return lambda cls: cls

    class lazy:
        """``functools.cached_property`` without its lock, which took longer than a short p-value before Python 3.12."""

        def __init__(self, function):
            self.function = function
            self.__doc__ = function.__doc__

        def __set_name__(self, _owner, name):
            self.name = name

        def __get__(self, instance, _owner=None):
            if instance is None:
                return self
            value = instance.__dict__[self.name] = self.function(instance)
            return value


Some = TypeVar("Some", bound="Record")


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Record:
    """Base class of immutable values; the fields are the annotated names of the class, in order.

    Fields are given by keyword; a class attribute of the same name is the default. Records compare
    and hash by their fields, pickle on every Python however long their integers are, and have a
    short ``repr`` that never raises. A field with a leading underscore is kept and pickled, but
    neither compared nor shown.

    >>> class Point(Record):
    ...     x: int
    ...     y: int = 0
    >>> Point(x=3)
    Point(x=3, y=0)
    >>> Point(x=3) == Point(x=3, y=0)
    True
    """

    _fields = tuple[str, ...]()
    _names = frozenset[str]()
    # not annotated: in Python 3.9 a class without fields has the annotations of its base
    _defaults = MappingProxyType[str, object]({})

    def __init_subclass__(cls) -> None:
        cls._fields = tuple(dict.fromkeys((*cls._fields, *getattr(cls, "__annotations__", {}))))
        cls._names = frozenset(cls._fields)
        known = {name: getattr(cls, name) for name in cls._fields if hasattr(cls, name)}
        cls._defaults = MappingProxyType(known)

    def __init__(self, **values: object) -> None:
        if values.keys() != self._names:
            values = self._completed(values)
        _keep(self, values)

    def _completed(self, values: dict[str, object]) -> dict[str, object]:
        """Return the values with defaults for those not given; ``TypeError`` for a field that is missing or unknown."""
        given = {**self._defaults, **values}
        if given.keys() != self._names:
            for name in self._fields:
                if name not in given:
                    raise TypeError(f"{type(self).__name__}() needs the argument {name!r}")
            unknown = next(name for name in values if name not in self._names)
            raise TypeError(f"{type(self).__name__}() has no argument {unknown!r}")
        return given

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot delete {name!r}")

    def _shown(self) -> dict[str, object]:
        # without its fields if it was never initialised; it has a repr all the same
        values = self.__dict__
        return {
            name: values[name]
            for name in self._fields
            if name in values and not name.startswith("_")
        }

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._shown() == other._shown()

    def __hash__(self) -> int:
        return hash((type(self), *self._shown().values()))

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={short_text(value)}" for name, value in self._shown().items())
        return f"{type(self).__name__}({inside})"

    def __reduce__(self) -> tuple[object, ...]:
        # Python 3.9 and 3.10 pickle a Fraction through its decimal text, which the digits limit
        # refuses.
        return _rebuild, (type(self), tuple(_packed(self.__dict__[name]) for name in self._fields))


_new = object.__new__
_keep: Any = Record.__dict__["__dict__"].__set__
"""Make a dictionary that of a record: a third of the time of copying values into the dictionary it
has."""


def record_of(cls: type[Some], values: dict[str, object]) -> Some:
    """Return the record of these values, known to be all its fields: half the time, where that is most of a test.

    The dictionary becomes that of the record.
    """
    record = _new(cls)
    _keep(record, values)
    return record


class Result(Record):
    """Base class of the results that people read: ``print`` writes them as text, a notebook shows them as a table.

    >>> class Mean(Result):
    ...     n: int
    >>> print(Mean(n=3))
    Mean
      n            3
    """

    @property
    def heading(self) -> str:
        """What the result is, in one line; by default the name of its class."""
        words = "".join(f" {c.lower()}" if c.isupper() else c for c in type(self).__name__)
        return words.strip().capitalize()

    @property
    def header(self) -> tuple[str, ...]:
        """The names of columns, where the rows are more than a label and a text."""
        return ()

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """Return the result as rows of texts, each with a label first; by default its fields."""
        return tuple(
            (name.replace("_", " "), _text(value)) for name, value in self._shown().items()
        )

    def __str__(self) -> str:
        from .display.table import lines

        return "\n".join(lines(self.heading, self.rows(), self.header))

    def _repr_html_(self) -> str | None:
        """Return the table that notebooks show."""
        from .display.table import table

        return table(self.heading, self.rows(), self.header)


def _text(value: object) -> str:
    from .arithmetic.writing import readable

    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return readable(value)
    return value if isinstance(value, str) else short_text(value)


def replaced(record: Some, **values: object) -> Some:
    """Return a copy of a record with some of its fields replaced.

    >>> class Point(Record):
    ...     x: int
    ...     y: int = 0
    >>> replaced(Point(x=3), y=1)
    Point(x=3, y=1)
    """
    return type(record)(**{**{name: getattr(record, name) for name in record._fields}, **values})


class _Ratio(tuple):  # type: ignore[type-arg]
    """Numerator and denominator of a Fraction inside a pickle."""


def _packed(value: object) -> object:
    if isinstance(value, Fraction):
        return _Ratio((value.numerator, value.denominator))
    return _mapped(_packed, value)


def _unpacked(value: object) -> object:
    return Fraction(*value) if isinstance(value, _Ratio) else _mapped(_unpacked, value)


def _mapped(change: Callable[[object], object], value: Any) -> object:
    """Return a container with each of its entries changed; any other value as it is."""
    if type(value) in (tuple, list):
        return type(value)(map(change, value))
    if isinstance(value, dict):
        return type(value)({change(key): change(entry) for key, entry in value.items()})
    return value


def _rebuild(cls: type[Record], values: tuple[object, ...]) -> Record:
    return cls(**dict(zip(cls._fields, map(_unpacked, values))))
