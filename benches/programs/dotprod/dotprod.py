"""The dot product of two vectors."""

import numpy as np


def numpy_main(xs, ys):
    return np.dot(xs, ys)


def jax_main(xs, ys):
    import jax.numpy as jnp

    return jnp.dot(xs, ys)


def numba_main(xs, ys):
    total = np.float32(0)
    for i in range(xs.shape[0]):
        total += xs[i] * ys[i]
    return total
