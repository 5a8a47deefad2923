// Sphere tracing: a scene is a function from points to their distance from the nearest surface. Rays
// advance by that distance until they are near enough.
#include "../harness/bench.h"
#include <math.h>

typedef struct {
  double x, y, z;
} vec;

static int64_t width, height;
static double moment;
static double *picture;

// What of the scene depends on the time alone.
static double sine, cosine, offset;

void bench_setup(void) {
  width = bench_i64();
  height = bench_i64();
  moment = bench_f64();
}

static inline vec add(vec p, vec q) { return (vec){p.x + q.x, p.y + q.y, p.z + q.z}; }
static inline vec sub(vec p, vec q) { return (vec){p.x - q.x, p.y - q.y, p.z - q.z}; }
static inline vec scale(double k, vec p) { return (vec){k * p.x, k * p.y, k * p.z}; }
static inline double dot(vec p, vec q) { return p.x * q.x + p.y * q.y + p.z * q.z; }
static inline double norm(vec p) { return sqrt(dot(p, p)); }
static inline vec normalise(vec p) { return scale(1 / norm(p), p); }
// Without fmin and fmax, whose care for NaNs costs.
static inline double least(double a, double b) { return a < b ? a : b; }
static inline double most(double a, double b) { return a > b ? a : b; }

static inline double ring(vec p) {
  p.y -= 0.2;
  const vec q = {p.x, cosine * p.y + sine * p.z, cosine * p.z - sine * p.y};
  const double around = sqrt(q.x * q.x + q.z * q.z) - 1;
  return sqrt(around * around + q.y * q.y) - 0.25;
}

static inline double drop(vec p) { return norm(sub(p, (vec){offset, 0.3, 0.2})) - 0.6; }
static inline double floor_below(vec p) { return p.y + 0.8; }
static inline double weight(double a, double b) {
  return most(0, least(1, 0.5 + 0.5 * (b - a) / 0.3));
}

static inline double melted(vec p) {
  const double a = ring(p), b = drop(p), w = weight(a, b);
  return b + w * (a - b) - 0.3 * w * (1 - w);
}

static inline double distance(vec p) { return least(floor_below(p), melted(p)); }

static inline vec tint(vec p) {
  if (floor_below(p) < melted(p)) {
    return (vec){0.5, 0.5 + 0.1 * sin(3 * p.x), 0.5};
  }
  const double w = weight(ring(p), drop(p));
  return add(scale(w, (vec){0.2, 0.5, 0.9}), scale(1 - w, (vec){0.9, 0.3, 0.2}));
}

static double march(vec origin, vec direction) {
  double t = 0, d = 1;
  for (int k = 0; d > 1e-4 && t < 20 && k < 100; k++) {
    d = distance(add(origin, scale(t, direction)));
    t += d;
  }
  return t;
}

static inline double along(vec p, vec e) { return distance(add(p, e)) - distance(sub(p, e)); }

static inline vec normal(vec p) {
  return normalise((vec){along(p, (vec){1e-4, 0, 0}), along(p, (vec){0, 1e-4, 0}),
                         along(p, (vec){0, 0, 1e-4})});
}

static inline vec shade(vec light, vec direction, double t, vec p) {
  const vec n = normal(p);
  const double sun = march(add(p, scale(1e-2, n)), light) < 20 ? 0 : most(0, dot(n, light));
  const vec half = normalise(sub(light, direction));
  const double shine = 0.5 * sun * pow(most(0, dot(n, half)), 32);
  const double fog = exp(-0.05 * t);
  const vec tinted = add(scale(0.2 + 0.8 * sun, tint(p)), (vec){shine, shine, shine});
  return add(scale(fog, tinted), scale(1 - fog, (vec){0.7, 0.8, 0.9}));
}

void bench_run(void) {
  bench_free(picture);
  picture = bench_alloc((size_t)(width * height * 3) * sizeof *picture);
  sine = sin(1 + moment);
  cosine = cos(1 + moment);
  offset = sin(moment);
  const vec light = normalise((vec){1, 2, 1.5}), origin = {0, 1, 4};
#pragma omp parallel for schedule(dynamic, 4)
  for (int64_t i = 0; i < height; i++) {
    for (int64_t j = 0; j < width; j++) {
      const double u = (double)(2 * j + 1 - width) / (double)height;
      const double v = (double)(height - 2 * i - 1) / (double)height;
      const vec direction = normalise((vec){u, v - 0.3, -2});
      const double t = march(origin, direction);
      const vec c = t < 20 ? shade(light, direction, t, add(origin, scale(t, direction)))
                           : (vec){0.7, 0.8, 0.9};
      double *pixel = picture + 3 * (i * width + j);
      pixel[0] = c.x;
      pixel[1] = c.y;
      pixel[2] = c.z;
    }
  }
}

void bench_output(void) {
  bench_put_f64s(picture, 3, (int64_t[]){height, width, 3});
}
