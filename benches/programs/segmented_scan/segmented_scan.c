// Running sums that begin anew wherever a flag is raised: a byte's top bit is its flag.
#include "../harness/bench.h"

static int64_t n;
static const uint8_t *flags;
static const float *xs;
static float *sums;

void bench_setup(void) {
  flags = bench_u8s(1, &n);
  xs = bench_f32s(1, &n);
}

void bench_run(void) {
  bench_free(sums);
  sums = bench_alloc((size_t)n * sizeof *sums);
  float sum = 0;
  for (int64_t i = 0; i < n; i++) {
    sum = flags[i] >= 128 ? xs[i] : sum + xs[i];
    sums[i] = sum;
  }
}

void bench_output(void) {
  bench_put_f32s(sums, 1, &n);
}
