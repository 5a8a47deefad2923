/* Scalar functions that LLVM's intrinsics and the C library lack. The f32 versions compute in f64
 * where that is the simplest way to be right; f16 versions work on f32 in compiled code. */
#include "futc_program.h"
#include "half.h"

#include <math.h>

#define PI 3.14159265358979323846264338327950288

double futc_fmod(double x, double y) {
  return fmod(x, y);
}

float futc_fmodf(float x, float y) {
  return fmodf(x, y);
}

double futc_f64_gamma(double x) {
  return tgamma(x);
}

float futc_f32_gamma(float x) {
  return (float)tgamma((double)x);
}

/* The reentrant versions: lgamma itself writes a global. */
double futc_f64_lgamma(double x) {
  int sign = 0;
  return lgamma_r(x, &sign);
}

float futc_f32_lgamma(float x) {
  int sign = 0;
  return (float)lgamma_r((double)x, &sign);
}

/* x = n/2 + r with |r| <= 1/4, exactly; n modulo 4 is enough. */
static double reduce_half_turns(double x, int *n) {
  double r = fmod(x, 2);
  double halves = rint(2 * r);
  *n = (int)halves & 3;
  return r - halves / 2;
}

double futc_f64_sinpi(double x) {
  if (!isfinite(x)) {
    return x - x;
  }
  int n = 0;
  double r = reduce_half_turns(x, &n);
  switch (n) {
  case 0: return r == 0 ? copysign(0, x) : sin(PI * r);
  case 1: return cos(PI * r);
  case 2: return r == 0 ? copysign(0, x) : -sin(PI * r);
  default: return -cos(PI * r);
  }
}

double futc_f64_cospi(double x) {
  if (!isfinite(x)) {
    return x - x;
  }
  int n = 0;
  double r = reduce_half_turns(x, &n);
  switch (n) {
  case 0: return cos(PI * r);
  case 1: return r == 0 ? 0 : -sin(PI * r);
  case 2: return -cos(PI * r);
  default: return r == 0 ? 0 : sin(PI * r);
  }
}

double futc_f64_tanpi(double x) {
  return futc_f64_sinpi(x) / futc_f64_cospi(x);
}

double futc_f64_asinpi(double x) {
  return asin(x) / PI;
}

double futc_f64_acospi(double x) {
  return acos(x) / PI;
}

double futc_f64_atanpi(double x) {
  return atan(x) / PI;
}

double futc_f64_atan2pi(double y, double x) {
  return atan2(y, x) / PI;
}

float futc_f32_sinpi(float x) {
  return (float)futc_f64_sinpi((double)x);
}

float futc_f32_cospi(float x) {
  return (float)futc_f64_cospi((double)x);
}

float futc_f32_tanpi(float x) {
  return (float)futc_f64_tanpi((double)x);
}

float futc_f32_asinpi(float x) {
  return (float)futc_f64_asinpi((double)x);
}

float futc_f32_acospi(float x) {
  return (float)futc_f64_acospi((double)x);
}

float futc_f32_atanpi(float x) {
  return (float)futc_f64_atanpi((double)x);
}

float futc_f32_atan2pi(float y, float x) {
  return (float)futc_f64_atan2pi((double)y, (double)x);
}

double futc_f64_rsqrt(double x) {
  return 1 / sqrt(x);
}

float futc_f32_rsqrt(float x) {
  return (float)(1 / sqrt((double)x));
}

double futc_f64_lerp(double from, double to, double t) {
  return from + (to - from) * t;
}

float futc_f32_lerp(float from, float to, float t) {
  return from + (to - from) * t;
}

uint16_t futc_f16_nextafter(uint16_t x, uint16_t y) {
  return futc_half_nextafter(x, y);
}

/* Scaling in f64 is exact for every f16, so that the result is rounded once. */
uint16_t futc_f16_ldexp(uint16_t x, int32_t exponent) {
  return futc_double_to_half(ldexp((double)futc_half_to_float(x), exponent));
}
