/* Binary floating point to the shortest decimal that reads back, and decimal to the nearest binary.
 * One table and one algorithm each for f16, f32 and f64. */
#ifndef FUTC_DECIMAL_H
#define FUTC_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FUTC_POW10_MIN (-343)
#define FUTC_POW10_MAX 324
extern const uint64_t futc_pow10_table[FUTC_POW10_MAX - FUTC_POW10_MIN + 1][2];

/* floor(log2(10^k)) for |k| <= 1233. */
static inline int32_t futc_floor_log2_pow10(int32_t k) {
  return (k * 1741647) >> 19;
}

struct futc_float_format {
  int32_t precision;    /* bits of the significand with the hidden one */
  int32_t min_exponent; /* of the least subnormal */
  uint64_t infinity;    /* its bits */
  uint64_t sign;        /* mask */
};

extern const struct futc_float_format futc_format_f16;
extern const struct futc_float_format futc_format_f32;
extern const struct futc_float_format futc_format_f64;

#define FUTC_FLOAT_CHARS 40

/* Writes the finite value with these bits, as in `-12.5` or `1.0e-7`, always with a point or an
 * exponent; not NUL-terminated. Returns the number of characters, below FUTC_FLOAT_CHARS. */
size_t futc_print_float(char *out, uint64_t bits, const struct futc_float_format *format);

/* Reads all of text[0..len): [+-] digits [. digits] [e[+-]digits] or a hexadecimal float. Rounds
 * once, to nearest even; overflow gives infinity. */
bool futc_parse_float(const char *text, size_t len, const struct futc_float_format *format,
                      uint64_t *bits);

#endif
