#!/usr/bin/env python3
"""The command line of futc's executables around a function of Python: peer.py NAME FLAVOUR.

FLAVOUR is numpy, jax or numba; benches/programs/NAME/NAME.py defines the function FLAVOUR_main.
It takes the inputs as NumPy arrays (JAX: on its device) and scalars, and returns one result or a
tuple of them. JAX's function is compiled whole with jit, Numba's with njit(fastmath=True), in the
run to warm up; a file may ask for other than that by wrapping the function itself and setting its
attribute `wrapped`.

The command line: values in Futhark's binary format from standard input; -r N runs N times after a
run to warm up; -t FILE writes the microseconds of each run to FILE, one a line; -n prints no
result. Without -n the result goes to standard output in the binary format.

`peer.py --has FLAVOUR` succeeds if the modules of FLAVOUR can be imported.
"""

import argparse
import importlib
import importlib.util
import pathlib
import struct
import sys
import time

TYPES = {
    b"  i8": "int8", b" i16": "int16", b" i32": "int32", b" i64": "int64",
    b"  u8": "uint8", b" u16": "uint16", b" u32": "uint32", b" u64": "uint64",
    b" f16": "float16", b" f32": "float32", b" f64": "float64", b"bool": "bool",
}


def read_values(data):
    """All values in data."""
    import numpy as np

    values = []
    at = 0
    while at < len(data):
        if data[at] in b" \t\n":
            at += 1
            continue
        magic, version, rank = struct.unpack_from("cBB", data, at)
        if magic != b"b" or version != 2:
            sys.exit("peer: the input is not in the binary format")
        dtype = np.dtype(TYPES[data[at + 3:at + 7]])
        at += 7
        shape = struct.unpack_from(f"<{rank}q", data, at)
        at += 8 * rank
        count = 1
        for size in shape:
            count *= size
        array = np.frombuffer(data, dtype, count, at).reshape(shape).copy()
        at += count * dtype.itemsize
        values.append(array if rank > 0 else array[()])
    return values


def write_value(value, out):
    """One value in the binary format."""
    import numpy as np

    array = np.ascontiguousarray(value)
    rank = np.ndim(value)
    names = {np.dtype(name): code for code, name in TYPES.items()}
    if array.dtype not in names:
        sys.exit(f"peer: a result is of type {array.dtype}, which the binary format has not")
    out.write(b"b\x02" + bytes([rank]) + names[array.dtype])
    out.write(struct.pack(f"<{rank}q", *np.shape(value)))
    out.write(array.tobytes())


def load(name, flavour):
    """The function to measure."""
    path = pathlib.Path(__file__).resolve().parent.parent / name / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function = getattr(module, f"{flavour}_main")
    if getattr(function, "wrapped", False):
        return function
    if flavour == "jax":
        import jax

        return jax.jit(function)
    if flavour == "numba":
        import numba

        return numba.njit(fastmath=True)(function)
    return function


def typed(function, results):
    """Results of a function that Numba compiled: it hands back scalars of any width as Python's."""
    from numba.np.numpy_support import as_dtype

    signatures = getattr(function, "nopython_signatures", [])
    if len(signatures) != 1:
        return results
    kind = signatures[0].return_type
    kinds = list(kind) if len(results) > 1 else [kind]
    scalars = (bool, int, float)
    return [as_dtype(k).type(r) if type(r) in scalars else r for k, r in zip(kinds, results)]


def main():
    parser = argparse.ArgumentParser(description="Measures a function of Python.")
    parser.add_argument("--has", metavar="FLAVOUR")
    parser.add_argument("name", nargs="?")
    parser.add_argument("flavour", nargs="?", choices=["numpy", "jax", "numba"])
    parser.add_argument("-r", type=int, default=0)
    parser.add_argument("-t", metavar="FILE")
    parser.add_argument("-n", action="store_true")
    parser.add_argument("-b", action="store_true")
    args = parser.parse_args()
    if args.has is not None:
        for module in ("numpy", args.has):
            importlib.import_module(module)
        return
    if args.flavour == "jax":
        import jax

        jax.config.update("jax_enable_x64", True)
        jax.config.update("jax_platforms", "cpu")
    function = load(args.name, args.flavour)
    inputs = read_values(sys.stdin.buffer.read())
    if args.flavour == "jax":
        inputs = [jax.device_put(value) for value in inputs]

    def run():
        result = function(*inputs)
        return jax.block_until_ready(result) if args.flavour == "jax" else result

    if args.r > 0:
        run()
    times = []
    for _ in range(max(args.r, 1)):
        start = time.perf_counter()
        result = run()
        times.append((time.perf_counter() - start) * 1e6)
    if args.t is not None:
        with open(args.t, "w") as file:
            file.writelines(f"{t:.3f}\n" for t in times)
    if not args.n:
        results = result if isinstance(result, tuple) else (result,)
        if args.flavour == "numba":
            results = typed(function, results)
        for value in results:
            write_value(value, sys.stdout.buffer)


main()
