/* Functions that the C library of 2022 gets wrong: below 1, where there is no result, it gives one for some
 * arguments (musl corrected it later). The program is linked with these instead. */
#include <math.h>

double acosh(double x) {
  if (!(x >= 1)) {
    return NAN;
  }
  if (x >= 0x1p28) {
    /* sqrt(x * x - 1) is x to the last bit, and x * x could overflow. */
    return log(x) + 0x1.62e42fefa39efp-1;
  }
  double above = x - 1;
  return log1p(above + sqrt(above * above + 2 * above));
}

float acoshf(float x) {
  return (float)acosh((double)x);
}
