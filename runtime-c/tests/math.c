/* Scalar functions. */
#include "harness.h"

#include <math.h>

static bool close_to(double a, double b) {
  return fabs(a - b) <= 1e-12 * fmax(1, fabs(b));
}

int main(void) {
  const double pi = acos(-1);
  for (double x = -3; x <= 3; x += 0.01) {
    CHECK(close_to(futc_f64_sinpi(x), sin(pi * x)));
    CHECK(close_to(futc_f64_cospi(x), cos(pi * x)));
    CHECK(fabsf(futc_f32_sinpi((float)x) - (float)sin(pi * (double)(float)x)) < 1e-6f);
  }
  CHECK(futc_f64_sinpi(1) == 0 && futc_f64_sinpi(0.5) == 1 && futc_f64_sinpi(1.5) == -1);
  CHECK(futc_f64_cospi(0.5) == 0 && futc_f64_cospi(1e300) == 1 && futc_f64_cospi(1) == -1);
  CHECK(futc_f64_cospi(-2.5) == 0 && futc_f64_tanpi(0) == 0);
  CHECK(signbit(futc_f64_sinpi(-0.0)) && isnan(futc_f64_sinpi(INFINITY)));
  CHECK(close_to(futc_f64_tanpi(0.25), 1) && close_to(futc_f64_asinpi(1), 0.5));
  CHECK(close_to(futc_f64_acospi(-1), 1) && close_to(futc_f64_atanpi(1), 0.25));
  CHECK(close_to(futc_f64_atan2pi(1, -1), 0.75));
  CHECK(close_to(futc_f64_gamma(5), 24) && close_to(futc_f64_lgamma(1), 0));
  CHECK(futc_fmod(-7.5, 2) == -1.5 && isnan(futc_fmod(1, NAN)) && isnan(futc_fmodf(1, 0)));
  CHECK(futc_f32_gamma(4) == 6 && futc_f64_rsqrt(4) == 0.5 && futc_f32_rsqrt(0.25f) == 2);
  CHECK(futc_f64_lerp(1, 3, 0.5) == 2 && futc_f32_lerp(1, 3, 0.25f) == 1.5f);
  CHECK(futc_f16_nextafter(0x3c00, 0x4000) == 0x3c01 && futc_f16_nextafter(0, 0x8001) == 0x8001);
  CHECK(futc_f16_ldexp(0x3c00, 3) == 0x4800 && futc_f16_ldexp(0x3c00, -24) == 1);
  CHECK(futc_f16_ldexp(0x3c00, 100) == 0x7c00);
  return report();
}
