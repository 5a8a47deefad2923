// Radiative-convective equilibrium of columns of air: in each time step grey longwave radiation goes up
// and down through the layers, the sun heats the ground, and what is too hot below overturns. The arrays
// of a column are few and short, and stay in the first cache.
#include "../harness/bench.h"
#include <math.h>

static const float stefan_boltzmann = 5.67e-8f, gravity = 9.81f, heat_capacity = 1004;
static const float surface_pressure = 1e5f, diffusivity = 1.66f, ground_capacity = 2e6f;

typedef struct {
  float sun, carbon, humidity;
} climate;

static int32_t steps;
static int64_t layers, n;
static const float *suns, *carbons, *humidities;
static float *grounds, *tops;

void bench_setup(void) {
  steps = bench_i32();
  layers = bench_i64();
  suns = bench_f32s(1, &n);
  carbons = bench_f32s(1, &n);
  humidities = bench_f32s(1, &n);
}

static inline float black(float t) {
  const float t2 = t * t;
  return stefan_boltzmann * t2 * t2;
}

static inline float saturation(float t) {
  const float celsius = t - 273.15f;
  return 610.94f * expf(17.625f * celsius / (celsius + 243.04f));
}

static inline float emissivity(climate c, float thickness, float p, float t) {
  const float vapour = 0.622f * fminf(0.1f, c.humidity * saturation(t) / p);
  const float depth = thickness / gravity * (1.5e-4f * c.carbon + 0.08f * vapour);
  return 1 - expf(-diffusivity * depth);
}

static inline float radiate(climate c, float dt, float ground, float *restrict air,
                            const float *restrict pressures, float *restrict absorbed,
                            float *restrict emitted, float *restrict up) {
  const float thickness = surface_pressure / (float)layers;
  for (int64_t k = 0; k < layers; k++) {
    absorbed[k] = emissivity(c, thickness, pressures[k], air[k]);
    emitted[k] = absorbed[k] * black(air[k]);
  }
  float flux = black(ground);
  for (int64_t k = 0; k < layers; k++) {
    up[k] = flux;
    flux = flux * (1 - absorbed[k]) + emitted[k];
  }
  flux = 0;
  for (int64_t k = layers - 1; k >= 0; k--) {
    const float gain = absorbed[k] * (up[k] + flux) - 2 * emitted[k];
    air[k] += dt * gain * gravity / (heat_capacity * thickness);
    flux = flux * (1 - absorbed[k]) + emitted[k];
  }
  return ground + dt * (c.sun + flux - black(ground)) / ground_capacity;
}

static inline float convect(float steepest, float ground, float *restrict air) {
  float excess = ground - air[0] - steepest;
  if (excess > 0) {
    ground -= 0.5f * excess;
    air[0] += 0.5f * excess;
  }
  float below = air[0];
  for (int64_t k = 0; k < layers - 1; k++) {
    float above = air[k + 1];
    excess = below - above - steepest;
    const float moved = excess > 0 ? 0.5f * excess : 0;
    air[k] = below - moved;
    below = above + moved;
  }
  air[layers - 1] = below;
  return ground;
}

void bench_run(void) {
  bench_free(grounds);
  bench_free(tops);
  grounds = bench_alloc((size_t)n * sizeof *grounds);
  tops = bench_alloc((size_t)n * sizeof *tops);
  const size_t bytes = (size_t)layers * sizeof(float);
  float *air = bench_alloc(bytes), *pressures = bench_alloc(bytes), *absorbed = bench_alloc(bytes);
  float *emitted = bench_alloc(bytes), *up = bench_alloc(bytes);
  for (int64_t k = 0; k < layers; k++) {
    pressures[k] = surface_pressure * (1 - ((float)k + 0.5f) / (float)layers);
  }
  for (int64_t i = 0; i < n; i++) {
    const climate c = {200 + 80 * suns[i], 0.5f + 2 * carbons[i], humidities[i]};
    float ground = 288;
    for (int64_t k = 0; k < layers; k++) {
      air[k] = 250;
    }
    for (int32_t s = 0; s < steps; s++) {
      ground = radiate(c, 20000, ground, air, pressures, absorbed, emitted, up);
      ground = convect(80 / (float)layers, ground, air);
    }
    grounds[i] = ground;
    tops[i] = air[layers - 1];
  }
  bench_free(air);
  bench_free(pressures);
  bench_free(absorbed);
  bench_free(emitted);
  bench_free(up);
}

void bench_output(void) {
  bench_put_f32s(grounds, 1, &n);
  bench_put_f32s(tops, 1, &n);
}
