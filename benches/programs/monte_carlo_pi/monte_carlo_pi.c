// Pi by chance: the part of a square's random points that lie in its quarter circle. The point of
// each number comes from mixing the number's bits.
#include "../harness/bench.h"

static int64_t n;
static double pi;

void bench_setup(void) {
  n = bench_i64();
}

static inline uint32_t mix(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352d;
  x = (x ^ (x >> 15)) * 0x846ca68b;
  return x ^ (x >> 16);
}

// The upper 24 bits, as a number between zero and one. By way of a signed number, which they fit:
// its conversion is an instruction where an unsigned number's is several.
static inline float unit(uint32_t x) {
  return (float)(int32_t)(x >> 8) / 16777216;
}

void bench_run(void) {
  int64_t hits = 0;
  for (int64_t i = 0; i < n; i++) {
    const uint32_t place = 2 * (uint32_t)i;
    const float x = unit(mix(place)), y = unit(mix(place + 1));
    hits += x * x + y * y < 1;
  }
  pi = n == 0 ? 0 : 4 * (double)hits / (double)n;
}

void bench_output(void) {
  bench_put_f64(pi);
}
