// The fast Fourier transform (Stockham's, radix two) of a vector whose length is a power of two,
// between two pairs of buffers, with a table of roots.
#include "../harness/bench.h"
#include <math.h>

static int64_t n;
static const double *input_re, *input_im;
static double *re, *im;

void bench_setup(void) {
  input_re = bench_f64s(1, &n);
  input_im = bench_f64s(1, &n);
}

static void butterflies(int64_t half, int64_t stride, const double *restrict root_re,
                        const double *restrict root_im, const double *restrict re0,
                        const double *restrict im0, const double *restrict re1,
                        const double *restrict im1, double *restrict to_re,
                        double *restrict to_im) {
  for (int64_t k = 0; k < half; k++) {
    const double c = root_re[k * stride], s = root_im[k * stride];
    const double x = re1[k] * c - im1[k] * s, y = re1[k] * s + im1[k] * c;
    to_re[k] = re0[k] + x;
    to_im[k] = im0[k] + y;
    to_re[half + k] = re0[k] - x;
    to_im[half + k] = im0[k] - y;
  }
}

static void swap(double **a, double **b) {
  double *swapped = *a;
  *a = *b;
  *b = swapped;
}

void bench_run(void) {
  bench_free(re);
  bench_free(im);
  const size_t bytes = (size_t)n * sizeof *re;
  re = bench_alloc(bytes);
  im = bench_alloc(bytes);
  double *other_re = bench_alloc(bytes), *other_im = bench_alloc(bytes);
  double *root_re = bench_alloc(bytes / 2), *root_im = bench_alloc(bytes / 2);
  memcpy(re, input_re, bytes);
  memcpy(im, input_im, bytes);
  for (int64_t k = 0; k < n / 2; k++) {
    const double angle = -2 * acos(-1) * (double)k / (double)n;
    root_re[k] = cos(angle);
    root_im[k] = sin(angle);
  }
  for (int64_t half = 1; half < n; half *= 2) {
    for (int64_t j = 0; j < n / 2; j += half) {
      butterflies(half, n / 2 / half, root_re, root_im, re + j, im + j, re + n / 2 + j,
                  im + n / 2 + j, other_re + 2 * j, other_im + 2 * j);
    }
    swap(&re, &other_re);
    swap(&im, &other_im);
  }
  bench_free(root_im);
  bench_free(root_re);
  bench_free(other_im);
  bench_free(other_re);
}

void bench_output(void) {
  bench_put_f64s(re, 1, &n);
  bench_put_f64s(im, 1, &n);
}
