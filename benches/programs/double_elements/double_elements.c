// Twice each element of a large array.
#include "../harness/bench.h"

static int64_t n;
static const int64_t *xs;
static int64_t *ys;

void bench_setup(void) {
  xs = bench_i64s(1, &n);
}

void bench_run(void) {
  bench_free(ys);
  ys = bench_alloc((size_t)n * sizeof *ys);
  for (int64_t i = 0; i < n; i++) {
    ys[i] = (int64_t)((uint64_t)xs[i] * 2);
  }
}

void bench_output(void) {
  bench_put_i64s(ys, 1, &n);
}
