// The sums of all prefixes of an array. Unsigned arithmetic, as it may wrap.
#include "../harness/bench.h"

static int64_t n;
static const int32_t *xs;
static int32_t *sums;

void bench_setup(void) {
  xs = bench_i32s(1, &n);
}

void bench_run(void) {
  bench_free(sums);
  sums = bench_alloc((size_t)n * sizeof *sums);
  uint32_t sum = 0;
  for (int64_t i = 0; i < n; i++) {
    sum += (uint32_t)xs[i];
    sums[i] = (int32_t)sum;
  }
}

void bench_output(void) {
  bench_put_i32s(sums, 1, &n);
}
