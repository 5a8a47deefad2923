// A chain of the mixing steps of splitmix64.
#include "../harness/bench.h"

static int64_t n;
static const uint64_t *xs;
static uint64_t result;

void bench_setup(void) {
  xs = bench_u64s(1, &n);
}

void bench_run(void) {
  uint64_t h = 0;
  for (int64_t i = 0; i < n; i++) {
    uint64_t x = h ^ xs[i];
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    h = x ^ (x >> 31);
  }
  result = h;
}

void bench_output(void) {
  bench_put_u64(result);
}
