"""Histogram equalisation: the greys of a picture are spread out by how often each of them occurs."""

import numpy as np
from numba import get_num_threads, get_thread_id, prange

FUTHARK = """
entry main [h][w] (picture: [h][w]u8) : [h][w]u8 =
  let counts = hist (+) 0i32 256 (map i64.u8 (flatten picture)) (replicate (h * w) 1)
  let sums = scan (+) 0 counts
  let first = i32.minimum (map2 (\\c s -> if c > 0 then s else i32.highest) counts sums)
  let rest = f32.i32 (i32.i64 (h * w) - first)
  let table = map (\\s -> u8.f32 (f32.round (255 * f32.i32 (i32.max 0 (s - first)) / rest))) sums
  in map (map (\\p -> #[unsafe] table[i64.u8 p])) picture
"""


def inputs(rng):
    return (np.clip(rng.normal(100, 20, (2160, 3840)), 0, 255).astype("u1"),)


def numpy_(picture):
    counts = np.bincount(picture.ravel(), minlength=256)
    sums = np.cumsum(counts)
    first = sums[counts > 0].min()
    shares = np.maximum(sums - first, 0).astype("f4") / np.float32(picture.size - first)
    return np.round(255 * shares).astype("u1")[picture]


def numba_(picture):
    flat = picture.ravel()
    threads = get_num_threads()
    parts = np.zeros((threads, 256), np.int32)
    for i in prange(flat.size):
        parts[get_thread_id(), flat[i]] += 1
    counts = parts.sum(0)
    sums = np.cumsum(counts)
    first = sums[counts > 0].min()
    table = np.empty(256, np.uint8)
    for i in range(256):
        share = np.float32(max(sums[i] - first, 0)) / np.float32(flat.size - first)
        table[i] = np.uint8(np.round(np.float32(255) * share))
    out = np.empty_like(flat)
    for i in prange(flat.size):
        out[i] = table[flat[i]]
    return out.reshape(picture.shape)


def jax_(picture):
    import jax.numpy as jnp

    counts = jnp.bincount(picture.ravel(), length=256)
    sums = jnp.cumsum(counts)
    first = jnp.where(counts > 0, sums, picture.size).min()
    shares = jnp.maximum(sums - first, 0).astype("f4") / (picture.size - first).astype("f4")
    return jnp.round(255 * shares).astype("u1")[picture]
