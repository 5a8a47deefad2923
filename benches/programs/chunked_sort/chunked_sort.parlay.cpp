// parlaylib's sort of integers.
#include "../harness/bench.h"

#include <parlay/primitives.h>

static int64_t n;
static parlay::sequence<uint32_t> input, sorted;

void bench_setup(void) {
  const uint32_t *given = bench_u32s(1, &n);
  input = parlay::sequence<uint32_t>(given, given + n);
}

void bench_run(void) {
  sorted = parlay::integer_sort(input, [](uint32_t x) { return x; });
}

void bench_output(void) {
  bench_put_u32s(sorted.data(), 1, &n);
}
