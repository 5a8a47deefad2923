// A chain of products modulo the prime 2^61 - 1.
#include "../harness/bench.h"

static int64_t one;
static const uint64_t *seed;
static uint64_t result;

void bench_setup(void) {
  seed = bench_u64s(1, &one);
}

static const uint64_t p = (1ULL << 61) - 1;

static inline uint64_t times(uint64_t a, uint64_t b) {
  const unsigned __int128 wide = (unsigned __int128)a * b;
  const uint64_t s = ((uint64_t)wide & p) + (uint64_t)(wide >> 61);
  return s >= p ? s - p : s;
}

void bench_run(void) {
  uint64_t x = seed[0] & (p >> 1);
  for (int i = 0; i < 300000; i++) {
    x = times(x, 0x123456789abcdefULL);
  }
  result = x;
}

void bench_output(void) {
  bench_put_u64(result);
}
