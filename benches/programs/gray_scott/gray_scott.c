// The reaction and diffusion of two substances after Gray and Scott, on a torus. The columns at the seams
// stand apart, so that the loop along a row is vectors.
#include "../harness/bench.h"

static int32_t steps;
static int64_t dims[2];
static const float *initial[2];
static float *us, *vs;

static const float du = 0.16f, dv = 0.08f, feed = 0.06f, kill = 0.062f;

void bench_setup(void) {
  steps = bench_i32();
  initial[0] = bench_f32s(2, dims);
  initial[1] = bench_f32s(2, dims);
}

static inline float laplacian(const float *restrict a, const float *restrict b,
                              const float *restrict c, int64_t l, int64_t j, int64_t r) {
  return 0.2f * (a[j] + c[j] + b[l] + b[r]) + 0.05f * (a[l] + a[r] + c[l] + c[r]) - b[j];
}

// One row; the rows above and below are at the distances `above` and `below`.
static inline void row(int64_t above, int64_t below, const float *restrict u,
                       const float *restrict v, float *restrict next_u, float *restrict next_v,
                       int64_t l, int64_t from, int64_t to, int64_t r) {
  for (int64_t j = from; j < to; j++) {
    const float spread_u = laplacian(u + above, u, u + below, j + l, j, j + r);
    const float spread_v = laplacian(v + above, v, v + below, j + l, j, j + r);
    const float uvv = u[j] * v[j] * v[j];
    next_u[j] = u[j] + du * spread_u + feed * (1 - u[j]) - uvv;
    next_v[j] = v[j] + dv * spread_v + uvv - (feed + kill) * v[j];
  }
}

static void step(int64_t n, int64_t m, const float *restrict u, const float *restrict v,
                 float *restrict next_u, float *restrict next_v) {
  for (int64_t i = 0; i < n; i++) {
    const int64_t above = i == 0 ? (n - 1) * m : -m, below = i == n - 1 ? -(n - 1) * m : m;
    const float *ru = u + i * m, *rv = v + i * m;
    float *to_u = next_u + i * m, *to_v = next_v + i * m;
    row(above, below, ru, rv, to_u, to_v, m - 1, 0, 1, m > 1 ? 1 : 0);
    row(above, below, ru, rv, to_u, to_v, -1, 1, m - 1, 1);
    if (m > 1) {
      row(above, below, ru, rv, to_u, to_v, -1, m - 1, m, 1 - m);
    }
  }
}

void bench_run(void) {
  bench_free(us);
  bench_free(vs);
  const int64_t size = dims[0] * dims[1];
  const size_t bytes = (size_t)size * sizeof(float);
  us = bench_alloc(bytes);
  vs = bench_alloc(bytes);
  float *next_u = bench_alloc(bytes), *next_v = bench_alloc(bytes);
  for (int64_t k = 0; k < size; k++) {
    us[k] = 1 - 0.5f * initial[0][k];
    vs[k] = 0.5f * initial[1][k];
  }
  for (int32_t s = 0; s < steps; s++) {
    step(dims[0], dims[1], us, vs, next_u, next_v);
    float *swapped = us;
    us = next_u;
    next_u = swapped;
    swapped = vs;
    vs = next_v;
    next_v = swapped;
  }
  bench_free(next_u);
  bench_free(next_v);
}

void bench_output(void) {
  bench_put_f32s(us, 2, dims);
  bench_put_f32s(vs, 2, dims);
}
