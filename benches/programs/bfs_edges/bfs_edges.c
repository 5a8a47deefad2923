// Breadth-first search over all edges in every round. In place: what is written has another level than what is
// looked for, so that no copy is needed.
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
  bool more = true;
  for (int32_t depth = 0; more; depth++) {
    more = false;
    for (int64_t e = 0; e < m; e++) {
      if (levels[us[e]] == depth && levels[vs[e]] < 0) {
        levels[vs[e]] = depth + 1;
        more = true;
      }
    }
  }
  bench_free(us);
  bench_free(vs);
}

void bench_output(void) {
  bench_put_i32s(levels, 1, &n);
}
