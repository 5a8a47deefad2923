// Seam carving (Avidan and Shamir, 2007): an image becomes narrower by the removal of seams, which dynamic
// programming finds. The first and the last column stand apart, so that the loops over rows are vectors;
// rows stay where they are and become shorter.
#include "../harness/bench.h"

static int32_t seams;
static int64_t dims[2], width;
static const uint8_t *given;
static int32_t *image;

void bench_setup(void) {
  seams = bench_i32();
  given = bench_u8s(2, dims);
}

static inline int32_t difference(int32_t a, int32_t b) { return a < b ? b - a : a - b; }

static inline int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }

static inline int32_t energy(const int32_t *above, const int32_t *row, const int32_t *below, int64_t l,
                             int64_t j, int64_t r) {
  return difference(row[r], row[l]) + difference(below[j], above[j]);
}

static void find_costs(int64_t n, int64_t m, int64_t stride, int32_t *restrict costs) {
  for (int64_t i = n - 1; i >= 0; i--) {
    const int32_t *row = image + i * stride;
    const int32_t *above = i > 0 ? row - stride : row, *below = i < n - 1 ? row + stride : row;
    int32_t *restrict to = costs + i * stride;
    to[0] = energy(above, row, below, 0, 0, m > 1 ? 1 : 0);
    for (int64_t j = 1; j < m - 1; j++) {
      to[j] = energy(above, row, below, j - 1, j, j + 1);
    }
    if (m > 1) {
      to[m - 1] = energy(above, row, below, m - 2, m - 1, m - 1);
    }
    if (i == n - 1) {
      continue;
    }
    const int32_t *next = to + stride;
    to[0] += m > 1 ? least(next[0], next[1]) : next[0];
    for (int64_t j = 1; j < m - 1; j++) {
      to[j] += least(next[j], least(next[j - 1], next[j + 1]));
    }
    if (m > 1) {
      to[m - 1] += least(next[m - 1], next[m - 2]);
    }
  }
}

static inline int64_t cheapest(int64_t m, const int32_t *costs, int64_t j) {
  int64_t best = j;
  if (j > 0 && costs[j - 1] < costs[best]) {
    best = j - 1;
  }
  if (j < m - 1 && costs[j + 1] < costs[best]) {
    best = j + 1;
  }
  return best;
}

static void carve(int64_t n, int64_t m, int64_t stride, const int32_t *costs) {
  int64_t column = 0;
  for (int64_t j = 1; j < m; j++) {
    if (costs[j] < costs[column]) {
      column = j;
    }
  }
  for (int64_t i = 0; i < n; i++) {
    if (i > 0) {
      column = cheapest(m, costs + i * stride, column);
    }
    int32_t *pixel = image + i * stride + column;
    memmove(pixel, pixel + 1, (size_t)(m - 1 - column) * sizeof *pixel);
  }
}

void bench_run(void) {
  bench_free(image);
  const int64_t n = dims[0], stride = dims[1];
  const size_t bytes = (size_t)(n * stride) * sizeof(int32_t);
  image = bench_alloc(bytes);
  int32_t *costs = bench_alloc(bytes);
  for (int64_t k = 0; k < n * stride; k++) {
    image[k] = given[k];
  }
  width = stride;
  for (int32_t s = 0; s < seams; s++) {
    find_costs(n, width, stride, costs);
    carve(n, width, stride, costs);
    width--;
  }
  bench_free(costs);
  int32_t *narrow = bench_alloc((size_t)(n * width) * sizeof *narrow);
  for (int64_t i = 0; i < n; i++) {
    memcpy(narrow + i * width, image + i * stride, (size_t)width * sizeof *narrow);
  }
  bench_free(image);
  image = narrow;
}

void bench_output(void) {
  bench_put_i32s(image, 2, (int64_t[]){dims[0], width});
}
