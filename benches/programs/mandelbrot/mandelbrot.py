"""The Mandelbrot set: after how many steps each point of a grid escapes."""
import functools

import numpy as np


def numpy_main(width, height, limit):
    x0 = -2.25 + 3 * np.arange(width) / width
    y0 = -1.25 + 2.5 * np.arange(height) / height
    cx, cy = np.broadcast_to(x0, (height, width)), np.broadcast_to(y0[:, None], (height, width))
    x, y = np.zeros((height, width)), np.zeros((height, width))
    steps = np.zeros((height, width), np.int32)
    inside = np.ones((height, width), bool)
    for _ in range(limit):
        inside &= x * x + y * y <= 4
        if not inside.any():
            break
        steps += inside
        x, y = np.where(inside, x * x - y * y + cx, x), np.where(inside, 2 * x * y + cy, y)
    return steps


def escape_steps(width, height, limit):
    steps = np.empty((height, width), np.int32)
    for i in range(height):
        for j in range(width):
            cx, cy = -2.25 + 3 * j / width, -1.25 + 2.5 * i / height
            x, y, taken = 0.0, 0.0, 0
            while taken < limit and x * x + y * y <= 4:
                x, y = x * x - y * y + cx, 2 * x * y + cy
                taken += 1
            steps[i, j] = taken
    return steps


@functools.cache
def exact():
    """Without fastmath: the points at the rim tell the slightest difference."""
    import numba

    return numba.njit(escape_steps)


def numba_main(width, height, limit):
    return exact()(width, height, limit)


numba_main.wrapped = True
