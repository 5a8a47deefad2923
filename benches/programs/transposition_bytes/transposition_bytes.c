// The transpose of a matrix of bytes, by square blocks that fit the first cache.
#include "../harness/bench.h"

enum { BLOCK = 16 };

static int64_t dims[2];
static const int8_t *a;
static int8_t *transposed;

void bench_setup(void) {
  a = bench_i8s(2, dims);
}

static int64_t least(int64_t x, int64_t y) {
  return x < y ? x : y;
}

void bench_run(void) {
  bench_free(transposed);
  const int64_t n = dims[0], m = dims[1];
  const int8_t *restrict from = a;
  int8_t *restrict to = bench_alloc((size_t)(n * m) * sizeof *to);
  for (int64_t i0 = 0; i0 < n; i0 += BLOCK) {
    for (int64_t j0 = 0; j0 < m; j0 += BLOCK) {
      const int64_t i1 = least(i0 + BLOCK, n), j1 = least(j0 + BLOCK, m);
      for (int64_t j = j0; j < j1; j++) {
        for (int64_t i = i0; i < i1; i++) {
          to[j * n + i] = from[i * m + j];
        }
      }
    }
  }
  transposed = to;
}

void bench_output(void) {
  bench_put_i8s(transposed, 2, (int64_t[]){dims[1], dims[0]});
}
