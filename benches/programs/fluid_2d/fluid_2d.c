// A fluid in a box after Jos Stam's "Stable fluids". Fields have a rim of zeros, so that no loop asks
// whether a cell has neighbours.
#include "../harness/bench.h"
#include <math.h>

static int32_t steps, sweeps;
static float viscosity;
static int64_t dims[2], n, m, stride;
static const float *us, *vs, *initial;
static float *speeds, *dyes;

void bench_setup(void) {
  steps = bench_i32();
  sweeps = bench_i32();
  viscosity = bench_f32();
  us = bench_f32s(2, dims);
  vs = bench_f32s(2, dims);
  initial = bench_f32s(2, dims);
  n = dims[0];
  m = dims[1];
  stride = m + 2;
}

static size_t cells(void) { return (size_t)((n + 2) * stride); }

static float *field(void) {
  float *f = bench_alloc(cells() * sizeof *f);
  memset(f, 0, cells() * sizeof *f);
  return f;
}

// Sweeps of Jacobi's method; what is known comes as *x too, and the result is in *x.
static void relax(float a, float c, const float *restrict b, float **x, float **y) {
  const float over = 1 / c;
  memcpy(*x, b, cells() * sizeof(float));
  for (int32_t s = 0; s < sweeps; s++) {
    const float *restrict from = *x;
    float *restrict to = *y;
    for (int64_t i = 1; i <= n; i++) {
      for (int64_t k = i * stride + 1; k <= i * stride + m; k++) {
        to[k] = over * (b[k] + a * ((from[k - stride] + from[k + stride]) + (from[k - 1] + from[k + 1])));
      }
    }
    float *swapped = *x;
    *x = *y;
    *y = swapped;
  }
}

static void project(float *restrict u, float *restrict v, float *restrict divergence, float **p,
                    float **q) {
  for (int64_t i = 1; i <= n; i++) {
    for (int64_t k = i * stride + 1; k <= i * stride + m; k++) {
      divergence[k] = -0.5f * (u[k + 1] - u[k - 1] + v[k + stride] - v[k - stride]);
    }
  }
  relax(1, 4, divergence, p, q);
  const float *restrict pressure = *p;
  for (int64_t i = 1; i <= n; i++) {
    for (int64_t k = i * stride + 1; k <= i * stride + m; k++) {
      u[k] -= 0.5f * (pressure[k + 1] - pressure[k - 1]);
      v[k] -= 0.5f * (pressure[k + stride] - pressure[k - stride]);
    }
  }
}

static inline float limit(float x, float most) {
  x = x < most ? x : most;
  return x > 0 ? x : 0;
}

static inline float between(const float *restrict f, int64_t k, float t, float s) {
  const float above = (1 - s) * f[k] + s * f[k + 1];
  const float below = (1 - s) * f[k + stride] + s * f[k + stride + 1];
  return (1 - t) * above + t * below;
}

// Moves one field, or two at once.
static inline void advect(float dt, const float *restrict u, const float *restrict v,
                          const float *restrict f, const float *restrict g, float *restrict to,
                          float *restrict also) {
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = 0; j < m; j++) {
      const int64_t here = (i + 1) * stride + j + 1;
      const float y = limit((float)i - dt * v[here], (float)n - 1);
      const float x = limit((float)j - dt * u[here], (float)m - 1);
      const int32_t a = (int32_t)y, b = (int32_t)x;
      const float t = y - (float)a, s = x - (float)b;
      const int64_t k = (a + 1) * stride + b + 1;
      to[here] = between(f, k, t, s);
      if (g != NULL) {
        also[here] = between(g, k, t, s);
      }
    }
  }
}

void bench_run(void) {
  bench_free(speeds);
  bench_free(dyes);
  float *u = field(), *v = field(), *a = field(), *b = field(), *c = field(), *d = field();
  float *dye = field(), *moved = field();
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = 0; j < m; j++) {
      u[(i + 1) * stride + j + 1] = us[i * m + j] - 0.5f;
      v[(i + 1) * stride + j + 1] = vs[i * m + j] - 0.5f;
      dye[(i + 1) * stride + j + 1] = initial[i * m + j];
    }
  }
  const float dt = 4;
  for (int32_t s = 0; s < steps; s++) {
    relax(viscosity, 1 + 4 * viscosity, u, &a, &c);
    relax(viscosity, 1 + 4 * viscosity, v, &b, &c);
    project(a, b, d, &u, &v);
    advect(dt, a, b, a, b, u, v);
    project(u, v, d, &a, &b);
    advect(dt, u, v, dye, NULL, moved, NULL);
    float *swapped = dye;
    dye = moved;
    moved = swapped;
  }
  speeds = bench_alloc((size_t)(n * m) * sizeof *speeds);
  dyes = bench_alloc((size_t)(n * m) * sizeof *dyes);
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = 0; j < m; j++) {
      const int64_t k = (i + 1) * stride + j + 1;
      speeds[i * m + j] = sqrtf(u[k] * u[k] + v[k] * v[k]);
      dyes[i * m + j] = dye[k];
    }
  }
  float *all[] = {u, v, a, b, c, d, dye, moved};
  for (int k = 0; k < 8; k++) {
    bench_free(all[k]);
  }
}

void bench_output(void) {
  bench_put_f32s(speeds, 2, dims);
  bench_put_f32s(dyes, 2, dims);
}
