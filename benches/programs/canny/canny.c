// Edges of an image by Canny's method.
#include "../harness/bench.h"
#include <math.h>

static float low, high;
static int64_t dims[2];
static const float *image;
static bool *edges;

void bench_setup(void) {
  low = bench_f32();
  high = bench_f32();
  image = bench_f32s(2, dims);
}

static inline int64_t clamp(int64_t n, int64_t i) {
  return i < 0 ? 0 : i > n - 1 ? n - 1 : i;
}

static const float weights[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

static void smooth(int64_t n, int64_t m, const float *restrict from, float *restrict between,
                   float *restrict to) {
  for (int64_t i = 0; i < n; i++) {
    const float *row = from + i * m;
    for (int64_t j = 0; j < m; j++) {
      if (j >= 2 && j < m - 2) continue;
      float sum = 0;
      for (int k = 0; k < 5; k++) {
        sum += weights[k] * row[clamp(m, j + k - 2)];
      }
      between[i * m + j] = sum;
    }
    for (int64_t j = 2; j < m - 2; j++) {
      between[i * m + j] = weights[0] * row[j - 2] + weights[1] * row[j - 1] + weights[2] * row[j] +
                           weights[3] * row[j + 1] + weights[4] * row[j + 2];
    }
  }
  for (int64_t i = 0; i < n; i++) {
    const float *a = between + clamp(n, i - 2) * m, *b = between + clamp(n, i - 1) * m;
    const float *c = between + i * m, *d = between + clamp(n, i + 1) * m;
    const float *e = between + clamp(n, i + 2) * m;
    for (int64_t j = 0; j < m; j++) {
      to[i * m + j] = weights[0] * a[j] + weights[1] * b[j] + weights[2] * c[j] +
                      weights[3] * d[j] + weights[4] * e[j];
    }
  }
}

static inline uint8_t sector(float gx, float gy) {
  float ax = fabsf(gx), ay = fabsf(gy);
  if (ay < 0.41421356f * ax) return 0;
  if (ay > 2.4142135f * ax) return 2;
  return (gx > 0) == (gy > 0) ? 1 : 3;
}

static inline void gradient(const float *above, const float *here, const float *below, int64_t l,
                            int64_t j, int64_t r, float *strength, uint8_t *direction) {
  float gx = above[r] + 2 * here[r] + below[r] - above[l] - 2 * here[l] - below[l];
  float gy = below[l] + 2 * below[j] + below[r] - above[l] - 2 * above[j] - above[r];
  *strength = sqrtf(gx * gx + gy * gy);
  *direction = sector(gx, gy);
}

void bench_run(void) {
  bench_free(edges);
  const int64_t n = dims[0], m = dims[1];
  const size_t size = (size_t)(n * m);
  float *smoothed = bench_alloc(size * sizeof(float));
  float *strength = bench_alloc(size * sizeof(float));
  uint8_t *direction = bench_alloc(size), *marks = bench_alloc(size), *next = bench_alloc(size);
  edges = bench_alloc(size);
  smooth(n, m, image, strength, smoothed);
  for (int64_t i = 0; i < n; i++) {
    const float *above = smoothed + clamp(n, i - 1) * m, *here = smoothed + i * m;
    const float *below = smoothed + clamp(n, i + 1) * m;
    float *s = strength + i * m;
    uint8_t *d = direction + i * m;
    gradient(above, here, below, 0, 0, clamp(m, 1), s, d);
    for (int64_t j = 1; j < m - 1; j++) {
      gradient(above, here, below, j - 1, j, j + 1, s + j, d + j);
    }
    gradient(above, here, below, clamp(m, m - 2), m - 1, m - 1, s + m - 1, d + m - 1);
  }
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = 0; j < m; j++) {
      float here = strength[i * m + j], a, b;
      int64_t u = clamp(n, i - 1) * m, v = clamp(n, i + 1) * m;
      int64_t l = clamp(m, j - 1), r = clamp(m, j + 1);
      switch (direction[i * m + j]) {
      case 0: a = strength[i * m + l], b = strength[i * m + r]; break;
      case 1: a = strength[u + l], b = strength[v + r]; break;
      case 2: a = strength[u + j], b = strength[v + j]; break;
      default: a = strength[u + r], b = strength[v + l]; break;
      }
      float s = here >= a && here >= b ? here : 0;
      marks[i * m + j] = s >= high ? 2 : s >= low ? 1 : 0;
    }
  }
  bool more = true;
  while (more) {
    more = false;
    memcpy(next, marks, size);
    for (int64_t i = 1; i < n - 1; i++) {
      const uint8_t *a = marks + (i - 1) * m, *b = a + m, *c = b + m;
      for (int64_t j = 1; j < m - 1; j++) {
        uint8_t strong = (a[j - 1] == 2) | (a[j] == 2) | (a[j + 1] == 2) | (b[j - 1] == 2) |
                         (b[j + 1] == 2) | (c[j - 1] == 2) | (c[j] == 2) | (c[j + 1] == 2);
        uint8_t value = (uint8_t)(b[j] + (strong & (b[j] == 1)));
        more |= value != b[j];
        next[i * m + j] = value;
      }
    }
    uint8_t *swapped = marks;
    marks = next;
    next = swapped;
  }
  for (size_t k = 0; k < size; k++) {
    edges[k] = marks[k] == 2;
  }
  bench_free(smoothed);
  bench_free(strength);
  bench_free(direction);
  bench_free(marks);
  bench_free(next);
}

void bench_output(void) {
  bench_put_bools(edges, 2, dims);
}
