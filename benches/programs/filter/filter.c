// The positive ones of an array's elements, in their order. Every element is stored where the next
// positive one belongs, so that there is no branch to guess.
#include "../harness/bench.h"

static int64_t n, kept;
static const int32_t *xs;
static int32_t *positive;

void bench_setup(void) {
  xs = bench_i32s(1, &n);
}

void bench_run(void) {
  bench_free(positive);
  positive = bench_alloc((size_t)n * sizeof *positive);
  kept = 0;
  for (int64_t i = 0; i < n; i++) {
    positive[kept] = xs[i];
    kept += xs[i] > 0;
  }
}

void bench_output(void) {
  bench_put_i32s(positive, 1, &kept);
}
