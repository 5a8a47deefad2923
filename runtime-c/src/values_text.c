/* Text values: literals, nested arrays, `empty([0][2]i32)`, and strings for arrays of u8. */
#include "values.h"

#include "prim.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define INITIAL_BYTES 4096
/* The guide's form of values has no other for these. */
#define NO_EMPTY "an empty array must be written empty([0]...)"
/* Words longer than this are shown cut in messages. */
#define SHOWN 40

/* An array being read: elements in a growing block, and what is known of its shape. */
struct text_array {
  struct futc_context *ctx;
  struct futc_reader *r;
  struct futc_leaf leaf;
  int64_t element_size;
  char *block;
  int64_t used; /* bytes */
  int64_t room;
  int64_t shape[FUTC_MAX_RANK]; /* -1 as long as unknown */
  int64_t count[FUTC_MAX_RANK]; /* seen so far at each depth */
};

static bool unexpected(struct futc_reader *r, const char *wanted, const char *text, size_t len) {
  if (len == 0) {
    return futc_reader_fail(r, "expected %s, but the input ends", wanted);
  }
  return futc_reader_fail(r, "expected %s, but got '%.*s'", wanted,
                          (int)(len > SHOWN ? SHOWN : len), text);
}

static bool parse_word(struct futc_reader *r, int32_t prim, const char *text, size_t len,
                       uint64_t *bits) {
  if (len == 0) {
    return unexpected(r, futc_prims[prim].name, text, len);
  }
  const char *wrong = futc_parse_scalar(prim, text, len, bits);
  if (wrong != NULL) {
    return futc_reader_fail(r, "'%.*s' is %s for type %s", (int)(len > SHOWN ? SHOWN : len), text,
                            wrong, futc_prims[prim].name);
  }
  return true;
}

static bool expect_word(struct futc_reader *r, const char *word) {
  const char *text = NULL;
  size_t len = 0;
  if (!futc_reader_token(r, &text, &len)) {
    return false;
  }
  if (len != strlen(word) || memcmp(text, word, len) != 0) {
    char wanted[24] = "'";
    strncat(wanted, word, 16);
    strcat(wanted, "'");
    return unexpected(r, wanted, text, len);
  }
  return true;
}

static bool grow(struct text_array *a) {
  const char *why = NULL;
  void *larger = futc_heap_resize(&a->ctx->heap, a->block, a->room * 2, &why);
  if (larger == NULL) {
    return futc_reader_fail(a->r, "cannot allocate %" PRId64 " bytes: %s", a->room * 2, why);
  }
  a->block = larger;
  a->room *= 2;
  return true;
}

static inline bool put_element(struct text_array *a, uint64_t bits) {
  if (a->used + a->element_size > a->room && !grow(a)) {
    return false;
  }
  /* Little endian: the low bytes come first. Fixed sizes, so that no call is made. */
  char *at = a->block + a->used;
  switch (a->element_size) {
  case 1: memcpy(at, &bits, 1); break;
  case 2: memcpy(at, &bits, 2); break;
  case 4: memcpy(at, &bits, 4); break;
  default: memcpy(at, &bits, 8); break;
  }
  a->used += a->element_size;
  return true;
}

/* ---- Strings. ---- */

static bool next_byte(struct futc_reader *r, int *byte) {
  if (!futc_reader_peek(r, byte)) {
    return false;
  }
  if (*byte == -1) {
    return futc_reader_fail(r, "the input ends within a string");
  }
  r->pos++;
  return true;
}

