/* Values as text. */
#include "values.h"

#include "decimal.h"
#include "prim.h"

#include <string.h>

/* More than any scalar with its suffix takes. */
#define SCALAR_CHARS (FUTC_FLOAT_CHARS + 8)

static void write_float(struct futc_writer *w, int32_t prim, uint64_t bits) {
  const struct futc_float_format *format = prim == FUTC_F16   ? &futc_format_f16
                                           : prim == FUTC_F32 ? &futc_format_f32
                                                              : &futc_format_f64;
  const char *name = futc_prims[prim].name;
  uint64_t magnitude = bits & (format->sign - 1);
  if (magnitude > format->infinity) {
    futc_writer_text(w, name);
    futc_writer_text(w, ".nan");
    return;
  }
  if (magnitude == format->infinity) {
    futc_writer_text(w, (bits & format->sign) != 0 ? "-" : "");
    futc_writer_text(w, name);
    futc_writer_text(w, ".inf");
    return;
  }
  char *at = futc_writer_room(w, SCALAR_CHARS);
  size_t len = futc_print_float(at, bits & (format->sign | (format->sign - 1)), format);
  memcpy(at + len, name, 3);
  w->len += len + 3;
}

void futc_write_scalar(struct futc_writer *w, int32_t prim, uint64_t bits) {
  switch ((enum futc_prim)prim) {
  case FUTC_I8: futc_writer_i64(w, (int8_t)bits); break;
  case FUTC_I16: futc_writer_i64(w, (int16_t)bits); break;
  case FUTC_I32: futc_writer_i64(w, (int32_t)bits); break;
  case FUTC_I64: futc_writer_i64(w, (int64_t)bits); break;
  case FUTC_U8: futc_writer_u64(w, (uint8_t)bits); break;
  case FUTC_U16: futc_writer_u64(w, (uint16_t)bits); break;
  case FUTC_U32: futc_writer_u64(w, (uint32_t)bits); break;
  case FUTC_U64: futc_writer_u64(w, bits); break;
  case FUTC_F16:
  case FUTC_F32:
  case FUTC_F64: write_float(w, prim, bits); return;
  case FUTC_BOOL: futc_writer_text(w, (bits & 1) != 0 ? "true" : "false"); return;
  }
  futc_writer_text(w, futc_prims[prim].name);
}

static void write_empty(struct futc_writer *w, struct futc_leaf leaf, const int64_t *shape) {
  futc_writer_text(w, "empty(");
  for (int32_t i = 0; i < leaf.rank; i++) {
    futc_writer_text(w, "[");
    futc_writer_i64(w, shape[i]);
    futc_writer_text(w, "]");
  }
  futc_writer_text(w, futc_prims[leaf.prim].name);
  futc_writer_text(w, ")");
}

void futc_write_text(struct futc_writer *w, struct futc_leaf leaf, const union futc_slot *slots) {
  if (leaf.rank == 0) {
    futc_write_scalar(w, leaf.prim, slots->bits);
    return;
  }
  const int64_t *shape = &slots[1].i64;
  int64_t size = futc_prims[leaf.prim].size;
  int64_t count = 0;
  if (!futc_element_count(shape, leaf.rank, size, &count) || count == 0) {
    write_empty(w, leaf, shape);
    return;
  }
  /* All sizes are positive: brackets stand where the index is a multiple of a row's length. The
   * innermost row is a plain loop; the others are counted like the wheels of an odometer. */
  int64_t wheel[FUTC_MAX_RANK + 1] = {0};
  const char *at = slots[0].block;
  int64_t row = shape[leaf.rank - 1];
  int32_t opening = leaf.rank;
  for (int64_t done = 0; done < count;) {
    for (int32_t i = 0; i < opening; i++) {
      futc_writer_bytes(w, "[", 1);
    }
    for (int64_t i = 0; i < row; i++) {
      uint64_t bits = 0;
      switch (size) {
      case 1: memcpy(&bits, at, 1); break;
      case 2: memcpy(&bits, at, 2); break;
      case 4: memcpy(&bits, at, 4); break;
      default: memcpy(&bits, at, 8); break;
      }
      at += size;
      if (i > 0) {
        futc_writer_bytes(w, ", ", 2);
      }
      futc_write_scalar(w, leaf.prim, bits);
    }
    done += row;
    opening = 1;
    futc_writer_bytes(w, "]", 1);
    for (int32_t d = leaf.rank - 2; d >= 0; d--) {
      if (++wheel[d] < shape[d]) {
        break;
      }
      wheel[d] = 0;
      opening++;
      futc_writer_bytes(w, "]", 1);
    }
    if (done < count) {
      futc_writer_bytes(w, ", ", 2);
    }
  }
}
