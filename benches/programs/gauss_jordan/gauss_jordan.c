// The inverse of a square matrix in its own place, by Gauss and Jordan without pivoting, after its diagonal has been made dominant.
#include "../harness/bench.h"

static int64_t dims[2];
static const double *a;
static double *inverse;

void bench_setup(void) {
  a = bench_f64s(2, dims);
}

void bench_run(void) {
  bench_free(inverse);
  const int64_t n = dims[0];
  inverse = bench_alloc((size_t)(n * n) * sizeof *inverse);
  double *restrict m = inverse;
  memcpy(m, a, (size_t)(n * n) * sizeof *m);
  for (int64_t i = 0; i < n; i++) {
    m[i * n + i] += (double)n;
  }
  for (int64_t k = 0; k < n; k++) {
    double *restrict pivot_row = m + k * n;
    const double pivot = pivot_row[k];
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
      if (i == k) {
        continue;
      }
      double *restrict row = m + i * n;
      const double f = row[k] / pivot;
      for (int64_t j = 0; j < n; j++) {
        row[j] -= f * pivot_row[j];
      }
      row[k] = -f;
    }
    for (int64_t j = 0; j < n; j++) {
      pivot_row[j] /= pivot;
    }
    pivot_row[k] = 1 / pivot;
  }
}

void bench_output(void) {
  bench_put_f64s(inverse, 2, dims);
}
