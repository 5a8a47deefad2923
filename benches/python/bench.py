"""Programs of numerical Python, each in Futhark (as it is, and with --fast-math), NumPy, Numba (parallel; and with fastmath) and JAX (jit),
on all cores.

    PYTHONPATH=tools/python FUTC=target/release/futc python3 benches/python/bench.py [NAME...]

A file beside this one is a program: FUTHARK, its text or the path of one whose entry point is main; inputs(), its
arguments; and functions numpy_, numba_ and jax_, of which the last two are compiled as a whole (with static arguments
of JAX by the numbers in STATIC). What is measured takes NumPy arrays and gives NumPy arrays. All are run once to warm up and to compare their
results, and then in turns; the least time of each counts. Futhark as it is is compared with the best of the others as they are, and with
--fast-math with the best of all.
"""

import importlib
import math
import pathlib
import sys
import time

import jax
import numba
import numpy as np

import futc

HERE = pathlib.Path(__file__).parent
jax.config.update("jax_enable_x64", True)
NAMES = (
    "attention", "black_scholes", "convolution", "equalise", "floyd_warshall", "heat", "kmeans", "lu", "mandelbrot",
    "nbody",
)
OURS = ("futhark", "fast")
EXACT = ("numpy", "numba", "jax")
WHO = (*OURS, *EXACT, "numbafast")
TURNS = 7


def contenders(program):
    """Functions by their names, of what is installed."""
    text = program.FUTHARK
    source = HERE / text if text.endswith(".fut") else text
    out = {"futhark": futc.compile(source).module.main}
    out["fast"] = futc.compile(source, options=["--fast-math"]).module.main
    out["numpy"] = program.numpy_
    out["numba"] = numba.njit(parallel=True)(program.numba_)
    out["numbafast"] = numba.njit(parallel=True, fastmath=True)(program.numba_)
    jitted = jax.jit(program.jax_, static_argnums=getattr(program, "STATIC", ()))
    out["jax"] = lambda *args: jax.tree.map(np.asarray, jitted(*args))
    return out


def compare(name, who, result, want):
    result, want = (x if isinstance(x, tuple) else (x,) for x in (result, want))
    for a, b in zip(result, want):
        a, b = np.asarray(a), np.asarray(b)
        # Sums in another order, and chaotic orbits, differ in some places.
        close = np.isclose(a.astype("f8"), b.astype("f8"), rtol=2e-3, atol=2e-3)
        if a.shape != b.shape or close.mean() < 0.999:
            raise SystemExit(f"{name}: {who} and numpy disagree about {1 - close.mean():.4f} of the result")


def measure(name):
    program = importlib.import_module(name)
    arguments = program.inputs(np.random.default_rng(1))
    functions = contenders(program)
    want = functions["numpy"](*arguments)
    for who, function in functions.items():
        compare(name, who, function(*arguments), want)
    times = {who: [] for who in functions}
    for _ in range(TURNS):
        for who, function in functions.items():
            start = time.perf_counter()
            function(*arguments)
            times[who].append(time.perf_counter() - start)
    return {who: min(t) for who, t in times.items()}


def main():
    sys.path.insert(0, str(HERE))
    ratios = {who: [] for who in OURS}
    print(f"{'ms':16}" + "".join(f"{who:>10}" for who in WHO) + f"{'ratio':>8}{'fast':>8}")
    for name in sys.argv[1:] or NAMES:
        times = measure(name)
        row = "".join(f"{times[who] * 1e3:10.2f}" for who in WHO)
        for who, others in zip(OURS, (EXACT, (*EXACT, "numbafast"))):
            ratio = times[who] / min(times[other] for other in others)
            ratios[who].append(ratio)
            row += f"{ratio:8.2f}"
        print(f"{name:16}{row}", flush=True)
    means = (f"{math.exp(sum(map(math.log, r)) / len(r)):.2f} ({who})" for who, r in ratios.items())
    print("geometric mean of the ratios to the best of the others:", ", ".join(means))


if __name__ == "__main__":
    main()
