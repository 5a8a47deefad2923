// Lenia, a continuous cellular automaton (Bert Chan, 2019). Stockham's transform with the parts of complex
// numbers apart, all lines at once: the innermost loop goes over columns, so that it is vectors.
#include "../harness/bench.h"
#include <math.h>

typedef struct {
  float *re, *im;
} plane;

static int32_t steps;
static float dt;
static int64_t dims[2];
static const float *initial;
static float *world;

void bench_setup(void) {
  steps = bench_i32();
  dt = bench_f32();
  initial = bench_f32s(2, dims);
}

static plane new_plane(size_t size) {
  return (plane){bench_alloc(size * sizeof(float)), bench_alloc(size * sizeof(float))};
}

static void free_plane(plane p) {
  bench_free(p.re);
  bench_free(p.im);
}

static inline void swap(plane *a, plane *b) {
  const plane swapped = *a;
  *a = *b;
  *b = swapped;
}

// One pass over all pairs of rows.
static inline void butterflies(int64_t n, int64_t m, int64_t size, plane roots, plane from, plane to) {
  const int64_t half = n / 2;
  for (int64_t block = 0; block < half / size; block++) {
    for (int64_t k = 0; k < size; k++) {
      const float wr = roots.re[k * (half / size)], wi = roots.im[k * (half / size)];
      const int64_t a = (block * size + k) * m, b = a + half * m;
      const int64_t c = (block * 2 * size + k) * m, d = c + size * m;
      const float *restrict ar = from.re + a, *restrict ai = from.im + a;
      const float *restrict br = from.re + b, *restrict bi = from.im + b;
      float *restrict cr = to.re + c, *restrict ci = to.im + c;
      float *restrict dr = to.re + d, *restrict di = to.im + d;
      for (int64_t j = 0; j < m; j++) {
        const float tr = wr * br[j] - wi * bi[j], ti = wr * bi[j] + wi * br[j];
        cr[j] = ar[j] + tr;
        ci[j] = ai[j] + ti;
        dr[j] = ar[j] - tr;
        di[j] = ai[j] - ti;
      }
    }
  }
}

// Transforms the columns of *x.
static void columns(int64_t n, int64_t m, plane roots, plane *x, plane *y) {
  for (int64_t size = 1; size < n; size *= 2) {
    butterflies(n, m, size, roots, *x, *y);
    swap(x, y);
  }
}

static void transpose(int64_t n, int64_t m, const float *restrict from, float *restrict to) {
  enum { BLOCK = 16 };
  for (int64_t i = 0; i < n; i += BLOCK) {
    for (int64_t j = 0; j < m; j += BLOCK) {
      for (int64_t a = i; a < n && a < i + BLOCK; a++) {
        for (int64_t b = j; b < m && b < j + BLOCK; b++) {
          to[b * n + a] = from[a * m + b];
        }
      }
    }
  }
}

static void transpose_plane(int64_t n, int64_t m, plane *x, plane *y) {
  transpose(n, m, x->re, y->re);
  transpose(n, m, x->im, y->im);
  swap(x, y);
}

// Transforms *x both ways.
static void forward(int64_t n, int64_t m, plane row_roots, plane column_roots, plane *x, plane *y) {
  columns(n, m, column_roots, x, y);
  transpose_plane(n, m, x, y);
  columns(m, n, row_roots, x, y);
  transpose_plane(m, n, x, y);
}

static plane make_roots(int64_t n) {
  plane roots = new_plane((size_t)n);
  for (int64_t k = 0; k < n; k++) {
    const float phi = -2 * (float)M_PI * (float)k / (float)n;
    roots.re[k] = cosf(phi);
    roots.im[k] = sinf(phi);
  }
  return roots;
}

static inline float bell(float mean, float width, float x) {
  const float d = (x - mean) / width;
  return expf(-0.5f * d * d);
}

static inline float fold(int64_t size, int64_t i) { return (float)(i < size - i ? i : size - i); }

static void ring(int64_t n, int64_t m, float radius, float *weights) {
  float total = 0;
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = 0; j < m; j++) {
      const float y = fold(n, i), x = fold(m, j), r = sqrtf(x * x + y * y) / radius;
      weights[i * m + j] = r < 1 ? bell(0.5f, 0.15f, r) : 0;
      total += weights[i * m + j];
    }
  }
  for (int64_t k = 0; k < n * m; k++) {
    weights[k] /= total;
  }
}

static inline float grow(float cell, float seen) {
  const float grown = cell + dt * (2 * bell(0.15f, 0.05f, seen) - 1);
  return grown < 0 ? 0 : grown > 1 ? 1 : grown;
}

void bench_run(void) {
  bench_free(world);
  const int64_t n = dims[0], m = dims[1], size = n * m;
  world = bench_alloc((size_t)size * sizeof *world);
  plane row_roots = make_roots(m), column_roots = make_roots(n);
  plane kernel = new_plane((size_t)size), x = new_plane((size_t)size), y = new_plane((size_t)size);
  ring(n, m, 9, kernel.re);
  memset(kernel.im, 0, (size_t)size * sizeof(float));
  forward(n, m, row_roots, column_roots, &kernel, &y);
  for (int64_t k = 0; k < size; k++) {
    world[k] = 0.4f * initial[k];
  }
  for (int32_t s = 0; s < steps; s++) {
    memcpy(x.re, world, (size_t)size * sizeof(float));
    memset(x.im, 0, (size_t)size * sizeof(float));
    forward(n, m, row_roots, column_roots, &x, &y);
    for (int64_t k = 0; k < size; k++) {
      const float re = x.re[k] * kernel.re[k] - x.im[k] * kernel.im[k];
      const float im = x.re[k] * kernel.im[k] + x.im[k] * kernel.re[k];
      x.re[k] = re;
      x.im[k] = -im;
    }
    forward(n, m, row_roots, column_roots, &x, &y);
    const float over = 1 / (float)size;
    for (int64_t k = 0; k < size; k++) {
      world[k] = grow(world[k], over * x.re[k]);
    }
  }
  free_plane(row_roots);
  free_plane(column_roots);
  free_plane(kernel);
  free_plane(x);
  free_plane(y);
}

void bench_output(void) {
  bench_put_f32s(world, 2, dims);
}
