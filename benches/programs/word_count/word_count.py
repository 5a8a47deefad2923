"""The words of a text, and the length of the longest."""
import numpy as np


def numpy_main(text):
    stops = np.flatnonzero(text <= 32)
    lengths = np.diff(stops, prepend=-1, append=text.shape[0]) - 1
    return np.int64((lengths > 0).sum()), np.int64(lengths.max())


def numba_main(text):
    words, longest, letters = 0, 0, 0
    for i in range(text.shape[0]):
        if text[i] <= 32:
            letters = 0
        else:
            if letters == 0:
                words += 1
            letters += 1
            longest = max(longest, letters)
    return words, longest
