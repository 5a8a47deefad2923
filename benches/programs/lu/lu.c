// The LU factors of a square matrix, packed into one, without pivoting, after its diagonal has been
// made dominant. Right-looking: every step updates the block that is left, row by row.
#include "../harness/bench.h"

static int64_t dims[2];
static const double *a;
static double *lu;

void bench_setup(void) {
  a = bench_f64s(2, dims);
}

void bench_run(void) {
  bench_free(lu);
  const int64_t n = dims[0];
  lu = bench_alloc((size_t)(n * n) * sizeof *lu);
  memcpy(lu, a, (size_t)(n * n) * sizeof *lu);
  for (int64_t i = 0; i < n; i++) {
    lu[i * n + i] += (double)n;
  }
  for (int64_t k = 0; k < n; k++) {
    const double *restrict pivot_row = lu + k * n;
    const double pivot = pivot_row[k];
    for (int64_t i = k + 1; i < n; i++) {
      double *restrict row = lu + i * n;
      const double f = row[k] / pivot;
      row[k] = f;
      for (int64_t j = k + 1; j < n; j++) {
        row[j] -= f * pivot_row[j];
      }
    }
  }
}

void bench_output(void) {
  bench_put_f64s(lu, 2, dims);
}
