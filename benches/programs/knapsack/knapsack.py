"""The 0-1 knapsack."""
import numpy as np


def numpy_main(capacity, weights, values):
    best = np.zeros(capacity + 1, np.int32)
    for weight, value in zip(weights, values):
        weight = int(weight) % 1000 + 1
        if weight <= capacity:
            best[weight:] = np.maximum(best[weight:], best[:-weight] + np.int32(value))
    return best[capacity]


def numba_main(capacity, weights, values):
    best = np.zeros(capacity + 1, np.int32)
    for i in range(weights.shape[0]):
        weight, value = weights[i] % 1000 + 1, values[i]
        for room in range(capacity, weight - 1, -1):
            best[room] = max(best[room], best[room - weight] + value)
    # A scalar of its own type: Numba would hand out an int.
    greatest = np.empty((), np.int32)
    greatest[()] = best[capacity]
    return greatest
