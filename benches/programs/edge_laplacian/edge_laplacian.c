// Edges of a coloured image after Marr and Hildreth. Images have a rim that repeats their own, so that the
// loops over pixels need not ask where they are.
#include "../harness/bench.h"
#include <math.h>

enum { SIZE = 5, RIM = SIZE / 2 };

static const float kernel[SIZE][SIZE] = {
    {0, 0, 1, 0, 0}, {0, 1, 2, 1, 0}, {1, 2, -16, 2, 1}, {0, 1, 2, 1, 0}, {0, 0, 1, 0, 0}};

static int64_t dims[3];
static const uint8_t *picture;
static float *edges;

void bench_setup(void) {
  picture = bench_u8s(3, dims);
}

static inline float brightness(const uint8_t *pixel) {
  return 54 * (float)pixel[0] + 183 * (float)pixel[1] + 19 * (float)pixel[2];
}

// Fills the rim of an image of n times m pixels.
static void extend(int64_t n, int64_t m, float *im) {
  const int64_t stride = m + 2 * RIM;
  for (int64_t i = RIM; i < n + RIM; i++) {
    float *row = im + i * stride;
    for (int k = 0; k < RIM; k++) {
      row[k] = row[RIM];
      row[RIM + m + k] = row[RIM + m - 1];
    }
  }
  for (int k = 0; k < RIM; k++) {
    memcpy(im + k * stride, im + RIM * stride, (size_t)stride * sizeof *im);
    memcpy(im + (RIM + n + k) * stride, im + (RIM + n - 1) * stride, (size_t)stride * sizeof *im);
  }
}

static inline float steep(float here, float there) {
  return here * there < 0 ? fabsf(here - there) : 0;
}

static inline float most(float a, float b) { return a > b ? a : b; }

void bench_run(void) {
  bench_free(edges);
  const int64_t n = dims[0], m = dims[1], stride = m + 2 * RIM;
  const size_t bytes = (size_t)((n + 2 * RIM) * stride) * sizeof(float);
  float *restrict bright = bench_alloc(bytes), *restrict filtered = bench_alloc(bytes);
  edges = bench_alloc((size_t)(n * m) * sizeof *edges);
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = 0; j < m; j++) {
      bright[(i + RIM) * stride + j + RIM] = brightness(picture + 3 * (i * m + j));
    }
  }
  extend(n, m, bright);
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = 0; j < m; j++) {
      float sum = 0;
      for (int a = 0; a < SIZE; a++) {
        for (int b = 0; b < SIZE; b++) {
          sum += kernel[a][b] * bright[(i + a) * stride + j + b];
        }
      }
      filtered[(i + RIM) * stride + j + RIM] = sum;
    }
  }
  extend(n, m, filtered);
  for (int64_t i = 0; i < n; i++) {
    const float *row = filtered + (i + RIM) * stride + RIM, *below = row + stride;
    float *restrict to = edges + i * m;
    for (int64_t j = 0; j < m; j++) {
      to[j] = most(most(steep(row[j], row[j + 1]), steep(row[j], below[j])),
                   most(steep(row[j], below[j + 1]), steep(row[j], below[j - 1])));
    }
  }
  bench_free(bright);
  bench_free(filtered);
}

void bench_output(void) {
  bench_put_f32s(edges, 2, dims);
}
