// The convex hull of points in the plane by quickhull: the points outside of an edge are parted, in place, into
// those outside of its two halves, and both go on by themselves.
#include "../harness/bench.h"

enum { TASK = 5000 };

static int64_t n, corners;
static double height;
static const double *xs, *heights;
static double *ys;
static int64_t *hull;

void bench_setup(void) {
  int64_t dims[2];
  height = bench_f64();
  xs = bench_f64s(2, dims);
  n = dims[1];
  heights = xs + n;
}

// Twice the area of a triangle; positive if p lies to the left of the way from a to b.
static inline double area(int64_t a, int64_t b, int64_t p) {
  return (xs[b] - xs[a]) * (ys[p] - ys[a]) - (ys[b] - ys[a]) * (xs[p] - xs[a]);
}

// Writes the corners behind a up to b, and how many; outside are `count` points. Each edge has room for as many
// corners as there are points outside of it.
static int64_t edge(int64_t a, int64_t b, int64_t *outside, int64_t count, int64_t *to) {
  if (count == 0) {
    return 0;
  }
  double most = -1;
  int64_t farthest = 0;
  for (int64_t i = 0; i < count; i++) {
    const int64_t p = outside[i];
    const double d = area(a, b, p);
    if (d > most || (d == most && p < farthest)) {
      most = d;
      farthest = p;
    }
  }
  int64_t left = 0, right = 0;
  for (int64_t i = 0; i < count; i++) {
    const int64_t p = outside[i];
    // With fused operations its own area need not be zero.
    if (p == farthest) {
      continue;
    }
    if (area(a, farthest, p) > 0) {
      outside[i] = outside[left + right];
      outside[left + right] = outside[left];
      outside[left++] = p;
    } else if (area(farthest, b, p) > 0) {
      outside[i] = outside[left + right];
      outside[left + right++] = p;
    }
  }
  int64_t first = 0, second = 0;
#pragma omp task shared(first) if (left > TASK)
  first = edge(a, farthest, outside, left, to);
  second = edge(farthest, b, outside + left, right, to + left + 1);
#pragma omp taskwait
  to[first] = farthest;
  memmove(to + first + 1, to + left + 1, (size_t)second * sizeof *to);
  return first + 1 + second;
}

void bench_run(void) {
  bench_free(hull);
  hull = bench_alloc((size_t)(n + 2) * sizeof *hull);
  ys = bench_alloc((size_t)n * sizeof *ys);
  for (int64_t i = 0; i < n; i++) {
    ys[i] = xs[i] * xs[i] + height * heights[i];
  }
  int64_t west = 0, east = 0;
  for (int64_t i = 1; i < n; i++) {
    if (xs[i] < xs[west] || (xs[i] == xs[west] && ys[i] < ys[west])) {
      west = i;
    }
    if (xs[i] > xs[east] || (xs[i] == xs[east] && ys[i] > ys[east])) {
      east = i;
    }
  }
  int64_t *outside = bench_alloc((size_t)n * sizeof *outside);
  int64_t above = 0, below = 0;
  for (int64_t i = 0; i < n; i++) {
    const double d = area(west, east, i);
    if (d > 0) {
      outside[above++] = i;
    } else if (d < 0) {
      outside[n - ++below] = i;
    }
  }
  corners = 0;
  hull[corners++] = west;
  if (west != east) {
#pragma omp parallel
#pragma omp single
    corners += edge(west, east, outside, above, hull + corners);
    hull[corners++] = east;
    // What was used of the upper part leaves room enough for the lower one.
#pragma omp parallel
#pragma omp single
    corners += edge(east, west, outside + n - below, below, hull + corners);
  }
  bench_free(outside);
  bench_free(ys);
}

void bench_output(void) {
  bench_put_i64s(hull, 1, &corners);
}
