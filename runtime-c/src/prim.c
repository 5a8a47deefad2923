/* The table of primitive types. */
#include "prim.h"

#include <string.h>

const struct futc_prim_info futc_prims[FUTC_NUM_PRIMS] = {
    [FUTC_I8] = {"i8", "  i8", 1},   [FUTC_I16] = {"i16", " i16", 2},
    [FUTC_I32] = {"i32", " i32", 4}, [FUTC_I64] = {"i64", " i64", 8},
    [FUTC_U8] = {"u8", "  u8", 1},   [FUTC_U16] = {"u16", " u16", 2},
    [FUTC_U32] = {"u32", " u32", 4}, [FUTC_U64] = {"u64", " u64", 8},
    [FUTC_F16] = {"f16", " f16", 2}, [FUTC_F32] = {"f32", " f32", 4},
    [FUTC_F64] = {"f64", " f64", 8}, [FUTC_BOOL] = {"bool", "bool", 1},
};

int32_t futc_prim_of_binary_name(const char tag[4]) {
  for (int32_t i = 0; i < FUTC_NUM_PRIMS; i++) {
    if (memcmp(tag, futc_prims[i].binary_name, 4) == 0) {
      return i;
    }
  }
  return -1;
}

bool futc_element_count(const int64_t *shape, int32_t rank, int64_t element_size, int64_t *count) {
  /* An array without elements is fine however large its other sizes are. */
  bool empty = false;
  for (int32_t i = 0; i < rank; i++) {
    if (shape[i] < 0) {
      return false;
    }
    empty = empty || shape[i] == 0;
  }
  if (empty) {
    *count = 0;
    return true;
  }
  int64_t n = 1;
  for (int32_t i = 0; i < rank; i++) {
    if (__builtin_mul_overflow(n, shape[i], &n)) {
      return false;
    }
  }
  int64_t bytes = 0;
  if (__builtin_mul_overflow(n, element_size, &bytes)) {
    return false;
  }
  *count = n;
  return true;
}
