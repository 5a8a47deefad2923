// PageRank over compressed sparse rows. Page v is linked to from degrees[v] % 16 pages, which come after
// those of the pages before it, and count modulo the number of pages.
#include "../harness/bench.h"

static int32_t steps;
static int64_t n, m;
static const uint8_t *degrees;
static const uint32_t *links;
static float *ranks;

void bench_setup(void) {
  steps = bench_i32();
  degrees = bench_u8s(1, &n);
  links = bench_u32s(1, &m);
}

static inline float gather(const float *restrict shares, const uint32_t *restrict sources, int degree) {
  float sum = 0;
  for (int k = 0; k < degree; k++) {
    sum += shares[sources[k]];
  }
  return sum;
}

static void step(float damping, const uint32_t *restrict sources, const float *restrict over,
                 float *restrict shares) {
  float lost = 0;
  for (int64_t v = 0; v < n; v++) {
    shares[v] = ranks[v] * over[v];
    lost += over[v] == 0 ? ranks[v] : 0;
  }
  const float everywhere = (1 - damping + damping * lost) / (float)n;
  for (int64_t v = 0; v < n; v++) {
    const int degree = degrees[v] % 16;
    ranks[v] = everywhere + damping * gather(shares, sources, degree);
    sources += degree;
  }
}

void bench_run(void) {
  bench_free(ranks);
  ranks = bench_alloc((size_t)n * sizeof *ranks);
  float *over = bench_alloc((size_t)n * sizeof *over), *shares = bench_alloc((size_t)n * sizeof *shares);
  int32_t *out = bench_alloc((size_t)n * sizeof *out);
  int64_t used = 0;
  for (int64_t v = 0; v < n; v++) {
    ranks[v] = 1 / (float)n;
    out[v] = 0;
    used += degrees[v] % 16;
  }
  uint32_t *sources = bench_alloc((size_t)used * sizeof *sources);
  for (int64_t k = 0; k < used; k++) {
    sources[k] = links[k] % (uint32_t)n;
    out[sources[k]]++;
  }
  for (int64_t v = 0; v < n; v++) {
    over[v] = out[v] == 0 ? 0 : 1 / (float)out[v];
  }
  for (int32_t s = 0; s < steps; s++) {
    step(0.85f, sources, over, shares);
  }
  for (int64_t v = 0; v < n; v++) {
    ranks[v] *= (float)n;
  }
  bench_free(over);
  bench_free(shares);
  bench_free(out);
  bench_free(sources);
}

void bench_output(void) {
  bench_put_f32s(ranks, 1, &n);
}
