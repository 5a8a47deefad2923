"""Bodies that attract each other: steps of Euler's method over all pairs."""

import math

import numpy as np
from numba import prange

from beside import program

FUTHARK = "../programs/nbody/nbody.fut"
OTHERS = program("nbody")
numpy_ = OTHERS.numpy_main
jax_ = OTHERS.jax_main


def inputs(rng):
    return (5, *(rng.random(4000, dtype="f4") for _ in range(4)))


def numba_(steps, xs, ys, zs, masses):
    n = xs.size
    f = np.float32
    x, y, z = xs.copy(), ys.copy(), zs.copy()
    vx, vy, vz = np.zeros(n, f), np.zeros(n, f), np.zeros(n, f)
    for _ in range(steps):
        for i in prange(n):
            ax, ay, az = f(0), f(0), f(0)
            for j in range(n):
                dx, dy, dz = x[j] - x[i], y[j] - y[i], z[j] - z[i]
                r2 = dx * dx + dy * dy + dz * dz + f(1e-3)
                pull = masses[j] / (r2 * math.sqrt(r2))
                ax += pull * dx
                ay += pull * dy
                az += pull * dz
            vx[i] += f(1e-3) * ax
            vy[i] += f(1e-3) * ay
            vz[i] += f(1e-3) * az
        for i in range(n):
            x[i] += f(1e-3) * vx[i]
            y[i] += f(1e-3) * vy[i]
            z[i] += f(1e-3) * vz[i]
    return x, y, z
