// The product of a sparse matrix, whose rows have very different lengths, and a dense one. One row of 64 has 2,000
// entries, others have sizes[i] % 16. Places count modulo the number of entries that are given, columns modulo the number
// of rows of the dense matrix.
#include "../harness/bench.h"

static int64_t n, m, dims[2];
static const uint16_t *sizes;
static const uint32_t *columns;
static const float *values, *dense;
static float *result;

void bench_setup(void) {
  sizes = bench_u16s(1, &n);
  columns = bench_u32s(1, &m);
  values = bench_f32s(1, &m);
  dense = bench_f32s(2, dims);
}

static int64_t size_of(int64_t i) {
  return sizes[i] % 64 == 0 ? 2000 : sizes[i] % 16;
}

void bench_run(void) {
  bench_free(result);
  const int64_t w = dims[1];
  result = bench_alloc((size_t)(n * w) * sizeof *result);
  int64_t *starts = bench_alloc((size_t)n * sizeof *starts);
  int64_t start = 0;
  for (int64_t i = 0; i < n; i++) {
    starts[i] = start;
    start += size_of(i);
  }
#pragma omp parallel for schedule(dynamic, 64)
  for (int64_t i = 0; i < n; i++) {
    float *row = result + i * w;
    memset(row, 0, (size_t)w * sizeof *row);
    for (int64_t e = starts[i]; e < starts[i] + size_of(i); e++) {
      const int64_t at = e % m;
      const float *x = dense + columns[at] % (uint32_t)dims[0] * w;
      for (int64_t j = 0; j < w; j++) {
        row[j] += values[at] * x[j];
      }
    }
  }
  bench_free(starts);
}

void bench_output(void) {
  bench_put_f32s(result, 2, (int64_t[]){n, dims[1]});
}
