"""At how many places of a text a short pattern begins, over an alphabet of four letters."""
import numpy as np


def numpy_main(pattern, text):
    k, n = pattern.shape[0], text.shape[0]
    if k > n:
        return np.int64(0)
    found = np.ones(n - k + 1, bool)
    for j in range(k):
        found &= ((pattern[j] ^ text[j:n - k + 1 + j]) & 3) == 0
    return np.int64(found.sum())


def numba_main(pattern, text):
    k, n = pattern.shape[0], text.shape[0]
    places = 0
    for at in range(n - k + 1):
        j = 0
        while j < k and (pattern[j] ^ text[at + j]) & 3 == 0:
            j += 1
        if j == k:
            places += 1
    return places
