/* Decimal to binary, correctly rounded.
 *
 * The first 19 digits are scaled by a 128-bit power of ten, which brackets the value between two
 * 192-bit numbers. When both round alike, that is the answer; else (about once in a thousand long
 * inputs, else almost never) the C library decides.
 */
#include "decimal.h"

#include "half.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct wide {
  uint64_t word[3]; /* least significant first */
};

static struct wide wide_product(const uint64_t g[2], uint64_t w) {
  unsigned __int128 low = (unsigned __int128)g[1] * w;
  unsigned __int128 high = (unsigned __int128)g[0] * w + (uint64_t)(low >> 64);
  return (struct wide){{(uint64_t)low, (uint64_t)high, (uint64_t)(high >> 64)}};
}

static struct wide wide_add(struct wide a, struct wide b, bool *carry) {
  struct wide r;
  unsigned __int128 sum = 0;
  for (int i = 0; i < 3; i++) {
    sum += (unsigned __int128)a.word[i] + b.word[i];
    r.word[i] = (uint64_t)sum;
    sum >>= 64;
  }
  *carry = sum != 0;
  return r;
}

static struct wide wide_subtract(struct wide a, uint64_t b) {
  struct wide r = a;
  r.word[0] -= b;
  if (a.word[0] < b) {
    if (r.word[1]-- == 0) {
      r.word[2]--;
    }
  }
  return r;
}

/* The bits of n * 2^exponent, or of slightly more if `sticky`, rounded to nearest even. */
static uint64_t wide_round(struct wide n, int32_t exponent, bool sticky,
                           const struct futc_float_format *format) {
  int32_t leading = exponent + 191 - __builtin_clzll(n.word[2]);
  int32_t unit = leading - format->precision + 1;
  if (unit < format->min_exponent) {
    unit = format->min_exponent;
  }
  /* At least 138: the top word alone holds all the bits kept. */
  int32_t drop = unit - exponent - 128;
  if (drop > 64) {
    return 0;
  }
  uint64_t top = n.word[2];
  uint64_t kept = drop == 64 ? 0 : top >> drop;
  bool half = (top >> (drop - 1) & 1) != 0;
  uint64_t below = top & ((UINT64_C(1) << (drop - 1)) - 1);
  bool rest = (below | n.word[1] | n.word[0]) != 0 || sticky;
  if (half && (rest || (kept & 1) != 0)) {
    kept++;
  }
  if (unit == format->min_exponent) {
    return kept;
  }
  uint64_t biased = (uint64_t)(unit - format->min_exponent + 1);
  uint64_t hidden = UINT64_C(1) << (format->precision - 1);
  uint64_t bits = (biased << (format->precision - 1)) + (kept - hidden);
  return bits < format->infinity ? bits : format->infinity;
}

/* The bits of w * 10^q, or of something between that and (w + 1) * 10^q if `more`. */
static bool scale(uint64_t w, int32_t q, bool more, const struct futc_float_format *format,
                  uint64_t *bits) {
  if (w == 0) {
    *bits = 0;
    return !more;
  }
  if (q < FUTC_POW10_MIN) {
    *bits = 0;
    return true;
  }
  if (q > 308) {
    *bits = format->infinity;
    return true;
  }
  const uint64_t *g = futc_pow10_table[q - FUTC_POW10_MIN];
  int32_t shift = __builtin_clzll(w);
  int32_t exponent = futc_floor_log2_pow10(q) - 127 - shift;
  struct wide high = wide_product(g, w << shift);
  bool exact = q >= 0 && q <= 55;
  if (exact && !more) {
    *bits = wide_round(high, exponent, false, format);
    return true;
  }
  /* The table is rounded up by less than one. */
  struct wide low = exact ? high : wide_subtract(high, w << shift);
  if (more) {
    bool carry = false;
    high = wide_add(high, wide_product(g, UINT64_C(1) << shift), &carry);
    if (carry) {
      return false;
    }
  }
  high = wide_subtract(high, 1);
  if (low.word[2] >> 62 == 0) {
    return false;
  }
  uint64_t from = wide_round(low, exponent, true, format);
  *bits = wide_round(high, exponent, true, format);
  return from == *bits;
}

/* Compares decimal numerals of positive numbers; exponents as in the text. */
static int compare_decimals(const char *a, const char *b) {
  const char *text[2] = {a, b};
  char digits[2][1200];
  int64_t point[2];
  for (int i = 0; i < 2; i++) {
    size_t n = 0;
    int64_t before = 0;
    bool seen_point = false;
    const char *p = text[i];
    for (; (*p >= '0' && *p <= '9') || *p == '.'; p++) {
      if (*p == '.') {
        seen_point = true;
        continue;
      }
      if (n == 0 && *p == '0') {
        before -= seen_point ? 1 : 0;
        continue;
      }
      before += seen_point ? 0 : 1;
      if (n < sizeof digits[i] - 1) {
        digits[i][n++] = *p;
      }
    }
    if (*p == 'e' || *p == 'E') {
      before += strtol(p + 1, NULL, 10);
    }
    while (n > 0 && digits[i][n - 1] == '0') {
      n--;
    }
    digits[i][n] = '\0';
    point[i] = before;
  }
  if (point[0] != point[1]) {
    return point[0] < point[1] ? -1 : 1;
  }
  return strcmp(digits[0], digits[1]);
}

