/* Tuples as several results: each is a value of its own. */
#include "several.h"

#include "check.h"

int main(void) {
  struct futhark_context_config *cfg = new_config();
  struct futhark_context *ctx = open_context(cfg);
  const int32_t numbers[3] = {7, 8, 9};
  struct futhark_i32_1d *xs = futhark_new_i32_1d(ctx, numbers, 3);
  struct futhark_i32_1d *rest = NULL;
  int64_t at = 0;
  struct futhark_opaque_tup2_i32_bool *pair = NULL;
  CHECK(futhark_entry_split(ctx, &rest, &at, &pair, xs, 1) == FUTHARK_SUCCESS);
  CHECK(futhark_free_i32_1d(ctx, xs) == FUTHARK_SUCCESS);
  int32_t two[2] = {0};
  CHECK(futhark_shape_i32_1d(ctx, rest)[0] == 2 && at == 1);
  CHECK(futhark_values_i32_1d(ctx, rest, two) == FUTHARK_SUCCESS && two[0] == 8 && two[1] == 9);
  int32_t first = 0;
  CHECK(futhark_project_opaque_tup2_i32_bool_0(ctx, &first, pair) == FUTHARK_SUCCESS && first == 7);
  CHECK(futhark_free_opaque_tup2_i32_bool(ctx, pair) == FUTHARK_SUCCESS);
  /* A call that fails gives nothing. */
  struct futhark_i32_1d *none = NULL;
  CHECK(futhark_entry_split(ctx, &none, &at, &pair, rest, 5) == FUTHARK_PROGRAM_ERROR);
  CHECK(none == NULL);
  free(futhark_context_get_error(ctx));
  CHECK(futhark_entry_split(ctx, &none, NULL, &pair, rest, 1) == FUTHARK_PROGRAM_ERROR);
  char *error = futhark_context_get_error(ctx);
  CHECK(error != NULL && strstr(error, "the place for the result is NULL") != NULL);
  free(error);
  CHECK(futhark_free_i32_1d(ctx, rest) == FUTHARK_SUCCESS);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  return 0;
}
