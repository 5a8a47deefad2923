// The LU decomposition of a matrix without exchange of rows, in square blocks and in place.
#include "../harness/bench.h"

enum { SIZE = 32 };

static int64_t n, dims[2];
static const float *given;
static float *a;

void bench_setup(void) {
  given = bench_f32s(2, dims);
  n = dims[0];
}

static void decompose(float *block) {
  for (int k = 0; k < SIZE; k++) {
    for (int i = k + 1; i < SIZE; i++) {
      const float factor = block[i * n + k] /= block[k * n + k];
      for (int j = k + 1; j < SIZE; j++) {
        block[i * n + j] -= factor * block[k * n + j];
      }
    }
  }
}

// A block to the right: the lower triangle's inverse times it.
static void beside(const float *restrict lu, float *restrict block) {
  for (int i = 0; i < SIZE; i++) {
    for (int k = 0; k < i; k++) {
      for (int j = 0; j < SIZE; j++) {
        block[i * n + j] -= lu[i * n + k] * block[k * n + j];
      }
    }
  }
}

// A block below: it times the upper triangle's inverse.
static void below(const float *restrict lu, float *restrict block) {
  for (int i = 0; i < SIZE; i++) {
    for (int j = 0; j < SIZE; j++) {
      const float x = block[i * n + j] /= lu[j * n + j];
      for (int k = j + 1; k < SIZE; k++) {
        block[i * n + k] -= x * lu[j * n + k];
      }
    }
  }
}

// A block less the product of two.
static void update(const float *restrict left, const float *restrict top, float *restrict block) {
  for (int i = 0; i < SIZE; i++) {
    float row[SIZE];
    memcpy(row, block + i * n, sizeof row);
    for (int k = 0; k < SIZE; k++) {
      const float factor = left[i * n + k];
      for (int j = 0; j < SIZE; j++) {
        row[j] -= factor * top[k * n + j];
      }
    }
    memcpy(block + i * n, row, sizeof row);
  }
}

void bench_run(void) {
  bench_free(a);
  a = bench_alloc((size_t)(n * n) * sizeof *a);
  memcpy(a, given, (size_t)(n * n) * sizeof *a);
  for (int64_t i = 0; i < n; i++) {
    a[i * n + i] += (float)n;
  }
  for (int64_t at = 0; at < n; at += SIZE) {
    float *diagonal = a + at * n + at;
    decompose(diagonal);
#pragma omp parallel
    {
#pragma omp for
      for (int64_t t = at + SIZE; t < n; t += SIZE) {
        beside(diagonal, a + at * n + t);
        below(diagonal, a + t * n + at);
      }
#pragma omp for collapse(2)
      for (int64_t i = at + SIZE; i < n; i += SIZE) {
        for (int64_t j = at + SIZE; j < n; j += SIZE) {
          update(a + i * n + at, a + at * n + j, a + i * n + j);
        }
      }
    }
  }
}

void bench_output(void) { bench_put_f32s(a, 2, dims); }
