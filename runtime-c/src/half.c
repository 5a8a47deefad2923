/* IEEE binary16 in software. */
#include "half.h"

#include <string.h>

float futc_half_to_float(uint16_t half) {
  uint32_t sign = (uint32_t)(half & 0x8000) << 16;
  uint32_t exponent = (half >> 10) & 0x1f;
  uint32_t mantissa = half & 0x3ff;
  uint32_t bits;
  if (exponent == 0x1f) {
    bits = sign | 0x7f800000 | (mantissa << 13);
  } else if (exponent != 0) {
    bits = sign | ((exponent + 112) << 23) | (mantissa << 13);
  } else {
    /* Zero or subnormal: mantissa * 2^-24 is exact in binary32. */
    float magnitude = (float)mantissa * 0x1p-24f;
    memcpy(&bits, &magnitude, sizeof bits);
    bits |= sign;
  }
  float result;
  memcpy(&result, &bits, sizeof result);
  return result;
}

uint16_t futc_double_to_half(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  uint16_t sign = (uint16_t)((bits >> 48) & 0x8000);
  int32_t exponent = (int32_t)((bits >> 52) & 0x7ff) - 1023;
  uint64_t mantissa = bits & 0xfffffffffffff;
  if (exponent == 1024) {
    if (mantissa == 0) {
      return sign | 0x7c00;
    }
    return (uint16_t)(sign | 0x7e00 | (mantissa >> 42));
  }
  if (exponent > 15) {
    return sign | 0x7c00;
  }
  if (exponent < -25) {
    return sign;
  }
  mantissa |= UINT64_C(1) << 52;
  /* Bits dropped: 42 for a normal result, more for a subnormal one. */
  int32_t drop = exponent < -14 ? 42 + (-14 - exponent) : 42;
  uint64_t kept = mantissa >> drop;
  uint64_t rest = mantissa & ((UINT64_C(1) << drop) - 1);
  uint64_t half = UINT64_C(1) << (drop - 1);
  if (rest > half || (rest == half && (kept & 1) != 0)) {
    kept++;
  }
  /* The hidden bit, and a carry out of the mantissa, add to the exponent field as they should. */
  uint64_t biased = exponent < -14 ? 0 : (uint64_t)(exponent + 14);
  return (uint16_t)(sign | ((biased << 10) + kept));
}

uint16_t futc_float_to_half(float x) {
  /* Widening is exact, so this is still a single rounding. */
  return futc_double_to_half((double)x);
}
