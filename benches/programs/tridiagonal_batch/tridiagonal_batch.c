// Many tridiagonal systems of equations, each by Thomas's algorithm. The diagonals are made dominant first.
#include "../harness/bench.h"

static int64_t dims[2];
static const double *below, *diagonal, *above, *right;
static double *xs;

void bench_setup(void) {
  below = bench_f64s(2, dims);
  diagonal = bench_f64s(2, dims);
  above = bench_f64s(2, dims);
  right = bench_f64s(2, dims);
}

void bench_run(void) {
  bench_free(xs);
  const int64_t m = dims[0], n = dims[1];
  xs = bench_alloc((size_t)(m * n) * sizeof *xs);
#pragma omp parallel
  {
    double *factors = malloc((size_t)(n + 1) * sizeof *factors);
#pragma omp for
    for (int64_t s = 0; s < m; s++) {
      const double *a = below + s * n, *b = diagonal + s * n, *c = above + s * n, *d = right + s * n;
      double *x = xs + s * n;
      double factor = 0, value = 0;
      for (int64_t i = 0; i < n; i++) {
        const double pivot = 3 + b[i] - (i == 0 ? 0 : a[i] * factor);
        factor = c[i] / pivot;
        value = (d[i] - (i == 0 ? 0 : a[i] * value)) / pivot;
        factors[i] = factor;
        x[i] = value;
      }
      for (int64_t i = n - 2; i >= 0; i--) {
        x[i] -= factors[i] * x[i + 1];
      }
    }
    free(factors);
  }
}

void bench_output(void) {
  bench_put_f64s(xs, 2, dims);
}
