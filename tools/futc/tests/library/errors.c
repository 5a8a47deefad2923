/* Programs that fail, memory that is not there, and values that are used wrongly: the context and all
 * other values stay usable. */
#include "errors.h"

#include "check.h"

static const int32_t numbers[3] = {10, 20, 30};

static struct futhark_i32_1d *make(struct futhark_context *ctx) {
  struct futhark_i32_1d *xs = futhark_new_i32_1d(ctx, numbers, 3);
  CHECK(xs != NULL);
  return xs;
}

static void still_works(struct futhark_context *ctx, const struct futhark_i32_1d *xs) {
  int32_t x = 0;
  CHECK(futhark_entry_at(ctx, &x, xs, 1) == FUTHARK_SUCCESS && x == 20);
  CHECK(futhark_context_get_error(ctx) == NULL);
}

static void failing_programs(struct futhark_context *ctx) {
  struct futhark_i32_1d *xs = make(ctx);
  int32_t x = 7;
  int64_t y = 7;
  CHECK(futhark_entry_at(ctx, &x, xs, 3) == FUTHARK_PROGRAM_ERROR && x == 7);
  check_error(ctx, "Index [3] out of bounds for array of shape [3]");
  still_works(ctx, xs);
  CHECK(futhark_entry_huge(ctx, &y, INT64_C(1) << 50) == FUTHARK_OUT_OF_MEMORY && y == 7);
  check_error(ctx, "Cannot allocate");
  still_works(ctx, xs);
  CHECK(futhark_entry_huge(ctx, &y, 1000) == FUTHARK_SUCCESS && y == 999);
  struct futhark_i32_1d *two = futhark_new_i32_1d(ctx, numbers, 2);
  CHECK(futhark_entry_same(ctx, &x, xs, two) == FUTHARK_PROGRAM_ERROR && x == 7);
  check_error(ctx, "disagree about a size");
  CHECK(futhark_free_i32_1d(ctx, two) == FUTHARK_SUCCESS);
  still_works(ctx, xs);
  CHECK(futhark_free_i32_1d(ctx, xs) == FUTHARK_SUCCESS);
}

static void new_arrays(struct futhark_context *ctx) {
  CHECK(futhark_new_i32_1d(ctx, numbers, -1) == NULL);
  check_error(ctx, "negative or too large");
  CHECK(futhark_new_i32_1d(ctx, numbers, INT64_MAX) == NULL);
  check_error(ctx, "negative or too large");
  CHECK(futhark_new_i32_1d(ctx, numbers, INT64_C(1) << 50) == NULL);
  check_error(ctx, "cannot allocate");
  CHECK(futhark_new_i32_1d(ctx, NULL, 1) == NULL);
  check_error(ctx, "has no data");
}

static void consumption(struct futhark_context *ctx) {
  struct futhark_i32_1d *xs = make(ctx);
  struct futhark_i32_1d *ys = NULL;
  int32_t x = 0;
  CHECK(futhark_entry_increment(ctx, &ys, xs) == FUTHARK_SUCCESS);
  CHECK(futhark_entry_at(ctx, &x, xs, 0) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "has been consumed");
  CHECK(futhark_shape_i32_1d(ctx, xs) == NULL);
  check_error(ctx, "has been consumed");
  CHECK(futhark_free_i32_1d(ctx, xs) == FUTHARK_SUCCESS);
  CHECK(futhark_entry_at(ctx, &x, ys, 0) == FUTHARK_SUCCESS && x == 11);
  CHECK(futhark_entry_both(ctx, &xs, ys, ys) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "is consumed, and used again in the same call");
  CHECK(futhark_entry_at(ctx, &x, ys, 0) == FUTHARK_SUCCESS && x == 11);
  CHECK(futhark_free_i32_1d(ctx, ys) == FUTHARK_SUCCESS);

  /* Values that share memory do not see what becomes of each other. */
  xs = make(ctx);
  struct futhark_opaque_tup2_arr1d_i32_arr1d_i32 *p = NULL;
  CHECK(futhark_entry_pair(ctx, &p, xs) == FUTHARK_SUCCESS);
  CHECK(futhark_entry_spoil(ctx, &ys, xs, 1) == FUTHARK_SUCCESS);
  CHECK(futhark_free_i32_1d(ctx, xs) == FUTHARK_SUCCESS);
  CHECK(futhark_project_opaque_tup2_arr1d_i32_arr1d_i32_0(ctx, &xs, p) == FUTHARK_SUCCESS);
  CHECK(futhark_free_opaque_tup2_arr1d_i32_arr1d_i32(ctx, p) == FUTHARK_SUCCESS);
  still_works(ctx, xs);
  CHECK(futhark_entry_at(ctx, &x, ys, 1) == FUTHARK_SUCCESS && x == 0);
  CHECK(futhark_free_i32_1d(ctx, ys) == FUTHARK_SUCCESS);

  /* What a failing call consumes is gone. */
  CHECK(futhark_entry_spoil(ctx, &ys, xs, 3) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "out of bounds");
  CHECK(futhark_entry_at(ctx, &x, xs, 0) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "has been consumed");
  CHECK(futhark_free_i32_1d(ctx, xs) == FUTHARK_SUCCESS);
}

