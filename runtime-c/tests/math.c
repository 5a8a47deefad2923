/* Scalar functions. */
#include "harness.h"

#include <math.h>

static bool close_to(double a, double b) {
  return fabs(a - b) <= 1e-12 * fmax(1, fabs(b));
}

int main(void) {
  CHECK(close_to(futc_f64_gamma(5), 24) && futc_f32_gamma(4) == 6);
  CHECK(close_to(futc_f64_lgamma(1), 0) && close_to(futc_f64_lgamma(-0.5), log(2 * sqrt(acos(-1)))));
  CHECK(futc_f32_lgamma(2) == 0 && isinf(futc_f64_lgamma(0)) && isnan(futc_f32_lgamma(NAN)));
  /* The C library's own would leave the sign of gamma(-0.5) there. */
  CHECK(signgam == 0);
  CHECK(futc_fmod(-7.5, 2) == -1.5 && isnan(futc_fmod(1, NAN)) && isnan(futc_fmodf(1, 0)));
  return report();
}
