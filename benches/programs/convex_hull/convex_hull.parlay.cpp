// The quickhull of parlaylib's examples, for the points above and, turned by half a circle, below.
#include "../harness/bench.h"

#include <quickhull.h>

static int64_t n;
static double height;
static const double *given;
static std::vector<int64_t> hull;

void bench_setup(void) {
  int64_t dims[2];
  height = bench_f64();
  given = bench_f64s(2, dims);
  n = dims[1];
}

static intseq upper(double sign) {
  const auto points = parlay::tabulate(n, [&](size_t i) {
    const double x = given[i], y = x * x + height * given[n + i];
    return point{sign * x, sign * y};
  });
  return upper_hull(points);
}

void bench_run(void) {
  const intseq above = upper(1), below = upper(-1);
  hull.assign(above.begin(), above.end());
  hull.insert(hull.end(), below.begin() + 1, below.end() - 1);
}

void bench_output(void) {
  const int64_t corners = (int64_t)hull.size();
  bench_put_i64s(hull.data(), 1, &corners);
}
