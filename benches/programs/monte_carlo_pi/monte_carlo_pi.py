"""Pi by chance: the part of a square's random points that lie in its quarter circle."""
import numpy as np


def unit(xs):
    xs = (xs ^ (xs >> np.uint32(16))) * np.uint32(0x7feb352d)
    xs = (xs ^ (xs >> np.uint32(15))) * np.uint32(0x846ca68b)
    xs = xs ^ (xs >> np.uint32(16))
    return (xs >> np.uint32(8)).astype(np.float32) / np.float32(16777216)


def numpy_main(n):
    xs = unit(np.arange(0, 2 * n, 2, dtype=np.uint32))
    ys = unit(np.arange(1, 2 * n, 2, dtype=np.uint32))
    return 4 * np.float64((xs * xs + ys * ys < 1).sum()) / n
