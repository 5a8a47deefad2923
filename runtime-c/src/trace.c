/* `trace`. */
#include "overflow.h"
#include "values.h"

#include <stdlib.h>
#include <unistd.h>

void futc_trace(struct futc_context *ctx, int32_t prim, uint64_t bits) {
  (void)ctx;
  futc_enter_runtime();
  struct futc_writer *w = malloc(sizeof *w);
  if (w != NULL) {
    futc_writer_open(w, STDERR_FILENO);
    futc_writer_text(w, "Trace: ");
    futc_write_scalar(w, prim, bits);
    futc_writer_text(w, "\n");
    (void)futc_writer_flush(w);
    free(w);
  }
  futc_leave_runtime();
}
