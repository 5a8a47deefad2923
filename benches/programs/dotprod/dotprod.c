/* The dot product of two vectors. Several sums, as the compiler may not reorder the additions. */

#include "bench.h"

enum { LANES = 32 };

static int64_t n;
static const float *xs;
static const float *ys;
static float result;

static void bench_setup(void) {
  xs = bench_f32s(1, &n);
  ys = bench_f32s(1, &n);
}

static void bench_run(void) {
  float sums[LANES] = {0};
  int64_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    for (int k = 0; k < LANES; k++) {
      sums[k] += xs[i + k] * ys[i + k];
    }
  }
  float sum = 0;
  for (int k = 0; k < LANES; k++) {
    sum += sums[k];
  }
  for (; i < n; i++) {
    sum += xs[i] * ys[i];
  }
  result = sum;
}

static void bench_output(void) {
  bench_put_f32(result);
}
