/* `trace`. */
#include "futc_program.h"
#include "values.h"

#include <stdlib.h>
#include <unistd.h>

void futc_trace(struct futc_context *ctx, int32_t prim, uint64_t bits) {
  (void)ctx;
  struct futc_writer *w = malloc(sizeof *w);
  if (w == NULL) {
    return;
  }
  futc_writer_open(w, STDERR_FILENO);
  futc_writer_text(w, "Trace: ");
  futc_write_scalar(w, prim, bits);
  futc_writer_text(w, "\n");
  (void)futc_writer_flush(w);
  free(w);
}
