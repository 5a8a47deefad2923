"""Makes a wheel of the package `futc` with a compiler in it.

    python3 tools/python/wheel.py target/release/futc target/wheel

The wheel is for any Python 3.9 or later on the machines that the compiler runs on. The compiler needs the shared
libraries of LLVM and MLIR as it does elsewhere, and a C compiler for linking; the wheel has neither.
"""

import base64
import hashlib
import pathlib
import re
import sys
import sysconfig
import zipfile

HERE = pathlib.Path(__file__).resolve().parent


def about(key):
    """A line of pyproject.toml; Python reads TOML by itself from 3.11 on only."""
    text = (HERE / "pyproject.toml").read_text()
    found = re.search(rf'^{key} = (?:\[)?"([^"]*)"', text, re.MULTILINE)
    if found is None:
        raise SystemExit(f"pyproject.toml has no {key}")
    return found[1]


def files(compiler):
    """Names in the wheel, contents and modes."""
    for path in sorted((HERE / "futc").rglob("*.py")):
        yield path.relative_to(HERE).as_posix(), path.read_bytes(), 0o644
    yield "futc/bin/futc", compiler.read_bytes(), 0o755


def make(compiler, folder):
    """The path of the wheel."""
    version = about("version")
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag = f"py3-none-{platform}"
    info = f"futc-{version}.dist-info"
    metadata = (
        f"Metadata-Version: 2.1\nName: futc\nVersion: {version}\nSummary: {about('description')}\n"
        f"Requires-Python: {about('requires-python')}\nRequires-Dist: {about('dependencies')}\n"
    )
    kind = f"Wheel-Version: 1.0\nGenerator: futc\nRoot-Is-Purelib: false\nTag: {tag}\n"
    contents = [
        *files(compiler),
        (f"{info}/METADATA", metadata.encode(), 0o644),
        (f"{info}/WHEEL", kind.encode(), 0o644),
    ]
    record = []
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"futc-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as wheel:
        for name, data, mode in contents:
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}\n")
            add(wheel, name, data, mode)
        add(wheel, f"{info}/RECORD", "".join([*record, f"{info}/RECORD,,\n"]).encode(), 0o644)
    return path


def add(wheel, name, data, mode):
    # The time is always the same, so that the same files make the same wheel.
    entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
    entry.external_attr = (0o100000 | mode) << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    wheel.writestr(entry, data)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: wheel.py COMPILER FOLDER")
    print(make(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
