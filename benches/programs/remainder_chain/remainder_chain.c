// A chain of products modulo a number that the compiler does not know, of signed numbers: remainders round down, as Futhark's do.
#include "../harness/bench.h"

static int64_t one;
static const int64_t *seed;
static int64_t result;

void bench_setup(void) {
  seed = bench_i64s(1, &one);
}

void bench_run(void) {
  const int64_t p = 1000000007 + (seed[0] & 2);
  int64_t x = (seed[0] % p + p) % p;
  for (int i = 0; i < 300000; i++) {
    x = x * 48271 % p;
    x += x < 0 ? p : 0;
  }
  result = x;
}

void bench_output(void) {
  bench_put_i64(result);
}
