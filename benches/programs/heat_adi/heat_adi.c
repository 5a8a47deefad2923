// Heat in a plate whose conductivity differs from place to place, by implicit finite differences in
// alternating directions. All columns are solved at once, row after row, so that the loops are vectors; the
// lines of the other direction are made columns by transposing.
#include "../harness/bench.h"

static int32_t steps;
static float h;
static int64_t dims[2];
static const float *conductivity, *initial;
static float *result;

void bench_setup(void) {
  steps = bench_i32();
  h = bench_f32();
  conductivity = bench_f32s(2, dims);
  initial = bench_f32s(2, dims);
}

static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static void transpose(int64_t n, int64_t m, const float *restrict from, float *restrict to) {
  enum { BLOCK = 16 };
  for (int64_t i = 0; i < n; i += BLOCK) {
    for (int64_t j = 0; j < m; j += BLOCK) {
      const int64_t ends[2] = {least(n, i + BLOCK), least(m, j + BLOCK)};
      for (int64_t a = i; a < ends[0]; a++) {
        for (int64_t b = j; b < ends[1]; b++) {
          to[b * n + a] = from[a * m + b];
        }
      }
    }
  }
}

static inline float conductance(float before, float here) { return 0.5f * (before + here); }

// The explicit half of a step along columns.
static void explicit_half(int64_t n, int64_t m, const float *restrict k, const float *restrict u,
                          const float *restrict zero, float *restrict to) {
  for (int64_t i = 0; i < n; i++) {
    const float *k1 = k + i * m, *k0 = i > 0 ? k1 - m : k1, *k2 = i < n - 1 ? k1 + m : k1;
    const float *u1 = u + i * m, *u0 = i > 0 ? u1 - m : zero, *u2 = i < n - 1 ? u1 + m : zero;
    for (int64_t j = 0; j < m; j++) {
      const float flow = conductance(k1[j], k2[j]) * (u2[j] - u1[j]) -
                         conductance(k0[j], k1[j]) * (u1[j] - u0[j]);
      to[i * m + j] = u1[j] + h * flow;
    }
  }
}

// The implicit half along columns, in place: Thomas's algorithm.
static void implicit_half(int64_t n, int64_t m, const float *restrict k, float *restrict over,
                          float *restrict u) {
  for (int64_t i = 0; i < n; i++) {
    const float *k1 = k + i * m, *k0 = i > 0 ? k1 - m : k1, *k2 = i < n - 1 ? k1 + m : k1;
    float *c = over + i * m, *y = u + i * m;
    if (i == 0) {
      for (int64_t j = 0; j < m; j++) {
        const float below = h * conductance(k0[j], k1[j]), above = h * conductance(k1[j], k2[j]);
        const float pivot = 1 / (1 + below + above);
        c[j] = -above * pivot;
        y[j] *= pivot;
      }
    } else {
      for (int64_t j = 0; j < m; j++) {
        const float below = h * conductance(k0[j], k1[j]), above = h * conductance(k1[j], k2[j]);
        const float pivot = 1 / (1 + below + above + below * c[j - m]);
        c[j] = -above * pivot;
        y[j] = (y[j] + below * y[j - m]) * pivot;
      }
    }
  }
  for (int64_t i = n - 2; i >= 0; i--) {
    const float *c = over + i * m;
    float *x = u + i * m;
    for (int64_t j = 0; j < m; j++) {
      x[j] -= c[j] * x[j + m];
    }
  }
}

void bench_run(void) {
  bench_free(result);
  const int64_t n = dims[0], m = dims[1];
  const size_t bytes = (size_t)(n * m) * sizeof(float);
  float *u = bench_alloc(bytes), *v = bench_alloc(bytes), *over = bench_alloc(bytes);
  float *turned = bench_alloc(bytes);
  float *zero = bench_alloc((size_t)(n > m ? n : m) * sizeof(float));
  memset(zero, 0, (size_t)(n > m ? n : m) * sizeof(float));
  transpose(n, m, conductivity, turned);
  memcpy(u, initial, bytes);
  for (int32_t s = 0; s < steps; s++) {
    explicit_half(n, m, conductivity, u, zero, v);
    transpose(n, m, v, u);
    implicit_half(m, n, turned, over, u);
    explicit_half(m, n, turned, u, zero, v);
    transpose(m, n, v, u);
    implicit_half(n, m, conductivity, over, u);
  }
  bench_free(v);
  bench_free(over);
  bench_free(turned);
  bench_free(zero);
  result = u;
}

void bench_output(void) {
  bench_put_f32s(result, 2, dims);
}
