// Breadth-first search with a queue: the distance of every vertex from the first, -1 where there is
// no way. Vertex v has degrees[v] % 8 edges, which come after those of the vertices before it, and
// whose ends count modulo the number of vertices.
#include "../harness/bench.h"

static int64_t n, m;
static const uint8_t *degrees;
static const uint32_t *edges;
static int32_t *distances;

void bench_setup(void) {
  degrees = bench_u8s(1, &n);
  edges = bench_u32s(1, &m);
}

void bench_run(void) {
  bench_free(distances);
  distances = bench_alloc((size_t)n * sizeof *distances);
  int64_t *offsets = bench_alloc((size_t)n * sizeof *offsets);
  int64_t *queue = bench_alloc((size_t)n * sizeof *queue);
  int64_t offset = 0;
  for (int64_t v = 0; v < n; v++) {
    offsets[v] = offset;
    offset += degrees[v] % 8;
    distances[v] = -1;
  }
  int64_t read = 0, written = 0;
  distances[0] = 0;
  queue[written++] = 0;
  while (read < written) {
    const int64_t v = queue[read++];
    const uint32_t *row = edges + offsets[v];
    for (int e = 0; e < degrees[v] % 8; e++) {
      const int64_t end = row[e] % (uint32_t)n;
      if (distances[end] < 0) {
        distances[end] = distances[v] + 1;
        queue[written++] = end;
      }
    }
  }
  bench_free(queue);
  bench_free(offsets);
}

void bench_output(void) {
  bench_put_i32s(distances, 1, &n);
}
