// Calibration of a short-rate model: for each of many markets the parameters of the model of Cox, Ingersoll
// and Ross whose yields are nearest to the market's, by the method of Levenberg and Marquardt. What of a
// yield does not depend on the years is computed once for all maturities.
#include "../harness/bench.h"
#include <math.h>

enum { QUOTES = 10 };

static const double maturities[QUOTES] = {0.25, 0.5, 1, 2, 3, 5, 7, 10, 15, 20};

typedef struct {
  double speed, mean, volatility;
} parameters;

// What yields of all maturities share.
typedef struct {
  double rate, gamma, sum, power;
} model;

static int32_t steps;
static int64_t n;
static const double *a, *b, *c, *d;
static double *errors, *longest;

void bench_setup(void) {
  steps = bench_i32();
  a = bench_f64s(1, &n);
  b = bench_f64s(1, &n);
  c = bench_f64s(1, &n);
  d = bench_f64s(1, &n);
}

// The model of the logarithms of parameters.
static inline model prepare(double rate, parameters p) {
  const double speed = exp(p.speed), mean = exp(p.mean), volatility = exp(p.volatility);
  const double variance = volatility * volatility;
  const double gamma = sqrt(speed * speed + 2 * variance);
  return (model){rate, gamma, gamma + speed, 2 * speed * mean / variance};
}

static inline double yield(model m, double years) {
  const double growth = exp(m.gamma * years) - 1;
  const double below = m.sum * growth + 2 * m.gamma;
  const double log_a = m.power * (log(2 * m.gamma / below) + 0.5 * m.sum * years);
  return (2 * growth / below * m.rate - log_a) / years;
}

static inline double error(double rate, parameters p, const double *quotes) {
  const model m = prepare(rate, p);
  double sum = 0;
  for (int q = 0; q < QUOTES; q++) {
    const double left = yield(m, maturities[q]) - quotes[q];
    sum += left * left;
  }
  return sum;
}

static inline double dot(const double x[3], const double y[3]) {
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static inline void cross(const double x[3], const double y[3], double z[3]) {
  z[0] = x[1] * y[2] - x[2] * y[1];
  z[1] = x[2] * y[0] - x[0] * y[2];
  z[2] = x[0] * y[1] - x[1] * y[0];
}

static inline void solve(const double m[3][3], const double right[3], double x[3]) {
  double bc[3], ca[3], ab[3];
  cross(m[1], m[2], bc);
  cross(m[2], m[0], ca);
  cross(m[0], m[1], ab);
  const double over = 1 / dot(m[0], bc);
  for (int k = 0; k < 3; k++) {
    x[k] = over * (right[0] * bc[k] + right[1] * ca[k] + right[2] * ab[k]);
  }
}

static void improve(double rate, const double *quotes, parameters *p, double *e, double *lambda) {
  const double h = 1e-5;
  const model here = prepare(rate, *p), models[3][2] = {
      {prepare(rate, (parameters){p->speed + h, p->mean, p->volatility}),
       prepare(rate, (parameters){p->speed - h, p->mean, p->volatility})},
      {prepare(rate, (parameters){p->speed, p->mean + h, p->volatility}),
       prepare(rate, (parameters){p->speed, p->mean - h, p->volatility})},
      {prepare(rate, (parameters){p->speed, p->mean, p->volatility + h}),
       prepare(rate, (parameters){p->speed, p->mean, p->volatility - h})},
  };
  double normal[3][3] = {{*lambda, 0, 0}, {0, *lambda, 0}, {0, 0, *lambda}}, right[3] = {0};
  for (int q = 0; q < QUOTES; q++) {
    const double left = quotes[q] - yield(here, maturities[q]);
    double slope[3];
    for (int k = 0; k < 3; k++) {
      slope[k] = (yield(models[k][0], maturities[q]) - yield(models[k][1], maturities[q])) / (2 * h);
    }
    for (int k = 0; k < 3; k++) {
      right[k] += left * slope[k];
      for (int l = 0; l < 3; l++) {
        normal[k][l] += slope[k] * slope[l];
      }
    }
  }
  double by[3];
  solve(normal, right, by);
  const parameters next = {p->speed + by[0], p->mean + by[1], p->volatility + by[2]};
  const double e2 = error(rate, next, quotes);
  if (e2 < *e) {
    *p = next;
    *e = e2;
    *lambda *= 0.3;
  } else {
    *lambda *= 4;
  }
}

void bench_run(void) {
  bench_free(errors);
  bench_free(longest);
  errors = bench_alloc((size_t)n * sizeof *errors);
  longest = bench_alloc((size_t)n * sizeof *longest);
  for (int64_t i = 0; i < n; i++) {
    const double rate = 0.01 + 0.04 * d[i];
    const parameters truth = {log(0.2 + 0.8 * a[i]), log(0.02 + 0.06 * b[i]),
                              log(0.05 + 0.15 * c[i])};
    const model m = prepare(rate, truth);
    double quotes[QUOTES];
    for (int q = 0; q < QUOTES; q++) {
      quotes[q] = yield(m, maturities[q]) + 1e-3 * cos(7 * maturities[q] * (1 + a[i]));
    }
    parameters p = {log(0.5), log(0.05), log(0.1)};
    double e = error(rate, p, quotes), lambda = 1e-4;
    for (int32_t s = 0; s < steps; s++) {
      improve(rate, quotes, &p, &e, &lambda);
    }
    errors[i] = sqrt(e / QUOTES);
    longest[i] = yield(prepare(rate, p), 30);
  }
}

void bench_output(void) {
  bench_put_f64s(errors, 1, &n);
  bench_put_f64s(longest, 1, &n);
}
