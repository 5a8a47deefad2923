/* Opaque values of every kind: records, sums, arrays of both, tuples; stored and restored. */
#include "values.h"

#include "check.h"

static void records(struct futhark_context *ctx) {
  const double data[3] = {1, 2, 3.5};
  struct futhark_f64_1d *b = futhark_new_f64_1d(ctx, data, 3);
  struct futhark_opaque_pair *p = NULL;
  struct futhark_opaque_pair *q = NULL;
  CHECK(futhark_entry_make_pair(ctx, &p, 4, b) == FUTHARK_SUCCESS);
  CHECK(futhark_new_opaque_pair(ctx, &q, 5, b) == FUTHARK_SUCCESS);
  CHECK(futhark_free_f64_1d(ctx, b) == FUTHARK_SUCCESS);
  double sum = 0;
  CHECK(futhark_entry_sum_pair(ctx, &sum, p) == FUTHARK_SUCCESS && sum == 10.5);
  CHECK(futhark_entry_sum_pair(ctx, &sum, q) == FUTHARK_SUCCESS && sum == 11.5);
  int32_t a = 0;
  CHECK(futhark_project_opaque_pair_a(ctx, &a, q) == FUTHARK_SUCCESS && a == 5);
  CHECK(futhark_project_opaque_pair_b(ctx, &b, q) == FUTHARK_SUCCESS);
  CHECK(futhark_free_opaque_pair(ctx, q) == FUTHARK_SUCCESS);
  double got[3] = {0};
  CHECK(futhark_shape_f64_1d(ctx, b)[0] == 3);
  CHECK(futhark_values_f64_1d(ctx, b, got) == FUTHARK_SUCCESS);
  CHECK(memcmp(got, data, sizeof data) == 0);
  CHECK(futhark_free_f64_1d(ctx, b) == FUTHARK_SUCCESS);

  /* The three ways to store. */
  size_t n = 0;
  size_t again = 0;
  void *bytes = NULL;
  CHECK(futhark_store_opaque_pair(ctx, p, NULL, &n) == FUTHARK_SUCCESS && n > 3 * sizeof(double));
  CHECK(futhark_store_opaque_pair(ctx, p, &bytes, &again) == FUTHARK_SUCCESS && again == n);
  void *own = malloc(n);
  void *same = own;
  CHECK(own != NULL);
  CHECK(futhark_store_opaque_pair(ctx, p, &own, &again) == FUTHARK_SUCCESS && own == same);
  CHECK(memcmp(own, bytes, n) == 0);
  struct futhark_opaque_pair *r = futhark_restore_opaque_pair(ctx, bytes);
  CHECK(r != NULL);
  CHECK(futhark_entry_sum_pair(ctx, &sum, r) == FUTHARK_SUCCESS && sum == 10.5);
  CHECK(futhark_free_opaque_pair(ctx, r) == FUTHARK_SUCCESS);
  memset(bytes, 'x', 4);
  CHECK(futhark_restore_opaque_pair(ctx, bytes) == NULL);
  check_error(ctx, "not a stored value");
  CHECK(futhark_restore_opaque_pair(ctx, NULL) == NULL);
  check_error(ctx, "there are no bytes");
  free(own);
  free(bytes);
  CHECK(futhark_free_opaque_pair(ctx, p) == FUTHARK_SUCCESS);
}

