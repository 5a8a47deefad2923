"""The programs that `cargo xtask bench` measures as processes, for what this folder has in common with them."""

import importlib.util
import pathlib

PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / "programs"


def program(name):
    """The module with a program's other versions."""
    spec = importlib.util.spec_from_file_location(f"programs_{name}", PROGRAMS / name / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
