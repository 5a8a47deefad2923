"""The product of two matrices."""

import numpy as np


def numpy_main(a, b):
    return a @ b


def jax_main(a, b):
    return a @ b


def numba_main(a, b):
    c = np.zeros((a.shape[0], b.shape[1]), a.dtype)
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            for j in range(b.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
    return c
