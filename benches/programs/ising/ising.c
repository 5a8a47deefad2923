// The Ising model on a torus by the heat-bath method. The probabilities are those of five sums, and are
// computed once; the words of the generators lie apart.
#include "../harness/bench.h"
#include <math.h>

static int32_t sweeps;
static double beta;
static uint32_t first;
static int64_t n;
static double *ms;
static int8_t *spins;

void bench_setup(void) {
  sweeps = bench_i32();
  beta = bench_f64();
  first = bench_u32();
  n = bench_i64();
}

static inline uint32_t mix(uint32_t v) {
  v = (v ^ (v >> 16)) * 0x85ebca6b;
  v = (v ^ (v >> 13)) * 0xc2b2ae35;
  return v ^ (v >> 16);
}

typedef struct {
  uint32_t *x, *y, *z, *w;
} engines;

static inline uint32_t next(engines e, int64_t k) {
  const uint32_t t = e.x[k] ^ (e.x[k] << 11), w = e.w[k];
  const uint32_t v = w ^ (w >> 19) ^ t ^ (t >> 8);
  e.x[k] = e.y[k];
  e.y[k] = e.z[k];
  e.z[k] = w;
  e.w[k] = v;
  return v;
}

static void half_sweep(int64_t colour, const double up[5], engines e) {
  for (int64_t i = 0; i < n; i++) {
    const int8_t *above = spins + (i == 0 ? n - 1 : i - 1) * n;
    const int8_t *below = spins + (i == n - 1 ? 0 : i + 1) * n;
    int8_t *row = spins + i * n;
    for (int64_t j = (i + colour) % 2; j < n; j += 2) {
      const int8_t left = row[j == 0 ? n - 1 : j - 1], right = row[j == n - 1 ? 0 : j + 1];
      const int sum = above[j] + below[j] + left + right;
      const double u = next(e, i * n + j) / 4294967296.0;
      row[j] = u < up[(sum + 4) / 2] ? 1 : -1;
    }
  }
}

void bench_run(void) {
  bench_free(ms);
  bench_free(spins);
  const size_t bytes = (size_t)(n * n) * sizeof(uint32_t);
  ms = bench_alloc((size_t)sweeps * sizeof *ms);
  spins = bench_alloc((size_t)(n * n));
  engines e = {bench_alloc(bytes), bench_alloc(bytes), bench_alloc(bytes), bench_alloc(bytes)};
  for (int64_t k = 0; k < n * n; k++) {
    e.x[k] = mix(first + (uint32_t)k + 0x9e3779b9);
    e.y[k] = mix(e.x[k] + 0x9e3779b9);
    e.z[k] = mix(e.y[k] + 0x9e3779b9);
    e.w[k] = mix(e.z[k] + 0x9e3779b9) | 1;
    spins[k] = (next(e, k) & 1) == 0 ? 1 : -1;
  }
  double up[5];
  for (int s = 0; s < 5; s++) {
    up[s] = 1 / (1 + exp(-2 * beta * (2 * s - 4)));
  }
  for (int32_t k = 0; k < sweeps; k++) {
    half_sweep(0, up, e);
    half_sweep(1, up, e);
    int64_t sum = 0;
    for (int64_t i = 0; i < n * n; i++) {
      sum += spins[i];
    }
    ms[k] = (double)sum / (double)(n * n);
  }
  bench_free(e.x);
  bench_free(e.y);
  bench_free(e.z);
  bench_free(e.w);
}

void bench_output(void) {
  bench_put_f64s(ms, 1, (int64_t[]){sweeps});
  bench_put_i8s(spins, 2, (int64_t[]){n, n});
}
