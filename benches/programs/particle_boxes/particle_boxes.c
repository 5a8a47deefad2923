// Particles in boxes: each feels those of its box and of the boxes next to it, which are listed.
#include "../harness/bench.h"
#include <math.h>

typedef struct { float v, x, y, z; } four;

static int64_t b, p, m;
static const four *particles;
static const float *charges;
static const uint32_t *links;
static const uint8_t *counts;
static float *out[4];

void bench_setup(void) {
  int64_t d[3];
  particles = (const four *)bench_f32s(3, d);
  charges = bench_f32s(2, d);
  b = d[0];
  p = d[1];
  links = bench_u32s(2, d);
  m = d[1];
  counts = bench_u8s(1, &b);
}

static inline void force(float alpha, four a, const four *restrict bs, const float *restrict qs,
                         four *sum) {
  float v = 0, x = 0, y = 0, z = 0;
  for (int64_t i = 0; i < p; i++) {
    const float r2 = a.v + bs[i].v - (a.x * bs[i].x + a.y * bs[i].y + a.z * bs[i].z);
    const float vij = expf(-(alpha * alpha * r2)), fs = 2 * vij, q = qs[i];
    v += q * vij;
    x += q * fs * (a.x - bs[i].x);
    y += q * fs * (a.y - bs[i].y);
    z += q * fs * (a.z - bs[i].z);
  }
  sum->v += v;
  sum->x += x;
  sum->y += y;
  sum->z += z;
}

void bench_run(void) {
  for (int d = 0; d < 4; d++) {
    bench_free(out[d]);
    out[d] = bench_alloc((size_t)(b * p) * sizeof(float));
  }
  for (int64_t i = 0; i < b; i++) {
    int64_t number = 7 + counts[i] % 20;
    number = number < m ? number : m;
    for (int64_t k = 0; k < p; k++) {
      const four a = particles[i * p + k];
      four sum = {0};
      force(0.5f, a, particles + i * p, charges + i * p, &sum);
      for (int64_t l = 0; l < number; l++) {
        const int64_t j = links[i * m + l] % b;
        force(0.5f, a, particles + j * p, charges + j * p, &sum);
      }
      out[0][i * p + k] = sum.v;
      out[1][i * p + k] = sum.x;
      out[2][i * p + k] = sum.y;
      out[3][i * p + k] = sum.z;
    }
  }
}

void bench_output(void) {
  const int64_t d[2] = {b, p};
  for (int k = 0; k < 4; k++) {
    bench_put_f32s(out[k], 2, d);
  }
}
