/* Arrays of every element type and rank: in, through an entry point, and out in all ways; empty ones
 * too. The test makes an entry point TYPE_RANK for each, which copies its argument. */
#include "arrays.h"

#include "check.h"

/* A macro would be replaced in the names made below. */
#undef bool
typedef _Bool bool;

enum { A = 2, B = 3, C = 4, D = 1, E = 2 };

/* Sizes as arguments, and elements at all zeros and at the last place. */
#define SIZES_1 A
#define SIZES_2 A, B
#define SIZES_3 A, B, C
#define SIZES_4 A, B, C, D
#define SIZES_5 A, B, C, D, E
#define LAST_1 A - 1
#define LAST_2 A - 1, B - 1
#define LAST_3 A - 1, B - 1, C - 1
#define LAST_4 A - 1, B - 1, C - 1, D - 1
#define LAST_5 A - 1, B - 1, C - 1, D - 1, E - 1
#define BEHIND_1 A
#define BEHIND_2 A - 1, B
#define BEHIND_3 A - 1, B - 1, C
#define BEHIND_4 A - 1, B - 1, C - 1, D
#define BEHIND_5 A - 1, B - 1, C - 1, D - 1, E
#define NONE_1 0
#define NONE_2 3, 0
#define NONE_3 0, 5, 2
#define NONE_4 1, 2, 3, 0
#define NONE_5 0, 0, 0, 0, 0

#define SCALAR(TYPE, CTYPE)                                                                        \
  static void scalar_##TYPE(struct futhark_context *ctx) {                                         \
    CTYPE x = (CTYPE)1;                                                                            \
    CTYPE y = (CTYPE)0;                                                                            \
    CHECK(futhark_entry_##TYPE##_0(ctx, &y, x) == FUTHARK_SUCCESS && x == y);                      \
  }

#define ARRAY(TYPE, CTYPE, RANK)                                                                   \
  static void array_##TYPE##_##RANK(struct futhark_context *ctx) {                                 \
    const int64_t sizes[RANK] = {SIZES_##RANK};                                                    \
    CTYPE data[A * B * C * D * E];                                                                 \
    CTYPE got[A * B * C * D * E];                                                                  \
    CTYPE last = (CTYPE)0;                                                                         \
    int64_t n = 1;                                                                                 \
    for (int i = 0; i < RANK; i++) {                                                               \
      n *= sizes[i];                                                                               \
    }                                                                                              \
    for (int64_t i = 0; i < n; i++) {                                                              \
      data[i] = (CTYPE)(i * 7 % 11);                                                   \
    }                                                                                              \
    struct futhark_##TYPE##_##RANK##d *xs = futhark_new_##TYPE##_##RANK##d(ctx, data, SIZES_##RANK); \
    struct futhark_##TYPE##_##RANK##d *ys = NULL;                                                  \
    CHECK(xs != NULL);                                                                             \
    CHECK(futhark_entry_##TYPE##_##RANK(ctx, &ys, xs) == FUTHARK_SUCCESS);                         \
    CHECK(futhark_free_##TYPE##_##RANK##d(ctx, xs) == FUTHARK_SUCCESS);                            \
    CHECK(futhark_context_sync(ctx) == FUTHARK_SUCCESS);                                           \
    CHECK(memcmp(futhark_shape_##TYPE##_##RANK##d(ctx, ys), sizes, sizeof sizes) == 0);            \
    CHECK(futhark_values_##TYPE##_##RANK##d(ctx, ys, got) == FUTHARK_SUCCESS);                     \
    CHECK(memcmp(got, data, (size_t)n * sizeof(CTYPE)) == 0);                                      \
    CHECK(memcmp(futhark_values_raw_##TYPE##_##RANK##d(ctx, ys), data,                             \
                 (size_t)n * sizeof(CTYPE)) == 0);                                                 \
    CHECK(futhark_index_##TYPE##_##RANK##d(ctx, &last, ys, LAST_##RANK) == FUTHARK_SUCCESS);       \
    CHECK(last == data[n - 1]);                                                                    \
    CHECK(futhark_index_##TYPE##_##RANK##d(ctx, &last, ys, BEHIND_##RANK) != FUTHARK_SUCCESS);     \
    check_error(ctx, "out of bounds");                                                             \
    CHECK(futhark_free_##TYPE##_##RANK##d(ctx, ys) == FUTHARK_SUCCESS);                            \
    xs = futhark_new_raw_##TYPE##_##RANK##d(ctx, (unsigned char *)data, SIZES_##RANK);             \
    CHECK(xs != NULL);                                                                             \
    CHECK(futhark_index_##TYPE##_##RANK##d(ctx, &last, xs, LAST_##RANK) == FUTHARK_SUCCESS);       \
    CHECK(last == data[n - 1]);                                                                    \
    CHECK(futhark_free_##TYPE##_##RANK##d(ctx, xs) == FUTHARK_SUCCESS);                            \
    const int64_t none[RANK] = {NONE_##RANK};                                                      \
    xs = futhark_new_##TYPE##_##RANK##d(ctx, NULL, NONE_##RANK);                                   \
    CHECK(xs != NULL);                                                                             \
    CHECK(futhark_entry_##TYPE##_##RANK(ctx, &ys, xs) == FUTHARK_SUCCESS);                         \
    CHECK(memcmp(futhark_shape_##TYPE##_##RANK##d(ctx, ys), none, sizeof none) == 0);              \
    CHECK(futhark_values_##TYPE##_##RANK##d(ctx, ys, NULL) == FUTHARK_SUCCESS);                    \
    CHECK(futhark_free_##TYPE##_##RANK##d(ctx, xs) == FUTHARK_SUCCESS);                            \
    CHECK(futhark_free_##TYPE##_##RANK##d(ctx, ys) == FUTHARK_SUCCESS);                            \
  }

#define TYPE(NAME, CTYPE)                                                                          \
  SCALAR(NAME, CTYPE)                                                                              \
  ARRAY(NAME, CTYPE, 1)                                                                            \
  ARRAY(NAME, CTYPE, 2)                                                                            \
  ARRAY(NAME, CTYPE, 3)                                                                            \
  ARRAY(NAME, CTYPE, 4)                                                                            \
  ARRAY(NAME, CTYPE, 5)                                                                            \
  static void type_##NAME(struct futhark_context *ctx) {                                           \
    scalar_##NAME(ctx);                                                                            \
    array_##NAME##_1(ctx);                                                                         \
    array_##NAME##_2(ctx);                                                                         \
    array_##NAME##_3(ctx);                                                                         \
    array_##NAME##_4(ctx);                                                                         \
    array_##NAME##_5(ctx);                                                                         \
  }

TYPE(i8, int8_t)
TYPE(i16, int16_t)
TYPE(i32, int32_t)
TYPE(i64, int64_t)
TYPE(u8, uint8_t)
TYPE(u16, uint16_t)
TYPE(u32, uint32_t)
TYPE(u64, uint64_t)
TYPE(f16, uint16_t)
TYPE(f32, float)
TYPE(f64, double)
TYPE(bool, bool)

int main(void) {
  struct futhark_context_config *cfg = new_config();
  struct futhark_context *ctx = open_context(cfg);
  type_i8(ctx);
  type_i16(ctx);
  type_i32(ctx);
  type_i64(ctx);
  type_u8(ctx);
  type_u16(ctx);
  type_u32(ctx);
  type_u64(ctx);
  type_f16(ctx);
  type_f32(ctx);
  type_f64(ctx);
  type_bool(ctx);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  return 0;
}
