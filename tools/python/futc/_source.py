"""What is compiled: the files of a program, and how."""

import hashlib
import json
import os
import pathlib

from ._compiler import imports

MAIN = "program.fut"


class Source:
    """All that decides what a program means and what code it becomes, but for the compiler and the processor."""

    __slots__ = ("files", "main", "target", "options", "digest")

    def __init__(self, files, main, target, options):
        self.files = files
        self.main = main
        self.target = target
        self.options = tuple(options)
        parts = [sorted(files.items()), main, target, self.options]
        self.digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:40]

    @classmethod
    def of(cls, source, target, options):
        """Of a text, or of a path."""
        if not is_path(source):
            return cls({MAIN: source}, MAIN, target, options)
        path = pathlib.Path(source).resolve()
        if not path.is_file():
            raise FileNotFoundError(f"there is no file {path}")
        paths = [path, *(pathlib.Path(p).resolve() for p in imports(path))]
        root = pathlib.Path(os.path.commonpath([p.parent for p in paths]))
        files = {p.relative_to(root).as_posix(): p.read_text() for p in paths}
        return cls(files, path.relative_to(root).as_posix(), target, options)

    def write(self, folder):
        """Writes the files; where the main one is."""
        for name, text in self.files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return pathlib.Path(folder, self.main)

    def __reduce__(self):
        return Source, (self.files, self.main, self.target, self.options)


def is_path(source):
    """Whether it names a file. A text that names one has a line of its own for that."""
    if isinstance(source, os.PathLike):
        return True
    return source.endswith(".fut") and "\n" not in source
