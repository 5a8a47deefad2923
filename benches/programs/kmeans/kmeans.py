"""Lloyd's algorithm."""
import numpy as np


def numpy_main(rounds, k, points):
    centres = points[:k].copy()
    for _ in range(rounds):
        away = points[:, None, :] - centres[None, :, :]
        owners = (away * away).sum(2).argmin(1)
        sums = np.zeros_like(centres)
        np.add.at(sums, owners, points)
        sizes = np.bincount(owners, minlength=k).astype(np.float32)[:, None]
        centres = np.where(sizes == 0, centres, sums / np.maximum(sizes, 1))
    return centres


def numba_main(rounds, k, points):
    n, d = points.shape
    centres = points[:k].copy()
    for _ in range(rounds):
        sums = np.zeros((k, d), np.float32)
        sizes = np.zeros(k, np.int32)
        for i in range(n):
            best, closest = 0, np.float32(np.inf)
            for c in range(k):
                distance = np.float32(0)
                for j in range(d):
                    difference = points[i, j] - centres[c, j]
                    distance += difference * difference
                if distance < closest:
                    best, closest = c, distance
            sizes[best] += 1
            for j in range(d):
                sums[best, j] += points[i, j]
        for c in range(k):
            if sizes[c] > 0:
                for j in range(d):
                    centres[c, j] = sums[c, j] / np.float32(sizes[c])
    return centres
