// The edges of a grey image: the length of the gradient by Sobel's two masks, zero at the rim.
#include "../harness/bench.h"
#include <math.h>

static int64_t dims[2];
static const float *image;
static float *edges;

void bench_setup(void) {
  image = bench_f32s(2, dims);
}

static void row(int64_t m, const float *restrict a, const float *restrict b,
                const float *restrict c, float *restrict to) {
  to[0] = to[m - 1] = 0;
  for (int64_t j = 1; j < m - 1; j++) {
    const float x = (a[j + 1] + 2 * b[j + 1] + c[j + 1]) - (a[j - 1] + 2 * b[j - 1] + c[j - 1]);
    const float y = (c[j - 1] + 2 * c[j] + c[j + 1]) - (a[j - 1] + 2 * a[j] + a[j + 1]);
    to[j] = sqrtf(x * x + y * y);
  }
}

void bench_run(void) {
  bench_free(edges);
  const int64_t n = dims[0], m = dims[1];
  edges = bench_alloc((size_t)(n * m) * sizeof *edges);
  memset(edges, 0, (size_t)m * sizeof *edges);
#pragma omp parallel for
  for (int64_t i = 1; i < n - 1; i++) {
    const float *above = image + (i - 1) * m;
    row(m, above, above + m, above + 2 * m, edges + i * m);
  }
  memset(edges + (n - 1) * m, 0, (size_t)m * sizeof *edges);
}

void bench_output(void) {
  bench_put_f32s(edges, 2, dims);
}
