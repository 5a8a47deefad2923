"""The prices of European call options after Black and Scholes."""

import math

import numpy as np
from numba import prange

from beside import program

FUTHARK = "../programs/black_scholes/black_scholes.fut"
OTHERS = program("black_scholes")
numpy_ = OTHERS.numpy_main
jax_ = OTHERS.jax_main


def inputs(rng):
    return tuple(rng.random(1_000_000, dtype="f4") for _ in range(3))


def numba_(a, b, c):
    f = np.float32
    out = np.empty_like(a)
    for i in prange(a.size):
        price, strike, years = f(50) + f(50) * a[i], f(50) + f(50) * b[i], f(0.25) + f(3) * c[i]
        spread = f(0.3) * math.sqrt(years)
        d1 = (math.log(price / strike) + f(0.065) * years) / spread
        total = f(0)
        for part in range(2):
            d = d1 if part == 0 else d1 - spread
            k = f(1) / (f(1) + f(0.2316419) * abs(d))
            tail = f(1.781477937) + k * (f(-1.821255978) + k * f(1.330274429))
            tail = k * (f(0.31938153) + k * (f(-0.356563782) + k * tail))
            p = f(0.39894228) * math.exp(f(-0.5) * d * d) * tail
            if d > 0:
                p = f(1) - p
            total += price * p if part == 0 else -strike * math.exp(f(-0.02) * years) * p
        out[i] = total
    return out
