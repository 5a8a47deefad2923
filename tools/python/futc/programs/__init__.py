"""Modules of compiled programs, by the digest of their source: `futc.programs.p0123…`.

They have names so that values of their classes can be pickled: who unpickles one finds the program in the cache.
"""

import importlib.abc
import importlib.util
import sys
import threading

_lock = threading.Lock()


def _name(digest):
    return f"{__name__}.p{digest}"


def _spec(name, folder):
    return importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )


def load(digest, folder):
    """The module of a package."""
    name = _name(digest)
    with _lock:
        if name not in sys.modules:
            spec = _spec(name, folder)
            module = importlib.util.module_from_spec(spec)
            sys.modules[name] = module
            try:
                spec.loader.exec_module(module)
            except BaseException:
                del sys.modules[name]
                raise
        return sys.modules[name]


class _Finder(importlib.abc.MetaPathFinder):
    """Finds programs in the cache."""

    def find_spec(self, name, path=None, target=None):
        if not name.startswith(__name__ + ".p") or "." in name[len(__name__) + 1 :]:
            return None
        from .. import _cache

        folder = _cache.find(name[len(__name__) + 2 :])
        return None if folder is None else _spec(name, folder)


sys.meta_path.append(_Finder())
