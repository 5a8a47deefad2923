"""Compiled programs on disk.

    FOLDER/DIGEST OF THE SOURCE/COMPILER-PROCESSOR/program/     a package that futc made

A package is made under another name and then renamed, so that who finds one finds it whole; processes that want the
same one wait for each other by a lock, and one that ends while it compiles leaves the lock free.
"""

import contextlib
import os
import pathlib
import shutil
import tempfile

from . import _compiler

try:
    import fcntl
except ImportError:
    fcntl = None


def cache_folder():
    """Where compiled programs are: what FUTC_PYTHON_CACHE says, or else below $XDG_CACHE_HOME or ~/.cache."""
    named = os.environ.get("FUTC_PYTHON_CACHE")
    if named:
        return pathlib.Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(base, "futc-python")


def clear_cache():
    """Removes all compiled programs. Those that are loaded stay usable."""
    shutil.rmtree(cache_folder(), ignore_errors=True)


@contextlib.contextmanager
def _locked(path):
    with open(path, "w") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def find(digest):
    """The package of a program by its digest alone, or None: the newest one for this processor."""
    folder = cache_folder() / digest
    compiler = _compiler.find_compiler()
    if compiler is not None:
        exact = folder / _build(compiler) / "program"
        if exact.is_dir():
            return exact
    all_of_them = folder.glob(f"*-{_compiler.processor()}/program")
    return max(all_of_them, key=lambda path: path.stat().st_mtime_ns, default=None)


def _build(compiler):
    return f"{_compiler.identity(compiler)}-{_compiler.processor()}"


def package(source):
    """The package of a program, which is made if it is not there."""
    compiler = _compiler.find_compiler()
    if compiler is None:
        found = find(source.digest)
        if found is not None:
            return found
        # Says so.
        _compiler.run("--version")
    folder = cache_folder() / source.digest
    target = folder / _build(compiler)
    if (target / "program").is_dir():
        return target / "program"
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder / "lock"):
        if not (target / "program").is_dir():
            _make(source, folder, target)
    return target / "program"


def _make(source, folder, target):
    with tempfile.TemporaryDirectory(prefix="making-", dir=folder) as scratch:
        main = source.write(pathlib.Path(scratch, "source"))
        made = pathlib.Path(scratch, "made")
        made.mkdir()
        _compiler.run(
            "--color=never", "-w", f"--target={source.target}", *source.options, "--python", main, "-o", made / "program"
        )
        try:
            os.rename(made, target)
        except OSError:
            # Somebody without locks was faster.
            if not (target / "program").is_dir():
                raise
