/* Failures are jumps of the C library. */
#include "guard.h"

enum futc_ending futc_guard(struct futc_context *ctx,
                            void (*work)(struct futc_context *ctx, void *argument),
                            void *argument) {
  struct futc_handler handler;
  /* Its result may stand in a condition only. */
  switch (setjmp(handler.place)) {
  case FUTC_RETURNED: break;
  case FUTC_OVERFLOWED: ctx->handler = NULL; return FUTC_OVERFLOWED;
  default: ctx->handler = NULL; return FUTC_RAISED;
  }
  ctx->handler = &handler;
  work(ctx, argument);
  ctx->handler = NULL;
  return FUTC_RETURNED;
}

void futc_unwind(struct futc_context *ctx, enum futc_ending ending) {
  longjmp(ctx->handler->place, (int)ending);
}
