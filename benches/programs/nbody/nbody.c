// Bodies that attract each other: steps of Euler's method over all pairs, with the closest approach
// softened. A structure of arrays; eight partial sums let the additions overlap.
#include "../harness/bench.h"
#include <math.h>

enum { LANES = 8 };

static int32_t steps;
static int64_t n;
static const float *initial[3], *masses;
static float *position[3];

void bench_setup(void) {
  steps = bench_i32();
  for (int d = 0; d < 3; d++) {
    initial[d] = bench_f32s(1, &n);
  }
  masses = bench_f32s(1, &n);
}

void bench_run(void) {
  const size_t bytes = (size_t)n * sizeof(float);
  float *velocity[3], *next[3];
  for (int d = 0; d < 3; d++) {
    bench_free(position[d]);
    position[d] = bench_alloc(bytes);
    memcpy(position[d], initial[d], bytes);
    next[d] = bench_alloc(bytes);
    velocity[d] = bench_alloc(bytes);
    memset(velocity[d], 0, bytes);
  }
  const float dt = 1e-3f;
  for (int32_t s = 0; s < steps; s++) {
    const float *xs = position[0], *ys = position[1], *zs = position[2];
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
      float ax[LANES] = {0}, ay[LANES] = {0}, az[LANES] = {0};
      int64_t j = 0;
      for (; j + LANES <= n; j += LANES) {
        for (int k = 0; k < LANES; k++) {
          const float dx = xs[j + k] - xs[i], dy = ys[j + k] - ys[i], dz = zs[j + k] - zs[i];
          const float r2 = dx * dx + dy * dy + dz * dz + 1e-3f;
          const float pull = masses[j + k] / (r2 * sqrtf(r2));
          ax[k] += pull * dx;
          ay[k] += pull * dy;
          az[k] += pull * dz;
        }
      }
      for (; j < n; j++) {
        const float dx = xs[j] - xs[i], dy = ys[j] - ys[i], dz = zs[j] - zs[i];
        const float r2 = dx * dx + dy * dy + dz * dz + 1e-3f;
        const float pull = masses[j] / (r2 * sqrtf(r2));
        ax[0] += pull * dx;
        ay[0] += pull * dy;
        az[0] += pull * dz;
      }
      float a[3] = {0};
      for (int k = 0; k < LANES; k++) {
        a[0] += ax[k];
        a[1] += ay[k];
        a[2] += az[k];
      }
      for (int d = 0; d < 3; d++) {
        velocity[d][i] += dt * a[d];
        next[d][i] = position[d][i] + dt * velocity[d][i];
      }
    }
    for (int d = 0; d < 3; d++) {
      float *swapped = position[d];
      position[d] = next[d];
      next[d] = swapped;
    }
  }
  for (int d = 0; d < 3; d++) {
    bench_free(next[d]);
    bench_free(velocity[d]);
  }
}

void bench_output(void) {
  for (int d = 0; d < 3; d++) {
    bench_put_f32s(position[d], 1, &n);
  }
}
