// The greatest sum of neighbouring elements (of none at the least), in one walk: the greatest sum
// that ends here is that which ended before and this element, or nothing.
#include "../harness/bench.h"

static int64_t n;
static const int8_t *xs;
static int32_t greatest;

void bench_setup(void) {
  xs = bench_i8s(1, &n);
}

void bench_run(void) {
  int32_t here = 0;
  greatest = 0;
  for (int64_t i = 0; i < n; i++) {
    here = here + xs[i] > 0 ? here + xs[i] : 0;
    greatest = here > greatest ? here : greatest;
  }
}

void bench_output(void) {
  bench_put_i32(greatest);
}
