"""Futhark in Python.

    import futc

    program = futc.compile('''
    entry scale [n] (a: f32) (xs: [n]f32) : [n]f32 = map (* a) xs
    ''')
    program.scale(2, xs)

Compiled programs are kept on disk. They and their entry points can be pickled: what unpickles them compiles them
again where they are not there yet.
"""

import inspect
import textwrap

from ._cache import cache_folder, clear_cache
from ._compiler import CompileError, find_compiler
from ._program import EntryPoint, Program
from ._source import Source

__all__ = [
    "CompileError", "EntryPoint", "Program", "cache_folder", "clear_cache", "compile", "find_compiler", "function",
]


def compile(source, *, target="multicore", options=()):
    """Compiles a program: its text, or the path of a file (something that ends in .fut, or a pathlib.Path).

    `target` is one of futc's, such as "seq", "multicore" or "nvptx"; `options` are others of its command line,
    such as ["-O1", "--exact-math"]. Raises CompileError with what the compiler says.
    """
    program = Program(Source.of(source, target, options))
    program.module
    return program


def function(definition=None, *, target="multicore", options=()):
    """Makes a function of a program in a docstring, which is compiled when it is first called.

        @futc.function
        def norm(xs):
            '''
            entry norm [n] (xs: [n]f64) : f64 = f64.sqrt (f64.sum (map (\\\\x -> x * x) xs))
            '''

    What is called is the entry point of the function's name. Of the function itself nothing is used but its name
    and its docstring.
    """

    def make(definition):
        text = inspect.cleandoc(definition.__doc__ or "")
        if not text:
            raise ValueError(f"{definition.__name__} has no docstring, which is to be a program")
        entry = EntryPoint(Program(Source.of(textwrap.dedent(text) + "\n", target, options)), definition.__name__)
        entry.__module__ = definition.__module__
        entry.__qualname__ = definition.__qualname__
        return entry

    return make if definition is None else make(definition)
