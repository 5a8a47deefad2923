// A picture of the Mandelbrot set: points outside are coloured after how quickly they escape, smoothly,
// and every pixel is the mean of four points.
#include "../harness/bench.h"
#include <math.h>

typedef struct {
  double re, im;
} complex64;

typedef struct {
  float r, g, b;
} colour;

static int64_t width, height;
static int32_t limit;
static float *picture;

void bench_setup(void) {
  width = bench_i64();
  height = bench_i64();
  limit = bench_i32();
}

static inline complex64 add(complex64 a, complex64 b) {
  return (complex64){a.re + b.re, a.im + b.im};
}

static inline complex64 mul(complex64 a, complex64 b) {
  return (complex64){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline double norm2(complex64 a) { return a.re * a.re + a.im * a.im; }

static inline int32_t escape(complex64 c, double *far) {
  complex64 z = {0, 0};
  int32_t steps = 0;
  while (steps < limit && norm2(z) <= 64) {
    z = add(mul(z, z), c);
    steps++;
  }
  *far = norm2(z);
  return steps;
}

static inline float wave(float x, float shift) {
  return 0.5f + 0.5f * cosf(6.2831853f * (x + shift));
}

static inline colour shade(complex64 c) {
  double far;
  const int32_t steps = escape(c, &far);
  if (far <= 64) {
    return (colour){0, 0, 0};
  }
  const float smooth = (float)steps + 1 - log2f(0.5f * log2f((float)far));
  const float x = 0.05f * smooth;
  return (colour){wave(x, 0), wave(x, 0.33f), wave(x, 0.67f)};
}

static inline complex64 point(double y, double x) {
  return (complex64){-2.25 + 3 * x / (double)width, -1.25 + 2.5 * y / (double)height};
}

void bench_run(void) {
  bench_free(picture);
  picture = bench_alloc((size_t)(width * height * 3) * sizeof *picture);
#pragma omp parallel for schedule(dynamic, 4)
  for (int64_t i = 0; i < height; i++) {
    for (int64_t j = 0; j < width; j++) {
      colour sum = {0, 0, 0};
      for (int k = 0; k < 4; k++) {
        const colour c =
            shade(point((double)i + 0.25 + 0.5 * (k / 2), (double)j + 0.25 + 0.5 * (k % 2)));
        sum.r += c.r;
        sum.g += c.g;
        sum.b += c.b;
      }
      float *pixel = picture + 3 * (i * width + j);
      pixel[0] = 0.25f * sum.r;
      pixel[1] = 0.25f * sum.g;
      pixel[2] = 0.25f * sum.b;
    }
  }
}

void bench_output(void) {
  bench_put_f32s(picture, 3, (int64_t[]){height, width, 3});
}
