"""The fast Fourier transform, by the libraries' own."""
import numpy as np


def numpy_main(re, im):
    spectrum = np.fft.fft(re + 1j * im)
    return spectrum.real.copy(), spectrum.imag.copy()


def jax_main(re, im):
    import jax.numpy as jnp

    spectrum = jnp.fft.fft(re + 1j * im)
    return spectrum.real, spectrum.imag
