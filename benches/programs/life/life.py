"""Conway's game of life on a torus."""
import numpy as np


def numpy_main(steps, world):
    world = world & 1
    for _ in range(steps):
        columns = np.roll(world, 1, 0) + world + np.roll(world, -1, 0)
        total = np.roll(columns, 1, 1) + columns + np.roll(columns, -1, 1)
        world = ((total == 3) | ((total == 4) & (world == 1))).astype(np.uint8)
    return world


def jax_main(steps, world):
    import jax
    import jax.numpy as jnp

    def step(_, world):
        columns = jnp.roll(world, 1, 0) + world + jnp.roll(world, -1, 0)
        total = jnp.roll(columns, 1, 1) + columns + jnp.roll(columns, -1, 1)
        return ((total == 3) | ((total == 4) & (world == 1))).astype(jnp.uint8)

    return jax.lax.fori_loop(0, steps, step, world & 1)
