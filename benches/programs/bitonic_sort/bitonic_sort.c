// Bitonic sort of a power of two of numbers, in place: the pairs of a stage lie in two runs of equal
// length, so that the comparisons of a run are one loop.
#include "../harness/bench.h"

static int64_t n;
static const float *input;
static float *sorted;

void bench_setup(void) {
  input = bench_f32s(1, &n);
}

static void exchange(int64_t distance, float *restrict low, float *restrict high) {
  for (int64_t j = 0; j < distance; j++) {
    const float a = low[j], b = high[j];
    low[j] = a < b ? a : b;
    high[j] = a < b ? b : a;
  }
}

void bench_run(void) {
  bench_free(sorted);
  const size_t bytes = (size_t)n * sizeof *sorted;
  sorted = bench_alloc(bytes);
  memcpy(sorted, input, bytes);
  for (int64_t block = 2; block <= n; block *= 2) {
    for (int64_t distance = block / 2; distance > 0; distance /= 2) {
      for (int64_t i = 0; i < n; i += 2 * distance) {
        float *here = sorted + i, *there = here + distance;
        if ((i & block) == 0) {
          exchange(distance, here, there);
        } else {
          exchange(distance, there, here);
        }
      }
    }
  }
}

void bench_output(void) {
  bench_put_f32s(sorted, 1, &n);
}
