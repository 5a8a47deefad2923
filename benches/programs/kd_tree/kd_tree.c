// Nearest neighbours by a k-d tree over points whose number is a power of two. Blocks are parted around their
// medians by Hoare's selection, which sorting would only do more slowly.
#include "../harness/bench.h"
#include <math.h>

typedef struct {
  float at[3];
} point;

typedef struct {
  int32_t node, level;
  float least;
} task;

static int64_t n, m;
static const point *given, *queries;
static float *distances;

void bench_setup(void) {
  int64_t dims[2];
  given = (const point *)bench_f32s(2, dims);
  n = dims[0];
  queries = (const point *)bench_f32s(2, dims);
  m = dims[0];
}

// Puts the element of rank k to its place, smaller ones before it, larger ones behind.
static void part(point *restrict ps, int64_t size, int64_t k, int axis) {
  int64_t low = 0, high = size - 1;
  while (low < high) {
    const float pivot = ps[low + (high - low) / 2].at[axis];
    int64_t i = low, j = high;
    while (i <= j) {
      while (ps[i].at[axis] < pivot) {
        i++;
      }
      while (pivot < ps[j].at[axis]) {
        j--;
      }
      if (i <= j) {
        const point swapped = ps[i];
        ps[i++] = ps[j];
        ps[j--] = swapped;
      }
    }
    if (k <= j) {
      high = j;
    } else if (k >= i) {
      low = i;
    } else {
      return;
    }
  }
}

static void build(float *restrict splits, point *restrict leaves) {
  int level = 0;
  for (int64_t nodes = 1; nodes < n; nodes *= 2, level++) {
    const int64_t block = n / nodes;
    for (int64_t k = 0; k < nodes; k++) {
      part(leaves + k * block, block, block / 2, level % 3);
      splits[nodes + k] = leaves[k * block + block / 2].at[level % 3];
    }
  }
}

static inline float distance2(point p, point q) {
  const float dx = p.at[0] - q.at[0], dy = p.at[1] - q.at[1], dz = p.at[2] - q.at[2];
  return dx * dx + dy * dy + dz * dz;
}

static inline float nearest(const float *restrict splits, const point *restrict leaves, point q) {
  task stack[32];
  stack[0] = (task){1, 0, 0};
  int top = 1;
  float best = INFINITY;
  while (top > 0) {
    task t = stack[--top];
    if (t.least >= best) {
      continue;
    }
    // Down to a leaf; what is on the other side waits.
    while (t.node < n) {
      const float away = q.at[t.level % 3] - splits[t.node];
      const int32_t near = 2 * t.node + (away < 0 ? 0 : 1);
      const float other = away * away;
      stack[top++] = (task){near ^ 1, t.level + 1, other > t.least ? other : t.least};
      t.node = near;
      t.level++;
    }
    const float d = distance2(q, leaves[t.node - n]);
    best = d < best ? d : best;
  }
  return best;
}

void bench_run(void) {
  bench_free(distances);
  distances = bench_alloc((size_t)m * sizeof *distances);
  float *splits = bench_alloc((size_t)n * sizeof *splits);
  point *leaves = bench_alloc((size_t)n * sizeof *leaves);
  memcpy(leaves, given, (size_t)n * sizeof *leaves);
  build(splits, leaves);
  for (int64_t i = 0; i < m; i++) {
    distances[i] = sqrtf(nearest(splits, leaves, queries[i]));
  }
  bench_free(splits);
  bench_free(leaves);
}

void bench_output(void) {
  bench_put_f32s(distances, 1, &m);
}
