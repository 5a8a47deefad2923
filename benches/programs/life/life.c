// Conway's game of life on a torus. Sums of three cells down the columns are kept in a line, and
// added three by three along it.
#include "../harness/bench.h"

static int32_t steps;
static int64_t dims[2];
static const uint8_t *initial;
static uint8_t *world;

void bench_setup(void) {
  steps = bench_i32();
  initial = bench_u8s(2, dims);
}

static uint8_t next(uint8_t cell, int sum) {
  return (sum == 3) | ((sum == 4) & cell);
}

static void step(int64_t n, int64_t m, const uint8_t *restrict from, uint8_t *restrict to,
                 uint8_t *restrict column) {
  for (int64_t i = 0; i < n; i++) {
    const uint8_t *above = from + (i == 0 ? n - 1 : i - 1) * m;
    const uint8_t *here = from + i * m;
    const uint8_t *below = from + (i == n - 1 ? 0 : i + 1) * m;
    // One cell more at either end, for the torus.
    for (int64_t j = 0; j < m; j++) {
      column[j + 1] = above[j] + here[j] + below[j];
    }
    column[0] = column[m];
    column[m + 1] = column[1];
    uint8_t *row = to + i * m;
    for (int64_t j = 0; j < m; j++) {
      row[j] = next(here[j], column[j] + column[j + 1] + column[j + 2]);
    }
  }
}

void bench_run(void) {
  bench_free(world);
  const int64_t n = dims[0], m = dims[1];
  uint8_t *other = bench_alloc((size_t)(n * m));
  uint8_t *column = bench_alloc((size_t)(m + 2));
  world = bench_alloc((size_t)(n * m));
  for (int64_t i = 0; i < n * m; i++) {
    world[i] = initial[i] & 1;
  }
  for (int32_t s = 0; s < steps; s++) {
    step(n, m, world, other, column);
    uint8_t *swapped = world;
    world = other;
    other = swapped;
  }
  bench_free(column);
  bench_free(other);
}

void bench_output(void) {
  bench_put_u8s(world, 2, dims);
}
