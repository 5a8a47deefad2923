// A ring of 45 FitzHugh-Nagumo neurons coupled by diffusion: 90 equations, solved by the classical
// Runge-Kutta method for many pairs of stimulus and coupling. The loops over the cells are vectors; the
// two cells at the seam of the ring stand apart, so that they are no branch in the loop.
#include "../harness/bench.h"

enum { CELLS = 45 };

typedef struct {
  float v[CELLS], w[CELLS];
} ring;

static int32_t steps;
static float h;
static int64_t n;
static const float *stimuli, *couplings;
static float *means, *largest;

void bench_setup(void) {
  steps = bench_i32();
  h = bench_f32();
  stimuli = bench_f32s(1, &n);
  couplings = bench_f32s(1, &n);
}

static inline float potential(float stimulus, float coupling, float left, float v, float right,
                              float w) {
  return v - v * v * v / 3 - w + stimulus + coupling * (left - 2 * v + right);
}

static inline void derivative(float stimulus, float coupling, const ring *restrict y,
                              ring *restrict d) {
  const float *v = y->v, *w = y->w;
  d->v[0] = potential(stimulus, coupling, v[CELLS - 1], v[0], v[1], w[0]);
  for (int i = 1; i < CELLS - 1; i++) {
    d->v[i] = potential(stimulus, coupling, v[i - 1], v[i], v[i + 1], w[i]);
  }
  d->v[CELLS - 1] = potential(stimulus, coupling, v[CELLS - 2], v[CELLS - 1], v[0], w[CELLS - 1]);
  for (int i = 0; i < CELLS; i++) {
    d->w[i] = 0.08f * (v[i] + 0.7f - 0.8f * w[i]);
  }
}

static inline void along(const ring *restrict y, float s, const ring *restrict k,
                         ring *restrict to) {
  for (int i = 0; i < CELLS; i++) {
    to->v[i] = y->v[i] + s * k->v[i];
    to->w[i] = y->w[i] + s * k->w[i];
  }
}

static inline void step(float stimulus, float coupling, ring *restrict y) {
  ring k1, k2, k3, k4, at;
  derivative(stimulus, coupling, y, &k1);
  along(y, h / 2, &k1, &at);
  derivative(stimulus, coupling, &at, &k2);
  along(y, h / 2, &k2, &at);
  derivative(stimulus, coupling, &at, &k3);
  along(y, h, &k3, &at);
  derivative(stimulus, coupling, &at, &k4);
  for (int i = 0; i < CELLS; i++) {
    y->v[i] += h / 6 * (k1.v[i] + k4.v[i] + 2 * (k2.v[i] + k3.v[i]));
    y->w[i] += h / 6 * (k1.w[i] + k4.w[i] + 2 * (k2.w[i] + k3.w[i]));
  }
}

void bench_run(void) {
  bench_free(means);
  bench_free(largest);
  means = bench_alloc((size_t)n * sizeof *means);
  largest = bench_alloc((size_t)n * sizeof *largest);
  for (int64_t p = 0; p < n; p++) {
    ring y;
    for (int i = 0; i < CELLS; i++) {
      y.v[i] = (float)i / CELLS - 1;
      y.w[i] = 0.5f - 0.01f * (float)i;
    }
    for (int32_t s = 0; s < steps; s++) {
      step(stimuli[p], couplings[p], &y);
    }
    float sum = 0, most = y.v[0];
    for (int i = 0; i < CELLS; i++) {
      sum += y.v[i];
      most = y.v[i] > most ? y.v[i] : most;
    }
    means[p] = sum / CELLS;
    largest[p] = most;
  }
}

void bench_output(void) {
  bench_put_f32s(means, 1, &n);
  bench_put_f32s(largest, 1, &n);
}
