// Sums of 32-bit integers that are read by indexes, which are not checked.
#include "../harness/bench.h"

static int64_t n, m;
static const int32_t *xs;
static const uint16_t *is;
static int32_t total;

void bench_setup(void) {
  xs = bench_i32s(1, &n);
  is = bench_u16s(1, &m);
}

static __attribute__((noinline)) uint32_t sum(uint32_t with) {
  uint32_t s = 0;
  for (int64_t i = 0; i < m; i++) {
    s += (uint32_t)xs[is[i]] ^ with;
  }
  return s;
}

void bench_run(void) {
  uint32_t now = 0;
  for (int round = 0; round < 100; round++) {
    now += sum(now);
  }
  total = (int32_t)now;
}

void bench_output(void) {
  bench_put_i32(total);
}
