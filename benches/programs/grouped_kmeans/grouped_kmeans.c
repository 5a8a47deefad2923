// k-means of many groups of points, one group after the other.
#include "../harness/bench.h"

enum { K = 2 };

static int32_t rounds;
static int64_t g, n;
static const uint16_t *sizes;
static const float *xs, *ys;
static float *centres;

void bench_setup(void) {
  int64_t dims[2];
  rounds = bench_i32();
  sizes = bench_u16s(1, &g);
  xs = bench_f32s(2, dims);
  n = dims[1];
  ys = xs + n;
}

static int64_t size_of(int64_t i) { return sizes[i] % 64 == 0 ? 2000 : sizes[i] % 16; }

static void group(int64_t start, int64_t size, float *centre) {
  float cx[K], cy[K];
  for (int c = 0; c < K; c++) {
    const int64_t p = size == 0 ? 0 : (start + c * size / K) % n;
    cx[c] = size == 0 ? 0 : xs[p];
    cy[c] = size == 0 ? 0 : ys[p];
  }
  for (int32_t r = 0; r < rounds; r++) {
    float sx[K] = {0}, sy[K] = {0}, count[K] = {0};
    int64_t p = start % n;
    for (int64_t i = 0; i < size; i++) {
      int best = 0;
      float least = 1 / 0.0f;
      for (int c = 0; c < K; c++) {
        const float dx = xs[p] - cx[c], dy = ys[p] - cy[c], d = dx * dx + dy * dy;
        if (d < least) {
          least = d;
          best = c;
        }
      }
      sx[best] += xs[p];
      sy[best] += ys[p];
      count[best] += 1;
      p = p + 1 == n ? 0 : p + 1;
    }
    for (int c = 0; c < K; c++) {
      if (count[c] != 0) {
        cx[c] = sx[c] / count[c];
        cy[c] = sy[c] / count[c];
      }
    }
  }
  for (int c = 0; c < K; c++) {
    centre[c] = cx[c];
    centre[K + c] = cy[c];
  }
}

void bench_run(void) {
  bench_free(centres);
  centres = bench_alloc((size_t)g * 2 * K * sizeof *centres);
  int64_t *starts = bench_alloc((size_t)(g + 1) * sizeof *starts);
  starts[0] = 0;
  for (int64_t i = 0; i < g; i++) {
    starts[i + 1] = starts[i] + size_of(i);
  }
#pragma omp parallel for schedule(dynamic, 16)
  for (int64_t i = 0; i < g; i++) {
    group(starts[i], starts[i + 1] - starts[i], centres + i * 2 * K);
  }
  bench_free(starts);
}

void bench_output(void) {
  const int64_t dims[2] = {g, 2 * K};
  bench_put_f32s(centres, 2, dims);
}
