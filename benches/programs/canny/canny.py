"""Edges of an image by Canny's method."""
import numpy as np


def around(image, by):
    """A function from distances to the image moved by them, whose rim is repeated."""
    padded = np.pad(image, by, mode="edge")
    n, m = image.shape
    return lambda di, dj: padded[by + di:by + di + n, by + dj:by + dj + m]


def numpy_main(low, high, image):
    weights = np.array([0.0625, 0.25, 0.375, 0.25, 0.0625], np.float32)
    at = around(image, 2)
    lines = sum(w * at(0, k - 2) for k, w in enumerate(weights))
    at = around(lines, 2)
    at = around(sum(w * at(k - 2, 0) for k, w in enumerate(weights)), 1)
    gx = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1)
    gy = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1)
    strength = np.sqrt(gx * gx + gy * gy)
    ax, ay = np.abs(gx), np.abs(gy)
    sectors = [ay < np.float32(0.41421356) * ax, ay > np.float32(2.4142135) * ax,
               (gx > 0) == (gy > 0)]
    at = around(strength, 1)
    pairs = [(at(0, -1), at(0, 1)), (at(-1, 0), at(1, 0)), (at(-1, -1), at(1, 1))]
    a = np.select(sectors, [a for a, _ in pairs], at(-1, 1))
    b = np.select(sectors, [b for _, b in pairs], at(1, -1))
    thinned = np.where((strength >= a) & (strength >= b), strength, np.float32(0))
    edges, weak = thinned >= high, thinned >= low
    while True:
        strong = np.pad(edges, 1)
        near = strong[:-2] | strong[1:-1] | strong[2:]
        near = near[:, :-2] | near[:, 1:-1] | near[:, 2:]
        grown = edges.copy()
        grown[1:-1, 1:-1] |= (near & weak)[1:-1, 1:-1]
        if (grown == edges).all():
            return edges
        edges = grown
