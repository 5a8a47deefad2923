"""What a call costs: an entry point with a scalar and ten numbers, beside an empty C function called by ctypes with
the same arguments prepared, and a function of NumPy on that array; and how much memory large arrays take.

    PYTHONPATH=tools/python FUTC=target/debug/futc python3 benches/python/overhead.py
"""

import ctypes
import pathlib
import subprocess
import tempfile
import timeit

import numpy as np

import futc

TEXT = """
entry scale [n] (a: f32) (xs: [n]f32) : [n]f32 = map (* a) xs
entry add_one [n] (xs: [n]f64) : [n]f64 = map (+ 1) xs
"""


def empty_function():
    """An empty function, with its arguments: a context, where the result goes, a scalar, an array."""
    folder = tempfile.mkdtemp()
    source, library = pathlib.Path(folder, "empty.c"), pathlib.Path(folder, "empty.so")
    source.write_text("int empty(void *c, void *o, float a, void *x) { return 0; }\n")
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", source, "-o", library], check=True)
    function = ctypes.CDLL(str(library)).empty
    function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_float, ctypes.c_void_p]
    return function


def memory():
    with open("/proc/self/status") as status:
        lines = dict(line.split(":", 1) for line in status)
    return {key: int(lines[key].split()[0]) / 2**20 for key in ("VmHWM", "VmRSS")}


def main():
    program = futc.compile(TEXT, target="seq")
    x = np.arange(10, dtype="f4")
    function = empty_function()
    prepared = (ctypes.c_void_p(1), ctypes.c_void_p(2), 2.0, ctypes.c_void_p(x.ctypes.data))
    contenders = {
        "entry point, function of the module": lambda: timer("f(2.0, x)", f=program.module.scale, x=x),
        "entry point, by futc.compile": lambda: timer("f(2.0, x)", f=program.scale, x=x),
        "empty C function by ctypes": lambda: timer("f(c, o, a, p)", f=function, **dict(zip("coap", prepared))),
        "numpy.add(x, x)": lambda: timer("f(x, x)", f=np.add, x=x),
        "numpy.multiply(x, a)": lambda: timer("f(x, 2.0)", f=np.multiply, x=x),
    }
    times = {name: [] for name in contenders}
    for _ in range(9):
        for name, measure in contenders.items():
            times[name].append(measure())
    for name, all_of_them in times.items():
        print(f"{name:40} {min(all_of_them):7.0f} ns")
    large = np.zeros(1 << 27)
    large[:] = 1
    before = memory()
    result = program.module.add_one(large)
    after = memory()
    print(f"1 GiB in and out: {before['VmRSS']:.2f} GiB before, at most {after['VmHWM']:.2f} GiB during the call")
    assert result[-1] == 2


def timer(statement, **names):
    count = 50_000
    return timeit.timeit(statement, globals=names, number=count) / count * 1e9


if __name__ == "__main__":
    main()
