// A landscape from gradient noise: octaves of Perlin's noise are added up, the places where they are
// taken being moved by noise too, and heights become colours. All decisions are selections, so that the
// loop along a row can become vectors.
#include "../harness/bench.h"
#include <math.h>

typedef struct {
  float r, g, b;
} colour;

static int64_t width, height;
static int32_t n;
static float strength;
static float *red, *green, *blue;

void bench_setup(void) {
  width = bench_i64();
  height = bench_i64();
  n = bench_i32();
  strength = bench_f32();
}

static inline uint32_t mix(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352d;
  x = (x ^ (x >> 15)) * 0x846ca68b;
  return x ^ (x >> 16);
}

static inline uint32_t hash(int32_t i, int32_t j) { return mix((uint32_t)i + mix((uint32_t)j)); }

static inline float fade(float t) { return t * t * t * (t * (t * 6 - 15) + 10); }
static inline float lerp(float k, float a, float b) { return a + k * (b - a); }

static inline float slope(uint32_t h, float dx, float dy) {
  const float first = h & 1 ? -1.0f : 1.0f, second = h & 2 ? -1.0f : 1.0f;
  const float diagonal = 0.70710678f * (first * dx + second * dy);
  const float straight = second * (h & 1 ? dy : dx);
  return h & 4 ? diagonal : straight;
}

static inline float noise(float x, float y) {
  const float x0 = floorf(x), y0 = floorf(y), dx = x - x0, dy = y - y0;
  const int32_t i = (int32_t)x0, j = (int32_t)y0;
  const float above = lerp(fade(dx), slope(hash(i, j), dx, dy), slope(hash(i + 1, j), dx - 1, dy));
  const float below =
      lerp(fade(dx), slope(hash(i, j + 1), dx, dy - 1), slope(hash(i + 1, j + 1), dx - 1, dy - 1));
  return lerp(fade(dy), above, below);
}

static inline float octaves(float x, float y) {
  float sum = 0, size = 0.5f;
  for (int32_t k = 0; k < n; k++) {
    sum += size * noise(x, y);
    size *= 0.5f;
    x = 2 * x + 17.3f;
    y = 2 * y - 9.1f;
  }
  return sum;
}

static inline float warped(float x, float y) {
  const float dx = octaves(x, y), dy = octaves(x + 5.2f, y + 1.3f);
  return octaves(x + 4 * strength * dx, y + 4 * strength * dy);
}

static inline float smoothstep(float from, float to, float x) {
  float t = (x - from) / (to - from);
  t = t < 1 ? t : 1;
  t = t > 0 ? t : 0;
  return t * t * (3 - 2 * t);
}

static inline colour mixed(float k, colour a, colour b) {
  return (colour){lerp(k, a.r, b.r), lerp(k, a.g, b.g), lerp(k, a.b, b.b)};
}

static inline colour paint(float h) {
  colour c = {0.1f, 0.2f, 0.5f};
  c = mixed(smoothstep(-0.05f, 0.05f, h), c, (colour){0.2f, 0.5f, 0.1f});
  c = mixed(smoothstep(0.1f, 0.25f, h), c, (colour){0.4f, 0.35f, 0.3f});
  return mixed(smoothstep(0.25f, 0.4f, h), c, (colour){1, 1, 1});
}

void bench_run(void) {
  bench_free(red);
  bench_free(green);
  bench_free(blue);
  const size_t bytes = (size_t)(width * height) * sizeof(float);
  red = bench_alloc(bytes);
  green = bench_alloc(bytes);
  blue = bench_alloc(bytes);
#pragma omp parallel for schedule(dynamic, 4)
  for (int64_t i = 0; i < height; i++) {
    float *restrict r = red + i * width, *restrict g = green + i * width;
    float *restrict b = blue + i * width;
    const float y = 6 * (float)i / (float)height;
    for (int64_t j = 0; j < width; j++) {
      const colour c = paint(warped(8 * (float)j / (float)width, y));
      r[j] = c.r;
      g[j] = c.g;
      b[j] = c.b;
    }
  }
}

void bench_output(void) {
  const int64_t dims[2] = {height, width};
  bench_put_f32s(red, 2, dims);
  bench_put_f32s(green, 2, dims);
  bench_put_f32s(blue, 2, dims);
}
