"""The compiler: where it is, and what it says."""

import functools
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig


class CompileError(Exception):
    """A program was refused, or could not be compiled; the text is the compiler's."""


def find_compiler():
    """The path of futc: what FUTC says, or else the one that came with this package, or else that on the PATH. None
    if there is none."""
    named = os.environ.get("FUTC")
    if named:
        return shutil.which(named)
    beside = [
        pathlib.Path(__file__).parent / "bin" / "futc",
        pathlib.Path(sysconfig.get_path("scripts")) / "futc",
        pathlib.Path(sys.executable).parent / "futc",
    ]
    found = (shutil.which(path) for path in beside)
    return next(filter(None, found), None) or shutil.which("futc")


def run(*arguments):
    """What the compiler prints on standard output."""
    compiler = find_compiler()
    if compiler is None:
        raise CompileError("futc was not found: name it in the environment variable FUTC, or put it on the PATH")
    # Locations in messages are relative to where it runs.
    done = subprocess.run([compiler, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise CompileError(done.stderr.strip() or f"futc ended with status {done.returncode}")
    return done.stdout


def imports(path):
    """The files that a program imports."""
    return run("imports", path).splitlines()


def identity(compiler):
    """Two compilers are the same if this is."""
    about = os.stat(compiler)
    return _identity(os.path.realpath(compiler), about.st_size, about.st_mtime_ns)


@functools.lru_cache(maxsize=8)
def _identity(path, size, modified):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for part in iter(lambda: file.read(1 << 20), b""):
            digest.update(part)
    return digest.hexdigest()[:20]


@functools.lru_cache(maxsize=1)
def processor():
    """Code is for the processor at hand: caches that machines share keep it apart."""
    try:
        with open("/proc/cpuinfo") as file:
            lines = [line for line in file if line.partition(":")[0].strip() in ("flags", "model name", "Features")]
    except OSError:
        lines = []
    # Of one core; they are alike.
    about = "".join(sorted(set(lines))) + os.uname().machine
    return hashlib.sha256(about.encode()).hexdigest()[:12]
