// Implied volatilities: for the price of each of many options, the volatility at which the formula of
// Black and Scholes gives that price, by Newton's method. The slope comes from dual numbers.
#include "../harness/bench.h"
#include <math.h>

typedef struct {
  double value, slope;
} dual;

typedef struct {
  double spot, strike, years, rate;
} option;

static int64_t n;
static const double *a, *b, *c;
static double *volatilities;

void bench_setup(void) {
  a = bench_f64s(1, &n);
  b = bench_f64s(1, &n);
  c = bench_f64s(1, &n);
}

static inline dual constant(double x) { return (dual){x, 0}; }
static inline dual add(dual x, dual y) { return (dual){x.value + y.value, x.slope + y.slope}; }
static inline dual sub(dual x, dual y) { return (dual){x.value - y.value, x.slope - y.slope}; }
static inline dual mul(dual x, dual y) {
  return (dual){x.value * y.value, x.value * y.slope + x.slope * y.value};
}
static inline dual quotient(dual x, dual y) {
  return (dual){x.value / y.value, (x.slope * y.value - x.value * y.slope) / (y.value * y.value)};
}
static inline dual neg(dual x) { return (dual){-x.value, -x.slope}; }
static inline dual absolute(dual x) { return x.value < 0 ? neg(x) : x; }
static inline dual exponential(dual x) {
  const double e = exp(x.value);
  return (dual){e, x.slope * e};
}

static inline dual cnd(dual d) {
  const dual k =
      quotient(constant(1), add(constant(1), mul(constant(0.2316419), absolute(d))));
  dual series = constant(1.330274429);
  series = add(constant(-1.821255978), mul(k, series));
  series = add(constant(1.781477937), mul(k, series));
  series = add(constant(-0.356563782), mul(k, series));
  series = add(constant(0.31938153), mul(k, series));
  const dual density = exponential(neg(mul(mul(constant(0.5), d), d)));
  const dual tail = mul(mul(mul(k, series), constant(0.3989422804)), density);
  return 0 < d.value ? sub(constant(1), tail) : tail;
}

static inline dual call(option o, dual volatility) {
  const dual spread = mul(volatility, constant(sqrt(o.years)));
  const dual drift = quotient(constant(log(o.spot / o.strike) + o.rate * o.years), spread);
  const dual d1 = add(drift, mul(constant(0.5), spread));
  const dual d2 = sub(d1, spread);
  const double discounted = o.strike * exp(-o.rate * o.years);
  return sub(mul(constant(o.spot), cnd(d1)), mul(constant(discounted), cnd(d2)));
}

static inline double implied(option o, double price) {
  double x = 0.5, error = INFINITY;
  for (int k = 0; fabs(error) > 1e-8 && k < 20; k++) {
    const dual y = sub(call(o, (dual){x, 1}), constant(price));
    x = fmax(0.01, x - y.value / y.slope);
    error = y.value;
  }
  return x;
}

void bench_run(void) {
  bench_free(volatilities);
  volatilities = bench_alloc((size_t)n * sizeof *volatilities);
#pragma omp parallel for
  for (int64_t i = 0; i < n; i++) {
    const option o = {90 + 20 * a[i], 100, 0.25 + 2 * b[i], 0.02};
    const double price = call(o, constant(0.1 + 0.6 * c[i])).value;
    volatilities[i] = implied(o, price);
  }
}

void bench_output(void) {
  bench_put_f64s(volatilities, 1, &n);
}
