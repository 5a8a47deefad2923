// Fixed-point arithmetic: rigid bodies of points are turned about all three axes with sines and cosines by
// CORDIC, and thrown onto a screen; roots are taken by Newton's method.
#include "../harness/bench.h"

typedef int32_t fixed;

typedef struct {
  fixed x, y, z;
} vec;

enum { STEPS = 16, QUARTER = 102944, GAIN = 39797, ONE = 65536 };

static const fixed arcs[STEPS] = {51472, 30386, 16055, 8150, 4091, 2047, 1024, 512,
                                  256,   128,   64,    32,   16,   8,    4,    2};

static int64_t n;
static const int32_t *angles;
static const int16_t *points;
static fixed *us, *vs, *norms;

void bench_setup(void) {
  int64_t dims[2];
  angles = bench_i32s(2, dims);
  points = bench_i16s(2, dims);
  n = dims[0];
}

static inline fixed mul(fixed a, fixed b) { return (fixed)((int64_t)a * b >> 16); }
static inline fixed quotient(fixed a, fixed b) {
  // Futhark's division rounds down.
  const int64_t x = (int64_t)a * 65536, q = x / b;
  return (fixed)(q - (x % b != 0 && (x < 0) != (b < 0)));
}

static inline fixed root(fixed x) {
  if (x <= 0) {
    return 0;
  }
  fixed r = x >> 1 > 256 ? x >> 1 : 256;
  for (int k = 0; k < 8; k++) {
    r = (r + quotient(x, r)) >> 1;
  }
  return r;
}

static inline void cos_sin(fixed angle, fixed *c, fixed *s) {
  const int32_t turns = angle / QUARTER - (angle % QUARTER < 0);
  fixed z = angle - turns * QUARTER, x = GAIN, y = 0;
  for (int k = 0; k < STEPS; k++) {
    const fixed sign = z >> 31, dx = x >> k, dy = y >> k;
    x -= (dy ^ sign) - sign;
    y += (dx ^ sign) - sign;
    z -= (arcs[k] ^ sign) - sign;
  }
  const int32_t quarters = turns & 3;
  *c = quarters == 0 ? x : quarters == 1 ? -y : quarters == 2 ? -x : y;
  *s = quarters == 0 ? y : quarters == 1 ? x : quarters == 2 ? -y : -x;
}

static inline void rotate_pair(fixed angle, fixed *a, fixed *b) {
  fixed c, s;
  cos_sin(angle, &c, &s);
  const fixed turned = mul(*a, c) - mul(*b, s);
  *b = mul(*a, s) + mul(*b, c);
  *a = turned;
}

static inline vec turn(vec by, vec p) {
  rotate_pair(by.z, &p.x, &p.y);
  rotate_pair(by.y, &p.x, &p.z);
  rotate_pair(by.x, &p.y, &p.z);
  return p;
}

static inline fixed norm(vec p) { return root(mul(p.x, p.x) + mul(p.y, p.y) + mul(p.z, p.z)); }

// The remainder with the sign of the divisor.
static inline fixed bounded(int32_t x) {
  const int32_t r = x % 10000000;
  return r < 0 ? r + 10000000 : r;
}

void bench_run(void) {
  bench_free(us);
  bench_free(vs);
  bench_free(norms);
  const size_t bytes = (size_t)n * sizeof(fixed);
  us = bench_alloc(bytes);
  vs = bench_alloc(bytes);
  norms = bench_alloc(bytes);
  const int32_t *restrict a = angles;
  const int16_t *restrict p = points;
  fixed *restrict u = us, *restrict v = vs, *restrict r = norms;
  for (int64_t i = 0; i < n; i++) {
    const vec by = {bounded(a[3 * i]), bounded(a[3 * i + 1]), bounded(a[3 * i + 2])};
    const vec at = turn(by, (vec){2 * p[3 * i], 2 * p[3 * i + 1], 2 * p[3 * i + 2]});
    const fixed deep = at.z + 2 * ONE, depth = deep > ONE >> 4 ? deep : ONE >> 4;
    u[i] = quotient(at.x, depth);
    v[i] = quotient(at.y, depth);
    r[i] = norm(at);
  }
}

void bench_output(void) {
  bench_put_i32s(us, 1, &n);
  bench_put_i32s(vs, 1, &n);
  bench_put_i32s(norms, 1, &n);
}
