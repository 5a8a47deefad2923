// Breadth-first search by levels over all vertices: in each round every vertex that is not reached yet asks
// those with edges to it whether they were reached in the round before.
#include "../harness/bench.h"

static int64_t n, m;
static const uint8_t *degrees;
static const uint32_t *sources;
static int32_t *levels;
static int64_t *parents;

void bench_setup(void) {
  degrees = bench_u8s(1, &n);
  sources = bench_u32s(1, &m);
}

// The first of the sources that was reached in the round before, or -1.
static inline int64_t ask(const int32_t *restrict known, const uint32_t *from, int degree,
                          int32_t round) {
  for (int k = 0; k < degree; k++) {
    const uint32_t u = from[k] % (uint32_t)n;
    if (known[u] == round - 1) {
      return u;
    }
  }
  return -1;
}

void bench_run(void) {
  bench_free(levels);
  bench_free(parents);
  levels = bench_alloc((size_t)n * sizeof *levels);
  parents = bench_alloc((size_t)n * sizeof *parents);
  for (int64_t v = 0; v < n; v++) {
    levels[v] = -1;
    parents[v] = -1;
  }
  levels[0] = 0;
  parents[0] = 0;
  bool more = true;
  for (int32_t round = 1; more; round++) {
    more = false;
    const uint32_t *from = sources;
    for (int64_t v = 0; v < n; v++) {
      const int degree = degrees[v] % 8;
      if (levels[v] < 0) {
        // What was reached in this round has another level, so that no copy is needed.
        const int64_t parent = ask(levels, from, degree, round);
        if (parent >= 0) {
          levels[v] = round;
          parents[v] = parent;
          more = true;
        }
      }
      from += degree;
    }
  }
}

void bench_output(void) {
  bench_put_i32s(levels, 1, &n);
  bench_put_i64s(parents, 1, &n);
}
