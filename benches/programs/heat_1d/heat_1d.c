// Heat flow in a ring of cells: explicit Euler steps of a three-point stencil that wraps around,
// between two buffers.
#include "../harness/bench.h"

static int32_t steps;
static int64_t n;
static const double *initial;
static double *ring;

void bench_setup(void) {
  steps = bench_i32();
  initial = bench_f64s(1, &n);
}

static double flow(double left, double here, double right) {
  return here + 0.25 * (left - 2 * here + right);
}

static void step(const double *restrict from, double *restrict to) {
  to[0] = flow(from[n - 1], from[0], from[1 % n]);
  for (int64_t i = 1; i < n - 1; i++) {
    to[i] = flow(from[i - 1], from[i], from[i + 1]);
  }
  if (n > 1) {
    to[n - 1] = flow(from[n - 2], from[n - 1], from[0]);
  }
}

void bench_run(void) {
  bench_free(ring);
  const size_t bytes = (size_t)n * sizeof *ring;
  double *other = bench_alloc(bytes);
  ring = bench_alloc(bytes);
  memcpy(ring, initial, bytes);
  for (int32_t s = 0; s < steps && n > 0; s++) {
    step(ring, other);
    double *swapped = ring;
    ring = other;
    other = swapped;
  }
  bench_free(other);
}

void bench_output(void) {
  bench_put_f64s(ring, 1, &n);
}
