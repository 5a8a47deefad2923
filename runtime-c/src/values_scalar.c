/* Scalars as text: literals with or without a suffix. */
#include "values.h"

#include "decimal.h"
#include "prim.h"

#include <stdlib.h>
#include <string.h>

#define INVALID "not a valid value"
#define RANGE "out of range"

static bool equals(const char *text, size_t len, const char *word) {
  return strlen(word) == len && memcmp(text, word, len) == 0;
}

/* Cuts the type's own name from the end of a literal. */
static size_t without_suffix(int32_t prim, const char *text, size_t len) {
  const char *name = futc_prims[prim].name;
  size_t n = strlen(name);
  if (len > n && memcmp(text + len - n, name, n) == 0) {
    return len - n;
  }
  return len;
}

static int digit_value(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  if (c >= 'a' && c <= 'f') {
    return c - 'a' + 10;
  }
  if (c >= 'A' && c <= 'F') {
    return c - 'A' + 10;
  }
  return 99;
}

/* What is written in another base than ten may be meant as bits: 0xffi8 is -1. Decimal numbers must
 * be in the range of the type. */
static const char *parse_integer(int32_t prim, const char *text, size_t len, uint64_t *bits) {
  const char *p = text;
  const char *end = text + len;
  bool negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) {
    p++;
  }
  uint64_t base = 10;
  if (end - p > 2 && p[0] == '0') {
    char c = (char)(p[1] | 0x20);
    base = c == 'x' ? 16 : c == 'b' ? 2 : 10;
    p += base == 10 ? 0 : 2;
  }
  end = text + without_suffix(prim, text, len);
  if (p >= end || *p == '_') {
    return INVALID;
  }
  uint64_t n = 0;
  for (; p < end; p++) {
    if (*p == '_') {
      continue;
    }
    uint64_t d = (uint64_t)digit_value(*p);
    if (d >= base) {
      return INVALID;
    }
    /* Cheap test first: nearly every number is far from overflow. */
    if (n >= (UINT64_C(1) << 59) &&
        (__builtin_mul_overflow(n, base, &n) || __builtin_add_overflow(n, d, &n))) {
      return RANGE;
    }
    if (n < (UINT64_C(1) << 59)) {
      n = n * base + d;
    }
  }
  *bits = n;
  int32_t width = (int32_t)futc_prims[prim].size * 8;
  uint64_t all = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
  bool is_signed = prim < FUTC_U8;
  uint64_t top = UINT64_C(1) << (width - 1);
  uint64_t most = is_signed && base == 10 ? top - 1 : all;
  if (negative) {
    most = is_signed ? top : 0;
    *bits = (0 - n) & all;
  }
  return n > most ? RANGE : NULL;
}

static const char *parse_float(int32_t prim, const char *text, size_t len, uint64_t *bits) {
  const struct futc_float_format *format = prim == FUTC_F16   ? &futc_format_f16
                                           : prim == FUTC_F32 ? &futc_format_f32
                                                              : &futc_format_f64;
  bool negative = len > 0 && *text == '-';
  const char *word = text + (negative ? 1 : 0);
  size_t word_len = len - (negative ? 1 : 0);
  size_t name_len = strlen(futc_prims[prim].name);
  if (word_len == name_len + 4 && memcmp(word, futc_prims[prim].name, name_len) == 0) {
    uint64_t sign = negative ? format->sign : 0;
    if (memcmp(word + name_len, ".inf", 4) == 0) {
      *bits = format->infinity | sign;
      return NULL;
    }
    if (memcmp(word + name_len, ".nan", 4) == 0) {
      *bits = format->infinity | (UINT64_C(1) << (format->precision - 2)) | sign;
      return NULL;
    }
  }
  bool hexadecimal = word_len > 2 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
  /* The digits of a hexadecimal integer may look like a suffix: only a fraction can have one. */
  if (!hexadecimal || memchr(text, 'p', len) != NULL || memchr(text, 'P', len) != NULL) {
    len = without_suffix(prim, text, len);
  }
  if (memchr(text, '_', len) == NULL) {
    return futc_parse_float(text, len, format, bits) ? NULL : INVALID;
  }
  char *plain = malloc(len);
  if (plain == NULL) {
    return "out of memory";
  }
  size_t n = 0;
  for (size_t i = 0; i < len; i++) {
    if (text[i] != '_') {
      plain[n++] = text[i];
    }
  }
  bool ok = text[0] != '_' && futc_parse_float(plain, n, format, bits);
  free(plain);
  return ok ? NULL : INVALID;
}

const char *futc_parse_scalar(int32_t prim, const char *text, size_t len, uint64_t *bits) {
  switch ((enum futc_prim)prim) {
  case FUTC_I8:
  case FUTC_I16:
  case FUTC_I32:
  case FUTC_I64:
  case FUTC_U8:
  case FUTC_U16:
  case FUTC_U32:
  case FUTC_U64: return parse_integer(prim, text, len, bits);
  case FUTC_F16:
  case FUTC_F32:
  case FUTC_F64: return parse_float(prim, text, len, bits);
  case FUTC_BOOL:
    if (equals(text, len, "true")) {
      *bits = 1;
      return NULL;
    }
    if (equals(text, len, "false")) {
      *bits = 0;
      return NULL;
    }
    return INVALID;
  }
  return "of unknown type (compiler bug)";
}
