"""How often each value of a byte occurs."""
import numpy as np


def numpy_main(values):
    return np.bincount(values, minlength=256).astype(np.int32)


def numba_main(values):
    counts = np.zeros(256, np.int32)
    for i in range(values.shape[0]):
        counts[values[i]] += 1
    return counts


def jax_main(values):
    import jax.numpy as jnp

    return jnp.bincount(values, length=256).astype(jnp.int32)
