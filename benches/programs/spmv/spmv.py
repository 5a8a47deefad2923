"""The product of a sparse matrix, in compressed sparse rows, and a vector."""
import numpy as np


def numba_main(sizes, columns, values, x):
    n, k = sizes.shape[0], np.uint32(x.shape[0])
    y = np.empty(n, np.float32)
    e = 0
    for i in range(n):
        total = np.float32(0)
        for _ in range(sizes[i] % 32):
            total += values[e] * x[columns[e] % k]
            e += 1
        y[i] = total
    return y
