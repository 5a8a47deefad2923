/* Failures are exceptions of JavaScript, which end functions of WebAssembly on their way. So is what its engine
 * throws when its stack is used up; C's own stack, in memory, ends at address 0, below which nothing can be
 * accessed. JavaScript's part of this is in tools/futc/src/javascript/machine.js.
 *
 * The C library's jumps would need the instructions for exceptions, and would leave both overflows to end the
 * program. The price here is a call of JavaScript for each call of an entry point.
 */
#include "guard.h"

#include "error.h"
#include "overflow.h"

#include <stdio.h>
#include <stdlib.h>

#define IMPORT(NAME) __attribute__((import_module("futc"), import_name(NAME)))

/* Calls `work`, and says as `enum futc_ending` how that ended. */
IMPORT("guard")
int futc_js_guard(void (*work)(struct futc_context *ctx, void *argument), struct futc_context *ctx,
                  void *argument);
/* Ends the innermost such call. */
IMPORT("unwind") _Noreturn void futc_js_unwind(int ending);

_Thread_local volatile sig_atomic_t futc_in_runtime;

static const char *parting = "";

enum futc_ending futc_guard(struct futc_context *ctx,
                            void (*work)(struct futc_context *ctx, void *argument),
                            void *argument) {
  struct futc_handler handler = {.is_set = true};
  ctx->handler = &handler;
  enum futc_ending ending = (enum futc_ending)futc_js_guard(work, ctx, argument);
  ctx->handler = NULL;
  if (ending == FUTC_OVERFLOWED && futc_in_runtime != 0) {
    /* The runtime was left in the middle of something. */
    (void)fputs(FUTC_OVERFLOW_MESSAGE, stderr);
    (void)fputs(parting, stdout);
    exit(1);
  }
  return ending;
}

void futc_unwind(struct futc_context *ctx, enum futc_ending ending) {
  (void)ctx;
  futc_js_unwind((int)ending);
}

void futc_watch_stack(const char *farewell) {
  parting = farewell;
}

void futc_watch_context(struct futc_context *ctx) {
  (void)ctx;
}

void futc_set_overflow_error(struct futc_context *ctx) {
  futc_set_error(ctx, "%s", FUTC_OVERFLOW_MESSAGE);
}
