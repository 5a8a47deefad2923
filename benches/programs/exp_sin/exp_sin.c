// The exponential and the sine of every element, added.
#include "../harness/bench.h"
#include <math.h>

static int64_t n;
static const float *xs;
static float *ys;

void bench_setup(void) {
  xs = bench_f32s(1, &n);
}

void bench_run(void) {
  bench_free(ys);
  ys = bench_alloc((size_t)n * sizeof *ys);
#pragma omp parallel for
  for (int64_t i = 0; i < n; i++) {
    ys[i] = expf(xs[i]) + sinf(xs[i]);
  }
}

void bench_output(void) {
  bench_put_f32s(ys, 1, &n);
}
