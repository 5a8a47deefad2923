/* Scalar functions that LLVM's intrinsics and the C library lack. The f32 versions compute in f64
 * where that is the simplest way to be right. */
#include "futc_program.h"

#include <math.h>

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
