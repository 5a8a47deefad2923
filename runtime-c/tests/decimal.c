/* Floats to text and back. */
#include "harness.h"

#include "decimal.h"
#include "half.h"

#include <math.h>

/* The next representable value from `x` towards `y`. */
static uint16_t half_nextafter(uint16_t x, uint16_t y) {
  uint16_t ax = x & 0x7fff;
  uint16_t ay = y & 0x7fff;
  if (ax > 0x7c00) {
    return x;
  }
  if (ay > 0x7c00) {
    return y;
  }
  if (x == y || (ax | ay) == 0) {
    return y;
  }
  if (ax == 0) {
    return (uint16_t)((y & 0x8000) | 1);
  }
  /* As sign-magnitude numbers mapped to integers. */
  int32_t ix = (x & 0x8000) != 0 ? -(int32_t)ax : (int32_t)ax;
  int32_t iy = (y & 0x8000) != 0 ? -(int32_t)ay : (int32_t)ay;
  int away = (iy > ix) == (ix > 0);
  return (uint16_t)(away ? x + 1 : x - 1);
}

static uint64_t parse(const char *text, const struct futc_float_format *format) {
  uint64_t bits = UINT64_MAX;
  if (!futc_parse_float(text, strlen(text), format, &bits)) {
    return UINT64_MAX;
  }
  return bits;
}

static const char *print(uint64_t bits, const struct futc_float_format *format) {
  static char text[FUTC_FLOAT_CHARS + 1];
  size_t n = futc_print_float(text, bits, format);
  CHECK(n < FUTC_FLOAT_CHARS);
  text[n] = '\0';
  return text;
}

