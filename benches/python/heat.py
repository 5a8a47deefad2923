"""Heat flow on a square plate whose rim keeps its temperature."""

import numpy as np
from numba import prange

from beside import program

FUTHARK = "../programs/heat_2d/heat_2d.fut"
OTHERS = program("heat_2d")
numpy_ = OTHERS.numpy_main
jax_ = OTHERS.jax_main


def inputs(rng):
    return 50, rng.random((1500, 1500), dtype="f4")


def numba_(steps, t):
    old, new = t.copy(), t.copy()
    for _ in range(steps):
        for i in prange(1, t.shape[0] - 1):
            for j in range(1, t.shape[1] - 1):
                new[i, j] = np.float32(0.25) * (old[i - 1, j] + old[i + 1, j] + old[i, j - 1] + old[i, j + 1])
        old, new = new, old
    return old
