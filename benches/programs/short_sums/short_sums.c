// Sums of a few computed numbers each.
#include "../harness/bench.h"

static int64_t n, m;
static float *sums;

void bench_setup(void) {
  n = bench_i64();
  m = bench_i64();
}

void bench_run(void) {
  bench_free(sums);
  float *restrict to = bench_alloc((size_t)n * sizeof *to);
  for (int64_t i = 0; i < n; i++) {
    float sum = 0;
    for (int64_t j = 0; j < m; j++) {
      sum += (float)(i * m + j);
    }
    to[i] = sum;
  }
  sums = to;
}

void bench_output(void) {
  bench_put_f32s(sums, 1, &n);
}
