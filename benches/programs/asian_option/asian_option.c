// The price of an Asian option by quasi-random numbers: Sobol's sequence in 16 dimensions, normal numbers
// from it by inversion, and paths from them by Brownian bridges. The direction numbers are those of Joe
// and Kuo; those of all dimensions for one bit lie side by side.
#include "../harness/bench.h"
#include <math.h>

enum { DIMENSIONS = 16, BITS = 30 };

static const struct {
  int degree;
  uint32_t coefficients, initial[6];
} polynomials[DIMENSIONS - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
};

static int64_t chunks, size;
static double spot, rate, volatility, value;

void bench_setup(void) {
  chunks = bench_i64();
  size = bench_i64();
  spot = bench_f64();
  rate = bench_f64();
  volatility = bench_f64();
}

static void directions(uint32_t vs[BITS][DIMENSIONS]) {
  for (int k = 0; k < BITS; k++) {
    vs[k][0] = (uint32_t)1 << (BITS - 1 - k);
  }
  for (int d = 1; d < DIMENSIONS; d++) {
    const int s = polynomials[d - 1].degree;
    for (int k = 0; k < BITS; k++) {
      if (k < s) {
        vs[k][d] = polynomials[d - 1].initial[k] << (BITS - 1 - k);
        continue;
      }
      uint32_t x = vs[k - s][d] ^ (vs[k - s][d] >> s);
      for (int j = 1; j < s; j++) {
        if ((polynomials[d - 1].coefficients >> (s - 1 - j)) & 1) {
          x ^= vs[k - j][d];
        }
      }
      vs[k][d] = x;
    }
  }
}

static inline double tail(double q) {
  return (((((-7.784894002430293e-3 * q - 3.223964580411365e-1) * q - 2.400758277161838) * q -
            2.549732539343734) * q + 4.374664141464968) * q + 2.938163982698783) /
         ((((7.784695709041462e-3 * q + 3.224671290700398e-1) * q + 2.445134137142996) * q +
           3.754408661907416) * q + 1);
}

static inline double middle(double q) {
  const double r = q * q;
  return (((((-3.969683028665376e1 * r + 2.209460984245205e2) * r - 2.759285104469687e2) * r +
            1.383577518672690e2) * r - 3.066479806614716e1) * r + 2.506628277459239) * q /
         (((((-5.447609879822406e1 * r + 1.615858368580409e2) * r - 1.556989798598866e2) * r +
            6.680131188771972e1) * r - 1.328068155288572e1) * r + 1);
}

static inline double inverse_normal(double p) {
  return p < 0.02425      ? tail(sqrt(-2 * log(p)))
         : p <= 0.97575 ? middle(p - 0.5)
                        : -tail(sqrt(-2 * log(1 - p)));
}

static inline void bridge(const double zs[restrict DIMENSIONS], double path[restrict DIMENSIONS]) {
  path[DIMENSIONS - 1] = zs[0];
  int used = 1;
  for (int width = DIMENSIONS; width > 1; width /= 2) {
    const int half = width / 2;
    const double deviation = sqrt((double)half / (2 * DIMENSIONS));
    for (int k = 0; k < used; k++) {
      const double left = k == 0 ? 0 : path[k * width - 1], right = path[(k + 1) * width - 1];
      path[k * width + half - 1] = 0.5 * (left + right) + deviation * zs[used + k];
    }
    used *= 2;
  }
}

static inline double payoff(double strike, const double path[restrict DIMENSIONS]) {
  double sum = 0;
  for (int i = 0; i < DIMENSIONS; i++) {
    const double t = (double)(i + 1) / DIMENSIONS;
    sum += spot * exp((rate - 0.5 * volatility * volatility) * t + volatility * path[i]);
  }
  return fmax(0, sum / DIMENSIONS - strike);
}

void bench_run(void) {
  uint32_t vs[BITS][DIMENSIONS];
  directions(vs);
  double total = 0;
  uint32_t xs[DIMENSIONS] = {0};
  for (int64_t i = 0; i < chunks * size; i++) {
    double zs[DIMENSIONS], path[DIMENSIONS];
    for (int d = 0; d < DIMENSIONS; d++) {
      zs[d] = inverse_normal(((double)xs[d] + 0.5) / 1073741824);
    }
    bridge(zs, path);
    total += payoff(100, path);
    const uint32_t *v = vs[__builtin_ctzll((uint64_t)i + 1)];
    for (int d = 0; d < DIMENSIONS; d++) {
      xs[d] ^= v[d];
    }
  }
  value = exp(-rate) * total / (double)(chunks * size);
}

void bench_output(void) {
  bench_put_f64(value);
}
