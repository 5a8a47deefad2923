// The product of a dense matrix and a vector. Sixteen partial sums a row let the additions overlap.
#include "../harness/bench.h"

static int64_t dims[2];
static const float *a, *x;
static float *y;

void bench_setup(void) {
  a = bench_f32s(2, dims);
  int64_t m;
  x = bench_f32s(1, &m);
}

void bench_run(void) {
  bench_free(y);
  const int64_t n = dims[0], m = dims[1];
  y = bench_alloc((size_t)n * sizeof *y);
#pragma omp parallel for
  for (int64_t i = 0; i < n; i++) {
    const float *row = a + i * m;
    float sums[16] = {0};
    int64_t j = 0;
    for (; j + 16 <= m; j += 16) {
      for (int k = 0; k < 16; k++) {
        sums[k] += row[j + k] * x[j + k];
      }
    }
    float sum = 0;
    for (int k = 0; k < 16; k++) {
      sum += sums[k];
    }
    for (; j < m; j++) {
      sum += row[j] * x[j];
    }
    y[i] = sum;
  }
}

void bench_output(void) {
  bench_put_f32s(y, 1, dims);
}
