/* Shortest decimal output of floats: Raffaello Giulietti's Schubfach method.
 *
 * Among the decimals that round to the value, the shortest is taken, and of those the closest. The
 * value and the ends of its rounding interval are scaled by one power of ten to 128 bits, rounded
 * to odd so that comparisons stay exact.
 */
#include "decimal.h"

#include <string.h>

const struct futc_float_format futc_format_f16 = {11, -24, 0x7c00, 0x8000};
const struct futc_float_format futc_format_f32 = {24, -149, 0x7f800000, 0x80000000};
const struct futc_float_format futc_format_f64 = {53, -1074, UINT64_C(0x7ff0000000000000),
                                                  UINT64_C(0x8000000000000000)};

/* g * cp / 2^128, its last bit set if anything was lost. */
static uint64_t multiply_round_odd(const uint64_t g[2], uint64_t cp) {
  unsigned __int128 low = (unsigned __int128)g[1] * cp;
  unsigned __int128 high = (unsigned __int128)g[0] * cp + (uint64_t)(low >> 64);
  return (uint64_t)(high >> 64) | (uint64_t)((uint64_t)high > 1);
}

/* digits * 10^exponent for c * 2^q, c > 0. `closer`: the lower neighbour is at half distance. */
static uint64_t shortest(uint64_t c, int32_t q, bool closer, int32_t *exponent) {
  uint64_t odd = c & 1;
  int32_t k = (q * 1262611 - (closer ? 524031 : 0)) >> 22;
  int32_t h = q + futc_floor_log2_pow10(-k) + 1;
  const uint64_t *g = futc_pow10_table[-k - FUTC_POW10_MIN];
  uint64_t middle = multiply_round_odd(g, (4 * c) << h);
  uint64_t lower = multiply_round_odd(g, (4 * c - (closer ? 1 : 2)) << h) + odd;
  uint64_t upper = multiply_round_odd(g, (4 * c + 2) << h) - odd;

  uint64_t s = middle / 4;
  if (s >= 10) {
    uint64_t tens = s / 10;
    bool down = lower <= 40 * tens;
    bool up = 40 * tens + 40 <= upper;
    if (down != up) {
      *exponent = k + 1;
      return tens + (up ? 1 : 0);
    }
  }
  *exponent = k;
  bool down = lower <= 4 * s;
  bool up = 4 * s + 4 <= upper;
  if (down != up) {
    return s + (up ? 1 : 0);
  }
  uint64_t halfway = 4 * s + 2;
  bool round_up = middle > halfway || (middle == halfway && (s & 1) != 0);
  return s + (round_up ? 1 : 0);
}

static size_t put_exponent(char *out, int32_t exponent) {
  size_t n = 0;
  out[n++] = 'e';
  if (exponent < 0) {
    out[n++] = '-';
    exponent = -exponent;
  }
  if (exponent >= 100) {
    out[n++] = (char)('0' + exponent / 100);
  }
  if (exponent >= 10) {
    out[n++] = (char)('0' + exponent / 10 % 10);
  }
  out[n++] = (char)('0' + exponent % 10);
  return n;
}

size_t futc_print_float(char *out, uint64_t bits, const struct futc_float_format *format) {
  size_t n = 0;
  if ((bits & format->sign) != 0) {
    out[n++] = '-';
    bits ^= format->sign;
  }
  if (bits == 0) {
    memcpy(out + n, "0.0", 3);
    return n + 3;
  }

  int32_t mantissa_bits = format->precision - 1;
  uint64_t hidden = UINT64_C(1) << mantissa_bits;
  uint64_t mantissa = bits & (hidden - 1);
  int32_t biased = (int32_t)(bits >> mantissa_bits);
  int32_t exponent = 0;
  uint64_t digits = biased == 0 ? shortest(mantissa, format->min_exponent, false, &exponent)
                                : shortest(mantissa | hidden, format->min_exponent + biased - 1,
                                           mantissa == 0 && biased > 1, &exponent);
  while (digits % 10 == 0) {
    digits /= 10;
    exponent++;
  }

  char text[20];
  int32_t len = 0;
  for (uint64_t rest = digits; rest != 0; rest /= 10) {
    text[19 - len++] = (char)('0' + rest % 10);
  }
  const char *first = text + 20 - len;

  /* The value is 0.DIGITS * 10^point. */
  int32_t point = len + exponent;
  if (point > 16 || point < -3) {
    out[n++] = first[0];
    out[n++] = '.';
    if (len == 1) {
      out[n++] = '0';
    } else {
      memcpy(out + n, first + 1, (size_t)len - 1);
      n += (size_t)len - 1;
    }
    return n + put_exponent(out + n, point - 1);
  }
  if (point <= 0) {
    memcpy(out + n, "0.000", 5);
    n += 2 + (size_t)-point;
    memcpy(out + n, first, (size_t)len);
    return n + (size_t)len;
  }
  if (point >= len) {
    memcpy(out + n, first, (size_t)len);
    n += (size_t)len;
    for (int32_t i = len; i < point; i++) {
      out[n++] = '0';
    }
    memcpy(out + n, ".0", 2);
    return n + 2;
  }
  memcpy(out + n, first, (size_t)point);
  n += (size_t)point;
  out[n++] = '.';
  memcpy(out + n, first + point, (size_t)(len - point));
  return n + (size_t)(len - point);
}
