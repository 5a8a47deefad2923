"""The positive ones of an array's elements, in their order."""
import numpy as np


def numpy_main(xs):
    return xs[xs > 0]


def numba_main(xs):
    positive = np.empty_like(xs)
    kept = 0
    for i in range(xs.shape[0]):
        positive[kept] = xs[i]
        if xs[i] > 0:
            kept += 1
    return positive[:kept].copy()