static void sums(struct futhark_context *ctx) {
  const double xs[2] = {1, 2};
  struct futhark_opaque_shape *s = NULL;
  struct futhark_opaque_shape *t = NULL;
  /* Variants are in alphabetical order. */
  enum { CIRCLE, NAMED, POINT, POLYGON };
  CHECK(futhark_new_opaque_shape_point(ctx, &s) == FUTHARK_SUCCESS);
  CHECK(futhark_variant_opaque_shape(ctx, s) == POINT);
  CHECK(futhark_destruct_opaque_shape_point(ctx, s) == FUTHARK_SUCCESS);
  CHECK(futhark_entry_grow(ctx, &t, s) == FUTHARK_SUCCESS);
  CHECK(futhark_free_opaque_shape(ctx, s) == FUTHARK_SUCCESS);
  CHECK(futhark_variant_opaque_shape(ctx, t) == CIRCLE);
  double r = 0;
  CHECK(futhark_destruct_opaque_shape_circle(ctx, &r, t) == FUTHARK_SUCCESS && r == 1);
  CHECK(futhark_destruct_opaque_shape_point(ctx, t) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "is not #point");
  CHECK(futhark_free_opaque_shape(ctx, t) == FUTHARK_SUCCESS);

  struct futhark_f64_1d *x = futhark_new_f64_1d(ctx, xs, 2);
  struct futhark_f64_1d *y = NULL;
  struct futhark_f64_1d *z = NULL;
  bool flag = false;
  CHECK(futhark_new_opaque_shape_polygon(ctx, &s, x, x, true) == FUTHARK_SUCCESS);
  CHECK(futhark_free_f64_1d(ctx, x) == FUTHARK_SUCCESS);
  CHECK(futhark_destruct_opaque_shape_polygon(ctx, &y, &z, &flag, s) == FUTHARK_SUCCESS);
  CHECK(flag && futhark_shape_f64_1d(ctx, z)[0] == 2);
  CHECK(futhark_free_f64_1d(ctx, y) == FUTHARK_SUCCESS);
  CHECK(futhark_free_f64_1d(ctx, z) == FUTHARK_SUCCESS);
  size_t n = 0;
  void *bytes = NULL;
  CHECK(futhark_store_opaque_shape(ctx, s, &bytes, &n) == FUTHARK_SUCCESS);
  CHECK(futhark_free_opaque_shape(ctx, s) == FUTHARK_SUCCESS);
  s = futhark_restore_opaque_shape(ctx, bytes);
  free(bytes);
  CHECK(s != NULL && futhark_variant_opaque_shape(ctx, s) == POLYGON);
  CHECK(futhark_entry_grow(ctx, &t, s) == FUTHARK_SUCCESS);
  CHECK(futhark_free_opaque_shape(ctx, s) == FUTHARK_SUCCESS);
  CHECK(futhark_variant_opaque_shape(ctx, t) == NAMED);
  struct futhark_opaque_rec__a_i32__b_arr1d_f64 *p = NULL;
  CHECK(futhark_destruct_opaque_shape_named(ctx, &p, t) == FUTHARK_SUCCESS);
  CHECK(futhark_free_opaque_shape(ctx, t) == FUTHARK_SUCCESS);
  int32_t a = 0;
  double at = 0;
  CHECK(futhark_project_opaque_rec__a_i32__b_arr1d_f64_a(ctx, &a, p) == FUTHARK_SUCCESS && a == 1);
  CHECK(futhark_project_opaque_rec__a_i32__b_arr1d_f64_b(ctx, &x, p) == FUTHARK_SUCCESS);
  CHECK(futhark_index_f64_1d(ctx, &at, x, 1) == FUTHARK_SUCCESS && at == 4);
  CHECK(futhark_new_opaque_shape_named(ctx, &s, p) == FUTHARK_SUCCESS);
  CHECK(futhark_free_opaque_rec__a_i32__b_arr1d_f64(ctx, p) == FUTHARK_SUCCESS);
  CHECK(futhark_free_f64_1d(ctx, x) == FUTHARK_SUCCESS);
  CHECK(futhark_entry_grow(ctx, &t, s) == FUTHARK_SUCCESS);
  CHECK(futhark_variant_opaque_shape(ctx, t) == POINT);
  CHECK(futhark_free_opaque_shape(ctx, s) == FUTHARK_SUCCESS);
  CHECK(futhark_free_opaque_shape(ctx, t) == FUTHARK_SUCCESS);
}

