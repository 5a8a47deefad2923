// Breadth-first search as parlaylib's examples have it; the graph is made before.
#include "../harness/bench.h"

#include <BFS.h>

static int64_t n;
// Not destroyed: that would need the threads, which have ended by then.
static auto &graph = *new parlay::sequence<parlay::sequence<uint32_t>>;
static parlay::sequence<int32_t> distances;

void bench_setup(void) {
  int64_t m;
  const uint8_t *degrees = bench_u8s(1, &n);
  const uint32_t *edges = bench_u32s(1, &m);
  int64_t offset = 0;
  for (int64_t v = 0; v < n; v++) {
    parlay::sequence<uint32_t> ends(degrees[v] % 8);
    for (uint32_t &end : ends) {
      end = edges[offset++] % (uint32_t)n;
    }
    graph.push_back(ends);
  }
}

void bench_run(void) {
  distances = parlay::sequence<int32_t>(n, -1);
  const auto frontiers = BFS<uint32_t>(0, graph);
  for (size_t depth = 0; depth < frontiers.size(); depth++) {
    const auto &frontier = frontiers[depth];
    parlay::parallel_for(0, frontier.size(), [&](size_t i) { distances[frontier[i]] = (int32_t)depth; });
  }
}

void bench_output(void) {
  bench_put_i32s(distances.data(), 1, &n);
}
