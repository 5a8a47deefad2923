"""Attention: each query's mean of values, weighted by the softmax of its products with keys."""

import math

import numpy as np
from numba import prange

FUTHARK = """
def softmax [n] (xs: [n]f32) : [n]f32 =
  let top = f32.maximum xs
  let es = map (\\x -> f32.exp (x - top)) xs
  let sum = f32.sum es
  in map (/ sum) es

entry main [h][n][d] (qs: [h][n][d]f32) (ks: [h][n][d]f32) (vs: [h][n][d]f32) : [h][n][d]f32 =
  let scale = 1 / f32.sqrt (f32.i64 d)
  let head (q: [n][d]f32) (k: [n][d]f32) (v: [n][d]f32) : [n][d]f32 =
    let scores = map (\\a -> map (\\b -> scale * f32.sum (map2 (*) a b)) k) q
    let weights = map softmax scores
    in map (\\w -> map (\\c -> f32.sum (map2 (*) w c)) (transpose v)) weights
  in map3 head qs ks vs
"""


def inputs(rng):
    return tuple(rng.standard_normal((4, 512, 64), dtype="f4") for _ in range(3))


def numpy_(q, k, v):
    scores = q @ k.transpose(0, 2, 1) / np.float32(math.sqrt(q.shape[2]))
    weights = np.exp(scores - scores.max(2, keepdims=True))
    return weights / weights.sum(2, keepdims=True) @ v


def numba_(q, k, v):
    heads, n, d = q.shape
    f = np.float32
    out = np.empty_like(q)
    scale = f(1 / math.sqrt(d))
    for row in prange(heads * n):
        h, i = row // n, row % n
        scores = np.empty(n, f)
        top = f(-np.inf)
        for j in range(n):
            score = f(0)
            for c in range(d):
                score += q[h, i, c] * k[h, j, c]
            scores[j] = score * scale
            top = max(top, scores[j])
        total = f(0)
        sums = np.zeros(d, f)
        for j in range(n):
            weight = math.exp(scores[j] - top)
            total += weight
            for c in range(d):
                sums[c] += weight * v[h, j, c]
        for c in range(d):
            out[h, i, c] = sums[c] / total
    return out


def jax_(q, k, v):
    import jax
    import jax.numpy as jnp

    scores = jnp.einsum("hid,hjd->hij", q, k) / np.float32(math.sqrt(q.shape[2]))
    return jnp.einsum("hij,hjd->hid", jax.nn.softmax(scores, axis=2), v)
