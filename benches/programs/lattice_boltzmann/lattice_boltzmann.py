"""A lattice-Boltzmann fluid in two dimensions with nine velocities, on a torus with obstacles."""
import numpy as np

# Steps to the right and up, the weight, and the opposite direction.
DIRECTIONS = [
    (0, 0, 4 / 9, 0), (0, 1, 1 / 9, 2), (0, -1, 1 / 9, 1), (1, 0, 1 / 9, 4), (-1, 0, 1 / 9, 3),
    (1, 1, 1 / 36, 8), (-1, 1, 1 / 36, 7), (1, -1, 1 / 36, 6), (-1, -1, 1 / 36, 5)]


def equilibrium(rho, ux, uy):
    square = np.float32(1.5) * (ux * ux + uy * uy)
    parts = []
    for x, y, weight, _ in DIRECTIONS:
        u = np.float32(x) * ux + np.float32(y) * uy
        part = 1 + np.float32(3) * u + np.float32(4.5) * u * u - square
        parts.append(np.float32(weight) * rho * part)
    return np.stack(parts)


def moments(f):
    rho = f.sum(axis=0)
    ux = (f[3] + f[5] + f[7] - f[4] - f[6] - f[8]) / rho
    uy = (f[1] + f[5] + f[6] - f[2] - f[7] - f[8]) / rho
    return rho, ux, uy


def numpy_main(steps, omega, speeds, walls):
    solid = walls < 16
    opposite = [o for *_, o in DIRECTIONS]
    f = equilibrium(np.ones_like(speeds), np.float32(0.1) * speeds, np.zeros_like(speeds))
    for _ in range(steps):
        f = np.stack([np.roll(g, (y, x), (0, 1)) for g, (x, y, *_) in zip(f, DIRECTIONS)])
        collided = f + omega * (equilibrium(*moments(f)) - f)
        f = np.where(solid, f[opposite], collided)
    rho, ux, _ = moments(f)
    return rho, ux
