"""Compiled programs and their entry points."""

import functools

from . import _cache, programs


class Program:
    """A compiled program: its entry points are methods, and its classes and exceptions attributes.

    What is pickled is the source. `program.Program(...)` makes further contexts.
    """

    def __init__(self, source):
        self._source = source

    @functools.cached_property
    def module(self):
        """The module that futc made of it."""
        return programs.load(self._source.digest, _cache.package(self._source))

    @property
    def source_hash(self):
        """What the program is known by."""
        return self._source.digest

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        value = getattr(self.module, name)
        if name in self.module.ENTRY_POINTS:
            value = EntryPoint(self, name)
        # Found by itself from now on.
        self.__dict__[name] = value
        return value

    def __dir__(self):
        return sorted({*super().__dir__(), *(n for n in dir(self.module) if not n.startswith("_"))})

    def __reduce__(self):
        return Program, (self._source,)

    def __dask_tokenize__(self):
        return "futc", self._source.digest

    def __repr__(self):
        return f"<futc program {self._source.digest[:12]} for {self._source.target}>"


class EntryPoint:
    """A function of a program. It is pickled with the program's source, and compiled where it is called first."""

    def __init__(self, program, name):
        self._program = program
        self.__name__ = self.__qualname__ = name

    @functools.cached_property
    def _function(self):
        return getattr(self._program.module, self.__name__)

    def __call__(self, *args, **kwargs):
        return self._function(*args, **kwargs)

    @property
    def __doc__(self):
        return self._function.__doc__

    @property
    def __wrapped__(self):
        # So that signatures are known.
        return self._function

    @property
    def program(self):
        """What it belongs to."""
        return self._program

    def __reduce__(self):
        return EntryPoint, (self._program, self.__name__)

    def __dask_tokenize__(self):
        return "futc", self._program.source_hash, self.__name__

    def __repr__(self):
        return f"<entry point {self.__name__} of {self._program!r}>"