static void arrays_of_records(struct futhark_context *ctx) {
  struct futhark_opaque_arr1d_cell *cs = NULL;
  CHECK(futhark_entry_cells(ctx, &cs, 3) == FUTHARK_SUCCESS);
  CHECK(futhark_shape_opaque_arr1d_cell(ctx, cs)[0] == 3);
  double sum = 0;
  CHECK(futhark_entry_total(ctx, &sum, cs) == FUTHARK_SUCCESS && sum == 27);
  struct futhark_f64_1d *xs = NULL;
  struct futhark_i32_2d *rows = NULL;
  CHECK(futhark_project_opaque_arr1d_cell_x(ctx, &xs, cs) == FUTHARK_SUCCESS);
  CHECK(futhark_project_opaque_arr1d_cell_rows(ctx, &rows, cs) == FUTHARK_SUCCESS);
  CHECK(futhark_shape_i32_2d(ctx, rows)[0] == 3 && futhark_shape_i32_2d(ctx, rows)[1] == 2);
  struct futhark_opaque_cell *c = NULL;
  CHECK(futhark_index_opaque_arr1d_cell(ctx, &c, cs, 3) != FUTHARK_SUCCESS);
  check_error(ctx, "Index 3 is out of bounds for size 3");
  CHECK(futhark_index_opaque_arr1d_cell(ctx, &c, cs, 2) == FUTHARK_SUCCESS);

  /* What was projected stays as it is when an element is replaced. */
  double x = 0;
  CHECK(futhark_set_opaque_arr1d_cell(ctx, cs, c, 0) == FUTHARK_SUCCESS);
  CHECK(futhark_entry_total(ctx, &sum, cs) == FUTHARK_SUCCESS && sum == 31);
  CHECK(futhark_index_f64_1d(ctx, &x, xs, 0) == FUTHARK_SUCCESS && x == 0);
  CHECK(futhark_set_opaque_arr1d_cell(ctx, cs, c, -1) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "out of bounds");
  CHECK(futhark_free_opaque_arr1d_cell(ctx, cs) == FUTHARK_SUCCESS);

  CHECK(futhark_zip_opaque_arr1d_cell(ctx, &cs, rows, xs) == FUTHARK_SUCCESS);
  CHECK(futhark_entry_total(ctx, &sum, cs) == FUTHARK_SUCCESS && sum == 27);
  CHECK(futhark_free_opaque_arr1d_cell(ctx, cs) == FUTHARK_SUCCESS);
  const double fewer[2] = {1, 2};
  struct futhark_f64_1d *two = futhark_new_f64_1d(ctx, fewer, 2);
  CHECK(futhark_zip_opaque_arr1d_cell(ctx, &cs, rows, two) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "Cannot zip arrays with different shapes");
  CHECK(futhark_free_f64_1d(ctx, two) == FUTHARK_SUCCESS);
  CHECK(futhark_free_f64_1d(ctx, xs) == FUTHARK_SUCCESS);
  CHECK(futhark_free_i32_2d(ctx, rows) == FUTHARK_SUCCESS);

  struct futhark_opaque_cell *elements[6] = {c, c, c, c, c, c};
  CHECK(futhark_new_opaque_arr1d_cell(ctx, &cs, elements, 4) == FUTHARK_SUCCESS);
  CHECK(futhark_entry_total(ctx, &sum, cs) == FUTHARK_SUCCESS && sum == 44);
  CHECK(futhark_free_opaque_arr1d_cell(ctx, cs) == FUTHARK_SUCCESS);
  CHECK(futhark_new_opaque_arr1d_cell(ctx, &cs, NULL, 1) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "has no elements");
  CHECK(futhark_new_opaque_arr1d_cell(ctx, &cs, NULL, 0) == FUTHARK_SUCCESS);
  CHECK(futhark_shape_opaque_arr1d_cell(ctx, cs)[0] == 0);
  CHECK(futhark_free_opaque_arr1d_cell(ctx, cs) == FUTHARK_SUCCESS);
  CHECK(futhark_new_opaque_arr1d_cell(ctx, &cs, elements, -1) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "negative");

  /* An element of another shape. */
  const int32_t three[3] = {1, 2, 3};
  struct futhark_i32_1d *longer = futhark_new_i32_1d(ctx, three, 3);
  CHECK(futhark_new_opaque_cell(ctx, &elements[5], longer, 1.5) == FUTHARK_SUCCESS);
  CHECK(futhark_free_i32_1d(ctx, longer) == FUTHARK_SUCCESS);
  CHECK(futhark_new_opaque_arr1d_cell(ctx, &cs, elements, 6) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "elements of different shapes");
  struct futhark_opaque_arr2d_cell *grid = NULL;
  CHECK(futhark_entry_grid(ctx, &grid, 2, 3) == FUTHARK_SUCCESS);
  CHECK(futhark_set_opaque_arr2d_cell(ctx, grid, elements[5], 0, 0) == FUTHARK_PROGRAM_ERROR);
  check_error(ctx, "Element shape differs from array shape");
  CHECK(futhark_free_opaque_cell(ctx, elements[5]) == FUTHARK_SUCCESS);
  CHECK(futhark_free_opaque_cell(ctx, c) == FUTHARK_SUCCESS);

  CHECK(futhark_shape_opaque_arr2d_cell(ctx, grid)[0] == 2);
  CHECK(futhark_shape_opaque_arr2d_cell(ctx, grid)[1] == 3);
  CHECK(futhark_index_opaque_arr2d_cell(ctx, &c, grid, 1, 2) == FUTHARK_SUCCESS);
  CHECK(futhark_project_opaque_cell_x(ctx, &x, c) == FUTHARK_SUCCESS && x == 5);
  CHECK(futhark_set_opaque_arr2d_cell(ctx, grid, c, 0, 1) == FUTHARK_SUCCESS);
  size_t n = 0;
  void *bytes = NULL;
  CHECK(futhark_store_opaque_arr2d_cell(ctx, grid, &bytes, &n) == FUTHARK_SUCCESS);
  struct futhark_opaque_arr2d_cell *restored = futhark_restore_opaque_arr2d_cell(ctx, bytes);
  free(bytes);
  CHECK(futhark_free_opaque_arr2d_cell(ctx, grid) == FUTHARK_SUCCESS);
  CHECK(futhark_free_opaque_cell(ctx, c) == FUTHARK_SUCCESS);
  CHECK(futhark_index_opaque_arr2d_cell(ctx, &c, restored, 0, 1) == FUTHARK_SUCCESS);
  CHECK(futhark_project_opaque_cell_x(ctx, &x, c) == FUTHARK_SUCCESS && x == 5);
  CHECK(futhark_free_opaque_cell(ctx, c) == FUTHARK_SUCCESS);
  CHECK(futhark_free_opaque_arr2d_cell(ctx, restored) == FUTHARK_SUCCESS);
}

