// Poisson's equation on a square by V-cycles of a multigrid method. Grids have a rim of zeros, so that no loop asks
// whether a point has neighbours.
#include "../harness/bench.h"

enum { MOST_LEVELS = 30 };

static int32_t cycles;
static int64_t n, dims[2];
static const float *given;
static float *result;

void bench_setup(void) {
  cycles = bench_i32();
  given = bench_f32s(2, dims);
  n = dims[0];
}

static inline float around(const float *restrict u, int64_t k, int64_t stride) {
  return (u[k - stride] + u[k + stride]) + (u[k - 1] + u[k + 1]);
}

// Sweeps of damped relaxation; the result is in *u.
static void relax(int sweeps, int64_t s, const float *restrict f, float **u, float **other) {
  const int64_t stride = s + 2;
  for (int sweep = 0; sweep < sweeps; sweep++) {
    const float *restrict from = *u;
    float *restrict to = *other;
#pragma omp parallel for if (s > 100)
    for (int64_t i = 1; i <= s; i++) {
      for (int64_t k = i * stride + 1; k <= i * stride + s; k++) {
        to[k] = 0.2f * from[k] + 0.2f * (f[k] + around(from, k, stride));
      }
    }
    float *swapped = *u;
    *u = *other;
    *other = swapped;
  }
}

static void residual(int64_t s, const float *restrict f, const float *restrict u, float *restrict r) {
  const int64_t stride = s + 2;
#pragma omp parallel for if (s > 100)
  for (int64_t i = 1; i <= s; i++) {
    for (int64_t k = i * stride + 1; k <= i * stride + s; k++) {
      r[k] = f[k] - (4 * u[k] - around(u, k, stride));
    }
  }
}

static void restrict_to(int64_t half, const float *restrict r, int64_t stride, float *restrict f) {
#pragma omp parallel for if (half > 100)
  for (int64_t i = 1; i <= half; i++) {
    for (int64_t j = 1; j <= half; j++) {
      const int64_t k = 2 * i * stride + 2 * j;
      const float corners = (r[k - stride - 1] + r[k - stride + 1]) + (r[k + stride - 1] + r[k + stride + 1]);
      const float sides = (r[k - stride] + r[k + stride]) + (r[k - 1] + r[k + 1]);
      f[i * (half + 2) + j] = r[k] + 0.5f * sides + 0.25f * corners;
    }
  }
}

// Adds what lies between the points of a coarser grid. Points go in pairs, of which one has a coarse point's column, so that coarse points
// that are neighbours are read as neighbours. The side is odd: it is twice the coarse one and one more.
static void correct(int64_t s, const float *restrict coarse, int64_t half, float *restrict u) {
#pragma omp parallel for if (s > 100)
  for (int64_t i = 1; i <= s; i++) {
    const float *restrict a = coarse + (i / 2) * (half + 2), *restrict b = coarse + ((i + 1) / 2) * (half + 2);
    float *restrict row = u + i * (s + 2) + 1;
    for (int64_t k = 0; k < s / 2; k++) {
      row[2 * k] += 0.25f * ((a[k] + a[k + 1]) + (b[k] + b[k + 1]));
      row[2 * k + 1] += 0.25f * ((a[k + 1] + a[k + 1]) + (b[k + 1] + b[k + 1]));
    }
    const int64_t last = s / 2;
    row[2 * last] += 0.25f * ((a[last] + a[last + 1]) + (b[last] + b[last + 1]));
  }
}

static size_t bytes(int64_t s) { return (size_t)((s + 2) * (s + 2)) * sizeof(float); }

static float *grid(int64_t s) {
  float *g = bench_alloc(bytes(s));
  memset(g, 0, bytes(s));
  return g;
}

void bench_run(void) {
  bench_free(result);
  float *f[MOST_LEVELS], *u[MOST_LEVELS], *other[MOST_LEVELS];
  int64_t side[MOST_LEVELS];
  int levels = 0;
  for (int64_t s = n; levels == 0 || side[levels - 1] > 3; s = (s - 1) / 2) {
    side[levels] = s;
    f[levels] = grid(s);
    u[levels] = grid(s);
    other[levels] = grid(s);
    levels++;
  }
  const float distance = 1 / (float)(n + 1), area = distance * distance;
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = 0; j < n; j++) {
      f[0][(i + 1) * (n + 2) + j + 1] = given[i * n + j] * area;
    }
  }
  for (int32_t c = 0; c < cycles; c++) {
    for (int l = 0; l < levels - 1; l++) {
      if (l > 0) {
        memset(u[l], 0, bytes(side[l]));
      }
      relax(2, side[l], f[l], &u[l], &other[l]);
      residual(side[l], f[l], u[l], other[l]);
      restrict_to(side[l + 1], other[l], side[l] + 2, f[l + 1]);
    }
    const int last = levels - 1;
    if (last > 0) {
      memset(u[last], 0, bytes(side[last]));
    }
    relax(8, side[last], f[last], &u[last], &other[last]);
    for (int l = last - 1; l >= 0; l--) {
      correct(side[l], u[l + 1], side[l + 1], u[l]);
      relax(2, side[l], f[l], &u[l], &other[l]);
    }
  }
  result = bench_alloc((size_t)(n * n) * sizeof *result);
  for (int64_t i = 0; i < n; i++) {
    memcpy(result + i * n, u[0] + (i + 1) * (n + 2) + 1, (size_t)n * sizeof *result);
  }
  for (int l = 0; l < levels; l++) {
    bench_free(f[l]);
    bench_free(u[l]);
    bench_free(other[l]);
  }
}

void bench_output(void) { bench_put_f32s(result, 2, dims); }
