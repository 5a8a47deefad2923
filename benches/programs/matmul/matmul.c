/* The product of two matrices, in blocks that fit the caches: of each panel of b, KB rows by JB
   columns, the rows of a take IB at a time, whose sums stay in registers. */

#include "bench.h"

enum { KB = 256, JB = 512, IB = 4, LANES = 16 };

static int64_t n;
static int64_t m;
static int64_t p;
static const float *a;
static const float *b;
static float *c;

static void bench_setup(void) {
  int64_t dims[2];
  a = bench_f32s(2, dims);
  n = dims[0];
  m = dims[1];
  b = bench_f32s(2, dims);
  if (dims[0] != m) {
    bench_fail("the sizes of the matrices do not fit");
  }
  p = dims[1];
}

static int64_t least(int64_t x, int64_t y) {
  return x < y ? x : y;
}

/* Adds a's columns [k0, k1) times b's rows [k0, k1) to IB rows and LANES columns of c. */
static void tile(int64_t i, int64_t j, int64_t k0, int64_t k1) {
  float sums[IB][LANES];
  for (int r = 0; r < IB; r++) {
    memcpy(sums[r], &c[(i + r) * p + j], sizeof sums[r]);
  }
  for (int64_t k = k0; k < k1; k++) {
    const float *restrict row = &b[k * p + j];
    for (int r = 0; r < IB; r++) {
      float x = a[(i + r) * m + k];
      for (int l = 0; l < LANES; l++) {
        sums[r][l] += x * row[l];
      }
    }
  }
  for (int r = 0; r < IB; r++) {
    memcpy(&c[(i + r) * p + j], sums[r], sizeof sums[r]);
  }
}

/* The same for what no tile covers. */
static void rest(int64_t i0, int64_t i1, int64_t j0, int64_t j1, int64_t k0, int64_t k1) {
  for (int64_t i = i0; i < i1; i++) {
    for (int64_t k = k0; k < k1; k++) {
      float x = a[i * m + k];
      for (int64_t j = j0; j < j1; j++) {
        c[i * p + j] += x * b[k * p + j];
      }
    }
  }
}

static void bench_run(void) {
  bench_free(c);
  c = bench_alloc((size_t)(n * p) * sizeof *c);
  memset(c, 0, (size_t)(n * p) * sizeof *c);
  for (int64_t j0 = 0; j0 < p; j0 += JB) {
    int64_t j1 = least(j0 + JB, p);
    for (int64_t k0 = 0; k0 < m; k0 += KB) {
      int64_t k1 = least(k0 + KB, m);
      int64_t i = 0;
      for (; i + IB <= n; i += IB) {
        int64_t j = j0;
        for (; j + LANES <= j1; j += LANES) {
          tile(i, j, k0, k1);
        }
        rest(i, i + IB, j, j1, k0, k1);
      }
      rest(i, n, j0, j1, k0, k1);
    }
  }
}

static void bench_output(void) {
  bench_put_f32s(c, 2, (int64_t[]){n, p});
}
