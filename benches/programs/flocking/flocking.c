// A flock of birds after Craig Reynolds. A structure of arrays; sixteen partial sums of each kind let the
// loop over the others be vectors.
#include "../harness/bench.h"
#include <math.h>

enum { LANES = 16 };

static int32_t steps;
static int64_t n;
static const float *initial[4];
static float *ends[2];

// Birds in lanes of a multiple of LANES; what fills them up is too far away to count.
typedef struct {
  float *x, *y, *u, *v;
} flock;

typedef struct {
  float count[LANES], mx[LANES], my[LANES], su[LANES], sv[LANES], ax[LANES], ay[LANES];
} view;

void bench_setup(void) {
  steps = bench_i32();
  for (int k = 0; k < 4; k++) {
    initial[k] = bench_f32s(1, &n);
  }
}

static inline float weight(float radius, float d2) {
  const float k = 1 - d2 / (radius * radius), w = k > 0 ? k : 0;
  return w * w;
}

static inline void see(float x, float y, float u, float v, const float *restrict xs,
                       const float *restrict ys, const float *restrict us, const float *restrict vs,
                       view *restrict to) {
  for (int k = 0; k < LANES; k++) {
    const float dx = xs[k] - x, dy = ys[k] - y, d2 = dx * dx + dy * dy;
    const float w = weight(0.15f, d2), near = weight(0.04f, d2);
    to->count[k] += w;
    to->mx[k] += w * dx;
    to->my[k] += w * dy;
    to->su[k] += w * (us[k] - u);
    to->sv[k] += w * (vs[k] - v);
    to->ax[k] -= near * dx;
    to->ay[k] -= near * dy;
  }
}

static inline float sum(const float *xs) {
  float total = 0;
  for (int k = 0; k < LANES; k++) {
    total += xs[k];
  }
  return total;
}

static void step(float dt, int64_t padded, flock a, flock b) {
  for (int64_t i = 0; i < n; i++) {
    view seen;
    memset(&seen, 0, sizeof seen);
    for (int64_t j = 0; j < padded; j += LANES) {
      see(a.x[i], a.y[i], a.u[i], a.v[i], a.x + j, a.y + j, a.u + j, a.v + j, &seen);
    }
    const float count = sum(seen.count), over = 1 / (count > 1 ? count : 1);
    float u = a.u[i] + 0.5f * over * sum(seen.mx) + 0.3f * over * sum(seen.su) + 2 * sum(seen.ax);
    float v = a.v[i] + 0.5f * over * sum(seen.my) + 0.3f * over * sum(seen.sv) + 2 * sum(seen.ay);
    const float norm = sqrtf(u * u + v * v);
    if (norm > 0.5f) {
      u *= 0.5f / norm;
      v *= 0.5f / norm;
    }
    const float x = a.x[i] + dt * u, y = a.y[i] + dt * v;
    b.x[i] = x - floorf(x);
    b.y[i] = y - floorf(y);
    b.u[i] = u;
    b.v[i] = v;
  }
}

static flock new_flock(int64_t padded) {
  float *all = bench_alloc((size_t)padded * 4 * sizeof *all);
  const flock f = {all, all + padded, all + 2 * padded, all + 3 * padded};
  for (int64_t i = n; i < padded; i++) {
    f.x[i] = f.y[i] = 1e3f;
    f.u[i] = f.v[i] = 0;
  }
  return f;
}

void bench_run(void) {
  const int64_t padded = (n + LANES - 1) / LANES * LANES;
  flock a = new_flock(padded), b = new_flock(padded);
  for (int64_t i = 0; i < n; i++) {
    a.x[i] = initial[0][i];
    a.y[i] = initial[1][i];
    a.u[i] = 0.2f * (initial[2][i] - 0.5f);
    a.v[i] = 0.2f * (initial[3][i] - 0.5f);
  }
  for (int32_t s = 0; s < steps; s++) {
    step(0.02f, padded, a, b);
    const flock swapped = a;
    a = b;
    b = swapped;
  }
  const float *from[2] = {a.x, a.y};
  for (int k = 0; k < 2; k++) {
    bench_free(ends[k]);
    ends[k] = bench_alloc((size_t)n * sizeof(float));
    memcpy(ends[k], from[k], (size_t)n * sizeof(float));
  }
  bench_free(a.x);
  bench_free(b.x);
}

void bench_output(void) {
  bench_put_f32s(ends[0], 1, &n);
  bench_put_f32s(ends[1], 1, &n);
}
