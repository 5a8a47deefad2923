"""Heat flow in a ring of cells."""
import numpy as np


def numpy_main(steps, t):
    for _ in range(steps):
        t = t + 0.25 * (np.roll(t, 1) - 2 * t + np.roll(t, -1))
    return t


def numba_main(steps, t):
    n = t.shape[0]
    old, new = t.copy(), t.copy()
    for _ in range(steps):
        new[0] = old[0] + 0.25 * (old[n - 1] - 2 * old[0] + old[1])
        for i in range(1, n - 1):
            new[i] = old[i] + 0.25 * (old[i - 1] - 2 * old[i] + old[i + 1])
        new[n - 1] = old[n - 1] + 0.25 * (old[n - 2] - 2 * old[n - 1] + old[0])
        old, new = new, old
    return old


def jax_main(steps, t):
    import jax
    import jax.numpy as jnp

    def step(_, t):
        return t + 0.25 * (jnp.roll(t, 1) - 2 * t + jnp.roll(t, -1))

    return jax.lax.fori_loop(0, steps, step, t)