static uint64_t f64_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static uint64_t f32_bits(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static void known_texts(void) {
  CHECK_TEXT(print(f64_bits(0), &futc_format_f64), "0.0");
  CHECK_TEXT(print(f64_bits(-0.0), &futc_format_f64), "-0.0");
  CHECK_TEXT(print(f64_bits(0.1), &futc_format_f64), "0.1");
  CHECK_TEXT(print(f64_bits(1), &futc_format_f64), "1.0");
  CHECK_TEXT(print(f64_bits(-1234.5), &futc_format_f64), "-1234.5");
  CHECK_TEXT(print(f64_bits(1e-3), &futc_format_f64), "0.001");
  CHECK_TEXT(print(f64_bits(1e-5), &futc_format_f64), "1.0e-5");
  CHECK_TEXT(print(f64_bits(1e16), &futc_format_f64), "1.0e16");
  CHECK_TEXT(print(f64_bits(1e23), &futc_format_f64), "1.0e23");
  CHECK_TEXT(print(f64_bits(5e-324), &futc_format_f64), "5.0e-324");
  CHECK_TEXT(print(f64_bits(1.7976931348623157e308), &futc_format_f64), "1.7976931348623157e308");
  CHECK_TEXT(print(f64_bits(2.2250738585072014e-308), &futc_format_f64), "2.2250738585072014e-308");
  CHECK_TEXT(print(f32_bits(0.1f), &futc_format_f32), "0.1");
  CHECK_TEXT(print(f32_bits(1e-45f), &futc_format_f32), "1.0e-45");
  CHECK_TEXT(print(f32_bits(3.4028235e38f), &futc_format_f32), "3.4028235e38");
  CHECK_TEXT(print(f32_bits(16777216.0f), &futc_format_f32), "16777216.0");
  CHECK_TEXT(print(0x7bff, &futc_format_f16), "65500.0");
  CHECK_TEXT(print(0x0001, &futc_format_f16), "6.0e-8");
}

static void known_values(void) {
  CHECK(parse("1e400", &futc_format_f64) == futc_format_f64.infinity);
  CHECK(parse("1e-400", &futc_format_f64) == 0);
  CHECK(parse("-1e-400", &futc_format_f64) == futc_format_f64.sign);
  CHECK(parse("0e999999999999", &futc_format_f64) == 0);
  CHECK(parse("1e99999999999999999999", &futc_format_f64) == futc_format_f64.infinity);
  CHECK(parse("0x1.fp3", &futc_format_f64) == f64_bits(15.5));
  CHECK(parse("-0x10", &futc_format_f32) == f32_bits(-16));
  CHECK(parse(".5", &futc_format_f32) == f32_bits(0.5f));
  CHECK(parse("5.", &futc_format_f32) == f32_bits(5));
  CHECK(parse("65519.99", &futc_format_f16) == 0x7bff);
  CHECK(parse("65520", &futc_format_f16) == 0x7c00);
  /* Halfway between two halves, and just to both sides, beyond what f64 tells apart. */
  CHECK(parse("1.00048828125", &futc_format_f16) == 0x3c00);
  CHECK(parse("1.000488281250000000000000000000000001", &futc_format_f16) == 0x3c01);
  CHECK(parse("1.000488281249999999999999999999999999", &futc_format_f16) == 0x3c00);
  CHECK(parse("1.00146484375", &futc_format_f16) == 0x3c02);
  CHECK(parse("1.001464843749999999999999999999999999", &futc_format_f16) == 0x3c01);
  static const char *const bad[] = {"",      "-",    ".",     "e5",  "1e",   "1e+",
                                    "1x",    "--1",  "1.2.3", "inf", "nan",  "0x",
                                    "0x.p1", "0x1p", " 1",    "1 ",  "1e5.5"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    CHECK(parse(bad[i], &futc_format_f64) == UINT64_MAX);
  }
}

static void all_halves(void) {
  for (uint32_t bits = 0; bits < 0x10000; bits++) {
    if ((bits & 0x7c00) == 0x7c00) {
      continue;
    }
    CHECK(parse(print(bits, &futc_format_f16), &futc_format_f16) == bits);
  }
}

/* Reads back, by our reader and the C library, and no shorter numeral would. */
static void random_doubles(uint64_t *seed) {
  for (int i = 0; i < 200000; i++) {
    uint64_t bits = next_random(seed);
    if (i % 3 == 0) {
      bits = f64_bits((double)(int64_t)(next_random(seed) >> (next_random(seed) % 64)) /
                      (double)(1 + next_random(seed) % 1000));
    }
    double x;
    memcpy(&x, &bits, sizeof x);
    if (!isfinite(x)) {
      continue;
    }
    const char *text = print(bits, &futc_format_f64);
    CHECK(parse(text, &futc_format_f64) == bits);
    CHECK(f64_bits(strtod(text, NULL)) == bits);
    char shorter[40];
    int digits = 0;
    for (const char *p = text; *p != '\0' && *p != 'e'; p++) {
      digits += *p >= '0' && *p <= '9' ? 1 : 0;
    }
    if (digits > 16 && strchr(text, 'e') != NULL) {
      (void)snprintf(shorter, sizeof shorter, "%.*e", digits - 2, x);
      CHECK(f64_bits(strtod(shorter, NULL)) != bits);
    }
  }
}

static void random_floats(uint64_t *seed) {
  for (int i = 0; i < 300000; i++) {
    uint32_t bits = (uint32_t)next_random(seed);
    float x;
    memcpy(&x, &bits, sizeof x);
    if (!isfinite(x)) {
      continue;
    }
    const char *text = print(bits, &futc_format_f32);
    CHECK(parse(text, &futc_format_f32) == bits);
    CHECK(f32_bits(strtof(text, NULL)) == bits);
  }
}

/* Numerals of all lengths, against the C library. */
static void random_numerals(uint64_t *seed) {
  for (int i = 0; i < 200000; i++) {
    char text[80];
    size_t n = 0;
    int64_t digits = 1 + (int64_t)(next_random(seed) % 30);
    for (int64_t j = 0; j < digits; j++) {
      text[n++] = (char)('0' + next_random(seed) % 10);
      if (j == 0 && next_random(seed) % 2 == 0) {
        text[n++] = '.';
      }
    }
    (void)snprintf(text + n, sizeof text - n, "e%d", (int)(next_random(seed) % 700) - 360);
    CHECK(parse(text, &futc_format_f64) == f64_bits(strtod(text, NULL)));
    (void)snprintf(text + n, sizeof text - n, "e%d", (int)(next_random(seed) % 100) - 60);
    CHECK(parse(text, &futc_format_f32) == f32_bits(strtof(text, NULL)));
  }
  /* Exactly halfway between neighbours, the hard case. */
  for (int i = 0; i < 2000; i++) {
    uint32_t bits = (uint32_t)next_random(seed) & 0x7fffffff;
    float x;
    memcpy(&x, &bits, sizeof x);
    if (!isfinite(x)) {
      continue;
    }
    double half = ((double)x + (double)nextafterf(x, INFINITY)) / 2;
    char text[200];
    (void)snprintf(text, sizeof text, "%.150e", half);
    CHECK(parse(text, &futc_format_f32) == f32_bits(strtof(text, NULL)));
  }
}

static void table(void) {
  unsigned __int128 power = 1;
  for (int k = 0; k <= 38; k++) {
    unsigned __int128 g = power;
    while (g >> 127 == 0) {
      g <<= 1;
    }
    const uint64_t *row = futc_pow10_table[k - FUTC_POW10_MIN];
    CHECK(row[0] == (uint64_t)(g >> 64) && row[1] == (uint64_t)g);
    power *= 10;
  }
}

static void half_conversions(void) {
  for (uint32_t bits = 0; bits < 0x10000; bits++) {
    float x = futc_half_to_float((uint16_t)bits);
    CHECK(futc_float_to_half(x) == bits || (isnan(x) && (bits & 0x200) == 0));
    if (!isnan(x) && (bits & 0x7fff) < 0x7c00) {
      uint16_t up = half_nextafter((uint16_t)bits, 0x7c00);
      CHECK(futc_half_to_float(up) > x);
      CHECK(half_nextafter(up, 0xfc00) == bits || (bits & 0x7fff) == 0);
    }
  }
  CHECK(futc_float_to_half(65519.0f) == 0x7bff);
  CHECK(futc_float_to_half(65520.0f) == 0x7c00);
  CHECK(futc_float_to_half(0x1p-25f) == 0);
  CHECK(futc_float_to_half(0x1.8p-25f) == 1);
  CHECK(futc_double_to_half(1 + 0x1p-11 + 0x1p-40) == 0x3c01);
}

int main(void) {
  uint64_t seed = 88172645463325252;
  known_texts();
  known_values();
  all_halves();
  random_doubles(&seed);
  random_floats(&seed);
  random_numerals(&seed);
  table();
  half_conversions();
  return report();
}
