"""The LU factors of a square matrix, packed into one, without pivoting."""
import numpy as np


def numpy_main(a):
    n = a.shape[0]
    lu = a + n * np.eye(n)
    for k in range(n):
        lu[k + 1:, k] /= lu[k, k]
        lu[k + 1:, k + 1:] -= np.outer(lu[k + 1:, k], lu[k, k + 1:])
    return lu


def numba_main(a):
    n = a.shape[0]
    lu = a.copy()
    for i in range(n):
        lu[i, i] += n
    for k in range(n):
        for i in range(k + 1, n):
            f = lu[i, k] / lu[k, k]
            lu[i, k] = f
            for j in range(k + 1, n):
                lu[i, j] -= f * lu[k, j]
    return lu
