"""The Mandelbrot set: after how many steps each point of a grid escapes."""

import numpy as np
from numba import prange

FUTHARK = "../programs/mandelbrot/mandelbrot.fut"
STATIC = (0, 1)


def inputs(rng):
    return 800, 600, 200


def numpy_(width, height, limit):
    c = (-2.25 + 3 * np.arange(width) / width) + 1j * (-1.25 + 2.5 * np.arange(height) / height)[:, None]
    steps = np.zeros(c.shape, "i4")
    at = np.arange(c.size)
    c, z = c.ravel(), np.zeros(c.size, complex)
    for _ in range(limit):
        inside = z.real * z.real + z.imag * z.imag <= 4
        at, z, c = at[inside], z[inside], c[inside]
        steps.ravel()[at] += 1
        z = z * z + c
    return steps


def numba_(width, height, limit):
    steps = np.empty((height, width), np.int32)
    for i in prange(height):
        for j in range(width):
            cx, cy = -2.25 + 3 * j / width, -1.25 + 2.5 * i / height
            x, y, taken = 0.0, 0.0, 0
            while taken < limit and x * x + y * y <= 4:
                x, y = x * x - y * y + cx, 2 * x * y + cy
                taken += 1
            steps[i, j] = taken
    return steps


def jax_(width, height, limit):
    import jax
    import jax.numpy as jnp

    cx = jnp.broadcast_to(-2.25 + 3 * jnp.arange(width) / width, (height, width))
    cy = jnp.broadcast_to((-1.25 + 2.5 * jnp.arange(height) / height)[:, None], (height, width))

    def step(_, state):
        x, y, steps = state
        inside = x * x + y * y <= 4
        # Those outside stay there.
        x, y = jnp.where(inside, x * x - y * y + cx, x), jnp.where(inside, 2 * x * y + cy, y)
        return x, y, steps + inside.astype("i4")

    zero = jnp.zeros((height, width))
    return jax.lax.fori_loop(0, limit, step, (zero, zero, zero.astype("i4")))[2]
