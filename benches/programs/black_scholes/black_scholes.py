"""The prices of European call options after Black and Scholes."""
import numpy as np

RATE = np.float32(0.02)
VOLATILITY = np.float32(0.3)
DRIFT = np.float32(0.02 + 0.5 * 0.3 * 0.3)


def prices(np, a, b, c):
    f = np.float32

    def cnd(d):
        k = 1 / (1 + f(0.2316419) * np.abs(d))
        tail = k * (f(0.31938153) + k * (f(-0.356563782) + k * (
            f(1.781477937) + k * (f(-1.821255978) + k * f(1.330274429)))))
        p = f(0.39894228) * np.exp(f(-0.5) * d * d) * tail
        return np.where(d > 0, 1 - p, p)

    price, strike, years = 50 + 50 * a, 50 + 50 * b, f(0.25) + 3 * c
    spread = VOLATILITY * np.sqrt(years)
    d1 = (np.log(price / strike) + DRIFT * years) / spread
    return price * cnd(d1) - strike * np.exp(-RATE * years) * cnd(d1 - spread)


def numpy_main(a, b, c):
    return prices(np, a, b, c)


def jax_main(a, b, c):
    import jax.numpy as jnp

    return prices(jnp, a, b, c)
