"""The Levenshtein distance of two strings over an alphabet of four letters, row by row."""
import numpy as np


def numba_main(a, b):
    n, m = a.shape[0], b.shape[0]
    row = np.arange(m + 1).astype(np.int32)
    for i in range(n):
        corner = row[0]
        row[0] = i + 1
        for j in range(m):
            change = corner + (1 if (a[i] ^ b[j]) & 3 != 0 else 0)
            corner = row[j + 1]
            row[j + 1] = min(change, 1 + min(corner, row[j]))
    # A scalar of its own type: Numba would hand out an int.
    distance = np.empty((), np.int32)
    distance[()] = row[m]
    return distance
