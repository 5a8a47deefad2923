"""The shortest ways between all nodes of a graph."""

import numpy as np
from numba import prange

FUTHARK = """
entry main [n] (graph: [n][n]f32) : [n][n]f32 =
  loop d = copy graph for k < n do
    let row = d[k]
    let column = d[:, k]
    in map2 (\\ds via -> map2 (\\x y -> f32.min x (via + y)) ds row) d column
"""


def inputs(rng):
    return (rng.random((600, 600), dtype="f4") * 100,)


def numpy_(graph):
    d = graph.copy()
    for k in range(d.shape[0]):
        np.minimum(d, d[:, k, None] + d[k], out=d)
    return d


def numba_(graph):
    d = graph.copy()
    n = d.shape[0]
    for k in range(n):
        row = d[k].copy()
        for i in prange(n):
            via = d[i, k]
            for j in range(n):
                d[i, j] = min(d[i, j], via + row[j])
    return d


def jax_(graph):
    import jax
    import jax.numpy as jnp

    def step(k, d):
        return jnp.minimum(d, d[:, k, None] + d[k])

    return jax.lax.fori_loop(0, graph.shape[0], step, graph)
