// Breadth-first search with a frontier, by the same steps: the ends of its edges are gathered, those without a level are
// kept, each of these claims its vertex, and those whose claim holds are the next frontier.
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
  int32_t *ends = bench_alloc((size_t)n * DEGREE * sizeof *ends);
  int32_t *reached = bench_alloc((size_t)n * DEGREE * sizeof *reached);
  int32_t *frontier = bench_alloc((size_t)n * sizeof *frontier);
  int64_t *claims = bench_alloc((size_t)n * sizeof *claims);
  for (int64_t e = 0; e < n * DEGREE; e++) {
    ends[e] = (int32_t)(((uint64_t)edges[e] * (uint64_t)n) >> 32);
  }
  for (int64_t v = 0; v < n; v++) {
    levels[v] = -1;
    claims[v] = -1;
  }
  levels[0] = 0;
  frontier[0] = 0;
  int64_t length = 1;
  for (int32_t depth = 1; length > 0; depth++) {
    for (int64_t i = 0; i < length; i++) {
      memcpy(reached + i * DEGREE, ends + (int64_t)frontier[i] * DEGREE, DEGREE * sizeof *ends);
    }
    const int64_t all = length * DEGREE;
    int64_t new = 0;
    for (int64_t e = 0; e < all; e++) {
      if (levels[reached[e]] < 0) {
        reached[new++] = reached[e];
      }
    }
    for (int64_t i = 0; i < new; i++) {
      claims[reached[i]] = i;
    }
    length = 0;
    for (int64_t i = 0; i < new; i++) {
      if (claims[reached[i]] == i) {
        frontier[length++] = reached[i];
      }
    }
    for (int64_t i = 0; i < length; i++) {
      levels[frontier[i]] = depth;
    }
  }
  bench_free(ends);
  bench_free(reached);
  bench_free(frontier);
  bench_free(claims);
}

void bench_output(void) {
  bench_put_i32s(levels, 1, &n);
}