static bool put_code_point(struct text_array *a, uint32_t c, int64_t *n) {
  unsigned char bytes[4];
  int len = 0;
  if (c < 0x80) {
    bytes[len++] = (unsigned char)c;
  } else if (c < 0x800) {
    bytes[len++] = (unsigned char)(0xc0 | c >> 6);
    bytes[len++] = (unsigned char)(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    bytes[len++] = (unsigned char)(0xe0 | c >> 12);
    bytes[len++] = (unsigned char)(0x80 | (c >> 6 & 0x3f));
    bytes[len++] = (unsigned char)(0x80 | (c & 0x3f));
  } else {
    bytes[len++] = (unsigned char)(0xf0 | c >> 18);
    bytes[len++] = (unsigned char)(0x80 | (c >> 12 & 0x3f));
    bytes[len++] = (unsigned char)(0x80 | (c >> 6 & 0x3f));
    bytes[len++] = (unsigned char)(0x80 | (c & 0x3f));
  }
  for (int i = 0; i < len; i++) {
    if (!put_element(a, bytes[i])) {
      return false;
    }
  }
  *n += len;
  return true;
}

/* The digits of a numeric escape, `byte` being the first character of it. */
static bool numeric_escape(struct text_array *a, int byte, uint32_t *c) {
  uint32_t base = 10;
  if (byte == 'x' || byte == 'X') {
    base = 16;
    if (!next_byte(a->r, &byte)) {
      return false;
    }
  }
  *c = 0;
  for (int digits = 0;; digits++) {
    int digit = byte >= '0' && byte <= '9'                     ? byte - '0'
                : (byte | 0x20) >= 'a' && (byte | 0x20) <= 'f' ? (byte | 0x20) - 'a' + 10
                                                               : 99;
    if (digit >= (int)base) {
      a->r->pos--;
      return digits > 0 || futc_reader_fail(a->r, "an invalid escape in a string");
    }
    *c = *c * base + (uint32_t)digit;
    if (*c > 0x10ffff) {
      return futc_reader_fail(a->r, "an escape in a string is out of range");
    }
    if (!next_byte(a->r, &byte)) {
      return false;
    }
  }
}

static bool escape(struct text_array *a, int64_t *n) {
  static const char letters[] = "abfnrtv\\\"'";
  static const char meanings[] = "\a\b\f\n\r\t\v\\\"'";
  int byte = 0;
  if (!next_byte(a->r, &byte)) {
    return false;
  }
  const char *letter = strchr(letters, byte);
  if (byte != 0 && letter != NULL) {
    *n += 1;
    return put_element(a, (unsigned char)meanings[letter - letters]);
  }
  uint32_t c = 0;
  return numeric_escape(a, byte, &c) && put_code_point(a, c, n);
}

/* The rest of a string as the innermost dimension. */
static bool read_string(struct text_array *a, int64_t *n) {
  for (;;) {
    int byte = 0;
    if (!next_byte(a->r, &byte)) {
      return false;
    }
    if (byte == '"') {
      return true;
    }
    if (byte == '\\') {
      if (!escape(a, n)) {
        return false;
      }
    } else {
      *n += 1;
      if (!put_element(a, (uint64_t)byte)) {
        return false;
      }
    }
  }
}

/* ---- Arrays. ---- */

static bool end_dimension(struct text_array *a, int32_t depth) {
  if (a->shape[depth] == -1) {
    a->shape[depth] = a->count[depth];
    return true;
  }
  if (a->shape[depth] != a->count[depth]) {
    return futc_reader_fail(a->r,
                            "irregular array: one row has %" PRId64 " elements, another %" PRId64,
                            a->shape[depth], a->count[depth]);
  }
  return true;
}

/* Most input is plain decimal integers followed by a comma: reads as many of them as lie in the
 * buffer, whose end (a NUL) is no digit. Whatever else comes is left to the general case. */
static bool read_plain_integers(struct text_array *a, int64_t *n) {
  struct futc_reader *r = a->r;
  const char *name = futc_prims[a->leaf.prim].name;
  size_t name_len = strlen(name);
  int32_t width = (int32_t)a->element_size * 8;
  bool is_signed = a->leaf.prim < FUTC_U8;
  /* Up to 18 digits cannot overflow; those that may be out of range of the type are left as well.
   */
  uint64_t limit = width == 64 ? UINT64_MAX : UINT64_C(1) << (width - (is_signed ? 1 : 0));
  for (;;) {
    const char *p = r->buffer + r->pos;
    while (*p == ' ' || *p == '\n') {
      p++;
    }
    bool negative = *p == '-';
    p += negative && is_signed ? 1 : 0;
    const char *digits = p;
    uint64_t value = 0;
    while ((unsigned char)(*p - '0') < 10) {
      value = value * 10 + (uint64_t)(*p - '0');
      p++;
    }
    if (p == digits || p - digits > 18 || value >= limit) {
      return true;
    }
    if (*p == *name && strncmp(p, name, name_len) == 0) {
      p += name_len;
    }
    if (*p != ',') {
      return true;
    }
    if (!put_element(a, negative ? 0 - value : value)) {
      return false;
    }
    *n += 1;
    r->pos = (size_t)(p + 1 - r->buffer);
  }
}

/* Reads words and commas up to the bracket that closes the innermost dimension, and counts. */
static bool read_row(struct text_array *a, int64_t *n) {
  struct futc_reader *r = a->r;
  const char *text = NULL;
  size_t len = 0;
  bool integers = a->leaf.prim < FUTC_F16;
  for (;;) {
    if (integers && !read_plain_integers(a, n)) {
      return false;
    }
    if (!futc_reader_token(r, &text, &len)) {
      return false;
    }
    if (len == 1 && *text == ']' && *n == 0) {
      return futc_reader_fail(r, NO_EMPTY);
    }
    uint64_t bits = 0;
    if (!parse_word(r, a->leaf.prim, text, len, &bits) || !put_element(a, bits)) {
      return false;
    }
    *n += 1;
    if (!futc_reader_token(r, &text, &len)) {
      return false;
    }
    if (len == 1 && *text == ',') {
      continue;
    }
    if (len == 1 && *text == ']') {
      return true;
    }
    return unexpected(r, "',' or ']'", text, len);
  }
}

static bool read_opening(struct text_array *a, bool may_close, char *found) {
  const char *text = NULL;
  size_t len = 0;
  if (!futc_reader_token(a->r, &text, &len)) {
    return false;
  }
  *found = len == 1 ? *text : '\0';
  if (*found == '[' || *found == '"' || (may_close && *found == ']')) {
    return true;
  }
  return unexpected(a->r, "'['", text, len);
}

/* After the first bracket. Depth is kept in a variable, as ranks and input are not ours. */
static bool read_nested(struct text_array *a) {
  int32_t depth = 0;
  int32_t inner = a->leaf.rank - 1;
  bool opened = true; /* the last token opened the dimension at `depth` */
  for (;;) {
    if (opened) {
      a->count[depth] = 0;
      if (depth == inner) {
        if (!read_row(a, &a->count[depth])) {
          return false;
        }
      } else {
        char found = '\0';
        if (!read_opening(a, true, &found)) {
          return false;
        }
        if (found == ']') {
          return futc_reader_fail(a->r, NO_EMPTY);
        }
        if (found == '[') {
          depth++;
          continue;
        }
        if (found == '"') {
          if (depth + 1 != inner || a->leaf.prim != FUTC_U8) {
            return unexpected(a->r, "'['", "\"", 1);
          }
          a->count[inner] = 0;
          if (!read_string(a, &a->count[inner]) || !end_dimension(a, inner)) {
            return false;
          }
          a->count[depth]++;
          opened = false;
          continue;
        }
      }
    } else {
      const char *text = NULL;
      size_t len = 0;
      if (!futc_reader_token(a->r, &text, &len)) {
        return false;
      }
      if (len == 1 && *text == ',') {
        char found = '\0';
        if (!read_opening(a, false, &found)) {
          return false;
        }
        if (found == '[') {
          depth++;
          opened = true;
          continue;
        }
        if (depth + 1 != inner || a->leaf.prim != FUTC_U8) {
          return unexpected(a->r, "'['", "\"", 1);
        }
        a->count[inner] = 0;
        if (!read_string(a, &a->count[inner]) || !end_dimension(a, inner)) {
          return false;
        }
        a->count[depth]++;
        continue;
      }
      if (len != 1 || *text != ']') {
        return unexpected(a->r, "',' or ']'", text, len);
      }
    }
    /* The dimension at `depth` is closed. */
    if (!end_dimension(a, depth)) {
      return false;
    }
    if (depth == 0) {
      return true;
    }
    depth--;
    a->count[depth]++;
    opened = false;
  }
}

/* After `empty`. */
static bool read_empty(struct text_array *a) {
  if (!expect_word(a->r, "(")) {
    return false;
  }
  bool empty = false;
  for (int32_t i = 0; i < a->leaf.rank; i++) {
    const char *text = NULL;
    size_t len = 0;
    uint64_t bits = 0;
    if (!expect_word(a->r, "[") || !futc_reader_token(a->r, &text, &len) ||
        !parse_word(a->r, FUTC_I64, text, len, &bits) || !expect_word(a->r, "]")) {
      return false;
    }
    a->shape[i] = (int64_t)bits;
    if (a->shape[i] < 0) {
      return futc_reader_fail(a->r, "a negative size");
    }
    empty = empty || a->shape[i] == 0;
  }
  if (!expect_word(a->r, futc_prims[a->leaf.prim].name) || !expect_word(a->r, ")")) {
    return false;
  }
  return empty || futc_reader_fail(a->r, "an empty array must have a size of 0");
}

static bool read_array(struct text_array *a) {
  const char *text = NULL;
  size_t len = 0;
  if (!futc_reader_token(a->r, &text, &len)) {
    return false;
  }
  if (len == 1 && *text == '[') {
    return read_nested(a);
  }
  if (len == 5 && memcmp(text, "empty", 5) == 0) {
    return read_empty(a);
  }
  if (len == 1 && *text == '"' && a->leaf.rank == 1 && a->leaf.prim == FUTC_U8) {
    return read_string(a, &a->count[0]) && end_dimension(a, 0);
  }
  char wanted[48];
  (void)snprintf(wanted, sizeof wanted, "an array of %d dimensions of %s", a->leaf.rank,
                 futc_prims[a->leaf.prim].name);
  return unexpected(a->r, wanted, text, len);
}

bool futc_read_text(struct futc_context *ctx, struct futc_reader *r, struct futc_leaf leaf,
                    union futc_slot *slots) {
  if (leaf.rank == 0) {
    const char *text = NULL;
    size_t len = 0;
    return futc_reader_token(r, &text, &len) && parse_word(r, leaf.prim, text, len, &slots->bits);
  }
  struct text_array a = {.ctx = ctx,
                         .r = r,
                         .leaf = leaf,
                         .element_size = futc_prims[leaf.prim].size,
                         .room = INITIAL_BYTES};
  const char *why = NULL;
  a.block = futc_heap_allocate(&ctx->heap, a.room, futc_context_input_space(ctx), &why);
  if (a.block == NULL) {
    return futc_reader_fail(r, "cannot allocate %" PRId64 " bytes: %s", a.room, why);
  }
  for (int32_t i = 0; i < leaf.rank; i++) {
    a.shape[i] = -1;
  }
  if (!read_array(&a)) {
    futc_release(ctx, a.block);
    return false;
  }
  /* What is not needed goes back, unless that would mean copying most of it. */
  void *exact = futc_heap_resize(&ctx->heap, a.block, a.used, &why);
  slots[0].block = exact != NULL ? exact : a.block;
  for (int32_t i = 0; i < leaf.rank; i++) {
    slots[1 + i].i64 = a.shape[i];
  }
  return true;
}
