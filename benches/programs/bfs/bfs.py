"""Breadth-first search over compressed sparse rows."""
import numpy as np


def numba_main(degrees, edges):
    n = degrees.shape[0]
    offsets = np.zeros(n + 1, np.int64)
    for v in range(n):
        offsets[v + 1] = offsets[v] + degrees[v] % 8
    distances = np.full(n, -1, np.int32)
    queue = np.empty(n, np.int64)
    distances[0] = 0
    queue[0] = 0
    read, written = 0, 1
    while read < written:
        v = queue[read]
        read += 1
        for e in range(offsets[v], offsets[v + 1]):
            end = np.int64(edges[e]) % n
            if distances[end] < 0:
                distances[end] = distances[v] + 1
                queue[written] = end
                written += 1
    return distances