static void wrong_values(struct futhark_context *ctx, struct futhark_context *other) {
  struct futhark_i32_1d *xs = make(ctx);
  int32_t x = 0;
  CHECK(futhark_entry_at(other, &x, xs, 0) == FUTHARK_PROGRAM_ERROR);
  check_error(other, "belongs to another context");
  CHECK(futhark_context_get_error(ctx) == NULL);
  CHECK(futhark_entry_at(ctx, &x, NULL, 0) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "is NULL");
  CHECK(futhark_free_i32_1d(ctx, NULL) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "is NULL");
  CHECK(futhark_entry_at(ctx, &x, (struct futhark_i32_1d *)(void *)xs, 0) == FUTHARK_SUCCESS);
  struct futhark_opaque_tup2_arr1d_i32_arr1d_i32 *p = (void *)xs;
  CHECK(futhark_free_opaque_tup2_arr1d_i32_arr1d_i32(ctx, p) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "is of another type");
  still_works(ctx, xs);
  CHECK(futhark_entry_at(ctx, NULL, xs, 0) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "the place for the result is NULL");
  CHECK(futhark_entry_pair(ctx, NULL, xs) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "the place for the result is NULL");
  CHECK(futhark_index_i32_1d(ctx, NULL, xs, 0) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "the place for the result is NULL");
  CHECK(futhark_values_i32_1d(ctx, xs, NULL) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "the place for the elements is NULL");
  CHECK(futhark_entry_pair(ctx, &p, xs) == FUTHARK_SUCCESS);
  CHECK(futhark_project_opaque_tup2_arr1d_i32_arr1d_i32_0(ctx, NULL, p) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "the place for the result is NULL");
  CHECK(futhark_store_opaque_tup2_arr1d_i32_arr1d_i32(ctx, p, NULL, NULL) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "the place for the result is NULL");
  CHECK(futhark_free_opaque_tup2_arr1d_i32_arr1d_i32(ctx, p) == FUTHARK_SUCCESS);
  CHECK(futhark_new_opaque_tup2_arr1d_i32_arr1d_i32(ctx, NULL, xs, xs) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "the place for the result is NULL");
  CHECK(futhark_free_i32_1d(ctx, xs) == FUTHARK_SUCCESS);
  CHECK(futhark_free_i32_1d(ctx, xs) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "has been freed");
  CHECK(futhark_entry_at(ctx, &x, xs, 0) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "has been freed");
  /* Whoever forgets one leaves it to the context. */
  xs = make(ctx);
}

static void configurations(struct futhark_context_config *used) {
  struct futhark_context *ctx = futhark_context_new(used);
  CHECK(ctx != NULL);
  /* Whatever is done with it in between. */
  CHECK(futhark_context_sync(ctx) != FUTHARK_SUCCESS);
  check_error(ctx, "the configuration is that of another context");
  CHECK(futhark_context_sync(ctx) != FUTHARK_SUCCESS);
  check_error(ctx, "could not be made");
  CHECK(futhark_new_i32_1d(ctx, numbers, 3) == NULL);
  CHECK(futhark_context_report(ctx) == NULL);
  futhark_context_free(ctx);
  CHECK(futhark_context_config_set_tuning_param(used, "nonsense", 1) != 0);
  CHECK(futhark_get_tuning_param_count() >= 0);
  CHECK(futhark_get_tuning_param_name(-1) == NULL);
  CHECK(futhark_get_tuning_param_class(futhark_get_tuning_param_count()) == NULL);
}

static void logging(void) {
  struct futhark_context_config *cfg = new_config();
  futhark_context_config_set_logging(cfg, 1);
  futhark_context_config_set_profiling(cfg, 1);
  futhark_context_config_set_debugging(cfg, 0);
  futhark_context_config_set_cache_file(cfg, NULL);
  struct futhark_context *ctx = open_context(cfg);
  FILE *log = tmpfile();
  CHECK(log != NULL);
  futhark_context_set_logging_file(ctx, log);
  struct futhark_i32_1d *xs = make(ctx);
  still_works(ctx, xs);
  futhark_context_pause_profiling(ctx);
  still_works(ctx, xs);
  futhark_context_unpause_profiling(ctx);
  still_works(ctx, xs);
  char *report = futhark_context_report(ctx);
  CHECK(report != NULL && strstr(report, "{\"name\":\"at\",\"duration\":") != NULL &&
        strstr(report, "\"provenance\":\"\",\"details\":{\"count\":2}}") != NULL);
  free(report);
  CHECK(ftell(log) > 0);
  CHECK(fclose(log) == 0);
  futhark_context_set_logging_file(ctx, stderr);
  CHECK(futhark_free_i32_1d(ctx, xs) == FUTHARK_SUCCESS);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
}

int main(void) {
  struct futhark_context_config *cfg = new_config();
  struct futhark_context_config *other_cfg = new_config();
  struct futhark_context *ctx = open_context(cfg);
  struct futhark_context *other = open_context(other_cfg);
  failing_programs(ctx);
  new_arrays(ctx);
  consumption(ctx);
  wrong_values(ctx, other);
  configurations(cfg);
  logging();
  failing_programs(other);
  futhark_context_free(ctx);
  futhark_context_free(other);
  /* A configuration serves one context after the other. */
  ctx = open_context(cfg);
  failing_programs(ctx);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  futhark_context_config_free(other_cfg);
  return 0;
}
