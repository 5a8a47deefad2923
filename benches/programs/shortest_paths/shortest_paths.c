// The lengths of the shortest paths between all vertices of a graph, by Floyd and Warshall.
#include "../harness/bench.h"

static int64_t dims[2];
static const float *lengths;
static float *paths;

void bench_setup(void) {
  lengths = bench_f32s(2, dims);
}

void bench_run(void) {
  bench_free(paths);
  const int64_t n = dims[0];
  paths = bench_alloc((size_t)(n * n) * sizeof *paths);
  float *restrict d = paths;
  memcpy(d, lengths, (size_t)(n * n) * sizeof *d);
  float *restrict through = malloc((size_t)n * sizeof *through);
  for (int64_t k = 0; k < n; k++) {
    memcpy(through, d + k * n, (size_t)n * sizeof *through);
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
      float *restrict row = d + i * n;
      const float via = row[k];
      for (int64_t j = 0; j < n; j++) {
        const float x = via + through[j];
        row[j] = x < row[j] ? x : row[j];
      }
    }
  }
  free(through);
}

void bench_output(void) {
  bench_put_f32s(paths, 2, dims);
}