static void arrays_of_sums(struct futhark_context *ctx) {
  struct futhark_opaque_arr1d_colour *cs = NULL;
  struct futhark_opaque_colour *c = NULL;
  CHECK(futhark_entry_colours(ctx, &cs, 4) == FUTHARK_SUCCESS);
  int64_t sum = 0;
  CHECK(futhark_entry_greys(ctx, &sum, cs) == FUTHARK_SUCCESS && sum == 4);
  CHECK(futhark_index_opaque_arr1d_colour(ctx, &c, cs, 3) == FUTHARK_SUCCESS);
  CHECK(futhark_variant_opaque_colour(ctx, c) == 0);
  uint8_t g = 0;
  CHECK(futhark_destruct_opaque_colour_grey(ctx, &g, c) == FUTHARK_SUCCESS && g == 3);
  CHECK(futhark_set_opaque_arr1d_colour(ctx, cs, c, 0) == FUTHARK_SUCCESS);
  CHECK(futhark_entry_greys(ctx, &sum, cs) == FUTHARK_SUCCESS && sum == 7);
  CHECK(futhark_free_opaque_arr1d_colour(ctx, cs) == FUTHARK_SUCCESS);
  struct futhark_opaque_colour *elements[2] = {c, NULL};
  CHECK(futhark_new_opaque_colour_red(ctx, &elements[1]) == FUTHARK_SUCCESS);
  CHECK(futhark_new_opaque_arr1d_colour(ctx, &cs, elements, 2) == FUTHARK_SUCCESS);
  CHECK(futhark_entry_greys(ctx, &sum, cs) == FUTHARK_SUCCESS && sum == 3);
  CHECK(futhark_free_opaque_arr1d_colour(ctx, cs) == FUTHARK_SUCCESS);
  CHECK(futhark_free_opaque_colour(ctx, elements[1]) == FUTHARK_SUCCESS);
  CHECK(futhark_free_opaque_colour(ctx, c) == FUTHARK_SUCCESS);
}

