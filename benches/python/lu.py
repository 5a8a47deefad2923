"""The LU factors of a square matrix, packed into one, without pivoting."""

import numpy as np
from numba import prange

from beside import program

FUTHARK = "../programs/lu/lu.fut"
OTHERS = program("lu")
numpy_ = OTHERS.numpy_main


def inputs(rng):
    return (rng.random((600, 600)),)


def numba_(a):
    n = a.shape[0]
    lu = a.copy()
    for i in range(n):
        lu[i, i] += n
    for k in range(n):
        for i in prange(k + 1, n):
            f = lu[i, k] / lu[k, k]
            lu[i, k] = f
            for j in range(k + 1, n):
                lu[i, j] -= f * lu[k, j]
    return lu


def jax_(a):
    import jax
    import jax.numpy as jnp

    n = a.shape[0]
    rows = jnp.arange(n)

    def step(k, lu):
        below = rows > k
        factors = jnp.where(below, lu[:, k] / lu[k, k], 0)
        lu = lu - factors[:, None] * jnp.where(below, lu[k], 0)[None]
        return lu.at[:, k].set(jnp.where(below, factors, lu[:, k]))

    return jax.lax.fori_loop(0, n, step, a + n * jnp.eye(n))
