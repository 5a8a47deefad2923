"""The product of a dense matrix and a vector."""
import numpy as np


def numpy_main(a, x):
    return a @ x


def numba_main(a, x):
    n, m = a.shape
    y = np.empty(n, np.float32)
    for i in range(n):
        total = np.float32(0)
        for j in range(m):
            total += a[i, j] * x[j]
        y[i] = total
    return y


def jax_main(a, x):
    return a @ x
