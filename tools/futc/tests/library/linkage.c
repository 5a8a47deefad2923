/* A header included twice, in C and in C++: names are found in the library. */
#include "values.h"
#include "values.h"

int main(void) {
  struct futhark_context_config *cfg = futhark_context_config_new();
  struct futhark_context *ctx = futhark_context_new(cfg);
  struct futhark_opaque_arr1d_cell *cs = NULL;
#ifdef FUTHARK_BACKEND_cuda
  futhark_context_config_set_device(cfg, "#0");
#endif
  int code = futhark_entry_cells(ctx, &cs, 3);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  return code;
}
