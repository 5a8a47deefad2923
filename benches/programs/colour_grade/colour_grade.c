// Grading of a picture's colours: from the curve of sRGB to light, a matrix, a turn of the hue with more
// saturation, a curve of tones as that of film, and back.
#include "../harness/bench.h"
#include <math.h>

typedef struct {
  float r, g, b;
} rgb;

typedef struct {
  float h, s, v;
} hsv;

static float exposure, turn, saturation;
static int64_t dims[3];
static const rgb *picture;
static rgb *graded;

void bench_setup(void) {
  exposure = bench_f32();
  turn = bench_f32();
  saturation = bench_f32();
  picture = (const rgb *)bench_f32s(3, dims);
}

// Without fmin and fmax, whose care for NaNs costs.
static inline float least(float a, float b) { return a < b ? a : b; }
static inline float most(float a, float b) { return a > b ? a : b; }

static inline float decode(float x) {
  return x <= 0.04045f ? x / 12.92f : powf((x + 0.055f) / 1.055f, 2.4f);
}

static inline float encode(float x) {
  return x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1 / 2.4f) - 0.055f;
}

static inline hsv to_hsv(rgb c) {
  const float v = most(c.r, most(c.g, c.b)), d = v - least(c.r, least(c.g, c.b));
  const float h = d == 0     ? 0
                  : v == c.r ? (c.g - c.b) / d
                  : v == c.g ? 2 + (c.b - c.r) / d
                             : 4 + (c.r - c.g) / d;
  return (hsv){h, v == 0 ? 0 : d / v, v};
}

static inline float part(hsv c, float n) {
  // The hue is between 4 and 16.
  const float x = n + c.h, k = x - 6 * floorf(x / 6);
  return c.v - c.v * c.s * most(0, least(1, least(k, 4 - k)));
}

static inline hsv turned(hsv c) { return (hsv){c.h + turn + 6, least(1, saturation * c.s), c.v}; }

static inline float curve(float x) {
  return (x * (0.15f * x + 0.05f) + 0.004f) / (x * (0.15f * x + 0.5f) + 0.06f) - 0.0666667f;
}

static inline float film(float x) { return most(0, curve(2 * x) / curve(11.2f)); }

static inline float finish(float x) { return encode(film(exposure * x)); }

static inline rgb grade(rgb c) {
  const float r = decode(c.r), g = decode(c.g), b = decode(c.b);
  const rgb warm = {1.05f * r + 0.03f * g, 0.02f * r + 0.98f * g + 0.01f * b, 0.02f * g + 0.9f * b};
  const hsv h = turned(to_hsv(warm));
  return (rgb){finish(part(h, 5)), finish(part(h, 3)), finish(part(h, 1))};
}

void bench_run(void) {
  bench_free(graded);
  const int64_t size = dims[0] * dims[1];
  graded = bench_alloc((size_t)size * sizeof *graded);
  const rgb *restrict from = picture;
  rgb *restrict to = graded;
  for (int64_t k = 0; k < size; k++) {
    to[k] = grade(from[k]);
  }
}

void bench_output(void) {
  bench_put_f32s((const float *)graded, 3, dims);
}
