// A maximal independent set of a graph, by Luby's algorithm with fixed priorities. Vertices are joined to those at some
// distances around a ring, on both sides.
#include "../harness/bench.h"

static int64_t n, k;
static const uint32_t *priorities;
static const uint16_t *distances;
static bool *set;

void bench_setup(void) {
  priorities = bench_u32s(1, &n);
  distances = bench_u16s(1, &k);
}

static int64_t neighbour(int64_t v, int64_t e) {
  const int64_t d = distances[e / 2] % n;
  const int64_t w = e % 2 == 0 ? v + d : v - d;
  return w >= n ? w - n : w < 0 ? w + n : w;
}

static bool is_first(const int8_t *states, int64_t v) {
  for (int64_t e = 0; e < 2 * k; e++) {
    const int64_t w = neighbour(v, e);
    const bool before = priorities[v] < priorities[w] || (priorities[v] == priorities[w] && v < w);
    if (w != v && states[w] != 2 && !before) {
      return false;
    }
  }
  return true;
}

static bool is_beside(const int64_t v) {
  for (int64_t e = 0; e < 2 * k; e++) {
    const int64_t w = neighbour(v, e);
    if (w != v && set[w]) {
      return true;
    }
  }
  return false;
}

void bench_run(void) {
  bench_free(set);
  set = bench_alloc((size_t)n * sizeof *set);
  int8_t *states = bench_alloc((size_t)n * sizeof *states);
  memset(states, 0, (size_t)n);
  int64_t left = n;
  while (left > 0) {
#pragma omp parallel for schedule(dynamic, 1024)
    for (int64_t v = 0; v < n; v++) {
      set[v] = states[v] == 1 || (states[v] == 0 && is_first(states, v));
    }
    left = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : left)
    for (int64_t v = 0; v < n; v++) {
      states[v] = set[v] ? 1 : states[v] == 0 && is_beside(v) ? 2 : states[v];
      left += states[v] == 0;
    }
  }
  bench_free(states);
}

void bench_output(void) {
  bench_put_bools(set, 1, &n);
}
