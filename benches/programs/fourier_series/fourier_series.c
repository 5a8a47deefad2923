// The first Fourier coefficients of (x + 1)^x on the interval from 0 to 2, by the trapezium rule. Four
// partial sums let the additions overlap.
#include "../harness/bench.h"
#include <math.h>

static int64_t coefficients, points;
static double *as, *bs;

void bench_setup(void) {
  coefficients = bench_i64();
  points = bench_i64();
}

static inline double f(double x) { return pow(x + 1, x); }

static inline double even(double x, double omega) { return f(x) * cos(omega * x); }
static inline double odd(double x, double omega) { return f(x) * sin(omega * x); }

static inline double integrate(double a, double b, double (*g)(double, double), double omega) {
  enum { SUMS = 4 };
  const double h = (b - a) / (double)points;
  double sums[SUMS] = {0};
  int64_t i = 1;
  for (; i + SUMS <= points; i += SUMS) {
    for (int k = 0; k < SUMS; k++) {
      sums[k] += g(a + h * (double)(i + k), omega);
    }
  }
  for (; i < points; i++) {
    sums[0] += g(a + h * (double)i, omega);
  }
  const double inner = sums[0] + sums[1] + sums[2] + sums[3];
  return h * (0.5 * (g(a, omega) + g(b, omega)) + inner);
}

void bench_run(void) {
  bench_free(as);
  bench_free(bs);
  as = bench_alloc((size_t)coefficients * sizeof *as);
  bs = bench_alloc((size_t)coefficients * sizeof *bs);
  const double period = 2;
  for (int64_t k = 0; k < coefficients; k++) {
    const double omega = 2 * M_PI / period * (double)k;
    as[k] = 2 / period * integrate(0, period, even, omega);
    bs[k] = 2 / period * integrate(0, period, odd, omega);
  }
}

void bench_output(void) {
  bench_put_f64s(as, 1, &coefficients);
  bench_put_f64s(bs, 1, &coefficients);
}
