// The values of a polynomial at many points, by Horner's rule. A block of points at a time goes
// through the coefficients together, for its additions not to wait for each other.
#include "../harness/bench.h"

enum { BLOCK = 64 };

static int64_t k, n;
static const float *coefficients, *xs;
static float *values;

void bench_setup(void) {
  coefficients = bench_f32s(1, &k);
  xs = bench_f32s(1, &n);
}

void bench_run(void) {
  bench_free(values);
  values = bench_alloc((size_t)n * sizeof *values);
  int64_t i = 0;
  for (; i + BLOCK <= n; i += BLOCK) {
    float block[BLOCK] = {0};
    for (int64_t c = k - 1; c >= 0; c--) {
      for (int j = 0; j < BLOCK; j++) {
        block[j] = coefficients[c] + xs[i + j] * block[j];
      }
    }
    memcpy(values + i, block, sizeof block);
  }
  for (; i < n; i++) {
    float value = 0;
    for (int64_t c = k - 1; c >= 0; c--) {
      value = coefficients[c] + xs[i] * value;
    }
    values[i] = value;
  }
}

void bench_output(void) {
  bench_put_f32s(values, 1, &n);
}
