// Heat flow on a square plate whose rim keeps its temperature: Jacobi steps of a five-point stencil,
// between two buffers.
#include "../harness/bench.h"

static int32_t steps;
static int64_t dims[2];
static const float *initial;
static float *plate;

void bench_setup(void) {
  steps = bench_i32();
  initial = bench_f32s(2, dims);
}

static void step(int64_t n, int64_t m, const float *restrict from, float *restrict to) {
  memcpy(to, from, (size_t)m * sizeof *to);
  for (int64_t i = 1; i < n - 1; i++) {
    const float *above = from + (i - 1) * m, *here = above + m, *below = here + m;
    float *row = to + i * m;
    row[0] = here[0];
    for (int64_t j = 1; j < m - 1; j++) {
      row[j] = 0.25f * (above[j] + below[j] + here[j - 1] + here[j + 1]);
    }
    row[m - 1] = here[m - 1];
  }
  memcpy(to + (n - 1) * m, from + (n - 1) * m, (size_t)m * sizeof *to);
}

void bench_run(void) {
  bench_free(plate);
  const int64_t n = dims[0], m = dims[1];
  const size_t bytes = (size_t)(n * m) * sizeof *plate;
  float *other = bench_alloc(bytes);
  plate = bench_alloc(bytes);
  memcpy(plate, initial, bytes);
  for (int32_t s = 0; s < steps; s++) {
    step(n, m, plate, other);
    float *swapped = plate;
    plate = other;
    other = swapped;
  }
  bench_free(other);
}

void bench_output(void) {
  bench_put_f32s(plate, 2, dims);
}
