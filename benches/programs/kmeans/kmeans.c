// Lloyd's algorithm: points are gathered around k centres, the first k points at the start, which
// then move to the middle of their points.
#include "../harness/bench.h"
#include <math.h>

static int32_t rounds;
static int64_t k, dims[2];
static const float *points;
static float *centres;

void bench_setup(void) {
  rounds = bench_i32();
  k = bench_i64();
  points = bench_f32s(2, dims);
}

static int64_t nearest(int64_t d, const float *point) {
  int64_t best = k;
  float best_distance = INFINITY;
  for (int64_t c = 0; c < k; c++) {
    float distance = 0;
    for (int64_t j = 0; j < d; j++) {
      const float difference = point[j] - centres[c * d + j];
      distance += difference * difference;
    }
    if (distance < best_distance) {
      best = c;
      best_distance = distance;
    }
  }
  return best;
}

void bench_run(void) {
  bench_free(centres);
  const int64_t n = dims[0], d = dims[1];
  const size_t bytes = (size_t)(k * d) * sizeof(float);
  centres = bench_alloc(bytes);
  float *sums = bench_alloc(bytes);
  int32_t *sizes = bench_alloc((size_t)k * sizeof *sizes);
  memcpy(centres, points, bytes);
  for (int32_t r = 0; r < rounds; r++) {
    memset(sums, 0, bytes);
    memset(sizes, 0, (size_t)k * sizeof *sizes);
    for (int64_t i = 0; i < n; i++) {
      const float *point = points + i * d;
      const int64_t c = nearest(d, point);
      if (c < k) {
        sizes[c]++;
        for (int64_t j = 0; j < d; j++) {
          sums[c * d + j] += point[j];
        }
      }
    }
    for (int64_t c = 0; c < k; c++) {
      for (int64_t j = 0; sizes[c] > 0 && j < d; j++) {
        centres[c * d + j] = sums[c * d + j] / (float)sizes[c];
      }
    }
  }
  bench_free(sizes);
  bench_free(sums);
}

void bench_output(void) {
  bench_put_f32s(centres, 2, (int64_t[]){k, dims[1]});
}