static void tuples(struct futhark_context *ctx) {
  struct futhark_opaque_tup2_i32_arr1d_f64 *t = NULL;
  CHECK(futhark_entry_two(ctx, &t, 4, 2.5) == FUTHARK_SUCCESS);
  int32_t x = 0;
  double y = 0;
  struct futhark_f64_1d *ys = NULL;
  CHECK(futhark_project_opaque_tup2_i32_arr1d_f64_0(ctx, &x, t) == FUTHARK_SUCCESS && x == 5);
  CHECK(futhark_project_opaque_tup2_i32_arr1d_f64_1(ctx, &ys, t) == FUTHARK_SUCCESS);
  CHECK(futhark_free_opaque_tup2_i32_arr1d_f64(ctx, t) == FUTHARK_SUCCESS);
  CHECK(futhark_index_f64_1d(ctx, &y, ys, 1) == FUTHARK_SUCCESS && y == 2.5);
  CHECK(futhark_free_f64_1d(ctx, ys) == FUTHARK_SUCCESS);

  struct futhark_opaque_tup2_tup2_i32_bool_arr1d_i32 *n = NULL;
  struct futhark_opaque_tup2_i32_bool *inner = NULL;
  bool positive = false;
  CHECK(futhark_entry_nested(ctx, &n, 4) == FUTHARK_SUCCESS);
  CHECK(futhark_project_opaque_tup2_tup2_i32_bool_arr1d_i32_0(ctx, &inner, n) == FUTHARK_SUCCESS);
  CHECK(futhark_project_opaque_tup2_i32_bool_1(ctx, &positive, inner) == FUTHARK_SUCCESS);
  CHECK(positive);
  CHECK(futhark_free_opaque_tup2_i32_bool(ctx, inner) == FUTHARK_SUCCESS);
  CHECK(futhark_free_opaque_tup2_tup2_i32_bool_arr1d_i32(ctx, n) == FUTHARK_SUCCESS);

  struct futhark_opaque_unit *u = NULL;
  CHECK(futhark_entry_unit(ctx, &u, 1) == FUTHARK_SUCCESS);
  CHECK(futhark_free_opaque_unit(ctx, u) == FUTHARK_SUCCESS);
  CHECK(futhark_new_opaque_unit(ctx, &u) == FUTHARK_SUCCESS);
  CHECK(futhark_free_opaque_unit(ctx, u) == FUTHARK_SUCCESS);
  int64_t count = 0;
  CHECK(futhark_entry_count(ctx, &count, INT64_MIN) == FUTHARK_SUCCESS && count == INT64_MIN);
}

int main(void) {
  struct futhark_context_config *cfg = new_config();
  struct futhark_context *ctx = open_context(cfg);
  for (int i = 0; i < 3; i++) {
    records(ctx);
    sums(ctx);
    arrays_of_records(ctx);
    arrays_of_sums(ctx);
    tuples(ctx);
    CHECK(futhark_context_sync(ctx) == FUTHARK_SUCCESS);
    CHECK(futhark_context_clear_caches(ctx) == FUTHARK_SUCCESS);
  }
  CHECK(futhark_context_get_error(ctx) == NULL);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  return 0;
}
