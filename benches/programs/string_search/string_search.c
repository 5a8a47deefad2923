// Where a pattern occurs in a text over an alphabet of four letters, but for so many letters: the number of places, and
// the first one.
#include "../harness/bench.h"

static int64_t most, n, m;
static const uint8_t *text, *pattern;
static int64_t count, first;

void bench_setup(void) {
  most = bench_i64();
  text = bench_u8s(1, &n);
  pattern = bench_u8s(1, &m);
}

static bool matches(int64_t i) {
  int64_t wrong = 0;
  for (int64_t k = 0; k < m; k++) {
    wrong += ((text[i + k] ^ pattern[k]) & 3) != 0;
    if (wrong > most) {
      return false;
    }
  }
  return true;
}

void bench_run(void) {
  int64_t found = 0, least = INT64_MAX;
#pragma omp parallel for schedule(static) reduction(+ : found) reduction(min : least)
  for (int64_t i = 0; i < n - m + 1; i++) {
    if (matches(i)) {
      found++;
      least = i < least ? i : least;
    }
  }
  count = found;
  first = least == INT64_MAX ? -1 : least;
}

void bench_output(void) {
  bench_put_i64(count);
  bench_put_i64(first);
}
