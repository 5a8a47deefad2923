// The scan of products of matrices of four rows and columns.
#include "../harness/bench.h"

static int64_t n;
static const float *ms;
static float *products;

void bench_setup(void) {
  int64_t dims[3];
  ms = bench_f32s(3, dims);
  n = dims[0];
}

void bench_run(void) {
  bench_free(products);
  products = bench_alloc((size_t)n * 16 * sizeof *products);
  float now[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  for (int64_t m = 0; m < n; m++) {
    float next[4][4], small[4][4];
    for (int k = 0; k < 4; k++) {
      const float *row = ms + m * 16 + k * 4;
      const float s = row[0] + row[1] + row[2] + row[3];
      for (int j = 0; j < 4; j++) {
        small[k][j] = row[j] / s;
      }
    }
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 4; j++) {
        float s = 0;
        for (int k = 0; k < 4; k++) {
          s += now[i][k] * small[k][j];
        }
        next[i][j] = s;
      }
    }
    memcpy(now, next, sizeof now);
    memcpy(products + m * 16, now, sizeof now);
  }
}

void bench_output(void) {
  const int64_t dims[3] = {n, 4, 4};
  bench_put_f32s(products, 3, dims);
}
