"""The greatest sum of neighbouring elements."""
import numpy as np


def numpy_main(xs):
    sums = np.concatenate([np.zeros(1, np.int32), np.cumsum(xs, dtype=np.int32)])
    return np.int32((sums - np.minimum.accumulate(sums)).max())


def numba_main(xs):
    # A scalar of its own type: Numba would hand out an int.
    greatest = np.empty((), np.int32)
    here, most = 0, 0
    for i in range(xs.shape[0]):
        here = max(here + xs[i], 0)
        most = max(most, here)
    greatest[()] = most
    return greatest
