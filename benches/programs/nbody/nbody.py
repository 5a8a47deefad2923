"""Bodies that attract each other: steps of Euler's method over all pairs."""
import numpy as np


def numpy_main(steps, xs, ys, zs, masses):
    at = np.stack([xs, ys, zs])
    velocity = np.zeros_like(at)
    dt, soft = np.float32(1e-3), np.float32(1e-3)
    for _ in range(steps):
        away = at[:, None, :] - at[:, :, None]
        r2 = (away * away).sum(0) + soft
        pull = masses[None, :] / (r2 * np.sqrt(r2))
        velocity = velocity + dt * (pull[None] * away).sum(2)
        at = at + dt * velocity
    return at[0], at[1], at[2]


def jax_main(steps, xs, ys, zs, masses):
    import jax
    import jax.numpy as jnp

    def step(_, state):
        at, velocity = state
        away = at[:, None, :] - at[:, :, None]
        r2 = (away * away).sum(0) + 1e-3
        pull = masses[None, :] / (r2 * jnp.sqrt(r2))
        velocity = velocity + 1e-3 * (pull[None] * away).sum(2)
        return at + 1e-3 * velocity, velocity

    at = jnp.stack([xs, ys, zs])
    at, _ = jax.lax.fori_loop(0, steps, step, (at, jnp.zeros_like(at)))
    return at[0], at[1], at[2]
