// How often each value of a byte occurs: parlaylib's histogram.
#include "../harness/bench.h"

#include <parlay/primitives.h>

enum { VALUES = 256 };

static parlay::sequence<uint8_t> bytes;
static parlay::sequence<int32_t> counts;

void bench_setup(void) {
  int64_t n;
  const uint8_t *given = bench_u8s(1, &n);
  bytes = parlay::sequence<uint8_t>(given, given + n);
}

void bench_run(void) {
  counts = parlay::histogram_by_index(bytes, (int32_t)VALUES);
}

void bench_output(void) {
  const int64_t dims[] = {VALUES};
  bench_put_i32s(counts.data(), 1, dims);
}
