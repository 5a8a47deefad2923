// A quasicrystal: plane waves in as many directions, evenly apart, are added up. The directions are
// computed once.
#include "../harness/bench.h"
#include <math.h>

typedef struct {
  float x, y;
} point;

static int64_t width, height, n;
static float scale, moment;
static float *picture;

void bench_setup(void) {
  width = bench_i64();
  height = bench_i64();
  n = bench_i64();
  scale = bench_f32();
  moment = bench_f32();
}

static inline float wave(point direction, point p) {
  return 0.5f * (cosf(direction.x * p.x + direction.y * p.y + moment) + 1);
}

static inline float fold(float x) {
  const float k = floorf(x), v = x - k;
  return (int32_t)k % 2 == 0 ? v : 1 - v;
}

static inline float waves(const point *restrict directions, point p) {
  float sum = 0;
  for (int64_t k = 0; k < n; k++) {
    sum += wave(directions[k], p);
  }
  return fold(sum);
}

static inline float ramp(float from, float to, float x) {
  const float t = (x - from) / (to - from), low = t < 1 ? t : 1;
  return low > 0 ? low : 0;
}

static inline float normal(int64_t size, int64_t i) { return 2 * (float)i / (float)size - 1; }

void bench_run(void) {
  bench_free(picture);
  picture = bench_alloc((size_t)(width * height * 3) * sizeof *picture);
  point *directions = bench_alloc((size_t)n * sizeof *directions);
  for (int64_t k = 0; k < n; k++) {
    const float angle = (float)M_PI * (float)k / (float)n;
    directions[k] = (point){cosf(angle), sinf(angle)};
  }
#pragma omp parallel for schedule(dynamic, 4)
  for (int64_t i = 0; i < height; i++) {
    for (int64_t j = 0; j < width; j++) {
      const float x = waves(directions, (point){scale * normal(width, j), scale * normal(height, i)});
      float *pixel = picture + 3 * (i * width + j);
      pixel[0] = ramp(0, 0.5f, x);
      pixel[1] = ramp(0.25f, 0.75f, x);
      pixel[2] = ramp(0.5f, 1, x);
    }
  }
  bench_free(directions);
}

void bench_output(void) {
  bench_put_f32s(picture, 3, (int64_t[]){height, width, 3});
}
