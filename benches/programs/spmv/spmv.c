// The product of a sparse matrix and a vector. The matrix is in compressed sparse rows: row i has
// sizes[i] % 32 entries, which come after those of the rows before it, and whose columns count
// modulo the length of the vector.
#include "../harness/bench.h"

static int64_t n, m, k;
static const uint8_t *sizes;
static const uint32_t *columns;
static const float *values, *x;
static float *y;

void bench_setup(void) {
  sizes = bench_u8s(1, &n);
  columns = bench_u32s(1, &m);
  values = bench_f32s(1, &m);
  x = bench_f32s(1, &k);
}

void bench_run(void) {
  bench_free(y);
  y = bench_alloc((size_t)n * sizeof *y);
  int64_t e = 0;
  for (int64_t i = 0; i < n; i++) {
    const int64_t end = e + sizes[i] % 32;
    float sum = 0;
    for (; e < end; e++) {
      sum += values[e] * x[columns[e] % (uint32_t)k];
    }
    y[i] = sum;
  }
}

void bench_output(void) {
  bench_put_f32s(y, 1, &n);
}
