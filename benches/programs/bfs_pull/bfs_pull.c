// Breadth-first search by pulling. A vertex asks until one answers. In place: what is written has another level than
// what is looked for.
#include "../harness/bench.h"

enum { DEGREE = 8 };

static int64_t n;
static const uint32_t *edges;
static int32_t *levels;

void bench_setup(void) {
  int64_t dims[2];
  edges = bench_u32s(2, dims);
  n = dims[0];
}

void bench_run(void) {
  bench_free(levels);
  levels = bench_alloc((size_t)n * sizeof *levels);
  int32_t *neighbours = bench_alloc((size_t)n * DEGREE * sizeof *neighbours);
  for (int64_t e = 0; e < n * DEGREE; e++) {
    neighbours[e] = (int32_t)(((uint64_t)edges[e] * (uint64_t)n) >> 32);
  }
  for (int64_t v = 0; v < n; v++) {
    levels[v] = -1;
  }
  levels[0] = 0;
  bool more = true;
  for (int32_t depth = 0; more; depth++) {
    more = false;
    for (int64_t v = 0; v < n; v++) {
      if (levels[v] >= 0) {
        continue;
      }
      for (int k = 0; k < DEGREE; k++) {
        if (levels[neighbours[v * DEGREE + k]] == depth) {
          levels[v] = depth + 1;
          more = true;
          break;
        }
      }
    }
  }
  bench_free(neighbours);
}

void bench_output(void) {
  bench_put_i32s(levels, 1, &n);
}
