// The prices of European call options after Black and Scholes.
#include "../harness/bench.h"
#include <math.h>

static int64_t n;
static const float *a, *b, *c;
static float *prices;

void bench_setup(void) {
  a = bench_f32s(1, &n);
  b = bench_f32s(1, &n);
  c = bench_f32s(1, &n);
}

// The cumulative distribution of the standard normal distribution, by a rational approximation.
static inline float cnd(float d) {
  const float k = 1 / (1 + 0.2316419f * fabsf(d));
  const float tail =
      k * (0.31938153f +
           k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float p = 0.39894228f * expf(-0.5f * d * d) * tail;
  return d > 0 ? 1 - p : p;
}

static inline float call(float price, float strike, float years) {
  const float rate = 0.02f, volatility = 0.3f;
  const float spread = volatility * sqrtf(years);
  const float d1 =
      (logf(price / strike) + (rate + 0.5f * volatility * volatility) * years) / spread;
  const float d2 = d1 - spread;
  return price * cnd(d1) - strike * expf(-rate * years) * cnd(d2);
}

void bench_run(void) {
  bench_free(prices);
  prices = bench_alloc((size_t)n * sizeof *prices);
#pragma omp parallel for
  for (int64_t i = 0; i < n; i++) {
    prices[i] = call(50 + 50 * a[i], 50 + 50 * b[i], 0.25f + 3 * c[i]);
  }
}

void bench_output(void) {
  bench_put_f32s(prices, 1, &n);
}
