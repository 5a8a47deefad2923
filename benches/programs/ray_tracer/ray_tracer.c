// A path tracer: balls of three materials on a plane, the nearest of which is found by a loop over all.
// What the loop reads of the balls lies side by side.
#include "../harness/bench.h"
#include <math.h>

typedef struct {
  double x, y, z;
} vec;

typedef enum { DIFFUSE, METAL, GLASS } material_kind;

typedef struct {
  material_kind kind;
  vec tint;
  double number; // The fuzz of a metal, the index of a glass.
} material;

typedef struct {
  vec centre;
  double radius;
} sphere;

static int64_t width, height, n;
static int32_t samples;
static const double *a, *b, *c;
static const uint8_t *kinds;
static double *picture;
static const double ground = -0.5;

void bench_setup(void) {
  width = bench_i64();
  height = bench_i64();
  samples = bench_i32();
  a = bench_f64s(1, &n);
  b = bench_f64s(1, &n);
  c = bench_f64s(1, &n);
  kinds = bench_u8s(1, &n);
}

static inline vec add(vec p, vec q) { return (vec){p.x + q.x, p.y + q.y, p.z + q.z}; }
static inline vec sub(vec p, vec q) { return (vec){p.x - q.x, p.y - q.y, p.z - q.z}; }
static inline vec mul(vec p, vec q) { return (vec){p.x * q.x, p.y * q.y, p.z * q.z}; }
static inline vec scale(double k, vec p) { return (vec){k * p.x, k * p.y, k * p.z}; }
static inline double dot(vec p, vec q) { return p.x * q.x + p.y * q.y + p.z * q.z; }
static inline vec normalise(vec p) { return scale(1 / sqrt(dot(p, p)), p); }

static inline uint32_t mix(uint32_t x) { return (x ^ (x >> 16)) * 0x45d9f3b; }

static inline double uniform(uint32_t *s) {
  *s ^= *s << 13;
  *s ^= *s >> 17;
  *s ^= *s << 5;
  return *s / 4294967296.0;
}

static inline vec any_direction(uint32_t *s) {
  const double u = uniform(s), v = uniform(s);
  const double z = 2 * u - 1, r = sqrt(fmax(0, 1 - z * z)), phi = 2 * M_PI * v;
  return (vec){r * cos(phi), r * sin(phi), z};
}

static inline double meet_sphere(vec origin, vec direction, const sphere *s) {
  const vec oc = sub(origin, s->centre);
  const double p = dot(oc, direction), d = p * p - dot(oc, oc) + s->radius * s->radius;
  if (d < 0) {
    return INFINITY;
  }
  const double root = sqrt(d);
  return -p - root > 1e-6 ? -p - root : root - p > 1e-6 ? root - p : INFINITY;
}

static inline double meet_plane(vec origin, vec direction) {
  const double t = (ground - origin.y) / direction.y;
  return t > 1e-6 ? t : INFINITY;
}

static inline vec reflect(vec d, vec normal) { return sub(d, scale(2 * dot(d, normal), normal)); }

static inline vec refract(double index, vec d, vec normal) {
  const double cosine = dot(d, normal);
  const double eta = cosine < 0 ? 1 / index : index, side = cosine < 0 ? 1 : -1;
  const double k = 1 - eta * eta * (1 - cosine * cosine);
  const vec towards = scale(side, normal);
  return k < 0 ? reflect(d, towards)
               : add(scale(eta, d), scale(eta * fabs(cosine) - sqrt(k), towards));
}

static inline vec sky(vec d) {
  const double t = 0.5 * (d.y + 1);
  return add(scale(1 - t, (vec){1, 1, 1}), scale(t, (vec){0.5, 0.7, 1}));
}

static inline vec leave(const material *m, vec d, vec normal, uint32_t *s, vec *left) {
  switch (m->kind) {
  case DIFFUSE: {
    *left = m->tint;
    return normalise(add(normal, scale(0.999, any_direction(s))));
  }
  case METAL: {
    *left = m->tint;
    return normalise(add(reflect(d, normal), scale(m->number, any_direction(s))));
  }
  default: {
    *left = (vec){0.95, 0.95, 0.95};
    return normalise(refract(m->number, d, normal));
  }
  }
}

// The ground's material comes first.
static vec trace(const sphere *restrict spheres, const material *restrict materials, vec origin,
                 vec direction, uint32_t s) {
  vec tint = {1, 1, 1};
  for (int depth = 0; depth < 6; depth++) {
    double best = meet_plane(origin, direction);
    int64_t which = best < INFINITY ? 0 : -1;
    for (int64_t i = 0; i < n; i++) {
      const double t = meet_sphere(origin, direction, &spheres[i]);
      if (t < best) {
        best = t;
        which = i + 1;
      }
    }
    if (which < 0) {
      return mul(tint, sky(direction));
    }
    const vec at = add(origin, scale(best, direction));
    vec normal = {0, 1, 0}, left;
    if (which > 0) {
      const sphere *hit = &spheres[which - 1];
      normal = scale(1 / hit->radius, sub(at, hit->centre));
    }
    direction = leave(&materials[which], direction, normal, &s, &left);
    origin = at;
    tint = mul(tint, left);
  }
  return (vec){0, 0, 0};
}

static inline vec camera(double u, double v) {
  const double aspect = (double)width / (double)height;
  return normalise((vec){aspect * (2 * u - 1), 1 - 2 * v, -1.5});
}

void bench_run(void) {
  bench_free(picture);
  picture = bench_alloc((size_t)(width * height * 3) * sizeof *picture);
  sphere *spheres = bench_alloc((size_t)n * sizeof *spheres);
  material *materials = bench_alloc((size_t)(n + 1) * sizeof *materials);
  materials[0] = (material){DIFFUSE, {0.6, 0.6, 0.6}, 0};
  for (int64_t i = 0; i < n; i++) {
    const double radius = 0.2 + 0.3 * b[i];
    spheres[i] = (sphere){{6 * a[i] - 3, radius - 0.5, -2 - 5 * c[i]}, radius};
    const material_kind kind = (material_kind)(kinds[i] % 3);
    const vec tint = {0.2 + 0.7 * a[i], 0.2 + 0.7 * c[i], 0.2 + 0.7 * b[i]};
    materials[i + 1] = (material){kind, tint, kind == METAL ? 0.2 * b[i] : 1.3 + 0.4 * b[i]};
  }
#pragma omp parallel for schedule(dynamic, 4)
  for (int64_t i = 0; i < height; i++) {
    for (int64_t j = 0; j < width; j++) {
      vec sum = {0, 0, 0};
      uint32_t s = mix(mix((uint32_t)(i * width + j) + 0x9e3779b9)) | 1;
      for (int32_t k = 0; k < samples; k++) {
        const double du = uniform(&s), dv = uniform(&s);
        const vec direction =
            camera(((double)j + du) / (double)width, ((double)i + dv) / (double)height);
        sum = add(sum, trace(spheres, materials, (vec){0, 0.6, 1}, direction, s));
        uniform(&s);
      }
      double *pixel = picture + 3 * (i * width + j);
      pixel[0] = sum.x / samples;
      pixel[1] = sum.y / samples;
      pixel[2] = sum.z / samples;
    }
  }
  bench_free(spheres);
  bench_free(materials);
}

void bench_output(void) {
  bench_put_f64s(picture, 3, (int64_t[]){height, width, 3});
}
