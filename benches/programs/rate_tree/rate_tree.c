// Options on bonds by a tree of short rates after Hull and White, whose width is bounded. Probabilities
// and discounts of the nodes do not change from step to step; the rims stand apart, so that the loop over the
// others is vectors.
#include "../harness/bench.h"
#include <math.h>

enum { HALF = 24, SIZE = 2 * HALF + 1 };

static int64_t steps, n;
static const double *a, *b, *c;
static double *prices;

void bench_setup(void) {
  steps = bench_i64();
  a = bench_f64s(1, &n);
  b = bench_f64s(1, &n);
  c = bench_f64s(1, &n);
}

typedef struct {
  double up[SIZE], middle[SIZE], down[SIZE], discount[SIZE];
} tree;

static inline double mean(const tree *t, int k, int to, const double *restrict values) {
  return t->up[k] * values[to + 1] + t->middle[k] * values[to] + t->down[k] * values[to - 1];
}

static inline void node(const tree *t, int k, int to, double coupon, double strike,
                        const double *restrict bond, const double *restrict put,
                        double *restrict next_bond, double *restrict next_put) {
  const double value = t->discount[k] * (mean(t, k, to, bond) + coupon);
  const double later = t->discount[k] * mean(t, k, to, put), now = strike - value;
  next_bond[k] = value;
  next_put[k] = later > now ? later : now;
}

static double price(double reversion, double volatility, double rate, double years, double strike) {
  const double dt = years / (double)steps, dr = volatility * sqrt(3 * dt);
  const double wanted = ceil(0.184 / (reversion * dt));
  const int half = wanted < HALF ? (int)wanted : HALF, size = 2 * half + 1;
  const double coupon = 0.03 * dt;
  tree t;
  for (int k = 0; k < size; k++) {
    const double m = (double)(k - half) * reversion * dt, square = m * m;
    t.discount[k] = exp(-(rate + (double)(k - half) * dr) * dt);
    if (k == size - 1) {
      t.up[k] = 7.0 / 6 + (square - 3 * m) / 2;
      t.middle[k] = -1.0 / 3 - square + 2 * m;
      t.down[k] = 1.0 / 6 + (square - m) / 2;
    } else if (k == 0) {
      t.up[k] = 1.0 / 6 + (square + m) / 2;
      t.middle[k] = -1.0 / 3 - square - 2 * m;
      t.down[k] = 7.0 / 6 + (square + 3 * m) / 2;
    } else {
      t.up[k] = 1.0 / 6 + (square - m) / 2;
      t.middle[k] = 2.0 / 3 - square;
      t.down[k] = 1.0 / 6 + (square + m) / 2;
    }
  }
  double bonds[2][SIZE], puts[2][SIZE];
  for (int k = 0; k < size; k++) {
    bonds[0][k] = 1;
    puts[0][k] = 0;
  }
  int now = 0;
  for (int64_t s = 0; s < steps; s++) {
    const double *bond = bonds[now], *put = puts[now];
    double *next_bond = bonds[1 - now], *next_put = puts[1 - now];
    node(&t, 0, 1, coupon, strike, bond, put, next_bond, next_put);
    for (int k = 1; k < size - 1; k++) {
      node(&t, k, k, coupon, strike, bond, put, next_bond, next_put);
    }
    node(&t, size - 1, size - 2, coupon, strike, bond, put, next_bond, next_put);
    now = 1 - now;
  }
  return puts[now][half];
}

void bench_run(void) {
  bench_free(prices);
  prices = bench_alloc((size_t)n * sizeof *prices);
  for (int64_t i = 0; i < n; i++) {
    prices[i] = price(0.1 + 0.4 * a[i], 0.01 + 0.02 * b[i], 0.02 + 0.03 * c[i], 5, 1);
  }
}

void bench_output(void) {
  bench_put_f64s(prices, 1, &n);
}
