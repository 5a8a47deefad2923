/* As many calls as a long run makes, failing ones among them, need no more memory than a few. */
#include "growth.h"

#include "check.h"

#include <sys/resource.h>

static long peak(void) {
  struct rusage usage;
  CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
  return usage.ru_maxrss;
}

static void calls(struct futhark_context *ctx, int n) {
  const double data[100] = {1};
  struct futhark_f64_1d *xs = futhark_new_f64_1d(ctx, data, 100);
  for (int i = 0; i < n; i++) {
    struct futhark_f64_1d *ys = NULL;
    struct futhark_opaque_arr1d_cell *cs = NULL;
    struct futhark_opaque_cell *c = NULL;
    double x = 0;
    CHECK(futhark_entry_step(ctx, &ys, xs, 1) == FUTHARK_SUCCESS);
    CHECK(futhark_free_f64_1d(ctx, xs) == FUTHARK_SUCCESS);
    xs = ys;
    CHECK(futhark_entry_cells(ctx, &cs, xs) == FUTHARK_SUCCESS);
    CHECK(futhark_index_opaque_arr1d_cell(ctx, &c, cs, 99) == FUTHARK_SUCCESS);
    CHECK(futhark_project_opaque_cell_x(ctx, &x, c) == FUTHARK_SUCCESS && x == i + 1);
    CHECK(futhark_free_opaque_cell(ctx, c) == FUTHARK_SUCCESS);
    CHECK(futhark_free_opaque_arr1d_cell(ctx, cs) == FUTHARK_SUCCESS);
    CHECK(futhark_entry_fail(ctx, &x, xs, 100) == FUTHARK_PROGRAM_ERROR);
  }
  CHECK(futhark_free_f64_1d(ctx, xs) == FUTHARK_SUCCESS);
}

int main(void) {
  struct futhark_context_config *cfg = new_config();
  struct futhark_context *ctx = open_context(cfg);
  calls(ctx, 1000);
  long before = peak();
  calls(ctx, 100000);
  /* In KiB; a byte for each call would be 100. */
  CHECK(peak() - before < 64);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  return 0;
}
