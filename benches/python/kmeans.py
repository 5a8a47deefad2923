"""Lloyd's algorithm: points are gathered around centres, which move to the middle of their points."""

import numpy as np
from numba import get_num_threads, get_thread_id, prange

FUTHARK = "../programs/kmeans/kmeans.fut"
STATIC = (0, 1)


def inputs(rng):
    return 10, 16, rng.random((200_000, 4), dtype="f4")


def numpy_(rounds, k, points):
    centres = points[:k].copy()
    for _ in range(rounds):
        # The square of a point's length makes no difference.
        distances = (centres * centres).sum(1) - 2 * points @ centres.T
        owners = distances.argmin(1)
        sizes = np.bincount(owners, minlength=k)
        sums = [np.bincount(owners, weights=column, minlength=k) for column in points.T]
        means = np.stack(sums, 1) / np.maximum(sizes, 1)[:, None]
        centres = np.where(sizes[:, None] == 0, centres, means).astype("f4")
    return centres


def numba_(rounds, k, points):
    n, d = points.shape
    threads = get_num_threads()
    centres = points[:k].copy()
    for _ in range(rounds):
        sums = np.zeros((threads, k, d), np.float32)
        sizes = np.zeros((threads, k), np.int32)
        for i in prange(n):
            thread = get_thread_id()
            best, closest = 0, np.float32(np.inf)
            for c in range(k):
                distance = np.float32(0)
                for j in range(d):
                    difference = points[i, j] - centres[c, j]
                    distance += difference * difference
                if distance < closest:
                    best, closest = c, distance
            sizes[thread, best] += 1
            for j in range(d):
                sums[thread, best, j] += points[i, j]
        for c in range(k):
            size = sizes[:, c].sum()
            if size > 0:
                for j in range(d):
                    centres[c, j] = sums[:, c, j].sum() / np.float32(size)
    return centres


def jax_(rounds, k, points):
    import jax
    import jax.numpy as jnp

    def step(_, centres):
        distances = (centres * centres).sum(1) - 2 * points @ centres.T
        owners = distances.argmin(1)
        sizes = jax.ops.segment_sum(jnp.ones(len(points), "f4"), owners, k)[:, None]
        sums = jax.ops.segment_sum(points, owners, k)
        return jnp.where(sizes == 0, centres, sums / jnp.maximum(sizes, 1))

    return jax.lax.fori_loop(0, rounds, step, points[:k])
