"""A picture convolved with a kernel of nine by nine numbers, without its rim."""

import numpy as np
from numba import prange

FUTHARK = """
entry main [h][w][k] (picture: [h][w]f32) (kernel: [k][k]f32) : [][]f32 =
  tabulate_2d (h - k + 1) (w - k + 1) (\\i j ->
    loop sum = 0 for a < k do
      loop sum for b < k do
        sum + kernel[a, b] * picture[i + a, j + b])
"""


def inputs(rng):
    return rng.random((1080, 1920), dtype="f4"), rng.random((9, 9), dtype="f4")


def numpy_(picture, kernel):
    k = kernel.shape[0]
    h, w = picture.shape[0] - k + 1, picture.shape[1] - k + 1
    out = np.zeros((h, w), "f4")
    for a in range(k):
        for b in range(k):
            out += kernel[a, b] * picture[a : a + h, b : b + w]
    return out


def numba_(picture, kernel):
    k = kernel.shape[0]
    h, w = picture.shape[0] - k + 1, picture.shape[1] - k + 1
    out = np.empty((h, w), np.float32)
    for i in prange(h):
        row = np.zeros(w, np.float32)
        for a in range(k):
            for b in range(k):
                weight = kernel[a, b]
                for j in range(w):
                    row[j] += weight * picture[i + a, j + b]
        out[i] = row
    return out


def jax_(picture, kernel):
    import jax

    return jax.lax.conv(picture[None, None], kernel[None, None], (1, 1), "VALID")[0, 0]
