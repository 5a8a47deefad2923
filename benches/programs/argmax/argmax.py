"""The greatest element and the first place where it stands."""
import numpy as np


def numpy_main(xs):
    place = xs.argmax()
    return xs[place], np.int64(place)


def numba_main(xs):
    # A scalar of its own type: Numba would hand out an int.
    greatest, place = np.empty((), np.int32), 0
    for i in range(xs.shape[0]):
        if xs[i] > xs[place]:
            place = i
    greatest[()] = xs[place]
    return greatest, place


def jax_main(xs):
    import jax.numpy as jnp

    place = jnp.argmax(xs)
    return xs[place], place.astype(jnp.int64)
