// Least-significant-digit radix sort of unsigned numbers, one bit at a time: each pass counts the
// zeros, then writes to two growing ends.
#include "../harness/bench.h"

static int64_t n;
static const uint32_t *input;
static uint32_t *sorted;

void bench_setup(void) {
  input = bench_u32s(1, &n);
}

static void by_bit(int bit, const uint32_t *restrict from, uint32_t *restrict to) {
  int64_t ones = 0;
  for (int64_t i = 0; i < n; i++) {
    ones += from[i] >> bit & 1;
  }
  int64_t ends[2] = {0, n - ones};
  for (int64_t i = 0; i < n; i++) {
    to[ends[from[i] >> bit & 1]++] = from[i];
  }
}

void bench_run(void) {
  bench_free(sorted);
  const size_t bytes = (size_t)n * sizeof *sorted;
  sorted = bench_alloc(bytes);
  uint32_t *other = bench_alloc(bytes);
  memcpy(sorted, input, bytes);
  for (int bit = 0; bit < 32; bit += 2) {
    by_bit(bit, sorted, other);
    by_bit(bit + 1, other, sorted);
  }
  bench_free(other);
}

void bench_output(void) {
  bench_put_u32s(sorted, 1, &n);
}
