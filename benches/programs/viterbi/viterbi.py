"""The likeliest states of a hidden Markov model, by Viterbi's algorithm, in logarithms."""
import numpy as np


def numpy_main(start, moves, emits, seen):
    symbols = seen % emits.shape[1]
    states = np.arange(len(start))
    with np.errstate(divide="ignore"):
        moves, emits = np.log(moves), np.log(emits)
        scores = np.log(start) + emits[:, symbols[0]]
    back = np.zeros((len(seen), len(start)), np.int32)
    for k in range(1, len(seen)):
        ways = scores[:, None] + moves
        back[k] = ways.argmax(0)
        scores = ways[back[k], states] + emits[:, symbols[k]]
    path = np.empty(len(seen), np.int32)
    path[-1] = scores.argmax()
    for k in range(len(seen) - 1, 0, -1):
        path[k - 1] = back[k, path[k]]
    return scores[path[-1]], path


def numba_main(start, moves, emits, seen):
    s, o, t = start.shape[0], emits.shape[1], seen.shape[0]
    moves, emits = np.log(moves), np.log(emits).T.copy()
    scores, before = np.log(start) + emits[seen[0] % o], np.empty(s, np.float32)
    back = np.zeros((t, s), np.int32)
    for k in range(1, t):
        scores, before = before, scores
        scores[:] = before[0] + moves[0]
        for i in range(1, s):
            for j in range(s):
                way = before[i] + moves[i, j]
                better = way > scores[j]
                scores[j] = way if better else scores[j]
                back[k, j] = i if better else back[k, j]
        scores += emits[seen[k] % o]
    path = np.empty(t, np.int32)
    path[t - 1] = scores.argmax()
    for k in range(t - 1, 0, -1):
        path[k - 1] = back[k, path[k]]
    return scores[path[t - 1]], path
