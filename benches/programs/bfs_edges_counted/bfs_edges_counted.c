// Breadth-first search over all edges in every round, into a copy of the levels; then those that have one are counted.
#include "../harness/bench.h"

static int64_t n, m;
static const uint32_t *edges;
static int32_t *levels;

void bench_setup(void) {
  int64_t dims[2];
  edges = bench_u32s(2, dims);
  m = dims[1];
  n = m / 8 + 1;
}

void bench_run(void) {
  bench_free(levels);
  levels = bench_alloc((size_t)n * sizeof *levels);
  int32_t *us = bench_alloc((size_t)m * sizeof *us);
  int32_t *vs = bench_alloc((size_t)m * sizeof *vs);
  for (int64_t e = 0; e < m; e++) {
    us[e] = (int32_t)(((uint64_t)edges[e] * (uint64_t)n) >> 32);
    vs[e] = (int32_t)(((uint64_t)edges[m + e] * (uint64_t)n) >> 32);
  }
  for (int64_t v = 0; v < n; v++) {
    levels[v] = -1;
  }
  levels[0] = 0;
  int64_t before = 0, now = 1;
  for (int32_t depth = 0; now > before; depth++) {
    int32_t *next = bench_alloc((size_t)n * sizeof *next);
    memcpy(next, levels, (size_t)n * sizeof *next);
    for (int64_t e = 0; e < m; e++) {
      if (levels[us[e]] == depth && levels[vs[e]] < 0) {
        next[vs[e]] = depth + 1;
      }
    }
    bench_free(levels);
    levels = next;
    before = now;
    now = 0;
    for (int64_t v = 0; v < n; v++) {
      now += levels[v] >= 0;
    }
  }
  bench_free(us);
  bench_free(vs);
}

void bench_output(void) {
  bench_put_i32s(levels, 1, &n);
}