/* What the C library says of a valid, unsigned numeral. */
static uint64_t by_library(const char *text, const struct futc_float_format *format) {
  uint64_t bits = 0;
  if (format == &futc_format_f64) {
    double x = strtod(text, NULL);
    memcpy(&bits, &x, sizeof x);
    return bits;
  }
  if (format == &futc_format_f32) {
    float x = strtof(text, NULL);
    memcpy(&bits, &x, sizeof x);
    return bits;
  }
  /* Rounding to f64 first loses only whether a tie of f16 was one in the text. Hexadecimal ties
   * that f64 cannot hold are not worth more. */
  double x = strtod(text, NULL);
  uint16_t half = futc_double_to_half(x);
  uint16_t below = futc_double_to_half(nextafter(x, 0));
  uint16_t above = futc_double_to_half(nextafter(x, HUGE_VAL));
  /* Ties have few bits: beside one, `x` is on its side already. */
  uint64_t mantissa = 0;
  memcpy(&mantissa, &x, sizeof x);
  if (below == above || (mantissa & 0xffffffff) != 0 || strchr(text, 'x') != NULL || strchr(text, 'X') != NULL) {
    return half;
  }
  char exact[120];
  (void)snprintf(exact, sizeof exact, "%.90e", x);
  int order = compare_decimals(text, exact);
  return order < 0 ? below : order > 0 ? above : half;
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Hexadecimal integers and floats, after the sign. */
static bool parse_hexadecimal(const char *text, size_t len, const struct futc_float_format *format,
                              uint64_t *bits) {
  const char *p = text + 2;
  const char *end = text + len;
  size_t digits = 0;
  for (; p < end && (is_hex_digit(*p) || *p == '.'); p++) {
    digits += *p == '.' ? 0 : 1;
  }
  if (digits == 0) {
    return false;
  }
  if (p < end && (*p == 'p' || *p == 'P')) {
    p++;
    if (p < end && (*p == '+' || *p == '-')) {
      p++;
    }
    if (p == end) {
      return false;
    }
    while (p < end && is_digit(*p)) {
      p++;
    }
  }
  char *copy = strndup(text, len);
  if (copy == NULL) {
    return false;
  }
  char *rest = NULL;
  (void)strtod(copy, &rest);
  bool whole = p == end && *rest == '\0';
  if (whole) {
    *bits = by_library(copy, format);
  }
  free(copy);
  return whole;
}

bool futc_parse_float(const char *text, size_t len, const struct futc_float_format *format,
                      uint64_t *bits) {
  const char *p = text;
  const char *end = text + len;
  uint64_t sign = 0;
  if (p < end && (*p == '-' || *p == '+')) {
    sign = *p == '-' ? format->sign : 0;
    p++;
  }
  const char *start = p;
  if (end - p > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
    if (!parse_hexadecimal(p, (size_t)(end - p), format, bits)) {
      return false;
    }
    *bits |= sign;
    return true;
  }

  uint64_t w = 0;
  int32_t kept = 0;
  int64_t q = 0;
  bool more = false;
  bool any = false;
  for (; p < end && is_digit(*p); p++) {
    any = true;
    if (kept < 19) {
      w = w * 10 + (uint64_t)(*p - '0');
      kept += w != 0 ? 1 : 0;
    } else {
      more = more || *p != '0';
      q++;
    }
  }
  if (p < end && *p == '.') {
    for (p++; p < end && is_digit(*p); p++) {
      any = true;
      if (kept < 19) {
        w = w * 10 + (uint64_t)(*p - '0');
        kept += w != 0 ? 1 : 0;
        q--;
      } else {
        more = more || *p != '0';
      }
    }
  }
  if (!any) {
    return false;
  }
  if (p < end && (*p == 'e' || *p == 'E')) {
    p++;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) {
      p++;
    }
    if (p == end) {
      return false;
    }
    int64_t e = 0;
    for (; p < end && is_digit(*p); p++) {
      if (e < 1000000000) {
        e = e * 10 + (*p - '0');
      }
    }
    q += negative ? -e : e;
  }
  if (p != end) {
    return false;
  }
  int32_t clamped = q > 100000 ? 100000 : q < -100000 ? -100000 : (int32_t)q;
  if (!scale(w, clamped, more, format, bits)) {
    char *copy = strndup(start, (size_t)(end - start));
    if (copy == NULL) {
      return false;
    }
    *bits = by_library(copy, format);
    free(copy);
  }
  *bits |= sign;
  return true;
}
