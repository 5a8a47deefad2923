// Least-significant-digit radix sort of unsigned numbers by digits of eight bits, in chunks.
#include "../harness/bench.h"

enum { DIGITS = 256, CHUNKS = 64 };

static int64_t n;
static const uint32_t *input;
static uint32_t *sorted;

void bench_setup(void) {
  input = bench_u32s(1, &n);
}

static int64_t first(int64_t chunk) {
  const int64_t size = (n + CHUNKS - 1) / CHUNKS;
  return chunk * size < n ? chunk * size : n;
}

static void by_digit(int shift, const uint32_t *restrict from, uint32_t *restrict to) {
  static int64_t places[CHUNKS][DIGITS];
#pragma omp parallel for schedule(dynamic, 1) if (n > 10000)
  for (int64_t c = 0; c < CHUNKS; c++) {
    memset(places[c], 0, sizeof places[c]);
    for (int64_t i = first(c); i < first(c + 1); i++) {
      places[c][from[i] >> shift & 255]++;
    }
  }
  int64_t sum = 0;
  for (int d = 0; d < DIGITS; d++) {
    for (int c = 0; c < CHUNKS; c++) {
      const int64_t count = places[c][d];
      places[c][d] = sum;
      sum += count;
    }
  }
#pragma omp parallel for schedule(dynamic, 1) if (n > 10000)
  for (int64_t c = 0; c < CHUNKS; c++) {
    for (int64_t i = first(c); i < first(c + 1); i++) {
      to[places[c][from[i] >> shift & 255]++] = from[i];
    }
  }
}

void bench_run(void) {
  bench_free(sorted);
  const size_t bytes = (size_t)n * sizeof *sorted;
  sorted = bench_alloc(bytes);
  uint32_t *other = bench_alloc(bytes);
  by_digit(0, input, other);
  by_digit(8, other, sorted);
  by_digit(16, sorted, other);
  by_digit(24, other, sorted);
  bench_free(other);
}

void bench_output(void) {
  bench_put_u32s(sorted, 1, &n);
}
