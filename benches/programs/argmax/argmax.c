// The greatest element and the first place where it stands.
#include "../harness/bench.h"

static int64_t n, place;
static const int32_t *xs;
static int32_t greatest;

void bench_setup(void) {
  xs = bench_i32s(1, &n);
}

void bench_run(void) {
  greatest = INT32_MIN;
  for (int64_t i = 0; i < n; i++) {
    greatest = xs[i] > greatest ? xs[i] : greatest;
  }
  place = 0;
  while (place < n && xs[place] != greatest) {
    place++;
  }
}

void bench_output(void) {
  bench_put_i32(greatest);
  bench_put_i64(place);
}
