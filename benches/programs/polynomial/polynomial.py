"""The values of a polynomial at many points, by Horner's rule."""
import numpy as np


def numpy_main(coefficients, xs):
    values = np.zeros_like(xs)
    for c in coefficients[::-1]:
        values = c + xs * values
    return values


def numba_main(coefficients, xs):
    values = np.empty_like(xs)
    for i in range(xs.shape[0]):
        value = np.float32(0)
        for c in coefficients[::-1]:
            value = c + xs[i] * value
        values[i] = value
    return values


def jax_main(coefficients, xs):
    import jax.numpy as jnp

    return jnp.polyval(coefficients[::-1], xs)
